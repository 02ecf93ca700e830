/* Products as operations: every row against loops over labels in double, all dtypes and layouts; random einsum equations;
 * gradients and second gradients; the same bits for any thread count; messages. */
#include "contract_check.h"

static const wn_dtype dtypes[] = {WN_F32, WN_F64, WN_F16, WN_BF16, WN_I8, WN_I16, WN_I32, WN_I64, WN_U8};
enum { DTYPES = sizeof dtypes / sizeof *dtypes };

/* ------------------------------------------------------------------------------------------------ the reference */

enum { OPERANDS = 6 };
typedef struct problem {
    int n;
    wn_tensor *x[OPERANDS];
    char labels[OPERANDS][20]; /* a letter for each dimension; ellipsis dimensions are digits */
    char out[20];
} problem;

/* sum over all labels: loops over an index for each; sizes of 1 broadcast. Result row-major; free() it. */
static double *reference(const problem *p, wn_dims *shape) {
    int64_t size[128], index[128] = {0};
    char all[64] = "";
    int nall = 0;
    for (int i = 0; i < 128; i++) size[i] = -1;
    const char *lists[OPERANDS + 1] = {p->out};
    for (int i = 0; i < p->n; i++) lists[i + 1] = p->labels[i];
    for (int i = 0; i < p->n; i++)
        for (int d = 0; p->labels[i][d]; d++) {
            int64_t *s = &size[(int)p->labels[i][d]];
            if (*s < 0 || *s == 1) *s = wn_size(p->x[i], d);
        }
    for (int k = 0; k <= p->n; k++) /* output labels first: the result is filled in order */
        for (const char *l = lists[k]; *l; l++)
            if (!strchr(all, *l)) all[nall++] = *l, all[nall] = 0;
    shape->n = (int)strlen(p->out);
    int64_t numel = 1, rest = 1;
    for (int d = 0; d < shape->n; d++) numel *= shape->v[d] = size[(int)p->out[d]];
    for (int d = shape->n; d < nall; d++) rest *= size[(int)all[d]];
    if (!shape->n) shape->n = -1;
    double *v[OPERANDS], *out = calloc((size_t)numel + 1, sizeof *out);
    for (int i = 0; i < p->n; i++) v[i] = elements(p->x[i]);
    for (int64_t e = 0; e < numel * rest; e++) {
        double product = 1;
        for (int i = 0; i < p->n; i++) {
            int64_t at = 0;
            for (int d = 0; p->labels[i][d]; d++) {
                const int64_t s = wn_size(p->x[i], d);
                at = at * s + (s == 1 ? 0 : index[(int)p->labels[i][d]]);
            }
            product *= v[i][at];
        }
        out[e / rest] += product;
        for (int k = nall - 1; k >= 0; k--) {
            if (++index[(int)all[k]] < size[(int)all[k]]) break;
            index[(int)all[k]] = 0;
        }
    }
    for (int i = 0; i < p->n; i++) free(v[i]);
    return out;
}

static void compare(const char *what, wn_tensor *got, const problem *p, double extra) {
    wn_dims shape;
    double *want = reference(p, &shape);
    bool ok = has_shape(got, shape) && close_to(got, want, extra);
    check(ok, "%s %s %s, %s", what, wn_dtype_name(wn_dtype_of(p->x[0])), wn__desc(p->x[0]), p->n > 1 ? wn__desc(p->x[1]) : "");
    check(!wn_ok(got) || p->n == 1 || wn_is_contiguous(got), "%s: contiguous", what);
    free(want);
}

static wn_tensor *any(wn_dims shape, wn_dtype t) { return random_tensor(shape, t, (int)below(LAYOUTS)); }
static wn_dims dims(const int64_t *v, int n) {
    wn_dims d = {.n = n ? n : -1};
    for (int i = 0; i < n; i++) d.v[i] = v[i];
    return d;
}
static int64_t size_of(void) { return maybe(12) ? 0 : maybe(3) ? 1 : 1 + below(maybe(8) ? 70 : 9); }

/* ------------------------------------------------------------------------------------------------ rows */

