/* Sums of T become means: included by scatter_reduce.c behind each as_TYPE.h. */

/* A row along the last dimension, by counts (`narrow`: of 32 bits) and `more`. Floats without a branch: which places got several cannot be
 * guessed, and dividing by 1 changes nothing. */
INLINE void OF(divide)(char *row, int64_t step, int64_t width, const void *counts, const bool narrow, int64_t more) {
    const int32_t *few = counts;
    const int64_t *many = counts;
    for (int64_t i = 0; i < width; i++) {
        T *p = (T *)(void *)(row + i * step);
        if (FLOATING && narrow) {
            const int32_t n = few[i] + (int32_t)more;
            *p /= (T)(n + (n == 0));
        } else {
            const int64_t n = (narrow ? few[i] : many[i]) + more;
            if (FLOATING) *p /= (T)(n + (n == 0));
            else if (n > 1) *p = (T)floor_div((int64_t)*p, n);
        }
    }
}
