"""Writes tests/data/nn_torch.h: what PyTorch's layers, initialisers and clipping give, for tests/test_nn_layers.c.

    python oracle/nn_reference.py tests/data/nn_torch.h

A tensor is represented by one number, the sum of its elements times sin(1), sin(2), ...: enough to see a last bit of a float32.
For each layer, made from a seed: its state_dict's names and numbers; in float64 the output for a given input, and behind a
backward from sum(output * cos(0), cos(1), ...) the gradients of input and parameters, the buffers, and the output in eval mode."""
import sys

import torch
from torch import nn
from torch.nn import functional as F

SEED = 11


def number(t):
    flat = t.detach().double().reshape(-1)
    return float((flat * torch.arange(1, flat.numel() + 1, dtype=torch.float64).sin()).sum())


def pattern(*shape):
    n = torch.Size(shape).numel()
    return (torch.arange(n, dtype=torch.float64) * 0.37 + 0.5).sin().reshape(shape)


def joined(*tensors):
    return torch.cat([t.reshape(-1) for t in tensors])


def causal(n):
    return torch.ones(n, n, dtype=torch.bool).triu(1)


# ------------------------------------------------------------------ layers: (name, make, input, forward)

def lstm_with_states(m, x):
    output, (h, c) = m(x, (pattern(4, 3, 3), pattern(4, 3, 5) * 2))
    return joined(output, h, c)


def lstm_unbatched(m, x):
    output, (h, c) = m(x)
    return joined(output, h, c)


def gru_state(m, x):
    return joined(*m(x, pattern(4, 2, 4)))


def attention_weights(m, x):
    return joined(*m(x, x, x, attn_mask=causal(4), is_causal=True))


def attention_causal(m, x):
    return m(x, x, x, attn_mask=causal(4), is_causal=True, need_weights=False)[0]


def attention_cross(m, x):
    padding = torch.zeros(2, 5, dtype=torch.bool)
    padding[1, 3:] = True
    mask = pattern(4, 3, 5)
    return joined(*m(x, pattern(2, 5, 6), pattern(2, 5, 10) * 0.5, key_padding_mask=padding, attn_mask=mask, average_attn_weights=False))


def attention_unbatched(m, x):
    return m(x, x, pattern(4, 8) * 2, attn_mask=causal(4), need_weights=False)[0]


def encoder_causal(m, x):
    return m(x, src_mask=causal(3), is_causal=True)


