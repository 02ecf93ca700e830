"""Programs most of whose work does not count: masks, triangles, padding, ignored targets. For what_counts_versus_torch.py.

SPDX-License-Identifier: Apache-2.0"""


def attention(torch):
    attend = torch.nn.functional.scaled_dot_product_attention
    padded = torch.randn(8, 8, 512, 64, requires_grad=True)
    lengths = torch.arange(512) < (torch.arange(8) * 64 + 64)[:, None]
    lengths = lengths.reshape(8, 1, 1, 512)
    plain, long, wide = padded.detach(), torch.randn(1, 8, 2048, 64), torch.randn(4, 8, 1024, 64)
    i, j = torch.arange(2048), torch.arange(1024)
    documents, window = i[:, None] // 256 == i // 256, (i[:, None] - i).abs() < 128
    causal = j <= j[:, None]

    def both():
        padded.grad = None
        attend(padded, padded, padded, attn_mask=lengths).sum().backward()
        return padded.grad

    return {
        "attention 8 x 8 x 512 x 64, lengths 64 .. 512 as a mask": lambda: attend(plain, plain, plain, attn_mask=lengths),
        "... forward and backward": both,
        "attention 8 x 2048 x 64, 8 documents of 256 as a mask": lambda: attend(long, long, long, attn_mask=documents),
        "attention 8 x 2048 x 64, window of 128 as a mask": lambda: attend(long, long, long, attn_mask=window),
        "attention 4 x 8 x 1024 x 64, causal as a mask": lambda: attend(wide, wide, wide, attn_mask=causal),
    }


def products(torch):
    a, b = torch.randn(1024, 1024), torch.randn(1024, 256)
    blocks, diagonal, x = [torch.randn(128, 128) for _ in range(8)], torch.randn(2048), torch.randn(2048, 256)
    half, rows, w = torch.randn(1024, 512), torch.randn(4096, 512), torch.randn(512, 512)
    few = torch.rand(4096, 1) < 0.1
    return {
        "tril(1024 x 1024) @ 1024 x 256": lambda: torch.tril(a) @ b,
        "block_diag(8 of 128 x 128) @ 1024 x 256": lambda: torch.block_diag(*blocks) @ b,
        "diag(2048) @ 2048 x 256": lambda: torch.diag(diagonal) @ x,
        "pad(1024 x 512, half zeros) @ 1024 x 1024": lambda: torch.nn.functional.pad(half, (0, 512)) @ a,
        "(x * mask of rows, 10%) @ w, 4096 x 512 @ 512 x 512": lambda: (rows * few) @ w,
    }


def training(torch):
    functional, nn = torch.nn.functional, torch.nn
    hidden, head = torch.randn(2048, 256, requires_grad=True), torch.randn(8192, 256, requires_grad=True)
    target = torch.randint(8192, (2048,))
    target[torch.rand(2048) < 0.9] = -100
    net = nn.Sequential(nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 64))
    x = torch.randn(1024, 256)

    def ignored():
        hidden.grad = head.grad = None
        functional.cross_entropy(functional.linear(hidden, head), target).backward()
        return head.grad

    def part():
        net.zero_grad()
        net(x)[:8].sum().backward()
        return net[0].weight.grad

    return {"linear 256 -> 8192 of 2,048 rows, cross_entropy, 90% ignored, with backward": ignored,
            "MLP of 1,024 rows, out[:8].sum() with backward": part}


def reductions(torch):
    x, mask = torch.randn(4000000), torch.rand(4000000) < 0.5
    return {"x[mask].sum(), half of 4,000,000": lambda: x[mask].sum(), "(x > 3).any() of 4,000,000": lambda: (x > 3).any()}


def cases(torch):
    torch.manual_seed(0)
    return {**attention(torch), **products(torch), **training(torch), **reductions(torch)}