static void test_rows(wn_dtype t) {
    WN_SCOPE(s);
    const int64_t m = size_of(), n = size_of(), k = size_of(), b = size_of();
    wn_tensor *mk = any(WN_DIMS(m, k), t), *kn = any(WN_DIMS(k, n), t), *v = any(WN_DIMS(k), t);
    problem p = {.n = 2, .x = {mk, kn}, .labels = {"mk", "kn"}, .out = "mn"};
    compare("mm", wn_mm(mk, kn), &p, 4);
    p = (problem){.n = 2, .x = {mk, v}, .labels = {"mk", "k"}, .out = "m"};
    compare("mv", wn_mv(mk, v), &p, 4);
    wn_tensor *w = any(WN_DIMS(k), t);
    p = (problem){.n = 2, .x = {v, w}, .labels = {"k", "k"}, .out = ""};
    compare("dot", wn_dot(v, w), &p, 4);
    wn_tensor *bmk = any(WN_DIMS(b, m, k), t), *bkn = any(WN_DIMS(b, k, n), t);
    p = (problem){.n = 2, .x = {bmk, bkn}, .labels = {"bmk", "bkn"}, .out = "bmn"};
    compare("bmm", wn_bmm(bmk, bkn), &p, 4);
    p = (problem){.n = 2, .x = {v, any(WN_DIMS(n), t)}, .labels = {"k", "n"}, .out = "kn"};
    compare("outer", wn_outer(p.x[0], p.x[1]), &p, 4);
    p = (problem){.n = 2, .x = {bmk, any(WN_DIMS(n, k, m), t)}, .labels = {"bmk", "nkm"}, .out = "bn"};
    compare("tensordot", wn_tensordot(p.x[0], p.x[1], WN_DIMS(1, -1), WN_DIMS(2, 1)), &p, 8);
    p = (problem){.n = 2, .x = {mk, kn}, .labels = {"ab", "cd"}, .out = "abcd"};
    if (m * k * k * n < 20000) compare("tensordot without dims", wn_tensordot(mk, kn, WN_0D, WN_0D), &p, 4);
}

/* matmul of all pairs of ranks, with broadcast batches. */
static void test_matmul(wn_dtype t) {
    WN_SCOPE(s);
    const int na = 1 + (int)below(4), nb = 1 + (int)below(4);
    const int64_t m = size_of(), n = size_of(), k = size_of(), batch[2] = {1 + below(3), 1 + below(4)};
    int64_t sa[4], sb[4];
    problem p = {.n = 2};
    for (int side = 0; side < 2; side++) {
        const int rank = side ? nb : na, lead = rank > 2 ? rank - 2 : 0;
        int64_t *size = side ? sb : sa;
        char *l = p.labels[side];
        for (int d = 0; d < lead; d++) {
            const int which = 2 - lead + d;
            size[d] = maybe(3) ? 1 : batch[which];
            l[d] = (char)('0' + which);
        }
        if (rank > 1) size[lead] = side ? k : m, l[lead] = side ? 'k' : 'm';
        size[rank - 1] = side && rank > 1 ? n : k;
        l[rank - 1] = side && rank > 1 ? 'n' : 'k';
    }
    for (int d = 0; d < 2; d++)
        if (na - 2 >= 2 - d || nb - 2 >= 2 - d) p.out[strlen(p.out)] = (char)('0' + d);
    if (na > 1) strcat(p.out, "m");
    if (nb > 1) strcat(p.out, "n");
    p.x[0] = any(dims(sa, na), t);
    p.x[1] = any(dims(sb, nb), t);
    compare("matmul", wn_matmul(p.x[0], p.x[1]), &p, 4);
}

