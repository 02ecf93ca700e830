/* The steps of the random programs. SPDX-License-Identifier: Apache-2.0 */
#include "call/dispatch.h" /* struct wn_op: which rows are pointwise, and what their operands are */
#include "machine.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool numel_is(machine *m, const wn_tensor *t, const void *with) {
    (void)m;
    return wn_numel(t) == *(const int64_t *)with;
}
static bool is_long(machine *m, const wn_tensor *t, const void *with) {
    return wn_dtype_of(t) == WN_I64 && (!with || fits(m, t, with));
}
static bool float_matrix(machine *m, const wn_tensor *t, const void *with) {
    return is_float(m, t, NULL) && wn_ndim(t) == 2 && (!with || wn_size(t, 0) == *(const int64_t *)with) && wn_size(t, 0) <= 200;
}
static bool is_vector(machine *m, const wn_tensor *t, const void *with) {
    return is_float(m, t, NULL) && wn_ndim(t) == 1 && wn_size(t, 0) == *(const int64_t *)with;
}

/* ------------------------------------------------------------------ new tensors */

static double special(machine *m) {
    static const double v[] = {0, -0.0, INFINITY, -INFINITY, NAN, 0x1p-149, -0x1p-130, 0x1p-1074, 1, -1, 1e30, -1e30, 2147483648.0, 16777217, 65504, 1e-8, 0.5};
    return v[below(m, (int64_t)(sizeof v / sizeof *v))];
}

void draw_shapes(machine *m) {
    static const int64_t big[][2] = {{100, 100}, {12, 1000}, {97, 130}, {1000, 12}, {9000, 1}, {1, 9001}, {40, 500}, {300, 30}};
    const int kind = (int)below(m, 100);
    int64_t r = 1 + below(m, 8), c = 1 + below(m, 40);
    m->large = kind < 8;
    if (m->large) r = big[kind][0], c = big[kind][1];
    else if (kind < 20) r = 12 + below(m, 20), c = 20 + below(m, 50);
    else if (kind < 23) r = 0;
    const wn_dims shapes[SHAPES] = {WN_DIMS(r, c), WN_DIMS(r, c), WN_DIMS(r, c), WN_DIMS(c), WN_DIMS(r, 1), WN_0D, WN_DIMS(c, r), WN_DIMS(2, r, c)};
    memcpy(m->shapes, shapes, sizeof shapes);
}

/* A mask's true elements come in runs, so that whole blocks of large ones are empty or full. */
static void fill_mask(machine *m, unsigned char *to, int64_t n) {
    static const double shares[] = {0, 0.01, 0.1, 0.5, 0.9, 1};
    const double share = shares[below(m, 6)];
    const bool runs = chance(m, 40);
    double here = share;
    for (int64_t i = 0; i < n; i++) {
        if (runs && i % 700 == 0) here = uniform(m, 0, 1) < share ? 1 : uniform(m, 0, 1) < 0.5 ? 0 : share;
        to[i] = uniform(m, 0, 1) < here;
    }
}

static wn_tensor *make(machine *m, const wn_dims *shape, wn_dtype dtype) {
    const int64_t n = dims_numel(shape);
    double *d = malloc((size_t)(n + 1) * sizeof *d);
    if (!d) abort();
    const bool wild = chance(m, 25), integral = dtype >= WN_I8;
    if (dtype == WN_BOOL) fill_mask(m, (unsigned char *)d, n);
    else
        for (int64_t i = 0; i < n; i++) {
            d[i] = uniform(m, -2, 2);
            if (integral) d[i] = floor(d[i] * 4);
            if (wild && chance(m, 10)) d[i] = integral ? floor(uniform(m, -1e5, 1e5)) : special(m);
        }
    if (dtype == WN_F32)
        for (int64_t i = 0; i < n; i++) ((float *)d)[i] = (float)d[i]; /* shorter: does not overtake the reading */
    if (integral && dtype != WN_BOOL)
        for (int64_t i = 0; i < n; i++) ((int64_t *)d)[i] = (int64_t)d[i];
    const wn_dtype from = dtype == WN_F32 || dtype == WN_BOOL ? dtype : integral ? WN_I64 : WN_F64;
    wn_tensor *t = wn_from_data(d, *shape, from);
    free(d);
    return from == dtype ? t : wn_to(t, dtype);
}

