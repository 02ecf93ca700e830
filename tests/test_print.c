/* wn_repr and wn_print against PyTorch's text (tests/data/print_cases.h), and what torch has no say in: truncation, bad
 * tensors, the host's locale, and that a large tensor's middle is never read. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/half.h"
#include "winnow.h"

typedef struct print_case {
    wn_dtype dtype;
    wn_dtype fallback; /* the default dtype while printing; 0: float32 */
    int ndim;
    bool view; /* strides are given */
    bool grad; /* requires_grad */
    int64_t shape[WN_MAX_DIMS], strides[WN_MAX_DIMS];
    const char *fn; /* the operation that made it */
    int nvalues;
    const double *f;  /* values of floats */
    const int64_t *i; /* values of the others */
    double step;
    const wn_print_options *options; /* NULL: as they are */
    const char *prefix;              /* NULL: "tensor(" */
    const char *expected;
} print_case;

#include "data/print_cases.h"
#include "data/print_options.h"

static int passed, failed;

static void report(bool ok, const char *what, const char *got, const char *expected) {
    if (ok) {
        passed++;
        return;
    }
    failed++;
    printf("FAILED %s\n--- got\n%s\n--- expected\n%s\n", what, got, expected);
}

static void same_text(const char *what, const char *got, const char *expected) {
    report(strcmp(got, expected) == 0, what, got, expected);
}

static void *must(void *p) {
    if (p) return p;
    puts("out of memory");
    exit(1);
}

/* The repr in fresh memory. */
static char *repr_as(wn_tensor *t, const char *prefix) {
    size_t n = wn_repr_as(t, prefix, NULL, 0);
    char *text = must(malloc(n + 1));
    if (wn_repr_as(t, prefix, text, n + 1) != n || strlen(text) != n) report(false, "length", text, "the length given before");
    return text;
}
static char *repr(wn_tensor *t) { return repr_as(t, NULL); }

/* ---- the table */

static void store(wn_dtype dtype, char *memory, int64_t k, double f, int64_t i) {
    union {
        float f32;
        double f64;
        uint16_t half;
        int64_t i64; /* little endian: narrower integers are its first bytes */
    } u = {.i64 = 0};
    switch (dtype) {
    case WN_F32: u.f32 = (float)f; break;
    case WN_F64: u.f64 = f; break;
    case WN_F16: u.half = wn__f32_to_f16((float)f); break;
    case WN_BF16: u.half = wn__f32_to_bf16((float)f); break;
    default: u.i64 = i; break;
    }
    size_t size = wn_dtype_size(dtype);
    memcpy(memory + (size_t)k * size, &u, size);
}

/* The values of c as they lie in memory. */
static char *fill(const print_case *c) {
    int64_t n = 1;
    for (int d = 0; d < c->ndim; d++) {
        if (c->shape[d] == 0) {
            n = 0;
            break;
        }
        n = c->view ? n + (c->shape[d] - 1) * c->strides[d] : n * c->shape[d];
    }
    char *memory = must(calloc((size_t)n + 1, 8));
    for (int64_t k = 0; k < n; k++) {
        double f = c->f ? c->f[k % c->nvalues] : 0;
        int64_t i = c->i ? c->i[k % c->nvalues] : 0;
        if (c->step != 0) {
            f += (double)k * c->step;
            i += k * (int64_t)c->step;
        }
        store(c->dtype, memory, k, f, i);
    }
    return memory;
}

/* An operation whose result is already known: only its name matters here. */
static wn_tensor *known_forward(wn_fctx *ctx, wn_list in) {
    wn_tensor *value = wn_fctx_user(ctx);
    (void)in;
    return wn_from_data(wn_data(value), wn_shape(value), wn_dtype_of(value));
}
static void known_backward(wn_fctx *ctx, wn_list gout, wn_tensor **gin) {
    (void)ctx;
    (void)gout;
    gin[0] = NULL;
}

static wn_tensor *result_of(const char *name, wn_tensor *value) {
    static wn_function fn = {.forward = known_forward, .backward = known_backward};
    static const float one = 1;
    fn.name = name;
    wn_tensor *leaf = wn_requires_grad(wn_from_data(&one, WN_0D, WN_F32), true);
    return wn_apply_x(&fn, value, WN_LIST(leaf));
}

