/* Chains of operations that deferred programs fuse; bench/torch_fused.py writes the same in PyTorch.
 *     fused_chain f32 1000000                      t = a*b+c; t = where(t > .5, 2t, t); t*t + 3t
 *     fused_sparse f32 1000000 density=0.01 bwd    sum(where(m, tanh(log1p(exp(x))), x))
 *     fused_bias_gelu, fused_layer_norm, fused_softmax, fused_gelu_norm, fused_dropout_norm f32 4096x768 bwd [rows]
 *     fused_relu_linear f32 512x1024,1024x1024     relu(x @ W + b)
 *     fused_conv_relu f32 64x1x28x28,32x1x3x3      relu(conv2d(x, w, b, padding=1))
 * rows: composed of means, squares, exponentials ... instead of the built-in operations. nodefer: with deferral off. */
#include "bench.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_INPUTS = 4 };

typedef struct form {
    const char *name;
    /* x: first shape; r: the same, never differentiated; m: mask of it; w, b: vectors of its last size; W: second shape;
     * v: vector of W's last size, o: of its first */
    const char *inputs;
    wn_tensor *(*plain)(wn_tensor **t);
    wn_tensor *(*rows)(wn_tensor **t);
    bool random;
} form;

typedef struct fused {
    const form *form;
    operand operands[MAX_INPUTS];
    wn_tensor *t[MAX_INPUTS], *leaves[MAX_INPUTS], *cotangent;
    int n, nleaves;
    bool rows, nodefer;
} fused;

static const double eps = 1e-5, drop = 0.1;

/* ---------------------------------------------------------------------------------------------- the problems */

static wn_tensor *chain(wn_tensor **a) {
    wn_tensor *t = wn_add(wn_mul(a[0], a[1]), a[2]);
    t = wn_where(wn_gt(t, 0.5), wn_mul(t, 2), t);
    return wn_add(wn_mul(t, t), wn_mul(t, 3));
}
static wn_tensor *sparse(wn_tensor **a) { return wn_sum(wn_where(a[1], wn_tanh(wn_log1p(wn_exp(a[0]))), a[0])); }

static wn_tensor *bias_gelu(wn_tensor **a) { return wn_gelu(wn_add(a[0], a[1])); }
static wn_tensor *gelu_rows(wn_tensor *z) { return wn_mul(wn_mul(z, 0.5), wn_add(wn_erf(wn_mul(z, 0.70710678118654752)), 1)); }
static wn_tensor *bias_gelu_rows(wn_tensor **a) { return gelu_rows(wn_add(a[0], a[1])); }

static wn_tensor *norm(wn_tensor *x, wn_tensor *w, wn_tensor *b) { return wn_layer_norm(x, WN_DIMS(wn_size(x, -1)), .weight = w, .bias = b); }
static wn_tensor *norm_rows(wn_tensor *x, wn_tensor *w, wn_tensor *b) {
    wn_tensor *d = wn_sub(x, wn_mean(x, .dims = WN_DIMS(-1), .keepdim = true));
    wn_tensor *v = wn_mean(wn_mul(d, d), .dims = WN_DIMS(-1), .keepdim = true);
    return wn_add(wn_mul(wn_mul(d, wn_rsqrt(wn_add(v, eps))), w), b);
}
static wn_tensor *layer_norm(wn_tensor **a) { return norm(a[0], a[1], a[2]); }
static wn_tensor *layer_norm_rows(wn_tensor **a) { return norm_rows(a[0], a[1], a[2]); }
static wn_tensor *gelu_norm(wn_tensor **a) { return wn_gelu(norm(a[0], a[1], a[2])); }
static wn_tensor *gelu_norm_rows(wn_tensor **a) { return gelu_rows(norm_rows(a[0], a[1], a[2])); }
static wn_tensor *dropout_norm(wn_tensor **a) { return norm(wn_add(a[0], wn_dropout(a[1], drop, true)), a[2], a[3]); }
static wn_tensor *dropout_norm_rows(wn_tensor **a) {
    wn_tensor *keep = wn_ge(wn_rand_like(wn_detach(a[1])), drop);
    return norm_rows(wn_add(a[0], wn_mul(wn_mul(a[1], keep), 1 / (1 - drop))), a[2], a[3]);
}

