"""A word-level language model: recurrent (LSTM, GRU, RNN_TANH) or a Transformer, on sentences that a small grammar makes up."""
import argparse
import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--model", default="LSTM", choices=("LSTM", "GRU", "RNN_TANH", "Transformer"))
parser.add_argument("--emsize", type=int, default=200)
parser.add_argument("--nhid", type=int, default=200)
parser.add_argument("--nlayers", type=int, default=2)
parser.add_argument("--nhead", type=int, default=2)
parser.add_argument("--lr", type=float, default=5.0)
parser.add_argument("--clip", type=float, default=0.25)
parser.add_argument("--epochs", type=int, default=3)
parser.add_argument("--batch-size", type=int, default=20)
parser.add_argument("--bptt", type=int, default=35)
parser.add_argument("--dropout", type=float, default=0.2)
parser.add_argument("--tied", action="store_true")
parser.add_argument("--seed", type=int, default=1111)
parser.add_argument("--log-interval", type=int, default=20)
parser.add_argument("--steps", type=int, default=0, help="end each epoch after so many steps, and print each")
args = parser.parse_args()


def corpus(sentences, vocabulary=1000):
    """Word numbers: subject, verb and object agree modulo 10; 0 ends a sentence."""
    source = random.Random(args.seed)
    words = []
    for _ in range(sentences):
        kind = source.randrange(10)
        length = source.randrange(2, 12)
        words += [1 + kind + 10 * min(int(source.expovariate(0.08)), vocabulary // 10 - 2) for _ in range(length)] + [0]
    return torch.tensor(words, dtype=torch.int64)


def batchify(data, bsz):
    nbatch = data.size(0) // bsz
    data = data.narrow(0, 0, nbatch * bsz)
    return data.view(bsz, -1).t().contiguous().to(device)


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=500):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe.unsqueeze(0).transpose(0, 1))

    def forward(self, x):
        return self.dropout(x + self.pe[:x.size(0), :])


class TransformerModel(nn.Module):
    def __init__(self, ntoken, ninp, nhead, nhid, nlayers, dropout):
        super().__init__()
        self.ninp = ninp
        self.encoder = nn.Embedding(ntoken, ninp)
        self.pos = PositionalEncoding(ninp, dropout)
        self.layers = nn.TransformerEncoder(nn.TransformerEncoderLayer(ninp, nhead, nhid, dropout), nlayers)
        self.decoder = nn.Linear(ninp, ntoken)
        nn.init.uniform_(self.encoder.weight, -0.1, 0.1)
        nn.init.zeros_(self.decoder.bias)
        nn.init.uniform_(self.decoder.weight, -0.1, 0.1)

    def forward(self, src):
        mask = torch.log(torch.tril(torch.ones(len(src), len(src), device=src.device)))
        src = self.pos(self.encoder(src) * math.sqrt(self.ninp))
        return F.log_softmax(self.decoder(self.layers(src, mask=mask)), dim=-1)


class RNNModel(nn.Module):
    def __init__(self, rnn_type, ntoken, ninp, nhid, nlayers, dropout, tie_weights):
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.encoder = nn.Embedding(ntoken, ninp)
        if rnn_type in ("LSTM", "GRU"):
            self.rnn = getattr(nn, rnn_type)(ninp, nhid, nlayers, dropout=dropout)
        else:
            self.rnn = nn.RNN(ninp, nhid, nlayers, nonlinearity="tanh", dropout=dropout)
        self.decoder = nn.Linear(nhid, ntoken)
        if tie_weights:
            self.decoder.weight = self.encoder.weight
        nn.init.uniform_(self.encoder.weight, -0.1, 0.1)
        nn.init.zeros_(self.decoder.bias)
        self.rnn_type, self.nhid, self.nlayers, self.ntoken = rnn_type, nhid, nlayers, ntoken

    def forward(self, input, hidden):
        output, hidden = self.rnn(self.drop(self.encoder(input)), hidden)
        decoded = self.decoder(self.drop(output)).view(-1, self.ntoken)
        return F.log_softmax(decoded, dim=1), hidden

    def init_hidden(self, bsz):
        weight = next(self.parameters())
        zeros = weight.new_zeros(self.nlayers, bsz, self.nhid)
        return (zeros, weight.new_zeros(self.nlayers, bsz, self.nhid)) if self.rnn_type == "LSTM" else zeros


def repackage_hidden(h):
    return h.detach() if isinstance(h, torch.Tensor) else tuple(repackage_hidden(v) for v in h)


def get_batch(source, i):
    seq_len = min(args.bptt, len(source) - 1 - i)
    return source[i:i + seq_len], source[i + 1:i + 1 + seq_len].view(-1)


def run(data, epoch, training):
    """One pass over data: the mean loss."""
    model.train(training)
    total, hidden = 0.0, None if args.model == "Transformer" else model.init_hidden(data.size(1))
    for batch, i in enumerate(range(0, data.size(0) - 1, args.bptt)):
        inputs, targets = get_batch(data, i)
        model.zero_grad()
        if hidden is None:
            output = model(inputs).view(-1, ntokens)
        else:
            hidden = repackage_hidden(hidden)
            output, hidden = model(inputs, hidden)
        loss = criterion(output, targets)
        total += len(inputs) * loss.item()
        if training:
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)
            for p in model.parameters():
                p.data.add_(p.grad, alpha=-lr)
            if args.steps or batch % args.log_interval == 0:
                print(f"epoch {epoch} step {batch} lr {lr:.2f} loss {loss.item():.6f}")
        if args.steps and batch + 1 >= args.steps:
            break
    return total / (i + len(inputs))


torch.manual_seed(args.seed)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
ntokens = 1001
train_data, val_data = batchify(corpus(6000), args.batch_size), batchify(corpus(600), 10)
if args.model == "Transformer":
    model = TransformerModel(ntokens, args.emsize, args.nhead, args.nhid, args.nlayers, args.dropout).to(device)
else:
    model = RNNModel(args.model, ntokens, args.emsize, args.nhid, args.nlayers, args.dropout, args.tied).to(device)
criterion = nn.NLLLoss()
lr, best = args.lr, None
for epoch in range(1, args.epochs + 1):
    run(train_data, epoch, training=True)
    with torch.no_grad():
        val = run(val_data, epoch, training=False)
    print(f"epoch {epoch} perplexity {math.exp(val):.2f} validation loss {val:.6f}")
    if best is None or val < best:
        best = val
    else:
        lr /= 4.0
