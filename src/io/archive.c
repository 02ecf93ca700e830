/* Archives: what a file of named tensors becomes in memory. */
#include "io/archive.h"

#include <stdlib.h>
#include "base/alloc.h"
#include "tensor/scope.h"

/* Room for one more: the new capacity, or 0 when there is no more. */
static int64_t grown(int64_t n, int64_t capacity) {
    if (n < capacity) return capacity;
    return capacity > INT64_MAX / 4 ? 0 : capacity ? capacity * 2 : 16;
}

wn__named *wn__archive_add(wn_archive *a) {
    int64_t capacity = grown(a->n, a->capacity);
    if (capacity != a->capacity) {
        wn__named *items = wn__realloc(a->items, (size_t)capacity, sizeof *items);
        if (!items) return NULL;
        a->items = items;
        a->capacity = capacity;
    }
    wn__named *item = &a->items[a->n++];
    memset(item, 0, sizeof *item);
    return item;
}

bool wn__archive_add_meta(wn_archive *a, const char *key, const char *value) {
    int64_t capacity = grown(a->nmeta, a->meta_capacity);
    if (capacity != a->meta_capacity) {
        const char **meta = wn__realloc(a->meta, (size_t)capacity, 2 * sizeof *meta);
        if (!meta) return false;
        a->meta = meta;
        a->meta_capacity = capacity;
    }
    a->meta[2 * a->nmeta] = key;
    a->meta[2 * a->nmeta + 1] = value;
    a->nmeta++;
    return true;
}

static int by_name(const void *a, const void *b) {
    const wn__named *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

bool wn__archive_index(wn_archive *a, const wn__named **twice) {
    *twice = NULL;
    if (a->n == 0) return true;
    a->by_name = wn__new(wn__named *, (size_t)a->n);
    if (!a->by_name) return false;
    for (int64_t i = 0; i < a->n; i++) a->by_name[i] = &a->items[i];
    qsort(a->by_name, (size_t)a->n, sizeof *a->by_name, by_name);
    for (int64_t i = 1; i < a->n; i++)
        if (strcmp(a->by_name[i - 1]->name, a->by_name[i]->name) == 0) *twice = a->by_name[i];
    return true;
}

/* ------------------------------------------------------------------ public */

void wn_archive_free(wn_archive *a) {
    if (!a) return;
    for (int64_t i = 0; i < a->n; i++) wn__release(a->items[i].tensor);
    wn__free(a->items);
    wn__free(a->by_name);
    wn__free(a->meta);
    wn__free(a->text);
    wn__free(a);
}

int64_t wn_archive_count(const wn_archive *a) { return a ? a->n : 0; }

const char *wn_archive_name(const wn_archive *a, int64_t i) {
    int64_t n = wn_archive_count(a), k = i < 0 ? i + n : i;
    return k >= 0 && k < n ? a->items[k].name : NULL;
}

static wn_tensor *lend(const wn__named *item) { return wn__lend(wn__self(), wn__retain(item->tensor)); }

wn_tensor *wn_archive_at(const wn_archive *a, int64_t i) {
    int64_t n = wn_archive_count(a), k = i < 0 ? i + n : i;
    if (k < 0 || k >= n)
        return wn__bad(WN_E_INDEX, "archive_at", "index %lld is out of range for a file of %lld tensors", (long long)i,
                       (long long)n);
    return lend(&a->items[k]);
}

wn_tensor *wn_archive_find(const wn_archive *a, const char *name) {
    int64_t low = 0, high = wn_archive_count(a);
    while (name && low < high) {
        int64_t mid = low + (high - low) / 2;
        int order = strcmp(name, a->by_name[mid]->name);
        if (order == 0) return lend(a->by_name[mid]);
        if (order < 0)
            high = mid;
        else
            low = mid + 1;
    }
    return NULL;
}

const char *wn_archive_metadata(const wn_archive *a, const char *key) {
    for (int64_t i = 0; a && key && i < a->nmeta; i++)
        if (strcmp(a->meta[2 * i], key) == 0) return a->meta[2 * i + 1];
    return NULL;
}

const char *wn_archive_metadata_at(const wn_archive *a, int64_t i, const char **value) {
    bool there = a && i >= 0 && i < a->nmeta;
    if (value) *value = there ? a->meta[2 * i + 1] : NULL;
    return there ? a->meta[2 * i] : NULL;
}
