# Prints the same on PyTorch and on winnow (oracle/libraries.py).
import torch, transformers

transformers.logging.set_verbosity_error()
torch.manual_seed(0)
from transformers import GPT2Config, GPT2LMHeadModel

m = GPT2LMHeadModel(GPT2Config(n_layer=2, n_head=2, n_embd=32, vocab_size=100, n_positions=64))
print(sum(p.numel() for p in m.parameters()))
x = torch.randint(0, 100, (2, 16))
m.train(False)
opt = torch.optim.AdamW(m.parameters(), 1e-3)
for i in range(3):
    out = m(input_ids=x, labels=x)
    out.loss.backward()
    opt.step()
    opt.zero_grad()
    print(i, round(out.loss.item(), 4), tuple(out.logits.shape))
g = m.generate(x[:, :4], max_new_tokens=8, do_sample=False, pad_token_id=0)
print(g.tolist())
