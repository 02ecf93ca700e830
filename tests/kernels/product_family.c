/* Shapes that make the rows of the table of matrix products run. */
#include "engine/contract_ref.h"
#include "engine/gemm.h"
#include "kernels.h"
#include <stdio.h>
#include <stdlib.h>

/* Named by the row that they are for. turned: B has its rows along k. */
typedef struct shape {
    const char *row;
    int64_t m, k, n;
    bool turned;
} shape;
static const shape shapes[] = {
    {"vector: columns", 2, 40, 300, false}, {"vector: dots", 3, 700, 20, true},     {"vector: dots of many", 10, 600, 40, true}, {"split", 20, 2500, 40, false},
    {"blocked", 70, 50, 90, false},         {"blocked: turned", 33, 130, 47, true}, {"blocked: one row", 1, 9, 7, true},         {"blocked: chunks", 40, 900, 33, false},
};
static const wn__kernel_table *const tables[] = {&wn__product_kernels};

typedef struct own {
    wn__gemm form, blind;
    char *a, *b, *c, *want;
} own;

static wn__group line(int64_t n, int64_t stride) { return (wn__group){.n = 1, .total = n, .size = {n}, .stride = {stride}}; }

static bool make(const wn__kernel_table *t, int number, wn_dtype dtype, trial *made) {
    const shape *s = &shapes[number];
    const wn__gemm_kernels *kernels = wn__gemm_kernels_now();
    const size_t size = wn_dtype_size(dtype), bytes = (size_t)(s->m * s->n) * size;
    own *o = calloc(1, sizeof *o);
    (void)t;
    o->a = malloc((size_t)(s->m * s->k + 1) * size), o->b = malloc((size_t)(s->k * s->n + 1) * size), o->c = malloc(bytes), o->want = malloc(bytes);
    fill_small(o->a, dtype, s->m * s->k), fill_small(o->b, dtype, s->k * s->n);
    const int64_t sk = s->turned ? 1 : s->n, sn = s->turned ? s->k : 1;
    wn__contraction want = {.dtype = dtype, .out_dtype = dtype, .a = o->a, .b = o->b, .c = o->want, .nm = 1, .nn = 1, .nk = 1, .alpha = 1};
    want.m[0] = (wn__axis){s->m, s->k, 0, s->n}, want.n[0] = (wn__axis){s->n, 0, sn, 1}, want.k[0] = (wn__axis){s->k, 1, sk, 0};
    wn__contract_ref(&want);
    o->form = (wn__gemm){.t = dtype == WN_F64 ? kernels->f64 : kernels->f32, .in = dtype, .out = dtype, .a = o->a, .b = o->b, .c = o->c, .alpha = 1};
    o->form.am = line(s->m, s->k), o->form.ak = line(s->k, 1), o->form.bk = line(s->k, sk), o->form.bn = line(s->n, sn);
    o->form.cm = line(s->m, s->n), o->form.cn = line(s->n, 1);
    o->blind = o->form;
    o->blind.a = o->blind.b = NULL, o->blind.c = NULL;
    *made = (trial){.form = &o->form, .blind = &o->blind, .got = o->c, .want = o->want, .bytes = bytes};
    snprintf(made->shape, sizeof made->shape, "%s", s->row);
    return true;
}

static void drop(trial *made) {
    own *o = made->form; /* its first member */
    free(o->a), free(o->b), free(o->c), free(o->want);
    free(o);
}

const family product_family = {tables, 1, sizeof shapes / sizeof *shapes, make, drop, NULL};
