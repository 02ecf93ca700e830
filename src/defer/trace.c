/* Programs in words: the listing of WINNOW_TRACE=programs, and the chain of operations in error messages. */
#include <stdio.h>
#include "base/watch.h"
#include "defer/plan.h"

bool wn__tracing(void) {
    static int on = -1; /* harmless race: all threads find the same */
    int v = __atomic_load_n(&on, __ATOMIC_RELAXED);
    if (v < 0) __atomic_store_n(&on, v = wn__trace_wanted("programs"), __ATOMIC_RELAXED);
    return v;
}

const char *wn__value_name(const wn__value *v) {
    if (v->kind == WN__V_CONVERT) return v->uses[0].dtype == v->dtype ? "copy" : "to";
    return v->op ? v->op->name : "?";
}

static size_t put(char *buf, size_t cap, size_t at, const char *text) {
    if (at < cap) at += (size_t)snprintf(buf + at, cap - at, "%s", text);
    return at < cap ? at : cap;
}

static size_t chain(const wn__value *v, char *buf, size_t cap, size_t at, int depth) {
    char shape[48];
    if (v->state == WN__V_READY) return put(buf, cap, at, "a tensor");
    at = put(buf, cap, at, wn__value_name(v));
    if (depth == 5) return put(buf, cap, at, "(...)");
    at = put(buf, cap, at, "(");
    for (int i = 0; i < v->nuses; i++) {
        const wn__use *u = &v->uses[i];
        if (i) at = put(buf, cap, at, ", ");
        if (u->kind == WN__U_NUMBER) at = put(buf, cap, at, "a number");
        else at = chain(u->src, buf, cap, at, depth + 1);
    }
    snprintf(shape, sizeof shape, ")[%s x %lld]", wn_dtype_name((wn_dtype)v->dtype), (long long)v->numel);
    return put(buf, cap, at, depth ? ")" : shape);
}

void wn__chain_text(const wn__plan *p, char *buf, size_t cap) {
    buf[0] = 0;
    (void)chain(p->root, buf, cap, 0, 0);
}

static void operand(const wn__program *g, int reg) {
    if (reg >= g->nleaves) {
        fprintf(stderr, " v%d", reg - g->nleaves);
        return;
    }
    const wn__leaf *l = &g->leaves[reg];
    if (!l->constant) {
        fprintf(stderr, " x%d", reg);
        return;
    }
    fprintf(stderr, " %g", wn__load_f64(wn__form_of(l->ct), l->base));
}

static void leaves(const wn__program *g) {
    for (int i = 0; i < g->nleaves; i++) {
        const wn__leaf *l = &g->leaves[i];
        if (l->constant) continue;
        fprintf(stderr, "    x%d: %s at %p,", i, wn_dtype_name((wn_dtype)l->dtype), (void *)l->base);
        for (int d = 0; d < l->ndim; d++) fprintf(stderr, " %lld by %lld bytes", (long long)l->shape[d], (long long)l->strides[d]);
        fprintf(stderr, "%s\n", l->space == WN__ROW ? ", one a row" : "");
    }
}

static const char *why(const wn__plan *p, const wn__member *m) {
    static const char *const along[] = {"", "along: a gradient that was asked for", "along: held, and cheap beside the others", "along: held, and read in an earlier round"};
    if (m->v == p->root) return "asked for";
    if (m->along) return along[m->along];
    return m->optional ? (m->v->tape ? "the tape reads it, and computing it again costs more" : "others read it, and computing it again costs more")
                       : "kept";
}

static void left_waiting(const wn__plan *p) {
    for (int i = 0; i < p->nleft; i++) {
        char text[256] = "";
        (void)chain(p->left[i].v, text, sizeof text, 0, 0);
        fprintf(stderr, "    left waiting: %s: held, but not read in an earlier round; here it would take %.3g us more, by itself %.3g us\n", text, p->left[i].adds * 1e-4,
                (p->left[i].adds + p->left[i].saves) * 1e-4);
    }
}

void wn__trace(const wn__plan *p, const wn__program *g) {
    static const char *const space[] = {"", " row", " column", " all"};
    fprintf(stderr, "program: %lld elements", (long long)g->numel);
    if (g->row) fprintf(stderr, " in rows of %lld", (long long)g->row);
    fprintf(stderr, ", %d instructions, %d operands, %d results, %d guards\n", g->ninstrs, g->nleaves, g->noutputs, g->nguards);
    leaves(g);
    for (int i = 0; i < g->ninstrs; i++) {
        const wn__instr *in = &g->instrs[i];
        const wn__member *m = NULL;
        for (int k = 0; k < p->n && !m; k++)
            if (p->m[k].reg == WN__RESULT + i) m = &p->m[k];
        fprintf(stderr, "    v%d%s =%s %s", i, space[in->space], in->what == WN__DO_SELECT ? " select" : "",
                in->what == WN__DO_CONVERT ? "to" : m ? wn__value_name(m->v) : "?");
        for (int k = 0; k < in->nsrc; k++) operand(g, in->src[k]);
        if (in->guard) {
            const wn__guard *gd = &g->guards[in->guard - 1];
            fprintf(stderr, "   only where%s", gd->polarity ? "" : " not");
            operand(g, gd->mask);
        }
        if (m && m->store) fprintf(stderr, "   -> %p (%s)", (void *)m->place, why(p, m));
        if (m && m->v->runs) fprintf(stderr, "   again, run %d", m->v->runs + 1);
        fprintf(stderr, "\n");
    }
    left_waiting(p);
}
