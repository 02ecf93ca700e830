/* Products of Householder's reflectors by blocks, on products of our own engine. With V the vectors of a block, I - V T V^T is the product of
 * its reflectors, and T^-1 is what V^T V has above its diagonal, with 1 / tau on it: T itself is never made, a triangular system takes its place. */
#include "ops/linalg/linalg.h"
#include "engine/triangle.h"

enum { BLOCK = WN__TRIANGLE, LEAF = 16 }; /* LEAF: columns that LAPACK factors */

static char *element(const wn__lapack_job *j, char *p, int64_t at) { return p + at * (int64_t)j->size; }
static int least(int a, int b) { return a < b ? a : b; }
static void put(const wn__lapack_job *j, char *at, double v) {
    if (j->dtype == WN_F64) *(double *)(void *)at = v;
    else *(float *)(void *)at = (float)v;
}
static double number(const wn__lapack_job *j, const char *at) {
    return j->dtype == WN_F64 ? *(const double *)(const void *)at : (double)*(const float *)(const void *)at;
}

/* Vectors at .. at + size - 1, with their ones, and the zeros above them. They lie as in q: what is consecutive there is so here. */
static void load_vectors(const wn__lapack_job *j, const wn__reflectors *q, int at, int size, char *to, int64_t ld) {
    const wn__matrix from = {element(j, q->v.p, at * (q->v.rs + q->v.cs)), q->v.rs, q->v.cs};
    const bool columns = from.rs == 1;
    const int lines = columns ? size : q->m - at, length = columns ? q->m - at : size;
    const int64_t step = columns ? from.cs : from.rs;
    for (int64_t i = 0; i < lines; i++) memcpy(element(j, to, i * ld), element(j, from.p, i * step), (size_t)length * j->size);
    for (int64_t i = 0; i < size; i++) {
        for (int64_t k = i + 1; k < size && !columns; k++) put(j, element(j, to, i * ld + k), 0);
        if (columns) memset(element(j, to, i * ld), 0, (size_t)i * j->size);
        put(j, element(j, to, i * (ld + 1)), 1);
    }
}

typedef struct block_room {
    char *vectors, *inner, *with;
    int64_t ldv, ldi, ldw;
} block_room;

static bool take_room(wn__lapack_job *j, const wn__reflectors *q, int cols, block_room *r) {
    const bool columns = q->v.rs == 1;
    const int lines = columns ? BLOCK : q->m, length = columns ? q->m : BLOCK;
    r->ldv = wn__row_ld(length, j->size), r->ldi = wn__row_ld(BLOCK, j->size), r->ldw = wn__row_ld(cols, j->size);
    const size_t vectors = wn__piece((size_t)lines * (size_t)r->ldv, j->size), inner = wn__piece(BLOCK * (size_t)r->ldi, j->size);
    char *room = wn__scratch(3, vectors + inner + wn__piece(BLOCK * (size_t)r->ldw, j->size));
    if (!room) {
        atomic_store_explicit(&j->no_memory, true, memory_order_relaxed);
        return false;
    }
    r->vectors = wn__take(&room, vectors);
    r->inner = wn__take(&room, inner);
    r->with = room;
    return true;
}

/* The block of reflectors at .. at + size - 1 applied to rows at .. of cols columns, of which c is the first row. */
static void reflect_block(wn__lapack_job *j, const wn__reflectors *q, int at, int size, bool transposed, wn__matrix c, int cols, const block_room *r) {
    const int m = q->m - at;
    const bool columns = q->v.rs == 1;
    const wn__matrix v = {r->vectors, columns ? 1 : r->ldv, columns ? r->ldv : 1}, vt = {v.p, v.cs, v.rs};
    const wn__matrix inner = {r->inner, r->ldi, 1}, with = {r->with, r->ldw, 1};
    load_vectors(j, q, at, size, r->vectors, r->ldv);
    wn__matrix_product(j, size, size, m, vt, v, inner, 1, 0);
    for (int64_t i = 0; i < size; i++) put(j, element(j, r->inner, i * (r->ldi + 1)), 1 / number(j, q->tau + (size_t)(at + i) * j->size));
    wn__matrix_product(j, size, cols, m, vt, c, with, 1, 0);
    const wn__triangle upper = {.a = inner, .upper = true}, lower = {.a = {r->inner, 1, r->ldi}};
    wn__solve_triangle(j, transposed ? lower : upper, size, cols, r->with, r->ldw);
    wn__matrix_product(j, m, cols, size, v, with, c, -1, 1);
}

