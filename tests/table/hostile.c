/* Arguments that make no sense: whatever a row is given, it must return a result or an error, not crash or write where it should
 * not (the sanitizer builds look closely). Each row runs in a process of its own, so that a crash is one failure. */
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "table.h"

static int64_t odd_int(sample *s) {
    static const int64_t values[] = {0, 1, -1, 2, 3, -2, 7, 20, -100, 64, INT64_MAX, INT64_MIN}; /* none that memory could be had for */
    return values[below(s, maybe(s, 2) ? 7 : 12)];
}
static wn_dims odd_dims(sample *s) {
    wn_dims d = {.n = (int)below(s, 6) - 1};
    for (int i = 0; i < d.n; i++) d.v[i] = maybe(s, 6) ? odd_int(s) : below(s, 5);
    return d;
}
static wn_tensor *odd_tensor(sample *s) {
    wn_dims d = {.n = (int)below(s, 5)};
    for (int i = 0; i < d.n; i++) d.v[i] = maybe(s, 8) ? 0 : 1 + below(s, 4);
    if (!d.n) d.n = -1;
    s->spec.layout = (layout)below(s, LAYOUTS);
    wn_dtype kept = s->spec.dtype;
    if (maybe(s, 3)) s->spec.dtype = (wn_dtype)(1 + below(s, 10));
    wn_tensor *t = maybe(s, 4) ? indices(s, d, 3) : maybe(s, 4) ? fixed_in(s, d, WN_I64, -4, 4) : maybe(s, 5) ? mask(s, d) : data(s, d);
    s->spec.dtype = kept;
    return t;
}

/* Replaces some arguments of a sensible (or generic) sample by nonsense. */
static void scramble(sample *s) {
    static const char *const strings[] = {"", "mean", "none", "sum", "ij,jk->ik", "->", "i,", "...", "zz"};
    static const double floats[] = {0, -1, 0.5, 2, 1e300, -1e-300, 0.0 / 0.0, 1.0 / 0.0};
    for (int i = 0; i < s->op->nfields; i++) {
        const wn_field *f = &s->op->fields[i];
        void *p = s->args + f->offset;
        if (!maybe(s, 2) || s->nmade > MAX_MADE - 4) continue;
        wn_val v = maybe(s, 3) ? wn_val_none() : maybe(s, 2) ? wn_val_of_int(odd_int(s)) : wn_val_of_float(floats[below(s, 8)]);
        switch (f->kind) {
        case WN_K_TENSOR: *(wn_tensor **)p = maybe(s, 6) ? NULL : odd_tensor(s); break;
        case WN_K_VALUE: *(wn_val *)p = maybe(s, 2) ? v : wn_val_of_tensor(odd_tensor(s)); break;
        case WN_K_SCALAR: *(wn_val *)p = maybe(s, 6) ? wn_val_of_tensor(odd_tensor(s)) : v; break;
        case WN_K_TENSORS: {
            wn_tensor *few[3];
            int n = (int)below(s, 3);
            for (int k = 0; k < n; k++) few[k] = maybe(s, 5) ? NULL : odd_tensor(s);
            if (s->nlists + n <= MAX_MADE) set_list(s, f->name, n, few);
            break;
        }
        case WN_K_DIMS: *(wn_dims *)p = odd_dims(s); break;
        case WN_K_INT: *(int64_t *)p = odd_int(s); break;
        case WN_K_FLOAT: *(double *)p = floats[below(s, 8)]; break;
        case WN_K_BOOL: *(bool *)p = maybe(s, 2); break;
        case WN_K_SWITCH: ((wn_switch *)p)->state = below(s, 3); break;
        case WN_K_DTYPE: *(wn_dtype *)p = (wn_dtype)below(s, 12); break;
        case WN_K_STRING: *(const char **)p = strings[below(s, 9)]; break;
        case WN_K_GENERATOR: break;
        }
    }
}

static __attribute__((unused)) int try_all(const wn_op *op, volatile uint64_t *at, int rounds) {
    int bad = 0;
    for (int k = 0; k < rounds; k++) {
        sample s;
        *at = (uint64_t)k;
        spec sp = {.dtype = (wn_dtype)(1 + k % 10), .mode = k % 7 ? NORMAL : EMPTY, .seed = 90000 + (uint64_t)k};
        if (!sample_make(&s, op, sp)) continue;
        scramble(&s);
        result r = run_row(&s);
        bool ok = r.status ? r.message[0] && r.outs.n == 0 : true;
        for (int64_t i = 0; i < r.outs.n; i++) ok &= wn_ok(result_at(&r, i));
        if (!check(C_HOSTILE, ok, &s, "status %d, message \"%s\"", (int)r.status, r.message)) bad++;
        result_free(&r);
        sample_free(&s);
    }
    return bad;
}

void check_hostile(const wn_op *op) {
#if defined(__SANITIZE_THREAD__)
    (void)op; /* its runtime does not survive a fork with threads */
#else
    static volatile uint64_t *at;
    if (!at) at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int rounds = full ? 3000 : 150, status = 0;
    fflush(stdout);
#if defined(__SANITIZE_ADDRESS__)
    usleep(10000); /* a new worker may be in its runtime's allocator, whose lock the child would inherit */
#endif
    pid_t child = fork();
    if (child == 0) {
        wn_set_num_threads(1);
#if !defined(__SANITIZE_ADDRESS__) /* whose shadow is address space, too */
        struct rlimit limit = {1u << 30, 1u << 30}; /* with random sizes a row may make a large result */
        setrlimit(RLIMIT_AS, &limit);
#endif
        int bad = try_all(op, at, rounds);
        fflush(stdout);
        _exit(bad ? 1 : 0);
    }
    sample none = {.op = op, .spec = {.dtype = (wn_dtype)(1 + *at % 10), .seed = 90000 + *at}};
    bool ended = child > 0 && waitpid(child, &status, 0) == child;
    none.spec.seed = 90000 + *at;
    check(C_HOSTILE, ended && WIFEXITED(status) && WEXITSTATUS(status) == 0, &none, "with nonsense arguments it %s (round %llu)",
          ended && WIFSIGNALED(status) ? "crashed" : "failed", (unsigned long long)*at);
    if (ended && WIFEXITED(status) && WEXITSTATUS(status) == 0) passed[C_HOSTILE] += rounds;
#endif
}
