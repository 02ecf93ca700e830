/* Distances of one row from many, and their slopes, for each instruction set level (engine/level/distance.c). */
#ifndef WN_ENGINE_DISTANCE_H
#define WN_ENGINE_DISTANCE_H
#include <math.h>
#include <stdint.h>

typedef enum wn__metric { WN__METRIC_P, WN__METRIC_COUNT, WN__METRIC_SUM, WN__METRIC_EUCLID, WN__METRIC_MOST } wn__metric;
static inline wn__metric wn__metric_of(double p) {
    return p == 0 ? WN__METRIC_COUNT : p == 1 ? WN__METRIC_SUM : p == 2 ? WN__METRIC_EUCLID : isinf(p) ? WN__METRIC_MOST : WN__METRIC_P;
}

/* Rows of n elements; b: `rows` of them, ldb apart. Only WN__METRIC_P reads p. */
typedef struct wn__distance_type {
    /* out[r] = (sum over k of |a[k] - b[r][k]|^p)^(1/p). COUNT: number of unlike elements; MOST: largest difference */
    void (*from_row)(wn__metric m, double p, const void *a, const void *b, int64_t ldb, int64_t rows, int64_t n, void *out);
    /* to[k] += sum over r of g[r * gs] * d distance[r * ds] / d a[k]; nothing where the distance is 0 */
    void (*slopes)(wn__metric m, double p, const void *a, const void *b, int64_t ldb, int64_t rows, int64_t n, const void *g, int64_t gs, const void *distance, int64_t ds, void *to);
} wn__distance_type;

typedef struct wn__distance_kernels {
    wn__distance_type f32, f64;
} wn__distance_kernels;
const wn__distance_type *wn__distance_now(int wide); /* wide: f64 */
#endif
