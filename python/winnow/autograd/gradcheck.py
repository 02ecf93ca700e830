"""gradcheck and gradgradcheck: gradients compared with central differences."""
import warnings

import winnow
from .. import _C
from .._recording import recording

__all__ = ["gradcheck", "gradgradcheck", "GradcheckError"]

Tensor = _C.Tensor


class GradcheckError(RuntimeError):
    """A gradient is wrong."""


def gradcheck(func, inputs, *, eps=1e-6, atol=1e-5, rtol=1e-3, raise_exception=True, nondet_tol=0.0, check_undefined_grad=True,
              check_grad_dtypes=False, check_batched_grad=False, check_batched_forward_grad=False, check_forward_ad=False,
              check_backward_ad=True, fast_mode=False, masked=None):
    """Compares the gradient of func at the inputs (float64, requiring grad) with central differences. True, or a GradcheckError
    (False with raise_exception=False). fast_mode compares one random combination of the Jacobian's elements."""
    if not (check_forward_ad or check_backward_ad):
        raise AssertionError("Expected at least one of check_forward_ad or check_backward_ad to be True")
    if check_batched_grad and not check_backward_ad:
        raise AssertionError("Setting check_batched_grad=True requires check_backward_ad to be True")
    if check_batched_forward_grad and not check_forward_ad:
        raise AssertionError("Setting check_batched_forward_grad=True requires check_forward_ad to be True")
    if check_forward_ad:
        raise NotImplementedError("gradcheck: check_forward_ad=True: winnow has no forward mode")
    options = {"eps": eps, "atol": atol, "rtol": rtol, "nondet_tol": nondet_tol, "check_grad_dtypes": check_grad_dtypes}
    try:
        return _check(func, _as_tuple(inputs), options, check_batched_grad, check_undefined_grad, fast_mode, masked)
    except GradcheckError:
        if raise_exception:
            raise
        return False


def _check(func, inputs, options, check_batched_grad, check_undefined_grad, fast_mode, masked):
    _check_inputs(inputs)
    returned = func(*inputs)
    outputs = _differentiable(returned)
    if not outputs:
        _check_constant(func, inputs, returned, options["eps"])
        return True
    (_check_fast if fast_mode else _check_slow)(func, inputs, **options)
    if check_batched_grad:
        _check_batched(_differentiable(func(*inputs)), _chosen(inputs))
    _check_zero_cotangent(_differentiable(func(*inputs)), inputs, masked)
    if check_undefined_grad:
        _check_undefined(func, inputs, len(outputs))
    return True


# ------------------------------------------------------------------ inputs and outputs

def _as_tuple(x):
    return tuple(x) if isinstance(x, (tuple, list)) else (x,)


def _differentiable(returned):
    return tuple([o for o in _as_tuple(returned) if o.requires_grad])


def _chosen(inputs):
    """The inputs whose gradients are checked."""
    return [x for x in inputs if isinstance(x, Tensor) and x.requires_grad]


def _check_inputs(inputs):
    for i, x in enumerate(inputs):
        if not (isinstance(x, Tensor) and x.requires_grad):
            continue
        if x.dtype is not winnow.float64:
            warnings.warn(f"Input #{i} requires gradient and is not a double precision floating point or complex. This check will likely "
                          "fail if all the inputs are not of double precision floating point or complex. ", stacklevel=4)
        if any([stride == 0 and size > 1 for stride, size in zip(x.stride(), x.shape)]):
            raise RuntimeError(f"The {i}th input has a dimension with stride 0. gradcheck only supports inputs that are non-overlapping to be "
                               "able to compute the numerical gradients correctly. You should call .contiguous on the input before passing "
                               "it to gradcheck.")
    if not _chosen(inputs):
        raise ValueError("gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True.")


# ------------------------------------------------------------------ by differences

def _outputs_of(func, inputs, like):
    """func's results that have a gradient (those at the positions of `like`), as copies without history."""
    returned = _as_tuple(func(*inputs))
    return [o.detach().clone() for o, wanted in zip(returned, like) if wanted]


