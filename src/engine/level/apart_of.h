/* Elements of a size, whatever they are, side by side and apart: included by convert.h behind for_sizes.h. */
static void OF(beside)(int64_t n, void *to, const char *x, int64_t stride) {
    T *restrict o = to;
    const int64_t size = sizeof(T);
    if (stride == -size) /* flipped: whole vectors */
        for (int64_t i = 0; i < n; i++) o[i] = *(const T *)(x - i * size);
    else
        _Pragma("GCC unroll 4") for (int64_t i = 0; i < n; i++) o[i] = *(const T *)(x + i * stride);
}
static void OF(apart)(int64_t n, char *restrict to, int64_t stride, const void *from) {
    const T *x = from;
    _Pragma("GCC unroll 4") for (int64_t i = 0; i < n; i++) *(T *)(to + i * stride) = x[i];
}
/* The first element n times. */
static void OF(repeat)(int64_t n, void *to) {
    T *o = to;
    const T v = o[0];
    for (int64_t i = 1; i < n; i++) o[i] = v;
}
