/* Any row with any arguments: a sensible sample of tests/table, some of whose arguments the bytes replace (tests/table/wild.c), called in
 * any form. Two bytes choose the row, one the dtype, one the sample. */
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include "table/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WIDE = 1 << 18, NARROW = 1 << 10, STOPPED = 77, MOST_ROWS = 4096 };
static uint8_t stops[MOST_ROWS]; /* of calls of a row with wide arguments: it may be one that looks at each element */

static void verdict(const sample *s, result *r) {
    bool ok = r->status ? r->message[0] && r->outs.n == 0 : true;
    for (int64_t i = 0; i < r->outs.n; i++) ok &= wn_ok(result_at(r, i));
    if (ok && !failed[C_SOUND]) return;
    printf("%s, status %d, message \"%s\": ", s->op->cname, (int)r->status, r->message);
    print_arguments(s);
    printf("\n");
    fflush(stdout);
    abort();
}

static void stop(int number) {
    (void)number;
    _exit(STOPPED);
}
/* A call that may take years gets a tenth of a second, in a process of its own. */
static void call_apart(sample *s) {
    int status = 0;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        signal(SIGPROF, stop);
        setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {0, 100000}}, NULL);
        result r = wild_call(s);
        verdict(s, &r);
        _exit(0);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid) return;
    if (WIFEXITED(status) && WEXITSTATUS(status) == STOPPED) stops[s->op->id % MOST_ROWS]++;
    else if (status) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool ready;
    if (!ready) {
        wn_set_error_hook(NULL);
        wn_set_num_threads(1);
        ready = true;
    }
    if (size < 4) return 0;
    const wn_op *op = wn_op_at((data[0] | data[1] << 8) % wn_op_count());
    sample s;
    if (!sample_make(&s, op, (spec){.dtype = (wn_dtype)(1 + data[2] % 10), .mode = data[2] < 230 ? NORMAL : EMPTY, .seed = data[3]})) return 0;
    s.rng += (uint64_t)data[size - 1] << 32; /* behind the last byte */
    s.bytes = data + 4;
    s.nbytes = size - 4;
    wild w = {.widest = stops[op->id % MOST_ROWS] < 2 ? INT64_MAX : NARROW};
    wild_arguments(&s, &w);
    if (w.elements > WIDE) {
        call_apart(&s);
    } else {
        result r = wild_call(&s);
        verdict(&s, &r);
        result_free(&r);
    }
    sample_free(&s);
    wn_clear();
    return 0;
}
