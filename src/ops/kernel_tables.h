/* All tables of kernels, by the family that they belong to. */
#ifndef WN_OPS_KERNEL_TABLES_H
#define WN_OPS_KERNEL_TABLES_H
#include "engine/kernel_table.h"

extern const wn__kernel_table *const wn__kernel_tables[];
extern const int wn__kernel_tables_n;

/* Those of operations: rows' form is the family's plan, their call is wn__call. */
extern const wn__kernel_table wn__max_pool_kernels, wn__max_pool_back_kernels, wn__avg_pool_kernels; /* over two dimensions: ops/spatial */
extern const wn__kernel_table wn__attention_forward_kernels, wn__attention_backward_kernels;
#endif