static void create(machine *m) {
    static const wn_dtype dtypes[] = {WN_F32, WN_F32, WN_F32, WN_F32, WN_F32, WN_F64, WN_F16, WN_BF16, WN_I32, WN_I64, WN_I8, WN_U8, WN_BOOL, WN_BOOL, WN_BOOL};
    const wn_dims *shape = &m->shapes[below(m, SHAPES)];
    wn_tensor *t = make(m, shape, dtypes[below(m, (int64_t)(sizeof dtypes / sizeof *dtypes))]);
    if (!wn_ok(t)) return;
    const bool leaf = is_float(m, t, NULL) && chance(m, 50);
    if (leaf && wn_is_leaf(t)) wn_requires_grad(t, true);
    const int i = put(m, wn_keep(t));
    note(m, "new -> s%d", i);
    describe(m, t);
}

/* Draws: the stream is taken at the call, whether anybody reads them or not. */
static void draws(machine *m) {
    static const wn_dtype dtypes[] = {WN_F32, WN_F32, WN_F32, WN_F64, WN_F16};
    const wn_dims *shape = &m->shapes[below(m, SHAPES)];
    const wn_dtype dtype = dtypes[below(m, 5)];
    const int from = chance(m, 40) ? pick(m, is_float, NULL) : -1, kind = (int)below(m, 3);
    wn_tensor *t;
    if (chance(m, 10)) wn_manual_seed(m->seed + (uint64_t)below(m, 3));
    if (from >= 0) t = kind ? wn_rand_like(m->pool[from].t) : wn_randn_like(m->pool[from].t);
    else t = kind ? wn_rand(*shape, .dtype = dtype) : wn_randn(*shape, .dtype = dtype);
    if (!wn_ok(t)) return;
    if (chance(m, 10)) return note(m, "draws, dropped");
    if (chance(m, 40)) t = wn_ge(t, kind ? 0.4 : -0.2);
    else if (chance(m, 30)) wn_requires_grad(t, true);
    note(m, "draws %d (s%d) -> s%d", kind, from, put(m, wn_keep(t)));
    describe(m, t);
}

static void unwrap(void *p) {
    foreign *f = p;
    free(f->data);
    f->data = NULL;
}
/* Memory of ours: operations on it run at once, so that what we write there later changes no result. */
static void wrap(machine *m) {
    foreign *f = &m->foreign[below(m, FOREIGN)];
    if (f->data && chance(m, 50)) {
        note(m, "write to foreign memory");
        for (int64_t i = 0; i < f->n; i++) f->data[i] = f->data[i] * 0.5f + 1;
    } else if (f->data) {
        note(m, "look at foreign memory");
        show_bytes(m, "foreign memory", f->data, f->n, WN_F32);
    } else {
        const wn_dims *shape = &m->shapes[below(m, SHAPES)];
        f->n = dims_numel(shape);
        f->data = malloc((size_t)(f->n + 1) * sizeof *f->data);
        if (!f->data) abort();
        for (int64_t i = 0; i < f->n; i++) f->data[i] = (float)uniform(m, -2, 2);
        wn_tensor *t = wn_from_memory(f->data, *shape, WN_UNSET, WN_F32, unwrap, f);
        if (!wn_ok(t)) return;
        note(m, "wrap -> s%d", put(m, wn_keep(t)));
        describe(m, t);
    }
}

/* ------------------------------------------------------------------ pointwise rows */

static const char *const often[] = {"add",  "sub",   "mul",  "mul",        "add",       "where",     "where",   "where",   "masked_fill", "neg",     "abs",  "relu",  "tanh",
                                    "sigmoid", "exp", "square", "gt",       "lt",        "ge",        "eq",      "ne",      "logical_and", "logical_not", "addcmul", "lerp", "gelu",
                                    "log1p", "sqrt", "div", "reciprocal", "maximum", "minimum", "clamp_min", "leaky_relu", "rsqrt", "log", "silu", "logical_or", "sign"};


static const wn_op *pointwise_row(machine *m) {
    if (chance(m, 75)) return wn_op_find(often[below(m, (int64_t)(sizeof often / sizeof *often))]);
    for (;;) {
        const wn_op *op = wn_op_at((int)below(m, wn_op_count()));
        /* signbit tells the sign of a NaN */
        if (op->cls == WN__POINTWISE && !(op->flags & (WN__F_INPLACE_ONLY | WN__F_RANDOM)) && strcmp(op->name, "signbit")) return op;
    }
}

