/* Convolution, pooling and losses as operations: against plain loops in double for all dtypes and layouts, gradients and second
 * gradients by central differences, the same bits for any thread count, messages. */
#include "contract_check.h"

static const wn_dtype floats[] = {WN_F32, WN_F64, WN_F16, WN_BF16};

static wn_tensor *any(wn_dims shape, wn_dtype t) { return random_tensor(shape, t, (int)below(LAYOUTS)); }
static wn_tensor *leaf(wn_dims shape) { return wn_requires_grad(wn_detach(random_tensor(shape, WN_F64, PLAIN)), true); }
static void gradients(const char *what, wn_fn fn, void *ctx, wn_list in, bool second) {
    check(wn_gradcheck(fn, ctx, in, 1e-6, 1e-7, 1e-5, second) == WN_OK, "gradients of %s", what);
}
/* Numbers that are all different, so that maxima stay where they are under small changes. */
static wn_tensor *distinct(wn_dims shape, wn_dtype t) {
    wn_tensor *x = wn_empty(shape, .dtype = t);
    const int64_t n = wn_numel(x);
    char *p = wn_data_mut(x);
    for (int64_t i = 0; i < n; i++) wn__store_val(t, p + (size_t)i * wn_dtype_size(t), wn_val_of_float((double)(i * 7919 % 1009) / 100 - 5));
    return x;
}

/* ------------------------------------------------------------------------------------------------ convolution */

typedef struct conv {
    int nd;
    int64_t batch, c, o, groups, in[3], kernel[3], stride[3], padding[3], dilation[3], out[3];
} conv;

static wn_dims spatial(const conv *p, const int64_t *v) {
    wn_dims d = {.n = p->nd};
    for (int i = 0; i < p->nd; i++) d.v[i] = v[i];
    return d;
}

static conv random_conv(void) {
    conv p = {.nd = 1 + (int)below(3), .batch = 1 + below(3), .groups = maybe(3) ? 1 + below(3) : 1};
    p.c = p.groups * (1 + below(4));
    p.o = p.groups * (1 + below(5));
    for (int i = 0; i < 3; i++) {
        const bool used = i < p.nd;
        p.kernel[i] = used ? 1 + below(3) : 1;
        p.stride[i] = used ? 1 + below(3) : 1;
        p.dilation[i] = used ? 1 + below(2) : 1;
        p.padding[i] = used ? below(3) : 0;
        const int64_t window = (p.kernel[i] - 1) * p.dilation[i] + 1, least = window - 2 * p.padding[i];
        p.in[i] = used ? (least > 1 ? least : 1) + below(p.nd == 3 ? 4 : 9) : 1;
        p.out[i] = (p.in[i] + 2 * p.padding[i] - window) / p.stride[i] + 1;
    }
    return p;
}

/* For all products x * w that make up y: y[yi] += x[xi] * w[wi], and likewise the gradients, where asked for. */
static void convolve(const conv *p, const double *x, const double *w, double *y, const double *g, double *gx, double *gw) {
    const int64_t cg = p->c / p->groups, og = p->o / p->groups;
    const int64_t ni = p->in[0] * p->in[1] * p->in[2], no = p->out[0] * p->out[1] * p->out[2], nk = p->kernel[0] * p->kernel[1] * p->kernel[2];
    for (int64_t b = 0; b < p->batch; b++)
        for (int64_t o = 0; o < p->o; o++)
            for (int64_t c = 0; c < cg; c++)
                for (int64_t q = 0; q < no; q++)
                    for (int64_t k = 0; k < nk; k++) {
                        const int64_t at[3] = {q / (p->out[1] * p->out[2]), q / p->out[2] % p->out[1], q % p->out[2]};
                        const int64_t tap[3] = {k / (p->kernel[1] * p->kernel[2]), k / p->kernel[2] % p->kernel[1], k % p->kernel[2]};
                        int64_t from = 0;
                        bool inside = true;
                        for (int i = 0; i < 3; i++) {
                            const int64_t f = at[i] * p->stride[i] - p->padding[i] + tap[i] * p->dilation[i];
                            inside &= f >= 0 && f < p->in[i];
                            from = from * p->in[i] + f;
                        }
                        if (!inside) continue;
                        const int64_t xi = (b * p->c + o / og * cg + c) * ni + from, wi = (o * cg + c) * nk + k, yi = (b * p->o + o) * no + q;
                        if (y) y[yi] += x[xi] * w[wi];
                        if (gx) gx[xi] += g[yi] * w[wi];
                        if (gw) gw[wi] += g[yi] * x[xi];
                    }
}

static wn_tensor *run_conv(const conv *p, wn_tensor *x, wn_tensor *w, wn_tensor *b) {
    const wn_dims s = spatial(p, p->stride), pad = spatial(p, p->padding), d = spatial(p, p->dilation);
    const wn_val g = wn_val_of_int(p->groups);
    if (p->nd == 1) return wn_conv1d(x, w, b, .stride = s, .padding = pad, .dilation = d, .groups = g);
    if (p->nd == 2) return wn_conv2d(x, w, b, .stride = s, .padding = pad, .dilation = d, .groups = g);
    return wn_conv3d(x, w, b, .stride = s, .padding = pad, .dilation = d, .groups = g);
}

