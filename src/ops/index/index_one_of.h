/* One element T of a walk over an index: included by the bodies of such walks. */

/* y if `take` is 1, x if it is 0, without a branch: which of two numbers is larger cannot be guessed. */
INLINE T OF(choose)(int take, T y, T x) {
    I a, b;
    memcpy(&a, &x, sizeof a);
    memcpy(&b, &y, sizeof b);
    a = (I)(a ^ ((a ^ b) & (I)-take));
    memcpy(&x, &a, sizeof x);
    return x;
}

/* What becomes of the table's element x, with y from the slices. Of extremes a new NaN comes in, an old one stays: it compares false. The sum
 * of bool, an "or", is the larger one, too. */
INLINE T OF(folded)(const wn__ix_mode m, T x, T y, T alpha) {
    switch (m) {
    case WN__IX_ADD: return (T)(x + y * alpha);
    case WN__IX_MUL: return (T)(x * y);
    case WN__IX_MIN: return OF(choose)((y < x) | IS_NAN(y), y, x);
    case WN__IX_MAX: y = (T)(y * alpha); return OF(choose)((y > x) | IS_NAN(y), y, x);
    default: return y;
    }
}
/* s is the slices' element, at the table's. */
INLINE void OF(one)(const wn__ix_mode m, T *s, T *at, T alpha) {
    if (m == WN__IX_GATHER) *s = *at;
    else *at = OF(folded)(m, *at, *s, alpha);
}

/* The factor of a sum. */
INLINE T OF(factor)(wn_val alpha) {
    if (alpha.kind == WN_VAL_NONE) return 1;
    return FLOATING ? (T)wn__val_f64(alpha) : (T)wn__val_i64(alpha);
}