def _positions(func, inputs):
    return [o.requires_grad for o in _as_tuple(func(*inputs))]


def _step_along(x, direction, func, inputs, like, eps):
    """(f(x + eps d) - f(x - eps d)) / 2 eps for every result; x is changed in place and put back."""
    memory = x.data
    saved = memory.clone()
    sides = []
    for sign in (-1, 1):
        with recording(True):  # func may itself call grad()
            memory.copy_(saved + sign * eps * direction)
            sides.append(_outputs_of(func, inputs, like))
    memory.copy_(saved)
    for low, high in zip(*sides):
        for name in ("shape", "dtype"):
            if getattr(low, name) != getattr(high, name):
                raise AssertionError(f"Expected `func` to return outputs with the same {name} when inputs are perturbed by {eps}, but got: "
                                     f"{name}s {getattr(low, name)} and {getattr(high, name)}.")
    return [(high.double() - low.double()) / (2 * eps) for low, high in zip(*sides)]


def _numerical_jacobians(func, inputs, like, eps):
    """[input][output]: a matrix of input elements by output elements."""
    jacobians = []
    for x in _chosen(inputs):
        rows = []
        for i in range(x.numel()):
            direction = winnow.zeros(x.numel(), dtype=x.dtype)
            direction[i] = 1
            rows.append([d.reshape(-1) for d in _step_along(x, direction.reshape(x.shape), func, inputs, like, eps)])
        jacobians.append([winnow.stack(column) for column in zip(*rows)] if rows else None)
    return jacobians


# ------------------------------------------------------------------ by backward

def _vjp(output, inputs, cotangent):
    return winnow.autograd.grad(output, _chosen(inputs), cotangent, retain_graph=True, allow_unused=True)


def _analytical_jacobian(inputs, output, check_grad_dtypes):
    """[input]: a matrix of input elements by this output's elements."""
    columns = [[] for _ in _chosen(inputs)]
    for i in range(output.numel()):
        cotangent = winnow.zeros(output.numel(), dtype=output.dtype)
        cotangent[i] = 1
        for x, column, g in zip(_chosen(inputs), columns, _vjp(output, inputs, cotangent.reshape(output.shape))):
            column.append(_gradient_of(x, g, check_grad_dtypes).reshape(-1))
    return [winnow.stack(column, 1) if column else None for column in columns]


def _gradient_of(x, g, check_dtype):
    """A gradient as a fresh tensor, zeros for None; or what is wrong with it."""
    if g is None:
        return x.detach().new_zeros(x.shape)
    if g.dtype is not x.dtype and check_dtype:
        raise GradcheckError("Gradient has dtype mismatch")
    if g.shape != x.shape:
        raise GradcheckError("Analytical gradient has incorrect size")
    return g.detach().clone()


def _same(first, second, tolerance):
    return all([a.numel() == 0 or float((a - b).abs().max()) <= tolerance for a, b in zip(first, second) if a is not None])


def _not_reentrant(tolerance):
    return GradcheckError("Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives different "
                          "values, although analytical gradient matches numerical gradient."
                          f"The tolerance for nondeterminism was {tolerance}.")


def _close(a, n, rtol, atol):
    return bool(a.double().isclose(n.double(), rtol=rtol, atol=atol).all())


# ------------------------------------------------------------------ the checks

# Differences come first: they change the inputs' memory, and the graph of results made before would be stale.

def _check_slow(func, inputs, eps, atol, rtol, nondet_tol, check_grad_dtypes):
    numerical = _numerical_jacobians(func, inputs, _positions(func, inputs), eps)
    for k, output in enumerate(_differentiable(func(*inputs))):
        analytical = _analytical_jacobian(inputs, output, check_grad_dtypes)
        if not _same(analytical, _analytical_jacobian(inputs, output, check_grad_dtypes), nondet_tol):
            raise _not_reentrant(nondet_tol)
        for i, (a, n) in enumerate(zip(analytical, numerical)):
            if a is not None and n is not None and not _close(a, n[k], rtol, atol):
                raise GradcheckError(f"Jacobian mismatch for output {k} with respect to input {i},\nnumerical:{n[k]}\nanalytical:{a}\n")


