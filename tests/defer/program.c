/* One run of a random program. SPDX-License-Identifier: Apache-2.0 */
#include "machine.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t mix(uint64_t a, uint64_t b) {
    machine m = {.rng = a * 0x2545f4914f6cdd1du + b};
    rnd(&m);
    return rnd(&m);
}

/* The second run's threshold, and the runs' thread counts: bit 0 the first run has two threads, bit 1 the second. */
void draw_setting(uint64_t seed, int64_t *from, int *threads) {
    static const int64_t values[] = {1, 16, 300, 8192};
    machine m = {.rng = mix(seed, 1u << 20)};
    draw_shapes(&m);
    *from = m.large ? values[1 + below(&m, 3)] : values[below(&m, 3)];
    *threads = m.large && chance(&m, 50) ? (int)below(&m, 4) : 0;
}

static void versions(machine *m) {
    note(m, " |");
    for (int i = 0; i < SLOTS; i++) {
        const wn_tensor *t = m->pool[i].t;
        if (t) note(m, " %u%s", wn_version(t), wn_needs_grad(t) ? "g" : "");
    }
}

/* A line for the step: what it was, how it failed, what all tensors' versions are now. Values follow as they were read. */
static void finish_step(machine *m) {
    if (wn_error() != WN_OK) note(m, " ! %d errors, %d: %s", (int)wn_error_count(), (int)wn_error(), wn_error_message());
    versions(m);
    wn_clear();
    show_bytes(m, m->line, NULL, 0, WN_U8);
}

void run_program(machine *m, history *log, const bool *active, bool deferred, int64_t from, int threads) {
    const uint64_t seed = m->seed;
    char *why = m->why;
    const size_t why_size = m->why_size;
    memset(m, 0, sizeof *m);
    m->seed = seed, m->why = why, m->why_size = why_size, m->log = log, m->deferred = deferred, m->active = active;
    m->rng = mix(seed, 1u << 20);
    draw_shapes(m);
    m->nsteps = 5 + (int)below(m, MAX_STEPS - 4);
    if (threads && wn_num_threads() != threads) wn_set_num_threads(threads);
    wn_set_defer_from(deferred ? from : -1);
    wn_manual_seed(seed);
    m->scopes[0] = wn_begin();
    for (m->step = 0; m->step < m->nsteps && !m->different; m->step++) {
        if (active && !active[m->step]) continue;
        m->rng = mix(seed, (uint64_t)m->step);
        m->length = 0;
        m->line[0] = 0;
        one_step(m);
        finish_step(m);
    }
    for (int k = 0; k < SLOTS && !m->different; k++) {
        const int i = (int)((seed + (uint64_t)k) % SLOTS);
        char name[48];
        if (!m->pool[i].t) continue;
        snprintf(name, sizeof name, "s%d at the end", i);
        show(m, name, m->pool[i].t);
        wn_tensor *g = wn_needs_grad(m->pool[i].t) ? wn_grad_of(m->pool[i].t) : NULL;
        if (!g || m->different) continue;
        snprintf(name, sizeof name, "the gradient of s%d at the end", i);
        show(m, name, g);
    }
    wn_clear();
    for (int i = 0; i < SLOTS; i++)
        if (m->pool[i].t && m->pool[i].kept) wn_drop(m->pool[i].t);
    wn_end(&m->scopes[0]);
    wn_clear();
}
