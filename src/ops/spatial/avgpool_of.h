/* Means of windows in T and their gradients: included by avgpool.c behind as_f32.h, as_f64.h and as_i64.h. */

/* The smallest integer by -1 would trap. */
INLINE T OF(quotient)(T a, T d) { return !FLOATING && d == (T)-1 ? -a : a / d; }

/* Where the functions begin decides how the loops of two elements lie in lines of code: 1.2 times as fast on a Xeon with AVX-512
 * (bench/two_builds.py). */
static __attribute__((aligned(64))) void OF(forward)(const wn__avgpool_job *j, const T *x, int64_t ld, T *y) {
    for (int64_t oy = 0; oy < j->oh; oy++) {
        const wn__avgpool_span v = j->ys[oy];
        for (int64_t ox = 0; ox < j->ow; ox++) {
            const wn__avgpool_span u = j->xs[ox];
            T sum = 0;
            for (int64_t a = v.start; a < v.end; a++)
                for (int64_t b = u.start; b < u.end; b++) sum += x[a * ld + b];
            *y++ = OF(quotient)(sum, j->divisor != 0 ? (T)j->divisor : (T)v.extent * (T)u.extent);
        }
    }
}

static __attribute__((aligned(64))) void OF(backward)(const wn__avgpool_job *j, const T *g, int64_t ld, T *x) {
    memset(x, 0, (size_t)(j->h * j->w) * sizeof *x);
    for (int64_t oy = 0; oy < j->oh; oy++) {
        const wn__avgpool_span v = j->ys[oy];
        for (int64_t ox = 0; ox < j->ow; ox++) {
            const wn__avgpool_span u = j->xs[ox];
            const T part = OF(quotient)(g[oy * ld + ox], j->divisor != 0 ? (T)j->divisor : (T)v.extent * (T)u.extent);
            for (int64_t a = v.start; a < v.end; a++)
                for (int64_t b = u.start; b < u.end; b++) x[a * j->w + b] += part;
        }
    }
}