/* addends of every broadcast form */
static void test_addends(wn_dtype t) {
    WN_SCOPE(s);
    const int64_t m = size_of(), n = size_of(), k = size_of(), b = 1 + below(4);
    wn_dims forms[] = {WN_DIMS(m, n), WN_DIMS(n), WN_DIMS(1, n), WN_DIMS(m, 1), WN_DIMS(1), WN_0D};
    const bool whole = !wn__is_float((int)t);
    const double alpha = maybe(2) ? 1 : whole ? 3 : 0.5, beta = maybe(2) ? 1 : whole ? -2 : 0.25;
    wn_val va = whole ? wn_val_of_int((int64_t)alpha) : wn_val_of_float(alpha), vb = whole ? wn_val_of_int((int64_t)beta) : wn_val_of_float(beta);
    wn_tensor *a = any(WN_DIMS(m, k), t), *c = any(WN_DIMS(k, n), t), *bias = any(forms[below(6)], t);
    problem p = {.n = 2, .x = {a, c}, .labels = {"mk", "kn"}, .out = "mn"};
    wn_dims shape;
    double *want = reference(&p, &shape), *add = elements(wn_expand(bias, shape));
    for (int64_t i = 0; i < m * n; i++) want[i] = beta * add[i] + alpha * want[i];
    wn_tensor *y = wn_addmm(bias, a, c, .alpha = va, .beta = vb);
    check(has_shape(y, shape) && close_to(y, want, 4), "addmm %s %s + %s @ %s", wn_dtype_name(t), wn__desc(bias), wn__desc(a), wn__desc(c));
    if (wn__same_shape(bias, y)) {
        wn_tensor *target = wn_contiguous_copy(bias);
        wn_addmm_(target, a, c, .alpha = va, .beta = vb);
        check(close_to(target, want, 4), "addmm_ %s", wn_dtype_name(t));
    }
    if (m > 0 && wn_ndim(bias) < 2) { /* linear: the same with the weight transposed */
        for (int64_t i = 0; i < m * n; i++) want[i] = alpha == 1 && beta == 1 ? want[i] : (want[i] - beta * add[i]) / alpha + add[i];
        if (!whole || (alpha == 1 && beta == 1)) {
            wn_tensor *r = wn_linear(a, wn_t(c), bias);
            check(has_shape(r, shape) && close_to(r, want, 8), "linear %s, %s, %s", wn__desc(a), wn__desc(c), wn__desc(bias));
        }
    }
    free(want);
    free(add);
    wn_tensor *x = any(WN_DIMS(b, 2, m, k), t), *w = any(WN_DIMS(n, k), t), *row = any(WN_DIMS(n), t);
    p = (problem){.n = 2, .x = {x, w}, .labels = {"bcmk", "nk"}, .out = "bcmn"};
    compare("linear, no bias", wn_linear(x, w), &p, 4);
    want = reference(&p, &shape);
    add = elements(wn_expand(row, shape));
    for (int64_t i = 0; i < b * 2 * m * n; i++) want[i] += add[i];
    wn_tensor *r = wn_linear(x, w, row);
    check(has_shape(r, shape) && close_to(r, want, 4), "linear 4-d %s, %s", wn__desc(x), wn__desc(w));
    free(want);
    free(add);
    p = (problem){.n = 2, .x = {x, any(WN_DIMS(k), t)}, .labels = {"bcmk", "k"}, .out = "bcm"};
    compare("linear, 1-d weight", wn_linear(x, p.x[1]), &p, 4);
    want = reference(&p, &shape);
    wn_tensor *one = any(WN_0D, t);
    add = elements(one);
    for (int64_t i = 0; i < b * 2 * m; i++) want[i] += add[0];
    r = wn_linear(x, p.x[1], one);
    check(has_shape(r, shape) && close_to(r, want, 4), "linear, 1-d weight and bias");
    free(want);
    free(add);
    wn_dims batched[] = {WN_DIMS(b, m, n), WN_DIMS(m, n), WN_DIMS(n), WN_DIMS(b, 1, 1), WN_DIMS(b, m, 1), WN_DIMS(1, 1, n), WN_0D};
    wn_tensor *b1 = any(WN_DIMS(b, m, k), t), *b2 = any(WN_DIMS(b, k, n), t);
    bias = any(batched[below(7)], t);
    p = (problem){.n = 2, .x = {b1, b2}, .labels = {"bmk", "bkn"}, .out = "bmn"};
    want = reference(&p, &shape);
    add = elements(wn_expand(bias, shape));
    for (int64_t i = 0; i < b * m * n; i++) want[i] = beta * add[i] + alpha * want[i];
    r = wn_baddbmm(bias, b1, b2, .alpha = va, .beta = vb);
    check(has_shape(r, shape) && close_to(r, want, 4), "baddbmm %s + %s @ %s", wn__desc(bias), wn__desc(b1), wn__desc(b2));
    free(want);
    free(add);
    wn_tensor *v = any(WN_DIMS(k), t);
    bias = any(maybe(2) ? WN_DIMS(m) : WN_DIMS(1), t);
    p = (problem){.n = 2, .x = {a, v}, .labels = {"mk", "k"}, .out = "m"};
    want = reference(&p, &shape);
    add = elements(wn_expand(bias, shape));
    for (int64_t i = 0; i < m; i++) want[i] = beta * add[i] + alpha * want[i];
    r = wn_addmv(bias, a, v, .alpha = va, .beta = vb);
    check(has_shape(r, shape) && close_to(r, want, 4), "addmv %s + %s @ %s", wn__desc(bias), wn__desc(a), wn__desc(v));
    free(want);
    free(add);
}

