/* Polynomials by Horner's rule: WN__HORNER(F, x, c0, c1, ..., cn) = ((c0 x + c1) x + c2) ... + cn, with F(c, x, d) = c
 * x + d as the type's multiply-add; at most 35 coefficients, that of the highest power first. A macro, not a loop over
 * an array, so that it is one expression before anything around it is vectorised, at any -O. x is read at each step:
 * pass a name. */
#ifndef WN_MATH_HORNER_H
#define WN_MATH_HORNER_H

#define WN__HORNER(F, x, c, ...) WN__HORNER_OF(__VA_ARGS__, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, )(F, x, c, __VA_ARGS__)
#define WN__HORNER_OF(c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20, c21, c22, c23, c24, c25, c26, c27, c28, c29, c30, c31, c32, c33, c34, n, ...) WN__HORNER_##n

#define WN__HORNER_1(F, x, p, c) F(p, x, c)
#define WN__HORNER_2(F, x, p, c, ...) WN__HORNER_1(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_3(F, x, p, c, ...) WN__HORNER_2(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_4(F, x, p, c, ...) WN__HORNER_3(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_5(F, x, p, c, ...) WN__HORNER_4(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_6(F, x, p, c, ...) WN__HORNER_5(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_7(F, x, p, c, ...) WN__HORNER_6(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_8(F, x, p, c, ...) WN__HORNER_7(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_9(F, x, p, c, ...) WN__HORNER_8(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_10(F, x, p, c, ...) WN__HORNER_9(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_11(F, x, p, c, ...) WN__HORNER_10(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_12(F, x, p, c, ...) WN__HORNER_11(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_13(F, x, p, c, ...) WN__HORNER_12(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_14(F, x, p, c, ...) WN__HORNER_13(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_15(F, x, p, c, ...) WN__HORNER_14(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_16(F, x, p, c, ...) WN__HORNER_15(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_17(F, x, p, c, ...) WN__HORNER_16(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_18(F, x, p, c, ...) WN__HORNER_17(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_19(F, x, p, c, ...) WN__HORNER_18(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_20(F, x, p, c, ...) WN__HORNER_19(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_21(F, x, p, c, ...) WN__HORNER_20(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_22(F, x, p, c, ...) WN__HORNER_21(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_23(F, x, p, c, ...) WN__HORNER_22(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_24(F, x, p, c, ...) WN__HORNER_23(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_25(F, x, p, c, ...) WN__HORNER_24(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_26(F, x, p, c, ...) WN__HORNER_25(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_27(F, x, p, c, ...) WN__HORNER_26(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_28(F, x, p, c, ...) WN__HORNER_27(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_29(F, x, p, c, ...) WN__HORNER_28(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_30(F, x, p, c, ...) WN__HORNER_29(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_31(F, x, p, c, ...) WN__HORNER_30(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_32(F, x, p, c, ...) WN__HORNER_31(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_33(F, x, p, c, ...) WN__HORNER_32(F, x, F(p, x, c), __VA_ARGS__)
#define WN__HORNER_34(F, x, p, c, ...) WN__HORNER_33(F, x, F(p, x, c), __VA_ARGS__)
#endif