static wn_tensor *softmax(wn_tensor **a) { return wn_softmax(a[0], -1); }
static wn_tensor *softmax_rows(wn_tensor **a) {
    wn_tensor *e = wn_exp(wn_sub(a[0], wn_amax(wn_detach(a[0]), .dims = WN_DIMS(-1), .keepdim = true)));
    return wn_div(e, wn_sum(e, .dims = WN_DIMS(-1), .keepdim = true));
}

static wn_tensor *relu_linear(wn_tensor **a) { return wn_relu(wn_add(wn_matmul(a[0], a[1]), a[2])); }
static wn_tensor *conv_relu(wn_tensor **a) { return wn_relu(wn_conv2d(a[0], a[1], .bias = a[2], .padding = WN_DIMS(1))); }

static const form forms[] = {{"chain", "rrr", chain, NULL, false},
                             {"sparse", "xm", sparse, NULL, false},
                             {"bias_gelu", "xb", bias_gelu, bias_gelu_rows, false},
                             {"layer_norm", "xwb", layer_norm, layer_norm_rows, false},
                             {"softmax", "x", softmax, softmax_rows, false},
                             {"gelu_norm", "xwb", gelu_norm, gelu_norm_rows, false},
                             {"dropout_norm", "xxwb", dropout_norm, dropout_norm_rows, true},
                             {"relu_linear", "xWv", relu_linear, NULL, false},
                             {"conv_relu", "xWo", conv_relu, NULL, false}};

/* --------------------------------------------------------------------------------------------------- running */

/* The result and the gradients; n = 0 after a failure. */
static wn_list forward_backward(fused *f, wn_tensor **out) {
    out[0] = (f->rows ? f->form->rows : f->form->plain)(f->t);
    if (!wn_ok(out[0])) return WN_NO_LIST;
    wn_list all = {.n = 1, .v = out};
    if (!f->nleaves) return all;
    const wn_list leaves = {.n = f->nleaves, .v = f->leaves};
    const wn_list g = f->cotangent ? wn_grad(WN_LIST(out[0]), leaves, .gradients = WN_LIST(f->cotangent)) : wn_grad(WN_LIST(out[0]), leaves);
    if (g.n != f->nleaves) return WN_NO_LIST;
    for (int64_t i = 0; i < g.n; i++) out[all.n++] = g.v[i];
    return all;
}

static bool run_both(fused *f, double *sums) {
    WN_SCOPE(scope);
    wn_tensor *out[1 + MAX_INPUTS];
    const int64_t from = f->nodefer ? wn_set_defer_from(-1) : 0;
    const wn_list all = forward_backward(f, out);
    for (int64_t i = 0; i < all.n; i++)
        if (sums) sum_tensor(all.v[i], sums);
        else (void)wn_data(all.v[i]);
    if (f->nodefer) wn_set_defer_from(from);
    return all.n && wn_error() == WN_OK;
}
static bool run(job *j) { return run_both(j->own, NULL); }
static bool check(job *j, double sums[2]) {
    sums[0] = sums[1] = 0;
    return run_both(j->own, sums);
}

static void spec(job *j) {
    const fused *f = j->own;
    printf(", \"before\": 1, \"op\": \"fused\", \"case\": \"%s\", \"rows\": %s, \"bwd\": %s, \"random\": %s, \"operands\": [", f->form->name, f->rows ? "true" : "false",
           f->nleaves ? "true" : "false", f->form->random ? "true" : "false");
    for (int i = 0; i < f->n; i++) {
        const operand *o = &f->operands[i];
        printf("%s{\"seed\": %d, \"dtype\": \"%s\", \"t\": false, \"grad\": %s, \"lo\": %.17g, \"hi\": %.17g, \"shape\": [", i ? ", " : "", i, short_dtype(o->dtype),
               o->grad ? "true" : "false", o->lo, o->hi);
        for (int d = 0; d < o->shape.n; d++) printf("%s%lld", d ? ", " : "", (long long)o->shape.v[d]);
        printf("]}");
    }
    printf("]");
}

static void drop_all(job *j) {
    fused *f = j->own;
    if (!f) return;
    for (int i = 0; i < f->n; i++) wn_drop(f->t[i]);
    wn_drop(f->cotangent);
    free(f);
}

