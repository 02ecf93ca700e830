/* The table-driven test: every row of the operation table, without a test written for it. `test_table relu add` runs these
 * rows only; WINNOW_TEST_FULL=1 runs all samples instead of a slice; --nonsense before the rows runs check_hostile only, of which
 * WINNOW_TEST_ROUNDS=1000 makes 1,000 rounds a row (--round shows one); --document FILE writes docs/operations.md, --document-check
 * FILE fails when that is stale. The checks are in tests/table. */
#include <time.h>
#include "table/table.h"

static bool chosen(const wn_op *op, int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], op->cname) || !strcmp(argv[i], op->name)) return true;
    return argc < 2;
}
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Nonsense that asks for a lot of memory is refused. */
const char *__asan_default_options(void) { return "allocator_may_return_null=1:max_allocation_size_mb=512:detect_stack_use_after_return=0"; }
const char *__ubsan_default_options(void) { return "print_stacktrace=1"; }

int main(int argc, char **argv) {
    static void (*const checks[])(const wn_op *) = {check_flags, check_zero, check_values, check_inplace, check_grads, check_threads, check_levels, check_hostile};
    enum { N = sizeof checks / sizeof *checks };
    const char *wish = getenv("WINNOW_TEST_FULL");
    full = wish && *wish && *wish != '0';
    wn_set_error_hook(NULL);
    if (argc == 3 && !strncmp(argv[1], "--document", 10)) return document(argv[2], !strcmp(argv[1], "--document-check"));
    if (argc == 5 && !strcmp(argv[1], "--round") && wn_op_find(argv[4])) return show_round(wn_op_find(argv[4]), atoll(argv[2]), atoll(argv[3])), 0;
    const int first = argc > 1 && !strcmp(argv[1], "--nonsense") ? N - 1 : 0;
    if (first) argc--, argv++;
    double spent[N] = {0}, begin = now();
    int rows = 0;
    for (int i = 0; i < wn_op_count(); i++) {
        const wn_op *op = wn_op_at(i);
        if (!chosen(op, argc, argv)) continue;
        rows++;
        wn_stats before = wn_get_stats();
        for (int k = first; k < N; k++) {
            WN_SCOPE(s);
            double start = now();
            checks[k](op);
            spent[k] += now() - start;
        }
        wn_stats after = wn_get_stats();
        sample none = {.op = op, .spec = {.dtype = WN_F32}};
        check(C_FLAGS, after.handles == before.handles && after.storages == before.storages && after.allocated == before.allocated, &none,
              "leaks %lld handles, %lld storages, %lld bytes", (long long)(after.handles - before.handles),
              (long long)(after.storages - before.storages), (long long)(after.allocated - before.allocated));
    }
    printf("%d of %d rows at level %s, %.1f s: flags %.1f, zeros %.1f, values %.1f, forms %.1f, gradients %.1f, threads %.1f, levels %.1f, nonsense %.1f\n", rows,
           wn_op_count(), wn_level(), now() - begin, spent[0], spent[1], spent[2], spent[3], spent[4], spent[5], spent[6], spent[7]);
    if (!rows) printf("no such row\n");
    return finish() || !rows;
}
