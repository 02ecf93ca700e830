/* All templates for one type, and the table of what they make. Included behind T, NAME, LANES and the shuffles. */
#include "engine/level/gemm_tile.h"
#include "engine/level/gemm_part.h"
#include "engine/level/gemm_pack.h"
#include "engine/level/gemm_rows.h"
#include "engine/level/gemm_stencils.h"
#include "engine/level/gemm_vec.h"
#include "engine/level/gemm_place.h"
#include "engine/level/gemm_planes.h"
#if BYTES == 32 && LANES == 8
#include "engine/level/gemm_direct.h"
#define DIRECT f32_direct
#else
#define DIRECT NULL
#endif

static const wn__gemm_type NAME(type) = {
    .mr = MR, .nr = 2 * LANES, .kc = 384, .depth = 1, .sweep = VEC_SWEEPS, .size = sizeof(T), .dtype = sizeof(T) == 4 ? WN_F32 : WN_F64,
    .tile = NAME(tile), .tile_table = NAME(tile_table), .tile_runs = NAME(tile_runs), .dot_runs = NAME(dot_runs),
    .pack = NAME(pack), .pack_beside = NAME(pack_beside), .load = NAME(load), .store = NAME(store), .add = NAME(add),
    .pad_rows = NAME(pad_rows), .pad_split = NAME(pad_split), .store_rows = NAME(store_rows), .stencil = NAME(stencil), .direct = DIRECT,
    .plane = NAME(plane), .plane_dots = NAME(plane_dots), .zip_rows = NAME(zip_rows), .vec_cols = NAME(vec_cols), .vec_dots = NAME(vec_dots),
    .place = NAME(place), .pair_dots = NAME(pair_dots)};

#undef DIRECT
#undef T
#undef NAME
#undef LANES
#undef EVENS
#undef ODDS
#undef ZIP_LOW
#undef ZIP_HIGH
#undef HALVES_LOW
#undef HALVES_HIGH
#undef WITHIN_LOW
#undef WITHIN_HIGH
#undef TILE_MADD