static wn_dims broadcast(const wn_dims *a, const wn_dims *b) {
    const int na = a->n > 0 ? a->n : 0, nb = b->n > 0 ? b->n : 0, n = na > nb ? na : nb;
    wn_dims d = {.n = n ? n : -1};
    for (int k = 1; k <= n; k++) {
        const int64_t x = k <= na ? a->v[na - k] : 1, y = k <= nb ? b->v[nb - k] : 1;
        d.v[n - k] = x == 1 ? y : x;
    }
    return d;
}

static void pointwise(machine *m) {
    static const double numbers[] = {0, 1, 2, -1, 0.5, -0.25, 3, 1.5};
    const wn_op *op = pointwise_row(m);
    const bool inplace = op->flags & WN__F_INPLACE && chance(m, 30);
    wn_dims shape = WN_0D;
    call c;
    if (!begin(m, &c, wn_op_cname(op))) return;
    bool first = true;
    for (int k = 0; k < op->noperands; k++) {
        const wn_field *f = &op->fields[op->operands[k]];
        const bool mask = op->bool_operands >> k & 1;
        if (f->kind == WN_K_SCALAR) {
            if (!f->fallback || chance(m, 30)) pass_number(&c, f->torch, numbers[below(m, 8)]);
            continue;
        }
        const bool floats = op->types == WN__TY_FLOAT_ONLY || (op->types != WN__TY_BITS && chance(m, 60));
        int i = mask ? pick(m, is_bool, first ? NULL : &shape) : -1;
        if (i < 0 && f->kind == WN_K_VALUE && !first && !mask && chance(m, 30)) {
            pass_number(&c, f->torch, numbers[below(m, 8)]);
            continue;
        }
        if (i < 0 && floats && first) i = pick(m, is_float, NULL);
        if (i < 0) i = pick(m, first && !chance(m, 5) ? NULL : fits, &shape);
        if (i < 0) return;
        wn_dims with = wn_shape(m->pool[i].t);
        if (!first && !fits(m, m->pool[i].t, &shape)) return;
        shape = first ? with : broadcast(&shape, &with);
        pass_tensor(&c, f->torch, i);
        first = false;
    }
    if (!inplace && op->out_offset && chance(m, 4)) {
        const int o = pick(m, same_shape, &shape);
        if (o >= 0) pass_tensor(&c, "out", o);
    }
    finish(&c, inplace);
}

static void cast(machine *m) {
    static const wn_dtype to[] = {WN_F32, WN_F32, WN_F64, WN_F16, WN_BF16, WN_I32, WN_I64, WN_I8, WN_U8, WN_BOOL, WN_I16};
    const int i = pick(m, NULL, NULL);
    call c;
    if (i < 0 || !begin(m, &c, "to")) return;
    pass_tensor(&c, "self", i);
    pass_int(&c, "dtype", to[below(m, 11)]);
    if (chance(m, 20)) pass_int(&c, "copy", 1);
    finish(&c, false);
}

static void overwrite(machine *m) {
    static const char *const names[] = {"zero_", "fill", "copy_", "copy_", "copy_"};
    const int kind = (int)below(m, 5), i = pick(m, NULL, NULL);
    if (i < 0) return;
    const wn_dims shape = wn_shape(m->pool[i].t);
    const int from = pick(m, chance(m, 70) ? same_shape : fits, &shape);
    call c;
    if ((kind > 1 && from < 0) || !begin(m, &c, names[kind])) return;
    pass_tensor(&c, "self", i);
    if (kind == 1) pass_number(&c, "value", special(m));
    if (kind > 1) pass_tensor(&c, "src", from);
    finish(&c, true);
}

/* ------------------------------------------------------------------ views and copies */

