/* Sampling of planes: loops without branches over a block of places. Weights are computed in the elements' type, as in PyTorch: a rounding
 * decides which element is nearest. */
#include <math.h>
#include <string.h>
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

#define slopes_whole_f64(t, n, x, g, sx, sy) 0

#define WN_LINES(T, name, abs_, fmod_, floor_, rint_)                                                                  \
    static T mirror_##name(T v, T size, bool align, T *slope) {                                                        \
        const T low = align ? 0 : (T)-0.5, span = align ? size - 1 : size;                                             \
        if (span == 0) return *slope = 0;                                                                              \
        if (v < low) *slope = -*slope;                                                                                 \
        const T far = abs_(v - low), extra = fmod_(far, span), flips = floor_(far / span);                             \
        if (fmod_(flips, 2) == 0) return extra + low;                                                                  \
        *slope = -*slope;                                                                                              \
        return span - extra + low;                                                                                     \
    }                                                                                                                  \
    /* The same for a block: less than two spans away, where most are, nothing need be divided. */                     \
    __attribute__((noinline)) static void reflect_##name(int64_t n, T *restrict v, T size, bool align, T *restrict slope) { \
        const T low = align ? 0 : (T)-0.5, span = align ? size - 1 : size;                                             \
        T away[WN__PLACES];                                                                                            \
        int far = 0;                                                                                                   \
        for (int64_t p = 0; p < n; p++) {                                                                              \
            away[p] = abs_(v[p] - low);                                                                                \
            far |= !(away[p] < 2 * span);                                                                              \
        }                                                                                                              \
        for (int64_t p = 0; p < n && far; p++)                                                                         \
            if (!(away[p] < 2 * span)) {                                                                               \
                v[p] = mirror_##name(v[p], size, align, &slope[p]);                                                    \
                away[p] = -1;                                                                                          \
            }                                                                                                          \
        for (int64_t p = 0; p < n; p++) {                                                                              \
            const T a = away[p], odd = a >= span ? 1 : 0, u = odd > 0 ? span - (a - span) + low : a + low;             \
            const T s = v[p] < low ? -slope[p] : slope[p], turned = odd > 0 ? -s : s;                                  \
            slope[p] = a < 0 ? slope[p] : turned;                                                                      \
            v[p] = a < 0 ? v[p] : u;                                                                                   \
        }                                                                                                              \
    }                                                                                                                  \
    /* Places outside are moved as the padding says; slope: what their derivative becomes. */                          \
    __attribute__((noinline)) static void pad_##name(const wn__sampled_plane *plane, int64_t n, T size, T *restrict v, T *restrict slope) { \
        const T top = size - 1;                                                                                        \
        if (plane->padding == WN__REFLECTION) reflect_##name(n, v, size, plane->align, slope);                         \
        for (int64_t p = 0; p < n && plane->padding != WN__ZEROS; p++) {                                               \
            const T u = v[p];                                                                                          \
            slope[p] = ((u <= 0) | (u >= top)) ? 0 : slope[p];                                                         \
            v[p] = u > 0 ? (u < top ? u : top) : 0; /* NaN: 0 */                                                       \
        }                                                                                                              \
    }                                                                                                                  \
    static void inside_##name(int64_t n, T size, const T *restrict v, int32_t *restrict at) {                          \
        for (int64_t p = 0; p < n; p++) at[p] = (int32_t)(((v[p] >= 0) & (v[p] < size)) ? v[p] : -1);                  \
    }                                                                                                                  \
    /* Convolution by cubics with a = -3/4. */                                                                         \
    __attribute__((noinline)) static void cubic_##name(int64_t n, const T *restrict t, const T *restrict slope, T w[4][WN__PLACES], T dw[4][WN__PLACES]) { \
        const T a = (T)-0.75;                                                                                          \
        for (int64_t p = 0; p < n; p++)                                                                                \
            for (int k = 0; k < 2; k++) { /* left of the place, and right of it */                                     \
                const T x = k ? 1 - t[p] : t[p], s = k ? -slope[p] : slope[p], y = x + 1;                              \
                w[1 + k][p] = ((a + 2) * x - (a + 3)) * x * x + 1;                                                     \
                w[3 * k][p] = ((a * y - 5 * a) * y + 8 * a) * y - 4 * a;                                               \
                dw[1 + k][p] = s * ((3 * (a + 2) * x - 2 * (a + 3)) * x);                                              \
                dw[3 * k][p] = s * ((3 * a * y - 10 * a) * y + 8 * a);                                                 \
            }                                                                                                          \
    }                                                                                                                  \
    /* One dimension's elements of each place (-1: outside), their factors and these factors' derivatives by the grid's number. Returns how many. */ \
    static int line_##name(const wn__sampled_plane *plane, int d, int64_t n, const T *grid, int32_t at[4][WN__PLACES], T w[4][WN__PLACES], T dw[4][WN__PLACES]) { \
        const T size = (T)plane->size[d], top = size - 1, steep = plane->align ? top / 2 : size / 2;                   \
        T v[WN__PLACES], slope[WN__PLACES], u[WN__PLACES], ignored[WN__PLACES];                                        \
        for (int64_t p = 0; p < n; p++) {                                                                              \
            const T x = grid[2 * p + d];                                                                               \
            v[p] = plane->align ? (x + 1) / 2 * top : ((x + 1) * size - 1) / 2;                                        \
            slope[p] = steep, ignored[p] = 1;                                                                          \
        }                                                                                                              \
        if (plane->mode != WN__CUBIC) pad_##name(plane, n, size, v, slope);                                            \
        if (plane->mode == WN__NEAREST) {                                                                              \
            for (int64_t p = 0; p < n; p++) u[p] = rint_(v[p]), w[0][p] = 1, dw[0][p] = 0;                             \
            inside_##name(n, size, u, at[0]);                                                                          \
            return 1;                                                                                                  \
        }                                                                                                              \
        for (int64_t p = 0; p < n; p++) {                                                                              \
            const T low = floor_(v[p]);                                                                                \
            w[0][p] = low + 1 - v[p], w[1][p] = v[p] - low;                                                            \
            dw[0][p] = -slope[p], dw[1][p] = slope[p];                                                                 \
            v[p] = low;                                                                                                \
        }                                                                                                              \
        const int taps = plane->mode == WN__CUBIC ? 4 : 2;                                                             \
        if (taps == 4) {                                                                                               \
            memcpy(u, w[1], sizeof u);                                                                                 \
            cubic_##name(n, u, slope, w, dw);                                                                          \
        }                                                                                                              \
        for (int k = 0; k < taps; k++) {                                                                               \
            for (int64_t p = 0; p < n; p++) u[p] = v[p] + (T)(taps == 4 ? k - 1 : k);                                  \
            if (taps == 4) pad_##name(plane, n, size, u, ignored);                                                     \
            inside_##name(n, size, u, at[k]);                                                                          \
        }                                                                                                              \
        return taps;                                                                                                   \
    }

