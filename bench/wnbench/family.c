/* What a problem string leaves unsaid (the target of a cross entropy, the mask of masked_select), and the least that an
 * operation has to move and compute. */
#include "bench.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Takes an option of ours (one that is not the row's) off the list. */
static bool take(problem *p, const char *key, char *value, size_t size) {
    for (int i = 0; i < p->noptions; i++)
        if (!strcmp(p->options[i].key, key)) {
            if (value) snprintf(value, size, "%s", p->options[i].value);
            memmove(&p->options[i], &p->options[i + 1], (size_t)(--p->noptions - i) * sizeof(option));
            return true;
        }
    return false;
}

static double take_number(problem *p, const char *key, double fallback) {
    char text[64];
    return take(p, key, text, sizeof text) ? atof(text) : fallback;
}

static bool rename_option(problem *p, const char *from, const char *to) {
    char text[64];
    return !take(p, from, text, sizeof text) || set_option(p, to, text);
}

static operand *add(problem *p, operand o, const wn_field *field) {
    if (p->noperands == MAX_OPERANDS) return NULL;
    o.field = field;
    p->operands[p->noperands] = o;
    return &p->operands[p->noperands++];
}

static const wn_field *field_of(const wn_op *op, const char *name) {
    int n;
    const wn_field *f = wn_op_fields(op, &n);
    for (int i = 0; i < n; i++)
        if (!strcmp(f[i].torch, name)) return &f[i];
    return NULL;
}

static int64_t size_of(const wn_dims *shape, int dim) {
    const int n = shape->n > 0 ? shape->n : 0;
    if (dim < 0) dim += n;
    return dim >= 0 && dim < n ? shape->v[dim] : 1;
}

static wn_dims vector(int64_t n) { return WN_DIMS(n); }
static wn_dims prefix(const wn_dims *shape, int n) {
    wn_dims d = {.n = n > 0 ? n : -1};
    memcpy(d.v, shape->v, (size_t)(n > 0 ? n : 0) * sizeof d.v[0]);
    return d;
}

/* A mask of the first operand's shape for the first of the row's mask fields that has none; the row's order is restored by
 * the field. density=: the share of true. */
static bool add_mask(problem *p, const wn_op *op, const char *name, double density) {
    const wn_field *f = field_of(op, name);
    operand o = tensor_operand(WN_BOOL, p->operands[0].shape, 0, density);
    return !f || add(p, o, f);
}

static bool masks(problem *p, const wn_op *op) {
    char text[64];
    const bool asked = take(p, "density", text, sizeof text);
    const double density = asked ? atof(text) : 0.5;
    int n, tensors = 0;
    const wn_field *f = wn_op_fields(op, &n);
    for (int i = 0; i < n; i++) tensors += (f[i].kind == WN_K_TENSOR || f[i].kind == WN_K_VALUE) && !f[i].fallback && strcmp(f[i].name, "out");
    if (p->noperands < tensors && (!add_mask(p, op, "mask", density) || !add_mask(p, op, "condition", density))) return false;
    if (asked && !strcmp(wn_op_name(op), "index")) return add_mask(p, op, "indices", density); /* x[mask] */
    return !asked || !field_of(op, "where") || add_mask(p, op, "where", density);
}

/* Rows with an index operand: its field, its form, and the operand whose form follows from it. Indices are uniform in range. */
typedef enum form {
    ROWS,      /* n= of them along dim (default: the first dimension) */
    ELEMENTS,  /* one for each element: a shape like the first operand's */
    POSITIONS, /* the same, in the flattened operand */
} form;
static const struct indexed {
    const char *row, *index;
    form form;
    const char *source; /* for ROWS: its slices */
} indexed_rows[] = {
    {"embedding", "indices", ROWS, NULL},
    {"index_select", "index", ROWS, NULL},
    {"index_add", "index", ROWS, "source"},
    {"index_copy", "index", ROWS, "source"},
    {"index_reduce", "index", ROWS, "source"},
    {"index_fill", "index", ROWS, NULL},
    {"index", "indices", ROWS, NULL},
    {"index_put", "indices", ROWS, "values"},
    {"gather", "index", ELEMENTS, NULL},
    {"take_along_dim", "indices", ELEMENTS, NULL},
    {"scatter", "index", ELEMENTS, NULL},
    {"scatter_add", "index", ELEMENTS, NULL},
    {"scatter_reduce", "index", ELEMENTS, NULL},
    {"scatter_value", "index", ELEMENTS, NULL},
    {"take", "index", POSITIONS, NULL},
    {"put", "index", POSITIONS, NULL},
};