static void view(machine *m) {
    static const char *const names[] = {"slice", "slice", "transpose", "reshape", "select", "expand", "detach", "t", "unsqueeze", "flatten", "narrow", "diagonal", "view"};
    const int i = pick(m, NULL, NULL), kind = (int)below(m, 13);
    if (i < 0) return;
    wn_tensor *t = m->pool[i].t;
    const int n = wn_ndim(t);
    const int64_t dim = below(m, n ? n : 1), size = n ? wn_size(t, (int)dim) : 1;
    call c;
    if (!begin(m, &c, names[kind])) return;
    pass_tensor(&c, "self", i);
    wn_dims d = wn_shape(t);
    switch (kind) {
    case 0: case 1:
        pass_int(&c, "dim", dim);
        pass_int(&c, "start", below(m, size ? size : 1));
        if (chance(m, 70)) pass_int(&c, "end", size - below(m, size / 2 + 1));
        if (chance(m, 25)) pass_int(&c, "step", 1 + below(m, 3));
        break;
    case 2: pass_int(&c, "dim0", below(m, n ? n : 1)); pass_int(&c, "dim1", below(m, n ? n : 1)); break;
    case 3: case 12: /* the same elements under another shape of the program, or flat */
        d = WN_DIMS(dims_numel(&d));
        for (int k = 0; k < SHAPES; k++)
            if (dims_numel(&m->shapes[k]) == d.v[0] && chance(m, 40)) d = m->shapes[k];
        pass_dims(&c, kind == 3 ? "shape" : "size", &d);
        break;
    case 4: pass_int(&c, "dim", dim); pass_int(&c, "index", below(m, size ? size : 1)); break;
    case 5:
        for (int k = 0; k < SHAPES; k++)
            if (fits(m, t, &m->shapes[k]) && m->shapes[k].n >= n && chance(m, 50)) d = m->shapes[k];
        pass_dims(&c, "size", &d);
        break;
    case 8: pass_int(&c, "dim", below(m, n + 1)); break;
    case 10: pass_int(&c, "dim", dim); pass_int(&c, "start", 0); pass_int(&c, "length", below(m, size + 1)); break;
    default: break;
    }
    finish(&c, false);
}

static void copy(machine *m) {
    static const char *const names[] = {"clone", "clone", "contiguous", "flip", "triu", "cumsum", "zeros_like", "full_like", "split", "cat"};
    const int i = pick(m, NULL, NULL), kind = (int)below(m, 10);
    call c;
    if (i < 0 || !begin(m, &c, names[kind])) return;
    wn_tensor *t = m->pool[i].t;
    const wn_dims zero = WN_DIMS(0);
    if (kind == 9) {
        const wn_dims shape = wn_shape(t);
        const int two[] = {i, pick(m, same_shape, &shape)};
        if (2 * wn_numel(t) > MOST) return;
        pass_list(&c, "tensors", two, 2);
    } else pass_tensor(&c, "self", i);
    if (kind == 3) pass_dims(&c, "dims", &zero);
    if (kind == 5) pass_int(&c, "dim", -1);
    if (kind == 7) pass_number(&c, "fill_value", 2);
    if (kind == 8) pass_int(&c, "split_size", wn_ndim(t) ? wn_size(t, 0) / 2 + 1 : 1);
    finish(&c, false);
}

/* ------------------------------------------------------------------ what reads */

static void reduce(machine *m) {
    static const char *const names[] = {"sum", "sum", "sum", "mean", "amax", "amin", "var", "std", "any", "all", "max", "argmax", "logsumexp", "prod", "count_nonzero", "norm", "var_mean", "max.dim"};
    const int kind = (int)below(m, 18), i = pick(m, kind < 12 ? NULL : is_float, NULL);
    call c;
    if (i < 0 || !begin(m, &c, names[kind])) return;
    wn_tensor *t = m->pool[i].t;
    const int n = wn_ndim(t);
    const wn_dims last = WN_DIMS(-1), first = WN_DIMS(0), two = WN_DIMS(-1, -2);
    pass_tensor(&c, "self", i);
    if (kind == 10) { /* max takes none */
    } else if (kind == 11 || kind == 17) pass_int(&c, "dim", n ? below(m, n) : 0);
    else if (n && (chance(m, 65) || kind == 12)) pass_dims(&c, "dim", chance(m, 60) ? &last : n > 1 && chance(m, 30) ? &two : &first);
    if (kind != 10 && kind != 14 && chance(m, 50)) pass_int(&c, "keepdim", 1);
    const wn_dims shape = wn_shape(t);
    const int mask = chance(m, 25) ? pick(m, is_bool, &shape) : -1;
    if (mask >= 0) pass_tensor(&c, "where", mask);
    if (kind < 3 && chance(m, 10)) pass_int(&c, "dtype", WN_F64);
    finish(&c, false);
}

