/* What the losses share. */
#ifndef WN_OPS_LOSS_H
#define WN_OPS_LOSS_H
#include "engine/kernels.h"
#include "ops/pointwise/pointwise.h"

enum { WN__REDUCE_NONE = 0, WN__REDUCE_MEAN = 1, WN__REDUCE_SUM = 2 };
/* "mean", "sum", "none", NULL: mean. Negative, with an error record, for anything else. */
int wn__reduction_of(wn__call *c, const char *text);
wn_tensor *wn__loss_reduced(wn__call *c, wn_tensor *loss, const char *reduction); /* as "mean", "sum" or "none" says */
wn_tensor *wn__raised(wn_tensor *t, double least); /* max(t, least) whose gradient is t's */

/* ------------------------------------------------------------------ classification (ops/loss/loss_class.c) */

/* Input [N, classes, inner...] (or [classes]) and its targets, read and checked. */
typedef struct wn__classes {
    int64_t n, classes, inner, positions; /* positions = n * inner */
    int64_t *target;                      /* of each position; -1: ignored */
    double *weight;                       /* of each class; NULL: 1 */
    double weight_sum;
    double total;                         /* sum of the weights of the targets that count */
    void *memory;
} wn__classes;
/* size: the input's shape. weight_dtype: what the weight's dtype must be. Error record when something does not fit. The first looks at no
 * element and sets the sizes alone; the second owns memory. */
wn_status wn__classes_check(wn__call *c, const wn_dims *size, wn_dtype weight_dtype, const wn_tensor *target, const wn_tensor *weight, wn__classes *k);
wn_status wn__classes_read(wn__call *c, const wn_dims *size, wn_dtype weight_dtype, const wn_tensor *target, const wn_tensor *weight,
                           int64_t ignore_index, wn__classes *k);
void wn__classes_free(wn__classes *k);
static inline double wn__class_weight(const wn__classes *k, int64_t class) { return k->weight ? k->weight[class] : 1; }

/* Result 0 of a loss: of the target's shape or 0-d, as the reduction says; losses[position] (doubles) are stored into it. */
wn_status wn__infer_loss(wn__call *c, int64_t reduction, wn_dtype dtype, const wn_tensor *target);
void wn__store_loss(wn__call *c, const wn__classes *k, const double *losses, int64_t reduction);
#endif
