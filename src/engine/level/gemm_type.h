/* All templates for one type, and the table of what they make. Included behind as_f32.h or as_f64.h and the shuffles. */
#include "engine/level/gemm_tile.h"
#include "engine/level/gemm_part.h"
#include "engine/level/gemm_pack.h"
#include "engine/level/gemm_rows.h"
#include "engine/level/gemm_stencils.h"
#include "engine/level/gemm_vec.h"
#include "engine/level/gemm_place.h"
#include "engine/level/gemm_planes.h"
#ifdef DIRECT
#include "engine/level/gemm_direct.h"
#else
#define DIRECT NULL
#endif

static const wn__gemm_type OF(type) = {
    .mr = MR, .nr = 2 * LANES, .kc = 384, .depth = 1, .sweep = VEC_SWEEPS, .size = sizeof(T), .dtype = sizeof(T) == 4 ? WN_F32 : WN_F64,
    .tile = OF(tile), .tile_table = OF(tile_table), .tile_runs = OF(tile_runs), .dot_runs = OF(dot_runs),
    .pack = OF(pack), .pack_beside = OF(pack_beside), .load = OF(read), .store = OF(write), .add = OF(add),
    .pad_rows = OF(pad_rows), .pad_split = OF(pad_split), .store_rows = OF(store_rows), .stencil = OF(stencil), .direct = DIRECT,
    .plane = OF(plane), .plane_dots = OF(plane_dots), .zip_rows = OF(zip_rows), .vec_cols = OF(vec_cols), .vec_dots = OF(vec_dots),
    .place = OF(place), .pair_dots = OF(pair_dots)};

#undef DIRECT
#undef EVENS
#undef ODDS
#undef ZIP_LOW
#undef ZIP_HIGH
#undef HALVES_LOW
#undef HALVES_HIGH
#undef WITHIN_LOW
#undef WITHIN_HIGH
#undef TILE_MADD
