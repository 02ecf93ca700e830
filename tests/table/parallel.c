/* The same bits for any number of threads; nearly the same values on every level; the flags. */
#include "base/level.h"
#include "table.h"

/* A sample and what the row makes of it; mutated arguments count as results. */
typedef struct outcome {
    sample s;
    result r;
    bool made;
} outcome;
static outcome run_spec(const wn_op *op, spec sp) {
    outcome o;
    o.made = sample_make(&o.s, op, sp);
    if (o.made) o.r = run_row(&o.s);
    return o;
}
static void end(outcome *o) {
    if (!o->made) return;
    result_free(&o->r);
    sample_free(&o->s);
}

static bool all_same(const outcome *a, const outcome *b, double loose, char *why, size_t cap) {
    wn_tensor *ma[MAX_MADE], *mb[MAX_MADE];
    int n = mutated_arguments(&a->s, ma);
    mutated_arguments(&b->s, mb);
    if (a->r.status != b->r.status || a->r.outs.n != b->r.outs.n) {
        snprintf(why, cap, "status %d, then %d: %s%s", (int)a->r.status, (int)b->r.status, a->r.message, b->r.message);
        return false;
    }
    for (int64_t i = 0; i < a->r.outs.n + n; i++) {
        const wn_tensor *x = i < a->r.outs.n ? result_at(&a->r, i) : ma[i - a->r.outs.n], *y = i < a->r.outs.n ? result_at(&b->r, i) : mb[i - a->r.outs.n];
        if (loose ? close_to(x, y, loose, why, cap) : same_bits(x, y)) continue;
        if (!loose) snprintf(why, cap, "result %lld has other bits", (long long)i);
        return false;
    }
    return true;
}

void check_threads(const wn_op *op) {
    char why[700];
    wn_tensor *m[MAX_MADE];
    if (!strcmp(op->cname, "matmul_grad")) return; /* of long vectors its result is a matrix of many GiB; matmul and contract stand for it */
    bool quick = op->cls == WN__VIEW || (op->flags & WN__F_CREATES && !(op->flags & WN__F_RANDOM)); /* nothing is computed in parallel */
    for (int k = 0; k < (full ? 8 : op->layout ? 4 : 3) && !(excuses(op) & NO_VALUES) && !(quick && k); k++) {
        spec sp = {.dtype = k % 4 == 2 ? WN_I64 : WN_F32, .mode = BIG, .layout = k == 3 ? LAST : k % 2 ? TRANSPOSED : CONTIGUOUS, .seed = 40 + (uint64_t)k};
        wn_set_num_threads(1);
        outcome first = run_spec(op, sp);
        for (int w = 2; w <= 5 && first.made && !first.r.status; w += 3) {
            wn_set_num_threads(w);
            outcome o = first;
            if (mutated_arguments(&first.s, m)) o = run_spec(op, sp); /* the first sample has been changed */
            else o.r = run_row(&o.s);
            check(C_THREADS, all_same(&first, &o, 0, why, sizeof why), &first.s, "1 and %d threads: %s", w, why);
            result_free(&o.r);
            if (o.s.args != first.s.args) sample_free(&o.s);
        }
        end(&first);
    }
    wn_set_num_threads(0);
}

void check_levels(const wn_op *op) {
    int best = wn__cpu_level();
    char why[700];
    double loose = excuses(op) & LOOSE ? 30 : 3;
    if (excuses(op) & NO_VALUES || op->flags & WN__F_RANDOM) return;
    for (int k = 0; k < (full ? 10 : op->layout ? 3 : 2); k++)
        for (int d = WN_F32; d <= WN_BOOL; d++) {
            spec sp = {.dtype = (wn_dtype)d, .layout = k == 2 ? LAST : (layout)(k % 3), .seed = 60 + (uint64_t)k};
            outcome now = run_spec(op, sp);
            for (int l = best - 1; l >= 0 && now.made; l--) {
                wn__cpu_level_set(l);
                outcome o = run_spec(op, sp);
                check(C_LEVELS, all_same(&o, &now, loose, why, sizeof why), &now.s, "level %d: %s", l, why);
                end(&o);
            }
            wn__cpu_level_set(best);
            end(&now);
        }
}

/* A floating result has a derivative, or the row says that it has none. */
void check_flags(const wn_op *op) {
    for (int d = WN_F32; d <= WN_I64; d += WN_I64 - WN_F32)
        for (uint64_t k = 0; k < 4; k++) {
            sample s;
            if (!sample_make(&s, op, (spec){.dtype = (wn_dtype)d, .domain = POSITIVE, .full_first = true, .seed = 80 + k})) continue;
            bool inputs = false;
            wn_tensor *mutated[MAX_MADE];
            int nmutated = mutated_arguments(&s, mutated);
            for (int i = 0; i < s.nmade; i++)
                if (s.roles[i] == DATA && is_float(wn_dtype_of(s.made[i]))) {
                    bool written = false;
                    for (int m = 0; m < nmutated; m++) written |= mutated[m] == s.made[i];
                    if (written || op->cls != WN__COMPOSITE || op->flags & WN__F_NODIFF) continue;
                    inputs = true;
                    wn_requires_grad(s.made[i], true);
                }
            result r = run_row(&s);
            bool needs = false, floating = false;
            for (int64_t i = 0; i < r.outs.n; i++) {
                floating |= is_float(wn_dtype_of(result_at(&r, i)));
                needs |= wn_needs_grad(result_at(&r, i));
            }
            if (!r.status && floating && !(op->flags & WN__F_NODIFF)) {
                check(C_FLAGS, op->grad || op->cls == WN__COMPOSITE, &s, "has a floating result, but neither a derivative nor the flag NODIFF");
                if (inputs) check(C_FLAGS, needs, &s, "the result of a composite row does not require grad: NODIFF, or a lost derivative?");
            }
            result_free(&r);
            sample_free(&s);
        }
    sample none = {.op = op, .spec = {.dtype = WN_F32}};
    int n;
    const wn_field *f = wn_op_fields(op, &n);
    bool fields = n == op->nfields && wn_op_find(op->cname) && wn_op_args_size(op) >= sizeof(size_t);
    for (int i = 0; i < n; i++) fields &= f[i].offset >= sizeof(size_t) && f[i].offset < op->args_size && f[i].name[0] && f[i].type[0];
    check(C_FLAGS, fields && op->doc && op->doc[0] && strchr(op->signature, '('), &none, "its entry in the table is incomplete");
}
