/* f16 and bf16 side by side as floats and back, for the packing and the way out of f32 products. */
#include "engine/level/half_vec.h"

static void load_halves(float *to, const uint16_t *x, wn_dtype in, int64_t n) {
    int64_t i = 0;
    for (; i + WN_HALF_RUN <= n; i += WN_HALF_RUN) {
        if (in == WN_F16) wn__run_of_f16(to + i, x + i);
        else wn__run_of_bf16(to + i, x + i);
    }
    if (i == n) return;
    uint16_t rest[WN_HALF_RUN] = {0};
    float wide[WN_HALF_RUN];
    for (int64_t l = 0; l < n - i; l++) rest[l] = x[i + l];
    if (in == WN_F16) wn__run_of_f16(wide, rest);
    else wn__run_of_bf16(wide, rest);
    for (int64_t l = 0; l < n - i; l++) to[i + l] = wide[l];
}

static void store_halves(uint16_t *to, wn_dtype out, const float *x, int64_t n) {
    int64_t i = 0;
    for (; i + WN_HALF_RUN <= n; i += WN_HALF_RUN) {
        if (out == WN_F16) wn__run_to_f16(to + i, x + i);
        else wn__run_to_bf16(to + i, x + i);
    }
    if (i == n) return;
    float rest[WN_HALF_RUN] = {0};
    uint16_t narrow[WN_HALF_RUN];
    for (int64_t l = 0; l < n - i; l++) rest[l] = x[i + l];
    if (out == WN_F16) wn__run_to_f16(narrow, rest);
    else wn__run_to_bf16(narrow, rest);
    for (int64_t l = 0; l < n - i; l++) to[i + l] = narrow[l];
}

/* A panel of two vectors a row. */
static void pack_halves(float *dst, int64_t kc, const uint16_t *src, wn_dtype in, const int64_t *inner) {
    enum { WIDTH = VB / 2 };
    for (int64_t p = 0; p < kc; p++) {
        if (in == WN_F16) wn__of_f16(dst + p * WIDTH, src + inner[p], WIDTH);
        else wn__of_bf16(dst + p * WIDTH, src + inner[p], WIDTH);
    }
}
