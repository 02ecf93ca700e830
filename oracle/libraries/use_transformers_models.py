# Prints the same on PyTorch and on winnow (oracle/libraries.py).
import torch, transformers

transformers.logging.set_verbosity_error()
torch.manual_seed(0)
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    LlamaConfig,
    LlamaForCausalLM,
    ViTConfig,
    ViTForImageClassification,
    T5Config,
    T5ForConditionalGeneration,
)

b = BertForSequenceClassification(
    BertConfig(num_hidden_layers=2, hidden_size=32, num_attention_heads=2, intermediate_size=64, vocab_size=100, num_labels=3)
).eval()
x = torch.randint(0, 100, (2, 12))
am = torch.ones(2, 12, dtype=torch.long)
am[1, 8:] = 0
o = b(input_ids=x, attention_mask=am, labels=torch.tensor([0, 2]))
o.loss.backward()
print("bert", round(o.loss.item(), 4), o.logits.shape)
l = LlamaForCausalLM(
    LlamaConfig(num_hidden_layers=2, hidden_size=32, num_attention_heads=4, num_key_value_heads=2, intermediate_size=64, vocab_size=100)
).eval()
o = l(input_ids=x, labels=x)
o.loss.backward()
print("llama", round(o.loss.item(), 4))
print(l.generate(x[:, :3], max_new_tokens=5, do_sample=False, pad_token_id=0).tolist())
v = ViTForImageClassification(
    ViTConfig(num_hidden_layers=2, hidden_size=32, num_attention_heads=2, intermediate_size=64, image_size=32, patch_size=8, num_labels=5)
).eval()
o = v(pixel_values=torch.randn(2, 3, 32, 32), labels=torch.tensor([1, 2]))
o.loss.backward()
print("vit", round(o.loss.item(), 4))
t = T5ForConditionalGeneration(T5Config(num_layers=1, d_model=32, d_kv=8, num_heads=4, d_ff=64, vocab_size=100, decoder_start_token_id=0)).eval()
o = t(input_ids=x, labels=x[:, :5].contiguous())
o.loss.backward()
print("t5", round(o.loss.item(), 4))
