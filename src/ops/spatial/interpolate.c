/* Interpolation: for each dimension the map of its mode (which elements, with which weights), run by ops/view/axes.c. Places are
 * computed as PyTorch does, in f32 unless the elements are f64, so that both choose the same elements. */
#include <math.h>
#include "base/alloc.h"
#include "grad/tape.h"
#include "ops/spatial/interpolate.h"

typedef enum how { NEAREST, NEAREST_EXACT, LINEAR, CUBIC, AREA, LANCZOS } how;

typedef struct mode {
    how how;
    int nd; /* 0: any */
    bool align, antialias;
    double scale[3]; /* factors, of the last dimension last; 0: the ratio of the sizes */
    bool wide;       /* f64 */
    bool plane;      /* two dimensions */
} mode;

static wn_status read_mode(wn__call *c, const char *name, bool align, bool antialias, mode *m) {
    static const struct {
        const char *name;
        how how;
        int nd;
    } known[] = {{"nearest", NEAREST, 0}, {"nearest-exact", NEAREST_EXACT, 0}, {"linear", LINEAR, 1}, {"bilinear", LINEAR, 2},
                 {"trilinear", LINEAR, 3}, {"bicubic", CUBIC, 2}, {"area", AREA, 0}, {"lanczos", LANCZOS, 2}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (name && !strcmp(name, known[i].name)) {
            *m = (mode){.how = known[i].how, .nd = known[i].nd, .align = align, .antialias = antialias};
            if (antialias && (m->nd != 2)) return wn__fail_op(c, WN_E_VALUE, "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes, not '%s'", name);
            if (m->how == LANCZOS && (!antialias || align)) return wn__fail_op(c, WN_E_VALUE, "Lanczos mode requires antialias=True and does not support align_corners=True");
            return WN_OK;
        }
    return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "the modes are nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact (got %s)", name ? name : "none");
}

/* ------------------------------------------------------------------ places */

/* Input elements for one output element. */
static double step_of(const mode *m, int64_t in, int64_t out, double factor) {
    double s;
    if (m->align && m->how != NEAREST && m->how != NEAREST_EXACT) s = out > 1 ? (double)(in - 1) / (double)(out - 1) : 0;
    else s = factor > 0 ? 1 / factor : (double)in / (double)out;
    if (m->wide) return s;
    if (m->align) return out > 1 ? (double)((float)(in - 1) / (float)(out - 1)) : 0;
    return factor > 0 ? (double)(float)(1 / factor) : (double)((float)in / (float)out);
}
static double place_of(const mode *m, double step, int64_t i, bool cubic) {
    double at;
    if (m->align) at = m->wide ? step * (double)i : (double)((float)step * (float)i);
    else at = m->wide ? step * ((double)i + 0.5) - 0.5 : (double)(float)(step * (double)((float)i + 0.5f) - 0.5); /* one rounding: a fused product */
    return !m->align && !cubic && at < 0 ? 0 : at;
}

/* Nearest: places always in f32. Of planes, PyTorch knows the same size and twice the size without looking at a given factor. */
static bool nearest_axis(wn__axis *a, const mode *m, int64_t in, int64_t out, double factor) {
    if (!wn__axis_make(a, in, out, 0, false, false)) return false;
    const float step = factor > 0 ? (float)(1 / factor) : (float)in / (float)out;
    for (int64_t i = 0; i < out; i++) {
        const bool known = m->plane && m->how == NEAREST && (out == in || out == 2 * in);
        int64_t at = known ? i / (out / in) : m->how == NEAREST_EXACT ? (int64_t)floorf(((float)i + 0.5f) * step) : (int64_t)floorf((float)i * step);
        if (at > in - 1) at = in - 1;
        if (i && at < a->first[i - 1]) at = a->first[i - 1]; /* f32 may step back among places beyond 2^24 */
        a->first[i] = at < 0 ? 0 : at;
        a->start[i + 1] = i + 1;
    }
    return true;
}

