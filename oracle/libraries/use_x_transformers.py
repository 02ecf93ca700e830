# Prints the same on PyTorch and on winnow (oracle/libraries.py).
import torch

torch.manual_seed(0)
from x_transformers import TransformerWrapper, Decoder, Encoder

m = TransformerWrapper(num_tokens=50, max_seq_len=32, attn_layers=Decoder(dim=32, depth=2, heads=4, rotary_pos_emb=True))
y = m(torch.randint(0, 50, (2, 16)))
y.mean().backward()
print(tuple(y.shape))
from vector_quantize_pytorch import VectorQuantize

vq = VectorQuantize(dim=16, codebook_size=32)
q, i, l = vq(torch.randn(1, 20, 16))
print(q.shape, i.shape, l.shape)
from ema_pytorch import EMA

n = torch.nn.Linear(2, 2)
e = EMA(n, beta=0.9, update_every=1)
e.update()
print(e(torch.ones(1, 2)).shape)
from rotary_embedding_torch import RotaryEmbedding

print(RotaryEmbedding(dim=8).rotate_queries_or_keys(torch.randn(1, 2, 5, 8)).shape)
from lion_pytorch import Lion

o = Lion(n.parameters(), 1e-3)
n(torch.ones(1, 2)).sum().backward()
o.step()
print("lion")
