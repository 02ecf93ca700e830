/* Tables of kernels: for each family (convolutions, products, pools, ...) its kernels and what each needs. A plan walks
 * its family's table once, row by row, and the first row that suits runs; some row always does. Rows may add in
 * different orders, so the choice must depend only on the form: never on addresses, threads or time.
 * docs/adding-a-kernel.md. */
#ifndef WN_ENGINE_KERNEL_TABLE_H
#define WN_ENGINE_KERNEL_TABLE_H
#include <stdatomic.h>
#include "base/api.h"
#include "base/level.h"

/* What became of a row. A row that finds out only in `run` that it does not pay declines, having changed nothing. */
typedef enum wn__ran { WN__RAN, WN__DECLINED, WN__NO_MEMORY } wn__ran;
static inline wn__ran wn__ran_if(bool ok) { return ok ? WN__RAN : WN__NO_MEMORY; }

/* `form` is the family's description of a problem: shapes, dtypes, strides, no addresses. `call` has the addresses. */
typedef struct wn__kernel_row {
    const char *name;
    uint32_t dtypes; /* bit set of dtypes: WN__FLOATS, WN__ONLY(WN_F32) */
    uint32_t levels; /* bit set of instruction set levels: WN__EVERY_LEVEL, WN__ONLY(WN__LEVEL_AVX2) */
    bool (*suits)(const void *form); /* NULL: always */
    wn__ran (*run)(void *form, const void *call);
    bool any_weights; /* right for inf and NaN, too; else skipped where the table's `finite` says no */
} wn__kernel_row;

#define WN__ONLY(x) (UINT32_C(1) << (x))
#define WN__EVERY_LEVEL (WN__ONLY(WN__LEVELS) - 1)
/* AVX-512 with products of bf16. The row's `suits` asks wn__cpu_has_bf16; WN__NEEDS_BF16 tells tests the same. */
#define WN__NEEDS_BF16 WN__ONLY(WN__LEVELS)
#define WN__AVX512_BF16 (WN__ONLY(WN__LEVEL_AVX512) | WN__NEEDS_BF16)
#define WN__FLOATS (WN__ONLY(WN_F32) | WN__ONLY(WN_F64) | WN__ONLY(WN_F16) | WN__ONLY(WN_BF16))
#define WN__EVERY_DTYPE UINT32_MAX

typedef struct wn__kernel_table {
    const char *name; /* before a row's name in traces: conv_forward/direct */
    const wn__kernel_row *rows;
    int n;
    int bare; /* the first rows, which need no plan: they are asked before `prepare` */
    void (*prepare)(void *form, void *call);            /* makes the plan; NULL: the caller has made it */
    bool (*finite)(const void *form, const void *call); /* are weights finite? Asked once at most; NULL: no row cares */
    void (*describe)(const void *form, char *text, size_t room); /* for traces; also called before `prepare` */
    _Atomic int64_t *ran;                               /* by row: how often it ran */
} wn__kernel_table;

/* Defines a table for an array of rows, with further fields: WN__KERNEL_TABLE(wn__pool_kernels, "pool", pool, .describe
 * = say); */
#define WN__ROWS_OF(array) ((int)(sizeof(array) / sizeof *(array)))
#define WN__KERNEL_TABLE(table, called, array, ...) \
    static _Atomic int64_t table##_ran[WN__ROWS_OF(array)]; \
    const wn__kernel_table table = {.name = called, .rows = array, .n = WN__ROWS_OF(array), .ran = table##_ran, __VA_ARGS__}

/* Runs the first row that suits. False: no memory. */
bool wn__kernel_walk(const wn__kernel_table *t, wn_dtype dtype, void *form, void *call);
/* Has the row a kernel for this dtype and level? */
static inline bool wn__kernel_admits(const wn__kernel_row *k, wn_dtype dtype, int level) {
    return (k->dtypes >> dtype & 1) && (k->levels >> level & 1);
}
/* For benchmarks: from now on walks ask this row first, wherever it stands in its table. NULL: none. */
void wn__kernel_prefer(const wn__kernel_row *row);
#endif
