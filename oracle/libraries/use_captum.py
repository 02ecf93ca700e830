# Prints the same on PyTorch and on winnow (oracle/libraries.py).
import torch
from captum.attr import IntegratedGradients, Saliency, DeepLift, GradientShap, LayerConductance

torch.manual_seed(0)
m = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 3))
x = torch.randn(2, 4)
print([[round(v, 3) for v in r] for r in IntegratedGradients(m).attribute(x, target=1).tolist()])
print([[round(v, 3) for v in r] for r in Saliency(m).attribute(x, target=1).tolist()])
print([[round(v, 3) for v in r] for r in DeepLift(m).attribute(x, target=1).tolist()])
print(LayerConductance(m, m[0]).attribute(x, target=0).shape)
