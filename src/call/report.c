/* Counted calls, and reports: differences of the sites' counters between two moments. report_text.c writes them. */
#include "base/alloc.h"
#include "base/interrupt.h"
#include "call/dispatch.h"
#include "call/report_impl.h"
#include "defer/value.h"
#include "tensor/events.h"

/* Counts calls that run at once. Pending values count where they run (defer/run.c), composites by their operations. */
wn_status wn__dispatch_reported(wn__call *c, wn_status (*dispatch)(wn__call *)) {
    const wn_op *op = c->op;
    const uint32_t looks = WN__F_LAZY | WN__F_NODIFF; /* rows that read only the geometry */
    wn__stretch s;
    wn__stretch_begin(&s, wn__site_of(op->name));
    const int64_t event = wn__event_call(c), outer = wn__event_enter(event);
    const wn_status st = dispatch(c);
    (void)wn__event_enter(outer);
    wn__event_end(event);
    const int64_t own = wn__stretch_end(&s);
    wn__note(s.site, WN__N_CALLS, 1);
    wn__note(s.site, WN__N_NS, own);
    const bool computes = op->cls == WN__POINTWISE || (op->cls == WN__KERNEL && (op->flags & looks) != looks);
    if (st == WN_OK && computes && !s.recorded) wn__note(s.site, WN__N_RUN, 1);
    return st;
}

wn_report *wn_report_begin(void) {
    wn_report *r = wn__new(wn_report, 1);
    const uint32_t n = wn__sites();
    if (r) r->before = wn__new(wn__counts, n);
    if (!r || !r->before) {
        wn__free(r);
        wn__fail_memory("report");
        return NULL;
    }
    for (uint32_t i = 1; i < n; i++)
        for (int k = 0; k < WN__N_COUNTERS; k++) r->before[i].n[k] = atomic_load_explicit(&wn__site_at(i)->n[k], memory_order_relaxed);
    r->nbefore = n;
    r->open = true;
    wn__report_open();
    r->began = wn__now_ns();
    return r;
}

/* Counts each site's values that are pending now. */
static void count_waiting(int64_t *waiting, uint32_t n) {
    wn__defer_lock();
    for (const wn__value *v = wn__deferred.oldest; v; v = v->next)
        if (v->site < n && !v->runs) waiting[v->site]++;
    wn__defer_unlock();
}

static wn_report_row row_of(const wn_report *r, uint32_t i, int64_t waiting) {
    int64_t n[WN__N_COUNTERS];
    for (int k = 0; k < WN__N_COUNTERS; k++)
        n[k] = atomic_load_explicit(&wn__site_at(i)->n[k], memory_order_relaxed) - (i < r->nbefore ? r->before[i].n[k] : 0);
    return (wn_report_row){.op = wn__site_at(i)->op, .label = wn__site_at(i)->label, .calls = n[WN__N_CALLS], .recorded = n[WN__N_RECORDED], .run = n[WN__N_RUN],
                           .again = n[WN__N_AGAIN], .never_run = n[WN__N_UNREAD], .waiting = waiting, .elements = n[WN__N_ELEMENTS],
                           .skipped = n[WN__N_SKIPPED], .never_computed = n[WN__N_NEVER], .bytes_spared = n[WN__N_SPARED],
                           .seconds = (double)n[WN__N_NS] * 1e-9};
}

static bool says_something(const wn_report_row *w) {
    return w->calls || w->recorded || w->run || w->again || w->never_run || w->elements || w->seconds > 0 || w->bytes_spared;
}

/* Makes the rows as of now. False: no memory, and the old rows stay. */
static bool look(wn_report *r) {
    const uint32_t n = wn__sites();
    int64_t *waiting = wn__new(int64_t, n);
    wn_report_row *rows = wn__new(wn_report_row, n);
    if (!waiting || !rows) {
        wn__free(waiting);
        wn__free(rows);
        wn__fail_memory("report");
        return false;
    }
    count_waiting(waiting, n);
    wn__free(r->rows);
    r->rows = rows;
    r->nrows = 0;
    r->seconds = (double)(wn__now_ns() - r->began) * 1e-9;
    for (uint32_t i = 1; i < n; i++) {
        rows[r->nrows] = row_of(r, i, waiting[i]);
        r->nrows += says_something(&rows[r->nrows]);
    }
    wn__free(waiting);
    wn__report_order(rows, r->nrows);
    return true;
}

wn_status wn_report_end(wn_report *r) {
    if (!r || !r->open) return WN_OK;
    const bool ok = look(r);
    r->open = false;
    wn__report_close();
    return ok ? WN_OK : WN_E_MEMORY;
}

int64_t wn_report_rows(wn_report *r, const wn_report_row **rows) {
    if (r->open && !look(r)) return -1;
    *rows = r->rows;
    return r->nrows;
}

double wn_report_seconds(const wn_report *r) { return r->open ? (double)(wn__now_ns() - r->began) * 1e-9 : r->seconds; }

void wn_report_free(wn_report *r) {
    if (!r) return;
    (void)wn_report_end(r);
    wn__free(r->before);
    wn__free(r->rows);
    wn__free(r->text);
    wn__free(r);
}
