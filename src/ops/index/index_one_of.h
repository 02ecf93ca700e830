/* One element T of a walk over an index: included by the bodies of such walks. */

/* What becomes of the slices' element s and the table's. WN__IX_MAX: of bool, whose sum is an "or". */
INLINE void OF(one)(const wn__ix_mode m, T *s, T *at, T alpha) {
    switch (m) {
    case WN__IX_GATHER: *s = *at; break;
    case WN__IX_SCATTER: *at = *s; break;
    case WN__IX_ADD: *at = (T)(*at + *s * alpha); break;
    default: *at = *at || (*s && alpha);
    }
}

/* The factor of a sum. */
INLINE T OF(factor)(wn_val alpha) {
    if (alpha.kind == WN_VAL_NONE) return 1;
    return FLOATING ? (T)wn__val_f64(alpha) : (T)wn__val_i64(alpha);
}
