/* See contract_ref.h: slow, obvious, never removed. */
#include "engine/contract_ref.h"
#include "base/checked.h"
#include "base/half.h"
#include "engine/contract_int.h"

double wn__ref_get(const void *p, wn_dtype t, int64_t i) {
    switch (t) {
    case WN_F32: return (double)((const float *)p)[i];
    case WN_F64: return ((const double *)p)[i];
    case WN_F16: return (double)wn__f16_to_f32(((const uint16_t *)p)[i]);
    default: return (double)wn__bf16_to_f32(((const uint16_t *)p)[i]);
    }
}

void wn__ref_put(void *p, wn_dtype t, int64_t i, double v) {
    switch (t) {
    case WN_F32: ((float *)p)[i] = (float)v; break;
    case WN_F64: ((double *)p)[i] = v; break;
    case WN_F16: ((uint16_t *)p)[i] = wn__f32_to_f16((float)v); break;
    default: ((uint16_t *)p)[i] = wn__f32_to_bf16((float)v); break;
    }
}

static int64_t total(const wn__axis *x, int n) {
    int64_t t = 1;
    for (int d = 0; d < n; d++) t *= x[d].size;
    return t;
}

typedef struct at {
    int64_t a, b, c;
} at;

static at offset(const wn__axis *x, int n, int64_t i, at from) {
    for (int d = n - 1; d >= 0; d--) {
        const int64_t v = i % x[d].size;
        i /= x[d].size;
        from.a += v * x[d].a, from.b += v * x[d].b, from.c += v * x[d].c;
    }
    return from;
}

static void element_int(const wn__contraction *c, at o) {
    uint64_t sum = 0;
    for (int64_t k = 0; k < total(c->k, c->nk); k++) {
        const at p = offset(c->k, c->nk, k, o);
        sum += wn__int_get(c->a, c->dtype, p.a) * wn__int_get(c->b, c->dtype, p.b);
    }
    sum *= (uint64_t)wn__to_i64(c->alpha);
    if (c->beta != 0) sum += (uint64_t)wn__to_i64(c->beta) * wn__int_get(c->c, c->out_dtype, o.c);
    wn__int_put(c->c, c->out_dtype, o.c, sum);
}

static void element(const wn__contraction *c, at o, int64_t b, int64_t i, int64_t j) {
    double sum = 0;
    for (int64_t k = 0; k < total(c->k, c->nk); k++) {
        const at p = offset(c->k, c->nk, k, o);
        sum += wn__ref_get(c->a, c->dtype, p.a) * wn__ref_get(c->b, c->dtype, p.b);
    }
    sum *= c->alpha;
    if (c->beta != 0) sum += c->beta * wn__ref_get(c->c, c->out_dtype, o.c);
    if (c->epilogue && c->dtype == WN_F64) {
        c->epilogue->run(c->epilogue->ctx, &sum, b, i, j, 1);
    } else if (c->epilogue) {
        float f = (float)sum;
        c->epilogue->run(c->epilogue->ctx, &f, b, i, j, 1);
        sum = (double)f;
    }
    wn__ref_put(c->c, c->out_dtype, o.c, sum);
}

void wn__contract_ref(const wn__contraction *c) {
    const int64_t nb = total(c->batch, c->nbatch), nm = total(c->m, c->nm), nn = total(c->n, c->nn);
    for (int64_t b = 0; b < nb; b++) {
        const at ob = offset(c->batch, c->nbatch, b, (at){0, 0, 0});
        for (int64_t i = 0; i < nm; i++) {
            const at oi = offset(c->m, c->nm, i, ob);
            for (int64_t j = 0; j < nn; j++) {
                const at o = offset(c->n, c->nn, j, oi);
                if (c->dtype >= WN_I8) element_int(c, o);
                else element(c, o, b, i, j);
            }
        }
    }
}