static void test_conv(wn_dtype t) {
    WN_SCOPE(s);
    conv p = random_conv();
    const bool lone = maybe(4);
    if (lone) p.batch = 1;
    wn_dims xs = {.n = 0}, ws = {.n = 2, .v = {p.o, p.c / p.groups}}, ys = {.n = 0};
    if (!lone) xs.v[xs.n++] = ys.v[ys.n++] = p.batch;
    xs.v[xs.n++] = p.c;
    ys.v[ys.n++] = p.o;
    for (int i = 0; i < p.nd; i++) {
        xs.v[xs.n++] = p.in[i];
        ws.v[ws.n++] = p.kernel[i];
        ys.v[ys.n++] = p.out[i];
    }
    /* the loops know three dimensions: the ones that are used come last */
    conv q = p;
    for (int i = 0; i < 3; i++) {
        const int from = i - (3 - p.nd);
        q.in[i] = from < 0 ? 1 : p.in[from], q.out[i] = from < 0 ? 1 : p.out[from], q.kernel[i] = from < 0 ? 1 : p.kernel[from];
        q.stride[i] = from < 0 ? 1 : p.stride[from], q.padding[i] = from < 0 ? 0 : p.padding[from], q.dilation[i] = from < 0 ? 1 : p.dilation[from];
    }
    wn_tensor *x = any(xs, t), *w = any(ws, t), *b = maybe(2) ? any(WN_DIMS(p.o), t) : NULL, *g = any(ys, t);
    wn_tensor *y = run_conv(&p, x, w, b);
    double *vx = elements(x), *vw = elements(w), *vg = elements(g), *vb = b ? elements(b) : NULL;
    double *want = calloc((size_t)wn_numel(g), 8), *gx = calloc((size_t)wn_numel(x), 8), *gw = calloc((size_t)wn_numel(w), 8);
    convolve(&q, vx, vw, want, vg, gx, gw);
    const int64_t no = q.out[0] * q.out[1] * q.out[2];
    for (int64_t i = 0; b && i < wn_numel(g); i++) want[i] += vb[i / no % p.o];
    char what[200];
    snprintf(what, sizeof what, "conv%dd %s %s, groups %ld, stride %s, padding %s, dilation %s", p.nd, wn__desc(x), wn__desc(w), (long)p.groups,
             wn__dims_text(p.stride, p.nd), wn__dims_text(p.padding, p.nd), wn__dims_text(p.dilation, p.nd));
    check(has_shape(y, ys) && close_to(y, want, 4), "%s", what);
    const wn_dims st = spatial(&p, p.stride), pad = spatial(&p, p.padding), d = spatial(&p, p.dilation);
    wn_tensor *r = wn_conv_input_grad(g, w, xs, st, pad, d, wn_val_of_int(p.groups));
    check(has_shape(r, xs) && close_to(r, gx, 4), "input gradient of %s", what);
    r = wn_conv_weight_grad(g, x, ws, st, pad, d, wn_val_of_int(p.groups));
    check(has_shape(r, ws) && close_to(r, gw, 8), "weight gradient of %s", what);
    if (p.nd == 2) { /* a transposed convolution is the input gradient, with the size that output_padding chooses */
        wn_dims more = {.n = 2};
        bool fits = true;
        for (int i = 0; i < 2; i++) {
            more.v[i] = p.in[i] - ((p.out[i] - 1) * p.stride[i] - 2 * p.padding[i] + p.dilation[i] * (p.kernel[i] - 1) + 1);
            fits &= more.v[i] >= 0;
        }
        r = fits ? wn_conv_transpose2d(g, w, .stride = st, .padding = pad, .output_padding = more, .groups = wn_val_of_int(p.groups), .dilation = d) : r;
        if (fits) check(has_shape(r, xs) && close_to(r, gx, 4), "transposed %s", what);
    }
    free(vx), free(vw), free(vg), free(vb), free(want), free(gx), free(gw);
}

static wn_tensor *f_conv(void *ctx, wn_list in) { return run_conv(ctx, in.v[0], in.v[1], in.n > 2 ? in.v[2] : NULL); }
static wn_tensor *f_transposed(void *ctx, wn_list in) {
    (void)ctx;
    return wn_conv_transpose2d(in.v[0], in.v[1], in.v[2], .stride = WN_DIMS(2), .padding = WN_DIMS(1), .output_padding = WN_DIMS(1));
}

/* Depthwise planes of 1 to 6 elements: whole vectors once were stored past the end of the result (under AddressSanitizer this sees it surely). */
static void test_tiny_planes(wn_dtype t) {
    for (int64_t h = 1; h <= 2; h++)
        for (int64_t w = 1; w <= 3; w++) {
            WN_SCOPE(s);
            enum { AROUND = 32 };
            const int64_t c = 16;
            wn_tensor *x = wn_ones(WN_DIMS(1, c, h, w), .dtype = t), *k = wn_ones(WN_DIMS(c, 1, 3, 3), .dtype = t), *around[AROUND];
            for (int i = 0; i < AROUND; i++) around[i] = wn_keep(wn_full(WN_DIMS(c * h * w), 7, .dtype = t));
            for (int i = AROUND - 1; i > 0; i -= 2) wn_drop(around[i]); /* room for the result between two others */
            wn_tensor *y = wn_conv2d(x, k, NULL, .padding = WN_DIMS(1), .groups = wn_val_of_int(c));
            double *v = elements(y);
            bool right = true, whole = true;
            for (int64_t i = 0; i < c * h * w; i++) right &= v[i] == (double)(h * (w < 3 ? w : i % w == 1 ? 3 : 2));
            for (int i = 0; i < AROUND; i += 2) {
                double *a = elements(around[i]);
                for (int64_t j = 0; j < c * h * w; j++) whole &= a[j] == 7;
                free(a);
                wn_drop(around[i]);
            }
            check(right && whole, "depthwise planes of %ldx%ld: %s", (long)h, (long)w, right ? "what lies beside the result is as it was" : "values");
            free(v);
        }
}

