/* The dispatch point: every operation passes through wn__dispatch. */
#ifndef WN_CALL_DISPATCH_H
#define WN_CALL_DISPATCH_H
#include "defer/copy.h"
#include "grad/builder.h"
#include "table/call.h"
#include "tensor/scope.h"
#include "tensor/tiers.h"

/* Runs an operation; results are left in c->out / c->list as owned references. */
wn_status wn__dispatch(wn__call *c);
wn_status wn__dispatch_reported(wn__call *c, wn_status (*dispatch)(wn__call *)); /* by way of `dispatch`, counted for a report (call/report.c) */
/* Says the results of a row with .infer and runs nothing: c->out holds them, owned, without memory. */
wn_status wn__infer(const wn_op *op, const void *args, wn__call *c);
wn_status wn__pointwise(wn__call *c);  /* class handlers */
wn_status wn__fill_overlapping(wn__call *c); /* fill_ and zero_ on a target that overlaps itself */

/* Entry points that the generated functions use: results are lent to the scope. */
wn_tensor *wn__express1(const wn_op *op, const void *args, bool inplace);
bool wn__express(const wn_op *op, const void *args, bool inplace, wn__call *c); /* several results: c->out, lent */
wn_list wn__express_list(const wn_op *op, const void *args);

/* For kernels: allocates result i (or takes c->target when it fits), NULL + error record when it cannot.
 * strides NULL: row-major. */
wn_tensor *wn__out(wn__call *c, int i, wn_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides);
/* For .infer: `size` bytes, zero, that .run finds as c->plan and dispatch frees; NULL + error record when there is no memory. They own nothing. */
void *wn__plan(wn__call *c, size_t size);
void *wn__plan_room(wn__call *c, size_t size); /* the same, not zeroed: for plans that are set as a whole, or large */
/* For .infer: says result i, which has its memory when .run comes to fill it; c->target becomes it where that fits. */
wn_status wn__result(wn__call *c, int i, wn_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides);
wn_status wn__list_result(wn__call *c, int64_t i, wn_dtype dtype, int ndim, const int64_t *shape); /* the same of c->list, for which there is room (wn__give_list) */
wn_status wn__fill_results(wn__call *c); /* gives them memory: for .run where .infer said c->may_wait */
wn_status wn__run_operands(wn__call *c); /* what is pending on them runs; kernels need not ask, but for LAZY rows */
wn_status wn__check_shared(wn__call *c); /* an error when an input shares some of the target's memory, but not all */
wn_status wn__resize_out(wn__call *c, wn_tensor *out, int ndim, const int64_t *shape); /* fresh memory of that shape, row-major */
/* For composites, and for .run where another operation made the result: t (borrowed) becomes result i; an error when it is bad. */
wn_status wn__give(wn__call *c, int i, wn_tensor *t);
/* For rows that return a list: room for n results in c->list, to be filled with owned references. */
wn_status wn__give_list(wn__call *c, int64_t n);

#endif
