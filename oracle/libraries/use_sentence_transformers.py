# Prints the same on PyTorch and on winnow (oracle/libraries.py).
import torch, warnings

warnings.filterwarnings("ignore")
from sentence_transformers import util, losses

torch.manual_seed(0)
a, b = torch.randn(3, 8), torch.randn(4, 8)
print(util.cos_sim(a, b).shape, [len(r) for r in util.semantic_search(a, b, top_k=2)])
