/* What the rows of linear algebra share: batches of matrices, runs of LAPACK over them, the checks and torch's error texts. */
#ifndef WN_OPS_LINALG_H
#define WN_OPS_LINALG_H
#include "base/alloc.h"
#include "engine/gemm.h"
#include "engine/lapack.h"
#include "call/dispatch.h"

/* A batch of matrices in any layout. Batch dimensions of size 1 broadcast to those of the run. */
typedef struct wn__mats {
    char *p;
    size_t size; /* of an element */
    int64_t rows, cols, rs, cs; /* strides in elements */
    int nb;
    int64_t batch[WN_MAX_DIMS], bs[WN_MAX_DIMS];
} wn__mats;
/* core: 2 for matrices, 1 for vectors (one column), 0 for numbers; batch: of the run. */
wn__mats wn__mats_of(const wn_tensor *t, int core, int nb, const int64_t *batch);
char *wn__mat_at(const wn__mats *m, int64_t i); /* first element of matrix i */
void wn__mat_load(const wn__mats *m, int64_t i, void *to, int64_t ld);         /* column-major */
void wn__mat_store(const wn__mats *m, int64_t i, const void *from, int64_t ld);
wn__mats wn__mats_turned(wn__mats m); /* the transposed matrices: loading and storing these is row-major of those */

/* A part of a matrix, or of its transpose: strides in elements. */
typedef struct wn__matrix {
    char *p;
    int64_t rs, cs;
} wn__matrix;
static inline wn__matrix wn__matrix_of(const wn__mats *m, int64_t i) { return (wn__matrix){wn__mat_at(m, i), m->rs, m->cs}; }
typedef struct wn__triangle {
    wn__matrix a;       /* the other triangle is not read */
    bool upper, unit; /* unit: ones on the diagonal, which is not read */
} wn__triangle;

/* wn__result of a row whose results lie column by column, as LAPACK's do. */
wn_status wn__result_columns(wn__call *c, int i, wn_dtype dtype, int ndim, const int64_t *shape);

/* A run of LAPACK over a batch. `one` works on matrix i in `room` bytes of scratch memory. */
typedef struct wn__lapack_job wn__lapack_job;
struct wn__lapack_job {
    const wn__lapack *lapack;
    wn_dtype dtype;
    size_t size; /* of an element */
    void (*one)(wn__lapack_job *j, int64_t i, char *room);
    size_t room;
    wn__mats a, b, x, y, z; /* whatever the row makes of them */
    int m, n, k, nrhs, lwork, liwork;
    char job, uplo, trans, diag;
    bool flag;
    double number;
    wn__mats info, pivots;
    _Atomic bool no_memory;
};
/* For .infer: the job that .run finds in c->plan, with one, dtype and size; NULL and an error record when there is no memory. */
wn__lapack_job *wn__lapack_plan(wn__call *c, const wn_tensor *like, void (*one)(wn__lapack_job *j, int64_t i, char *room));
/* The same with the checks that come first and the sizes: of square matrices (m = n), of any (k: the smaller), of systems a x = b (m = k = n, nrhs), whose
 * solution's shape is completed behind the nb dimensions of the batch. */
wn__lapack_job *wn__square_plan(wn__call *c, const char *name, const wn_tensor *t, void (*one)(wn__lapack_job *j, int64_t i, char *room));
wn__lapack_job *wn__matrix_plan(wn__call *c, const char *name, const wn_tensor *t, void (*one)(wn__lapack_job *j, int64_t i, char *room));
wn__lapack_job *wn__system_plan(wn__call *c, const wn_tensor *a, const wn_tensor *b, int nb, int64_t *shape, void (*one)(wn__lapack_job *j, int64_t i, char *room));
wn_status wn__lapack_find(wn__call *c, wn__lapack_job *j); /* sets j->lapack, or says that there is none */
wn_status wn__lapack_run(wn__call *c, wn__lapack_job *j, int64_t batch);
wn_status wn__lapack_size(wn__call *c, const wn_tensor *t, int64_t n, int *to); /* n as int, or an error */
wn_status wn__lapack_work(wn__call *c, const wn__lapack_job *j, const void *query, int info, int *lwork); /* what a query of lwork = -1 answered */
static inline char *wn__take(char **room, size_t bytes) { /* the next piece of scratch memory */
    char *p = *room;
    *room += (bytes + 63) / 64 * 64;
    return p;
}
static inline size_t wn__piece(size_t n, size_t size) { return (n * size + 63) / 64 * 64; }
/* How far rows of n elements lie apart in scratch memory: whole lines of the cache, an odd number of them, so that what lies below one another
 * spreads over all its sets; short rows side by side. */
static inline int64_t wn__row_ld(int64_t n, size_t size) {
    const int64_t line = 64 / (int64_t)size;
    return n <= 2 * line ? (n > 1 ? n : 1) : ((n + line - 1) / line | 1) * line;
}
static inline size_t wn__rows_room(int rows, int cols, size_t size) { return wn__piece((size_t)rows * (size_t)wn__row_ld(cols, size), size); }
/* The same for columns, as LAPACK takes it: it walks along rows, too. */
static inline int wn__column_ld(int rows, size_t size) { return (int)wn__row_ld(rows, size); }
static inline size_t wn__columns_room(int rows, int cols, size_t size) { return wn__rows_room(cols, rows, size); }
static inline int wn__ld(int rows) { return rows > 1 ? rows : 1; }

/* Of at most WN__SMALL_MATRIX rows and columns, row by row (linalg_small.c), for f32 and f64: LAPACK's getrf, potrf (the upper triangle) and trsm. */
enum { WN__SMALL_MATRIX = 16 };
int wn__small_lu(wn_dtype t, int m, int n, void *a, int ld, int *pivots);
int wn__small_cholesky(wn_dtype t, int n, void *a, int ld);
void wn__small_triangle(wn_dtype t, wn__triangle a, int n, int nrhs, void *b, int64_t ldb);

