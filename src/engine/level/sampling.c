/* Sampling of planes: loops without branches over a block of places. Weights are computed in the elements' type, as in PyTorch: a rounding
 * decides which element is nearest. */
#include <math.h>
#include <string.h>
#include "base/inline.h"
#include "engine/level/keep.h"
#include "engine/level/this_level.h"
#include "engine/sampling.h"

/* Whole vectors of a channel's places; returns how many. AVX2's processors of AMD load elements one by one in a third of the time of a gather. */
#ifdef __AVX2__
#include <immintrin.h>
#ifdef __AVX512F__
#define EIGHT(x, at) _mm256_i32gather_ps(x, _mm256_loadu_si256((const __m256i *)(at)), 4)
#define FOUR(x, at) _mm256_i32gather_pd(x, _mm_loadu_si128((const __m128i *)(at)), 8)
#else
#define EIGHT(x, at) _mm256_setr_ps(x[(at)[0]], x[(at)[1]], x[(at)[2]], x[(at)[3]], x[(at)[4]], x[(at)[5]], x[(at)[6]], x[(at)[7]])
#define FOUR(x, at) _mm256_setr_pd(x[(at)[0]], x[(at)[1]], x[(at)[2]], x[(at)[3]])
#endif
static int64_t sample_whole_f32(const wn__sampling_f32 *t, int64_t n, const float *x, float *y) {
    int64_t p = 0;
    for (; p + 8 <= n; p += 8) {
        __m256 sum = _mm256_setzero_ps();
        for (int i = 0; i < t->taps; i++) {
            const __m256 v = _mm256_and_ps(EIGHT(x, &t->at[i][p]), _mm256_loadu_ps((const float *)&t->in[i][p]));
            sum = _mm256_add_ps(sum, _mm256_mul_ps(_mm256_loadu_ps(&t->w[i][p]), v));
        }
        _mm256_storeu_ps(y + p, sum);
    }
    return p;
}
static int64_t sample_whole_f64(const wn__sampling_f64 *t, int64_t n, const double *x, double *y) {
    int64_t p = 0;
    for (; p + 4 <= n; p += 4) {
        __m256d sum = _mm256_setzero_pd();
        for (int i = 0; i < t->taps; i++) {
            const __m256i in = _mm256_cvtepi32_epi64(_mm_loadu_si128((const __m128i *)&t->in[i][p]));
            sum = _mm256_add_pd(sum, _mm256_mul_pd(_mm256_loadu_pd(&t->w[i][p]), _mm256_and_pd(FOUR(x, &t->at[i][p]), _mm256_castsi256_pd(in))));
        }
        _mm256_storeu_pd(y + p, sum);
    }
    return p;
}
/* What one channel adds to the gradient in the grid. */
static int64_t slopes_whole_f32(const wn__sampling_f32 *t, int64_t n, const float *x, const float *g, float *sx, float *sy) {
    int64_t p = 0;
    for (; p + 8 <= n; p += 8) {
        const __m256 by = _mm256_loadu_ps(g + p);
        __m256 a = _mm256_loadu_ps(sx + p), b = _mm256_loadu_ps(sy + p);
        for (int i = 0; i < t->taps; i++) {
            const __m256 v = _mm256_and_ps(_mm256_mul_ps(EIGHT(x, &t->at[i][p]), by), _mm256_loadu_ps((const float *)&t->in[i][p]));
            a = _mm256_add_ps(a, _mm256_mul_ps(_mm256_loadu_ps(&t->dw[0][i][p]), v));
            b = _mm256_add_ps(b, _mm256_mul_ps(_mm256_loadu_ps(&t->dw[1][i][p]), v));
        }
        _mm256_storeu_ps(sx + p, a);
        _mm256_storeu_ps(sy + p, b);
    }
    return p;
}
#else
static int64_t slopes_whole_f32(const wn__sampling_f32 *t, int64_t n, const float *x, const float *g, float *sx, float *sy) {
    return (void)t, (void)n, (void)x, (void)g, (void)sx, (void)sy, 0;
}
static int64_t sample_whole_f32(const wn__sampling_f32 *t, int64_t n, const float *x, float *y) { return (void)t, (void)n, (void)x, (void)y, 0; }
static int64_t sample_whole_f64(const wn__sampling_f64 *t, int64_t n, const double *x, double *y) { return (void)t, (void)n, (void)x, (void)y, 0; }
#endif

INLINE int64_t slopes_whole_f64(const wn__sampling_f64 *t, int64_t n, const double *x, const double *g, double *sx, double *sy) {
    return (void)t, (void)n, (void)x, (void)g, (void)sx, (void)sy, 0;
}

#include "base/as_f32.h"
#include "engine/level/sampling_of.h"
#include "base/as_f64.h"
#include "engine/level/sampling_of.h"
#include "base/as_none.h"

#define LOOPS(name) {table_##name, sample_##name, spread_##name, slopes_##name}
extern const wn__sampling_kernels WN_AT_LEVEL(wn__sampling_kernels);
const wn__sampling_kernels WN_AT_LEVEL(wn__sampling_kernels) = {{LOOPS(f32), LOOPS(f64)}};
