"""segmentation_models_pytorch: Unet and FPN with small encoders, Dice loss, one optimiser step; IoU from its metrics."""
import torch
import segmentation_models_pytorch as smp
torch.manual_seed(0)
x = torch.randn(2, 3, 64, 64); target = (torch.rand(2, 1, 64, 64) > 0.5).float()
for kind, encoder in (("Unet", "resnet18"), ("FPN", "mobilenet_v2"), ("DeepLabV3Plus", "resnet18"),
                      ("Linknet", "densenet121"), ("PSPNet", "vgg11"), ("MAnet", "tu-resnet18")):
    torch.manual_seed(1)
    model = getattr(smp, kind)(encoder, encoder_weights=None, classes=1)
    loss = smp.losses.DiceLoss("binary")
    optimizer = torch.optim.Adam(model.parameters(), 1e-3)
    values = []
    for _ in range(2):
        optimizer.zero_grad()
        out = loss(model(x), target)
        out.backward()
        optimizer.step()
        values.append(round(out.item(), 2))
    model.eval()
    with torch.no_grad():
        stats = smp.metrics.get_stats((model(x).sigmoid() > 0.5).long(), target.long(), mode="binary")
    print(kind, encoder, sum(p.numel() for p in model.parameters()), values, len(stats))