#define WN_SAMPLING(T, name)                                                                                           \
    static void table_##name(const wn__sampled_plane *plane, int64_t n, const void *grid, void *table, bool slopes) {  \
        wn__sampling_##name *t = table;                                                                                \
        int32_t at[2][4][WN__PLACES];                                                                                  \
        T w[2][4][WN__PLACES], dw[2][4][WN__PLACES];                                                                   \
        const int32_t width = (int32_t)plane->size[0];                                                                 \
        const int side = line_##name(plane, 0, n, grid, at[0], w[0], dw[0]);                                           \
        line_##name(plane, 1, n, grid, at[1], w[1], dw[1]);                                                            \
        t->taps = side * side;                                                                                         \
        for (int i = 0; i < t->taps; i++) {                                                                            \
            const int a = i % side, b = i / side;                                                                      \
            const int32_t *restrict x = at[0][a], *restrict y = at[1][b];                                              \
            for (int64_t p = 0; p < n; p++) {                                                                          \
                const int32_t in = ~((x[p] | y[p]) >> 31);                                                             \
                t->in[i][p] = in;                                                                                      \
                t->at[i][p] = (y[p] * width + x[p]) & in;                                                              \
            }                                                                                                          \
            for (int64_t p = 0; p < n; p++) t->w[i][p] = keep_##name(w[0][a][p] * w[1][b][p], t->in[i][p]);            \
            for (int64_t p = 0; p < n && slopes; p++) {                                                                \
                t->dw[0][i][p] = keep_##name(dw[0][a][p] * w[1][b][p], t->in[i][p]);                                   \
                t->dw[1][i][p] = keep_##name(w[0][a][p] * dw[1][b][p], t->in[i][p]);                                   \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    static void sample_##name(const void *table, int64_t n, int64_t channels, const void *planes, int64_t area, void *to, int64_t places) { \
        const wn__sampling_##name *t = table;                                                                          \
        for (int64_t k = 0; k < channels; k++) {                                                                       \
            const T *restrict x = (const T *)planes + k * area;                                                        \
            T *restrict y = (T *)to + k * places;                                                                      \
            for (int64_t p = sample_whole_##name(t, n, x, y); p < n; p++) {                                            \
                T sum = 0;                                                                                             \
                for (int i = 0; i < t->taps; i++) sum += t->w[i][p] * keep_##name(x[t->at[i][p]], t->in[i][p]);        \
                y[p] = sum;                                                                                            \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    static void spread_##name(const void *table, int64_t n, int64_t channels, void *planes, int64_t area, const void *grad, int64_t places) { \
        const wn__sampling_##name *t = table;                                                                          \
        T part[WN__TAPS][WN__PLACES]; /* by vectors, before elements are added one by one */                           \
        for (int64_t k = 0; k < channels; k++) {                                                                       \
            T *x = (T *)planes + k * area;                                                                             \
            const T *restrict g = (const T *)grad + k * places;                                                        \
            for (int i = 0; i < t->taps; i++)                                                                          \
                for (int64_t p = 0; p < n; p++) part[i][p] = keep_##name(t->w[i][p] * g[p], t->in[i][p]);              \
            for (int64_t p = 0; p < n; p++)                                                                            \
                for (int i = 0; i < t->taps; i++) x[t->at[i][p]] += part[i][p];                                        \
        }                                                                                                              \
    }                                                                                                                  \
    static void slopes_##name(const void *table, int64_t n, int64_t channels, const void *planes, int64_t area, const void *grad, int64_t places, void *to) { \
        const wn__sampling_##name *t = table;                                                                          \
        T sx[WN__PLACES] = {0}, sy[WN__PLACES] = {0};                                                                  \
        for (int64_t k = 0; k < channels; k++) {                                                                       \
            const T *restrict x = (const T *)planes + k * area, *restrict g = (const T *)grad + k * places;            \
            for (int64_t p = slopes_whole_##name(t, n, x, g, sx, sy); p < n; p++)                                      \
                for (int i = 0; i < t->taps; i++) {                                                                    \
                    const T v = keep_##name(x[t->at[i][p]] * g[p], t->in[i][p]);                                       \
                    sx[p] += t->dw[0][i][p] * v;                                                                       \
                    sy[p] += t->dw[1][i][p] * v;                                                                       \
                }                                                                                                      \
        }                                                                                                              \
        for (int64_t p = 0; p < n; p++) ((T *)to)[2 * p] = sx[p], ((T *)to)[2 * p + 1] = sy[p];                        \
    }
WN_LINES(float, f32, fabsf, fmodf, floorf, rintf)
WN_LINES(double, f64, fabs, fmod, floor, rint)
WN_SAMPLING(float, f32)
WN_SAMPLING(double, f64)

#define OF(name) {table_##name, sample_##name, spread_##name, slopes_##name}
extern const wn__sampling_kernels WN_AT_LEVEL(wn__sampling_kernels);
const wn__sampling_kernels WN_AT_LEVEL(wn__sampling_kernels) = {{OF(f32), OF(f64)}};
