"""The training steps that steps_versus_torch.py times: one text for both sides, written as programs write them. Run by itself it is
one side: `steps.py torch|winnow THREADS` answers a JSON line to each line it reads.

    losses NAME             builds the step; the losses of three steps
    time SECONDS NAME       {"median_ns", "min_ns", "faults"} of the steps run in that time; faults: page faults of a step
    clock cpu|wall

SPDX-License-Identifier: Apache-2.0"""
import json
import os
import resource
import statistics
import sys
import time


def optimizer_of(torch, kind, parameters, lr=1e-3, **options):
    """fused=True is PyTorch's fastest; winnow has nothing to choose. STEPS_OPTIMIZERS=default: as programs write it that choose nothing."""
    if os.environ.get("STEPS_OPTIMIZERS") != "default":
        options["fused"] = True
    return getattr(torch.optim, kind)(parameters, lr=lr, **options)


def supervised(torch, net, x, y, optimizer=None):
    """zero_grad, forward, cross entropy, backward, the optimiser's step (Adam), the loss read. In training every program begins a step so."""
    optimizer, loss_of = optimizer or optimizer_of(torch, "Adam", net.parameters()), torch.nn.functional.cross_entropy

    def step():
        optimizer.zero_grad()
        loss = loss_of(net(x), y)
        loss.backward()
        optimizer.step()
        return loss.item()
    return step


