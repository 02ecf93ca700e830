/* The thread's error record and the process-wide error hook. */
#include "base/error.h"
#include "base/assert.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/interrupt.h"
#include "base/thread.h"

static void print_hook(wn_status code, const char *message) {
    (void)code;
    fprintf(stderr, "winnow: %s\n", message);
}
static _Atomic(wn_error_hook) hook = print_hook;

void wn_set_error_hook(wn_error_hook h) { atomic_store(&hook, h); }

void wn_fatal(wn_status code, const char *message) {
    print_hook(code, message);
    exit(1); /* the user chose this hook; the library itself never exits */
}

/* Does the text itself name the operation, as many of torch's do ("random_ expects ...", "torch.vsplit requires
 * ...")? */
static bool names_it(const char *text, const char *op) {
    const size_t n = strlen(op);
    if (!strncmp(text, "torch.", 6)) return true;
    return n && !strncmp(text, op, n) && !(isalnum((unsigned char)text[n]) || text[n] == '_');
}

static void record(wn_status code, const char *op, const char *fmt, va_list ap) {
    wn__thread *th = wn__self();
    th->error_count++;
    if (th->error != WN_OK) return; /* the first error is the one that explains the rest */
    th->error = code;
    snprintf(th->error_op, sizeof th->error_op, "%s", op);
    int at = *op ? snprintf(th->error_message, sizeof th->error_message, "%s: ", op) : 0;
    if (at < 0 || (size_t)at >= sizeof th->error_message) at = 0;
    char *text = th->error_message + at;
    vsnprintf(text, sizeof th->error_message - (size_t)at, fmt, ap);
    if (at && names_it(text, op)) memmove(th->error_message, text, strlen(text) + 1);
    wn_error_hook h = atomic_load(&hook);
    if (h) h(code, th->error_message);
}

#if defined(WN_CHECKED) && WN_CHECKED
/* Also tells the program's hook, unless that would print the same line. Allocates nothing, since locks may be held. */
void wn__assert_failed(const char *file, int line, const char *function, const char *condition) {
    char message[512];
    snprintf(message, sizeof message, "%s:%d: %s: the assertion `%s` does not hold", file, line, function, condition);
    print_hook(WN_E_RUNTIME, message);
    wn_error_hook h = atomic_load(&hook);
    if (h && h != print_hook && h != wn_fatal) h(WN_E_RUNTIME, message);
    abort();
}
#endif

static _Atomic(wn_warning_hook) remarks;

void wn_set_warning_hook(wn_warning_hook h) { atomic_store(&remarks, h); }

void wn__warn(const char *op, bool once, const char *fmt, ...) {
    wn_warning_hook h = atomic_load(&remarks);
    if (!h) return;
    char message[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    h(op, message, once);
}

/* Records an interruption in place of the failed allocation that unfinished work reports. */
static wn_status interrupted(const char *op, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    record(WN_E_INTERRUPTED, op, fmt, ap);
    va_end(ap);
    return WN_E_INTERRUPTED;
}

wn_status wn__fail(wn_status code, const char *op, const char *fmt, ...) {
    if (code == WN_E_MEMORY && wn__take_stop()) return interrupted(op, "interrupted");
    va_list ap;
    va_start(ap, fmt);
    record(code, op, fmt, ap);
    va_end(ap);
    return code;
}

wn_status wn_raise(wn_status code, const char *op, const char *fmt, ...) {
    if (code == WN_OK) code = WN_E_RUNTIME;
    va_list ap;
    va_start(ap, fmt);
    record(code, op ? op : "", fmt, ap);
    va_end(ap);
    return code;
}

wn_status wn__fail_memory(const char *op) {
    wn__thread *th = wn__self();
    if (!th->refusal[0]) return wn__fail(WN_E_MEMORY, op, "out of memory");
    wn__fail(WN_E_RUNTIME, op, "%s", th->refusal);
    th->refusal[0] = 0;
    return WN_E_RUNTIME;
}

wn_status wn_error(void) { return wn__self()->error; }
const char *wn_error_message(void) { return wn__self()->error_message; }
const char *wn_error_op(void) { return wn__self()->error_op; }
int64_t wn_error_count(void) { return wn__self()->error_count; }
void wn_clear(void) {
    wn__thread *th = wn__self();
    th->error = WN_OK;
    th->error_count = 0;
    th->error_op[0] = th->error_message[0] = 0;
}

char *wn__text_buffer(size_t *cap) {
    wn__thread *th = wn__self();
    *cap = sizeof th->text[0];
    return th->text[th->text_turn++ % 6];
}

const char *wn__dims_text(const int64_t *v, int n) {
    WN_ASSERT(v || n <= 0);
    size_t cap, at = 1;
    char *buf = wn__text_buffer(&cap);
    buf[0] = '[';
    for (int i = 0; i < n && i < WN_MAX_DIMS && at < cap - 24; i++)
        at += (size_t)snprintf(buf + at, cap - at, i ? ", %lld" : "%lld", (long long)v[i]);
    snprintf(buf + at, cap - at, n > WN_MAX_DIMS ? ", ...]" : "]"); /* a caller's list may say that it is longer than its memory */
    return buf;
}
