/* LAPACK, if the machine has it: it is opened with dlopen when first needed, never linked. Calls follow Fortran:
 * everything by address, matrices column-major, 32-bit integers, lengths of strings as last arguments. */
#ifndef WN_ENGINE_LAPACK_H
#define WN_ENGINE_LAPACK_H
#include <stdbool.h>
#include <stddef.h>
#include "base/api.h"

/* The routines for one floating type; void * stands for float * or double *. */
typedef struct wn__lapack {
    void (*geqrf)(const int *m, const int *n, void *a, const int *lda, void *tau, void *work, const int *lwork, int *info);
    void (*orgqr)(const int *m, const int *n, const int *k, void *a, const int *lda, const void *tau, void *work, const int *lwork, int *info);
    void (*ormqr)(const char *side, const char *trans, const int *m, const int *n, const int *k, const void *a, const int *lda, const void *tau,
                  void *c, const int *ldc, void *work, const int *lwork, int *info, size_t, size_t);
    void (*syevd)(const char *jobz, const char *uplo, const int *n, void *a, const int *lda, void *w, void *work, const int *lwork, int *iwork,
                  const int *liwork, int *info, size_t, size_t);
    void (*gesdd)(const char *jobz, const int *m, const int *n, void *a, const int *lda, void *s, void *u, const int *ldu, void *vt,
                  const int *ldvt, void *work, const int *lwork, int *iwork, int *info, size_t);
    /* The steps of syevd and gesdd: reduction to tridiagonal and bidiagonal form, and the decompositions of these. */
    void (*sytrd)(const char *uplo, const int *n, void *a, const int *lda, void *d, void *e, void *tau, void *work, const int *lwork, int *info, size_t);
    void (*stedc)(const char *compz, const int *n, void *d, void *e, void *z, const int *ldz, void *work, const int *lwork, int *iwork,
                  const int *liwork, int *info, size_t);
    void (*gebrd)(const int *m, const int *n, void *a, const int *lda, void *d, void *e, void *tauq, void *taup, void *work, const int *lwork, int *info);
    void (*bdsdc)(const char *uplo, const char *compq, const int *n, void *d, void *e, void *u, const int *ldu, void *vt, const int *ldvt, void *q,
                  int *iq, void *work, int *iwork, int *info, size_t, size_t);
    void (*gels)(const char *trans, const int *m, const int *n, const int *nrhs, void *a, const int *lda, void *b, const int *ldb, void *work,
                 const int *lwork, int *info, size_t);
    void (*gelsy)(const int *m, const int *n, const int *nrhs, void *a, const int *lda, void *b, const int *ldb, int *jpvt, const void *rcond,
                  int *rank, void *work, const int *lwork, int *info);
    /* The steps of gelsy: QR with pivots, estimates of extreme singular values, and R's first rows made triangular. */
    void (*geqp3)(const int *m, const int *n, void *a, const int *lda, int *jpvt, void *tau, void *work, const int *lwork, int *info);
    void (*laic1)(const int *job, const int *j, const void *x, const void *sest, const void *w, const void *gamma, void *sestpr, void *s, void *c);
    void (*tzrzf)(const int *m, const int *n, void *a, const int *lda, void *tau, void *work, const int *lwork, int *info);
    void (*ormrz)(const char *side, const char *trans, const int *m, const int *n, const int *k, const int *l, const void *a, const int *lda,
                  const void *tau, void *c, const int *ldc, void *work, const int *lwork, int *info, size_t, size_t);
    void (*gelsd)(const int *m, const int *n, const int *nrhs, void *a, const int *lda, void *b, const int *ldb, void *s, const void *rcond,
                  int *rank, void *work, const int *lwork, int *iwork, int *info);
    void (*gelss)(const int *m, const int *n, const int *nrhs, void *a, const int *lda, void *b, const int *ldb, void *s, const void *rcond,
                  int *rank, void *work, const int *lwork, int *info);
    void (*sytrf)(const char *uplo, const int *n, void *a, const int *lda, int *pivots, void *work, const int *lwork, int *info, size_t);
    void (*sytrs)(const char *uplo, const int *n, const int *nrhs, const void *a, const int *lda, const int *pivots, void *b, const int *ldb,
                  int *info, size_t);
} wn__lapack;

/* dtype: WN_F32 or WN_F64. NULL: there is no LAPACK. */
const wn__lapack *wn__lapack_get(wn_dtype dtype);
extern const char wn__lapack_missing[]; /* the sentence for the error */
#endif
