/* Time and counts. Short jobs are run in batches that last about 20 us, so that reading the clock costs nothing; a batch is
 * one observation. versus_torch.py takes PyTorch's times in the same way. */
#include "bench.h"
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MAX_SAMPLES = 20000, MIN_SAMPLES = 3 };
static const double batch_ns = 20e3;
static int counter = -1;
static clockid_t clock_used = CLOCK_MONOTONIC;

void measure_cpu_time(bool on) { clock_used = on ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC; }

static double now_ns(void) {
    struct timespec t;
    clock_gettime(clock_used, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Instructions in user mode; threads made later are counted too. Many virtual machines have no such counter. */
void counters_open(void) {
    struct perf_event_attr a;
    memset(&a, 0, sizeof a);
    a.size = sizeof a;
    a.type = PERF_TYPE_HARDWARE;
    a.config = PERF_COUNT_HW_INSTRUCTIONS;
    a.exclude_kernel = a.exclude_hv = a.inherit = 1;
    counter = (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static double counter_read(void) {
    int64_t n = 0;
    return counter >= 0 && read(counter, &n, sizeof n) == (ssize_t)sizeof n ? (double)n : -1;
}

static double faults(void) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_minflt;
}

static bool batch(job *j, int64_t n, double *ns) {
    const double t = now_ns();
    for (int64_t i = 0; i < n; i++)
        if (!j->run(j)) return false;
    *ns = now_ns() - t;
    return true;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, int64_t n, double q) {
    const double at = q * (double)(n - 1);
    const int64_t i = (int64_t)at;
    return i + 1 < n ? sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]) : sorted[i];
}

/* The shortest sample that is a run: on virtual machines the processor clock can stand still for a batch (0 ns was seen once in
 * some ten thousand), so what is below a quarter of the median is not counted. versus_torch.py does the same. */
static double shortest(const double *sorted, int64_t n) {
    const double least = quantile(sorted, n, 0.5) / 4;
    int64_t i = 0;
    while (i + 1 < n && sorted[i] < least) i++;
    return sorted[i];
}

/* What a run does, counted over a few runs outside the timed ones. */
static bool count(job *j, int64_t n, measurement *m) {
    const wn_stats s0 = wn_get_stats();
    const double f0 = faults(), i0 = counter_read();
    double ns;
    if (!batch(j, n, &ns)) return false;
    const double i1 = counter_read(), f1 = faults();
    const wn_stats s1 = wn_get_stats();
    m->instructions = i0 >= 0 && i1 >= 0 ? (i1 - i0) / (double)n : -1;
    m->faults = (f1 - f0) / (double)n;
    m->elements = (double)(s1.elements - s0.elements) / (double)n;
    m->blocks = (double)(s1.system_allocations - s0.system_allocations) / (double)n;
    return true;
}

bool measure(job *j, double seconds, measurement *m) {
    static double samples[MAX_SAMPLES];
    const double start = now_ns(), end = start + seconds * 1e9;
    double ns;
    memset(m, 0, sizeof *m);
    if (!batch(j, 1, &ns)) return false; /* brings caches and the allocator up */
    int64_t per_batch = 1;
    do {
        if (!batch(j, per_batch, &ns)) return false;
        if (ns < batch_ns / 2) per_batch *= ns < batch_ns / 16 ? 8 : 2;
    } while (ns < batch_ns / 2 && per_batch < 1 << 20);
    if (!count(j, per_batch, m)) return false;
    int64_t n = 0;
    while (n < MAX_SAMPLES && (n < MIN_SAMPLES || now_ns() < end)) {
        if (!batch(j, per_batch, &ns)) return false;
        samples[n++] = ns / (double)per_batch;
    }
    qsort(samples, (size_t)n, sizeof *samples, compare);
    m->runs = n * per_batch;
    m->min_ns = shortest(samples, n);
    m->median_ns = quantile(samples, n, 0.5);
    m->spread = (quantile(samples, n, 0.75) - quantile(samples, n, 0.25)) / m->median_ns;
    return true;
}

bool tally_run(job *j, tally *t) {
    if (!j->run(j)) return false;
    wn_reset_peaks();
    const wn_stats a = wn_get_stats();
    if (!j->run(j)) return false;
    const wn_stats b = wn_get_stats();
    *t = (tally){.peak = b.allocated_peak - a.allocated, .programs = b.programs - a.programs, .instr_elements = b.instr_elements - a.instr_elements,
                 .skipped = b.skipped - a.skipped, .stored = b.stored - a.stored, .recomputed = b.recomputed - a.recomputed, .pinned_peak = b.pinned_peak};
    return true;
}
