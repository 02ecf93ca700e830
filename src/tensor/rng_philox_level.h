/* The Philox kernels of one instruction set level; rng_philox.c includes this once for each. Before it are defined:
 * PX(name), which makes the level's names; PX_TARGET, the function attribute; and PX_SCALAR, or else PX_LANES with
 * PX_MUL(a, b), the products of the low halves of 64-bit lanes, and PX_LOW and PX_HIGH, index lists that interleave.
 * Nothing is contracted to an fma and polynomials are our own, so all levels give the same bits. No include guard. */

#ifdef PX_SCALAR
PX_TARGET static void PX(words)(uint64_t seed, uint64_t first, uint32_t *restrict out, int counters) {
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    for (int i = 0; i < counters; i++) {
        uint64_t c = first + (uint64_t)i;
        uint32_t counter[4] = {(uint32_t)c, (uint32_t)(c >> 32), 0, 0};
        wn__philox4x32(counter, key, out + 4 * i);
    }
}
#else
/* Each 32-bit word of the state lies in a 64-bit lane, one lane for each counter. The upper halves may hold anything: the
 * multiplication ignores them, and the result masks them. So a round is two products, two shifts and four xors. */
typedef uint64_t PX(lanes) __attribute__((vector_size(8 * PX_LANES)));
typedef struct PX(state) {
    PX(lanes) c0, c1, c2, c3;
} PX(state);

PX_TARGET INLINE void PX(round)(PX(state) *s, const PX(lanes) *key0, const PX(lanes) *key1) {
    const PX(lanes) zero = {0}, m0 = zero + WN__PX_M0, m1 = zero + WN__PX_M1;
    const PX(lanes) p0 = (PX(lanes))PX_MUL(s->c0, m0), p1 = (PX(lanes))PX_MUL(s->c2, m1);
    s->c0 = (p1 >> 32) ^ (s->c1 ^ *key0);
    s->c2 = (p0 >> 32) ^ (s->c3 ^ *key1);
    s->c1 = p1;
    s->c3 = p0;
}

PX_TARGET static void PX(words)(uint64_t seed, uint64_t first, uint32_t *restrict out, int counters) {
    const PX(lanes) zero = {0}, low_half = zero + 0xffffffffu;
    PX(lanes) key0[10], key1[10], counter;
    for (int r = 0; r < 10; r++) {
        key0[r] = zero + (uint32_t)((uint32_t)seed + (uint32_t)r * WN__PX_W0);
        key1[r] = zero + (uint32_t)((uint32_t)(seed >> 32) + (uint32_t)r * WN__PX_W1);
    }
    for (int i = 0; i < PX_LANES; i++) counter[i] = first + (uint64_t)i;
    for (int i = 0; i < counters; i += PX_LANES, counter += PX_LANES) {
        PX(state) s = {counter, counter >> 32, zero, zero};
        PX(round)(&s, &key0[0], &key1[0]);
        PX(round)(&s, &key0[1], &key1[1]);
        PX(round)(&s, &key0[2], &key1[2]);
        PX(round)(&s, &key0[3], &key1[3]);
        PX(round)(&s, &key0[4], &key1[4]);
        PX(round)(&s, &key0[5], &key1[5]);
        PX(round)(&s, &key0[6], &key1[6]);
        PX(round)(&s, &key0[7], &key1[7]);
        PX(round)(&s, &key0[8], &key1[8]);
        PX(round)(&s, &key0[9], &key1[9]);
        const PX(lanes) a = (s.c0 & low_half) | (s.c1 << 32), b = (s.c2 & low_half) | (s.c3 << 32);
        const PX(lanes) low = __builtin_shufflevector(a, b, PX_LOW), high = __builtin_shufflevector(a, b, PX_HIGH);
        memcpy(out + 4 * i, &low, sizeof low);
        memcpy(out + 4 * i + 2 * PX_LANES, &high, sizeof high);
    }
}
#endif

PX_TARGET static void PX(uniform_f32)(const uint32_t *restrict w, void *restrict out, const wn__px_args *a) {
    float *restrict o = out;
    const float low = a->low, high = a->high, span = a->span;
    for (int i = 0; i < WN__PX_BLOCK; i++) {
        float v = (float)(int32_t)(w[i] >> 8) * 0x1p-24f * span + low;
        o[i] = v >= high ? low : v; /* rounding must not reach the upper bound */
    }
}
PX_TARGET static void PX(uniform_f64)(const uint32_t *restrict w, void *restrict out, const wn__px_args *a) {
    double *restrict o = out;
    const double low = a->low64, high = a->high64, span = a->span64;
    for (int g = 0; g < WN__PX_BLOCK / 32; g++) {
        for (int i = 0; i < 32; i++) {
            double v = u53(w[64 * g + 32 + i], w[64 * g + i]) * 0x1p-53 * span + low;
            o[32 * g + i] = v >= high ? low : v;
        }
    }
}

