/* Archives: named tensors and metadata, as files hold them. */
#ifndef WN_IO_ARCHIVE_H
#define WN_IO_ARCHIVE_H
#include "tensor/tensor.h"

typedef struct wn__named {
    char *name;        /* lives in the archive's text */
    wn_tensor *tensor; /* owned */
    int64_t begin, end; /* safetensors: where its bytes lie */
    int64_t shape[WN_MAX_DIMS];
    int dtype, ndim;
    size_t declared_at; /* where its entry lies, for messages */
} wn__named;

struct wn_archive {
    char *text; /* the header, decoded in place: all names and metadata point into it */
    wn__named *items;
    int64_t n, capacity;
    wn__named **by_name; /* sorted */
    const char **meta;   /* key, value, key, value, ... */
    int64_t nmeta, meta_capacity; /* pairs */
};

/* A zeroed item at the end, or NULL when memory is short. Items move: keep indices. */
wn__named *wn__archive_add(wn_archive *a);
bool wn__archive_add_meta(wn_archive *a, const char *key, const char *value);
/* Builds the index of names. *twice is set to an item whose name occurs twice, if there is one. False: memory is short. */
bool wn__archive_index(wn_archive *a, const wn__named **twice);
#endif