static void test_conv_gradients(void) {
    WN_SCOPE(s);
    conv p = {.nd = 2, .groups = 1, .stride = {1, 1}, .padding = {1, 1}, .dilation = {1, 1}};
    gradients("conv2d", f_conv, &p, WN_LIST(leaf(WN_DIMS(2, 2, 4, 3)), leaf(WN_DIMS(3, 2, 3, 3)), leaf(WN_DIMS(3))), true);
    p = (conv){.nd = 2, .groups = 2, .stride = {2, 1}, .padding = {0, 1}, .dilation = {1, 2}};
    gradients("conv2d, groups, stride, dilation", f_conv, &p, WN_LIST(leaf(WN_DIMS(1, 4, 5, 4)), leaf(WN_DIMS(2, 2, 2, 2)), leaf(WN_DIMS(2))), true);
    gradients("conv2d without a batch", f_conv, &p, WN_LIST(leaf(WN_DIMS(2, 5, 4)), leaf(WN_DIMS(2, 1, 2, 2)), leaf(WN_DIMS(2))), true);
    p = (conv){.nd = 1, .groups = 1, .stride = {2}, .padding = {1}, .dilation = {1}};
    gradients("conv1d", f_conv, &p, WN_LIST(leaf(WN_DIMS(2, 2, 5)), leaf(WN_DIMS(2, 2, 3)), leaf(WN_DIMS(2))), true);
    p = (conv){.nd = 3, .groups = 1, .stride = {1, 1, 2}, .padding = {0, 1, 0}, .dilation = {1, 1, 1}};
    gradients("conv3d", f_conv, &p, WN_LIST(leaf(WN_DIMS(1, 2, 2, 2, 3)), leaf(WN_DIMS(2, 2, 2, 2, 2)), leaf(WN_DIMS(2))), true);
    gradients("conv_transpose2d", f_transposed, NULL, WN_LIST(leaf(WN_DIMS(1, 2, 3, 3)), leaf(WN_DIMS(2, 2, 3, 3)), leaf(WN_DIMS(2))), true);
    wn_tensor *x = wn_ones(WN_DIMS(4, 3, 32, 32)), *w = wn_requires_grad(wn_ones(WN_DIMS(2, 3, 3, 3)), true);
    wn_tensor *y = wn_conv2d(x, w, .padding = WN_DIMS(1)), *g = wn_ones(wn_shape(y));
    const int64_t before = wn_get_stats().elements;
    check(wn_backward(y, .gradient = g) == WN_OK && wn_get_stats().elements - before < 1000, "the first layer's input gradient is not computed");
}

/* ------------------------------------------------------------------------------------------------ pooling */

typedef struct pool {
    int64_t k[2], s[2], p[2], d[2];
    bool ceil_mode;
} pool;

static int64_t pooled(const pool *p, int i, int64_t size) {
    const int64_t span = size + 2 * p->p[i] - p->d[i] * (p->k[i] - 1) - 1;
    if (span < 0) return 0;
    int64_t n = (p->ceil_mode ? (span + p->s[i] - 1) / p->s[i] : span / p->s[i]) + 1;
    if (p->ceil_mode && (n - 1) * p->s[i] >= size + p->p[i]) n--;
    return n;
}
static pool random_pool(int64_t *h, int64_t *w, int64_t *oh, int64_t *ow, bool dilated) {
    pool p;
    do {
        if (maybe(3)) {
            p = (pool){{2, 2}, {2, 2}, {0, 0}, {1, 1}, maybe(4)};
        } else {
            p.ceil_mode = maybe(2);
            for (int i = 0; i < 2; i++) {
                p.k[i] = 1 + below(4);
                p.s[i] = 1 + below(3);
                p.p[i] = below(p.k[i] / 2 + 1);
                p.d[i] = dilated && maybe(3) ? 2 : 1;
            }
        }
        *h = 1 + below(maybe(3) ? 40 : 9);
        *w = 1 + below(maybe(3) ? 40 : 9);
        *oh = pooled(&p, 0, *h);
        *ow = pooled(&p, 1, *w);
    } while (*oh < 1 || *ow < 1);
    return p;
}

