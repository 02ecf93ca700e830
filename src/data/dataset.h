/* Datasets: where samples come from. */
#ifndef WN_DATA_DATASET_H
#define WN_DATA_DATASET_H
#include "tensor/tensor.h"

/* Why a sample could not be had. */
typedef struct wn__misfortune {
    int64_t position; /* in the batch; < 0: nothing happened */
    wn_status code;
    char why[256];
} wn__misfortune;

/* A part that lies in memory: sample i begins at base + i * stride. */
typedef struct wn__rows {
    wn_tensor *tensor; /* owned: an alias, so that `.data =` on the original changes nothing here */
    const char *base;
    int64_t stride;  /* bytes */
    int64_t numel;   /* elements of a sample */
    const float *lut; /* NULL, or 256 floats: u8 elements become f32 */
    bool dense;      /* a sample is one run of bytes */
} wn__rows;

struct wn_dataset {
    _Atomic int32_t refs;
    int64_t count;
    int nparts;
    wn_dtype dtype[WN_MAX_PARTS];
    int ndim[WN_MAX_PARTS]; /* of a sample, at most WN_MAX_DIMS - 1 */
    int64_t shape[WN_MAX_PARTS][WN_MAX_DIMS];
    size_t bytes[WN_MAX_PARTS]; /* of a sample */
    wn_sample_fn get;           /* NULL: rows */
    void *ctx;
    void (*free_ctx)(void *ctx);
    wn__rows rows[WN_MAX_PARTS];
    float lut[256];
};

/* A zeroed dataset with one reference; NULL with an error record. */
wn_dataset *wn__dataset_make(const char *op);
wn_dataset *wn__dataset_retain(wn_dataset *d);
/* Sets dtype and shape of the next part; false with an error record if it cannot be. */
bool wn__dataset_part(wn_dataset *d, const char *op, wn_dtype dtype, int ndim, const int64_t *shape);
size_t wn__dataset_sample_bytes(const wn_dataset *d);

/* The seed of a sample, an order, ...: a well-mixed function of both. */
uint64_t wn__mix_seed(uint64_t a, uint64_t b);

/* Fills samples index[from .. to-1] into their places of the batch that begins at out[p]; stops early when *cancel turns
 * true. On failure *m tells the position in the batch. */
bool wn__dataset_fill(const wn_dataset *d, const int64_t *index, int64_t from, int64_t to, char *const *out, uint64_t seed,
                      const _Atomic bool *cancel, wn__misfortune *m);

/* rows.c */
void wn__rows_fill(const wn__rows *r, const int64_t *index, int64_t n, char *dst);
#endif
