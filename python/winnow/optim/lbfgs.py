"""LBFGS: Broyden-Fletcher-Goldfarb-Shanno with limited memory, and a line search for the strong Wolfe conditions."""
from .._recording import recording
from .optimizer import Optimizer, _rows, check_lr, number

__all__ = ["LBFGS"]

_cat = _rows["cat"]


class LBFGS(Optimizer):
    """step(closure) evaluates closure up to max_eval times. All parameters are one vector; history_size pairs (change of the vector,
    change of the gradient) stand for the Hessian (Nocedal and Wright, Numerical Optimization, chapters 3 and 7)."""

    def __init__(self, params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-7, tolerance_change=1e-9, history_size=100, line_search_fn=None):
        check_lr(lr)
        if max_eval is None:
            max_eval = max_iter * 5 // 4
        super().__init__(params, dict(lr=lr, max_iter=max_iter, max_eval=max_eval, tolerance_grad=tolerance_grad,
                                      tolerance_change=tolerance_change, history_size=history_size, line_search_fn=line_search_fn))
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params = self.param_groups[0]["params"]

    def __setstate__(self, state):
        super().__setstate__(state)
        self._params = self.param_groups[0]["params"]

    # -------------------------------------------------------------- the parameters as one vector

    def _gradient(self):
        return _cat([p.new_zeros(p.numel()) if p.grad is None else p.grad.reshape(-1) for p in self._params])

    def _move(self, t, direction):
        at = 0
        for p in self._params:
            n = p.numel()
            p.add_(direction[at:at + n].view(p.shape), alpha=t)
            at += n

    def _evaluate(self, closure):
        with recording(True):
            loss = float(closure())
        return loss, self._gradient()

    # -------------------------------------------------------------- the step

    def step(self, closure):
        """Minimises until max_iter iterations, max_eval evaluations or a tolerance; returns the loss before."""
        with recording(False):
            return self._step(closure)

    def _step(self, closure):
        group = self.param_groups[0]
        lr, tolerance = number(group["lr"]), group["tolerance_change"]
        search = group["line_search_fn"]
        if search not in (None, "strong_wolfe"):
            raise RuntimeError("only 'strong_wolfe' is supported")
        state = self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        with recording(True):
            first_loss = closure()
        loss, g = float(first_loss), self._gradient()
        evaluations = 1
        state["func_evals"] += 1
        if g.abs().max().item() <= group["tolerance_grad"]:
            return first_loss
        iterations = 0
        while iterations < group["max_iter"]:
            iterations += 1
            state["n_iter"] += 1
            d = self._direction(state, g, group["history_size"])
            state["prev_flat_grad"] = g.clone()
            state["prev_loss"] = previous = loss
            state["d"] = d
            t = lr / max(1.0, g.abs().sum().item()) if state["n_iter"] == 1 else lr
            slope = g.dot(d).item()
            state["t"] = t
            if slope > -tolerance:  # no descent
                break
            used = 0
            if search:
                loss, g, t, used = self._search(closure, t, d, loss, g, slope, group["max_eval"] - evaluations)
                self._move(t, d)
            else:
                self._move(t, d)
                if iterations != group["max_iter"]:
                    loss, g = self._evaluate(closure)
                    used = 1
            state["t"] = t
            evaluations += used
            state["func_evals"] += used
            if (evaluations >= group["max_eval"] or g.abs().max().item() <= group["tolerance_grad"] or
                    d.mul(t).abs().max().item() <= tolerance or abs(loss - previous) < tolerance):
                break
        return first_loss

    def _direction(self, state, g, history):
        """Minus the inverse Hessian times g, by the two loops over the history."""
        if state["n_iter"] == 1:
            state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1)
            return -g
        ys, ss, ro = state["old_dirs"], state["old_stps"], state["ro"]
        y, s = g - state["prev_flat_grad"], state["d"] * state["t"]
        curvature = y.dot(s).item()
        if curvature > 1e-10:  # else the pair says nothing of a minimum
            if len(ys) == history:
                del ys[0], ss[0], ro[0]
            ys.append(y)
            ss.append(s)
            ro.append(1.0 / curvature)
            state["H_diag"] = curvature / y.dot(y).item()
        q, al = -g, [0.0] * len(ys)
        for i in reversed(range(len(ys))):
            al[i] = ss[i].dot(q).item() * ro[i]
            q.add_(ys[i], alpha=-al[i])
        r = q.mul_(state["H_diag"])
        for i in range(len(ys)):
            r.add_(ss[i], alpha=al[i] - ys[i].dot(r).item() * ro[i])
        return r

    def _search(self, closure, t, d, loss, g, slope, most):
        start = [p.clone() for p in self._params]

        def at(t):
            self._move(t, d)
            result = self._evaluate(closure)
            for p, x in zip(self._params, start):
                p.copy_(x)
            return result

        return _strong_wolfe(at, t, d, loss, g, slope, tolerance=self.param_groups[0]["tolerance_change"], longest=most)


