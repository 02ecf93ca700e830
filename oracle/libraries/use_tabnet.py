# Prints the same on PyTorch and on winnow (oracle/libraries.py).
import torch, numpy as np, warnings

warnings.filterwarnings("ignore")
from pytorch_tabnet.tab_model import TabNetClassifier

X = np.random.RandomState(0).randn(128, 6).astype("f")
y = (X[:, 0] > 0).astype(int)
c = TabNetClassifier(verbose=0, seed=0, n_d=8, n_a=8)
c.fit(X, y, max_epochs=3, batch_size=64, virtual_batch_size=32)
print(c.predict(X).shape)
