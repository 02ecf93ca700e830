/* Walks the tables of kernels (engine/kernel_table.h): at every level of this machine each row, wherever it is admitted and suits, is run by itself and
 * compared with the reference, bit by bit. A row that no shape makes run is a failure: its shape is missing (tests/kernels). */
#include "check.h"
#include "engine/contract_ref.h"
#include "kernels/kernels.h"
#include "ops/kernel_tables.h"
#include "winnow_events.h"

enum { MOST_ROWS = 32 };
static const family *const families[] = {&conv_family, &product_family, &pool_family, &attention_family, &reduction_family};

void fill_small(void *to, wn_dtype dtype, int64_t n) {
    static const int values[6] = {-3, -2, -1, 1, 2, 3};
    static uint32_t state = 1;
    for (int64_t i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        wn__ref_put(to, dtype, i, values[(state >> 16) % 6]);
    }
}

static bool judge(const wn__kernel_table *t, const wn__kernel_row *k, wn_dtype dtype, int level, const trial *c, bool done) {
    const bool same = done && !memcmp(c->got, c->want, c->bytes);
    check_(same, k->name, __LINE__);
    if (!same) printf("    %s/%s, level %d, %s, %s\n", t->name, k->name, level, wn_dtype_name(dtype), c->shape);
    return true;
}

/* One row on one call, if it suits. */
static bool try_row(const wn__kernel_table *t, const wn__kernel_row *k, wn_dtype dtype, int level, trial *c) {
    if (!wn__kernel_admits(k, dtype, level)) return false;
    if (t->prepare) t->prepare(c->form, c->call);
    if (k->suits && !k->suits(c->blind ? c->blind : c->form)) return false;
    memset(c->got, 0x7f, c->bytes);
    const wn__ran ran = k->run(c->form, c->call);
    return ran != WN__DECLINED && judge(t, k, dtype, level, c, ran == WN__RAN);
}

/* The same by a call: the row is asked first; did it run? */
static bool try_call(const family *f, const wn__kernel_table *t, const wn__kernel_row *k, wn_dtype dtype, int level, int shape) {
    const int64_t before = t->ran[k - t->rows];
    trial c;
    WN_SCOPE(s);
    wn__kernel_prefer(k);
    const bool made = f->call(t, shape, dtype, &c), ran = made && t->ran[k - t->rows] > before;
    wn__kernel_prefer(NULL);
    if (ran) judge(t, k, dtype, level, &c, wn_error() == WN_OK);
    if (made) f->drop(&c);
    return ran;
}

static void try_table(const family *f, const wn__kernel_table *t, int level) {
    bool ran[MOST_ROWS] = {false};
    for (wn_dtype dtype = WN_F32; dtype <= WN_BF16; dtype++)
        for (int shape = 0; shape < f->nshapes; shape++)
            for (int i = 0; i < t->n; i++) {
                trial c;
                if (f->call) {
                    ran[i] |= try_call(f, t, &t->rows[i], dtype, level, shape);
                    continue;
                }
                if (!f->make(t, shape, dtype, &c)) break;
                ran[i] |= try_row(t, &t->rows[i], dtype, level, &c);
                f->drop(&c);
            }
    for (int i = 0; i < t->n; i++) {
        const uint32_t levels = t->rows[i].levels;
        const bool owed = (levels >> level & 1) && (!(levels & WN__NEEDS_BF16) || wn__cpu_has_bf16());
        check_(ran[i] || !owed, "every row ran", __LINE__);
        if (owed && !ran[i]) printf("    %s/%s at level %d\n", t->name, t->rows[i].name, level);
    }
}

/* The last row of a table takes whatever the others leave, so it is there at every level. */
static void sound(const wn__kernel_table *t) {
    CHECK(t->n > 0 && t->n <= MOST_ROWS && t->bare < t->n);
    const wn__kernel_row *last = &t->rows[t->n - 1];
    CHECK(last->levels == WN__EVERY_LEVEL);
    CHECK(!t->finite || last->any_weights);
    for (int i = 0; i < t->n; i++)
        for (int j = 0; j < i; j++) CHECK(strcmp(t->rows[i].name, t->rows[j].name));
}

/* Every table of the library is one of a family here, and its rows are counted. */
static void complete(void) {
    int64_t rows = 0, runs = 0;
    for (int i = 0; i < wn__kernel_tables_n; i++) {
        bool known = false;
        for (size_t f = 0; f < sizeof families / sizeof *families; f++)
            for (int t = 0; t < families[f]->ntables; t++) known |= families[f]->tables[t] == wn__kernel_tables[i];
        check_(known, wn__kernel_tables[i]->name, __LINE__);
        rows += wn__kernel_tables[i]->n;
    }
    WN_SCOPE(s);
    wn_kernel_use use;
    (void)wn_data(wn_conv2d(wn_ones(WN_DIMS(1, 2, 5, 5)), wn_ones(WN_DIMS(3, 2, 5, 5))));
    for (int64_t i = 0; wn_kernel_use_at(i, &use); i++, rows--)
        if (!strcmp(use.table, "conv_forward") && !strcmp(use.kernel, "tiled")) runs = use.runs;
    CHECK(rows == 0 && runs == 1 && !wn_kernel_use_at(-1, &use));
}

int main(void) {
    wn_set_num_threads(2);
    complete();
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (int t = 0; t < families[f]->ntables; t++) sound(families[f]->tables[t]);
    for (int level = 0; level <= wn__cpu_level_max(); level++) {
        wn__cpu_level_set(level);
        for (size_t f = 0; f < sizeof families / sizeof *families; f++)
            for (int t = 0; t < families[f]->ntables; t++) try_table(families[f], families[f]->tables[t], level);
    }
    return report();
}
