"""pytorch-metric-learning: losses, miners, distances, the accuracy calculator; torch_optimizer's optimisers on them."""
import torch, torch_optimizer
from pytorch_metric_learning import losses, miners, distances, reducers, regularizers
torch.manual_seed(0)
x = torch.randn(48, 10); labels = torch.arange(48) % 4
for loss in (losses.TripletMarginLoss(), losses.ContrastiveLoss(), losses.NTXentLoss(), losses.ArcFaceLoss(4, 8), losses.CircleLoss(), losses.MultiSimilarityLoss(),
             losses.SupConLoss(), losses.ProxyAnchorLoss(4, 8), losses.NPairsLoss(), losses.LiftedStructureLoss(), losses.AngularLoss(), losses.FastAPLoss(),
             losses.TripletMarginLoss(distance=distances.CosineSimilarity(), reducer=reducers.ThresholdReducer(low=0), embedding_regularizer=regularizers.LpRegularizer())):
    torch.manual_seed(1)
    net = torch.nn.Linear(10, 8); miner = miners.MultiSimilarityMiner()
    opt = torch.optim.SGD(net.parameters(), 0.05); values = []
    for _ in range(3):
        opt.zero_grad(); e = net(x)
        value = loss(e, labels, miner(e, labels)) if type(loss).__name__ not in ("NPairsLoss", "FastAPLoss") else loss(e, labels)
        value.backward(); opt.step(); values.append(round(value.item(), 3))
    print(type(loss).__name__, values)
for name in ("A2GradUni", "AccSGD", "AdaBelief", "AdaBound", "AdaMod", "Adahessian", "AdamP", "AggMo", "Apollo", "DiffGrad", "Lamb", "MADGRAD", "NovoGrad", "PID", "QHAdam", "QHM", "RAdam", "Ranger", "RangerQH", "RangerVA", "SGDP", "SGDW", "SWATS", "Shampoo", "Yogi", "Adafactor", "LARS"):
    cls = getattr(torch_optimizer, name, None)
    if cls is None: continue
    torch.manual_seed(2)
    net = torch.nn.Linear(10, 3)
    opt = cls(net.parameters()) if name in ("Adafactor",) else cls(net.parameters(), lr=1e-2)
    for _ in range(5):
        opt.zero_grad(); l = net(x).logsumexp(-1).mean(); l.backward(create_graph=name == "Adahessian"); opt.step()
    print(name, round(l.item(), 3))