static void run_case(const print_case *c, int index) {
    WN_SCOPE(s);
    char what[64], *memory = fill(c);
    snprintf(what, sizeof what, "case %d (%s)", index, wn_dtype_name(c->dtype));
    wn_dims shape = {.n = c->ndim ? c->ndim : -1}, strides = shape;
    memcpy(shape.v, c->shape, sizeof shape.v);
    memcpy(strides.v, c->strides, sizeof strides.v);
    wn_tensor *t = c->view ? wn_from_memory(memory, shape, strides, c->dtype, NULL, NULL)
                           : wn_from_data(memory, shape, c->dtype);
    if (c->grad) t = wn_requires_grad(t, true);
    if (c->fn) t = result_of(c->fn, t);
    if (c->fallback && wn_set_default_dtype(c->fallback) != WN_OK) report(false, what, "no default dtype", "ok");
    if (c->options && wn_set_print_options(c->options) != WN_OK) report(false, what, wn_error_message(), "options");
    char *text = repr_as(t, c->prefix);
    if (wn_set_print_options(NULL) != WN_OK) report(false, what, wn_error_message(), "options");
    if (wn_set_default_dtype(WN_F32) != WN_OK) report(false, what, "no default dtype", "ok");
    same_text(what, text, c->expected);
    free(text);
    free(memory);
}

/* ---- options */

static void refused(wn_print_options o, const char *what) {
    report(wn_set_print_options(&o) == WN_E_VALUE && strstr(wn_error_message(), what), what, wn_error_message(), "an error");
    wn_clear();
}

static void test_options(void) {
    wn_print_options o = wn_get_print_options(), p = o;
    report(o.precision == 4 && o.edgeitems == 3 && o.threshold == 1000 && o.linewidth == 80 && o.sci_mode == -1, "defaults", "", "");
    p.precision = 101;
    refused(p, "precision");
    p.precision = -1;
    refused(p, "precision");
    p = o;
    p.edgeitems = -1;
    refused(p, "edgeitems");
    p = o;
    p.sci_mode = 2;
    refused(p, "sci_mode");
    p = wn_get_print_options();
    report(!memcmp(&o, &p, sizeof o), "options after errors", "changed", "the same");
    /* the longest number there is */
    WN_SCOPE(s);
    p.precision = 100;
    p.sci_mode = 0;
    report(wn_set_print_options(&p) == WN_OK, "precision 100", wn_error_message(), "");
    static const double most = -0x1.fffffffffffffp1023, small = 0.5;
    char *text = repr(wn_from_data((double[]){most, small}, WN_DIMS(2), WN_F64));
    report(strlen(text) == strlen("tensor([") + 411 + strlen(",\n        ") + 411 + strlen("], dtype=torch.float64)") + 7, "the longest number", text, "411 characters");
    free(text);
    report(wn_set_print_options(NULL) == WN_OK && wn_get_print_options().precision == 4, "back to the defaults", "", "");
}

/* ---- sizes, streams, errors */

static const int64_t some[] = {1, -2, 3};

static void test_truncation(void) {
    WN_SCOPE(s);
    static const char whole[] = "tensor([ 1, -2,  3])";
    wn_tensor *t = wn_from_data(some, WN_DIMS(3), WN_I64);
    for (size_t cap = 1; cap <= sizeof whole + 2; cap++) {
        char buf[64], expected[64];
        memset(buf, '#', sizeof buf);
        size_t n = wn_repr(t, buf, cap);
        snprintf(expected, cap, "%s", whole);
        report(n == sizeof whole - 1 && strcmp(buf, expected) == 0 && buf[cap] == '#', "truncation", buf, expected);
    }
    char untouched = '#';
    report(wn_repr(t, &untouched, 0) == sizeof whole - 1 && untouched == '#', "no room", "", "");
}

