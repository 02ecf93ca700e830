/* Ends what as_f32.h and its kin began. No include guard. */
#undef T
#undef I
#undef OF
#undef V
#undef VN
#undef LIBM
#undef FLOATING
