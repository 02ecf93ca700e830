# Prints the same on PyTorch and on winnow (oracle/libraries.py).
import torch, kornia

torch.manual_seed(0)
x = torch.rand(1, 3, 16, 16)
print(
    round(kornia.filters.gaussian_blur2d(x, (3, 3), (1.0, 1.0)).mean().item(), 4),
    round(kornia.filters.sobel(x).mean().item(), 4),
    kornia.color.rgb_to_hsv(x).shape,
    round(kornia.losses.ssim_loss(x, x * 0.9, 5).item(), 4),
)
print(
    kornia.geometry.transform.rotate(x, torch.tensor([30.0])).shape,
    kornia.augmentation.RandomHorizontalFlip(p=1.0)(x).shape,
    kornia.geometry.transform.warp_perspective(x, torch.eye(3)[None], (8, 8)).shape,
)
