/* Contractions of tensors whose dimensions carry labels: what the rows of contract.def share. */
#ifndef WN_OPS_CONTRACT_H
#define WN_OPS_CONTRACT_H
#include "engine/contraction.h"
#include "call/dispatch.h"

enum { WN__LABELS = 96 };

/* The labels of a tensor's dimensions, each in [0, WN__LABELS). A label that one tensor carries twice is its diagonal. */
typedef struct wn__labels {
    int n;
    uint8_t v[WN_MAX_DIMS];
} wn__labels;
static inline wn_dims wn__labels_dims(const wn__labels *l) {
    wn_dims d = {.n = l->n ? l->n : -1};
    for (int i = 0; i < l->n; i++) d.v[i] = l->v[i];
    return d;
}

/* out[lo] = epilogue(beta * out[lo] + alpha * sum over the labels that lo lacks of a[la] * b[lb]). Dimensions of size 1 broadcast.
 * Labels only in a (or only in b) may be summed too. Shapes and dtypes are the caller's duty. */
wn_status wn__contract_labelled(wn__call *c, const wn_tensor *a, const wn__labels *la, const wn_tensor *b, const wn__labels *lb,
                                wn_tensor *out, const wn__labels *lo, double alpha, double beta, const wn__epilogue *e);

/* The checks every product begins with: equal dtypes, and numbers (bool has no products). */
wn_status wn__check_product(wn__call *c, const wn_tensor *a, const wn_tensor *b);

/* The addend of addmm, linear and their kin. How it reaches the result: through the epilogue, element by element while the
 * sums are in registers, or, where that cannot be, as a copy that the product is added to. */
typedef struct wn__addend {
    wn__epilogue epilogue; /* run: NULL when beta is used instead */
    double beta;           /* 0: no addend, or it comes through the epilogue */
    const char *base;
    wn_dtype dtype;
    int64_t sb, sm, sn;    /* strides, in elements, over batch, rows and columns */
    double scale;
    void (*add)(void *acc, const void *src, wn_dtype in, int64_t n, int64_t step); /* of the kernels, where the scale is 1, with a step of 0 or 1; or NULL */
} wn__addend;
/* out's dimensions are [batch,] rows..., columns; the addend t broadcasts to it (checked, with an error record). rows: how many
 * of out's leading dimensions are rows (the batch, if any, is one dimension before them). */
wn_status wn__addend_plan(wn__call *c, const wn_tensor *t, double beta, wn_tensor *out, bool batch, wn__addend *p);
#endif
