/* Steps of the random programs: gradients, scopes, handles. SPDX-License-Identifier: Apache-2.0 */
#include "machine.h"
#include <string.h>

static bool matching_float(machine *m, const wn_tensor *t, const void *with) { return is_float(m, t, NULL) && same_shape(m, t, with); }

static wn_tensor *twice(void *ctx, wn_tensor *g) {
    (void)ctx;
    return wn_mul(g, 2);
}

void differentiate(machine *m) {
    const int i = pick(m, wants_grad, NULL), into = pick(m, wants_grad, NULL);
    if (i < 0) return;
    wn_tensor *t = m->pool[i].t;
    const wn_dims shape = wn_shape(t);
    const int g = chance(m, 50) ? pick(m, matching_float, &shape) : -1;
    wn_tensor *cotangent = wn_numel(t) == 1 && g < 0 ? NULL : g >= 0 ? wn_detach(m->pool[g].t) : wn_ones_like(t);
    const bool retain = chance(m, 50), create = chance(m, 8);
    if (chance(m, 70)) {
        note(m, "backward(s%d, gradient=s%d%s%s)", i, g, retain ? ", retain" : "", create ? ", create" : "");
        if (wn_backward(t, .gradient = cotangent, .retain_graph = retain, .create_graph = create) == WN_OK) note(m, " done");
        return;
    }
    note(m, "grad(s%d, s%d, gradient=s%d%s%s)", i, into, g, retain ? ", retain" : "", create ? ", create" : "");
    const wn_list cotangents = {.n = cotangent != NULL, .v = &cotangent};
    const wn_list l = wn_grad(WN_LIST(t), WN_LIST(m->pool[into].t), .gradients = cotangents, .retain_graph = retain, .create_graph = create, .allow_unused = true);
    if (l.n == 1 && l.v[0] && wn_ok(l.v[0])) {
        wn_tensor *d = l.v[0];
        note(m, " -> s%d", put(m, wn_keep(d)));
        describe(m, d);
    }
}

void gradient(machine *m) {
    const int i = pick(m, wants_grad, NULL), kind = (int)below(m, 8);
    if (i < 0) return;
    wn_tensor *t = m->pool[i].t, *g;
    switch (kind) {
    case 0:
        note(m, "zero_grad(s%d)", i);
        if (wn_set_grad(t, NULL) != WN_OK) note(m, " failed");
        break;
    case 1: note(m, "retain_grad(s%d)", i); wn_retain_grad(t); break;
    case 2:
        note(m, "hook(s%d)", i);
        wn_register_hook(t, twice, NULL);
        break;
    case 3: case 4: { /* a step of gradient descent */
        WN_NO_GRAD();
        g = wn_grad_of(t);
        note(m, "step(s%d)", i);
        if (g && wn_ok(wn_add_(t, g, .alpha = WN_VAL(-0.125)))) describe(m, t);
        break;
    }
    default:
        g = wn_grad_of(t);
        note(m, "grad_of(s%d)", i);
        if (g && wn_ok(g)) note(m, " -> s%d", put(m, wn_keep(g))), describe(m, g);
    }
}

void mark(machine *m) {
    const int i = pick(m, is_float, NULL);
    if (i < 0) return;
    note(m, "requires_grad(s%d)", i);
    if (wn_ok(wn_requires_grad(m->pool[i].t, chance(m, 80)))) describe(m, m->pool[i].t);
}

/* ------------------------------------------------------------------ scopes and handles */

void scope(machine *m) {
    if (m->depth < MAX_DEPTH && (m->depth == 0 || chance(m, 50))) {
        const int kind = (int)below(m, 10);
        const wn_modes modes = {.grad = kind < 3 ? WN_OFF : kind < 4 ? WN_ON : WN_DEFAULT, .inference = kind == 9 ? WN_ON : WN_DEFAULT};
        m->scopes[++m->depth] = wn_begin_modes(modes);
        note(m, "open a scope%s%s", kind < 3 ? " without gradients" : "", kind == 9 ? ", inference" : "");
        return;
    }
    if (!m->depth) return;
    const int saved = (int)below(m, SLOTS);
    bool left = false;
    slot *s = &m->pool[saved];
    note(m, "close a scope");
    if (s->t && !s->kept && s->depth == m->depth) {
        wn_leave(&m->scopes[m->depth], s->t);
        s->depth = m->depth - 1;
        note(m, ", s%d leaves it", saved);
        left = true;
    }
    for (int i = 0; i < SLOTS; i++)
        if (m->pool[i].t && !m->pool[i].kept && m->pool[i].depth == m->depth) m->pool[i].t = NULL;
    if (!left) wn_end(&m->scopes[m->depth]);
    m->depth--;
}

void handle(machine *m) {
    const int i = pick(m, NULL, NULL);
    if (i < 0) return;
    slot *s = &m->pool[i];
    if (!s->kept && chance(m, 60)) {
        wn_keep(s->t);
        s->kept = true;
        note(m, "keep s%d", i);
    } else {
        forget(m, i);
        note(m, "forget s%d", i);
    }
}

void setting(machine *m) {
    static const int64_t from[] = {-1, 1, 16, 300, 8192};
    const int64_t v = from[below(m, 5)];
    if (m->deferred) wn_set_defer_from(v);
    note(m, "(the second run changes its threshold)");
}
