# Prints the same on PyTorch and on winnow (oracle/libraries.py).
import torch, open_clip

torch.manual_seed(0)
from open_clip.model import CLIP, CLIPTextCfg, CLIPVisionCfg

m = CLIP(
    32,
    CLIPVisionCfg(layers=2, width=64, head_width=32, patch_size=8, image_size=32),
    CLIPTextCfg(context_length=16, vocab_size=100, width=32, heads=2, layers=2),
)
i, t, s = m(torch.randn(2, 3, 32, 32), torch.randint(1, 100, (2, 16)))
print(i.shape, t.shape, round(s.item(), 3))
(i @ t.T).sum().backward()
