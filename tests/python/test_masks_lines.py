"""A line that holds NaN, and all of whose results a mask leaves out, has no gradient, and spoils no other's: weights that all lines share
get the sums over the others. In PyTorch they are NaN (docs/deviations.md). SPDX-License-Identifier: Apache-2.0"""

import unittest

import torch
import torch.nn.functional as F
from helper import Case, winnow_only

BAD = 1
TARGET = torch.tensor([0, 1, 2, 3])
DIRECTION = torch.ones(4, 6) + torch.arange(6.0)

# name: the function, the input's shape, the shapes of its parameters
ROWS = {
    "softmax": (lambda x: x.softmax(1), (4, 6)),
    "softmin": (lambda x: F.softmin(x, 1), (4, 6)),
    "log_softmax": (lambda x: x.log_softmax(-1), (4, 6)),
    "logsumexp": (lambda x: x.logsumexp(1), (4, 6)),
    "logsumexp, kept": (lambda x: x.logsumexp(1, keepdim=True), (4, 6)),
    "logsumexp of two dimensions": (lambda x: x.logsumexp((1, 2)), (4, 3, 2)),
    "logsumexp of columns": (lambda x: x.t().logsumexp(0), (4, 6)),
    "var": (lambda x: x.var(1), (4, 6)),
    "std": (lambda x: x.std(-1, keepdim=True), (4, 6)),
    "std_mean": (lambda x: sum(torch.std_mean(x, 1)), (4, 6)),
    "var_mean, the variance": (lambda x: torch.var_mean(x, 1)[0], (4, 6)),
    "prod": (lambda x: x.prod(1), (4, 6)),
    "cumprod": (lambda x: x.cumprod(1), (4, 6)),
    "logcumsumexp": (lambda x: x.logcumsumexp(1), (4, 6)),
    "vector_norm": (lambda x: torch.linalg.vector_norm(x, dim=1), (4, 6)),
    "normalize": (lambda x: F.normalize(x, dim=1), (4, 6)),
    "cosine_similarity": (lambda x: F.cosine_similarity(x, DIRECTION, dim=1), (4, 6)),
    "glu": (lambda x: F.glu(x, 1), (4, 6)),
    "layer_norm": (lambda x, w, b: F.layer_norm(x, (6,), w, b), (4, 6), (6,), (6,)),
    "layer_norm of planes": (lambda x, w: F.layer_norm(x, (3, 2), w), (4, 3, 2), (3, 2)),
    "layer_norm behind linear": (lambda x, v, w, b: F.layer_norm(x @ v, (5,), w, b), (4, 6), (6, 5), (5,), (5,)),
    "rms_norm": (lambda x, w: F.rms_norm(x, (6,), w), (4, 6), (6,)),
    "group_norm": (lambda x, w, b: F.group_norm(x, 3, w, b), (4, 6, 5), (6,), (6,)),
    "cross_entropy": (lambda x: F.cross_entropy(x, TARGET, reduction="none"), (4, 6)),
    "cross_entropy of images": (lambda x: F.cross_entropy(x, TARGET.reshape(4, 1).expand(4, 3), reduction="none"), (4, 6, 3)),
    "nll_loss": (lambda x: F.nll_loss(x.log_softmax(1), TARGET, reduction="none"), (4, 6)),
    "det": (lambda x: torch.linalg.det(x), (4, 3, 3)),
    "products behind softmax": (lambda x, v: (x / 2).softmax(-1) @ v, (4, 6), (6, 2)),
}


def gradients(f, x, parameters, weights, again):
    x = x.clone().requires_grad_()
    parameters = [p.clone().requires_grad_() for p in parameters]
    y = f(x, *parameters)
    keep = (torch.arange(4) != BAD).reshape((4,) + (1,) * (y.dim() - 1))
    loss = torch.where(keep, y * weights[: y.numel()].reshape(y.shape), 0.0).sum()
    if not again:
        return torch.autograd.grad(loss, [x, *parameters])
    first = torch.autograd.grad(loss, [x, *parameters], create_graph=True)
    return [g.detach() for g in first]


@winnow_only
class Lines(Case):
    def test_a_line_left_out(self):
        weights = torch.rand(4 * 6 * 5)
        for name, (f, shape, *sizes) in ROWS.items():
            for again in (False, True):
                with self.subTest(name, create_graph=again):
                    x = torch.rand(shape)
                    bad = x.clone()
                    bad[BAD] = float("nan")
                    parameters = [torch.rand(s) for s in sizes]
                    want = gradients(f, x, parameters, weights, again)
                    got = gradients(f, bad, parameters, weights, again)
                    self.assertEqual(float(want[0][BAD].abs().max()), 0)
                    for w, g in zip(want, got):
                        self.assertTrue(torch.allclose(w, g, 1e-4, 1e-5), f"{g} instead of {w}")

    def test_a_line_of_which_something_is_read(self):
        x = torch.rand(4, 6)
        x[BAD, 0] = float("nan")
        x.requires_grad_()
        keep = torch.ones(4, 6, dtype=torch.bool)
        keep[BAD, 1:] = False
        torch.where(keep, x.softmax(1), 0.0).sum().backward()
        self.assertTrue(x.grad[BAD].isnan().all())
        self.assertTrue(x.grad[[0, 2, 3]].isfinite().all())


if __name__ == "__main__":
    unittest.main()
