/* The constants in which rows of one function differ (.which in table/row.h). */
#ifndef WN_OPS_WHICH_H
#define WN_OPS_WHICH_H
#include "engine/reduction.h" /* wn__reduce_kind */

typedef enum wn__running { WN__RUN_MAX, WN__RUN_MIN, WN__RUN_LSE } wn__running; /* ops/reduce/cumulative.c */
typedef enum wn__scanning { WN__SCAN_SUM, WN__SCAN_PROD, WN__SCAN_LINEAR } wn__scanning; /* ops/reduce/scan.c */
typedef enum wn__draw_kind {
    WN__DRAW_UNIFORM, WN__DRAW_NORMAL, WN__DRAW_INTEGERS, WN__DRAW_FROM_ON, WN__DRAW_ANY, WN__DRAW_BERNOULLI, WN__DRAW_EXPONENTIAL
} wn__draw_kind; /* ops/random/random.c */
typedef enum wn__softmax { WN__SOFTMAX, WN__SOFTMAX_LOG } wn__softmax; /* ops/norm/softmax.c */
typedef enum wn__determinant { WN__DET, WN__DET_LOG } wn__determinant; /* ops/linalg/linalg_det.c */
typedef enum wn__half { WN__UPPER, WN__LOWER } wn__half; /* ops/index/index_triangle.c, positions.c */
typedef enum wn__selecting { WN__KTH, WN__MEDIAN, WN__NANMEDIAN, WN__MODE } wn__selecting; /* ops/order/select.c */
typedef enum wn__splitting { WN__SPLIT_H, WN__SPLIT_V, WN__SPLIT_D } wn__splitting; /* ops/view/pieces.c */
typedef enum wn__taking { WN__TAKE_SELECT, WN__TAKE_SLICE, WN__TAKE_DIAGONAL } wn__taking; /* ops/view/split.c, pieces.c */
typedef enum wn__dropping { WN__DROP_ELEMENTS, WN__DROP_CHANNELS } wn__dropping; /* ops/spatial/spatial_layers.c */
typedef enum wn__lifting { WN__AT_LEAST_1, WN__AT_LEAST_2, WN__AT_LEAST_3, WN__AS_COLUMN } wn__lifting; /* ops/view/join.c */
typedef enum wn__rnn { WN__RNN_TANH, WN__RNN_RELU, WN__RNN_GRU, WN__RNN_LSTM } wn__rnn; /* ops/sequence/rnn.c */
#endif
