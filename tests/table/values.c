/* Every dtype and layout: pointwise rows against the naive scalar reference, other rows against themselves on f64/i64 copies. */
#include "table.h"
#include <math.h>

static const char *outcome(const result *r) { return r->status ? r->message : "a result"; }

static bool is_refusal(wn_status st) { return st == WN_E_NOT_IMPLEMENTED || st == WN_E_RUNTIME || st == WN_E_TYPE || st == WN_E_VALUE || st == WN_E_INDEX; }

static bool refused_cleanly(const sample *s, const result *r) {
    return check(C_REFUSED, is_refusal(r->status) && r->message[0] && r->outs.n == 0, s, "status %d, \"%s\"", (int)r->status, r->message);
}

/* ------------------------------------------------------------------ pointwise */

static bool within(wn_dtype d, double got, double want, double slack) {
    if (got == want || (isnan(got) && isnan(want)) || got == round_to(d, want)) return true;
    if (slack == 0 || !isfinite(want)) return false;
    return got >= round_to(d, want - slack) && got <= round_to(d, want + slack);
}

static bool overlapping_target(const sample *s) { return !(s->op->flags & WN__F_ONE_VALUE) && s->spec.layout == EXPANDED && wn__overlaps_itself(s->made[0]); }

static bool check_pointwise(const sample *s) {
    naive n;
    bool defined = naive_prepare(s, &n);
    wn_tensor *target = NULL;
    if (s->op->flags & WN__F_INPLACE_ONLY) {
        target = s->made[0];
        defined = defined && can_land(n.dtype, wn_dtype_of(target)) && !overlapping_target(s) && n.ndim == wn_ndim(target);
        for (int d = 0; defined && d < n.ndim; d++) defined = n.shape[d] == wn_size(target, d);
    }
    int64_t numel = 1;
    for (int d = 0; defined && d < n.ndim; d++) numel *= n.shape[d];
    double *f = calloc((size_t)(defined ? numel : 0) + 1, sizeof *f);
    int64_t *k = calloc((size_t)(defined ? numel : 0) + 1, sizeof *k);
    for (int64_t i = 0; defined && i < numel; i++) naive_element(s, &n, i, &f[i], &k[i]);
    result r = run_row(s);
    bool ok = true;
    if (!defined) {
        ok = r.status ? refused_cleanly(s, &r) : check(C_VALUES, false, s, "it should refuse these arguments");
    } else if (r.status) {
        ok = check(C_VALUES, false, s, "%s", r.message);
    } else {
        wn_tensor *y = result_at(&r, 0);
        wn_dtype d = target ? wn_dtype_of(target) : n.dtype;
        bool shape = wn_ndim(y) == n.ndim && wn_numel(y) == numel;
        for (int i = 0; shape && i < n.ndim; i++) shape = wn_size(y, i) == n.shape[i];
        ok = check(C_VALUES, wn_dtype_of(y) == d && shape, s, "result is %s, expected %s and %lld elements", wn__desc(y), wn_dtype_name(d), (long long)numel);
        double few = s->op->types == WN__TY_SAME || s->op->types == WN__TY_NUMBER ? 8 : 6;
        bool loose = excuses(s->op) & LOOSE; /* terms that cancel: their size counts, not the sum's */
        wn_dtype computed = n.dtype == WN_F64 ? WN_F64 : WN_F32;
        int64_t bad = -1;
        for (int64_t i = 0; ok && i < numel && bad < 0; i++) {
            double slack = n.exact ? 0 : few * (loose ? 64 : 1) * spacing(computed, loose && fabs(f[i]) < 4 ? 4 : f[i]);
            if (!n.exact && fabs(f[i]) < 1e-37) slack += computed == WN_F32 ? 1.2e-38 : 2.3e-308;
            bool fits = is_float(d) ? within(d, get_f(y, i), f[i], slack) : get_i(y, i) == wrap_to(d, k[i]);
            if (!fits) bad = i;
        }
        if (ok) {
            ok = bad < 0;
            if (ok) check(C_VALUES, true, s, "-");
            else if (is_float(d)) check(C_VALUES, false, s, "element %lld is %.17g, expected %.17g (%.1f ulp)", (long long)bad, get_f(y, bad), f[bad],
                                        fabs(get_f(y, bad) - f[bad]) / spacing(computed, f[bad]));
            else check(C_VALUES, false, s, "element %lld is %lld, expected %lld", (long long)bad, (long long)get_i(y, bad), (long long)k[bad]);
        }
    }
    bool success = defined && !r.status;
    check_meta(s, &r);
    result_free(&r);
    free(f);
    free(k);
    return success;
}

/* ------------------------------------------------------------------ other rows */

/* All results and mutated arguments of r against those of w. */
static void compare_results(check_kind k, const sample *s, const result *r, const sample *t, const result *w) {
    char why[256] = "";
    double loose = excuses(s->op) & LOOSE ? 10 : 1;
    if (!check(k, r->outs.n == w->outs.n, s, "%lld results, expected %lld", (long long)r->outs.n, (long long)w->outs.n)) return;
    bool values = !(excuses(s->op) & NO_VALUES) && !(s->op->flags & WN__F_RANDOM);
    for (int64_t i = 0; i < r->outs.n; i++) {
        wn_tensor *a = result_at(r, i), *b = result_at(w, i);
        bool ok = wn_ok(a) && wn_ok(b);
        if (ok && values) ok = close_to(a, b, loose, why, sizeof why);
        else if (ok) ok = wn_numel(a) == wn_numel(b) && wn_ndim(a) == wn_ndim(b);
        check(k, ok, s, "result %lld: %s", (long long)i, why);
    }
    wn_tensor *m[MAX_MADE], *mt[MAX_MADE];
    int n = mutated_arguments(s, m);
    mutated_arguments(t, mt);
    for (int i = 0; i < n && values; i++) check(k, close_to(m[i], mt[i], loose, why, sizeof why), s, "mutated argument %d: %s", i, why);
}

