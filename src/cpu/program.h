/* Kernel programs: a short list of row instructions over blocks of elements that stay in L1.
 *
 * The elements of `shape` are visited in row-major order in blocks of at most WN__BLOCK. Leaves are loaded (or used in place
 * when their memory already has the form), instructions run block by block, outputs are converted and stored. */
#ifndef WN_CPU_PROGRAM_H
#define WN_CPU_PROGRAM_H
#include "cpu/kernels.h"

enum { WN__BLOCK = 512, WN__MAX_LEAVES = 24, WN__MAX_INSTRS = 32, WN__MAX_OUTPUTS = 8, WN__MAX_SRC = 6 };

typedef struct wn__leaf {
    char *base;
    uint8_t dtype;
    uint8_t ct;          /* the compute type it is loaded as */
    bool constant;       /* base points to one value of compute type ct */
    int64_t strides[WN_MAX_DIMS]; /* bytes, one for each dimension of the program */
} wn__leaf;

typedef struct wn__instr {
    wn__kernel fn;
    uint8_t nsrc, ct; /* ct of the result */
    uint8_t src[WN__MAX_SRC]; /* registers: leaves first, then instructions */
} wn__instr;

typedef struct wn__output {
    wn__leaf to;
    uint8_t src;
} wn__output;

typedef struct wn__program {
    int ndim, nleaves, ninstrs, noutputs;
    int64_t numel;
    int64_t shape[WN_MAX_DIMS];
    int cost; /* rough tenths of ns an element, for the width of the parallel run */
    wn__leaf leaves[WN__MAX_LEAVES];
    wn__instr instrs[WN__MAX_INSTRS];
    wn__output outputs[WN__MAX_OUTPUTS];
} wn__program;

/* Runs p; it may be reordered and merged in its dimensions. False when scratch memory could not be had (nothing written). */
bool wn__program_run(wn__program *p);
#endif
