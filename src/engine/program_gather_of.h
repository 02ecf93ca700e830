/* Short runs of a view, in elements as wide as T; included by program_layout.c behind as_i32.h or as_i64.h. */

/* Copies `rows` runs of n elements each; steps are in elements. */
static void OF(gather)(const char *from, int64_t rows, int64_t row_step, int64_t n, int64_t step, char *into) {
    const T *restrict x = (const T *)(const void *)from;
    T *restrict to = (T *)(void *)into;
    if (n == 2 && row_step == 1) {
        for (int64_t r = 0; r < rows; r++) to[2 * r] = x[r], to[2 * r + 1] = x[r + step];
    } else if (n == 2) {
        for (int64_t r = 0; r < rows; r++, x += row_step) to[2 * r] = x[0], to[2 * r + 1] = x[step];
    } else if (n == 3) {
        for (int64_t r = 0; r < rows; r++, x += row_step, to += 3) to[0] = x[0], to[1] = x[step], to[2] = x[2 * step];
    } else {
        for (int64_t r = 0; r < rows; r++, x += row_step, to += n)
            for (int64_t k = 0; k < n; k++) to[k] = x[k * step];
    }
}