static void test_special(void) {
    WN_SCOPE(s);
    wn_tensor *nan = wn_full(WN_DIMS(4), NAN), *a = wn_ones(WN_DIMS(2, 3)), *b = wn_ones(WN_DIMS(3, 4));
    double *v = elements(wn_addmm(nan, a, b, .beta = wn_val_of_int(0)));
    check(v[0] == 3 && v[7] == 3, "beta = 0 does not read the addend");
    free(v);
    v = elements(wn_addmm(wn_ones(WN_DIMS(1)), wn_ones(WN_DIMS(2, 0)), wn_ones(WN_DIMS(0, 4)), .beta = wn_val_of_int(3)));
    check(v[0] == 3 && v[7] == 3, "empty k: beta * self");
    free(v);
    v = elements(wn_mm(wn_ones(WN_DIMS(2, 0)), wn_ones(WN_DIMS(0, 4))));
    check(v[0] == 0 && v[7] == 0, "empty k: zeros");
    free(v);
    v = elements(wn_mm(wn_full(WN_DIMS(1, 1), INFINITY), wn_zeros(WN_DIMS(1, 1))));
    check(isnan(v[0]), "0 * inf is NaN");
    free(v);
    wn_tensor *big = wn_full(WN_DIMS(2, 2), INT64_C(1) << 62, .dtype = WN_I64);
    check(wn_item_i64(wn_select(wn_select(wn_mm(big, wn_full(WN_DIMS(2, 2), 3, .dtype = WN_I64)), 0, 0), 0, 0)) == (int64_t)((uint64_t)6 << 62),
          "int64 wraps");
    /* f16: 4096 ones sum to 4096 only when the sum is kept in f32 (an f16 sum stops at 2048) */
    check(wn_item_f64(wn_dot(wn_ones(WN_DIMS(4096), .dtype = WN_F16), wn_ones(WN_DIMS(4096), .dtype = WN_F16))) == 4096, "f16 accumulates in f32");
    check(wn_item_f64(wn_dot(wn_ones(WN_DIMS(4096), .dtype = WN_BF16), wn_ones(WN_DIMS(4096), .dtype = WN_BF16))) == 4096, "bf16 accumulates in f32");
    wn_tensor *out = wn_empty(WN_DIMS(2, 4));
    const void *before = wn_data(out);
    wn_matmul(a, b, .out = out);
    check(wn_data(out) == before && ((const float *)wn_data(out))[7] == 3, "out=");
    out = wn_empty(WN_DIMS(3, 3));
    wn_mm(wn_ones(WN_DIMS(3, 3)), out, .out = out);
    check(wn_error() == WN_OK, "out= that is an operand");
}

/* ------------------------------------------------------------------------------------------------ einsum */

static void add_char(char *s, char c) {
    const size_t n = strlen(s);
    s[n] = c;
    s[n + 1] = 0;
}

/* A random equation; the reference sees "..." as digits, the last of its dimensions being '0'. */
static void test_einsum(void) {
    static const char pool[] = "aBcdZ";
    WN_SCOPE(s);
    problem p = {.n = 1 + (int)below(maybe(3) ? 5 : 3)};
    static const wn_dtype types[] = {WN_F64, WN_F64, WN_F32, WN_I64, WN_I32};
    const wn_dtype t = types[below(5)];
    int64_t size[128];
    for (const char *l = pool; *l; l++) size[(int)*l] = maybe(20) ? 0 : 1 + below(4);
    for (int i = '0'; i < '3'; i++) size[i] = 1 + below(3);
    char equation[160] = "";
    int count[128] = {0}, ellipsis = 0;
    const bool dots = maybe(3);
    for (int i = 0; i < p.n; i++) {
        const int n = (int)below(4), covered = dots && !maybe(4) ? (int)below(3) : -1, where = (int)below(n + 1);
        int64_t shape[8];
        int nd = 0;
        for (int k = 0; k <= n; k++) {
            if (covered >= 0 && k == where) {
                strcat(equation, "...");
                for (int h = covered; h-- > 0;) {
                    shape[nd++] = maybe(4) ? 1 : size['0' + h];
                    add_char(p.labels[i], (char)('0' + h));
                }
                if (covered > ellipsis) ellipsis = covered;
            }
            if (k == n) break;
            const char l = pool[below(5)];
            int64_t one = maybe(6) ? 1 : size[(int)l]; /* broadcasts; a repeated label keeps its size */
            for (int d = 0; d < nd; d++)
                if (p.labels[i][d] == l) one = shape[d];
            shape[nd++] = one;
            count[(int)l]++;
            add_char(p.labels[i], l);
            add_char(equation, l);
            if (maybe(8)) add_char(equation, ' ');
        }
        if (i + 1 < p.n) strcat(equation, maybe(3) ? ", " : ",");
        p.x[i] = any(dims(shape, nd), t);
    }
    if (maybe(3)) { /* implicit */
        for (int h = ellipsis; h-- > 0;) add_char(p.out, (char)('0' + h));
        for (int l = 'A'; l <= 'z'; l++)
            if (count[l] == 1) add_char(p.out, (char)l);
    } else {
        strcat(equation, maybe(3) ? " -> " : "->");
        char left[8] = "";
        for (const char *l = pool; *l; l++)
            if (count[(int)*l] && maybe(2)) add_char(left, *l);
        const size_t n = strlen(left);
        const bool show = ellipsis && !maybe(4);
        for (size_t k = 0; k <= n; k++) {
            if (show && k == n / 2) {
                strcat(equation, "...");
                for (int h = ellipsis; h-- > 0;) add_char(p.out, (char)('0' + h));
            }
            if (k == n) break;
            const size_t pick = (size_t)below((int64_t)strlen(left));
            add_char(p.out, left[pick]);
            add_char(equation, left[pick]);
            memmove(left + pick, left + pick + 1, strlen(left + pick));
        }
    }
    wn_tensor *y = wn_einsum_x(&(wn_einsum_args){.size_ = sizeof(wn_einsum_args), .equation = equation, .tensors = {.n = p.n, .v = p.x}});
    wn_dims shape;
    double *want = reference(&p, &shape);
    char text[400];
    snprintf(text, sizeof text, "einsum \"%s\" %s %s %s %s", equation, wn__desc(p.x[0]), p.n > 1 ? wn__desc(p.x[1]) : "", p.n > 2 ? wn__desc(p.x[2]) : "",
             p.n > 3 ? wn__desc(p.x[3]) : "");
    check(has_shape(y, shape) && close_to(y, want, 8), "%s", text);
    free(want);
}

