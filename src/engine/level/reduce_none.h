/* Ends what reduce_kernels.c defined before reduce_float_of.h for one type. No include guard. */
#undef PER_VECTOR
#undef LOADED
#undef STORED
#undef VECTORS
#undef ONE_MAX
#undef ONE_MIN
#undef V_MAX
#undef V_MIN
#undef V_SEEN
#undef V_SEE
#undef V_ANY_SEEN
#undef V_MARK
#undef V_PART
#undef V_RANGE
