# Prints the same on PyTorch and on winnow (oracle/libraries.py).
import torch, torchvision

torch.manual_seed(0)
for n in ("resnet18", "resnet50", "vgg11", "mobilenet_v2"):
    m = torchvision.models.get_model(n, num_classes=10).eval()
    print(n, sum(p.numel() for p in m.parameters()), tuple(m(torch.randn(1, 3, 64, 64)).shape))
