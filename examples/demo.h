/* What the training demos share: options, the clock, and their data. */
#ifndef EXAMPLES_DEMO_H
#define EXAMPLES_DEMO_H
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "winnow.h"

#ifndef WN_SOURCE_DIR
#define WN_SOURCE_DIR "."
#endif

/* ------------------------------------------------------------------ options: --name value */

static inline const char *text_option(int argc, char **argv, const char *name, const char *fallback) {
    for (int i = 1; i + 1 < argc; i += 2)
        if (!strcmp(argv[i], name)) fallback = argv[i + 1]; /* the last one counts */
    return fallback;
}
/* A number of at least `least`. */
static inline long option(int argc, char **argv, const char *name, long least, long fallback) {
    const char *text = text_option(argc, argv, name, NULL);
    if (!text) return fallback;
    char *end;
    const long v = strtol(text, &end, 10);
    if (end == text || *end || v < least || v > INT_MAX) {
        fprintf(stderr, "%s wants a number from %ld to %d, not '%s'\n", name, least, INT_MAX, text);
        exit(2);
    }
    return v;
}
/* Ends the program with its usage unless all options are among the known ones: "--epochs N", "--data DIR", ..., NULL. */
static inline void check_options(int argc, char **argv, const char *const *known) {
    for (int i = 1; i < argc; i += 2) {
        bool ok = false;
        for (const char *const *k = known; *k; k++) ok |= !strncmp(argv[i], *k, strcspn(*k, " ")) && strlen(argv[i]) == strcspn(*k, " ");
        if (ok && i + 1 < argc) continue;
        fprintf(stderr, "usage: %s", argv[0]);
        for (const char *const *k = known; *k; k++) fprintf(stderr, " [%s]", *k);
        fprintf(stderr, "\n");
        exit(2);
    }
}

/* The folder for results, made where it is missing. Ends the program now rather than after the training if nothing can be written there. */
static inline const char *out_option(int argc, char **argv) {
    const char *out = text_option(argc, argv, "--out", "build");
    if ((mkdir(out, 0777) && errno != EEXIST) || access(out, W_OK | X_OK)) perror(out), exit(1);
    return out;
}

static inline double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ------------------------------------------------------------------ images */

/* Small grey images with labels: floats [1, side, side], (value / 255 - mean) / std. */
typedef struct image_set {
    wn_dataset *train, *test;
    int64_t side;
} image_set;

/* Fashion-MNIST from dir; where that is not, the small set of hand-written digits that comes with winnow. */
static inline image_set open_images(const char *dir, double mean, double std) {
    char path[2][PATH_MAX];
    const char *names[2] = {"train", "t10k"};
    image_set set = {0};
    snprintf(path[0], sizeof path[0], "%s/train-images-idx3-ubyte.gz", dir);
    if (access(path[0], R_OK)) {
        printf("%s holds no Fashion-MNIST (Debian's package dataset-fashion-mnist): using the small digits set\n", dir);
        dir = WN_SOURCE_DIR "/examples/data";
        names[0] = "digits-train";
        names[1] = "digits-test";
    }
    for (int part = 0; part < 2; part++) {
        snprintf(path[0], sizeof path[0], "%s/%s-images-idx3-ubyte.gz", dir, names[part]);
        snprintf(path[1], sizeof path[1], "%s/%s-labels-idx1-ubyte.gz", dir, names[part]);
        *(part ? &set.test : &set.train) = wn_idx_dataset(path[0], path[1], .floats = true, .mean = mean, .std = std, .channel = true);
    }
    set.side = wn_size(wn_at(wn_dataset_at(set.train, 0), 0), -1);
    return set;
}
static inline void close_images(image_set set) {
    wn_dataset_free(set.train);
    wn_dataset_free(set.test);
}
#endif
