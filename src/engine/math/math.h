/* The mathematics of the pointwise rows: one inline function per name and type, wn__<name>_f32 and wn__<name>_f64 (names.h
 * lists them). A loop `for (i < n) o[i] = wn__exp_f32(a[i])` becomes vector code with gcc 12 and clang 14 under
 *   -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math
 * on SSE2, AVX2, AVX-512 and aarch64, and its scalar remainder gives the same bits, because nothing branches and nothing
 * calls libm. Not vectorised: fmod, remainder; and by gcc on plain SSE2 the f64 forms of sinc, atanh and erfinv and both of digamma
 * (below 0).
 *
 * Errors are at most 2 ulp (tests/test_math.c, at every level; most are below 1.3), for every
 * argument, on every level: code must be right with explicit fma and without. Special values are those of C99 Annex F, where C has the function.
 *
 * The polynomials are our own minimax fits (Remez, weighted for relative error of the result, 50 digits).
 *
 * Not included here, since only the rows use them: bessel_j.h, igamma.h, polynomial.h, quantile.h, zeta.h (blocks,
 * lanes.h).
 *
 * Include as "engine/math/math.h" with -Isrc; never put this folder itself on the include path (math.h). */
#ifndef WN_ENGINE_MATH_MATH_H
#define WN_ENGINE_MATH_MATH_H
#include "engine/math/act.h"
#include "engine/math/airy.h"
#include "engine/math/atrig.h"
#include "engine/math/base.h"
#include "engine/math/bessel_i.h"
#include "engine/math/divide.h"
#include "engine/math/erf.h"
#include "engine/math/erfinv.h"
#include "engine/math/exp.h"
#include "engine/math/fmod.h"
#include "engine/math/gamma.h"
#include "engine/math/hyper.h"
#include "engine/math/log.h"
#include "engine/math/logit.h"
#include "engine/math/normal.h"
#include "engine/math/pair.h"
#include "engine/math/pow.h"
#include "engine/math/round.h"
#include "engine/math/trig.h"
#endif
