/* A training step: zero_grad, forward, cross entropy, backward, Adam, and the loss read.
 *     step mlp 784-512-512-10 b128      linear layers with relu between them
 *     step cnn b64                      the demo's network on 1x28x28 images; nodefer behind it: with deferral off
 * The learning rate is so small that the network stays what it is, however often the step is repeated. Parameters are
 * filled as operands are, so the losses can be compared with the other side's. */
#include "bench.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINEAR = 8, CLASSES = 10 };
static const double rate = 1e-6;

typedef struct net {
    wn_module module;
    wn_nn_conv2d conv[2];
    wn_nn_linear linear[MAX_LINEAR];
    int nconv, nlinear;
    int64_t batch, sizes[MAX_LINEAR + 1];
    wn_optim *optim;
    wn_tensor *x, *target;
    double loss;
    bool nodefer;
} net;

static wn_tensor *forward(net *n) {
    wn_tensor *x = n->x;
    for (int i = 0; i < n->nconv; i++) x = wn_max_pool2d(wn_relu(wn_nn_conv2d_forward(&n->conv[i], x)), WN_DIMS(2));
    if (n->nconv) x = wn_flatten(x, 1);
    for (int i = 0; i < n->nlinear; i++) {
        x = wn_nn_linear_forward(&n->linear[i], x);
        if (i + 1 < n->nlinear) x = wn_relu(x);
    }
    return x;
}

static bool step(net *n) {
    WN_SCOPE(scope);
    wn_optim_zero_grad(n->optim);
    wn_tensor *loss = wn_cross_entropy(forward(n), n->target);
    if (wn_backward(loss) != WN_OK || wn_step(n->optim) != WN_OK) return false;
    n->loss = wn_item_f64(loss);
    return true;
}

static bool run(job *j) {
    net *n = j->own;
    if (!n->nodefer) return step(n);
    const int64_t from = wn_set_defer_from(-1);
    const bool good = step(n);
    wn_set_defer_from(from);
    return good;
}

/* The losses of three steps at a rate that shows: gradients and optimiser take part in the second and third. */
static bool check(job *j, double sums[2]) {
    net *n = j->own;
    bool good = true;
    wn_optim_set_lr(n->optim, 1e-3);
    sums[0] = sums[1] = 0;
    for (int i = 0; i < 3; i++) {
        good = good && run(j);
        sums[0] += n->loss * (i + 1), sums[1] += n->loss;
    }
    wn_optim_set_lr(n->optim, rate);
    return good;
}

static void spec(job *j) {
    const net *n = j->own;
    printf(", \"before\": 1, \"op\": \"step\", \"cnn\": %s, \"batch\": %lld, \"rate\": %g, \"sizes\": [", n->nconv ? "true" : "false", (long long)n->batch, rate);
    for (int i = 0; i <= n->nlinear; i++) printf("%s%lld", i ? ", " : "", (long long)n->sizes[i]);
    printf("]");
}

static void drop(job *j) {
    net *n = j->own;
    if (!n) return;
    wn_optim_free(n->optim);
    wn_module_free(&n->module);
    wn_drop(n->x);
    wn_drop(n->target);
    free(n);
}

/* Parameter i becomes operand i, uniform in +-1/sqrt(inputs of the layer) as PyTorch's layers begin. */
static bool refill(net *n) {
    const wn_list list = wn_parameters(&n->module);
    WN_NO_GRAD();
    double bound = 1;
    for (int64_t i = 0; i < list.n; i++) {
        const wn_dims shape = wn_shape(list.v[i]);
        if (shape.n > 1) bound = 1 / sqrt((double)shape_numel(&shape) / (double)shape.v[0]);
        const operand o = tensor_operand(WN_F32, shape, -bound, bound);
        wn_tensor *t = make_tensor(&o, (int)i);
        const bool good = t && wn_ok(wn_copy_(list.v[i], t));
        wn_drop(t);
        if (!good) return false;
    }
    return list.n > 0;
}

