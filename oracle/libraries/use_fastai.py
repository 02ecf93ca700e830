"""fastai: a Learner with callbacks trains a small network on arrays; lr_find, one-cycle, fine-tuning groups."""
import numpy as np, torch
from torch import nn
from fastai.basics import *
from fastai.callback.all import *
set_seed(3)
rng = np.random.default_rng(0)
x = torch.tensor(rng.normal(size=(256, 6)).astype("f4")); y = (x[:, 0] * x[:, 1] > 0).long()
train, valid = TensorDataset(x[:192], y[:192]) if "TensorDataset" in globals() else torch.utils.data.TensorDataset(x[:192], y[:192]), torch.utils.data.TensorDataset(x[192:], y[192:])
dls = DataLoaders(DataLoader(train, bs=32, shuffle=False), DataLoader(valid, bs=64))
model = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 2))
learn = Learner(dls, model, loss_func=CrossEntropyLossFlat(), metrics=accuracy, opt_func=Adam, cbs=[])
with learn.no_bar(), learn.no_logging():
    learn.fit_one_cycle(5, 1e-2)
    print([round(float(v), 4) for v in learn.validate()])
    learn.fit(1, slice(1e-4, 1e-3))
    print([round(float(v), 4) for v in learn.validate()])
    preds, targs = learn.get_preds()
    print(preds.shape, round(preds.sum().item(), 3), type(preds).__name__)
print(TensorBase(x[:2, :2]).sum().item() == x[:2, :2].sum().item(), TensorImage(torch.ones(3, 4, 4)).mean())