static void test_max_pool(wn_dtype t) {
    WN_SCOPE(s);
    int64_t h, w, oh, ow;
    const pool p = random_pool(&h, &w, &oh, &ow, true);
    const int64_t n = 1 + below(3), c = 1 + below(3);
    wn_tensor *x = any(maybe(3) ? WN_DIMS(c, h, w) : WN_DIMS(n, c, h, w), t);
    if (wn__is_float((int)t) && maybe(3)) { /* NaN, -inf and ties */
        x = wn_clone(x);
        if (maybe(2)) wn_fill_(wn_select(wn_select(x, -1, w / 2), -1, h / 2), NAN);
        if (maybe(2)) wn_fill_(x, maybe(2) ? -INFINITY : 1.0);
    }
    const int64_t planes = wn_numel(x) / (h * w), out = oh * ow;
    double *v = elements(x), *want = calloc((size_t)(planes * out), 8), *gx = calloc((size_t)(planes * h * w), 8), *at = calloc((size_t)(planes * out), 8);
    wn_dims ys = wn_shape(x);
    ys.v[ys.n - 2] = oh;
    ys.v[ys.n - 1] = ow;
    wn_tensor *g = any(ys, wn__is_float((int)t) ? t : WN_F32);
    double *vg = elements(g);
    for (int64_t i = 0; i < planes * out; i++) {
        const int64_t plane = i / out, y0 = i / ow % oh * p.s[0] - p.p[0], x0 = i % ow * p.s[1] - p.p[1];
        double best = t == WN_F32 || wn__is_float((int)t) ? -INFINITY : t == WN_I64 ? (double)INT64_MIN : (double)INT32_MIN;
        int64_t place = -1;
        for (int64_t a = 0; a < p.k[0]; a++)
            for (int64_t b = 0; b < p.k[1]; b++) {
                const int64_t yy = y0 + a * p.d[0], xx = x0 + b * p.d[1];
                if (yy < 0 || yy >= h || xx < 0 || xx >= w) continue;
                const double e = v[plane * h * w + yy * w + xx];
                if (place >= 0 && !(e > best) && !isnan(e)) continue;
                best = e;
                place = yy * w + xx;
            }
        want[i] = best;
        at[i] = (double)place;
        if (place >= 0) gx[plane * h * w + place] += vg[i]; /* a window may lie in the padding altogether */
    }
    char what[120];
    snprintf(what, sizeof what, "max_pool2d %s kernel %s stride %s padding %s dilation %s ceil %d", wn__desc(x), wn__dims_text(p.k, 2), wn__dims_text(p.s, 2),
             wn__dims_text(p.p, 2), wn__dims_text(p.d, 2), p.ceil_mode);
    wn_dims k = WN_DIMS(p.k[0], p.k[1]), st = WN_DIMS(p.s[0], p.s[1]), pad = WN_DIMS(p.p[0], p.p[1]), d = WN_DIMS(p.d[0], p.d[1]);
    check(has_shape(wn_max_pool2d(x, k, .stride = st, .padding = pad, .dilation = d, .ceil_mode = p.ceil_mode), ys), "shape of %s", what);
    check(close_to(wn_max_pool2d(x, k, .stride = st, .padding = pad, .dilation = d, .ceil_mode = p.ceil_mode), want, 0), "%s", what);
    wn_max_pool2d_with_indices_out r = wn_max_pool2d_with_indices(x, k, .stride = st, .padding = pad, .dilation = d, .ceil_mode = p.ceil_mode);
    check(close_to(r.result, want, 0) && wn_dtype_of(r.indices) == WN_I64 && close_to(r.indices, at, 0), "indices of %s", what);
    if (wn__is_float((int)t)) {
        for (int kind = 0; kind < 2; kind++) {
            wn_tensor *l = wn_requires_grad(wn_clone(x), true);
            wn_tensor *y = kind ? wn_max_pool2d_with_indices(l, k, .stride = st, .padding = pad, .dilation = d, .ceil_mode = p.ceil_mode).result
                                : wn_max_pool2d(l, k, .stride = st, .padding = pad, .dilation = d, .ceil_mode = p.ceil_mode);
            check(wn_backward(y, .gradient = g) == WN_OK && close_to(wn_grad_of(l), gx, 1), "gradient %d of %s", kind, what);
        }
    }
    free(v), free(want), free(gx), free(at), free(vg);
}

static void test_avg_pool(wn_dtype t) {
    WN_SCOPE(s);
    int64_t h, w, oh, ow;
    const pool p = random_pool(&h, &w, &oh, &ow, false);
    const bool adaptive = maybe(3), count_pad = maybe(2);
    const double divisor = maybe(3) ? 3 : 0;
    if (adaptive) oh = 1 + below(6), ow = 1 + below(6);
    const int64_t n = 1 + below(3), c = 1 + below(3);
    wn_tensor *x = any(maybe(3) ? WN_DIMS(c, h, w) : WN_DIMS(n, c, h, w), t);
    const int64_t planes = wn_numel(x) / (h * w), out = oh * ow;
    wn_dims ys = wn_shape(x);
    ys.v[ys.n - 2] = oh;
    ys.v[ys.n - 1] = ow;
    wn_tensor *g = any(ys, t);
    double *v = elements(x), *vg = elements(g), *want = calloc((size_t)(planes * out), 8), *gx = calloc((size_t)(planes * h * w), 8);
    for (int64_t i = 0; i < planes * out; i++) {
        const int64_t plane = i / out, oy = i / ow % oh, ox = i % ow;
        int64_t y0 = oy * p.s[0] - p.p[0], x0 = ox * p.s[1] - p.p[1], y1 = y0 + p.k[0], x1 = x0 + p.k[1];
        if (adaptive) y0 = oy * h / oh, y1 = ((oy + 1) * h + oh - 1) / oh, x0 = ox * w / ow, x1 = ((ox + 1) * w + ow - 1) / ow;
        else {
            if (y1 > h + p.p[0]) y1 = h + p.p[0];
            if (x1 > w + p.p[1]) x1 = w + p.p[1];
        }
        const int64_t whole = (y1 - y0) * (x1 - x0);
        int64_t inside = 0;
        for (int pass = 0; pass < 2; pass++)
            for (int64_t yy = y0; yy < y1; yy++)
                for (int64_t xx = x0; xx < x1; xx++) {
                    if (yy < 0 || yy >= h || xx < 0 || xx >= w) continue;
                    const double by = !adaptive && divisor != 0 ? divisor : adaptive || !count_pad ? (double)inside : (double)whole;
                    if (!pass) inside++;
                    else want[i] += v[plane * h * w + yy * w + xx] / by, gx[plane * h * w + yy * w + xx] += vg[i] / by;
                }
    }
    char what[120];
    snprintf(what, sizeof what, "%s %s kernel %s stride %s padding %s ceil %d, to %ld x %ld", adaptive ? "adaptive_avg_pool2d" : "avg_pool2d", wn__desc(x),
             wn__dims_text(p.k, 2), wn__dims_text(p.s, 2), wn__dims_text(p.p, 2), p.ceil_mode, (long)oh, (long)ow);
    wn_tensor *l = wn_requires_grad(wn_clone(x), true);
    wn_tensor *y = adaptive ? wn_adaptive_avg_pool2d(l, WN_DIMS(oh, ow))
                            : wn_avg_pool2d(l, WN_DIMS(p.k[0], p.k[1]), .stride = WN_DIMS(p.s[0], p.s[1]), .padding = WN_DIMS(p.p[0], p.p[1]), .ceil_mode = p.ceil_mode,
                                            .count_include_pad = count_pad ? WN_DEFAULT : WN_OFF, .divisor_override = divisor != 0 ? wn_val_of_int(3) : wn_val_none());
    check(has_shape(y, ys) && close_to(y, want, 2), "%s", what);
    check(wn_backward(y, .gradient = g) == WN_OK && close_to(wn_grad_of(l), gx, 4), "gradient of %s", what);
    free(v), free(vg), free(want), free(gx);
}