/* -------------------------------------------------------------------------------------------------- building */

static bool add_input(const problem *p, fused *f, char kind, double density) {
    const wn_dims *x = &p->operands[0].shape, *w = &p->operands[1].shape;
    const int64_t last = x->n > 0 ? x->v[x->n - 1] : 1;
    operand o = tensor_operand(p->dtype, *x, -1, 1);
    if (kind == 'm') o = tensor_operand(WN_BOOL, *x, 0, density);
    else if (kind == 'w') o = tensor_operand(p->dtype, WN_DIMS(last), 0.5, 1.5);
    else if (kind == 'b') o.shape = WN_DIMS(last);
    else if (kind == 'W') o = tensor_operand(p->dtype, *w, -0.1, 0.1);
    else if (kind == 'v') o.shape = WN_DIMS(w->v[w->n - 1]);
    else if (kind == 'o') o.shape = WN_DIMS(w->v[0]);
    o.grad = p->bwd && kind != 'm' && kind != 'r' && !(p->bwd_rest && f->n == 0);
    f->operands[f->n] = o;
    f->t[f->n] = make_tensor(&o, f->n);
    if (!f->t[f->n]) return false;
    if (o.grad) f->leaves[f->nleaves++] = f->t[f->n];
    f->n++;
    return true;
}

static void count_bytes(job *j, wn_tensor *y) {
    const fused *f = j->own;
    for (int i = 0; i < f->n; i++) {
        const double n = (double)shape_numel(&f->operands[i].shape);
        j->bytes += n * (double)wn_dtype_size(f->operands[i].dtype);
        /* a product sums over all of W but the result's column */
        if (f->form->inputs[i] == 'W') j->flops = 2 * (double)wn_numel(y) * n / (double)(f->operands[i].shape.v[!strcmp(f->form->name, "conv_relu") ? 0 : 1]);
    }
    j->bytes += (double)wn_numel(y) * (double)wn_dtype_size(wn_dtype_of(y));
    if (f->nleaves) { /* a product of the same size for each operand's gradient */
        j->bytes = 0;
        j->flops *= j->problem.bwd_rest ? 2 : 3;
    }
}

bool fused_job(job *j, char *why) {
    problem *p = &j->problem;
    fused *f = j->own = calloc(1, sizeof *f);
    j->run = run, j->check = check, j->spec = spec, j->free = drop_all;
    if (!f) return fail(why, "there is no memory");
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (!strcmp(p->name + strlen("fused_"), forms[i].name)) f->form = &forms[i];
    if (!f->form) return fail(why, "there is no such problem (chain sparse bias_gelu layer_norm softmax gelu_norm dropout_norm relu_linear conv_relu)");
    f->rows = find_option(p, "rows") != NULL;
    f->nodefer = find_option(p, "nodefer") != NULL;
    const option *density = find_option(p, "density");
    const bool second = strchr(f->form->inputs, 'W') != NULL;
    for (int i = 0; i < p->noptions; i++)
        if (!p->options[i].used) return fail(why, "'%s' is not an option here (bwd rows nodefer density=0.01)", p->options[i].key);
    if (f->rows && !f->form->rows) return fail(why, "%s has no form made of rows", p->name);
    if (p->noperands != 1 + second || p->operands[0].number || (second && p->operands[1].shape.n < 2))
        return fail(why, "%s takes %s", p->name, second ? "two shapes" : "one shape");
    WN_SCOPE(scope);
    for (const char *s = f->form->inputs; *s; s++)
        if (!add_input(p, f, *s, density ? atof(density->value) : 0.01)) return fail(why, "%s", wn_error_message());
    wn_tensor *y = (f->rows ? f->form->rows : f->form->plain)(f->t);
    if (!wn_ok(y)) return fail(why, "%s", wn_error_message());
    if (p->bwd && !f->nleaves) return fail(why, "there is nothing to differentiate in %s", p->name);
    if (p->bwd && wn_numel(y) != 1) {
        const operand o = tensor_operand(p->dtype, wn_shape(y), -1, 1);
        f->cotangent = make_tensor(&o, 99);
        if (!f->cotangent) return fail(why, "%s", wn_error_message());
    }
    count_bytes(j, y);
    return run(j) || fail(why, "%s", wn_error_message());
}