def _check_fast(func, inputs, eps, atol, rtol, nondet_tol, check_grad_dtypes):
    """v'Ju for a random direction u of each input and v of each output."""
    like = _positions(func, inputs)
    chosen = _chosen(inputs)
    along = [_direction(x) for x in chosen]
    steps = [_step_along(x, u, func, inputs, like, eps) for x, u in zip(chosen, along)]
    for k, output in enumerate(_differentiable(func(*inputs))):
        v = _direction(output)
        gradients, again = ([_gradient_of(x, g, check_grad_dtypes) for x, g in zip(chosen, _vjp(output, inputs, v))] for _ in range(2))
        if not _same(gradients, again, nondet_tol):
            raise _not_reentrant(nondet_tol)
        for i, (g, u) in enumerate(zip(gradients, along)):
            a, n = (g.double() * u.double()).sum(), (steps[i][k] * v.double()).sum()
            # Errors of the elements add up, weighted by the directions.
            weighted = atol * float(u.abs().sum()) * float(v.abs().sum())
            if not _close(a, n, rtol, weighted):
                analytical = _analytical_jacobian(inputs, output, False)[i]
                jacobian = _numerical_jacobians(func, inputs, like, eps)[i][k]
                raise GradcheckError(
                    f"Jacobian mismatch for output {k} with respect to input {i},\nnumerical:{n}\nanalytical:{a}\n\nThe above quantities "
                    "relating the numerical and analytical jacobians are computed \nin fast mode. Below, we recompute numerical and "
                    f"analytical jacobians in slow mode:\n\nNumerical:\n {jacobian}\nAnalytical:\n{analytical}\n\nThe max per-element "
                    f"difference (slow mode) is: {float((jacobian - analytical).abs().max())}.\n")


def _direction(x):
    """Random, of length 1, from a generator of its own: a check must not disturb the program's random numbers."""
    u = winnow.rand(x.shape, dtype=winnow.float64, generator=_C.Generator().manual_seed(x.numel()))
    length = float((u * u).sum()) ** 0.5
    return (u / length if length else u).to(x.dtype)


def _check_constant(func, inputs, returned, eps):
    """No result has a gradient: then none may change with the inputs."""
    for jacobians in _numerical_jacobians(func, inputs, [True] * len(_as_tuple(returned)), eps):
        for n in jacobians or ():
            if bool((n != 0).any()):
                raise GradcheckError("Numerical gradient for function expected to be zero")


def _check_batched(outputs, chosen):
    """grad(is_grads_batched=True) must give for two cotangents what it gives for each."""
    for k, output in enumerate(outputs):
        cotangents = [_direction(output), -2 * _direction(output).flip(list(range(output.dim())))]
        expected = [winnow.autograd.grad(output, chosen, v, retain_graph=True, allow_unused=True) for v in cotangents]
        result = winnow.autograd.grad(output, chosen, winnow.stack(cotangents), retain_graph=True, allow_unused=True, is_grads_batched=True)
        for i, x in enumerate(chosen):
            each = winnow.stack([x.new_zeros(x.shape) if gradients[i] is None else gradients[i] for gradients in expected])
            together = winnow.zeros_like(each) if result[i] is None else result[i]
            if not _close(together, each, 1e-5, 1e-8):
                raise GradcheckError(f"For output {k} and input {i}: gradients of a batch of cotangents (is_grads_batched=True) are not those of "
                                     f"its elements:\n{together}\nand\n{each}")


def _check_zero_cotangent(outputs, inputs, masked):
    chosen = _chosen(inputs)
    for g, x in zip(winnow.autograd.grad(outputs, chosen, [o.new_zeros(o.shape) for o in outputs], retain_graph=True, allow_unused=True), chosen):
        if g is None:
            continue
        if not (_close(g, g.new_zeros(g.shape), 1e-5, 1e-8) if masked else bool((g == 0).all())):
            raise GradcheckError("backward not multiplied by grad_output")
        if g.dtype is not x.dtype:
            raise GradcheckError("grad is incorrect type")
        if g.shape != x.shape:
            raise GradcheckError("grad is incorrect size")


