/* A report as a table and as JSON. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/error.h"
#include "call/report_impl.h"

/* ------------------------------------------------------------------ order */

static const char *label_of(const wn_report_row *r) { return r->label ? r->label : ""; }

static int by_label(const void *a, const void *b) {
    const wn_report_row *x = a, *y = b;
    const int l = strcmp(label_of(x), label_of(y));
    return l ? l : (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

typedef struct group {
    int64_t first, n;
    double seconds;
} group;

static int by_time(const void *a, const void *b) {
    const group *x = a, *y = b;
    return x->seconds != y->seconds ? (x->seconds < y->seconds) - (x->seconds > y->seconds) : (x->first > y->first) - (x->first < y->first);
}

/* Sorts labels by the time of all their operations, and these by theirs. Without memory, by label alone. */
void wn__report_order(wn_report_row *rows, int64_t n) {
    if (n < 2) return;
    qsort(rows, (size_t)n, sizeof *rows, by_label);
    wn_report_row *copy = wn__new(wn_report_row, (size_t)n);
    group *groups = wn__new(group, (size_t)n);
    int64_t ngroups = 0, at = 0;
    for (int64_t i = 0; groups && i < n; i++) {
        if (i == 0 || strcmp(label_of(&rows[i]), label_of(&rows[i - 1]))) groups[ngroups++].first = i;
        groups[ngroups - 1].n++;
        groups[ngroups - 1].seconds += rows[i].seconds;
    }
    if (copy && groups) {
        memcpy(copy, rows, (size_t)n * sizeof *rows);
        qsort(groups, (size_t)ngroups, sizeof *groups, by_time);
        for (int64_t g = 0; g < ngroups; g++)
            for (int64_t i = 0; i < groups[g].n; i++) rows[at++] = copy[groups[g].first + i];
    }
    wn__free(copy);
    wn__free(groups);
}

/* ------------------------------------------------------------------ text that grows */

typedef struct out {
    char *text;
    size_t n, room;
    bool failed;
} out;

static void put(out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(out *o, const char *fmt, ...) {
    char few[512];
    va_list list;
    va_start(list, fmt);
    const int n = vsnprintf(few, sizeof few, fmt, list);
    va_end(list);
    const size_t more = n < 0 ? 0 : (size_t)n < sizeof few ? (size_t)n : sizeof few - 1;
    if (o->n + more + 1 > o->room) {
        char *grown = wn__realloc(o->text, 1, 2 * (o->n + more + 1));
        o->failed |= !grown;
        if (!grown) return;
        o->text = grown;
        o->room = 2 * (o->n + more + 1);
    }
    memcpy(o->text + o->n, few, more);
    o->n += more;
    o->text[o->n] = 0;
}

static const char *hand_out(wn_report *r, out *o) {
    if (o->failed) {
        wn__free(o->text);
        wn__fail_memory("report");
        return NULL;
    }
    wn__free(r->text);
    return r->text = o->text;
}

/* ------------------------------------------------------------------ numbers for people */

typedef struct number {
    char text[32];
} number;

/* 1,234,567 */
static number grouped(int64_t n) {
    char digits[24];
    number r;
    const int len = snprintf(digits, sizeof digits, "%lld", (long long)(n < 0 ? -n : n));
    char *to = r.text;
    if (n < 0) *to++ = '-';
    for (int i = 0; i < len; i++) {
        if (i && (len - i) % 3 == 0) *to++ = ',';
        *to++ = digits[i];
    }
    *to = 0;
    return r;
}

static number bytes_text(int64_t n) {
    static const char *const unit[] = {"B", "KB", "MB", "GB", "TB"};
    number r;
    double v = (double)n;
    int u = 0;
    for (; v >= 1000 && u < 4; u++) v /= 1000;
    snprintf(r.text, sizeof r.text, u ? "%.1f %s" : "%.0f %s", v, unit[u]);
    return r;
}

static number time_text(double s) {
    number r;
    if (s >= 1) snprintf(r.text, sizeof r.text, "%.2f s", s);
    else if (s >= 1e-3) snprintf(r.text, sizeof r.text, "%.2f ms", s * 1e3);
    else snprintf(r.text, sizeof r.text, "%.0f us", s * 1e6);
    return r;
}

/* ------------------------------------------------------------------ the table */

/* Is the row worth a line? Views and the shells of composites would hide what counts. */
static bool shown(const wn_report_row *r, double least) { return r->elements || r->recorded || r->never_run || r->skipped || r->seconds >= least; }

static void table_row(out *o, const char *name, const wn_report_row *r) {
    put(o, "  %-24s%8s%10s%8s%7s%7s%9s%16s%16s%16s%10s%10s\n", name, grouped(r->calls).text, grouped(r->recorded).text, grouped(r->run).text, grouped(r->again).text,
        grouped(r->never_run).text, grouped(r->waiting).text, grouped(r->elements).text, grouped(r->skipped).text, grouped(r->never_computed).text,
        bytes_text(r->bytes_spared).text, time_text(r->seconds).text);
}

static void add(wn_report_row *sum, const wn_report_row *r) {
    sum->calls += r->calls;
    sum->recorded += r->recorded;
    sum->run += r->run;
    sum->again += r->again;
    sum->never_run += r->never_run;
    sum->waiting += r->waiting;
    sum->elements += r->elements;
    sum->skipped += r->skipped;
    sum->never_computed += r->never_computed;
    sum->bytes_spared += r->bytes_spared;
    sum->seconds += r->seconds;
}

const char *wn_report_text(wn_report *r) {
    out o = {0};
    wn_report_row all = {0};
    const wn_report_row *rows;
    const int64_t n = wn_report_rows(r, &rows);
    if (n < 0) return NULL;
    for (int64_t i = 0; i < n; i++) add(&all, &rows[i]);
    put(&o, "winnow: %s, of which operations took %s. %s elements were computed, %s skipped by a mask, %s never computed (nobody read them); results of %s never got memory.\n",
        time_text(wn_report_seconds(r)).text, time_text(all.seconds).text, grouped(all.elements).text, grouped(all.skipped).text, grouped(all.never_computed).text,
        bytes_text(all.bytes_spared).text);
    put(&o, "  %-24s%8s%10s%8s%7s%7s%9s%16s%16s%16s%10s%10s\n", "operation", "calls", "recorded", "run", "again", "never", "waiting", "elements", "skipped", "never computed",
        "spared", "time");
    for (int64_t i = 0, end; i < n; i = end) {
        wn_report_row sum = {0};
        for (end = i; end < n && !strcmp(label_of(&rows[end]), label_of(&rows[i])); end++) add(&sum, &rows[end]);
        if (!shown(&sum, all.seconds / 1000)) continue;
        if (rows[i].label) put(&o, "%.400s  (%s)\n", rows[i].label, time_text(sum.seconds).text);
        for (int64_t k = i; k < end; k++)
            if (shown(&rows[k], all.seconds / 1000)) table_row(&o, rows[k].op, &rows[k]);
    }
    table_row(&o, "all", &all);
    return hand_out(r, &o);
}

/* ------------------------------------------------------------------ JSON */

static void quoted(out *o, const char *text) {
    put(o, "\"");
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\') put(o, "\\%c", *c);
        else if ((unsigned char)*c < 32) put(o, "\\u%04x", (unsigned)*c);
        else put(o, "%c", *c);
    }
    put(o, "\"");
}

const char *wn_report_json(wn_report *r) {
    out o = {0};
    const wn_report_row *rows;
    const int64_t n = wn_report_rows(r, &rows);
    if (n < 0) return NULL;
    put(&o, "{\"seconds\": %.9f, \"rows\": [", wn_report_seconds(r));
    for (int64_t i = 0; i < n; i++) {
        const wn_report_row *w = &rows[i];
        put(&o, i ? ",\n{\"label\": " : "\n{\"label\": ");
        if (w->label) quoted(&o, w->label);
        else put(&o, "null");
        put(&o, ", \"op\": ");
        quoted(&o, w->op);
        put(&o, ", \"calls\": %lld, \"recorded\": %lld, \"run\": %lld, \"again\": %lld, \"never_run\": %lld, \"waiting\": %lld", (long long)w->calls, (long long)w->recorded,
            (long long)w->run, (long long)w->again, (long long)w->never_run, (long long)w->waiting);
        put(&o, ", \"elements\": %lld, \"skipped\": %lld, \"never_computed\": %lld, \"bytes_spared\": %lld, \"seconds\": %.9f}", (long long)w->elements,
            (long long)w->skipped, (long long)w->never_computed, (long long)w->bytes_spared, w->seconds);
    }
    put(&o, "\n]}\n");
    return hand_out(r, &o);
}
