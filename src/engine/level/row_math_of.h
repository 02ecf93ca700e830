/* Small functions of T: included by row_math.h behind as_f32.h or as_f64.h. */

/* floor(a / b) as Python and torch define it: from the exact remainder, so that 1.0 // 0.1 is 9. */
static inline T OF(wn__floor_quotient)(T a, T b, T mod) {
    T div = (a - mod) / b;
    div -= (T)((mod != 0) & ((b < 0) != (mod < 0)));
    T down = OF(wn__floor)(div);
    T near = div - down > (T)0.5 ? down + 1 : down;
    T zero = OF(wn__copysign)((T)0, a / b);
    return b == 0 ? a / b : div == 0 ? zero : near;
}
static inline T OF(wn__floor_divide)(T a, T b) { return OF(wn__floor_quotient)(a, b, OF(wn__fmod)(a, b)); }
static inline T OF(wn__floor_divide_near)(T a, T b) { return OF(wn__floor_quotient)(a, b, OF(wn__fmod_near)(a, b)); }
static inline int OF(wn__floor_divide_is_near)(T a, T b) { return OF(wn__fmod_is_near)(a, b); }

/* min(max(x, lo), hi), NaN where any of them is; apart, so that no selection waits for a branch of another */
static inline T OF(wn__clamp_range)(T x, T lo, T hi) {
    T y = x < lo ? lo : x, z = y > hi ? hi : y, nan = lo + hi;
    return __builtin_isunordered(lo, hi) ? nan : z;
}