static void rows(machine *m) {
    static const char *const names[] = {"softmax", "log_softmax", "layer_norm", "layer_norm", "rms_norm", "mse_loss", "dropout", "rand_like", "masked_select", "masked_select", "masked_scatter", "batch_norm", "l1_loss", "uniform_", "_masked_scale"};
    const int kind = (int)below(m, 15), one = 1;
    int i = pick(m, is_float, NULL);
    if (i < 0 || (kind < 5 && !has_dims(m, m->pool[i].t, &one))) return;
    wn_dims shape = wn_shape(m->pool[i].t);
    const int64_t last = shape.n > 0 ? shape.v[shape.n - 1] : 1;
    const wn_dims normalized = WN_DIMS(last);
    const int mask = pick(m, is_bool, &shape), other = pick(m, same_shape, &shape);
    call c;
    if (!begin(m, &c, names[kind])) return;
    switch (kind) {
    case 0: case 1:
        pass_tensor(&c, "self", i);
        pass_int(&c, "dim", chance(m, 80) ? -1 : 0);
        if (mask >= 0 && chance(m, 30)) pass_tensor(&c, "where", mask);
        break;
    case 2: case 3: case 4: {
        pass_tensor(&c, "input", i);
        pass_dims(&c, "normalized_shape", &normalized);
        const int w = pick(m, is_vector, &last), b = pick(m, is_vector, &last);
        if (w >= 0 && b >= 0 && chance(m, 70)) {
            pass_tensor(&c, "weight", w);
            if (kind < 4) pass_tensor(&c, "bias", b);
        }
        break;
    }
    case 5: case 12: pass_tensor(&c, "input", i); pass_tensor(&c, "target", other); break;
    case 6: pass_tensor(&c, "input", i); pass_number(&c, "p", 0.5); pass_int(&c, "train", 1); break;
    case 7: case 13: pass_tensor(&c, "self", i); break;
    case 8: case 9: case 10: case 14:
        if (mask < 0) return;
        pass_tensor(&c, "self", i);
        pass_tensor(&c, "mask", mask);
        if (kind == 10) pass_tensor(&c, "source", other);
        if (kind == 14) pass_number(&c, "scale", 2);
        break;
    default: {
        const int64_t channels = shape.n > 1 ? shape.v[1] : -1;
        const int mean = pick(m, is_vector, &channels), var = pick(m, is_vector, &channels);
        pass_tensor(&c, "input", i);
        if (mean >= 0 && var != mean) pass_tensor(&c, "running_mean", mean), pass_tensor(&c, "running_var", var);
        pass_int(&c, "training", 1);
    }
    }
    finish(&c, kind == 13);
}

static void contract(machine *m) {
    const int i = pick(m, float_matrix, NULL), kind = (int)below(m, 4);
    call c;
    if (i < 0) return;
    wn_tensor *t = m->pool[i].t;
    const int64_t r = wn_size(t, 0), k = wn_size(t, 1);
    int result = -1;
    if (kind < 2 && k <= 1100) {
        const int j = pick(m, float_matrix, &k);
        if (j < 0 || !begin(m, &c, "matmul")) return;
        pass_tensor(&c, "self", i);
        pass_tensor(&c, "other", j);
        result = finish(&c, false);
    } else if (kind == 2) { /* weight [10, k] made here */
        const wn_dims shape = WN_DIMS(10, k), bias = WN_DIMS(10);
        wn_tensor *w = make(m, &shape, wn_dtype_of(t)), *b = make(m, &bias, wn_dtype_of(t));
        wn_tensor *y = wn_linear(t, w, .bias = chance(m, 70) ? b : NULL);
        note(m, "linear(s%d, w, b)", i);
        if (wn_ok(y)) result = put(m, wn_keep(y)), note(m, " -> s%d", result), describe(m, y);
    } else if (r * k <= 4000) { /* an image of one channel, a weight made here */
        const wn_dims shape = WN_DIMS(3, 1, 3, 3), bias = WN_DIMS(3);
        wn_tensor *w = make(m, &shape, wn_dtype_of(t)), *b = make(m, &bias, wn_dtype_of(t));
        wn_tensor *y = wn_conv2d(wn_reshape(t, WN_DIMS(1, 1, r, k)), w, .bias = b, .padding = WN_DIMS(1));
        note(m, "conv2d(s%d, w, b)", i);
        if (wn_ok(y)) result = put(m, wn_keep(y)), note(m, " -> s%d", result), describe(m, y);
    }
    if (result < 0 || !m->pool[result].t || chance(m, 30)) return; /* what may become an epilogue */
    const int64_t columns = wn_ndim(m->pool[result].t) ? wn_size(m->pool[result].t, -1) : 1;
    const int bias = pick(m, is_vector, &columns);
    wn_tensor *y = m->pool[result].t;
    if (bias >= 0) y = wn_add(y, m->pool[bias].t);
    y = chance(m, 60) ? wn_relu(y) : wn_mul(wn_tanh(y), 2);
    note(m, "; bias s%d, activation", bias);
    if (wn_ok(y)) note(m, " -> s%d", put(m, wn_keep(y))), describe(m, y);
}