static wn__matrix corner_of(const wn__lapack_job *j, wn__matrix c, int64_t row, int64_t col) {
    return (wn__matrix){element(j, c.p, row * c.rs + col * c.cs), c.rs, c.cs};
}

void wn__reflect(wn__lapack_job *j, const wn__reflectors *q, bool transposed, wn__matrix c, int cols) {
    block_room r;
    if (!q->k || !cols || !take_room(j, q, cols, &r)) return;
    const int last = (q->k - 1) / BLOCK * BLOCK;
    for (int done = 0; done <= last; done += BLOCK) { /* Q^T c begins with the first reflector, Q c with the last */
        const int at = transposed ? done : last - done;
        reflect_block(j, q, at, least(BLOCK, q->k - at), transposed, corner_of(j, c, at, 0), cols, &r);
    }
}

void wn__form_q(wn__lapack_job *j, const wn__reflectors *q, char *c, int64_t ld, int cols) {
    block_room r;
    for (int64_t i = 0; i < cols; i++) {
        memset(element(j, c, i * ld), 0, (size_t)q->m * j->size);
        put(j, element(j, c, i * (ld + 1)), 1);
    }
    if (!q->k || !take_room(j, q, cols, &r)) return;
    for (int at = (q->k - 1) / BLOCK * BLOCK; at >= 0; at -= BLOCK) /* columns before the block's are still the identity's */
        reflect_block(j, q, at, least(BLOCK, q->k - at), false, corner_of(j, (wn__matrix){c, 1, ld}, at, at), cols - at, &r);
}

/* ------------------------------------------------------------------ QR */

typedef struct qr_job {
    wn__lapack_job *j;
    wn__reflectors q;
    int64_t ld;
    char *tau, *work;
    block_room room;
} qr_job;

/* Columns at .. at + width - 1, to which all reflectors before them have been applied. */
static void factor_columns(qr_job *f, int at, int width) {
    wn__lapack_job *j = f->j;
    if (width <= LEAF) {
        const int m = f->q.m - at, ld = (int)f->ld;
        int info = 0;
        j->lapack->geqrf(&m, &width, element(j, f->q.v.p, at * (f->ld + 1)), &ld, element(j, f->tau, at), f->work, &j->lwork, &info);
        return;
    }
    const int first = (width / 2 + LEAF - 1) / LEAF * LEAF, rest = width - first;
    factor_columns(f, at, first);
    reflect_block(j, &f->q, at, first, true, corner_of(j, f->q.v, at, at + first), rest, &f->room);
    factor_columns(f, at + first, rest);
}

void wn__factor_qr(wn__lapack_job *j, int m, int n, char *a, int64_t ld, char *tau, char *work) {
    const int k = least(m, n);
    qr_job f = {.j = j, .q = {.v = {a, 1, ld}, .tau = tau, .m = m, .k = k}, .ld = ld, .tau = tau, .work = work};
    if (!take_room(j, &f.q, n, &f.room)) return;
    for (int at = 0; at < k; at += BLOCK) {
        const int size = least(BLOCK, k - at), next = at + size;
        factor_columns(&f, at, size);
        if (next < n) reflect_block(j, &f.q, at, size, true, corner_of(j, f.q.v, at, next), n - next, &f.room);
    }
}
