# Prints the same on PyTorch and on winnow (oracle/libraries.py).
import torch

torch.manual_seed(0)
from diffusers import UNet2DModel, DDPMScheduler, DDIMScheduler, AutoencoderKL

u = UNet2DModel(
    sample_size=16,
    in_channels=1,
    out_channels=1,
    block_out_channels=(32, 64),
    layers_per_block=1,
    down_block_types=("DownBlock2D", "AttnDownBlock2D"),
    up_block_types=("AttnUpBlock2D", "UpBlock2D"),
)
s = DDPMScheduler(100)
x = torch.randn(2, 1, 16, 16)
n = torch.randn_like(x)
t = torch.tensor([5, 50])
l = (u(s.add_noise(x, n, t), t).sample - n).square().mean()
l.backward()
print(round(l.item(), 4))
d = DDIMScheduler(100)
d.set_timesteps(3)
y = torch.randn(1, 1, 16, 16)
with torch.no_grad():
    for i in d.timesteps:
        y = d.step(u(y, i).sample, i, y).prev_sample
print(round(y.abs().mean().item(), 3))
v = AutoencoderKL(in_channels=1, out_channels=1, block_out_channels=(32,), latent_channels=2, sample_size=16, norm_num_groups=8)
print(v(x).sample.shape)
