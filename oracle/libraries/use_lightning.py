# Prints the same on PyTorch and on winnow (oracle/libraries.py).
import torch, warnings, logging

warnings.filterwarnings("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
import lightning as L

L.seed_everything(0, verbose=False)


class M(L.LightningModule):
    def __init__(s):
        super().__init__()
        s.n = torch.nn.Linear(8, 1)
        s.save_hyperparameters()

    def training_step(s, b, i):
        x, y = b
        l = torch.nn.functional.mse_loss(s.n(x), y)
        s.log("l", l)
        return l

    def validation_step(s, b, i):
        x, y = b
        s.log("v", torch.nn.functional.mse_loss(s.n(x), y))

    def configure_optimizers(s):
        return torch.optim.Adam(s.parameters(), 1e-2)


x = torch.randn(64, 8)
d = torch.utils.data.TensorDataset(x, x.sum(1, keepdim=True))
t = L.Trainer(max_epochs=3, logger=False, enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False, accelerator="cpu")
m = M()
t.fit(m, torch.utils.data.DataLoader(d, 16), torch.utils.data.DataLoader(d, 16))
print({k: round(v.item(), 3) for k, v in t.callback_metrics.items()})
