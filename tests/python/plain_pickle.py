"""Run by test_pickle.py with plain `import winnow`: what it pickles is found again, although `torch` is something else, or nothing."""
import copy
import pickle

import winnow

model = winnow.nn.Sequential(winnow.nn.Linear(2, 3), winnow.nn.ReLU())
for x in (winnow.ones(2), winnow.nn.Parameter(winnow.ones(2)), winnow.float32, winnow.Size([1, 2]), winnow.device("cpu"), winnow.Generator(),
          winnow.strided, winnow.contiguous_format):
    again = pickle.loads(pickle.dumps(x))
    assert type(again) is type(x), (x, again)
assert str(pickle.loads(pickle.dumps(model))) == str(model)
assert str(copy.deepcopy(model)) == str(model)
optimizer = winnow.optim.Adam(model.parameters())
assert pickle.loads(pickle.dumps(optimizer)).state_dict() == optimizer.state_dict()
print("found again")