static wn_tensor *f_max(void *ctx, wn_list in) { (void)ctx; return wn_square(wn_max_pool2d(in.v[0], WN_DIMS(3, 2), .stride = WN_DIMS(2, 1), .padding = WN_DIMS(1))); }
static wn_tensor *f_max_indices(void *ctx, wn_list in) { (void)ctx; return wn_square(wn_max_pool2d_with_indices(in.v[0], WN_DIMS(2)).result); }
static wn_tensor *f_avg(void *ctx, wn_list in) { (void)ctx; return wn_square(wn_avg_pool2d(in.v[0], WN_DIMS(3, 2), .stride = WN_DIMS(2), .padding = WN_DIMS(1))); }
static wn_tensor *f_adaptive(void *ctx, wn_list in) { (void)ctx; return wn_square(wn_adaptive_avg_pool2d(in.v[0], WN_DIMS(2, 3))); }

static void test_pool_gradients(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_requires_grad(distinct(WN_DIMS(2, 2, 5, 4), WN_F64), true);
    gradients("max_pool2d", f_max, NULL, WN_LIST(x), true);
    gradients("max_pool2d_with_indices", f_max_indices, NULL, WN_LIST(x), true);
    gradients("avg_pool2d", f_avg, NULL, WN_LIST(x), true);
    gradients("adaptive_avg_pool2d", f_adaptive, NULL, WN_LIST(x), true);
    check(has_shape(wn_max_pool2d(wn_ones(WN_DIMS(0, 3, 4, 4)), WN_DIMS(2)), WN_DIMS(0, 3, 2, 2)), "no images");
    check(has_shape(wn_adaptive_avg_pool2d(wn_ones(WN_DIMS(2, 3, 4, 4)), WN_DIMS(0, 2)), WN_DIMS(2, 3, 0, 2)), "adaptive to nothing");
    wn_tensor *big = wn_max_pool2d(distinct(WN_DIMS(1, 40, 40), WN_F32), WN_DIMS(20)); /* windows of 400: places of 4 bytes */
    check(has_shape(big, WN_DIMS(1, 2, 2)), "large windows");
}

/* ------------------------------------------------------------------------------------------------ cross entropy */

static wn_tensor *random_targets(wn_dims shape, int64_t classes, int64_t ignored, wn_dtype t) {
    wn_tensor *x = wn_empty(shape, .dtype = t);
    char *p = wn_data_mut(x);
    for (int64_t i = 0; i < wn_numel(x); i++)
        wn__store_val(t, p + (size_t)i * wn_dtype_size(t), wn_val_of_int(maybe(4) && ignored != INT64_MIN ? ignored : below(classes)));
    return x;
}

static void test_cross_entropy(wn_dtype t) {
    WN_SCOPE(s);
    const int64_t n = 1 + below(maybe(4) ? 300 : 6), classes = maybe(4) ? 1 + below(1200) : 1 + below(12), h = 1 + below(5), w = 1 + below(maybe(4) ? 90 : 5);
    const int shape_kind = (int)below(3); /* [C], [N, C], [N, C, h, w] */
    wn_dims xs = shape_kind == 0 ? WN_DIMS(classes) : shape_kind == 1 ? WN_DIMS(n, classes) : WN_DIMS(n % 7 + 1, classes, h, w);
    wn_dims ts = shape_kind == 0 ? WN_0D : shape_kind == 1 ? WN_DIMS(n) : WN_DIMS(n % 7 + 1, h, w);
    const bool bytes = maybe(5) && classes < 255;
    const int64_t ignore = bytes ? 255 : maybe(2) ? -100 : classes / 2;
    wn_tensor *x = any(xs, t), *target = random_targets(ts, classes, maybe(3) ? INT64_MIN : ignore, bytes ? WN_U8 : WN_I64);
    wn_tensor *weight = maybe(2) ? wn_add(any(WN_DIMS(classes), t), 1.5) : NULL;
    const double smoothing = maybe(2) ? 0 : 0.125;
    static const char *const names[] = {"none", "mean", "sum"};
    const int reduction = (int)below(3);
    const int64_t samples = shape_kind == 0 ? 1 : xs.v[0], inner = shape_kind == 2 ? h * w : 1, positions = samples * inner;
    double *v = elements(x), *vt = elements(target), *vw = weight ? elements(weight) : NULL, *want = calloc((size_t)positions + 1, 8);
    double *gx = calloc((size_t)wn_numel(x) + 1, 8), total = 0, sum = 0, wsum = 0;
    for (int64_t c = 0; c < classes; c++) wsum += vw ? vw[c] : 1;
    for (int64_t i = 0; i < positions; i++)
        if ((int64_t)vt[i] != ignore) total += vw ? vw[(int64_t)vt[i]] : 1;
    wn_tensor *g = reduction ? wn_full(WN_0D, 0.5, .dtype = t) : any(ts, t);
    double *vg = elements(g);
    for (int64_t i = 0; i < positions; i++) {
        const int64_t first = i / inner * classes * inner + i % inner, k = (int64_t)vt[i];
        if (k == ignore) continue;
        double top = -INFINITY, e = 0;
        for (int64_t c = 0; c < classes; c++) top = fmax(top, v[first + c * inner]);
        for (int64_t c = 0; c < classes; c++) e += exp(v[first + c * inner] - top);
        const double lse = top + log(e), wk = vw ? vw[k] : 1, gi = (reduction ? 0.5 : vg[i]) / (reduction == 1 ? total : 1);
        want[i] = (1 - smoothing) * wk * (lse - v[first + k * inner]);
        for (int64_t c = 0; c < classes; c++) {
            const double wc = vw ? vw[c] : 1, p = exp(v[first + c * inner] - lse);
            want[i] += smoothing / (double)classes * wc * (lse - v[first + c * inner]);
            gx[first + c * inner] = gi * (p * ((1 - smoothing) * wk + smoothing / (double)classes * wsum) - smoothing / (double)classes * wc - (c == k ? (1 - smoothing) * wk : 0));
        }
        sum += want[i];
    }
    if (reduction) want[0] = reduction == 1 ? sum / total : sum;
    wn_tensor *l = wn_requires_grad(wn_clone(x), true);
    wn_tensor *y = wn_cross_entropy(l, target, weight, .ignore_index = wn_val_of_int(ignore), .reduction = names[reduction], .label_smoothing = smoothing);
    char what[160];
    snprintf(what, sizeof what, "cross_entropy %s, %s, %s, weight %d, smoothing %g, ignore %ld", wn__desc(x), wn__desc(target), names[reduction], weight != NULL, smoothing, (long)ignore);
    check(has_shape(y, reduction ? WN_0D : ts) && close_to(y, want, reduction == 2 ? 4 * sqrt((double)positions) : 4), "%s", what);
    check(wn_backward(y, .gradient = g) == WN_OK && close_to(wn_grad_of(l), gx, 2), "gradient of %s", what);
    if (smoothing == 0) { /* the same in two steps */
        wn_tensor *m = wn_requires_grad(wn_clone(x), true);
        wn_tensor *z = wn_nll_loss(wn_log_softmax(m, shape_kind ? 1 : 0), target, weight, .ignore_index = wn_val_of_int(ignore), .reduction = names[reduction]);
        check(close_to(z, want, reduction == 2 ? 4 * sqrt((double)positions) * (t == WN_BF16 || t == WN_F16 ? 4 : 1) : 8), "nll_loss for %s", what);
        check(wn_backward(z, .gradient = g) == WN_OK && close_to(wn_grad_of(m), gx, 8), "gradient of nll_loss for %s", what);
    }
    free(v), free(vt), free(vw), free(want), free(gx), free(vg);
}