/* Adds an element to the run of output i; elements beyond the edge count for the edge. Runs are made from left to right. */
static void add_tap(wn__axis *a, int64_t i, int64_t at, double w, int64_t *n) {
    at = at < 0 ? 0 : at > a->in - 1 ? a->in - 1 : at;
    if (*n && at == a->first[i] + *n - 1) {
        a->weight[a->start[i] + *n - 1] += w;
        return;
    }
    if (!*n) a->first[i] = at;
    a->weight[a->start[i] + (*n)++] = w;
}
static void cubic_weights(double t, double w[4]) {
    const double A = -0.75, u = 1 - t, far = t + 1, near = u + 1;
    w[0] = ((A * far - 5 * A) * far + 8 * A) * far - 4 * A;
    w[1] = ((A + 2) * t - (A + 3)) * t * t + 1;
    w[2] = ((A + 2) * u - (A + 3)) * u * u + 1;
    w[3] = ((A * near - 5 * A) * near + 8 * A) * near - 4 * A;
}

static bool smooth_axis(wn__axis *a, const mode *m, int64_t in, int64_t out, double factor) {
    const bool cubic = m->how == CUBIC;
    if (out > INT64_MAX / 8 || !wn__axis_make(a, in, out, out * (cubic ? 4 : 2), true, false)) return false;
    const double step = step_of(m, in, out, factor);
    for (int64_t i = 0; i < out; i++) {
        const double place = in == out && !cubic ? (double)i : place_of(m, step, i, cubic);
        int64_t at = (int64_t)floor(place), n = 0;
        if (at > in - 1) at = in - 1;
        double t = place - (double)at;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        if (cubic) {
            double w[4];
            cubic_weights(t, w);
            for (int k = 0; k < 4; k++) add_tap(a, i, at - 1 + k, w[k], &n);
        } else {
            add_tap(a, i, at, 1 - t, &n);
            add_tap(a, i, at + 1, t, &n);
        }
        a->start[i + 1] = a->start[i] + n;
    }
    return true;
}

/* Antialiasing: the mode's filter, stretched over as many input elements as an output element covers. */
static double filter(how which, double x) {
    const double A = -0.5, pi = 3.14159265358979323846;
    x = fabs(x);
    switch (which) {
    case LINEAR: return x < 1 ? 1 - x : 0;
    case CUBIC: return x < 1 ? ((A + 2) * x - (A + 3)) * x * x + 1 : x < 2 ? ((A * x - 5 * A) * x + 8 * A) * x - 4 * A : 0;
    default: return x == 0 ? 1 : x < 3 ? 3 * sin(pi * x) * sin(pi * x / 3) / (pi * pi * x * x) : 0;
    }
}
static bool antialias_axis(wn__axis *a, const mode *m, int64_t in, int64_t out, double factor) {
    const double step = step_of(m, in, out, factor), half = m->how == LINEAR ? 1 : m->how == CUBIC ? 2 : 3;
    const double support = step >= 1 ? half * step : half, squeeze = step >= 1 ? 1 / step : 1;
    const double most = 2 * ceil(support) + 1 < (double)in + 1 ? 2 * ceil(support) + 1 : (double)in + 1;
    if (most * (double)out > 1e17 || !wn__axis_make(a, in, out, out * (int64_t)most, true, false)) return false;
    for (int64_t i = 0; i < out; i++) {
        const double centre = step * ((double)i + 0.5), from = centre - support + 0.5, to = centre + support + 0.5;
        int64_t lo = from > 0 ? (int64_t)from : 0, hi = to < (double)in ? (int64_t)to : in;
        if (lo > in - 1) lo = in - 1;
        if (hi <= lo) hi = lo + 1;
        if (hi - lo > (int64_t)most) hi = lo + (int64_t)most;
        if (i && lo < a->first[i - 1]) lo = a->first[i - 1];
        double sum = 0;
        a->first[i] = lo;
        a->start[i + 1] = a->start[i] + hi - lo;
        double *w = a->weight + a->start[i];
        for (int64_t k = lo; k < hi; k++) sum += w[k - lo] = filter(m->how, ((double)k - centre + 0.5) * squeeze);
        for (int64_t k = lo; k < hi && sum != 0; k++) w[k - lo] /= sum;
    }
    return true;
}

