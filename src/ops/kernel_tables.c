/* All tables of kernels, and how often their rows ran. A new table gets a line here, which tests/test_kernels.c and benchmarks find it by. */
#include "ops/kernel_tables.h"
#include "engine/conv_plan.h"
#include "engine/gemm.h"
#include "engine/reduce_plan.h"
#include "winnow_events.h"

const wn__kernel_table *const wn__kernel_tables[] = {
    &wn__conv_forward_kernels,      &wn__conv_input_kernels,      &wn__conv_weight_kernels, &wn__conv_part_kernels,
    &wn__conv_last_forward_kernels, &wn__conv_last_input_kernels, &wn__conv_last_weight_kernels,
    &wn__product_kernels,           &wn__max_pool_kernels,        &wn__max_pool_back_kernels, &wn__avg_pool_kernels,
    &wn__attention_forward_kernels, &wn__attention_backward_kernels, &wn__reduction_kernels,
};
const int wn__kernel_tables_n = sizeof wn__kernel_tables / sizeof *wn__kernel_tables;

bool wn_kernel_use_at(int64_t i, wn_kernel_use *use) {
    for (int t = 0; i >= 0 && t < wn__kernel_tables_n; i -= wn__kernel_tables[t++]->n) {
        const wn__kernel_table *table = wn__kernel_tables[t];
        if (i >= table->n) continue;
        *use = (wn_kernel_use){table->name, table->rows[i].name, atomic_load_explicit(&table->ran[i], memory_order_relaxed)};
        return true;
    }
    return false;
}