/* The index operand (of the second shape, where one is given) and the source that goes with it. */
static bool add_indices(problem *p, const wn_op *op, const struct indexed *x) {
    const wn_dims first = p->operands[0].shape;
    const option *given = find_option(p, "dim");
    int dim = given ? atoi(given->value) : 0;
    if (dim < 0) dim += first.n;
    wn_dims shape = x->form == ROWS ? vector((int64_t)take_number(p, "n", 1024)) : first;
    if (p->noperands > 1) shape = p->operands[1].shape;
    operand o = tensor_operand(WN_I64, shape, 0, (double)(x->form == POSITIONS ? shape_numel(&first) : size_of(&first, dim)));
    o.field = field_of(op, x->index);
    if (p->noperands > 1) p->operands[1] = o;
    else if (!add(p, o, o.field)) return false;
    if (!x->source || p->noperands > 2) return true;
    operand slices = p->operands[0];
    slices.shape.v[dim] = shape_numel(&shape);
    slices.transposed = false;
    return add(p, slices, field_of(op, x->source));
}

static const struct indexed *indexed_row(const wn_op *op) {
    for (size_t i = 0; i < sizeof indexed_rows / sizeof *indexed_rows; i++)
        if (!strcmp(wn_op_name(op), indexed_rows[i].row)) return &indexed_rows[i];
    return NULL;
}

static bool is(const problem *p, const char *name) { return !strcmp(p->name, name); }

static bool weight_and_bias(problem *p, const wn_op *op, int64_t n) {
    if (p->noperands > 1) return true;
    return add(p, tensor_operand(p->dtype, vector(n), 0.5, 1.5), field_of(op, "weight")) &&
           add(p, tensor_operand(p->dtype, vector(n), -1, 1), field_of(op, "bias"));
}

static bool conv(problem *p, const wn_op *op, char *why) {
    char text[64];
    const bool bias = !take(p, "nobias", NULL, 0);
    if (take(p, "w", text, sizeof text)) {
        operand o = tensor_operand(p->dtype, WN_0D, -0.1, 0.1);
        if (!parse_shape(text, &o.shape, &o.transposed)) return fail(why, "w='%s' is not a shape", text);
        if (!add(p, o, field_of(op, "weight"))) return false;
        if (bias && !add(p, tensor_operand(p->dtype, vector(size_of(&o.shape, 0)), -1, 1), field_of(op, "bias"))) return false;
    }
    return rename_option(p, "pad", "padding");
}

