/* What the rows of linear algebra share: batches of matrices, runs of LAPACK over them, the checks and torch's error texts. */
#ifndef WN_OPS_LINALG_H
#define WN_OPS_LINALG_H
#include "core/alloc.h"
#include "cpu/gemm.h"
#include "cpu/lapack.h"
#include "core/dispatch.h"

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
void wn__mat_load(const wn__mats *m, int64_t i, void *to, int ld);         /* column-major */
void wn__mat_store(const wn__mats *m, int64_t i, const void *from, int ld);

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
/* Finds LAPACK and sets lapack, dtype and size. */
wn_status wn__lapack_begin(wn__call *c, wn__lapack_job *j, const wn_tensor *like);
wn_status wn__lapack_run(wn__call *c, wn__lapack_job *j, int64_t batch);
wn_status wn__lapack_size(wn__call *c, const wn_tensor *t, int64_t n, int *to); /* n as int, or an error */
wn_status wn__lapack_work(wn__call *c, const wn__lapack_job *j, const void *query, int info, int *lwork); /* what a query of lwork = -1 answered */
static inline char *wn__take(char **room, size_t bytes) { /* the next piece of scratch memory */
    char *p = *room;
    *room += (bytes + 63) / 64 * 64;
    return p;
}
static inline size_t wn__piece(size_t n, size_t size) { return (n * size + 63) / 64 * 64; }
static inline int wn__ld(int rows) { return rows > 1 ? rows : 1; }

/* Of at most WN__SMALL_MATRIX rows and columns (linalg_small.c): LAPACK's getrf, potrf("L") and trsm("L") for f32 and f64. */
enum { WN__SMALL_MATRIX = 16 };
int wn__small_lu(wn_dtype t, int m, int n, void *a, int ld, int *pivots);
int wn__small_cholesky(wn_dtype t, int n, void *a, int ld);
void wn__small_triangle(wn_dtype t, char uplo, char trans, char diag, int n, int nrhs, const void *a, int lda, void *b, int ldb);

/* On column-major matrices in the job's dtype, by blocks (linalg_blocked.c). b [n, nrhs] is overwritten by the solution. The factorisations
 * return LAPACK's info; of Cholesky's the lower triangle is read and written. */
void wn__solve_triangle(wn__lapack_job *j, char uplo, char trans, char diag, int n, int nrhs, char *a, int lda, char *b, int ldb);
int wn__factor_cholesky(wn__lapack_job *j, int n, char *a, int ld);
int wn__factor_lu(wn__lapack_job *j, int m, int n, char *a, int ld, int *pivots);
void wn__solve_lu(wn__lapack_job *j, char trans, int n, int nrhs, char *lu, int ld, const int *pivots, char *b, int ldb);
void wn__invert_lu(wn__lapack_job *j, int n, char *lu, int ld, const int *pivots, char *b, int ldb); /* into b */

/* Factors matrix i of a into lu; the factors (into x, where it is set), pivots and info (where set) are written. Returns the pivots. */
int *wn__lu_of(wn__lapack_job *j, int64_t i, char *lu, int *pivots);
size_t wn__lu_room(const wn__lapack_job *j); /* for lu and pivots */

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

/* For composites and gradients. */
wn_tensor *wn__eye_like(const wn_tensor *square);      /* the identity of its dtype [n, n] */
wn_tensor *wn__half_diagonal(wn_tensor *square);       /* the diagonal times 1/2 */
bool wn__records(const wn__call *c, const wn_tensor *t);
#endif
