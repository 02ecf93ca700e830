"""AdaptiveLogSoftmaxWithLoss: softmax over very many classes, the rare ones in clusters."""
from collections import namedtuple

import winnow
from .. import functional as F
from .container import ModuleList, Sequential
from .linear import Linear
from .module import Module

__all__ = ["AdaptiveLogSoftmaxWithLoss"]

_ASMoutput = namedtuple("_ASMoutput", ["output", "loss"])


class AdaptiveLogSoftmaxWithLoss(Module):
    """The head has the frequent classes and one entry for each cluster; a cluster's classes are a softmax of their own, over an input
    that is the narrower the rarer they are."""

    def __init__(self, in_features, n_classes, cutoffs, div_value=4.0, head_bias=False, device=None, dtype=None):
        cutoffs = list(cutoffs)
        if len(cutoffs) == 0:
            raise ValueError("cutoffs should be a sequence of length larger than 0")
        if (cutoffs != sorted(cutoffs) or min(cutoffs) <= 0 or max(cutoffs) > n_classes - 1 or len(set(cutoffs)) != len(cutoffs)
                or any([int(c) != c for c in cutoffs])):
            raise ValueError("cutoffs should be a sequence of unique, positive integers sorted in an increasing order, where each value is "
                             "between 1 and n_classes-1")
        super().__init__()
        self.in_features, self.n_classes, self.cutoffs = in_features, n_classes, cutoffs + [n_classes]
        self.div_value, self.head_bias = div_value, head_bias
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        new = {"device": device, "dtype": dtype}
        self.head = Linear(in_features, self.head_size, bias=head_bias, **new)
        self.tail = ModuleList()
        for i in range(self.n_clusters):
            width, classes = int(in_features // div_value ** (i + 1)), self.cutoffs[i + 1] - self.cutoffs[i]
            self.tail.append(Sequential(Linear(in_features, width, bias=False, **new), Linear(width, classes, bias=False, **new)))

    def reset_parameters(self):
        self.head.reset_parameters()
        for narrow, out in self.tail:
            narrow.reset_parameters()
            out.reset_parameters()

    def forward(self, input_, target_):
        """(log-probability of each target, mean loss)"""
        batched = target_.dim() > 0
        if target_.dim() > 1:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        if batched and input_.size(0) != target_.size(0):
            raise RuntimeError("Input and target should have the same size in the batch dimension.")
        if not batched and input_.dim() != 1:
            raise RuntimeError(f"0D target tensor expects 1D input tensors, but found inputs with size {input_.size()}")
        input, target = (input_, target_) if batched else (input_.unsqueeze(0), target_.unsqueeze(0))
        low, high = (int(target.min()), int(target.max())) if target.numel() else (0, 0)
        if low < 0 or high >= self.n_classes:
            raise RuntimeError(f"Target values should be in [0, {self.n_classes - 1}], but values in range [{low}, {high}] were found. ")
        output = input.new_zeros(target.size(0))
        entry = target.new_zeros(target.size(0))  # of each target in the head
        for i, (first, end) in enumerate(zip([0, *self.cutoffs], self.cutoffs)):
            rows = ((target >= first) & (target < end)).nonzero().squeeze(1)
            if rows.numel() == 0:
                continue
            if i == 0:
                entry = entry.index_copy(0, rows, target[rows])
            else:
                inside = F.log_softmax(self.tail[i - 1](input.index_select(0, rows)), dim=1)
                output = output.index_copy(0, rows, inside.gather(1, (target[rows] - first).unsqueeze(1)).squeeze(1))
                entry = entry.index_fill(0, rows, self.shortlist_size + i - 1)
        head = F.log_softmax(self.head(input), dim=1)
        output = output + head.gather(1, entry.unsqueeze(1)).squeeze(1)
        loss = (-output).mean()
        return _ASMoutput(output if batched else output.squeeze(0), loss)

    def _get_full_log_prob(self, input, head_output):
        """Log-probabilities of all classes, given what the head says."""
        head = F.log_softmax(head_output, dim=1)
        parts = [head[:, :self.shortlist_size]]
        for i, tail in enumerate(self.tail):
            parts.append(F.log_softmax(tail(input), dim=1) + head[:, self.shortlist_size + i].unsqueeze(1))
        return winnow.cat(parts, 1)

    def log_prob(self, input):
        """Log-probabilities of all classes."""
        return self._get_full_log_prob(input, self.head(input))

    def predict(self, input):
        """The most probable class of each sample; clusters are computed only where one may be it."""
        head = self.head(input)
        output = winnow.argmax(head, dim=1)
        rare = output >= self.shortlist_size
        if bool(rare.all()):
            return winnow.argmax(self._get_full_log_prob(input, head), dim=1)
        if bool(rare.any()):
            output[rare] = winnow.argmax(self._get_full_log_prob(input[rare], head[rare]), dim=1)
        return output
