"""Sine waves continued by two LSTM cells; LBFGS, double precision."""
import argparse

import torch
import torch.nn as nn
import torch.optim as optim


class Sequence(nn.Module):
    def __init__(self, hidden=51):
        super(Sequence, self).__init__()
        self.hidden = hidden
        self.lstm1 = nn.LSTMCell(1, hidden)
        self.lstm2 = nn.LSTMCell(hidden, hidden)
        self.linear = nn.Linear(hidden, 1)

    def forward(self, input, future=0):
        outputs = []
        h_t = torch.zeros(input.size(0), self.hidden, dtype=torch.double)
        c_t = torch.zeros(input.size(0), self.hidden, dtype=torch.double)
        h_t2 = torch.zeros(input.size(0), self.hidden, dtype=torch.double)
        c_t2 = torch.zeros(input.size(0), self.hidden, dtype=torch.double)
        for input_t in input.split(1, dim=1):
            h_t, c_t = self.lstm1(input_t, (h_t, c_t))
            h_t2, c_t2 = self.lstm2(h_t, (h_t2, c_t2))
            output = self.linear(h_t2)
            outputs += [output]
        for i in range(future):
            h_t, c_t = self.lstm1(output, (h_t, c_t))
            h_t2, c_t2 = self.lstm2(h_t, (h_t2, c_t2))
            output = self.linear(h_t2)
            outputs += [output]
        return torch.cat(outputs, dim=1)


def waves(count, length, period=20):
    """count sine waves with random phases."""
    shift = torch.randint(-4 * period, 4 * period, (count, 1))
    return torch.sin((torch.arange(length) + shift).double() / period)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--steps", type=int, default=0, help="so many evaluations of the loss in all")
    parser.add_argument("--waves", type=int, default=40)
    parser.add_argument("--length", type=int, default=120)
    parser.add_argument("--seed", type=int, default=0)
    opt = parser.parse_args()

    torch.manual_seed(opt.seed)
    data = waves(opt.waves, opt.length)
    input, target = data[3:, :-1], data[3:, 1:]
    test_input, test_target = data[:3, :-1], data[:3, 1:]

    seq = Sequence()
    seq.double()
    criterion = nn.MSELoss()
    optimizer = optim.LBFGS(seq.parameters(), lr=0.8)
    evaluations = 0
    for i in range(opt.epochs):
        def closure():
            global evaluations
            optimizer.zero_grad()
            out = seq(input)
            loss = criterion(out, target)
            print("epoch {} step {} loss {:.9f}".format(i, evaluations, loss.item()))
            evaluations += 1
            loss.backward()
            return loss
        if opt.steps:
            optimizer.param_groups[0]["max_iter"] = min(20, opt.steps - evaluations)
        optimizer.step(closure)
        with torch.no_grad():
            future = 100
            pred = seq(test_input, future=future)
            loss = criterion(pred[:, :-future], test_target)
            print("epoch {} test loss {:.9f}".format(i, loss.item()))
            y = pred.detach().numpy()
        print("  after the end: {:.3f} to {:.3f}".format(y[:, -future:].min(), y[:, -future:].max()))
        if opt.steps and evaluations >= opt.steps:
            break