INDICES = torch.tensor([[1, 5, 2], [5, 0, 1]])
LAYERS = [
    ("linear", lambda: nn.Linear(5, 3), pattern(4, 5), None),
    ("linear_plain", lambda: nn.Linear(5, 3, bias=False), pattern(2, 2, 5), None),
    ("embedding", lambda: nn.Embedding(7, 4, padding_idx=-2, scale_grad_by_freq=True), INDICES, None),
    ("conv1d", lambda: nn.Conv1d(4, 6, 3, stride=2, padding=1, groups=2), pattern(2, 4, 9), None),
    ("conv2d", lambda: nn.Conv2d(3, 4, (3, 2), dilation=(1, 2), padding=1), pattern(2, 3, 6, 7), None),
    ("conv_transpose2d", lambda: nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, output_padding=1, groups=2), pattern(2, 4, 3, 4), None),
    ("batch_norm1d", lambda: nn.BatchNorm1d(3), pattern(5, 3), None),
    ("batch_norm1d_3d", lambda: nn.BatchNorm1d(3, eps=1e-2, momentum=0.3), pattern(2, 3, 4), None),
    ("batch_norm2d", lambda: nn.BatchNorm2d(2, momentum=0.0), pattern(3, 2, 2, 3), None),
    ("batch_norm2d_plain", lambda: nn.BatchNorm2d(2, affine=False, track_running_stats=False), pattern(3, 2, 2, 3), None),
    ("layer_norm", lambda: nn.LayerNorm((2, 3), eps=1e-3), pattern(4, 2, 3), None),
    ("layer_norm_no_bias", lambda: nn.LayerNorm(5, bias=False), pattern(4, 5), None),
    ("rms_norm", lambda: nn.RMSNorm(5), pattern(4, 5), None),
    ("rms_norm_eps", lambda: nn.RMSNorm((2, 3), eps=0.1), pattern(4, 2, 3), None),
    ("group_norm", lambda: nn.GroupNorm(2, 4), pattern(3, 4, 5), None),
    ("rnn", lambda: nn.RNN(3, 4, num_layers=2, bidirectional=True), pattern(5, 2, 3), lambda m, x: joined(*m(x))),
    ("rnn_relu", lambda: nn.RNN(3, 4, nonlinearity="relu", batch_first=True), pattern(2, 5, 3), lambda m, x: joined(*m(x))),
    ("gru", lambda: nn.GRU(3, 4, num_layers=2, bidirectional=True, batch_first=True), pattern(2, 5, 3), gru_state),
    ("lstm", lambda: nn.LSTM(4, 5, num_layers=2, bidirectional=True, proj_size=3), pattern(6, 3, 4), lstm_with_states),
    ("lstm_unbatched", lambda: nn.LSTM(4, 5, bias=False), pattern(6, 4), lstm_unbatched),
    ("attention", lambda: nn.MultiheadAttention(8, 2), pattern(4, 3, 8), attention_weights),
    ("attention_causal", lambda: nn.MultiheadAttention(8, 2, batch_first=True), pattern(3, 4, 8), attention_causal),
    ("attention_cross", lambda: nn.MultiheadAttention(8, 2, kdim=6, vdim=10, batch_first=True), pattern(2, 3, 8), attention_cross),
    ("attention_unbatched", lambda: nn.MultiheadAttention(8, 4, bias=False), pattern(4, 8), attention_unbatched),
    ("encoder", lambda: nn.TransformerEncoderLayer(8, 2, dim_feedforward=12, dropout=0.0), pattern(3, 2, 8), None),
    ("encoder_norm_first", lambda: nn.TransformerEncoderLayer(8, 2, 12, 0.0, "gelu", 1e-3, True, True), pattern(2, 3, 8), encoder_causal),
    ("encoder_dropout", lambda: nn.TransformerEncoderLayer(8, 2, 12, 0.3), pattern(3, 2, 8), None),
    ("lstm_dropout", lambda: nn.LSTM(4, 5, num_layers=3, dropout=0.4), pattern(6, 3, 4), lambda m, x: m(x)[0]),
    ("sequential", lambda: nn.Sequential(nn.Conv2d(1, 3, 3), nn.Sequential(nn.ReLU(), nn.MaxPool2d(2, 1)), nn.Flatten(), nn.Tanh(),
                                         nn.Linear(12, 2)), pattern(2, 1, 5, 5), None),
]


def layer(name, make, x, forward):
    torch.manual_seed(SEED)
    m = nn.Sequential(make())
    forward = forward or (lambda inner, value: inner(value))
    names = list(m.state_dict())
    numbers = [number(t) for t in m.state_dict().values()]
    torch.manual_seed(SEED)  # dropout's stream does not depend on what the initialisation drew
    m.double()
    if x.is_floating_point():
        x = x.clone().requires_grad_()
    y = forward(m[0], x)
    numbers.append(number(y))
    (y * torch.arange(y.numel(), dtype=torch.float64).cos().reshape(y.shape)).sum().backward()
    numbers += [number(x.grad)] if x.is_floating_point() else []
    numbers += [number(p.grad) for p in m.parameters()]
    numbers += [number(b) for b in m.buffers()]
    m.eval()
    with torch.no_grad():
        numbers.append(number(forward(m[0], x)))
    return f'    {{"{name}", "{" ".join(names)}", {len(numbers)},\n     {{{", ".join(map(repr, numbers))}}}}},\n'