bool complete_problem(problem *p, const wn_op *op, char *why) {
    bool good = true;
    char text[64];
    const wn_dims *first = &p->operands[0].shape;
    const struct indexed *x = indexed_row(op);
    operand *o = &p->operands[0];
    if (take(p, "range", text, sizeof text)) o->lo = 0, o->hi = atof(text), o->given_range = true;
    if (is(p, "conv1d") || is(p, "conv2d") || is(p, "conv3d")) {
        if (!conv(p, op, why)) return *why ? false : fail(why, "there are too many operands");
    } else if (is(p, "max_pool2d") || is(p, "avg_pool2d")) {
        good = rename_option(p, "k", "kernel_size") && rename_option(p, "pad", "padding");
    } else if (is(p, "cross_entropy") || is(p, "nll_loss")) {
        good = p->noperands > 1 || add(p, tensor_operand(WN_I64, vector(size_of(first, 0)), 0, (double)size_of(first, 1)), field_of(op, "target"));
    } else if (is(p, "layer_norm") || is(p, "rms_norm")) {
        snprintf(text, sizeof text, "%lld", (long long)size_of(first, -1));
        good = set_option(p, "normalized_shape", text) &&
               (is(p, "rms_norm") ? p->noperands > 1 || add(p, tensor_operand(p->dtype, vector(size_of(first, -1)), 0.5, 1.5), field_of(op, "weight"))
                                  : weight_and_bias(p, op, size_of(first, -1)));
    } else if (is(p, "group_norm")) {
        good = weight_and_bias(p, op, size_of(first, 1));
    } else if (is(p, "batch_norm")) {
        const wn_dims c = vector(size_of(first, 1));
        good = weight_and_bias(p, op, size_of(first, 1)) && set_option(p, "training", "1") &&
               add(p, tensor_operand(p->dtype, c, -1, 1), field_of(op, "running_mean")) &&
               add(p, tensor_operand(p->dtype, c, 0.5, 1.5), field_of(op, "running_var"));
    } else if (is(p, "nonzero") || is(p, "count_nonzero") || is(p, "argwhere")) {
        p->operands[0].density = take_number(p, "density", 1);
    } else if (is(p, "searchsorted") || is(p, "bucketize")) {
        p->operands[is(p, "bucketize")].sorted = true;
    } else if (x && !(is(p, "index") && find_option(p, "density"))) {
        good = add_indices(p, op, x);
    } else if (is(p, "dropout")) {
        good = set_option(p, "p", "0.5") && set_option(p, "train", "1");
    } else if (is(p, "linear") && p->noperands == 2) {
        good = add(p, tensor_operand(p->dtype, prefix(&p->operands[1].shape, 1), -1, 1), field_of(op, "bias"));
    }
    return (good && masks(p, op)) || fail(why, "there are too many operands");
}

/* ---------------------------------------------------------------------------------------------------- costs */

static double weight_of(const operand *o) { return o->number ? 0 : (double)shape_numel(&o->shape) * (double)wn_dtype_size(o->dtype); }

/* Products of an einsum: all labels' sizes multiplied. */
static double einsum_flops(problem *p) {
    const option *e = find_option(p, "equation");
    double size[128] = {0}, products = 1;
    if (!e) return 0;
    int at = 0, dim = 0;
    for (const char *s = e->value; *s && *s != '-'; s++) {
        if (*s == ',') at++, dim = 0;
        else if (at < p->noperands) size[*s & 127] = (double)size_of(&p->operands[at].shape, dim++);
    }
    for (int i = 0; i < 128; i++) products *= size[i] > 0 ? size[i] : 1;
    return 2 * products;
}

void count_cost(const problem *p, wn_list outs, double *bytes, double *flops) {
    problem copy = *p;
    const operand *o = p->operands;
    double out_bytes = 0;
    for (int64_t i = 0; i < outs.n; i++) out_bytes += (double)wn_numel(outs.v[i]) * (double)wn_dtype_size(wn_dtype_of(outs.v[i]));
    *bytes = out_bytes;
    for (int i = 0; i < p->noperands; i++) *bytes += weight_of(&o[i]);
    if (is(p, "index_select") || is(p, "embedding")) *bytes = 2 * out_bytes + weight_of(&o[1]); /* only the rows asked for */
    const double out = outs.n ? (double)wn_numel(outs.v[0]) : 0;
    *flops = 0;
    if (is(p, "matmul") || is(p, "mm") || is(p, "bmm") || is(p, "linear")) *flops = 2 * out * (double)size_of(&o[0].shape, -1);
    else if (is(p, "addmm") && p->noperands > 1) *flops = 2 * out * (double)size_of(&o[1].shape, -1);
    else if (is(p, "conv2d") && p->noperands > 1) *flops = 2 * out * (double)shape_numel(&o[1].shape) / (double)size_of(&o[1].shape, 0);
    else if (is(p, "einsum")) *flops = einsum_flops(&copy);
    if (p->bwd) *flops *= p->bwd_rest ? 2 : 3; /* one product of the same size for each operand's gradient */
}