def mlp_net(torch, sizes):
    nn, layers = torch.nn, []
    for n, m in zip(sizes, sizes[1:]):
        layers += [nn.Linear(n, m), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def mlp(torch, sizes=(784, 512, 512, 10), batch=128):
    return supervised(torch, mlp_net(torch, sizes), torch.randn(batch, sizes[0]), torch.randint(0, sizes[-1], (batch,)))


def tiny(torch):
    """Two inputs, one output: a mean square, as programs that learn XOR or a circle have it."""
    net, x, y = mlp_net(torch, (2, 16, 16, 1)), torch.randn(32, 2), torch.randn(32, 1)
    optimizer = optimizer_of(torch, "Adam", net.parameters())

    def step():
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(net(x), y)
        loss.backward()
        optimizer.step()
        return loss.item()
    return step


def cnn_net(torch):
    """The network of examples/mnist.c."""
    nn = torch.nn
    return nn.Sequential(nn.Conv2d(1, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(),
                         nn.MaxPool2d(2), nn.Flatten(), nn.Linear(3136, 128), nn.ReLU(), nn.Linear(128, 10))


def cnn(torch, batch=64):
    return supervised(torch, cnn_net(torch), torch.randn(batch, 1, 28, 28), torch.randint(0, 10, (batch,)))


def resnet18_net(torch):
    """ResNet-18 as it is for 32x32 images: 3x3 convolutions from the start, no pooling before the blocks."""
    nn, F = torch.nn, torch.nn.functional

    class Block(nn.Module):
        def __init__(self, n, m, stride):
            super().__init__()
            self.conv1, self.bn1 = nn.Conv2d(n, m, 3, stride, 1, bias=False), nn.BatchNorm2d(m)
            self.conv2, self.bn2 = nn.Conv2d(m, m, 3, 1, 1, bias=False), nn.BatchNorm2d(m)
            self.short = nn.Sequential()
            if stride != 1 or n != m:
                self.short = nn.Sequential(nn.Conv2d(n, m, 1, stride, bias=False), nn.BatchNorm2d(m))

        def forward(self, x):
            y = F.relu(self.bn1(self.conv1(x)))
            return F.relu(self.bn2(self.conv2(y)) + self.short(x))

    widths = (64, 64, 128, 256, 512)
    blocks = [Block(n if first else m, m, 2 if first and n != m else 1) for n, m in zip(widths, widths[1:]) for first in (True, False)]
    return nn.Sequential(nn.Conv2d(3, 64, 3, 1, 1, bias=False), nn.BatchNorm2d(64), nn.ReLU(), *blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                         nn.Linear(512, 10))


def resnet18(torch, batch=16):
    net = resnet18_net(torch)
    optimizer = optimizer_of(torch, "SGD", net.parameters(), 0.01, momentum=0.9, weight_decay=5e-4)
    return supervised(torch, net, torch.randn(batch, 3, 32, 32), torch.randint(0, 10, (batch,)), optimizer)


def transformer_net(torch, layers=4, width=256, length=128, words=256, encoder=False):
    """A causal language model: blocks of scaled_dot_product_attention and gelu; with encoder of nn.TransformerEncoderLayer."""
    nn, F = torch.nn, torch.nn.functional

    class Block(nn.Module):
        def __init__(self, heads=8):
            super().__init__()
            self.heads = heads
            self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
            self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

        def forward(self, x):
            b, t, c = x.shape
            q, k, v = (part.view(b, t, self.heads, c // self.heads).transpose(1, 2) for part in self.qkv(self.norm1(x)).split(c, dim=2))
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + self.out(y.transpose(1, 2).contiguous().view(b, t, c))
            return x + self.down(F.gelu(self.up(self.norm2(x))))

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.word, self.place = nn.Embedding(words, width), nn.Embedding(length, width)
            if encoder:
                layer = nn.TransformerEncoderLayer(width, 8, 4 * width, dropout=0.0, batch_first=True)
                self.blocks = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
            else:
                self.blocks = nn.Sequential(*(Block() for _ in range(layers)))
            self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, words, bias=False)

        def forward(self, x):
            x = self.word(x) + self.place(torch.arange(x.shape[1]))
            return self.head(self.norm(self.blocks(x))).flatten(0, 1)

    return Model()


def transformer(torch, length=128, batch=8, words=256, **sizes):
    net, x = transformer_net(torch, length=length, words=words, **sizes), torch.randint(0, words, (batch, length))
    optimizer = optimizer_of(torch, "AdamW", net.parameters())
    return supervised(torch, net, x, torch.randint(0, words, (batch * length,)), optimizer)


def lstm_net(torch, width=128):
    nn = torch.nn

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm, self.head = nn.LSTM(width, width, batch_first=True), nn.Linear(width, 10)

        def forward(self, x):
            y, _ = self.lstm(x)
            return self.head(y[:, -1])

    return Model()


def lstm(torch, width=128, length=64, batch=32):
    return supervised(torch, lstm_net(torch, width), torch.randn(batch, length, width), torch.randint(0, 10, (batch,)))


def adamw(torch, shapes=((10_000_000,),)):
    """The optimiser alone; in place of a loss a parameter's first element."""
    parameters = [torch.nn.Parameter(torch.randn(*shape)) for shape in shapes]
    for p in parameters:
        p.grad = torch.randn(*p.shape)
    optimizer = optimizer_of(torch, "AdamW", parameters)

    def step():
        optimizer.step()
        return parameters[0].detach().flatten()[0].item()
    return step


STEPS = {  # name: what builds it; those that are asked for by default first
    "mlp 784-512-512-10 b128": mlp,
    "mlp 2-16-16-1 b32": tiny,
    "cnn b64": cnn,
    "resnet18 32px b16": resnet18,
    "transformer 4x256 T128 b8": transformer,
    "lstm 1x128 T64 b32": lstm,
    "adamw 10000000": adamw,
    "encoder 4x256 T128 b8": lambda torch: transformer(torch, encoder=True),
    "adamw 100x100000": lambda torch: adamw(torch, [(100, 1000)] * 100),
}
DEFAULT = 7


class Side:
    def __init__(self, torch):
        self.torch, self.name, self.step, self.now = torch, None, None, time.perf_counter_ns

    def build(self, name):
        if name != self.name:
            self.torch.manual_seed(0)
            self.step = None
            self.name, self.step = name, STEPS[name](self.torch)

    def losses(self, name):
        self.name = None
        self.build(name)
        return {"losses": [self.step() for _ in range(3)]}

    def time(self, seconds, name):
        """Batches of at least 100 us, so that a look at the clock does not count."""
        self.build(name)
        batch = 1
        while self.run(batch) < 1e5:
            batch *= 2
        samples, faults, end = [], self.faults(), self.now() + float(seconds) * 1e9
        while len(samples) < 3 or self.now() < end:
            samples.append(self.run(batch) / batch)
        faults = self.faults() - faults
        return {"median_ns": statistics.median(samples), "min_ns": min(samples), "faults": faults / (batch * len(samples))}

    def run(self, n):
        step, start = self.step, self.now()
        for _ in range(n):
            step()
        return self.now() - start

    @staticmethod
    def faults():
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

    def clock(self, kind):
        self.now = time.process_time_ns if kind == "cpu" else time.perf_counter_ns
        return {}


def serve(side):
    for line in sys.stdin:
        command, *words = line.split(None, 2 if line.startswith("time") else 1)
        print(json.dumps(getattr(side, command)(*(word.strip() for word in words))), flush=True)


def main(module, threads):
    if module == "winnow":
        os.environ["WINNOW_RNG"] = "torch"  # both begin with the same numbers
        sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "python"))
        import winnow._hook

        winnow._hook.install()
    import torch

    torch.set_num_threads(int(threads))
    serve(Side(torch))


if __name__ == "__main__":
    main(*sys.argv[1:])
