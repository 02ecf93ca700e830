/* A training step: zero_grad, forward, cross entropy, backward, the optimiser's step, and the loss read.
 *     step mlp 784-512-512-10 b128      linear layers with relu between them; Adam
 *     step cnn b64                      the demo's network on 1x28x28 images; Adam
 *     step resnet18 b16                 ResNet-18 for 32x32 images; SGD with momentum and weight decay
 *     step transformer b8               a causal language model, 4 layers of 256, 128 tokens; AdamW
 *     step lstm b32                     one layer of 128 units over 64 steps; Adam
 * nodefer behind one: with deferral off. The learning rate is so small that the network stays what it is, however often the step
 * is repeated. Parameters are filled as operands are, so the losses can be compared with the other side's. */
#include "bench.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINEAR = 8 };
static const double rate = 1e-6;

static const struct kind {
    const char *name;
    int64_t batch; /* where none is given */
    void (*make)(step_net *n); /* NULL: mlp, which has sizes */
} kinds[] = {{"mlp", 128, NULL}, {"cnn", 64, cnn_net}, {"resnet18", 16, resnet18_net}, {"transformer", 8, transformer_net}, {"lstm", 32, lstm_net}};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct training {
    const struct kind *kind;
    step_net net;
    wn_module root; /* owns net.module */
    int64_t sizes[MAX_LINEAR + 1];
    int nlinear;
    wn_optim *optim;
    wn_tensor *x, *target;
    double loss;
    bool nodefer;
} training;

static bool step(training *n) {
    WN_SCOPE(scope);
    wn_optim_zero_grad(n->optim);
    wn_tensor *loss = wn_cross_entropy(wn_forward(n->net.module, n->x), n->target);
    if (wn_backward(loss) != WN_OK || wn_step(n->optim) != WN_OK) return false;
    n->loss = wn_item_f64(loss);
    return true;
}

static bool run(job *j) {
    training *n = j->own;
    if (!n->nodefer) return step(n);
    const int64_t from = wn_set_defer_from(-1);
    const bool good = step(n);
    wn_set_defer_from(from);
    return good;
}

/* The losses of three steps at a rate that shows: gradients and optimiser take part in the second and third. */
static bool check(job *j, double sums[2]) {
    training *n = j->own;
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
    const training *n = j->own;
    printf(", \"before\": 1, \"op\": \"step\", \"net\": \"%s\", \"batch\": %lld, \"rate\": %g, \"sizes\": [", n->kind->name, (long long)n->net.batch, rate);
    for (int i = 0; n->nlinear && i <= n->nlinear; i++) printf("%s%lld", i ? ", " : "", (long long)n->sizes[i]);
    printf("], \"x\": {\"dtype\": \"%s\", \"lo\": %g, \"hi\": %g, \"shape\": [", short_dtype(n->net.x.dtype), n->net.x.lo, n->net.x.hi);
    for (int i = 0; i < n->net.x.shape.n; i++) printf("%s%lld", i ? ", " : "", (long long)n->net.x.shape.v[i]);
    printf("]}, \"targets\": %lld, \"classes\": %lld", (long long)n->net.targets, (long long)n->net.classes);
}

static void drop(job *j) {
    training *n = j->own;
    if (!n) return;
    wn_optim_free(n->optim);
    wn_module_free(&n->root);
    wn_drop(n->x);
    wn_drop(n->target);
    free(n);
}

typedef struct filling {
    int i;
    double bound;
    bool good;
} filling;

/* Parameter i becomes operand i, uniform in +-1/sqrt(inputs of the layer) as PyTorch's layers begin; norms' weights stay 1. */
static bool refill(void *ctx, const char *name, wn_tensor *t, bool buffer) {
    filling *f = ctx;
    const wn_dims shape = wn_shape(t);
    const size_t length = strlen(name);
    if (buffer) return true;
    if (shape.n > 1) f->bound = 1 / sqrt((double)shape_numel(&shape) / (double)shape.v[0]);
    const int seed = f->i++;
    if (shape.n == 1 && length > 7 && !strcmp(name + length - 7, ".weight")) return true;
    WN_SCOPE(scope);
    WN_NO_GRAD();
    const operand o = tensor_operand(WN_F32, shape, -f->bound, f->bound);
    wn_tensor *from = make_tensor(&o, seed);
    f->good = from && wn_ok(wn_copy_(t, from));
    wn_drop(from);
    return f->good;
}

static wn_optim *optimizer(training *n) {
    const wn_list parameters = wn_parameters(&n->root);
    if (n->kind->make == resnet18_net) return wn_sgd_new(parameters, .lr = rate, .momentum = 0.9, .weight_decay = 5e-4);
    return n->kind->make == transformer_net ? wn_adamw_new(parameters, .lr = rate) : wn_adam_new(parameters, .lr = rate);
}

static bool build(job *j, training *n) {
    WN_SCOPE(scope);
    if (n->kind->make) n->kind->make(&n->net);
    else mlp_net(&n->net, n->sizes, n->nlinear);
    wn_add_owned(&n->root, "net", n->net.module);
    if (wn_module_status(&n->root) != WN_OK) return false;
    filling f = {.good = true, .bound = 1};
    wn_module_visit(&n->root, refill, &f);
    const operand target = tensor_operand(WN_I64, WN_DIMS(n->net.targets), 0, (double)n->net.classes);
    n->x = make_tensor(&n->net.x, 100);
    n->target = make_tensor(&target, 101);
    j->flops = 2 * (double)n->net.batch * (3 * n->net.products - n->net.first);
    if (!f.good || !n->x || !n->target) return false;
    n->optim = optimizer(n);
    return n->optim && run(j);
}

/* "784-512-10" */
static bool parse_sizes(const char *text, training *n) {
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

static bool parse_batch(const char *text, training *n) {
    char *end;
    n->net.batch = strtoll(text, &end, 10);
    return end > text && !*end && n->net.batch >= 1 && n->net.batch <= 1 << 20;
}

bool step_job(job *j, char *why) {
    const problem *p = &j->problem;
    training *n = j->own = calloc(1, sizeof *n);
    j->run = run, j->check = check, j->spec = spec, j->free = drop;
    if (!n) return fail(why, "there is no memory");
    for (int i = 0; i < KINDS && p->noptions; i++)
        if (!strcmp(p->options[0].key, kinds[i].name)) n->kind = &kinds[i];
    if (!n->kind) return fail(why, "the steps are 'step mlp 784-512-512-10 b128', 'step cnn b64', 'step resnet18 b16', 'step transformer b8', 'step lstm b32'");
    n->net.batch = n->kind->batch;
    for (int i = 1; i < p->noptions; i++) {
        const char *word = p->options[i].key;
        if (!strcmp(word, "nodefer")) n->nodefer = true;
        else if (!(*word == 'b' ? parse_batch(word + 1, n) : !n->kind->make && !n->nlinear && parse_sizes(word, n)))
            return fail(why, "'%s' is not understood (step mlp 784-512-512-10 b128)", word);
    }
    if (!n->kind->make && !n->nlinear) return fail(why, "the layers' sizes are missing (step mlp 784-512-512-10 b128)");
    return build(j, n) || fail(why, "%s", wn_error_message());
}
