/* What the fuzzers of file formats share: the input as a file in memory, and no noise. */
#ifndef WN_FUZZ_FILE_H
#define WN_FUZZ_FILE_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "winnow.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The path of a file with these bytes. */
static const char *fuzz_path(const uint8_t *data, size_t size) {
    static char path[64];
    static int fd = -1;
    if (fd < 0) {
        wn_set_error_hook(NULL);
        fd = memfd_create("fuzz", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != (ssize_t)size) abort();
    return path;
}

/* A tensor that was accepted must be readable from end to end. */
static void fuzz_read(wn_tensor *t) {
    static uint8_t sink;
    const uint8_t *p = wn_data(t);
    int64_t n = wn_numel(t) * (int64_t)wn_dtype_size(wn_dtype_of(t));
    for (int64_t i = 0; i < n; i++) sink = (uint8_t)(sink ^ p[i]);
    if (wn_dtype_of(t) == WN_BOOL)
        for (int64_t i = 0; i < n; i++)
            if (p[i] > 1) abort();
}

/* Either it worked and nothing was reported, or it failed and the message names the file; nothing is left behind. */
static void fuzz_verdict(bool ok) {
    if (ok != (wn_error() == WN_OK)) abort();
    if (!ok && !strstr(wn_error_message(), "/proc/self/fd/") && wn_error() != WN_E_MEMORY) abort();
    wn_clear();
}

static inline void fuzz_archive(wn_archive *a) {
    for (int64_t i = 0; i < wn_archive_count(a); i++) {
        WN_SCOPE(s);
        wn_tensor *t = wn_archive_at(a, i);
        if (wn_archive_find(a, wn_archive_name(a, i)) != t) abort();
        fuzz_read(t);
    }
    fuzz_verdict(a != NULL);
    wn_archive_free(a);
    if (wn_get_stats().handles != 0) abort();
}

static inline void fuzz_tensor(wn_tensor *t) {
    if (wn_ok(t)) fuzz_read(t);
    fuzz_verdict(wn_ok(t));
}
#endif
