"""JAX's side of steps_versus_torch.py: the MLP's and the CNN's step as one jitted function (Adam written out, donated state), for
whoever has JAX: pip install jax. `steps_jax.py THREADS`; it talks as steps.py does. SPDX-License-Identifier: Apache-2.0"""
import math
import os
import sys

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=%s" % ("true" if int(sys.argv[1]) > 1 else "false")
if hasattr(os, "sched_setaffinity"):  # XLA takes a thread for each processor that it sees
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:int(sys.argv[1])])

import jax
import jax.numpy as jnp

import steps


def layer(key, shape):
    bound = 1 / math.sqrt(math.prod(shape[1:]))
    k1, k2 = jax.random.split(key)
    return jax.random.uniform(k1, shape, minval=-bound, maxval=bound), jax.random.uniform(k2, shape[:1], minval=-bound, maxval=bound)


def dense(x, parameters):
    w, b = parameters
    return x @ w.T + b


def mlp(parameters, x):
    for p in parameters[:-1]:
        x = jax.nn.relu(dense(x, p))
    return dense(x, parameters[-1])


def cnn(parameters, x):
    """NHWC, which is what XLA is fast with on a CPU."""
    for w, b in parameters[:2]:
        x = jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "OIHW", "NHWC")) + b
        x = jax.lax.reduce_window(jax.nn.relu(x), -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return mlp(parameters[2:], x.reshape(x.shape[0], -1))


def adam(p, g, m, v, t, rate=1e-3, b1=0.9, b2=0.999):
    m, v = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g
    return p - rate * (m / (1 - b1 ** t)) / (jnp.sqrt(v / (1 - b2 ** t)) + 1e-8), m, v


def stepper(net, shapes, x, y):
    def loss_of(parameters):
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(net(parameters, x)), y[:, None], 1))

    def train(parameters, m, v, t):
        loss, grads = jax.value_and_grad(loss_of)(parameters)
        flat, tree = jax.tree.flatten(parameters)
        new = [adam(*each, t) for each in zip(flat, jax.tree.leaves(grads), jax.tree.leaves(m), jax.tree.leaves(v))]
        return loss, *(jax.tree.unflatten(tree, part) for part in zip(*new)), t + 1

    jitted = jax.jit(train, donate_argnums=(0, 1, 2))
    parameters = [layer(key, shape) for key, shape in zip(jax.random.split(jax.random.key(0), len(shapes)), shapes)]
    state = [parameters, jax.tree.map(jnp.zeros_like, parameters), jax.tree.map(jnp.zeros_like, parameters), jnp.float32(1)]

    def step():
        loss, *state[:] = jitted(*state)
        return float(loss)
    return step


def build_mlp(_):
    key = jax.random.key(1)
    return stepper(mlp, [(512, 784), (512, 512), (10, 512)], jax.random.normal(key, (128, 784)), jax.random.randint(key, (128,), 0, 10))


def build_cnn(_):
    key = jax.random.key(1)
    return stepper(cnn, [(32, 1, 3, 3), (64, 32, 3, 3), (128, 3136), (10, 128)], jax.random.normal(key, (64, 28, 28, 1)),
                   jax.random.randint(key, (64,), 0, 10))


class Seeds:
    """What steps.Side asks of torch."""

    def manual_seed(self, seed):
        pass


if __name__ == "__main__":
    steps.STEPS = {"mlp 784-512-512-10 b128": build_mlp, "cnn b64": build_cnn}
    steps.serve(steps.Side(Seeds()))
