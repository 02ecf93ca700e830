/* Recurrent cells, for each type (rnn_of.h). */
#include "base/inline.h"
#include "engine/level/this_level.h"
#include "engine/math/math.h"
#include "engine/rnn_kernels.h"

#include "base/as_f32.h"
#include "engine/level/rnn_of.h"
#include "base/as_f64.h"
#include "engine/level/rnn_of.h"
#include "base/as_none.h"

extern const wn__rnn_kernels WN_AT_LEVEL(wn__rnn_kernels);
const wn__rnn_kernels WN_AT_LEVEL(wn__rnn_kernels) = {{plain_f32, plain_back_f32, lstm_f32, lstm_back_f32, gru_f32, gru_back_f32, add_f32},
                                                      {plain_f64, plain_back_f64, lstm_f64, lstm_back_f64, gru_f64, gru_back_f64, add_f64}};