/* Box-Muller. Element j of a group takes the cosine, element j + 16 the sine. The radius comes from 31 (53) bits, so values
 * reach 6.6 (8.6) standard deviations; the angle is an exact fraction of the circle: quadrant and t in [-pi/4, pi/4], where
 * Taylor's series are good to rounding. */
PX_TARGET static void PX(normal_f32)(const uint32_t *restrict w, void *restrict out, const wn__px_args *a) {
    float *restrict o = out;
    const float mean = a->low, std = a->span;
    for (int g = 0; g < WN__PX_BLOCK; g += 32) {
        for (int i = 0; i < 16; i++) {
            float u = ((float)(int32_t)(w[g + i] >> 1) + 0.5f) * 0x1p-31f, nl = neg_log32(u);
            float radius = sqrtf(2.0f * nl) * std;
            uint32_t turn = w[g + 16 + i], quadrant = (turn + 0x20000000u) >> 30;
            float t = (float)(int32_t)(turn - (quadrant << 30)) * (1.57079632679489661923f * 0x1p-30f), z = t * t;
            float s = t + t * (z * (-1.0f / 6 + z * (1.0f / 120 + z * (-1.0f / 5040 + z * (1.0f / 362880)))));
            float c = z * (1.0f / 24 + z * (-1.0f / 720 + z * (1.0f / 40320 + z * (-1.0f / 3628800))));
            c = 1.0f + z * (-0.5f + c);
            uint32_t sb = wn__f32_to_bits(s), cb = wn__f32_to_bits(c);
            uint32_t swap = 0u - (quadrant & 1u), mixed = (sb ^ cb) & swap;
            uint32_t cosine = (cb ^ mixed) ^ (((quadrant + 1) & 2u) << 30), sine = (sb ^ mixed) ^ ((quadrant & 2u) << 30);
            o[g + i] = radius * wn__f32_from_bits(cosine) + mean;
            o[g + 16 + i] = radius * wn__f32_from_bits(sine) + mean;
        }
    }
}
PX_TARGET static void PX(normal_f64)(const uint32_t *restrict w, void *restrict out, const wn__px_args *a) {
    double *restrict o = out;
    const double mean = a->low64, std = a->span64;
    for (int g = 0; g < WN__PX_BLOCK; g += 32) {
        const uint32_t *restrict lo = w + 2 * g, *restrict hi = lo + 32;
        double turns[16], radii[16];
        for (int i = 0; i < 16; i++) {
            radii[i] = (u53(hi[i], lo[i]) + 0.5) * 0x1p-53;
            turns[i] = u53(hi[16 + i], lo[16 + i]) * 0x1p-51; /* quarters of the circle */
        }
        for (int i = 0; i < 16; i++) {
            double radius = sqrt(2.0 * neg_log64(radii[i])) * std;
            /* Adding 2^52 rounds to an integer and leaves it in the low bits. */
            double rounded = turns[i] + 0x1p52;
            uint64_t quadrant;
            memcpy(&quadrant, &rounded, 8);
            double t = (turns[i] - (rounded - 0x1p52)) * 1.57079632679489661923, z = t * t;
            double s = z * (1.0 / 6227020800.0 + z * (-1.0 / 1307674368000.0 + z * (1.0 / 355687428096000.0)));
            s = z * (1.0 / 362880 + z * (-1.0 / 39916800 + s));
            s = t + t * (z * (-1.0 / 6 + z * (1.0 / 120 + z * (-1.0 / 5040 + s))));
            double c = z * (1.0 / 479001600 + z * (-1.0 / 87178291200.0 + z * (1.0 / 20922789888000.0)));
            c = z * (1.0 / 40320 + z * (-1.0 / 3628800 + c));
            c = 1.0 + z * (-0.5 + z * (1.0 / 24 + z * (-1.0 / 720 + c)));
            uint64_t sb, cb;
            memcpy(&sb, &s, 8);
            memcpy(&cb, &c, 8);
            uint64_t swap = 0u - (quadrant & 1u), mixed = (sb ^ cb) & swap;
            uint64_t cosine = (cb ^ mixed) ^ (((quadrant + 1) & 2u) << 62), sine = (sb ^ mixed) ^ ((quadrant & 2u) << 62);
            double cv, sv;
            memcpy(&cv, &cosine, 8);
            memcpy(&sv, &sine, 8);
            o[g + i] = radius * cv + mean;
            o[g + 16 + i] = radius * sv + mean;
        }
    }
}