static bool make_axis(wn__axis *a, const mode *m, int64_t in, int64_t out, double factor) {
    switch (m->how) {
    case NEAREST:
    case NEAREST_EXACT: return nearest_axis(a, m, in, out, factor);
    case AREA: return wn__axis_adaptive(a, in, out);
    default:
        if (m->antialias && in == out) return wn__axis_adaptive(a, in, out); /* as it is, whatever the factor */
        return m->antialias ? antialias_axis(a, m, in, out, factor) : smooth_axis(a, m, in, out, factor);
    }
}

/* ------------------------------------------------------------------ rows */

typedef struct plan {
    mode m;
    int nd;
    bool back;
    int64_t in[3], out[3];
    const wn_tensor *x;
} plan;

static wn_status infer(wn__call *c, plan *p, const wn_dims *in, const int64_t *out, int nd, const wn_tensor *x, bool back) {
    mode *m = &p->m;
    p->nd = nd, p->back = back, p->x = x;
    bool known = wn__is_float(x->dtype) || (x->dtype == WN_U8 && !back && (m->how == NEAREST || m->how == NEAREST_EXACT || m->nd == 2));
    if (m->antialias && (x->dtype == WN_F16 || x->dtype == WN_BF16)) known = true;
    if (!known) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'", c->op->name, wn__dtype_word(x->dtype));
    m->plane = nd == 2;
    m->wide = x->dtype == WN_F64 || x->dtype == WN_U8;
    for (int d = 0; d < nd; d++) {
        const int64_t n = in->v[2 + d];
        if (n <= 0 || out[d] < (m->how != AREA) || n > INT64_MAX / 64 || out[d] > INT64_MAX / 64)
            return wn__fail_op(c, WN_E_RUNTIME, "Input and output sizes should be greater than 0, but got input %s and output %s", wn__dims_text(in->v, in->n), wn__dims_text(out, nd));
    }
    if (in->v[1] == 0) return wn__fail_op(c, WN_E_RUNTIME, "Non-empty %dD data tensor expected but got a tensor with sizes %s", nd + 2, wn__dims_text(in->v, in->n));
    for (int d = 0; d < nd; d++) p->in[d] = in->v[2 + d], p->out[d] = out[d];
    return wn__axes_infer(c, nd, back ? p->in : p->out, x);
}
wn_status wn__run_resample(wn__call *c) {
    const plan *p = c->plan;
    const mode *m = &p->m;
    const int nd = p->nd;
    wn__axis axes[3] = {0};
    for (int d = 0; d < nd; d++)
        if (!make_axis(&axes[d], m, p->in[d], p->out[d], m->scale[3 - nd + d])) {
            for (int k = 0; k < d; k++) wn__axis_free(&axes[k]);
            return wn__fail_memory(c->op->name);
        }
    if (p->x->dtype != WN_U8 || m->how == NEAREST || m->how == NEAREST_EXACT) return wn__axes_apply(c, nd, axes, 0, p->x, p->back);
    wn_status st = wn__interpolate_bytes(c, axes, p->x);
    for (int d = 0; d < nd; d++) wn__axis_free(&axes[d]);
    return st;
}

static void read_scales(mode *m, wn_val d, wn_val h, wn_val w) {
    const wn_val v[3] = {d, h, w};
    for (int i = 0; i < 3; i++) m->scale[i] = wn__f64_or(v[i], 0);
}
static wn_status check_rank(wn__call *c, const mode *m, const char *name, const wn_dims *in) {
    const int nd = in->n - 2;
    if (nd < 1 || nd > 3) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "Only 3D, 4D and 5D input Tensors supported (got %s)", wn__dims_text(in->v, in->n > 0 ? in->n : 0));
    if (m->nd && m->nd != nd) return wn__fail_op(c, WN_E_NOT_IMPLEMENTED, "Got %dD input, but %s mode needs %dD input", in->n, name, m->nd + 2);
    return WN_OK;
}

wn_status wn__infer_resample(wn__call *c) {
    const wn_resample_args *a = c->args;
    const wn_dims in = wn_shape(a->self);
    plan *p = wn__plan(c, sizeof *p);
    if (!p) return c->th->error;
    wn_status st = read_mode(c, a->mode, a->align_corners, a->antialias, &p->m);
    if (!st) st = check_rank(c, &p->m, a->mode, &in);
    if (st) return st;
    read_scales(&p->m, a->scale_d, a->scale_h, a->scale_w);
    if (a->size.n != in.n - 2)
        return wn__fail_op(c, WN_E_RUNTIME, "It is expected output_size equals to %d, but got size %d", in.n - 2, a->size.n > 0 ? a->size.n : 0);
    return infer(c, p, &in, a->size.v, in.n - 2, a->self, false);
}

