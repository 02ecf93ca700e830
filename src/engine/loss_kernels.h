/* Log-softmax loops of classification losses, f32 and f64, for each ISA level (engine/level/loss_kernels.c). */
#ifndef WN_ENGINE_LOSS_KERNELS_H
#define WN_ENGINE_LOSS_KERNELS_H
#include <stdint.h>

typedef struct wn__loss_type {
    /* lse[r] = log(sum over c of exp(x[r * classes + c])) */
    void (*rows)(int64_t rows, int64_t classes, const void *x, void *lse);
    /* lse[i] = log(sum over c of exp(x[c * ld + i])), i < n */
    void (*columns)(int64_t n, int64_t classes, const void *x, int64_t ld, void *lse);
    /* out = k[r] * exp(x - lse[r]); out may be x */
    void (*rows_back)(int64_t rows, int64_t classes, const void *x, const void *lse, const void *k, void *out);
    void (*columns_back)(int64_t n, int64_t classes, const void *x, int64_t ld, const void *lse, const void *k, void *out, int64_t ldo);
} wn__loss_type;

typedef struct wn__loss_kernels {
    wn__loss_type f32, f64;
} wn__loss_kernels;
const wn__loss_kernels *wn__loss_now(void);
enum { WN__LOSS_COLUMNS = 256 }; /* the most columns in one call */
#endif
