/* The dispatch point: every operation passes through wn__dispatch. */
#ifndef WN_CALL_DISPATCH_H
#define WN_CALL_DISPATCH_H
#include "defer/copy.h"
#include "grad/builder.h"
#include "table/call.h"
#include "tensor/scope.h"
#include "tensor/tiers.h"

/* Runs an operation and leaves its results in c->out or c->list, as owned references. */
wn_status wn__dispatch(wn__call *c);
wn_status wn__dispatch_reported(wn__call *c, wn_status (*dispatch)(wn__call *)); /* counts for reports (report.c) */
/* Only infers the results of a row with .infer: c->out holds them, owned, without memory. */
wn_status wn__infer(const wn_op *op, const void *args, wn__call *c);
wn_status wn__pointwise(wn__call *c);  /* runs rows of class POINTWISE */
wn_status wn__fill_overlapping(wn__call *c); /* fill_ and zero_ on a target that overlaps itself */

/* Entry points for the generated functions, which lend the results to the innermost scope. */
wn_tensor *wn__express1(const wn_op *op, const void *args, bool inplace);
bool wn__express(const wn_op *op, const void *args, bool inplace, wn__call *c); /* several results: c->out, lent */
wn_list wn__express_list(const wn_op *op, const void *args);

/* For kernels: allocates result i, or takes c->target if it fits; NULL and an error record on failure. strides NULL:
 * row-major. */
wn_tensor *wn__out(wn__call *c, int i, wn_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides);
/* For .infer: `size` zeroed bytes, that .run finds in c->plan; dispatch frees. NULL and an error record: no memory. */
void *wn__plan(wn__call *c, size_t size);
void *wn__plan_room(wn__call *c, size_t size); /* the same, not zeroed: for plans that are large, or set as a whole */
/* For .infer: declares result i, which has its memory when .run fills it. c->target becomes the result if it fits. */
wn_status wn__result(wn__call *c, int i, wn_dtype dtype, int ndim, const int64_t *shape, const int64_t *strides);
wn_status wn__list_result(wn__call *c, int64_t i, wn_dtype dtype, int ndim, const int64_t *shape); /* the same for c->list, after wn__give_list */
wn_status wn__fill_results(wn__call *c); /* allocates declared results: for .run where .infer has set c->may_wait */
wn_status wn__run_operands(wn__call *c); /* runs what is pending on the operands; only LAZY rows need to call it */
wn_status wn__check_shared(wn__call *c); /* an error if an input shares part of the target's memory, but not all */
wn_status wn__resize_out(wn__call *c, wn_tensor *out, int ndim, const int64_t *shape); /* new row-major memory */
/* For composites, and for .run with a result of another operation: t (borrowed) becomes result i. Fails if t is bad. */
wn_status wn__give(wn__call *c, int i, wn_tensor *t);
/* For rows that return a list: makes room for n results in c->list, which are owned references. */
wn_status wn__give_list(wn__call *c, int64_t n);

#endif
