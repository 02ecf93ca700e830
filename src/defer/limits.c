/* How much may be pending: a value's instructions, operands and depth, and bytes that only pending values keep. */
#include "base/interrupt.h"
#include "defer/plan.h"

enum { PINNED_FREE = 64 << 20, PINNED_MOST = 1 << 30 };

static uint32_t last_mark;
uint32_t wn__new_mark(void) { return ++last_mark; }

static void count(wn__value *v, uint32_t mark, int *instrs, int *leaves) {
    if (v->mark == mark) return;
    v->mark = mark;
    ++*instrs;
    for (int i = 0; i < v->nuses; i++) {
        const wn__use *u = &v->uses[i];
        if (u->kind == WN__U_NUMBER) continue;
        if (u->src->state == WN__V_PENDING && u->kind != WN__U_VIEW) {
            count(u->src, mark, instrs, leaves);
        } else if (u->src->mark != mark) {
            u->src->mark = mark;
            ++*leaves;
        }
    }
}

static bool fits(wn__value *v) {
    if (v->cone <= WN__CONE_MOST && v->leaves <= WN__LEAVES_MOST) return true;
    int instrs = 0, leaves = 0;
    count(v, wn__new_mark(), &instrs, &leaves);
    v->cone = (uint16_t)instrs;
    v->leaves = (uint16_t)leaves;
    return instrs <= WN__CONE_MOST && leaves <= WN__LEAVES_MOST;
}

/* The pending source with the largest cone. */
static wn__value *largest(const wn__value *v) {
    wn__value *best = NULL;
    for (int i = 0; i < v->nuses; i++) {
        wn__value *s = v->uses[i].src;
        if (v->uses[i].kind == WN__U_NUMBER || s->state != WN__V_PENDING) continue;
        if (!best || s->cone > best->cone) best = s;
    }
    return best;
}

/* Runs v because of a limit, not because somebody looks at it. So an interruption is not reported here: it is left to
 * the next call that looks at a value and fails. */
static bool run_for_limit(wn__value *v) {
    wn__thread *th = wn__self();
    const bool clear = th->error == WN_OK;
    const int64_t errors = th->error_count;
    if (wn__run_held(v)) return true;
    if (!wn__deferred.stopped) return false;
    if (clear) wn_clear();
    else th->error_count = errors;
    wn__stop_again();
    return false;
}

bool wn__limit_cone(wn__value *v) {
    wn__value *s;
    while ((!fits(v) || v->depth > WN__DEPTH_MOST) && (s = largest(v))) {
        if (!run_for_limit(s)) return false;
        if (!largest(v)) v->depth = 0;
    }
    return true;
}

void wn__limit_pinned(wn__value *v) {
    wn__defer_state *d = &wn__deferred;
    int64_t own = 3 * v->numel * (int64_t)wn__dtype_size(v->dtype);
    if (d->pinned <= PINNED_FREE || (d->pinned <= own && d->pinned <= PINNED_MOST)) return;
    (void)run_for_limit(v);
    while (d->pinned > PINNED_MOST && d->oldest) {
        if (!run_for_limit(d->oldest)) return;
    }
}