typedef struct entropy {
    wn_tensor *target, *weight;
    const char *reduction;
    double smoothing;
} entropy;
static wn_tensor *f_entropy(void *ctx, wn_list in) {
    const entropy *e = ctx;
    return wn_cross_entropy(in.v[0], e->target, e->weight, .reduction = e->reduction, .label_smoothing = e->smoothing);
}
static wn_tensor *f_nll(void *ctx, wn_list in) {
    const entropy *e = ctx;
    return wn_nll_loss(wn_square(in.v[0]), e->target, e->weight, .reduction = e->reduction);
}
static wn_tensor *f_probabilities(void *ctx, wn_list in) {
    const entropy *e = ctx;
    return wn_cross_entropy(in.v[0], in.v[1], e->weight, .reduction = e->reduction, .label_smoothing = e->smoothing);
}

static void test_loss_gradients(void) {
    WN_SCOPE(s);
    static const char *const reductions[] = {"mean", "sum", "none"};
    for (int i = 0; i < 12; i++) {
        wn_tensor *w = i % 2 ? wn_add(random_tensor(WN_DIMS(4), WN_F64, PLAIN), 1.5) : NULL;
        entropy e = {random_targets(WN_DIMS(3), 4, -100, WN_I64), w, reductions[i % 3], i % 4 < 2 ? 0 : 0.1};
        wn_select(e.target, 0, 0);
        ((int64_t *)wn_data_mut(e.target))[0] = 1;
        gradients("cross_entropy", f_entropy, &e, WN_LIST(leaf(WN_DIMS(3, 4))), true);
        gradients("nll_loss", f_nll, &e, WN_LIST(leaf(WN_DIMS(3, 4))), true);
        gradients("cross_entropy with probabilities", f_probabilities, &e, WN_LIST(leaf(WN_DIMS(3, 4)), leaf(WN_DIMS(3, 4))), true);
        e.target = random_targets(WN_DIMS(2, 3), 4, -100, WN_I64);
        ((int64_t *)wn_data_mut(e.target))[0] = 1;
        gradients("cross_entropy 3-d", f_entropy, &e, WN_LIST(leaf(WN_DIMS(2, 4, 3))), true);
        e.target = random_targets(WN_0D, 4, INT64_MIN, WN_I64);
        gradients("cross_entropy 1-d", f_entropy, &e, WN_LIST(leaf(WN_DIMS(4))), true);
        gradients("nll_loss 1-d", f_nll, &e, WN_LIST(leaf(WN_DIMS(4))), true);
    }
}

