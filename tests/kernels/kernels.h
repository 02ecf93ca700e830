/* What test_kernels.c and the families of kernels agree on. */
#ifndef TESTS_KERNELS_KERNELS_H
#define TESTS_KERNELS_KERNELS_H
#include <stddef.h>
#include "engine/kernel_table.h"

/* One call: what a row is run with, and what it must have made. */
typedef struct trial {
    void *form, *call;      /* of the family */
    const void *blind;      /* the form without addresses, where it has any: what `suits` is asked with; or NULL */
    void *got, *want;       /* `bytes` of the result; want is the reference's */
    size_t bytes;
    char shape[120];        /* for people */
} trial;

/* A family of tables says what its rows are tried on. */
typedef struct family {
    const wn__kernel_table *const *tables;
    int ntables, nshapes;
    /* Makes call number `shape`; false: it is none of this table or dtype. Asked again for every row, since rows may change the form. */
    bool (*make)(const wn__kernel_table *t, int shape, wn_dtype dtype, trial *made);
    void (*drop)(trial *made);
    /* Instead of make, for families whose rows want tensors: such a call through winnow.h, and got, want and bytes of it. */
    bool (*call)(const wn__kernel_table *t, int shape, wn_dtype dtype, trial *made);
} family;
extern const family conv_family, product_family, pool_family, attention_family, reduction_family;

/* Whole numbers from -3 to 3 but 0: every sum of their products is exact, in whichever order, so that all rows give the same bits. */
void fill_small(void *to, wn_dtype dtype, int64_t n);
#endif