static bool build(job *j, net *n) {
    char name[16];
    double products = 0; /* of a forward run, per sample */
    double first = 0;    /* of its first layer, whose input needs no gradient */
    for (int i = 0; i < n->nconv; i++) {
        const int64_t in = i ? 32 : 1, out = i ? 64 : 32, size = i ? 14 : 28;
        wn_nn_conv2d_init(&n->conv[i], in, out, 3, .padding = WN_DIMS(1));
        snprintf(name, sizeof name, "conv%d", i + 1);
        wn_add_child(&n->module, name, &n->conv[i].module);
        products += (double)(in * out * 9 * size * size);
        if (!i) first = products;
    }
    for (int i = 0; i < n->nlinear; i++) {
        wn_nn_linear_init(&n->linear[i], n->sizes[i], n->sizes[i + 1]);
        snprintf(name, sizeof name, "fc%d", i + 1);
        wn_add_child(&n->module, name, &n->linear[i].module);
        products += (double)(n->sizes[i] * n->sizes[i + 1]);
        if (!n->nconv && !i) first = products;
    }
    j->flops = 2 * (double)n->batch * (3 * products - first);
    operand x = tensor_operand(WN_F32, WN_DIMS(n->batch, n->sizes[0]), 0, 1), y = tensor_operand(WN_I64, WN_DIMS(n->batch), 0, CLASSES);
    if (n->nconv) x.shape = WN_DIMS(n->batch, 1, 28, 28);
    y.hi = (double)n->sizes[n->nlinear];
    n->x = make_tensor(&x, 100);
    n->target = make_tensor(&y, 101);
    if (wn_module_status(&n->module) != WN_OK || !n->x || !n->target || !refill(n)) return false;
    n->optim = wn_adam_new(wn_parameters(&n->module), .lr = rate);
    return n->optim && run(j);
}

/* "784-512-10" */
static bool parse_sizes(const char *text, net *n) {
    int count = 0;
    for (const char *s = text; count <= MAX_LINEAR; s++) {
        char *end;
        const long long size = strtoll(s, &end, 10);
        if (end == s || size < 1 || size > 1 << 24) return false;
        n->sizes[count++] = size;
        s = end;
        if (!*s) break;
        if (*s != '-') return false;
    }
    n->nlinear = count - 1;
    return count > 1 && count <= MAX_LINEAR + 1;
}

static bool parse_batch(const char *text, net *n) {
    char *end;
    n->batch = strtoll(text, &end, 10);
    return end > text && !*end && n->batch >= 1 && n->batch <= 1 << 20;
}

bool step_job(job *j, char *why) {
    const problem *p = &j->problem;
    net *n = j->own = calloc(1, sizeof *n);
    j->run = run, j->check = check, j->spec = spec, j->free = drop;
    if (!n) return fail(why, "there is no memory");
    const bool cnn = p->noptions && !strcmp(p->options[0].key, "cnn"), mlp = p->noptions && !strcmp(p->options[0].key, "mlp");
    bool sized = cnn;
    n->batch = cnn ? 64 : 128;
    if (cnn) {
        n->nconv = 2;
        n->sizes[0] = 3136, n->sizes[1] = 128, n->sizes[2] = CLASSES;
        n->nlinear = 2;
    }
    if (!cnn && !mlp) return fail(why, "the steps are 'step mlp 784-512-512-10 b128' and 'step cnn b64'");
    for (int i = 1; i < p->noptions; i++) {
        const char *word = p->options[i].key;
        if (!strcmp(word, "nodefer")) {
            n->nodefer = true;
            continue;
        }
        if (*word == 'b' ? parse_batch(word + 1, n) : mlp && !sized && parse_sizes(word, n)) sized = sized || *word != 'b';
        else return fail(why, "'%s' is not understood (step mlp 784-512-512-10 b128)", word);
    }
    if (!sized) return fail(why, "the layers' sizes are missing (step mlp 784-512-512-10 b128)");
    WN_SCOPE(scope);
    return build(j, n) || fail(why, "%s", wn_error_message());
}