/* Values from PyTorch 2.13. */
static void near(const char *what, wn_tensor *t, double want) {
    const double got = wn_ok(t) ? wn_item_f64(t) : 0;
    check(wn_ok(t) && ((isnan(got) && isnan(want)) || fabs(got - want) <= 1e-6 * (1 + fabs(want))), "%s: %.9g instead of %.9g", what, got, want);
}
static void test_torch_values(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_div(wn_reshape(wn_arange(12, .dtype = WN_F32), WN_DIMS(3, 4)), 5.0);
    wn_tensor *y = wn_from_data((int64_t[]){0, 3, 1}, WN_DIMS(3), WN_I64), *w = wn_from_data((float[]){1, 2, 3, 4}, WN_DIMS(4), WN_F32);
    wn_tensor *none = wn_full(WN_DIMS(3), -100, .dtype = WN_I64);
    near("plain", wn_cross_entropy(x, y), 1.444487452507019);
    near("weight", wn_cross_entropy(x, y, w), 1.3111542463302612);
    near("weight, smoothing", wn_cross_entropy(x, y, w, .label_smoothing = 0.1), 1.3205195665359497);
    near("sum", wn_cross_entropy(x, y, .reduction = "sum"), 4.333462238311768);
    near("all ignored, mean", wn_cross_entropy(x, none), NAN);
    near("all ignored, sum", wn_cross_entropy(x, none, .reduction = "sum"), 0);
    near("all ignored, smoothing", wn_cross_entropy(x, none, w, .label_smoothing = 0.1), NAN);
    near("nothing, mean", wn_cross_entropy(wn_slice(x, 0, 0, 0), wn_slice(y, 0, 0, 0)), NAN);
    near("nothing, sum", wn_cross_entropy(wn_slice(x, 0, 0, 0), wn_slice(y, 0, 0, 0), .reduction = "sum"), 0);
    near("ignore 3", wn_cross_entropy(x, y, .ignore_index = wn_val_of_int(3)), 1.6111540794372559);
    near("ignore 3, weight, smoothing", wn_cross_entropy(x, y, w, .ignore_index = wn_val_of_int(3), .label_smoothing = 0.1), 1.6385643482208252);
    near("ignore 3, smoothing", wn_cross_entropy(x, y, .ignore_index = wn_val_of_int(3), .label_smoothing = 0.1), 1.5911540985107422);
    near("probabilities", wn_cross_entropy(x, wn_softmax(x, 1)), 1.361712098121643);
    near("nll", wn_nll_loss(x, y), -1.066666603088379);
    near("nll, weight", wn_nll_loss(x, y, w), -1.3142856359481812);
    near("mse, broadcast", wn_mse_loss(x, wn_select(x, 0, 0)), 1.066666841506958);
    near("mse of nothing", wn_mse_loss(wn_slice(x, 0, 0, 0), wn_slice(x, 0, 0, 0)), NAN);
    near("mse, weight", wn_mse_loss(x, wn_add(x, 1), .weight = wn_expand(w, WN_DIMS(3, 4))), 1);
    near("l1", wn_l1_loss(x, wn_add(x, 1)), 1);
    near("bce", wn_binary_cross_entropy_with_logits(x, x), -0.2551048696041107);
    near("bce, weights", wn_binary_cross_entropy_with_logits(x, x, w, .pos_weight = w), 0.3026806712150574);
    near("bce, large", wn_binary_cross_entropy_with_logits(wn_full(WN_DIMS(2), -200.0), wn_ones(WN_DIMS(2))), 200);
    /* an ignored row passes nothing on, whatever it holds */
    wn_tensor *z = wn_requires_grad(wn_full(WN_DIMS(1, 4), NAN), true);
    check(wn_backward(wn_cross_entropy(z, wn_full(WN_DIMS(1), -100, .dtype = WN_I64), .reduction = "sum")) == WN_OK, "backward of an ignored row");
    near("gradient of an ignored row of NaN", wn_sum(wn_grad_of(z)), 0);
}

/* ------------------------------------------------------------------------------------------------ threads, messages */

static void test_threads(void) {
    WN_SCOPE(s);
    wn_tensor *x = random_tensor(WN_DIMS(8, 6, 30, 29), WN_F32, PLAIN), *w = random_tensor(WN_DIMS(10, 6, 3, 3), WN_F32, PLAIN);
    wn_tensor *logits = random_tensor(WN_DIMS(3000, 10), WN_F32, PLAIN), *y = random_targets(WN_DIMS(3000), 10, -100, WN_I64);
    wn_tensor *image = random_tensor(WN_DIMS(2, 5, 40, 40), WN_F32, PLAIN), *pixels = random_targets(WN_DIMS(2, 40, 40), 5, -100, WN_I64), *first[9] = {0};
    for (int threads = 1; threads <= 5; threads += threads == 1 ? 1 : 3) {
        wn_set_num_threads(threads);
        wn_tensor *a = wn_requires_grad(wn_clone(x), true), *b = wn_requires_grad(wn_clone(w), true);
        wn_tensor *l = wn_requires_grad(wn_clone(logits), true), *m = wn_requires_grad(wn_clone(image), true);
        wn_tensor *c = wn_conv2d(a, b, .padding = WN_DIMS(1)), *p = wn_max_pool2d(c, WN_DIMS(3), .stride = WN_DIMS(2)), *q = wn_avg_pool2d(c, WN_DIMS(3), .stride = WN_DIMS(2));
        wn_tensor *e = wn_cross_entropy(l, y), *f = wn_cross_entropy(m, pixels);
        check(wn_backward(wn_sum(wn_add(wn_square(p), wn_square(q)))) == WN_OK && wn_backward(e) == WN_OK && wn_backward(f) == WN_OK, "backward");
        wn_tensor *all[9] = {c, p, q, wn_grad_of(a), wn_grad_of(b), e, f, wn_grad_of(l), wn_grad_of(m)};
        for (int i = 0; i < 9; i++) {
            if (!first[i]) first[i] = all[i];
            check(same_bits(first[i], all[i]), "same bits, result %d, %d threads", i, threads);
        }
    }
    wn_set_num_threads(0);
}