# ------------------------------------------------------------------ activations, initialisers, clipping

ACTIVATIONS = [("relu", F.relu), ("relu6", F.relu6), ("leaky_relu", F.leaky_relu), ("elu", F.elu), ("selu", F.selu), ("gelu", F.gelu),
               ("gelu_tanh", lambda x: F.gelu(x, approximate="tanh")), ("silu", F.silu), ("mish", F.mish), ("hardswish", F.hardswish),
               ("softplus", F.softplus), ("sigmoid", torch.sigmoid), ("tanh", torch.tanh)]

INITIALISERS = [
    ("constant", lambda t: nn.init.constant_(t, 0.3)),
    ("uniform", lambda t: nn.init.uniform_(t, -1, 3)),
    ("normal", lambda t: nn.init.normal_(t, 1, 2)),
    ("trunc_normal", lambda t: nn.init.trunc_normal_(t, 0, 1, -0.5, 1)),
    ("trunc_normal_tail", lambda t: nn.init.trunc_normal_(t, 0, 1, 1.5, 3)),
    ("kaiming_uniform", lambda t: nn.init.kaiming_uniform_(t, 0.5)),
    ("kaiming_uniform_out", lambda t: nn.init.kaiming_uniform_(t, mode="fan_out")),
    ("kaiming_normal", lambda t: nn.init.kaiming_normal_(t, mode="fan_out", nonlinearity="relu")),
    ("xavier_uniform", lambda t: nn.init.xavier_uniform_(t, 5 / 3)),
    ("xavier_normal", lambda t: nn.init.xavier_normal_(t)),
    ("orthogonal", lambda t: nn.init.orthogonal_(t, 2)),
]


def activation(name, f):
    x = (pattern(3, 7) * 8).requires_grad_()
    y = f(x)
    y.sum().backward()
    return f'    {{"{name}", {number(y)!r}, {number(x.grad)!r}}},\n'


def initialiser(name, f):
    torch.manual_seed(SEED)
    wide, tall = torch.empty(3, 2, 3, 2), torch.empty(9, 4)
    f(wide)
    f(tall)
    return f'    {{"{name}", {number(wide)!r}, {number(tall)!r}}},\n'


def clipping(norm_type, limit):
    a, b = (torch.zeros(n, dtype=torch.float64, requires_grad=True) for n in (6, 3))
    a.grad, b.grad = pattern(6), pattern(3) * 4
    norm = nn.utils.clip_grad_norm_([a, b], limit, norm_type=norm_type)
    kind = "INFINITY" if norm_type == float("inf") else repr(norm_type)
    return f"    {{{kind}, {limit}, {number(norm.reshape(1)) / float(torch.tensor(1.0, dtype=torch.float64).sin())!r}, {number(a.grad)!r}, {number(b.grad)!r}}},\n"


def main():
    with open(sys.argv[1], "w") as file:
        file.write(f"/* Made by oracle/nn_reference.py with PyTorch {torch.__version__}; see there. */\n"
                   "static const struct {\n    const char *name, *names;\n    int n;\n    double numbers[48];\n} layer_cases[] = {\n")
        file.writelines(layer(*case) for case in LAYERS)
        file.write("};\nstatic const struct {\n    const char *name;\n    double value, grad;\n} activation_cases[] = {\n")
        file.writelines(activation(*case) for case in ACTIVATIONS)
        file.write("};\nstatic const struct {\n    const char *name;\n    double wide, tall;\n} init_cases[] = {\n")
        file.writelines(initialiser(*case) for case in INITIALISERS)
        file.write("};\nstatic const struct {\n    double norm_type, limit, norm, a, b;\n} clip_cases[] = {\n")
        file.writelines(clipping(*case) for case in [(2.0, 1.0), (1.0, 2.5), (float("inf"), 3.0), (2.0, 100.0)])
        file.write("};\n")


if __name__ == "__main__":
    main()
