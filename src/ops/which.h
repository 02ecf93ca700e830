/* The constants in which rows of one function differ (.which in table/row.h). */
#ifndef WN_OPS_WHICH_H
#define WN_OPS_WHICH_H
#include "engine/reduction.h" /* wn__reduce_kind */

typedef enum wn__running { WN__RUN_MAX, WN__RUN_MIN, WN__RUN_LSE } wn__running; /* ops/reduce/cumulative.c */
typedef enum wn__scanning { WN__SCAN_SUM, WN__SCAN_PROD, WN__SCAN_LINEAR } wn__scanning; /* ops/reduce/scan.c */
typedef enum wn__determinant { WN__DET, WN__DET_LOG } wn__determinant; /* ops/linalg/linalg_det.c */
#endif