def _check_undefined(func, inputs, count):
    """Backward must take the absence of cotangents as zeros: of all, and of one after the other."""
    for without in [range(count)] + ([[i] for i in range(count)] if count > 1 else []):
        outputs = [_without_gradient(o) if i in without else o for i, o in enumerate(_differentiable(func(*inputs)))]
        try:
            gradients = winnow.autograd.grad(outputs, _chosen(inputs), [o.new_zeros(o.shape) for o in outputs], allow_unused=True)
        except RuntimeError as error:
            _warn_of_absence()
            raise GradcheckError("Expected backward function to handle undefined output grads. Please look at \"Notes about undefined output "
                                 "gradients\" in \"tools/autograd/derivatives.yaml\"") from error
        if any([g is not None and bool((g != 0).any()) for g in gradients]):
            _warn_of_absence()
            raise GradcheckError("Expected all input grads to be undefined or zero when all output grads are undefined or zero. Please look at "
                                 "\"Notes about undefined output gradients\" in \"tools/autograd/derivatives.yaml\"")


def _warn_of_absence():
    warnings.warn("Backwards compatibility: New undefined gradient support checking feature is enabled by default, but it may break existing callers of this "
                  "function. If this is true for you, you can call this function with \"check_undefined_grad=False\" to disable the feature", stacklevel=5)


def _without_gradient(output):
    """An alias of a result that passes no gradient on."""
    alias = output.detach()
    _C._record("UndefinedGrad", (output,), (alias,), None, lambda g: (None,), None, (), ())
    return alias


def gradgradcheck(func, inputs, grad_outputs=None, *, eps=1e-6, atol=1e-5, rtol=1e-3, gen_non_contig_grad_outputs=False, raise_exception=True,
                  nondet_tol=0.0, check_undefined_grad=True, check_grad_dtypes=False, check_batched_grad=False, check_fwd_over_rev=False,
                  check_rev_over_rev=True, fast_mode=False, masked=False):
    """gradcheck of the gradient of func, as a function of the inputs and of grad_outputs (random ones when absent)."""
    if not (check_fwd_over_rev or check_rev_over_rev):
        raise AssertionError("Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True")
    if check_undefined_grad and not check_rev_over_rev:
        raise AssertionError("Setting check_undefined_grad=True requires check_rev_over_rev to be True")
    if check_batched_grad and not check_rev_over_rev:
        raise AssertionError("Setting check_batched_grad=True requires check_rev_over_rev to be True")
    inputs = _as_tuple(inputs)
    if grad_outputs is None:
        grad_outputs = _random_cotangents(_differentiable(func(*inputs)), gen_non_contig_grad_outputs)
    grad_outputs = _as_tuple(grad_outputs)
    n = len(grad_outputs)

    def gradient(*args):
        args, cotangents = args[:-n] if n else args, args[-n:] if n else ()
        gradients = winnow.autograd.grad(_differentiable(func(*args)), _chosen(args), cotangents, create_graph=True, allow_unused=True)
        return tuple([g for g in gradients if g is not None])

    return gradcheck(gradient, inputs + grad_outputs, eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception, nondet_tol=nondet_tol,
                     check_undefined_grad=check_undefined_grad, check_grad_dtypes=check_grad_dtypes, check_batched_grad=check_batched_grad,
                     fast_mode=fast_mode, check_forward_ad=check_fwd_over_rev, check_backward_ad=check_rev_over_rev, masked=masked)


def _random_cotangents(outputs, spread):
    from ..testing import make_tensor

    return tuple([make_tensor(o.shape, dtype=o.dtype, device=o.device, low=-1, high=1, requires_grad=True, noncontiguous=spread)
                  for o in outputs])