/* What wn_print writes, caught by pointing file descriptor 1 at a file. */
static void test_stdout(void) {
    WN_SCOPE(s);
    static double v[1000];
    for (int i = 0; i < 1000; i++) v[i] = i * 1.25e-3;
    wn_tensor *t = wn_from_data(v, WN_DIMS(10, 100), WN_F64);
    char *expected = repr(t);
    size_t n = strlen(expected);
    char *got = must(calloc(n + 64, 1));
    fflush(stdout);
    FILE *file = must(tmpfile());
    int keep = dup(1);
    dup2(fileno(file), 1);
    wn_print(t);
    fflush(stdout);
    dup2(keep, 1);
    close(keep);
    rewind(file);
    size_t m = fread(got, 1, n + 63, file);
    fclose(file);
    report(m == n + 1 && memcmp(got, expected, n) == 0 && got[n] == '\n', "wn_print", got, expected);
    free(got);
    free(expected);
}

static void test_bad(void) {
    WN_SCOPE(s);
    wn_set_error_hook(NULL);
    wn_clear();
    wn_tensor *integers = wn_from_data(some, WN_DIMS(3), WN_I64);
    wn_tensor *bad = wn_requires_grad(integers, true); /* only floats can */
    char *text = repr(bad), expected[1024];
    snprintf(expected, sizeof expected, "tensor(<bad: %s>)", wn_error_message());
    report(!wn_ok(bad) && wn_error_message()[0] != 0, "an error", text, "a bad tensor and a message");
    same_text("bad tensor", text, expected);
    free(text);
    wn_clear();
    text = repr(bad);
    same_text("bad tensor without a record", text, "tensor(<bad>)");
    free(text);
    text = repr(NULL);
    same_text("absent tensor", text, "None");
    free(text);
    report(wn_error_count() == 0, "printing records no error", "", "");
}

/* A decimal comma in the host's locale must not show. */
static void test_locale(void) {
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "ps_AF.UTF-8", "fa_IR.UTF-8"};
    static const double v[] = {1.5, -2.25, 1000};
    static const double wide[] = {1.5, -2.25, 1e10};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!setlocale(LC_ALL, names[i])) continue; /* not installed */
        WN_SCOPE(s);
        char *a = repr(wn_from_data(v, WN_DIMS(3), WN_F64)), *b = repr(wn_from_data(wide, WN_DIMS(3), WN_F64));
        setlocale(LC_ALL, "C");
        same_text(names[i], a, "tensor([   1.5000,   -2.2500, 1000.0000], dtype=torch.float64)");
        same_text(names[i], b, "tensor([ 1.5000e+00, -2.2500e+00,  1.0000e+10], dtype=torch.float64)");
        free(a);
        free(b);
    }
}

/* Of a gigabyte only the two ends are mapped readable: touching anything else would end the test with a signal. */
static void test_untouched(void) {
    WN_SCOPE(s);
    const size_t bytes = (size_t)1 << 30, page = (size_t)sysconf(_SC_PAGESIZE);
    char *p = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED || mprotect(p, page, PROT_READ | PROT_WRITE) ||
        mprotect(p + bytes - page, page, PROT_READ | PROT_WRITE)) {
        puts("skipped: no gigabyte of addresses");
        return;
    }
    memcpy(p, "\1\2\3", 3);
    memcpy(p + bytes - 3, "\4\5\6", 3);
    char *text = repr(wn_from_memory(p, WN_DIMS((int64_t)bytes), WN_UNSET, WN_U8, NULL, NULL));
    same_text("untouched middle", text, "tensor([1, 2, 3,  ..., 4, 5, 6], dtype=torch.uint8)");
    free(text);
    munmap(p, bytes);
}

/* Printing needs no memory, so a shortage does not change it. */
static void test_shortage(void) {
    WN_SCOPE(s);
    char buf[64];
    wn_tensor *t = wn_from_data(some, WN_DIMS(3), WN_I64);
    wn_fail_allocation(0);
    wn_repr(t, buf, sizeof buf);
    bool hit = wn_fail_allocation_hit();
    wn_fail_allocation(-1);
    same_text("memory short", hit ? "it allocated" : buf, "tensor([ 1, -2,  3])");
}

int main(void) {
    wn_set_error_hook(NULL);
    int n = (int)(sizeof print_cases / sizeof *print_cases);
    for (int i = 0; i < n; i++) run_case(&print_cases[i], i);
    n = (int)(sizeof option_cases / sizeof *option_cases);
    for (int i = 0; i < n; i++) run_case(&option_cases[i], i);
    test_options();
    test_truncation();
    test_stdout();
    test_bad();
    test_locale();
    test_untouched();
    test_shortage();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