# ------------------------------------------------------------------ the line search

def _cubic_minimum(x1, f1, s1, x2, f2, s2, low=None, high=None):
    """Where the cubic through two points with these slopes has its minimum, between low and high (the points, if not given)."""
    if low is None:
        low, high = (x1, x2) if x1 <= x2 else (x2, x1)
    d1 = s1 + s2 - 3 * (f1 - f2) / (x1 - x2)
    square = d1 * d1 - s1 * s2
    if not square >= 0:
        return (low + high) / 2
    d2 = square**0.5
    if (s2 - s1 if x1 <= x2 else s1 - s2) + 2 * d2 == 0:
        return (low + high) / 2
    x = x2 - (x2 - x1) * ((s2 + d2 - d1) / (s2 - s1 + 2 * d2)) if x1 <= x2 else x1 - (x1 - x2) * ((s1 + d2 - d1) / (s1 - s2 + 2 * d2))
    return min(max(x, low), high)


def _strong_wolfe(at, t, d, f0, g0, slope0, tolerance, longest, c1=1e-4, c2=0.9):
    """A t with f(t) <= f0 + c1*t*slope0 and |slope(t)| <= c2*|slope0|, or the best found in `longest` trials. at(t): loss and
    gradient there. Returns loss, gradient, t, number of evaluations."""
    width = d.abs().max().item()
    f, g = at(t)
    slope, evaluations, trials = g.dot(d).item(), 1, 0

    # Enlarge t until [before, now] brackets such a point.
    before = (0, f0, g0, slope0)
    bracket, done = None, False
    while trials < longest:
        now = (t, f, g.clone(), slope)
        if f > f0 + c1 * t * slope0 or (trials > 1 and f >= before[1]):
            bracket = [before, now]
        elif abs(slope) <= -c2 * slope0:
            bracket, done = [now], True
        elif slope >= 0:
            bracket = [before, now]
        if bracket:
            break
        low, high = t + 0.01 * (t - before[0]), t * 10
        t = _cubic_minimum(before[0], before[1], before[3], t, f, slope, low, high)
        before = now
        f, g = at(t)
        slope = g.dot(d).item()
        evaluations += 1
        trials += 1
    if not bracket:
        bracket = [(0, f0, g0, slope0), (t, f, g, slope)]

    # Narrow the bracket. best is its end with the lower loss.
    slow = False
    best, other = (0, 1) if len(bracket) == 1 or bracket[0][1] <= bracket[1][1] else (1, 0)
    while not done and trials < longest:
        a, b = bracket[0], bracket[1]
        if abs(b[0] - a[0]) * width < tolerance:
            break
        t = _cubic_minimum(a[0], a[1], a[3], b[0], b[1], b[3])
        low, high = sorted((a[0], b[0]))
        margin = 0.1 * (high - low)
        if min(high - t, t - low) < margin:  # too near to an end: a second time, or at the end itself, go further inside
            if slow or t >= high or t <= low:
                t = high - margin if abs(t - high) < abs(t - low) else low + margin
                slow = False
            else:
                slow = True
        else:
            slow = False
        f, g = at(t)
        slope = g.dot(d).item()
        evaluations += 1
        trials += 1
        now = (t, f, g.clone(), slope)
        if f > f0 + c1 * t * slope0 or f >= bracket[best][1]:
            bracket[other] = now
            best, other = (0, 1) if bracket[0][1] <= bracket[1][1] else (1, 0)
        else:
            if abs(slope) <= -c2 * slope0:
                done = True
            elif slope * (bracket[other][0] - bracket[best][0]) >= 0:
                bracket[other] = bracket[best]
            bracket[best] = now
    t, f, g, _ = bracket[best]
    return f, g, t, evaluations