/* On matrices in the job's dtype that lie row by row (linalg_blocked.c). b [n, nrhs] is overwritten by the solution. The factorisations
 * return LAPACK's info; of Cholesky's the upper triangle U with A = U^T U is read and written. */
void wn__solve_triangle(wn__lapack_job *j, wn__triangle t, int n, int nrhs, char *b, int64_t ldb);
int wn__factor_cholesky(wn__lapack_job *j, int n, char *a, int64_t ld);
int wn__factor_lu(wn__lapack_job *j, int m, int n, char *a, int64_t ld, int *pivots);
void wn__solve_lu(wn__lapack_job *j, char trans, int n, int nrhs, wn__matrix lu, const int *pivots, char *b, int64_t ldb);
/* A = P L U: U^-1 L^-1 into b. The inverse has its columns in another order: exchanged as the pivots say, columns being ldb apart. */
void wn__invert_lu(wn__lapack_job *j, int n, wn__matrix lu, char *b, int64_t ldb);
void wn__exchange_columns(const wn__lapack_job *j, int n, char *b, int64_t ldb, const int *pivots);

/* c = alpha a b + beta c, c [m, n] having consecutive rows or columns. */
void wn__matrix_product(wn__lapack_job *j, int64_t m, int64_t n, int64_t k, wn__matrix a, wn__matrix b, wn__matrix c, double alpha, double beta);

/* Q = H_0 H_1 ... with H_i = I - tau_i v_i v_i^T (linalg_reflect.c). v_i is column i of v [m, k] from row i on; its first element is 1 and is not
 * read, as what is above. v has consecutive rows or columns. */
typedef struct wn__reflectors {
    wn__matrix v;
    const char *tau;
    int m, k;
} wn__reflectors;
void wn__reflect(wn__lapack_job *j, const wn__reflectors *q, bool transposed, wn__matrix c, int cols); /* c = Q c or Q^T c */
void wn__form_q(wn__lapack_job *j, const wn__reflectors *q, char *c, int64_t ld, int cols);            /* Q's first columns into column-major c */
/* LAPACK's geqrf, column-major; work is for j->lwork elements of scratch. */
void wn__factor_qr(wn__lapack_job *j, int m, int n, char *a, int64_t ld, char *tau, char *work);

/* Factors matrix i of a into lu, whose rows are wn__row_ld apart; the factors (into x, where it is set), pivots and info (where set) are
 * written. a and x are turned. Returns the pivots. */
int *wn__lu_of(wn__lapack_job *j, int64_t i, char *lu, int *pivots);
size_t wn__lu_room(const wn__lapack_job *j); /* for lu and pivots */

/* The largest magnitude in a column-major matrix (in its lower triangle); infinite or NaN if an element is. */
double wn__largest_magnitude(const wn__lapack_job *j, int m, int n, const char *a, int64_t ld, bool lower);
/* Is it neither 0 nor so small or large that LAPACK would scale the matrix first? Then its steps may be taken one by one. */
bool wn__needs_no_scaling(const wn__lapack_job *j, double largest);

/* gelsy (with room for the order of n columns, which is 0 before) or gels of matrix i, of which a is a copy, from j->b to j->x, for matrices that are worth it
 * (linalg_lstsq_steps.c). Returns LAPACK's info. */
bool wn__lstsq_has_steps(const wn__lapack_job *j, bool pivoted);
size_t wn__lstsq_steps_room(const wn__lapack_job *j); /* besides j->lwork elements */
int wn__lstsq_steps(wn__lapack_job *j, int64_t i, char *a, int *order, int *rank, char *room);

/* Checks in torch's words; `name` is torch's ("linalg.solve"). */
wn_status wn__need_matrix(const char *name, const wn_tensor *t, const char *argument);
wn_status wn__need_square(const char *name, const wn_tensor *t, const char *argument);
wn_status wn__need_float(const char *name, const wn_tensor *t); /* float32 or float64 */
wn_status wn__need_same_dtype(const char *name, const wn_tensor *a, const wn_tensor *b);
/* The batch dimensions of two tensors, broadcast; -1 and an error when they do not fit. */
int wn__linalg_batch(const char *name, const wn_tensor *a, int core_a, const wn_tensor *b, int core_b, int64_t *batch);

typedef enum wn__linalg_kind { WN__IS_INV, WN__IS_SOLVE, WN__IS_CHOLESKY, WN__IS_EIG, WN__IS_SVD, WN__IS_LU, WN__IS_LSTSQ, WN__IS_LDL } wn__linalg_kind;
/* LinAlgError with torch's text for the first matrix whose info is not 0. */
wn_status wn__check_info(const char *name, wn__linalg_kind kind, const wn_tensor *info);
/* Runs over a batch of that shape and raises so what LAPACK says of its matrices. */
wn_status wn__lapack_run_checked(wn__call *c, wn__lapack_job *j, int nb, const int64_t *batch, const char *name, wn__linalg_kind kind);
static inline void wn__store_info(const wn__lapack_job *j, int64_t i, int info) { memcpy(wn__mat_at(&j->info, i), &info, sizeof info); }
wn_status wn__info_of_nothing(const wn_tensor *info); /* zeros: matrices without elements are as they should be */
void wn__identities(wn_tensor *t); /* fills a batch of matrices with zeros, and ones on their diagonals */

/* For composites and gradients. */
wn_tensor *wn__eye_like(const wn_tensor *square);      /* the identity of its dtype [n, n] */
bool wn__records(const wn__call *c, const wn_tensor *t);
#endif
