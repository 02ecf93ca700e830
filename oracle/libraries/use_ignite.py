# Prints the same on PyTorch and on winnow (oracle/libraries.py).
import torch
from ignite.engine import create_supervised_trainer, create_supervised_evaluator, Events
from ignite.metrics import Accuracy, Loss

torch.manual_seed(0)
m = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 3))
o = torch.optim.SGD(m.parameters(), 0.1)
x = torch.randn(60, 8)
d = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, x[:, :3].argmax(1)), 10)
t = create_supervised_trainer(m, o, torch.nn.CrossEntropyLoss())
e = create_supervised_evaluator(m, {"acc": Accuracy(), "nll": Loss(torch.nn.CrossEntropyLoss())})


@t.on(Events.EPOCH_COMPLETED)
def f(tr):
    e.run(d)
    print(tr.state.epoch, {k: round(v, 3) for k, v in e.state.metrics.items()})


t.run(d, max_epochs=3)
