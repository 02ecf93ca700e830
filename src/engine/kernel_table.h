/* Tables of kernels: of each family (convolutions, products, pools, ...) the ways there are, what each needs, what it is called. A table is walked once
 * for each plan, row by row; the first row that suits runs, and one does of whatever the table is asked for. Rows may add in different orders, so which
 * one runs must depend on nothing but what its form holds: never on addresses, threads or time. docs/adding-a-kernel.md. */
#ifndef WN_ENGINE_KERNEL_TABLE_H
#define WN_ENGINE_KERNEL_TABLE_H
#include <stdatomic.h>
#include "base/api.h"
#include "base/level.h"

/* What became of a row: a row that finds out only when it runs that it does not pay declines, having changed nothing. */
typedef enum wn__ran { WN__RAN, WN__DECLINED, WN__NO_MEMORY } wn__ran;
static inline wn__ran wn__ran_if(bool ok) { return ok ? WN__RAN : WN__NO_MEMORY; }

/* `form` is the family's description of what is asked: shapes, dtypes, strides, no addresses. `call` holds the addresses. */
typedef struct wn__kernel_row {
    const char *name;
    uint32_t dtypes; /* bit of each dtype that it takes: WN__FLOATS, WN__ONLY(WN_F32) */
    uint32_t levels; /* bit of each instruction set level that has it: WN__EVERY_LEVEL, WN__ONLY(WN__LEVEL_AVX2) */
    bool (*suits)(const void *form); /* NULL: always */
    wn__ran (*run)(void *form, const void *call);
    bool any_weights; /* inf and NaN are right with it, too; other rows are skipped where the table's `finite` says no */
} wn__kernel_row;

#define WN__ONLY(x) (UINT32_C(1) << (x))
#define WN__EVERY_LEVEL (WN__ONLY(WN__LEVELS) - 1)
/* AVX-512 of a processor that multiplies bf16: such a row's `suits` asks wn__cpu_has_bf16, by WN__NEEDS_BF16 tests know it. */
#define WN__NEEDS_BF16 WN__ONLY(WN__LEVELS)
#define WN__AVX512_BF16 (WN__ONLY(WN__LEVEL_AVX512) | WN__NEEDS_BF16)
#define WN__FLOATS (WN__ONLY(WN_F32) | WN__ONLY(WN_F64) | WN__ONLY(WN_F16) | WN__ONLY(WN_BF16))
#define WN__EVERY_DTYPE UINT32_MAX

typedef struct wn__kernel_table {
    const char *name; /* with a row's: conv_forward/direct */
    const wn__kernel_row *rows;
    int n;
    int bare; /* so many first rows need no plan: they are asked before `prepare` makes it */
    void (*prepare)(void *form, void *call);            /* NULL: the caller has made the plan */
    bool (*finite)(const void *form, const void *call); /* are there neither inf nor NaN? Asked once at most; NULL: no row wants to know */
    void (*describe)(const void *form, char *text, size_t room); /* for people; before `prepare`, too */
    _Atomic int64_t *ran;                               /* of each row, how often */
} wn__kernel_table;

/* Defines the table `table` of the array `rows`; what else it has follows: WN__KERNEL_TABLE(wn__pool_kernels, "pool", pool, .describe = say); */
#define WN__ROWS_OF(array) ((int)(sizeof(array) / sizeof *(array)))
#define WN__KERNEL_TABLE(table, called, array, ...) \
    static _Atomic int64_t table##_ran[WN__ROWS_OF(array)]; \
    const wn__kernel_table table = {.name = called, .rows = array, .n = WN__ROWS_OF(array), .ran = table##_ran, __VA_ARGS__}

/* Runs the first row that suits. False: no memory. */
bool wn__kernel_walk(const wn__kernel_table *t, wn_dtype dtype, void *form, void *call);
/* May a row be asked at all? */
static inline bool wn__kernel_admits(const wn__kernel_row *k, wn_dtype dtype, int level) {
    return (k->dtypes >> dtype & 1) && (k->levels >> level & 1);
}
/* Until the next call, walks over the row's table ask it first of all, wherever it stands: for benchmarks. NULL: as always. */
void wn__kernel_prefer(const wn__kernel_row *row);
#endif
