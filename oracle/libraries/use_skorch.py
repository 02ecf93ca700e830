# Prints the same on PyTorch and on winnow (oracle/libraries.py).
import torch, numpy as np, skorch, warnings

warnings.filterwarnings("ignore")
from sklearn.model_selection import cross_val_score

torch.manual_seed(0)
X = np.random.RandomState(0).randn(120, 5).astype("f")
y = (X.sum(1) > 0).astype("int64")
n = skorch.NeuralNetClassifier(
    torch.nn.Sequential(torch.nn.Linear(5, 16), torch.nn.ReLU(), torch.nn.Linear(16, 2), torch.nn.Softmax(-1)),
    max_epochs=10,
    lr=0.1,
    verbose=0,
    iterator_train__shuffle=False,
)
n.fit(X, y)
print(round((n.predict(X) == y).mean(), 3), cross_val_score(n, X, y, cv=3, scoring="accuracy").round(3).tolist())