static void test_einsum_path(void) {
    /* a chain that is only feasible in a good order: 64 x 64 matrices around a long thin one; and more operands than are planned */
    WN_SCOPE(s);
    wn_tensor *m[13];
    char equation[100] = "";
    for (int i = 0; i < 13; i++) {
        m[i] = wn_mul(wn_eye(8, .dtype = WN_F64), 1 + i % 2);
        char term[8];
        snprintf(term, sizeof term, "%s%c%c", i ? "," : "", 'a' + i, 'b' + i);
        strcat(equation, term);
    }
    strcat(equation, "->an");
    wn_tensor *y = wn_einsum_x(&(wn_einsum_args){.size_ = sizeof(wn_einsum_args), .equation = equation, .tensors = {.n = 13, .v = m}});
    check(has_shape(y, WN_DIMS(8, 8)) && wn_item_f64(wn_sum(y)) == 8 * 64, "a chain of 13 matrices");
    wn_stats before = wn_get_stats();
    y = wn_einsum("ij,jk,k->i", wn_ones(WN_DIMS(300, 300)), wn_ones(WN_DIMS(300, 300)), wn_ones(WN_DIMS(300)));
    check(wn_item_f64(wn_select(y, 0, 0)) == 90000 && wn_get_stats().elements - before.elements < 10000, "matrix, matrix, vector: right to left");
}

/* ------------------------------------------------------------------------------------------------ gradients */

static wn_tensor *f_matmul(void *ctx, wn_list in) { (void)ctx; return wn_matmul(in.v[0], in.v[1]); }
static wn_tensor *f_mm(void *ctx, wn_list in) { (void)ctx; return wn_mm(in.v[0], in.v[1]); }
static wn_tensor *f_bmm(void *ctx, wn_list in) { (void)ctx; return wn_bmm(in.v[0], in.v[1]); }
static wn_tensor *f_mv(void *ctx, wn_list in) { (void)ctx; return wn_mv(in.v[0], in.v[1]); }
static wn_tensor *f_dot(void *ctx, wn_list in) { (void)ctx; return wn_dot(in.v[0], in.v[1]); }
static wn_tensor *f_addmm(void *ctx, wn_list in) { (void)ctx; return wn_addmm(in.v[0], in.v[1], in.v[2], .alpha = WN_VAL(0.5), .beta = WN_VAL(2)); }
static wn_tensor *f_addmv(void *ctx, wn_list in) { (void)ctx; return wn_addmv(in.v[0], in.v[1], in.v[2], .alpha = WN_VAL(0.5)); }
static wn_tensor *f_baddbmm(void *ctx, wn_list in) { (void)ctx; return wn_baddbmm(in.v[0], in.v[1], in.v[2], .beta = WN_VAL(0.5)); }
static wn_tensor *f_linear(void *ctx, wn_list in) { (void)ctx; return wn_linear(in.v[0], in.v[1], in.n > 2 ? in.v[2] : NULL); }
static wn_tensor *f_einsum(void *ctx, wn_list in) { return wn_einsum_x(&(wn_einsum_args){.size_ = sizeof(wn_einsum_args), .equation = ctx, .tensors = in}); }
static wn_tensor *f_tensordot(void *ctx, wn_list in) { (void)ctx; return wn_tensordot(in.v[0], in.v[1], WN_DIMS(0, 2), WN_DIMS(1, 0)); }

static wn_tensor *leaf(wn_dims shape) {
    return wn_requires_grad(wn_detach(random_tensor(shape, WN_F64, PLAIN)), true);
}
static void gradients(const char *what, wn_fn fn, void *ctx, wn_list in) {
    check(wn_gradcheck(fn, ctx, in, 1e-6, 1e-7, 1e-5, true) == WN_OK, "gradients of %s", what);
}

