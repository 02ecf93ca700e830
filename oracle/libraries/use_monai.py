# Prints the same on PyTorch and on winnow (oracle/libraries.py).
import torch

torch.manual_seed(0)
from monai.networks.nets import UNet
from monai.losses import DiceLoss, DiceCELoss
from monai.metrics import DiceMetric
from monai.inferers import sliding_window_inference

m = UNet(spatial_dims=2, in_channels=1, out_channels=2, channels=(8, 16, 32), strides=(2, 2))
x = torch.randn(2, 1, 32, 32)
y = torch.randint(0, 2, (2, 1, 32, 32))
l = DiceCELoss(to_onehot_y=True, softmax=True)(m(x), y)
l.backward()
print(round(l.item(), 4))
print(sliding_window_inference(x, (16, 16), 2, m).shape)
d = DiceMetric()
d(y_pred=(m(x).argmax(1, keepdim=True)), y=y)
print(round(d.aggregate().item(), 4))
