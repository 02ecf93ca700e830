# Prints the same on PyTorch and on winnow (oracle/libraries.py).
import torch, torchmetrics

torch.manual_seed(0)
p = torch.rand(64, 5).softmax(1)
t = torch.randint(0, 5, (64,))
for M in (
    torchmetrics.Accuracy(task="multiclass", num_classes=5),
    torchmetrics.F1Score(task="multiclass", num_classes=5, average="macro"),
    torchmetrics.AUROC(task="multiclass", num_classes=5),
    torchmetrics.ConfusionMatrix(task="multiclass", num_classes=5),
    torchmetrics.AveragePrecision(task="multiclass", num_classes=5),
):
    M.update(p, t)
    print(type(M).__name__, M.compute().tolist() if M.compute().dim() else round(M.compute().item(), 5))
    M.reset()
a, b = torch.randn(50), torch.randn(50)
for M in (
    torchmetrics.MeanSquaredError(),
    torchmetrics.R2Score(),
    torchmetrics.PearsonCorrCoef(),
    torchmetrics.SpearmanCorrCoef(),
    torchmetrics.MeanAbsoluteError(),
):
    print(type(M).__name__, round(M(a, b).item(), 4))