static void test_gradients(void) {
    WN_SCOPE(s);
    gradients("mm", f_mm, NULL, WN_LIST(leaf(WN_DIMS(3, 4)), leaf(WN_DIMS(4, 2))));
    gradients("bmm", f_bmm, NULL, WN_LIST(leaf(WN_DIMS(2, 3, 4)), leaf(WN_DIMS(2, 4, 2))));
    gradients("mv", f_mv, NULL, WN_LIST(leaf(WN_DIMS(3, 4)), leaf(WN_DIMS(4))));
    gradients("dot", f_dot, NULL, WN_LIST(leaf(WN_DIMS(4)), leaf(WN_DIMS(4))));
    wn_dims left[] = {WN_DIMS(4), WN_DIMS(3, 4), WN_DIMS(2, 3, 4), WN_DIMS(1, 3, 4), WN_DIMS(2, 1, 3, 4)};
    wn_dims right[] = {WN_DIMS(4), WN_DIMS(4, 2), WN_DIMS(2, 4, 2), WN_DIMS(1, 4, 2), WN_DIMS(1, 2, 4, 1)};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 5; k++) {
            char text[80];
            snprintf(text, sizeof text, "matmul %s @ %s", wn__dims_text(left[i].v, left[i].n), wn__dims_text(right[k].v, right[k].n));
            gradients(text, f_matmul, NULL, WN_LIST(leaf(left[i]), leaf(right[k])));
        }
    gradients("addmm", f_addmm, NULL, WN_LIST(leaf(WN_DIMS(3, 2)), leaf(WN_DIMS(3, 4)), leaf(WN_DIMS(4, 2))));
    gradients("addmm, row", f_addmm, NULL, WN_LIST(leaf(WN_DIMS(2)), leaf(WN_DIMS(3, 4)), leaf(WN_DIMS(4, 2))));
    gradients("addmm, column", f_addmm, NULL, WN_LIST(leaf(WN_DIMS(3, 1)), leaf(WN_DIMS(3, 4)), leaf(WN_DIMS(4, 2))));
    gradients("addmv", f_addmv, NULL, WN_LIST(leaf(WN_DIMS(3)), leaf(WN_DIMS(3, 4)), leaf(WN_DIMS(4))));
    gradients("baddbmm", f_baddbmm, NULL, WN_LIST(leaf(WN_DIMS(2, 1, 2)), leaf(WN_DIMS(2, 3, 4)), leaf(WN_DIMS(2, 4, 2))));
    gradients("linear", f_linear, NULL, WN_LIST(leaf(WN_DIMS(3, 4)), leaf(WN_DIMS(2, 4)), leaf(WN_DIMS(2))));
    gradients("linear 3-d", f_linear, NULL, WN_LIST(leaf(WN_DIMS(2, 3, 4)), leaf(WN_DIMS(2, 4)), leaf(WN_DIMS(2))));
    gradients("linear 1-d", f_linear, NULL, WN_LIST(leaf(WN_DIMS(4)), leaf(WN_DIMS(2, 4))));
    gradients("linear, 1-d weight", f_linear, NULL, WN_LIST(leaf(WN_DIMS(3, 4)), leaf(WN_DIMS(4)), leaf(WN_0D)));
    gradients("linear, both 1-d", f_linear, NULL, WN_LIST(leaf(WN_DIMS(4)), leaf(WN_DIMS(4))));
    gradients("tensordot", f_tensordot, NULL, WN_LIST(leaf(WN_DIMS(2, 3, 4)), leaf(WN_DIMS(4, 2, 2))));
    static const char *equations[] = {"ij,jk->ik", "ij,jk", "bij,bjk->bki", "ii->i", "ii", "iij,j->i", "ij->", "i,j->ij", "ij,kj,k->i", "...i,...ij->...j", "ab,ab->ab"};
    wn_dims shapes[][3] = {{WN_DIMS(2, 3), WN_DIMS(3, 2)}, {WN_DIMS(2, 3), WN_DIMS(3, 2)}, {WN_DIMS(2, 2, 3), WN_DIMS(2, 3, 2)}, {WN_DIMS(3, 3)}, {WN_DIMS(3, 3)},
                           {WN_DIMS(3, 3, 2), WN_DIMS(2)}, {WN_DIMS(2, 3)}, {WN_DIMS(2), WN_DIMS(3)}, {WN_DIMS(2, 3), WN_DIMS(2, 3), WN_DIMS(2)},
                           {WN_DIMS(2, 1, 3), WN_DIMS(2, 3, 2)}, {WN_DIMS(2, 1), WN_DIMS(1, 3)}};
    for (int i = 0; i < 11; i++) {
        wn_tensor *x[3];
        int n = 0;
        while (n < 3 && shapes[i][n].n) {
            x[n] = leaf(shapes[i][n]);
            n++;
        }
        gradients(equations[i], f_einsum, (void *)(uintptr_t)equations[i], (wn_list){.n = n, .v = x});
    }
    /* only what is wanted is computed */
    wn_tensor *x = wn_ones(WN_DIMS(8, 1000)), *w = wn_requires_grad(wn_ones(WN_DIMS(10, 1000)), true);
    wn_tensor *loss = wn_sum(wn_linear(x, w));
    const int64_t before = wn_get_stats().elements;
    check(wn_backward(loss) == WN_OK && wn_get_stats().elements - before < 10000 + 4000, "an input that needs no gradient gets none");
}

