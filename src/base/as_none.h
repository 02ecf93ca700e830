/* Undefines what as_f32.h and the other as_ files define; each of them begins with this one. No include guard. */
#undef T
#undef I
#undef OF
#undef V
#undef VN
#undef LIBM
#undef FLOATING
