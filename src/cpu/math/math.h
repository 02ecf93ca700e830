/* The mathematics of the pointwise rows: one inline function per name and type. */
#ifndef WN_CPU_MATH_H
#define WN_CPU_MATH_H
#include "base.h"
#include "exp.h"
#include "log.h"
#include "act.h"
#include "atrig.h"
#include "erf.h"
#include "erfinv.h"
#include "fmod.h"
#include "gamma.h"
#include "hyper.h"
#include "pair.h"
#include "pow.h"
#include "round.h"
#include "trig.h"
#endif