/* ------------------------------------------------------------------------------------------------ threads, messages */

static void test_threads(void) {
    WN_SCOPE(s);
    wn_tensor *a = random_tensor(WN_DIMS(3, 130, 257), WN_F32, PLAIN), *b = random_tensor(WN_DIMS(257, 301), WN_F32, TRANSPOSED), *bias = random_tensor(WN_DIMS(301), WN_F32, PLAIN);
    wn_tensor *first[4] = {0};
    for (int threads = 1; threads <= 5; threads += threads == 1 ? 1 : 3) {
        wn_set_num_threads(threads);
        wn_tensor *y[4] = {wn_matmul(a, b), wn_linear(a, wn_t(b), bias), wn_einsum("bij,jk,lk->bil", a, b, b), wn_mv(wn_select(a, 0, 0), wn_select(b, 1, 3))};
        for (int i = 0; i < 4; i++) {
            if (!first[i]) first[i] = y[i];
            check(same_bits(first[i], y[i]), "same bits, product %d, %d threads", i, threads);
        }
    }
    wn_set_num_threads(0);
}

static void test_messages(void) {
    WN_SCOPE(s);
    wn_tensor *a = wn_ones(WN_DIMS(2, 3)), *b = wn_ones(WN_DIMS(4, 2)), *v = wn_ones(WN_DIMS(3)), *d = wn_ones(WN_DIMS(3, 2), .dtype = WN_F64);
    wn_tensor *t = wn_ones(WN_DIMS(2, 2), .dtype = WN_BOOL), *x = wn_ones(WN_DIMS(5, 2, 3)), *y = wn_ones(WN_DIMS(4, 3, 2)), *z = wn_ones(WN_0D);
    expect_error(wn_mm(a, b), WN_E_RUNTIME, "mat1 and mat2 shapes cannot be multiplied (f32[2,3] and f32[4,2])");
    expect_error(wn_mm(a, v), WN_E_RUNTIME, "mat2 must be a matrix");
    expect_error(wn_mm(v, b), WN_E_RUNTIME, "self must be a matrix");
    expect_error(wn_mm(a, d), WN_E_RUNTIME, "to have the same dtype, but got: float != double");
    expect_error(wn_mm(t, t), WN_E_NOT_IMPLEMENTED, "not implemented for 'Bool'");
    expect_error(wn_matmul(t, t), WN_E_NOT_IMPLEMENTED, "not implemented for 'Bool'");
    expect_error(wn_matmul(z, v), WN_E_RUNTIME, "both arguments to matmul need to be at least 1D");
    expect_error(wn_matmul(x, y), WN_E_RUNTIME, "The size of tensor a (5) must match the size of tensor b (4) at non-singleton dimension 0");
    expect_error(wn_matmul(a, b), WN_E_RUNTIME, "f32[2,3] and f32[4,2]");
    expect_error(wn_bmm(x, y), WN_E_RUNTIME, "Expected size for first two dimensions of batch2 tensor to be: [5, 3] but got: [4, 3]");
    expect_error(wn_bmm(a, y), WN_E_RUNTIME, "3D");
    expect_error(wn_mv(a, wn_ones(WN_DIMS(4))), WN_E_RUNTIME, "size mismatch");
    expect_error(wn_dot(v, wn_ones(WN_DIMS(4))), WN_E_RUNTIME, "inconsistent tensor size");
    expect_error(wn_dot(a, v), WN_E_RUNTIME, "1D tensors expected");
    expect_error(wn_addmm(wn_ones(WN_DIMS(3)), a, wn_ones(WN_DIMS(3, 4))), WN_E_RUNTIME, "The expanded size of the tensor (4) must match the existing size (3)");
    expect_error(wn_addmm(d, a, wn_ones(WN_DIMS(3, 4))), WN_E_RUNTIME, "same dtype");
    expect_error(wn_linear(a, b), WN_E_RUNTIME, "cannot be multiplied (input f32[2,3] and weight f32[4,2])");
    expect_error(wn_tensordot(a, b, WN_DIMS(1), WN_DIMS(0)), WN_E_RUNTIME, "contracted dimensions need to match, but first has size 3 in dim 1 and second has size 4 in dim 0");
    expect_error(wn_tensordot(a, b, WN_DIMS(1, 0), WN_DIMS(0)), WN_E_RUNTIME, "both dimension lists should have same length");
    expect_error(wn_einsum("ij,jk->ik", a), WN_E_RUNTIME, "fewer operands were provided than specified in the equation");
    expect_error(wn_einsum("ij->ij", a, a), WN_E_RUNTIME, "more operands were provided than specified in the equation");
    expect_error(wn_einsum("ij,jk->ik", a, wn_ones(WN_DIMS(4, 5))), WN_E_RUNTIME, "subscript j has size 4 for operand 1 which does not broadcast with previously seen size 3");
    expect_error(wn_einsum("ii->i", a), WN_E_RUNTIME, "subscript i is repeated for operand 0 but the sizes don't match, 3 != 2");
    expect_error(wn_einsum("ij", v), WN_E_RUNTIME, "the number of subscripts in the equation (2) does not match the number of dimensions (1) for operand 0 and no ellipsis was given");
    expect_error(wn_einsum("ij->k", a), WN_E_RUNTIME, "output subscript k does not appear in the equation for any input operand");
    expect_error(wn_einsum("ij->ii", a), WN_E_RUNTIME, "output subscript i appears more than once in the output");
    expect_error(wn_einsum("i1->i", a), WN_E_RUNTIME, "invalid subscript given at index 1 in the equation string");
    expect_error(wn_einsum("i.j->i", a), WN_E_RUNTIME, "found '.' for operand 0 that is not part of any ellipsis");
    expect_error(wn_einsum("i....->i", a), WN_E_RUNTIME, "found '.' for operand 0 for which an ellipsis was already found");
    expect_error(wn_einsum("ij->i->j", a), WN_E_RUNTIME, "invalid subscript given at index 5");
    expect_error(wn_einsum("...,...->...", a, wn_ones(WN_DIMS(4, 3))), WN_E_RUNTIME, "covered by ellipsis in operand 1 has size 4");
    expect_error(wn_einsum("ij,jk->ik", a, d), WN_E_RUNTIME, "same dtype");
    expect_error(wn_einsum("ij,jk->ik", t, t), WN_E_NOT_IMPLEMENTED, "Bool");
    check(wn_dtype_of(wn_einsum("i,i->i", wn_select(t, 0, 0), wn_select(t, 0, 0))) == WN_BOOL, "bool without a sum is allowed");
    check(wn_dtype_of(wn_einsum("ij->i", wn_ones(WN_DIMS(2, 3), .dtype = WN_I32))) == WN_I64, "a lone integer sum is int64");
}