static void test_messages(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_ones(WN_DIMS(2, 3, 5, 5)), *w = wn_ones(WN_DIMS(4, 3, 3, 3)), *b = wn_ones(WN_DIMS(3));
    expect_error(wn_conv2d(wn_ones(WN_DIMS(5, 5)), w), WN_E_RUNTIME, "Expected 3D (unbatched) or 4D (batched) input");
    expect_error(wn_conv2d(x, wn_ones(WN_DIMS(4, 2, 3, 3))), WN_E_RUNTIME, "to have 2 channels, but got 3 channels instead");
    expect_error(wn_conv2d(x, w, b), WN_E_RUNTIME, "expected bias to be 1-dimensional with 4 elements");
    expect_error(wn_conv2d(x, w, .stride = WN_DIMS(0)), WN_E_RUNTIME, "non-positive stride is not supported");
    expect_error(wn_conv2d(x, w, .padding = WN_DIMS(-1)), WN_E_RUNTIME, "negative padding is not supported");
    expect_error(wn_conv2d(x, w, .dilation = WN_DIMS(0)), WN_E_RUNTIME, "non-positive dilation is not supported");
    expect_error(wn_conv2d(x, w, .stride = WN_DIMS(1, 2, 3)), WN_E_RUNTIME, "expected stride to be a single integer value or a list of 2 values");
    expect_error(wn_conv2d(x, w, .groups = WN_VAL(2)), WN_E_RUNTIME, "Given groups=2, weight of size [4, 3, 3, 3]");
    expect_error(wn_conv2d(x, wn_ones(WN_DIMS(4, 3, 7, 7))), WN_E_RUNTIME, "Kernel size can't be greater than actual input size");
    expect_error(wn_conv2d(x, wn_ones(WN_DIMS(4, 3, 3, 3), .dtype = WN_F64)), WN_E_RUNTIME, "should be the same");
    check(has_shape(wn_conv2d(wn_ones(WN_DIMS(0, 3, 5, 5)), w), WN_DIMS(0, 4, 3, 3)), "no images");
    expect_error(wn_max_pool2d(x, WN_DIMS(2), .padding = WN_DIMS(2)), WN_E_RUNTIME, "pad should be smaller than or equal to half of kernel size");
    expect_error(wn_max_pool2d(x, WN_DIMS(2), .stride = WN_DIMS(0)), WN_E_RUNTIME, "stride should not be zero");
    expect_error(wn_max_pool2d(x, WN_DIMS(6)), WN_E_RUNTIME, "Output size is too small");
    expect_error(wn_max_pool2d(b, WN_DIMS(2)), WN_E_RUNTIME, "3D or 4D");
    expect_error(wn_max_pool2d(x, WN_DIMS(2), .dilation = WN_DIMS(0)), WN_E_RUNTIME, "dilation should be greater than zero");
    expect_error(wn_max_pool2d(wn_gt(x, 0), WN_DIMS(2)), WN_E_NOT_IMPLEMENTED, "Bool");
    expect_error(wn_avg_pool2d(x, WN_DIMS(2), .divisor_override = WN_VAL(0)), WN_E_RUNTIME, "divisor must be not zero");
    expect_error(wn_adaptive_avg_pool2d(x, WN_DIMS(-1)), WN_E_RUNTIME, "must be greater than or equal to 0");
    wn_tensor *l = wn_ones(WN_DIMS(3, 4)), *y = wn_from_data((int64_t[]){0, 4, 1}, WN_DIMS(3), WN_I64), *good = wn_zeros(WN_DIMS(3), .dtype = WN_I64);
    expect_error(wn_cross_entropy(l, y), WN_E_INDEX, "Target 4 is out of bounds: it is target[1] of i64[3], and there are 4 classes");
    expect_error(wn_nll_loss(l, wn_full(WN_DIMS(3), -1, .dtype = WN_I64)), WN_E_INDEX, "Target -1 is out of bounds");
    wn_tensor *pixels = wn_zeros(WN_DIMS(2, 4, 5), .dtype = WN_I64);
    wn_fill_(wn_select(wn_select(wn_select(pixels, 0, 1), 0, 2), 0, 3), 9);
    expect_error(wn_cross_entropy(wn_ones(WN_DIMS(2, 3, 4, 5)), pixels), WN_E_INDEX, "Target 9 is out of bounds: it is target[1, 2, 3]");
    expect_error(wn_cross_entropy(l, wn_zeros(WN_DIMS(2), .dtype = WN_I64)), WN_E_VALUE, "Expected input batch_size (3) to match target batch_size (2)");
    expect_error(wn_cross_entropy(l, wn_to(good, WN_I32)), WN_E_RUNTIME, "expected target dtype to be Long or Byte");
    expect_error(wn_cross_entropy(wn_ones(WN_DIMS(2, 3, 4, 5)), wn_zeros(WN_DIMS(2, 4, 4), .dtype = WN_I64)), WN_E_RUNTIME, "size mismatch");
    expect_error(wn_cross_entropy(l, good, wn_ones(WN_DIMS(2))), WN_E_RUNTIME, "weight tensor should be defined either for all 4 classes or no classes");
    expect_error(wn_cross_entropy(l, good, .label_smoothing = 1.5), WN_E_RUNTIME, "label_smoothing must be between 0.0 and 1.0");
    expect_error(wn_cross_entropy(l, good, .reduction = "foo"), WN_E_VALUE, "foo is not a valid value for reduction");
    expect_error(wn_cross_entropy(wn_to(l, WN_I64), good), WN_E_NOT_IMPLEMENTED, "not implemented for Long");
    expect_error(wn_mse_loss(good, good), WN_E_NOT_IMPLEMENTED, "not implemented");
    expect_error(wn_l1_loss(l, wn_ones(WN_DIMS(2, 4))), WN_E_RUNTIME, "The size of tensor a (3) must match the size of tensor b (2)");
    expect_error(wn_binary_cross_entropy_with_logits(l, wn_ones(WN_DIMS(4))), WN_E_VALUE, "must be the same as input size");
}

int main(void) {
    wn_set_error_hook(NULL);
    for (int i = 0; i < 240; i++) test_conv(floats[i % 4]);
    static const wn_dtype pools[] = {WN_F32, WN_F64, WN_F16, WN_BF16, WN_I8, WN_I16, WN_I32, WN_I64, WN_U8};
    for (int i = 0; i < 360; i++) test_max_pool(pools[i % 9]);
    for (int i = 0; i < 240; i++) test_avg_pool(floats[i % 4]);
    for (int i = 0; i < 240; i++) test_cross_entropy(floats[i % 4]);
    test_torch_values();
    test_tiny_planes(WN_F32);
    test_tiny_planes(WN_F64);
    test_conv_gradients();
    test_pool_gradients();
    test_loss_gradients();
    test_threads();
    test_messages();
    return finish();
}