static void gather(machine *m) {
    const int one = 1, i = pick(m, has_dims, &one), index = pick(m, is_long, NULL);
    call c;
    if (i < 0 || index < 0 || !begin(m, &c, "index_select")) return;
    pass_tensor(&c, "self", i);
    pass_int(&c, "dim", 0);
    pass_tensor(&c, "index", index);
    finish(&c, false);
}

static void look(machine *m) {
    static char text[1 << 16];
    const int kind = (int)below(m, 10);
    const int64_t single = 1;
    const int i = kind < 3 ? pick(m, numel_is, &single) : pick(m, NULL, NULL);
    if (i < 0) return;
    wn_tensor *t = m->pool[i].t;
    if (kind < 3) {
        const double v = wn_item_f64(t);
        if (isnan(v)) note(m, "item(s%d) = nan", i);
        else note(m, "item(s%d) = %.17g", i, v);
    } else if (kind < 7) {
        note(m, "read s%d", i);
        show(m, m->line, t);
    } else if (kind < 9) {
        const void *p = wn_data(t);
        note(m, "data(s%d)", i);
        if (p && wn_numel(t)) show_bytes(m, m->line, p, wn_is_contiguous(t) ? wn_numel(t) : 1, wn_dtype_of(t));
    } else if (wn_numel(t) < 3000) {
        wn_repr(t, text, sizeof text);
        for (char *s = text; (s = strstr(s, "-nan"));) memmove(s, s + 1, strlen(s));
        uint64_t h = 14695981039346656037u;
        for (const char *s = text; *s; s++) h = (h ^ (unsigned char)*s) * 1099511628211u;
        note(m, "print s%d: %zu characters, hash %016llx", i, strlen(text), (unsigned long long)h);
    }
}

static void poke(machine *m) {
    const int i = pick(m, NULL, NULL);
    if (i < 0 || !wn_numel(m->pool[i].t)) return;
    wn_tensor *t = m->pool[i].t;
    const size_t size = wn_dtype_size(wn_dtype_of(t));
    int64_t at = 0;
    for (int d = 0; d < wn_ndim(t); d++) at += below(m, wn_size(t, d)) * wn_stride(t, d);
    char *p = wn_data_mut(t);
    note(m, "data_mut(s%d)[%lld] =", i, (long long)at);
    if (!p) return;
    memset(p + at * (int64_t)size, wn_dtype_of(t) == WN_BOOL ? 1 : 0x3c, size);
    describe(m, t);
}

void one_step(machine *m) {
    static const struct {
        void (*run)(machine *m);
        int weight;
    } steps[] = {{create, 10}, {draws, 8}, {wrap, 2}, {pointwise, 44}, {cast, 4}, {overwrite, 5}, {view, 11}, {copy, 5}, {reduce, 9}, {rows, 7}, {contract, 3},
                 {gather, 1}, {accumulate, 2}, {masked, 4}, {compose, 3}, {look, 4}, {poke, 2}, {differentiate, 6}, {gradient, 3}, {mark, 1}, {scope, 4}, {handle, 4}, {setting, 1}};
    int total = 0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) total += steps[i].weight;
    if (m->step < 4) {
        create(m);
        return;
    }
    int64_t at = below(m, total);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        at -= steps[i].weight;
        if (at < 0) {
            steps[i].run(m);
            return;
        }
    }
}
