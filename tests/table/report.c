/* Counting, comparing and reporting. */
#include "table.h"
#include <math.h>
#include <stdarg.h>

int64_t passed[KINDS], failed[KINDS];
bool full;
static const char *const names[KINDS] = {"values against the naive reference", "dtypes and layouts against f64/i64", "clean refusals",
                                         "in-place forms", "out= forms", "gradcheck", "gradgradcheck", "masks in backward", "1, 2, 5 threads", "levels", "flags", "nonsense arguments",
                                         "tensors within their memory", "allocation failures"};
static const char *const layouts[] = {"contiguous", "transposed", "sliced", "channels last", "expanded"};
static const char *const modes[] = {"normal", "0-size", "0-d", "big"};
static const char *const domains[] = {"mixed", "positive", "unit", "above one", "any"};

bool is_float(wn_dtype d) { return d >= WN_F32 && d <= WN_BF16; }
bool can_land(wn_dtype from, wn_dtype to) { return is_float(from) ? is_float(to) : from == WN_BOOL || to != WN_BOOL; }

const char *spec_text(const spec *sp) {
    static char text[160];
    int at = snprintf(text, sizeof text, "%s", wn_dtype_name(sp->dtype));
    if (sp->dtype2) at += snprintf(text + at, sizeof text - (size_t)at, " with %s", wn_dtype_name(sp->dtype2));
    snprintf(text + at, sizeof text - (size_t)at, ", %s, %s, %s values, seed %llu", layouts[sp->layout], modes[sp->mode], domains[sp->domain],
             (unsigned long long)sp->seed);
    return text;
}

void print_arguments(const sample *s) {
    for (int i = 0; s->args && i < s->op->nfields; i++) {
        const wn_field *f = &s->op->fields[i];
        const void *p = s->args + f->offset;
        char text[200] = "";
        if (f->kind == WN_K_TENSOR) wn_describe(*(wn_tensor *const *)p, text, sizeof text);
        else if (f->kind == WN_K_TENSORS) snprintf(text, sizeof text, "%d tensors", (int)((const wn_list *)p)->n);
        else if (f->kind == WN_K_VALUE || f->kind == WN_K_SCALAR) {
            const wn_val *v = p;
            if (v->kind == WN_VAL_TENSOR) wn_describe(v->u.t, text, sizeof text);
            else if (v->kind == WN_VAL_FLOAT) snprintf(text, sizeof text, "%g", v->u.f);
            else if (v->kind != WN_VAL_NONE) snprintf(text, sizeof text, "%lld", (long long)v->u.i);
        } else if (f->kind == WN_K_DIMS) {
            const wn_dims *d = p;
            size_t at = (size_t)snprintf(text, sizeof text, "[");
            for (int k = 0; k < d->n && k < WN_MAX_DIMS && at < sizeof text - 24; k++) at += (size_t)snprintf(text + at, sizeof text - at, k ? ", %lld" : "%lld", (long long)d->v[k]);
            snprintf(text + at, sizeof text - at, "]%s", d->n ? "" : " (not given)");
        } else if (f->kind == WN_K_INT) snprintf(text, sizeof text, "%lld", (long long)*(const int64_t *)p);
        else if (f->kind == WN_K_FLOAT) snprintf(text, sizeof text, "%g", *(const double *)p);
        else if (f->kind == WN_K_BOOL) snprintf(text, sizeof text, "%d", *(const bool *)p);
        else if (f->kind == WN_K_DTYPE) snprintf(text, sizeof text, "%s", wn_dtype_name(*(const wn_dtype *)p));
        else if (f->kind == WN_K_STRING && *(const char *const *)p) snprintf(text, sizeof text, "\"%s\"", *(const char *const *)p);
        if (text[0]) printf("%s%s=%s", i ? ", " : "", f->name, text);
    }
}

bool check(check_kind k, bool ok, const sample *s, const char *fmt, ...) {
    static int64_t shown;
    static int of_row[KINDS];
    static const wn_op *last;
    if (ok) {
        passed[k]++;
        return true;
    }
    failed[k]++;
    if (s->op != last) memset(of_row, 0, sizeof of_row);
    last = s->op;
    if (of_row[k]++ >= 4 || shown++ >= 400) return false; /* one mistake often fails hundreds of checks */
    printf("FAILED %s [%s] %s: ", s->op->cname, names[k], spec_text(&s->spec));
    va_list ap;
    va_start(ap, fmt);
    vprintf(fmt, ap);
    va_end(ap);
    printf("\n    ");
    print_arguments(s);
    printf("\n");
    fflush(stdout);
    return false;
}

bool close_to(const wn_tensor *got, const wn_tensor *want, double loose, char *why, size_t cap) {
    wn_dtype g = wn_dtype_of(got), w = wn_dtype_of(want);
    char a[80], b[80];
    wn_describe(got, a, sizeof a);
    wn_describe(want, b, sizeof b);
    if (is_float(g) != is_float(w)) {
        snprintf(why, cap, "%s where %s was expected", a, b);
        return false;
    }
    bool same = wn_ndim(got) == wn_ndim(want);
    for (int d = 0; same && d < wn_ndim(got); d++) same = wn_size(got, d) == wn_size(want, d);
    if (!same) {
        snprintf(why, cap, "shape %s where %s was expected", a, b);
        return false;
    }
    double scale = 1;
    for (int64_t i = 0; i < wn_numel(want) && is_float(w); i++) {
        double x = fabs(get_f(want, i));
        if (isfinite(x) && x > scale) scale = x;
    }
    double eps = g == WN_F32 ? 4e-6 : g == WN_F64 ? 1e-13 : g == WN_F16 ? 4e-3 : 3e-2;
    for (int64_t i = 0; i < wn_numel(want); i++) {
        if (!is_float(g)) {
            int64_t x = get_i(got, i), y = wrap_to(g, get_i(want, i));
            if (x == y) continue;
            snprintf(why, cap, "element %lld is %lld, expected %lld", (long long)i, (long long)x, (long long)y);
            return false;
        }
        double x = get_f(got, i), y = get_f(want, i);
        if (x == y || (isnan(x) && isnan(y)) || x == round_to(g, y) || fabs(x - y) <= eps * loose * scale) continue;
        snprintf(why, cap, "element %lld is %.17g, expected %.17g", (long long)i, x, y);
        return false;
    }
    return true;
}

int finish(void) {
    int64_t p = 0, f = 0;
    for (int k = 0; k < KINDS; k++) {
        if (passed[k] + failed[k]) printf("%-40s %8lld passed, %lld failed\n", names[k], (long long)passed[k], (long long)failed[k]);
        p += passed[k];
        f += failed[k];
    }
    printf("%lld passed, %lld failed\n", (long long)p, (long long)f);
    return f != 0;
}