/* Large results come row by row, from copies of both operands. */
static void test_kron(wn_dtype d) {
    WN_SCOPE(s);
    wn_tensor *x = wn_to(wn_reshape(wn_arange(90), WN_DIMS(10, 9)), d), *y = wn_to(wn_reshape(wn_arange(77), WN_DIMS(7, 11)), d);
    wn_tensor *want = wn_reshape(wn_mul(wn_reshape(wn_t(x), WN_DIMS(9, 1, 10, 1)), wn_reshape(y, WN_DIMS(1, 7, 1, 11))), WN_DIMS(63, 110));
    wn_tensor *got = wn_kron(wn_t(x), y), *line = wn_kron(wn_select(x, 0, 1), wn_reshape(y, WN_DIMS(7, 1, 11)));
    check(wn_size(got, 0) == 63 && wn_item_i64(wn_all(wn_eq(got, want))), "kron %s", wn_dtype_name(d));
    check(wn_ndim(line) == 3 && wn_size(line, 2) == 99 && wn_item_i64(wn_all(wn_eq(wn_select(wn_select(line, 0, 6), 0, 0), wn_kron(wn_select(x, 0, 1), wn_select(y, 0, 6))))),
          "kron of a line %s", wn_dtype_name(d));
}

int main(void) {
    wn_set_error_hook(NULL);
    for (int i = 0; i < 12 * DTYPES; i++) {
        test_rows(dtypes[i % DTYPES]);
        test_matmul(dtypes[i % DTYPES]);
        test_addends(dtypes[i % DTYPES]);
    }
    for (int i = 0; i < 400; i++) test_matmul(dtypes[i % DTYPES]);
    for (int i = 0; i < 2000; i++) test_einsum();
    test_special();
    for (int i = 0; i < DTYPES; i++) test_kron(dtypes[i]);
    test_einsum_path();
    test_gradients();
    test_threads();
    test_messages();
    return finish();
}
