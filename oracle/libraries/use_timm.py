# Prints the same on PyTorch and on winnow (oracle/libraries.py).
import torch, timm

torch.manual_seed(0)
for n, s in (
    ("resnet18", 64),
    ("vit_tiny_patch16_224", 224),
    ("convnext_atto", 64),
    ("efficientnet_b0", 64),
    ("mobilenetv3_small_100", 64),
    ("mixer_s32_224", 224),
    ("swin_tiny_patch4_window7_224", 224),
):
    m = timm.create_model(n, num_classes=10)
    m.eval()
    x = torch.randn(2, 3, s, s)
    y = m(x)
    y.square().mean().backward()
    print(n, tuple(y.shape), round(y.abs().mean().item(), 4), sum(p.numel() for p in m.parameters()))
import timm.optim

opt = timm.optim.create_optimizer_v2(m, "adamw", lr=1e-3)
opt.step()
print(type(opt).__name__)