static bool mutates_expanded(const sample *s) {
    wn_tensor *m[MAX_MADE];
    return s->spec.layout == EXPANDED && mutated_arguments(s, m) > 0;
}

static bool check_other(const sample *s) {
    sample twin;
    bool keep_dtype = excuses(s->op) & NO_REFERENCE;
    if (!sample_twin(&twin, s, !keep_dtype)) return false;
    result w = run_row(&twin), r = run_row(s);
    check_inferred(s, &r);
    check_meta(s, &r);
    bool success = false;
    if (!r.status && !w.status) {
        compare_results(C_LAYOUTS, s, &r, &twin, &w);
        success = true;
    } else if (!r.status) {
        check(C_LAYOUTS, is_float(s->spec.dtype) && is_refusal(w.status) && s->spec.dtype != WN_F64, s, "gives a result, but fails on f64/i64 copies: %s", w.message);
    } else {
        refused_cleanly(s, &r);
        sample same; /* the dtype may be refused, a layout may not */
        if (!w.status && !mutates_expanded(s) && sample_twin(&same, s, false)) {
            result c = run_row(&same);
            check(C_LAYOUTS, c.status == r.status, s, "row-major it gives %s, in this layout %s", outcome(&c), outcome(&r));
            result_free(&c);
            sample_free(&same);
        }
    }
    result_free(&r);
    result_free(&w);
    sample_free(&twin);
    return success;
}

/* ------------------------------------------------------------------ all specs of a row */

static bool run_spec(const wn_op *op, spec sp) {
    sample s;
    if (!sample_make(&s, op, sp)) return false;
    bool pointwise = op->cls == WN__POINTWISE, ok = pointwise ? check_pointwise(&s) : check_other(&s);
    sample_free(&s);
    return ok;
}

/* Does it fail only for want of LAPACK? Then nothing can be said of it on this machine. */
static bool needs_lapack(const wn_op *op) {
    bool missing = false;
    for (uint64_t k = 0; k < 4 && !missing; k++) {
        sample s;
        if (!sample_make(&s, op, (spec){.dtype = WN_F64, .seed = 200 + k})) continue;
        result r = run_row(&s);
        missing = r.status && strstr(r.message, "LAPACK was not found");
        result_free(&r);
        sample_free(&s);
    }
    return missing;
}

void check_values(const wn_op *op) {
    bool pointwise = op->cls == WN__POINTWISE;
    int seeds = full ? 40 : pointwise ? 3 : 4;
    bool ok[WN__DTYPES] = {false}, any = false;
    for (int d = WN_F32; d <= WN_BOOL; d++) {
        for (int k = 0; k < seeds; k++) {
            spec sp = {.dtype = (wn_dtype)d, .seed = (uint64_t)(100 * d + k), .domain = pointwise ? ANY : MIXED};
            for (int l = 0; l < LAYOUTS; l++) {
                if (l && !op->ntensors) continue;
                sp.layout = (layout)l;
                sp.mode = NORMAL;
                sp.domain = !pointwise && k % 2 ? POSITIVE : sp.domain;
                ok[d] |= run_spec(op, sp);
                sp.mode = EMPTY;
                run_spec(op, sp);
                if (pointwise && op->noperands > 1) { /* mixed dtypes */
                    sp.mode = NORMAL;
                    sp.dtype2 = (wn_dtype)(1 + (d + k * 3 + l) % WN_BOOL);
                    run_spec(op, sp);
                    sp.dtype2 = 0;
                }
            }
            sp.layout = CONTIGUOUS;
            sp.mode = SCALAR;
            ok[d] |= run_spec(op, sp);
        }
        any |= ok[d];
    }
    sample none = {.op = op, .spec = {.dtype = WN_F32}};
    if (!any && needs_lapack(op)) return;
    if (!check(C_FLAGS, any, &none, "no sample succeeds: write an entry in tests/table/samples.c")) {
        spec sp = {.dtype = WN_F64, .seed = 200};
        sample s;
        if (sample_make(&s, op, sp)) {
            result r = run_row(&s);
            printf("    f64 said: %s\n", r.message);
            result_free(&r);
            sample_free(&s);
        }
    }
    if (pointwise || excuses(op) & NO_NARROW) return;
    for (int d = WN_F32; d <= WN_U8; d++) {
        wn_dtype wide = is_float((wn_dtype)d) ? WN_F64 : WN_I64;
        none.spec.dtype = (wn_dtype)d;
        if (excuses(op) & NO_SMALL_INTEGERS && d > WN_BF16) continue;
        if (ok[wide] || ok[d]) check(C_FLAGS, ok[d] && ok[wide], &none, "one of %s and %s works, the other never does", wn_dtype_name((wn_dtype)d), wn_dtype_name(wide));
    }
}