/* Never 0, since samplers divide by these: where u rounds to 1, the result is the mean over what rounds so. */
PX_TARGET static void PX(exponential_f32)(const uint32_t *restrict w, void *restrict out, const wn__px_args *a) {
    float *restrict o = out;
    const float scale = a->span;
    for (int i = 0; i < WN__PX_BLOCK; i++) {
        float u = ((float)(int32_t)(w[i] >> 1) + 0.5f) * 0x1p-31f, nl = neg_log32(u);
        o[i] = (nl < 0x1p-26f ? 0x1p-26f : nl) * scale;
    }
}
PX_TARGET static void PX(exponential_f64)(const uint32_t *restrict w, void *restrict out, const wn__px_args *a) {
    double *restrict o = out;
    const double scale = a->span64;
    for (int g = 0; g < WN__PX_BLOCK; g += 32) {
        double u[32];
        for (int i = 0; i < 32; i++) u[i] = (u53(w[2 * g + 32 + i], w[2 * g + i]) + 0.5) * 0x1p-53;
        for (int i = 0; i < 32; i++) {
            const double nl = neg_log64(u[i]);
            o[g + i] = (nl < 0x1p-55 ? 0x1p-55 : nl) * scale;
        }
    }
}

#define PX_FLAGS(N)                                                                                                                    \
    PX_TARGET static void PX(flag_##N)(const uint32_t *restrict w, void *restrict out, const wn__px_args *a) { flags_##N(w, out, a); } \
    PX_TARGET static void PX(each_##N)(const uint32_t *restrict w, void *restrict out, const wn__px_args *a) { flags_each_##N(w, out, a); }
PX_FLAGS(i8)
PX_FLAGS(i16)
PX_FLAGS(i32)
PX_FLAGS(i64)
#undef PX_FLAGS

PX_TARGET static void PX(integer32)(const uint32_t *restrict w, void *restrict out, const wn__px_args *a) {
    int64_t *restrict o = out;
    const uint32_t range = (uint32_t)a->range; /* 0: 2^32 */
    const int64_t base = a->base;
    if (range == 0) {
        for (int i = 0; i < WN__PX_BLOCK; i++) o[i] = base + (int64_t)w[i];
        return;
    }
    for (int i = 0; i < WN__PX_BLOCK; i++) o[i] = base + (int64_t)(((uint64_t)w[i] * range) >> 32);
}
PX_TARGET static void PX(integer64)(const uint32_t *restrict w, void *restrict out, const wn__px_args *a) {
    int64_t *restrict o = out;
    for (int g = 0; g < WN__PX_BLOCK; g += 32) {
        for (int i = 0; i < 32; i++) {
            uint64_t x = (uint64_t)w[2 * g + 32 + i] << 32 | w[2 * g + i];
            o[g + i] = (int64_t)((uint64_t)a->base + wn__px_below(x, a->range));
        }
    }
}

PX_TARGET static void PX(to_f16)(const float *restrict v, uint16_t *restrict out, uint16_t low, float high) {
    for (int i = 0; i < WN__PX_BLOCK; i++) {
        uint16_t h = wn__f32_to_f16(v[i]);
        out[i] = wn__f16_to_f32(h) >= high ? low : h;
    }
}
PX_TARGET static void PX(to_bf16)(const float *restrict v, uint16_t *restrict out, uint16_t low, float high) {
    for (int i = 0; i < WN__PX_BLOCK; i++) {
        uint16_t h = wn__f32_to_bf16(v[i]);
        out[i] = wn__bf16_to_f32(h) >= high ? low : h;
    }
}

static const wn__px_level PX(level) = {
    .words = PX(words),
    .uniform_f32 = PX(uniform_f32),
    .uniform_f64 = PX(uniform_f64),
    .normal_f32 = PX(normal_f32),
    .normal_f64 = PX(normal_f64),
    .exponential_f32 = PX(exponential_f32),
    .exponential_f64 = PX(exponential_f64),
    .flag = {PX(flag_i8), PX(flag_i16), PX(flag_i32), PX(flag_i64)},
    .flag_each = {PX(each_i8), PX(each_i16), PX(each_i32), PX(each_i64)},
    .integer32 = PX(integer32),
    .integer64 = PX(integer64),
    .to_f16 = PX(to_f16),
    .to_bf16 = PX(to_bf16),
};

#undef PX
#undef PX_TARGET
#undef PX_SCALAR
#undef PX_LANES
#undef PX_MUL
#undef PX_LOW
#undef PX_HIGH