wn_status wn__infer_resample_backward(wn__call *c) {
    const wn_resample_backward_args *a = c->args;
    const wn_dims *in = &a->self_size;
    const wn_tensor *g = a->grad;
    plan *p = wn__plan(c, sizeof *p);
    if (!p) return c->th->error;
    wn_status st = read_mode(c, a->mode, a->align_corners, a->antialias, &p->m);
    if (!st) st = check_rank(c, &p->m, a->mode, in);
    if (st) return st;
    read_scales(&p->m, a->scale_d, a->scale_h, a->scale_w);
    if (g->ndim != in->n || g->shape[0] != in->v[0] || g->shape[1] != in->v[1])
        return wn__fail_op(c, WN_E_RUNTIME, "grad %s does not fit self_size %s", wn__desc(g), wn__dims_text(in->v, in->n));
    return infer(c, p, in, g->shape + 2, in->n - 2, g, true);
}

wn_status wn__op_interpolate(wn__call *c, wn_tensor *input, const wn_dims *size_given, wn_val scale_factor,
                             const char *mode_given, bool align_corners, bool recompute_scale_factor, bool antialias) {
    const wn_dims in = wn_shape(input);
    const int nd = in.n - 2;
    mode m;
    wn_status st = read_mode(c, mode_given ? mode_given : "nearest", align_corners, antialias, &m);
    if (!st) st = check_rank(c, &m, mode_given ? mode_given : "nearest", &in);
    if (st) return st;
    const bool scaled = scale_factor.kind != WN_VAL_NONE;
    if (scaled == (size_given->n > 0)) return wn__fail_op(c, WN_E_VALUE, scaled ? "only one of size or scale_factor should be defined" : "either size or scale_factor should be defined");
    if (scaled && !(wn__val_f64(scale_factor) > 0)) return wn__fail_op(c, WN_E_RUNTIME, "scale_factor must be positive, but is %g", wn__val_f64(scale_factor));
    wn_dims size = {.n = nd};
    for (int d = 0; d < nd; d++) {
        const double wanted = scaled ? floor((double)in.v[2 + d] * wn__val_f64(scale_factor)) : 0;
        if (wanted > 1e15) return wn__fail_op(c, WN_E_RUNTIME, "scale_factor %g is too large", wn__val_f64(scale_factor));
        size.v[d] = scaled ? (int64_t)wanted : size_given->v[size_given->n == 1 ? 0 : d];
    }
    if (!scaled && size_given->n != 1 && size_given->n != nd)
        return wn__fail_op(c, WN_E_VALUE, "Input and output must have the same number of spatial dimensions, but got input %s and size %s", wn__desc(input),
                           wn__dims_text(size_given->v, size_given->n));
    const wn_val keep = scaled && !recompute_scale_factor && m.how != AREA ? scale_factor : wn_val_none();
    return wn__give(c, 0, wn_resample(input, size, mode_given ? mode_given : "nearest", .align_corners = align_corners, .antialias = antialias,
                                      .scale_d = keep, .scale_h = keep, .scale_w = keep));
}

/* torch has a row for each mode and number of dimensions. */
int wn__title_of_resample(const wn_node *n, char *buf, size_t cap) {
    static const char *const modes[][2] = {{"nearest", "UpsampleNearest"}, {"nearest-exact", "UpsampleNearestExact"}, {"linear", "UpsampleLinear"},
                                           {"bilinear", "UpsampleBilinear"}, {"bicubic", "UpsampleBicubic"}, {"trilinear", "UpsampleTrilinear"},
                                           {"area", "AdaptiveAvgPool"}};
    const wn_resample_args *a = n->args;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (!strcmp(a->mode, modes[i][0])) return snprintf(buf, cap, "%s%dD%sBackward0", modes[i][1], n->edges[0].ndim - 2, a->antialias ? "Aa" : "");
    return snprintf(buf, cap, "ResampleBackward0");
}
