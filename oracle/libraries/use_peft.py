# Prints the same on PyTorch and on winnow (oracle/libraries.py).
import torch, transformers

transformers.logging.set_verbosity_error()
from transformers import GPT2Config, GPT2LMHeadModel
from peft import LoraConfig, get_peft_model

torch.manual_seed(0)
m = get_peft_model(
    GPT2LMHeadModel(GPT2Config(n_layer=1, n_head=2, n_embd=32, vocab_size=50)),
    LoraConfig(r=4, lora_alpha=8, target_modules=["c_attn"], fan_in_fan_out=True),
)
m.print_trainable_parameters()
x = torch.randint(0, 50, (2, 8))
l = m(input_ids=x, labels=x).loss
l.backward()
print(round(l.item(), 3))
