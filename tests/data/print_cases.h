/* What PyTorch 2.13 (CPU) prints. Values fill memory in order, over and over, plus step times the element's number.
 * Made by a script that calls repr; do not edit. */
static const print_case print_cases[] = {
    {.dtype = WN_F32, .ndim = 0, .nvalues = 1, .f = (const double[]){1.5},
     .expected = "tensor(1.5000)"},
    {.dtype = WN_F64, .ndim = 0, .nvalues = 1, .f = (const double[]){1.5},
     .expected = "tensor(1.5000, dtype=torch.float64)"},
    {.dtype = WN_F16, .ndim = 0, .nvalues = 1, .f = (const double[]){1.5},
     .expected = "tensor(1.5000, dtype=torch.float16)"},
    {.dtype = WN_BF16, .ndim = 0, .nvalues = 1, .f = (const double[]){1.5},
     .expected = "tensor(1.5000, dtype=torch.bfloat16)"},
    {.dtype = WN_I8, .ndim = 0, .nvalues = 1, .i = (const int64_t[]){42},
     .expected = "tensor(42, dtype=torch.int8)"},
    {.dtype = WN_I16, .ndim = 0, .nvalues = 1, .i = (const int64_t[]){42},
     .expected = "tensor(42, dtype=torch.int16)"},
    {.dtype = WN_I32, .ndim = 0, .nvalues = 1, .i = (const int64_t[]){42},
     .expected = "tensor(42, dtype=torch.int32)"},
    {.dtype = WN_I64, .ndim = 0, .nvalues = 1, .i = (const int64_t[]){42},
     .expected = "tensor(42)"},
    {.dtype = WN_U8, .ndim = 0, .nvalues = 1, .i = (const int64_t[]){42},
     .expected = "tensor(42, dtype=torch.uint8)"},
    {.dtype = WN_BOOL, .ndim = 0, .nvalues = 1, .i = (const int64_t[]){1},
     .expected = "tensor(True)"},
    {.dtype = WN_BOOL, .ndim = 0, .nvalues = 1, .i = (const int64_t[]){0},
     .expected = "tensor(False)"},
    {.dtype = WN_F32, .ndim = 0, .nvalues = 1, .f = (const double[]){0},
     .expected = "tensor(0.)"},
    {.dtype = WN_F32, .ndim = 0, .nvalues = 1, .f = (const double[]){-0.0},
     .expected = "tensor(-0.)"},
    {.dtype = WN_F32, .ndim = 0, .nvalues = 1, .f = (const double[]){1},
     .expected = "tensor(1.)"},
    {.dtype = WN_F32, .ndim = 0, .nvalues = 1, .f = (const double[]){-1},
     .expected = "tensor(-1.)"},
    {.dtype = WN_F32, .ndim = 0, .nvalues = 1, .f = (const double[]){NAN},
     .expected = "tensor(nan)"},
    {.dtype = WN_F32, .ndim = 0, .nvalues = 1, .f = (const double[]){-NAN},
     .expected = "tensor(nan)"},
    {.dtype = WN_F32, .ndim = 0, .nvalues = 1, .f = (const double[]){INFINITY},
     .expected = "tensor(inf)"},
    {.dtype = WN_F32, .ndim = 0, .nvalues = 1, .f = (const double[]){-INFINITY},
     .expected = "tensor(-inf)"},
    {.dtype = WN_F32, .ndim = 0, .nvalues = 1, .f = (const double[]){0x1.4f8b58p-17},
     .expected = "tensor(1.0000e-05)"},
    {.dtype = WN_F32, .ndim = 0, .nvalues = 1, .f = (const double[]){1e+09},
     .expected = "tensor(1.0000e+09)"},
    {.dtype = WN_F32, .ndim = 0, .nvalues = 1, .f = (const double[]){1e+08},
     .expected = "tensor(100000000.)"},
    {.dtype = WN_F32, .ndim = 0, .nvalues = 1, .f = (const double[]){1e+08},
     .expected = "tensor(100000000.)"},
    {.dtype = WN_F32, .ndim = 0, .nvalues = 1, .f = (const double[]){0x1.e240cap16},
     .expected = "tensor(123456.7891)"},
    {.dtype = WN_F32, .ndim = 0, .nvalues = 1, .f = (const double[]){0x1.a36e2ep-14},
     .expected = "tensor(1.0000e-04)"},
    {.dtype = WN_F32, .ndim = 0, .nvalues = 1, .f = (const double[]){0x1.a36372p-14},
     .expected = "tensor(9.9990e-05)"},
    {.dtype = WN_F32, .ndim = 0, .nvalues = 1, .f = (const double[]){0x1.ff933cp127},
     .expected = "tensor(3.4000e+38)"},
    {.dtype = WN_F32, .ndim = 0, .nvalues = 1, .f = (const double[]){0x1p-149},
     .expected = "tensor(1.4013e-45)"},
    {.dtype = WN_F64, .ndim = 0, .nvalues = 1, .f = (const double[]){1e-320},
     .expected = "tensor(9.9999e-321, dtype=torch.float64)"},
    {.dtype = WN_F64, .ndim = 0, .nvalues = 1, .f = (const double[]){1e+308},
     .expected = "tensor(1.0000e+308, dtype=torch.float64)"},
    {.dtype = WN_F64, .ndim = 0, .nvalues = 1, .f = (const double[]){5e-324},
     .expected = "tensor(4.9407e-324, dtype=torch.float64)"},
    {.dtype = WN_F64, .ndim = 0, .nvalues = 1, .f = (const double[]){0x1.921fb54442d18p1},
     .expected = "tensor(3.1416, dtype=torch.float64)"},
    {.dtype = WN_F64, .ndim = 0, .nvalues = 1, .f = (const double[]){0x1p53},
     .expected = "tensor(9.0072e+15, dtype=torch.float64)"},
    {.dtype = WN_F32, .ndim = 1, .shape = {4}, .nvalues = 4, .f = (const double[]){1, 2, 3, 4},
     .expected = "tensor([1., 2., 3., 4.])"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 2}, .nvalues = 4, .f = (const double[]){1, 2, 3, 4},
     .expected = "tensor([[1., 2.],\n"
                 "        [3., 4.]])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {5}, .nvalues = 5,
     .f = (const double[]){0x1.99999ap-4, -0.25, 0x1.921fap1, 0, 100.5},
     .expected = "tensor([ 1.0000e-01, -2.5000e-01,  3.1416e+00,  0.0000e+00,  1.0050e+02])"},
    {.dtype = WN_F64, .ndim = 1, .shape = {5}, .nvalues = 5, .f = (const double[]){0.1, -0.25, 3.14159, 0, 100.5},
     .expected = "tensor([ 1.0000e-01, -2.5000e-01,  3.1416e+00,  0.0000e+00,  1.0050e+02],\n"
                 "       dtype=torch.float64)"},
    {.dtype = WN_F16, .ndim = 1, .shape = {5}, .nvalues = 5,
     .f = (const double[]){0x1.998p-4, -0.25, 3.140625, 0, 100.5},
     .expected = "tensor([ 9.9976e-02, -2.5000e-01,  3.1406e+00,  0.0000e+00,  1.0050e+02],\n"
                 "       dtype=torch.float16)"},
    {.dtype = WN_BF16, .ndim = 1, .shape = {5}, .nvalues = 5,
     .f = (const double[]){0x1.9ap-4, -0.25, 3.140625, 0, 100.5},
     .expected = "tensor([ 1.0010e-01, -2.5000e-01,  3.1406e+00,  0.0000e+00,  1.0050e+02],\n"
                 "       dtype=torch.bfloat16)"},
    {.dtype = WN_I8, .ndim = 1, .shape = {5}, .nvalues = 5, .i = (const int64_t[]){0, 1, 100, 7, 127},
     .expected = "tensor([  0,   1, 100,   7, 127], dtype=torch.int8)"},
    {.dtype = WN_I16, .ndim = 1, .shape = {5}, .nvalues = 5, .i = (const int64_t[]){0, 1, 100, 7, 127},
     .expected = "tensor([  0,   1, 100,   7, 127], dtype=torch.int16)"},
    {.dtype = WN_I32, .ndim = 1, .shape = {5}, .nvalues = 5, .i = (const int64_t[]){0, 1, 100, 7, 127},
     .expected = "tensor([  0,   1, 100,   7, 127], dtype=torch.int32)"},
    {.dtype = WN_I64, .ndim = 1, .shape = {5}, .nvalues = 5, .i = (const int64_t[]){0, 1, 100, 7, 127},
     .expected = "tensor([  0,   1, 100,   7, 127])"},
    {.dtype = WN_U8, .ndim = 1, .shape = {5}, .nvalues = 5, .i = (const int64_t[]){0, 1, 100, 7, 127},
     .expected = "tensor([  0,   1, 100,   7, 127], dtype=torch.uint8)"},
    {.dtype = WN_I8, .ndim = 1, .shape = {3}, .nvalues = 3, .i = (const int64_t[]){-1, 10, -100},
     .expected = "tensor([  -1,   10, -100], dtype=torch.int8)"},
    {.dtype = WN_I16, .ndim = 1, .shape = {3}, .nvalues = 3, .i = (const int64_t[]){-1, 10, -100},
     .expected = "tensor([  -1,   10, -100], dtype=torch.int16)"},
    {.dtype = WN_I32, .ndim = 1, .shape = {3}, .nvalues = 3, .i = (const int64_t[]){-1, 10, -100},
     .expected = "tensor([  -1,   10, -100], dtype=torch.int32)"},
    {.dtype = WN_I64, .ndim = 1, .shape = {3}, .nvalues = 3, .i = (const int64_t[]){-1, 10, -100},
     .expected = "tensor([  -1,   10, -100])"},
    {.dtype = WN_I8, .ndim = 1, .shape = {2}, .nvalues = 2, .i = (const int64_t[]){-128, 127},
     .expected = "tensor([-128,  127], dtype=torch.int8)"},
    {.dtype = WN_I16, .ndim = 1, .shape = {2}, .nvalues = 2, .i = (const int64_t[]){-32768, 32767},
     .expected = "tensor([-32768,  32767], dtype=torch.int16)"},
    {.dtype = WN_I32, .ndim = 1, .shape = {2}, .nvalues = 2,
     .i = (const int64_t[]){INT64_C(-2147483648), 2147483647},
     .expected = "tensor([-2147483648,  2147483647], dtype=torch.int32)"},
    {.dtype = WN_I64, .ndim = 1, .shape = {3}, .nvalues = 3,
     .i = (const int64_t[]){INT64_MIN, INT64_C(9223372036854775807), 0},
     .expected = "tensor([-9223372036854775808,  9223372036854775807,                    0])"},
    {.dtype = WN_U8, .ndim = 1, .shape = {3}, .nvalues = 3, .i = (const int64_t[]){0, 255, 128},
     .expected = "tensor([  0, 255, 128], dtype=torch.uint8)"},
    {.dtype = WN_BOOL, .ndim = 1, .shape = {3}, .nvalues = 3, .i = (const int64_t[]){1, 0, 1},
     .expected = "tensor([ True, False,  True])"},
    {.dtype = WN_BOOL, .ndim = 2, .shape = {2, 2}, .nvalues = 4, .i = (const int64_t[]){1, 1, 1, 1},
     .expected = "tensor([[True, True],\n"
                 "        [True, True]])"},
    {.dtype = WN_BOOL, .ndim = 1, .shape = {40}, .nvalues = 3, .i = (const int64_t[]){0, 1, 1},
     .expected = "tensor([False,  True,  True, False,  True,  True, False,  True,  True, False,\n"
                 "         True,  True, False,  True,  True, False,  True,  True, False,  True,\n"
                 "         True, False,  True,  True, False,  True,  True, False,  True,  True,\n"
                 "        False,  True,  True, False,  True,  True, False,  True,  True, False])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {2}, .nvalues = 2, .f = (const double[]){1, 1000},
     .expected = "tensor([   1., 1000.])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {2}, .nvalues = 2, .f = (const double[]){1, 1001},
     .expected = "tensor([1.0000e+00, 1.0010e+03])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {2}, .nvalues = 2, .f = (const double[]){0.5, 500},
     .expected = "tensor([  0.5000, 500.0000])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {2}, .nvalues = 2, .f = (const double[]){0.5, 501},
     .expected = "tensor([5.0000e-01, 5.0100e+02])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {2}, .nvalues = 2, .f = (const double[]){0x1.99999ap-4, 100},
     .expected = "tensor([  0.1000, 100.0000])"},
    {.dtype = WN_F64, .ndim = 1, .shape = {2}, .nvalues = 2, .f = (const double[]){0.1, 100},
     .expected = "tensor([  0.1000, 100.0000], dtype=torch.float64)"},
    {.dtype = WN_F32, .ndim = 1, .shape = {2}, .nvalues = 2, .f = (const double[]){1e+08, 1e+08},
     .expected = "tensor([100000000., 100000000.])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {2}, .nvalues = 2, .f = (const double[]){1e+08, 2e+08},
     .expected = "tensor([1.0000e+08, 2.0000e+08])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {2}, .nvalues = 2, .f = (const double[]){1.5e+08, 1e+08},
     .expected = "tensor([1.5000e+08, 1.0000e+08])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {2}, .nvalues = 2, .f = (const double[]){0x1.a36e2ep-14, 0x1.a36e2ep-14},
     .expected = "tensor([1.0000e-04, 1.0000e-04])"},
    {.dtype = WN_F64, .ndim = 1, .shape = {2}, .nvalues = 2, .f = (const double[]){0.0001, 0.0002},
     .expected = "tensor([0.0001, 0.0002], dtype=torch.float64)"},
    {.dtype = WN_F64, .ndim = 1, .shape = {2}, .nvalues = 2, .f = (const double[]){9.9e-05, 0.0002},
     .expected = "tensor([9.9000e-05, 2.0000e-04], dtype=torch.float64)"},
    {.dtype = WN_F32, .ndim = 1, .shape = {3}, .nvalues = 3,
     .f = (const double[]){0, 0x1.4f8b58p-17, -0x1.4f8b58p-17},
     .expected = "tensor([ 0.0000e+00,  1.0000e-05, -1.0000e-05])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {4}, .nvalues = 4, .f = (const double[]){0, -0.0, 1e+10, -1e+10},
     .expected = "tensor([ 0.0000e+00, -0.0000e+00,  1.0000e+10, -1.0000e+10])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {3}, .nvalues = 3, .f = (const double[]){0x1.4484cp-100, 0x1.93e594p99, 5},
     .expected = "tensor([1.0000e-30, 1.0000e+30, 5.0000e+00])"},
    {.dtype = WN_F64, .ndim = 1, .shape = {3}, .nvalues = 3, .f = (const double[]){1e-300, 1e+300, -1},
     .expected = "tensor([1.0000e-300, 1.0000e+300, -1.0000e+00], dtype=torch.float64)"},
    {.dtype = WN_F16, .ndim = 1, .shape = {3}, .nvalues = 3, .f = (const double[]){0x1p-24, 65504, -1},
     .expected = "tensor([ 5.9605e-08,  6.5504e+04, -1.0000e+00], dtype=torch.float16)"},
    {.dtype = WN_BF16, .ndim = 1, .shape = {2}, .nvalues = 2, .f = (const double[]){0x1.c4p127, 0x1.b4p-127},
     .expected = "tensor([3.0041e+38, 1.0010e-38], dtype=torch.bfloat16)"},
    {.dtype = WN_F32, .ndim = 1, .shape = {4}, .nvalues = 4, .f = (const double[]){0, 0, 0, 0},
     .expected = "tensor([0., 0., 0., 0.])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {2}, .nvalues = 2, .f = (const double[]){-0.0, 0},
     .expected = "tensor([-0., 0.])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {3}, .nvalues = 3, .f = (const double[]){-0.0, 0.5, -0.5},
     .expected = "tensor([-0.0000,  0.5000, -0.5000])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {3}, .nvalues = 3, .f = (const double[]){1, 2.5, -3},
     .expected = "tensor([ 1.0000,  2.5000, -3.0000])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {3}, .nvalues = 3, .f = (const double[]){NAN, 1, 2},
     .expected = "tensor([nan, 1., 2.])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {3}, .nvalues = 3, .f = (const double[]){NAN, INFINITY, -INFINITY},
     .expected = "tensor([nan, inf, -inf])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {3}, .nvalues = 3, .f = (const double[]){NAN, 1.5, -INFINITY},
     .expected = "tensor([   nan, 1.5000,   -inf])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {4}, .nvalues = 4, .f = (const double[]){INFINITY, 1e+10, -NAN, 2},
     .expected = "tensor([       inf, 1.0000e+10,        nan, 2.0000e+00])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {3}, .nvalues = 3, .f = (const double[]){-INFINITY, 10, -10},
     .expected = "tensor([-inf,  10., -10.])"},
    {.dtype = WN_F16, .ndim = 1, .shape = {3}, .nvalues = 3, .f = (const double[]){NAN, INFINITY, -1.25},
     .expected = "tensor([    nan,     inf, -1.2500], dtype=torch.float16)"},
    {.dtype = WN_BF16, .ndim = 1, .shape = {3}, .nvalues = 3, .f = (const double[]){-INFINITY, 0x1.dcp29, 2},
     .expected = "tensor([      -inf, 9.9824e+08, 2.0000e+00], dtype=torch.bfloat16)"},
    {.dtype = WN_F64, .ndim = 1, .shape = {4}, .nvalues = 4, .f = (const double[]){NAN, -0.0, 0, INFINITY},
     .expected = "tensor([nan, -0., 0., inf], dtype=torch.float64)"},
    {.dtype = WN_F32, .ndim = 1, .shape = {3}, .nvalues = 3,
     .f = (const double[]){0x1.a36e2ep-15, 0x1.3a92a4p-13, 0x1.0624dep-12},
     .expected = "tensor([5.0000e-05, 1.5000e-04, 2.5000e-04])"},
    {.dtype = WN_F64, .ndim = 1, .shape = {4}, .nvalues = 4, .f = (const double[]){0.00015, 0.12345, 0.00025, 2.5},
     .expected = "tensor([1.5000e-04, 1.2345e-01, 2.5000e-04, 2.5000e+00], dtype=torch.float64)"},
    {.dtype = WN_F64, .ndim = 1, .shape = {3}, .nvalues = 3, .f = (const double[]){5e-05, 0.5, 1.5},
     .expected = "tensor([5.0000e-05, 5.0000e-01, 1.5000e+00], dtype=torch.float64)"},
    {.dtype = WN_F32, .ndim = 1, .shape = {2}, .nvalues = 2, .f = (const double[]){0x1.3fff98p3, 0x1.3fff82p3},
     .expected = "tensor([10.0000,  9.9999])"},
    {.dtype = WN_F64, .ndim = 1, .shape = {2}, .nvalues = 2,
     .f = (const double[]){0x1.869fffff583a5p16, 0x1.81cd6e685db77p13},
     .expected = "tensor([100000.0000,  12345.6789], dtype=torch.float64)"},
    {.dtype = WN_F32, .ndim = 1, .shape = {2}, .nvalues = 2, .f = (const double[]){-99999.5, 100.5},
     .expected = "tensor([-99999.5000,    100.5000])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {30}, .nvalues = 30,
     .f = (const double[]){-0x1.06057cp-2, 0x1.05da5ap-1, -0x1.cf0b82p-3, -0x1.42a14cp-2, -0x1.dc2b58p-1, -0x1.b4d7a6p-3, 0x1.1ca69ep0,
         0x1.b25382p-2, 0x1.0970e8p0, 0x1.fdc0b6p-3, 0x1.943e7ep-2, 0x1.7b8c8cp-3, -0x1.aa8312p0, 0x1.b5e374p-1,
         0x1.0344ep-1, 0x1.feca28p-2, -0x1.b0fd44p0, -0x1.be6f74p0, -0x1.c77baap-1, -0x1.df6d02p-2, 0x1.38c6d6p-2,
         -0x1.781bep-5, 0x1.0abd38p-1, -0x1.48d2fep-1, 0x1.3c1caep-2, 0x1.939d3cp-2, -0x1.528098p-1, 0x1.b7b012p0,
         0x1.1cfbe6p-1, 0x1.326efp0},
     .expected = "tensor([-0.2559,  0.5114, -0.2261, -0.3151, -0.9300, -0.2133,  1.1119,  0.4241,\n"
                 "         1.0369,  0.2489,  0.3948,  0.1853, -1.6661,  0.8553,  0.5064,  0.4988,\n"
                 "        -1.6914, -1.7439, -0.8896, -0.4682,  0.3054, -0.0459,  0.5210, -0.6422,\n"
                 "         0.3087,  0.3942, -0.6611,  1.7175,  0.5566,  1.1970])"},
    {.dtype = WN_F64, .ndim = 1, .shape = {30}, .nvalues = 30,
     .f = (const double[]){-0x1.3d9c4698ac1fap-1, -0x1.7aa1d3da50a7ep-1, -0x1.604dc5cd367d1p-2, -0x1.b3e6daa8e08abp-4,
         0x1.439fd344d1d19p-1, 0x1.fcc76d8c22aaap-3, -0x1.ca1766d2e91eep-2, -0x1.e9f06928a3a02p-1,
         -0x1.0a8ad028b3586p-1, 0x1.388e4c9e7c01fp0, -0x1.9dab277d011b6p-1, 0x1.f54412f90f4cep-3,
         0x1.b4c163dd655c5p-2, -0x1.7d5fce5bab43fp0, 0x1.8d1a18af14257p-5, 0x1.4e65fb05c7dafp0, -0x1.01d6ac7eb022ap1,
         -0x1.494fe603afdf1p-2, -0x1.b2befc2126ab7p-4, -0x1.a26ff13e92749p-1, 0x1.fd53ce9dd4dbfp-2,
         -0x1.fe3267fdee773p-5, -0x1.76f3bd1a58691p0, 0x1.a7db6a3c7f468p-1, 0x1.56b32ae3a7524p-1,
         0x1.e445601b28e3ep-1, 0x1.70cafdf85d4b3p0, 0x1.72f0013551082p-2, 0x1.e88c02f030ef9p-4, -0x1.4c964793ed7c2p0},
     .expected = "tensor([-0.6203, -0.7395, -0.3440, -0.1064,  0.6321,  0.2484, -0.4474, -0.9569,\n"
                 "        -0.5206,  1.2209, -0.8079,  0.2448,  0.4265, -1.4897,  0.0485,  1.3062,\n"
                 "        -2.0144, -0.3216, -0.1061, -0.8173,  0.4974, -0.0623, -1.4647,  0.8278,\n"
                 "         0.6693,  0.9458,  1.4406,  0.3622,  0.1193, -1.2992],\n"
                 "       dtype=torch.float64)"},
    {.dtype = WN_F16, .ndim = 1, .shape = {30}, .nvalues = 30,
     .f = (const double[]){0x1.3bp-1, -0x1.394p-1, -0x1.cf8p-2, -0x1.43cp0, -0x1.ef8p-1, -0.53125, 0x1.4ap0, -2.03125, -0x1.754p0,
         0x1.ea4p-3, 0x1.718p0, 0x1.284p-1, -0x1.e68p0, -0x1.424p1, 0x1.6ep-2, -0x1.79p-1, -0x1.1ecp0, 0x1.f48p-1,
         0x1.1ap0, 0x1.42p-3, 0x1.f74p-3, 0x1.bccp-2, 1.59375, 0x1.3dp-1, 0x1.098p-1, 0x1.188p-1, -0x1.918p0,
         1.28125, 0x1.e9p-1, 0x1.0f4p-1},
     .expected = "tensor([ 0.6152, -0.6118, -0.4526, -1.2646, -0.9678, -0.5312,  1.2891, -2.0312,\n"
                 "        -1.4580,  0.2394,  1.4434,  0.5786, -1.9004, -2.5176,  0.3574, -0.7363,\n"
                 "        -1.1201,  0.9775,  1.1016,  0.1572,  0.2457,  0.4343,  1.5938,  0.6191,\n"
                 "         0.5186,  0.5479, -1.5684,  1.2812,  0.9551,  0.5298],\n"
                 "       dtype=torch.float16)"},
    {.dtype = WN_BF16, .ndim = 1, .shape = {30}, .nvalues = 30,
     .f = (const double[]){-0x1.fap0, -0.6328125, 0.84375, -1.8125, -0x1.78p-3, 1.015625, -1.3125, 1.609375, 0x1.1ap-1, -0x1.34p-3,
         0x1.4cp-2, 0.6484375, 0x1.eep-4, 0x1.26p0, -0x1.52p-1, -0.4140625, 0x1.0ap0, 0x1.b8p-6, -0x1.c2p-1,
         0.9453125, 1.46875, -0.4453125, -0x1.62p0, -0x1.14p-3, -0x1.32p-3, -0x1.32p-2, 1.40625, -0x1.06p0, 0x1.42p0,
         -1.265625},
     .expected = "tensor([-1.9766, -0.6328,  0.8438, -1.8125, -0.1836,  1.0156, -1.3125,  1.6094,\n"
                 "         0.5508, -0.1504,  0.3242,  0.6484,  0.1206,  1.1484, -0.6602, -0.4141,\n"
                 "         1.0391,  0.0269, -0.8789,  0.9453,  1.4688, -0.4453, -1.3828, -0.1348,\n"
                 "        -0.1494, -0.2988,  1.4062, -1.0234,  1.2578, -1.2656],\n"
                 "       dtype=torch.bfloat16)"},
    {.dtype = WN_F32, .ndim = 1, .shape = {10}, .nvalues = 10,
     .f = (const double[]){-0x1.3ad0d8p6, 0x1.f9378ep5, 0x1.c379e4p6, 0x1.5799d8p6, 0x1.142e08p5, 0x1.c78a5p3, 0x1.e7f116p3,
         0x1.cc3966p5, -0x1.19ea7ap4, 0x1.bbe5c8p4},
     .expected = "tensor([-78.7039,  63.1521, 112.8690,  85.9002,  34.5225,  14.2356,  15.2482,\n"
                 "         57.5280, -17.6197,  27.7436])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {9}, .nvalues = 9,
     .f = (const double[]){0x1.253c6ap-1, 0x1.b820ap-11, 0x1.8728b4p-1, 0x1.21bac8p-1, 0x1.015c66p1, 0x1.4cbdc4p-2, -0x1.b5daeep-2,
         -0x1.7d7e1p-2, -0x1.ad71b8p-7},
     .expected = "tensor([ 5.7273e-01,  8.3948e-04,  7.6398e-01,  5.6588e-01,  2.0106e+00,\n"
                 "         3.2494e-01, -4.2759e-01, -3.7255e-01, -1.3106e-02])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {8}, .nvalues = 8,
     .f = (const double[]){0x1.d8fa4cp-1, -0x1.58a426p-2, 0x1.8b15f8p-2, 0x1.d6596p0, -0x1.48476ap1, -0x1.1fb87ap0, 0x1.f38048p-3,
         0x1.97e53cp-2},
     .expected = "tensor([ 0.9238, -0.3366,  0.3858,  1.8373, -2.5647, -1.1239,  0.2439,  0.3983])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {24}, .nvalues = 24,
     .f = (const double[]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23},
     .expected = "tensor([ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10., 11., 12., 13.,\n"
                 "        14., 15., 16., 17., 18., 19., 20., 21., 22., 23.])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {25}, .nvalues = 2, .f = (const double[]){1e+09, 1.5},
     .expected = "tensor([1.0000e+09, 1.5000e+00, 1.0000e+09, 1.5000e+00, 1.0000e+09, 1.5000e+00,\n"
                 "        1.0000e+09, 1.5000e+00, 1.0000e+09, 1.5000e+00, 1.0000e+09, 1.5000e+00,\n"
                 "        1.0000e+09, 1.5000e+00, 1.0000e+09, 1.5000e+00, 1.0000e+09, 1.5000e+00,\n"
                 "        1.0000e+09, 1.5000e+00, 1.0000e+09, 1.5000e+00, 1.0000e+09, 1.5000e+00,\n"
                 "        1.0000e+09])"},
    {.dtype = WN_I8, .ndim = 1, .shape = {60}, .nvalues = 5, .i = (const int64_t[]){0, 1, 1, 0, 1},
     .expected = "tensor([0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0,\n"
                 "        1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1,\n"
                 "        0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1], dtype=torch.int8)"},
    {.dtype = WN_I16, .ndim = 1, .shape = {60}, .nvalues = 5, .i = (const int64_t[]){0, 1, 1, 0, 1},
     .expected = "tensor([0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0,\n"
                 "        1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1,\n"
                 "        0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1], dtype=torch.int16)"},
    {.dtype = WN_I32, .ndim = 1, .shape = {60}, .nvalues = 5, .i = (const int64_t[]){0, 1, 1, 0, 1},
     .expected = "tensor([0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0,\n"
                 "        1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1,\n"
                 "        0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1], dtype=torch.int32)"},
    {.dtype = WN_I64, .ndim = 1, .shape = {60}, .nvalues = 5, .i = (const int64_t[]){0, 1, 1, 0, 1},
     .expected = "tensor([0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0,\n"
                 "        1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1,\n"
                 "        0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1])"},
    {.dtype = WN_U8, .ndim = 1, .shape = {60}, .nvalues = 5, .i = (const int64_t[]){0, 1, 1, 0, 1},
     .expected = "tensor([0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0,\n"
                 "        1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1,\n"
                 "        0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1], dtype=torch.uint8)"},
    {.dtype = WN_BOOL, .ndim = 1, .shape = {60}, .nvalues = 5, .i = (const int64_t[]){0, 1, 1, 0, 1},
     .expected = "tensor([False,  True,  True, False,  True, False,  True,  True, False,  True,\n"
                 "        False,  True,  True, False,  True, False,  True,  True, False,  True,\n"
                 "        False,  True,  True, False,  True, False,  True,  True, False,  True,\n"
                 "        False,  True,  True, False,  True, False,  True,  True, False,  True,\n"
                 "        False,  True,  True, False,  True, False,  True,  True, False,  True,\n"
                 "        False,  True,  True, False,  True, False,  True,  True, False,  True])"},
    {.dtype = WN_I64, .ndim = 1, .shape = {200}, .step = 1, .nvalues = 1, .i = (const int64_t[]){0},
     .expected = "tensor([  0,   1,   2,   3,   4,   5,   6,   7,   8,   9,  10,  11,  12,  13,\n"
                 "         14,  15,  16,  17,  18,  19,  20,  21,  22,  23,  24,  25,  26,  27,\n"
                 "         28,  29,  30,  31,  32,  33,  34,  35,  36,  37,  38,  39,  40,  41,\n"
                 "         42,  43,  44,  45,  46,  47,  48,  49,  50,  51,  52,  53,  54,  55,\n"
                 "         56,  57,  58,  59,  60,  61,  62,  63,  64,  65,  66,  67,  68,  69,\n"
                 "         70,  71,  72,  73,  74,  75,  76,  77,  78,  79,  80,  81,  82,  83,\n"
                 "         84,  85,  86,  87,  88,  89,  90,  91,  92,  93,  94,  95,  96,  97,\n"
                 "         98,  99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111,\n"
                 "        112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125,\n"
                 "        126, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139,\n"
                 "        140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153,\n"
                 "        154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165, 166, 167,\n"
                 "        168, 169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 181,\n"
                 "        182, 183, 184, 185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195,\n"
                 "        196, 197, 198, 199])"},
    {.dtype = WN_I64, .ndim = 1, .shape = {100}, .step = 1, .nvalues = 1, .i = (const int64_t[]){-50},
     .expected = "tensor([-50, -49, -48, -47, -46, -45, -44, -43, -42, -41, -40, -39, -38, -37,\n"
                 "        -36, -35, -34, -33, -32, -31, -30, -29, -28, -27, -26, -25, -24, -23,\n"
                 "        -22, -21, -20, -19, -18, -17, -16, -15, -14, -13, -12, -11, -10,  -9,\n"
                 "         -8,  -7,  -6,  -5,  -4,  -3,  -2,  -1,   0,   1,   2,   3,   4,   5,\n"
                 "          6,   7,   8,   9,  10,  11,  12,  13,  14,  15,  16,  17,  18,  19,\n"
                 "         20,  21,  22,  23,  24,  25,  26,  27,  28,  29,  30,  31,  32,  33,\n"
                 "         34,  35,  36,  37,  38,  39,  40,  41,  42,  43,  44,  45,  46,  47,\n"
                 "         48,  49])"},
    {.dtype = WN_I64, .ndim = 1, .shape = {12}, .step = 3, .nvalues = 1,
     .i = (const int64_t[]){INT64_C(100000000000000000)},
     .expected = "tensor([100000000000000000, 100000000000000003, 100000000000000006,\n"
                 "        100000000000000009, 100000000000000012, 100000000000000015,\n"
                 "        100000000000000018, 100000000000000021, 100000000000000024,\n"
                 "        100000000000000027, 100000000000000030, 100000000000000033])"},
    {.dtype = WN_I64, .ndim = 1, .shape = {1000}, .step = 1, .nvalues = 1, .i = (const int64_t[]){0},
     .expected = "tensor([  0,   1,   2,   3,   4,   5,   6,   7,   8,   9,  10,  11,  12,  13,\n"
                 "         14,  15,  16,  17,  18,  19,  20,  21,  22,  23,  24,  25,  26,  27,\n"
                 "         28,  29,  30,  31,  32,  33,  34,  35,  36,  37,  38,  39,  40,  41,\n"
                 "         42,  43,  44,  45,  46,  47,  48,  49,  50,  51,  52,  53,  54,  55,\n"
                 "         56,  57,  58,  59,  60,  61,  62,  63,  64,  65,  66,  67,  68,  69,\n"
                 "         70,  71,  72,  73,  74,  75,  76,  77,  78,  79,  80,  81,  82,  83,\n"
                 "         84,  85,  86,  87,  88,  89,  90,  91,  92,  93,  94,  95,  96,  97,\n"
                 "         98,  99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111,\n"
                 "        112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125,\n"
                 "        126, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139,\n"
                 "        140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153,\n"
                 "        154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165, 166, 167,\n"
                 "        168, 169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 181,\n"
                 "        182, 183, 184, 185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195,\n"
                 "        196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207, 208, 209,\n"
                 "        210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223,\n"
                 "        224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237,\n"
                 "        238, 239, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251,\n"
                 "        252, 253, 254, 255, 256, 257, 258, 259, 260, 261, 262, 263, 264, 265,\n"
                 "        266, 267, 268, 269, 270, 271, 272, 273, 274, 275, 276, 277, 278, 279,\n"
                 "        280, 281, 282, 283, 284, 285, 286, 287, 288, 289, 290, 291, 292, 293,\n"
                 "        294, 295, 296, 297, 298, 299, 300, 301, 302, 303, 304, 305, 306, 307,\n"
                 "        308, 309, 310, 311, 312, 313, 314, 315, 316, 317, 318, 319, 320, 321,\n"
                 "        322, 323, 324, 325, 326, 327, 328, 329, 330, 331, 332, 333, 334, 335,\n"
                 "        336, 337, 338, 339, 340, 341, 342, 343, 344, 345, 346, 347, 348, 349,\n"
                 "        350, 351, 352, 353, 354, 355, 356, 357, 358, 359, 360, 361, 362, 363,\n"
                 "        364, 365, 366, 367, 368, 369, 370, 371, 372, 373, 374, 375, 376, 377,\n"
                 "        378, 379, 380, 381, 382, 383, 384, 385, 386, 387, 388, 389, 390, 391,\n"
                 "        392, 393, 394, 395, 396, 397, 398, 399, 400, 401, 402, 403, 404, 405,\n"
                 "        406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418, 419,\n"
                 "        420, 421, 422, 423, 424, 425, 426, 427, 428, 429, 430, 431, 432, 433,\n"
                 "        434, 435, 436, 437, 438, 439, 440, 441, 442, 443, 444, 445, 446, 447,\n"
                 "        448, 449, 450, 451, 452, 453, 454, 455, 456, 457, 458, 459, 460, 461,\n"
                 "        462, 463, 464, 465, 466, 467, 468, 469, 470, 471, 472, 473, 474, 475,\n"
                 "        476, 477, 478, 479, 480, 481, 482, 483, 484, 485, 486, 487, 488, 489,\n"
                 "        490, 491, 492, 493, 494, 495, 496, 497, 498, 499, 500, 501, 502, 503,\n"
                 "        504, 505, 506, 507, 508, 509, 510, 511, 512, 513, 514, 515, 516, 517,\n"
                 "        518, 519, 520, 521, 522, 523, 524, 525, 526, 527, 528, 529, 530, 531,\n"
                 "        532, 533, 534, 535, 536, 537, 538, 539, 540, 541, 542, 543, 544, 545,\n"
                 "        546, 547, 548, 549, 550, 551, 552, 553, 554, 555, 556, 557, 558, 559,\n"
                 "        560, 561, 562, 563, 564, 565, 566, 567, 568, 569, 570, 571, 572, 573,\n"
                 "        574, 575, 576, 577, 578, 579, 580, 581, 582, 583, 584, 585, 586, 587,\n"
                 "        588, 589, 590, 591, 592, 593, 594, 595, 596, 597, 598, 599, 600, 601,\n"
                 "        602, 603, 604, 605, 606, 607, 608, 609, 610, 611, 612, 613, 614, 615,\n"
                 "        616, 617, 618, 619, 620, 621, 622, 623, 624, 625, 626, 627, 628, 629,\n"
                 "        630, 631, 632, 633, 634, 635, 636, 637, 638, 639, 640, 641, 642, 643,\n"
                 "        644, 645, 646, 647, 648, 649, 650, 651, 652, 653, 654, 655, 656, 657,\n"
                 "        658, 659, 660, 661, 662, 663, 664, 665, 666, 667, 668, 669, 670, 671,\n"
                 "        672, 673, 674, 675, 676, 677, 678, 679, 680, 681, 682, 683, 684, 685,\n"
                 "        686, 687, 688, 689, 690, 691, 692, 693, 694, 695, 696, 697, 698, 699,\n"
                 "        700, 701, 702, 703, 704, 705, 706, 707, 708, 709, 710, 711, 712, 713,\n"
                 "        714, 715, 716, 717, 718, 719, 720, 721, 722, 723, 724, 725, 726, 727,\n"
                 "        728, 729, 730, 731, 732, 733, 734, 735, 736, 737, 738, 739, 740, 741,\n"
                 "        742, 743, 744, 745, 746, 747, 748, 749, 750, 751, 752, 753, 754, 755,\n"
                 "        756, 757, 758, 759, 760, 761, 762, 763, 764, 765, 766, 767, 768, 769,\n"
                 "        770, 771, 772, 773, 774, 775, 776, 777, 778, 779, 780, 781, 782, 783,\n"
                 "        784, 785, 786, 787, 788, 789, 790, 791, 792, 793, 794, 795, 796, 797,\n"
                 "        798, 799, 800, 801, 802, 803, 804, 805, 806, 807, 808, 809, 810, 811,\n"
                 "        812, 813, 814, 815, 816, 817, 818, 819, 820, 821, 822, 823, 824, 825,\n"
                 "        826, 827, 828, 829, 830, 831, 832, 833, 834, 835, 836, 837, 838, 839,\n"
                 "        840, 841, 842, 843, 844, 845, 846, 847, 848, 849, 850, 851, 852, 853,\n"
                 "        854, 855, 856, 857, 858, 859, 860, 861, 862, 863, 864, 865, 866, 867,\n"
                 "        868, 869, 870, 871, 872, 873, 874, 875, 876, 877, 878, 879, 880, 881,\n"
                 "        882, 883, 884, 885, 886, 887, 888, 889, 890, 891, 892, 893, 894, 895,\n"
                 "        896, 897, 898, 899, 900, 901, 902, 903, 904, 905, 906, 907, 908, 909,\n"
                 "        910, 911, 912, 913, 914, 915, 916, 917, 918, 919, 920, 921, 922, 923,\n"
                 "        924, 925, 926, 927, 928, 929, 930, 931, 932, 933, 934, 935, 936, 937,\n"
                 "        938, 939, 940, 941, 942, 943, 944, 945, 946, 947, 948, 949, 950, 951,\n"
                 "        952, 953, 954, 955, 956, 957, 958, 959, 960, 961, 962, 963, 964, 965,\n"
                 "        966, 967, 968, 969, 970, 971, 972, 973, 974, 975, 976, 977, 978, 979,\n"
                 "        980, 981, 982, 983, 984, 985, 986, 987, 988, 989, 990, 991, 992, 993,\n"
                 "        994, 995, 996, 997, 998, 999])"},
    {.dtype = WN_I16, .ndim = 1, .shape = {500}, .step = 1, .nvalues = 1, .i = (const int64_t[]){-250},
     .expected = "tensor([-250, -249, -248, -247, -246, -245, -244, -243, -242, -241, -240, -239,\n"
                 "        -238, -237, -236, -235, -234, -233, -232, -231, -230, -229, -228, -227,\n"
                 "        -226, -225, -224, -223, -222, -221, -220, -219, -218, -217, -216, -215,\n"
                 "        -214, -213, -212, -211, -210, -209, -208, -207, -206, -205, -204, -203,\n"
                 "        -202, -201, -200, -199, -198, -197, -196, -195, -194, -193, -192, -191,\n"
                 "        -190, -189, -188, -187, -186, -185, -184, -183, -182, -181, -180, -179,\n"
                 "        -178, -177, -176, -175, -174, -173, -172, -171, -170, -169, -168, -167,\n"
                 "        -166, -165, -164, -163, -162, -161, -160, -159, -158, -157, -156, -155,\n"
                 "        -154, -153, -152, -151, -150, -149, -148, -147, -146, -145, -144, -143,\n"
                 "        -142, -141, -140, -139, -138, -137, -136, -135, -134, -133, -132, -131,\n"
                 "        -130, -129, -128, -127, -126, -125, -124, -123, -122, -121, -120, -119,\n"
                 "        -118, -117, -116, -115, -114, -113, -112, -111, -110, -109, -108, -107,\n"
                 "        -106, -105, -104, -103, -102, -101, -100,  -99,  -98,  -97,  -96,  -95,\n"
                 "         -94,  -93,  -92,  -91,  -90,  -89,  -88,  -87,  -86,  -85,  -84,  -83,\n"
                 "         -82,  -81,  -80,  -79,  -78,  -77,  -76,  -75,  -74,  -73,  -72,  -71,\n"
                 "         -70,  -69,  -68,  -67,  -66,  -65,  -64,  -63,  -62,  -61,  -60,  -59,\n"
                 "         -58,  -57,  -56,  -55,  -54,  -53,  -52,  -51,  -50,  -49,  -48,  -47,\n"
                 "         -46,  -45,  -44,  -43,  -42,  -41,  -40,  -39,  -38,  -37,  -36,  -35,\n"
                 "         -34,  -33,  -32,  -31,  -30,  -29,  -28,  -27,  -26,  -25,  -24,  -23,\n"
                 "         -22,  -21,  -20,  -19,  -18,  -17,  -16,  -15,  -14,  -13,  -12,  -11,\n"
                 "         -10,   -9,   -8,   -7,   -6,   -5,   -4,   -3,   -2,   -1,    0,    1,\n"
                 "           2,    3,    4,    5,    6,    7,    8,    9,   10,   11,   12,   13,\n"
                 "          14,   15,   16,   17,   18,   19,   20,   21,   22,   23,   24,   25,\n"
                 "          26,   27,   28,   29,   30,   31,   32,   33,   34,   35,   36,   37,\n"
                 "          38,   39,   40,   41,   42,   43,   44,   45,   46,   47,   48,   49,\n"
                 "          50,   51,   52,   53,   54,   55,   56,   57,   58,   59,   60,   61,\n"
                 "          62,   63,   64,   65,   66,   67,   68,   69,   70,   71,   72,   73,\n"
                 "          74,   75,   76,   77,   78,   79,   80,   81,   82,   83,   84,   85,\n"
                 "          86,   87,   88,   89,   90,   91,   92,   93,   94,   95,   96,   97,\n"
                 "          98,   99,  100,  101,  102,  103,  104,  105,  106,  107,  108,  109,\n"
                 "         110,  111,  112,  113,  114,  115,  116,  117,  118,  119,  120,  121,\n"
                 "         122,  123,  124,  125,  126,  127,  128,  129,  130,  131,  132,  133,\n"
                 "         134,  135,  136,  137,  138,  139,  140,  141,  142,  143,  144,  145,\n"
                 "         146,  147,  148,  149,  150,  151,  152,  153,  154,  155,  156,  157,\n"
                 "         158,  159,  160,  161,  162,  163,  164,  165,  166,  167,  168,  169,\n"
                 "         170,  171,  172,  173,  174,  175,  176,  177,  178,  179,  180,  181,\n"
                 "         182,  183,  184,  185,  186,  187,  188,  189,  190,  191,  192,  193,\n"
                 "         194,  195,  196,  197,  198,  199,  200,  201,  202,  203,  204,  205,\n"
                 "         206,  207,  208,  209,  210,  211,  212,  213,  214,  215,  216,  217,\n"
                 "         218,  219,  220,  221,  222,  223,  224,  225,  226,  227,  228,  229,\n"
                 "         230,  231,  232,  233,  234,  235,  236,  237,  238,  239,  240,  241,\n"
                 "         242,  243,  244,  245,  246,  247,  248,  249], dtype=torch.int16)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {3, 4}, .nvalues = 12,
     .f = (const double[]){0x1.e89922p-3, -0x1.b97fc8p-2, 0x1.4f6f52p-1, 0x1.20e6b4p-2, -0x1.0b4a5p-1, 0x1.370c02p1, 0x1.6ba7f2p-2,
         -0x1.1bc3e6p-1, -0x1.97575ep-4, -0x1.ce04e8p-3, -0x1.00fd48p-4, -0x1.5d31e6p1},
     .expected = "tensor([[ 0.2386, -0.4312,  0.6551,  0.2821],\n"
                 "        [-0.5221,  2.4301,  0.3551, -0.5542],\n"
                 "        [-0.0994, -0.2256, -0.0627, -2.7281]])"},
    {.dtype = WN_F32, .ndim = 2, .shape = {4, 20}, .nvalues = 80,
     .f = (const double[]){-0x1.f295a8p-2, 0x1.02319cp0, -0x1.2b26e6p0, -0x1.113438p-4, 0x1.e831dcp-1, 0x1.b65ccep-1, 0x1.7db596p0,
         -0x1.b38fd4p0, -0x1.69db66p-2, -0x1.5d21fep-2, 0x1.3f1fd8p-1, 0x1.177f62p0, -0x1.5766f6p1, 0x1.16b3bp0,
         -0x1.729234p0, 0x1.5dc5d2p-1, -0x1.7dfcc8p0, 0x1.68257ap-3, 0x1.31d4e2p0, -0x1.31ce7ap-3, 0x1.87610ep-3,
         0x1.982098p-1, 0x1.218a5ep-3, -0x1.6a6b74p-4, 0x1.888378p0, 0x1.0c6894p0, -0x1.2cdddap-2, 0x1.5f66d2p1,
         -0x1.25973ep0, 0x1.d447a6p-1, -0x1.10177cp-2, 0x1.0f15c2p-3, 0x1.68f68p-1, 0x1.c71c66p-3, 0x1.46fc84p-1,
         -0x1.86feccp0, -0x1.826f52p0, 0x1.3ad9c2p-1, -0x1.ed231cp-1, -0x1.06d26cp0, -0x1.785b0ep0, 0x1.44317cp0,
         0x1.7e3cdap-1, 0x1.791b6cp0, -0x1.e01f28p-1, 0x1.07cfc2p-10, -0x1.23eb28p0, 0x1.88360ep-1, 0x1.96e46cp0,
         -0x1.c7cb0cp-1, 0x1.8f71e6p0, 0x1.f9dfp-1, -0x1.6c3494p-3, -0x1.f8d312p0, 0x1.681904p0, -0x1.8a4872p-4,
         -0x1.34a5e8p-1, 0x1.992f88p-2, 0x1.a3cdbp-2, 0x1.7f8328p0, -0x1.0527f2p0, 0x1.22e072p0, 0x1.7cc3a6p0,
         0x1.73c5bep0, -0x1.71eb4cp-3, -0x1.7cf15p-1, 0x1.04c12ep0, 0x1.d7cc8ep-4, 0x1.fcae1ep-4, 0x1.6c9954p0,
         -0x1.0dc24ap-2, -0x1.25fb18p1, -0x1.8c7bdap-2, -0x1.da9ab6p0, 0x1.a33792p-1, 0x1.44a4c4p-2, -0x1.38f024p-1,
         -0x1.3a8cbep-7, 0x1.aa4db2p-1, 0x1.435beep-4},
     .expected = "tensor([[-4.8690e-01,  1.0086e+00, -1.1686e+00, -6.6700e-02,  9.5351e-01,\n"
                 "          8.5618e-01,  1.4911e+00, -1.7014e+00, -3.5338e-01, -3.4095e-01,\n"
                 "          6.2329e-01,  1.0918e+00, -2.6828e+00,  1.0887e+00, -1.4475e+00,\n"
                 "          6.8315e-01, -1.4921e+00,  1.7585e-01,  1.1947e+00, -1.4932e-01],\n"
                 "        [ 1.9110e-01,  7.9712e-01,  1.4138e-01, -8.8481e-02,  1.5333e+00,\n"
                 "          1.0485e+00, -2.9382e-01,  2.7453e+00, -1.1468e+00,  9.1461e-01,\n"
                 "         -2.6571e-01,  1.3237e-01,  7.0501e-01,  2.2222e-01,  6.3865e-01,\n"
                 "         -1.5273e+00, -1.5095e+00,  6.1494e-01, -9.6316e-01, -1.0266e+00],\n"
                 "        [-1.4701e+00,  1.2664e+00,  7.4656e-01,  1.4731e+00, -9.3774e-01,\n"
                 "          1.0064e-03, -1.1403e+00,  7.6604e-01,  1.5894e+00, -8.9022e-01,\n"
                 "          1.5603e+00,  9.8803e-01, -1.7783e-01, -1.9720e+00,  1.4066e+00,\n"
                 "         -9.6260e-02, -6.0283e-01,  3.9960e-01,  4.0996e-01,  1.4981e+00],\n"
                 "        [-1.0201e+00,  1.1362e+00,  1.4874e+00,  1.4522e+00, -1.8062e-01,\n"
                 "         -7.4403e-01,  1.0186e+00,  1.1519e-01,  1.2419e-01,  1.4242e+00,\n"
                 "         -2.6344e-01, -2.2967e+00, -3.8719e-01, -1.8539e+00,  8.1878e-01,\n"
                 "          3.1703e-01, -6.1121e-01, -9.5993e-03,  8.3262e-01,  7.8945e-02]])"},
    {.dtype = WN_I64, .ndim = 3, .shape = {2, 3, 4}, .step = 1, .nvalues = 1, .i = (const int64_t[]){0},
     .expected = "tensor([[[ 0,  1,  2,  3],\n"
                 "         [ 4,  5,  6,  7],\n"
                 "         [ 8,  9, 10, 11]],\n"
                 "\n"
                 "        [[12, 13, 14, 15],\n"
                 "         [16, 17, 18, 19],\n"
                 "         [20, 21, 22, 23]]])"},
    {.dtype = WN_F32, .ndim = 3, .shape = {2, 2, 2}, .nvalues = 4, .f = (const double[]){-1, 2, -3, 4},
     .expected = "tensor([[[-1.,  2.],\n"
                 "         [-3.,  4.]],\n"
                 "\n"
                 "        [[-1.,  2.],\n"
                 "         [-3.,  4.]]])"},
    {.dtype = WN_F32, .ndim = 4, .shape = {2, 1, 3, 2}, .step = 0.25, .nvalues = 1, .f = (const double[]){0.5},
     .expected = "tensor([[[[0.5000, 0.7500],\n"
                 "          [1.0000, 1.2500],\n"
                 "          [1.5000, 1.7500]]],\n"
                 "\n"
                 "\n"
                 "        [[[2.0000, 2.2500],\n"
                 "          [2.5000, 2.7500],\n"
                 "          [3.0000, 3.2500]]]])"},
    {.dtype = WN_I32, .ndim = 5, .shape = {1, 1, 1, 1, 1}, .nvalues = 1, .i = (const int64_t[]){3},
     .expected = "tensor([[[[[3]]]]], dtype=torch.int32)"},
    {.dtype = WN_F64, .ndim = 5, .shape = {2, 2, 1, 2, 2}, .step = 1, .nvalues = 1, .f = (const double[]){1},
     .expected = "tensor([[[[[ 1.,  2.],\n"
                 "           [ 3.,  4.]]],\n"
                 "\n"
                 "\n"
                 "         [[[ 5.,  6.],\n"
                 "           [ 7.,  8.]]]],\n"
                 "\n"
                 "\n"
                 "\n"
                 "        [[[[ 9., 10.],\n"
                 "           [11., 12.]]],\n"
                 "\n"
                 "\n"
                 "         [[[13., 14.],\n"
                 "           [15., 16.]]]]], dtype=torch.float64)"},
    {.dtype = WN_I64, .ndim = 6, .shape = {2, 2, 2, 2, 2, 2}, .step = 1, .nvalues = 1, .i = (const int64_t[]){0},
     .expected = "tensor([[[[[[ 0,  1],\n"
                 "            [ 2,  3]],\n"
                 "\n"
                 "           [[ 4,  5],\n"
                 "            [ 6,  7]]],\n"
                 "\n"
                 "\n"
                 "          [[[ 8,  9],\n"
                 "            [10, 11]],\n"
                 "\n"
                 "           [[12, 13],\n"
                 "            [14, 15]]]],\n"
                 "\n"
                 "\n"
                 "\n"
                 "         [[[[16, 17],\n"
                 "            [18, 19]],\n"
                 "\n"
                 "           [[20, 21],\n"
                 "            [22, 23]]],\n"
                 "\n"
                 "\n"
                 "          [[[24, 25],\n"
                 "            [26, 27]],\n"
                 "\n"
                 "           [[28, 29],\n"
                 "            [30, 31]]]]],\n"
                 "\n"
                 "\n"
                 "\n"
                 "\n"
                 "        [[[[[32, 33],\n"
                 "            [34, 35]],\n"
                 "\n"
                 "           [[36, 37],\n"
                 "            [38, 39]]],\n"
                 "\n"
                 "\n"
                 "          [[[40, 41],\n"
                 "            [42, 43]],\n"
                 "\n"
                 "           [[44, 45],\n"
                 "            [46, 47]]]],\n"
                 "\n"
                 "\n"
                 "\n"
                 "         [[[[48, 49],\n"
                 "            [50, 51]],\n"
                 "\n"
                 "           [[52, 53],\n"
                 "            [54, 55]]],\n"
                 "\n"
                 "\n"
                 "          [[[56, 57],\n"
                 "            [58, 59]],\n"
                 "\n"
                 "           [[60, 61],\n"
                 "            [62, 63]]]]]])"},
    {.dtype = WN_U8, .ndim = 2, .shape = {3, 30}, .step = 2, .nvalues = 1, .i = (const int64_t[]){0},
     .expected = "tensor([[  0,   2,   4,   6,   8,  10,  12,  14,  16,  18,  20,  22,  24,  26,\n"
                 "          28,  30,  32,  34,  36,  38,  40,  42,  44,  46,  48,  50,  52,  54,\n"
                 "          56,  58],\n"
                 "        [ 60,  62,  64,  66,  68,  70,  72,  74,  76,  78,  80,  82,  84,  86,\n"
                 "          88,  90,  92,  94,  96,  98, 100, 102, 104, 106, 108, 110, 112, 114,\n"
                 "         116, 118],\n"
                 "        [120, 122, 124, 126, 128, 130, 132, 134, 136, 138, 140, 142, 144, 146,\n"
                 "         148, 150, 152, 154, 156, 158, 160, 162, 164, 166, 168, 170, 172, 174,\n"
                 "         176, 178]], dtype=torch.uint8)"},
    {.dtype = WN_BOOL, .ndim = 3, .shape = {2, 3, 2}, .nvalues = 3, .i = (const int64_t[]){0, 1, 1},
     .expected = "tensor([[[False,  True],\n"
                 "         [ True, False],\n"
                 "         [ True,  True]],\n"
                 "\n"
                 "        [[False,  True],\n"
                 "         [ True, False],\n"
                 "         [ True,  True]]])"},
    {.dtype = WN_F16, .ndim = 2, .shape = {2, 3}, .nvalues = 3, .f = (const double[]){0x1.998p-4, -2, 300},
     .expected = "tensor([[ 9.9976e-02, -2.0000e+00,  3.0000e+02],\n"
                 "        [ 9.9976e-02, -2.0000e+00,  3.0000e+02]], dtype=torch.float16)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {1, 1}, .nvalues = 1, .f = (const double[]){7},
     .expected = "tensor([[7.]])"},
    {.dtype = WN_F32, .ndim = 2, .shape = {5, 1}, .nvalues = 3, .f = (const double[]){1, 20, -300},
     .expected = "tensor([[   1.],\n"
                 "        [  20.],\n"
                 "        [-300.],\n"
                 "        [   1.],\n"
                 "        [  20.]])"},
    {.dtype = WN_I64, .ndim = 14, .shape = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2}, .nvalues = 2,
     .i = (const int64_t[]){5, -6},
     .expected = "tensor([[[[[[[[[[[[[[ 5, -6],\n"
                 "                    [ 5, -6]]]]]]]]]]]]]])"},
    {.dtype = WN_F64, .ndim = 11, .shape = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 12}, .nvalues = 2,
     .f = (const double[]){1e-200, -1e+200},
     .expected = "tensor([[[[[[[[[[[ 1.0000e-200, -1.0000e+200,  1.0000e-200, -1.0000e+200,\n"
                 "                   1.0000e-200, -1.0000e+200,  1.0000e-200, -1.0000e+200,\n"
                 "                   1.0000e-200, -1.0000e+200,  1.0000e-200, -1.0000e+200]]]]]]]]]]],\n"
                 "       dtype=torch.float64)"},
    {.dtype = WN_F64, .ndim = 16, .shape = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3}, .nvalues = 2,
     .f = (const double[]){1e-200, -1e+200},
     .expected = "tensor([[[[[[[[[[[[[[[[ 1.0000e-200, -1.0000e+200,  1.0000e-200]]]]]]]]]]]]]]]],\n"
                 "       dtype=torch.float64)"},
    {.dtype = WN_F32, .ndim = 1, .shape = {0},
     .expected = "tensor([])"},
    {.dtype = WN_F64, .ndim = 1, .shape = {0},
     .expected = "tensor([], dtype=torch.float64)"},
    {.dtype = WN_I64, .ndim = 1, .shape = {0},
     .expected = "tensor([], dtype=torch.int64)"},
    {.dtype = WN_BOOL, .ndim = 1, .shape = {0},
     .expected = "tensor([], dtype=torch.bool)"},
    {.dtype = WN_U8, .ndim = 1, .shape = {0},
     .expected = "tensor([], dtype=torch.uint8)"},
    {.dtype = WN_BF16, .ndim = 1, .shape = {0},
     .expected = "tensor([], dtype=torch.bfloat16)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {0, 3},
     .expected = "tensor([], size=(0, 3))"},
    {.dtype = WN_F32, .ndim = 2, .shape = {3, 0},
     .expected = "tensor([], size=(3, 0))"},
    {.dtype = WN_F32, .ndim = 3, .shape = {2, 0, 4},
     .expected = "tensor([], size=(2, 0, 4))"},
    {.dtype = WN_F32, .ndim = 2, .shape = {0, 0},
     .expected = "tensor([], size=(0, 0))"},
    {.dtype = WN_F32, .ndim = 5, .shape = {10, 0, 1, 2, 3},
     .expected = "tensor([], size=(10, 0, 1, 2, 3))"},
    {.dtype = WN_I64, .ndim = 2, .shape = {0, 2},
     .expected = "tensor([], size=(0, 2), dtype=torch.int64)"},
    {.dtype = WN_F16, .ndim = 2, .shape = {0, 2},
     .expected = "tensor([], size=(0, 2), dtype=torch.float16)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {0, 2}, .grad = true,
     .expected = "tensor([], size=(0, 2), requires_grad=True)"},
    {.dtype = WN_F64, .fallback = WN_F64, .ndim = 1, .shape = {0},
     .expected = "tensor([])"},
    {.dtype = WN_F32, .fallback = WN_F64, .ndim = 1, .shape = {0},
     .expected = "tensor([], dtype=torch.float32)"},
    {.dtype = WN_F64, .ndim = 5, .shape = {10000, 10000, 10000, 10000, 0},
     .expected = "tensor([], size=(10000, 10000, 10000, 10000, 0), dtype=torch.float64)"},
    {.dtype = WN_F16, .ndim = 16, .shape = {10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 0},
     .expected = "tensor([],\n"
                 "       size=(10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 0),\n"
                 "       dtype=torch.float16)"},
    {.dtype = WN_F32, .ndim = 1, .shape = {1001}, .step = 1, .nvalues = 1, .f = (const double[]){0},
     .expected = "tensor([   0.,    1.,    2.,  ...,  998.,  999., 1000.])"},
    {.dtype = WN_I64, .ndim = 1, .shape = {1001}, .step = 1, .nvalues = 1, .i = (const int64_t[]){0},
     .expected = "tensor([   0,    1,    2,  ...,  998,  999, 1000])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {1001}, .nvalues = 2, .f = (const double[]){0.5, -1.5},
     .expected = "tensor([ 0.5000, -1.5000,  0.5000,  ...,  0.5000, -1.5000,  0.5000])"},
    {.dtype = WN_F32, .ndim = 2, .shape = {100, 100}, .step = 1, .nvalues = 1, .f = (const double[]){0},
     .expected = "tensor([[0.0000e+00, 1.0000e+00, 2.0000e+00,  ..., 9.7000e+01, 9.8000e+01,\n"
                 "         9.9000e+01],\n"
                 "        [1.0000e+02, 1.0100e+02, 1.0200e+02,  ..., 1.9700e+02, 1.9800e+02,\n"
                 "         1.9900e+02],\n"
                 "        [2.0000e+02, 2.0100e+02, 2.0200e+02,  ..., 2.9700e+02, 2.9800e+02,\n"
                 "         2.9900e+02],\n"
                 "        ...,\n"
                 "        [9.7000e+03, 9.7010e+03, 9.7020e+03,  ..., 9.7970e+03, 9.7980e+03,\n"
                 "         9.7990e+03],\n"
                 "        [9.8000e+03, 9.8010e+03, 9.8020e+03,  ..., 9.8970e+03, 9.8980e+03,\n"
                 "         9.8990e+03],\n"
                 "        [9.9000e+03, 9.9010e+03, 9.9020e+03,  ..., 9.9970e+03, 9.9980e+03,\n"
                 "         9.9990e+03]])"},
    {.dtype = WN_F32, .ndim = 2, .shape = {100, 100}, .step = 0.25, .nvalues = 1, .f = (const double[]){0.5},
     .expected = "tensor([[5.0000e-01, 7.5000e-01, 1.0000e+00,  ..., 2.4750e+01, 2.5000e+01,\n"
                 "         2.5250e+01],\n"
                 "        [2.5500e+01, 2.5750e+01, 2.6000e+01,  ..., 4.9750e+01, 5.0000e+01,\n"
                 "         5.0250e+01],\n"
                 "        [5.0500e+01, 5.0750e+01, 5.1000e+01,  ..., 7.4750e+01, 7.5000e+01,\n"
                 "         7.5250e+01],\n"
                 "        ...,\n"
                 "        [2.4255e+03, 2.4258e+03, 2.4260e+03,  ..., 2.4498e+03, 2.4500e+03,\n"
                 "         2.4502e+03],\n"
                 "        [2.4505e+03, 2.4508e+03, 2.4510e+03,  ..., 2.4748e+03, 2.4750e+03,\n"
                 "         2.4752e+03],\n"
                 "        [2.4755e+03, 2.4758e+03, 2.4760e+03,  ..., 2.4998e+03, 2.5000e+03,\n"
                 "         2.5002e+03]])"},
    {.dtype = WN_I64, .ndim = 2, .shape = {40, 30}, .step = 1, .nvalues = 1, .i = (const int64_t[]){0},
     .expected = "tensor([[   0,    1,    2,  ...,   27,   28,   29],\n"
                 "        [  30,   31,   32,  ...,   57,   58,   59],\n"
                 "        [  60,   61,   62,  ...,   87,   88,   89],\n"
                 "        ...,\n"
                 "        [1110, 1111, 1112,  ..., 1137, 1138, 1139],\n"
                 "        [1140, 1141, 1142,  ..., 1167, 1168, 1169],\n"
                 "        [1170, 1171, 1172,  ..., 1197, 1198, 1199]])"},
    {.dtype = WN_I64, .ndim = 2, .shape = {400, 3}, .step = 1, .nvalues = 1, .i = (const int64_t[]){0},
     .expected = "tensor([[   0,    1,    2],\n"
                 "        [   3,    4,    5],\n"
                 "        [   6,    7,    8],\n"
                 "        ...,\n"
                 "        [1191, 1192, 1193],\n"
                 "        [1194, 1195, 1196],\n"
                 "        [1197, 1198, 1199]])"},
    {.dtype = WN_F32, .ndim = 2, .shape = {3, 400}, .step = 1, .nvalues = 1, .f = (const double[]){0.125},
     .expected = "tensor([[1.2500e-01, 1.1250e+00, 2.1250e+00,  ..., 3.9712e+02, 3.9812e+02,\n"
                 "         3.9912e+02],\n"
                 "        [4.0012e+02, 4.0112e+02, 4.0212e+02,  ..., 7.9712e+02, 7.9812e+02,\n"
                 "         7.9912e+02],\n"
                 "        [8.0012e+02, 8.0112e+02, 8.0212e+02,  ..., 1.1971e+03, 1.1981e+03,\n"
                 "         1.1991e+03]])"},
    {.dtype = WN_I64, .ndim = 3, .shape = {6, 2, 90}, .step = 1, .nvalues = 1, .i = (const int64_t[]){0},
     .expected = "tensor([[[   0,    1,    2,  ...,   87,   88,   89],\n"
                 "         [  90,   91,   92,  ...,  177,  178,  179]],\n"
                 "\n"
                 "        [[ 180,  181,  182,  ...,  267,  268,  269],\n"
                 "         [ 270,  271,  272,  ...,  357,  358,  359]],\n"
                 "\n"
                 "        [[ 360,  361,  362,  ...,  447,  448,  449],\n"
                 "         [ 450,  451,  452,  ...,  537,  538,  539]],\n"
                 "\n"
                 "        [[ 540,  541,  542,  ...,  627,  628,  629],\n"
                 "         [ 630,  631,  632,  ...,  717,  718,  719]],\n"
                 "\n"
                 "        [[ 720,  721,  722,  ...,  807,  808,  809],\n"
                 "         [ 810,  811,  812,  ...,  897,  898,  899]],\n"
                 "\n"
                 "        [[ 900,  901,  902,  ...,  987,  988,  989],\n"
                 "         [ 990,  991,  992,  ..., 1077, 1078, 1079]]])"},
    {.dtype = WN_I64, .ndim = 3, .shape = {7, 2, 80}, .step = 1, .nvalues = 1, .i = (const int64_t[]){0},
     .expected = "tensor([[[   0,    1,    2,  ...,   77,   78,   79],\n"
                 "         [  80,   81,   82,  ...,  157,  158,  159]],\n"
                 "\n"
                 "        [[ 160,  161,  162,  ...,  237,  238,  239],\n"
                 "         [ 240,  241,  242,  ...,  317,  318,  319]],\n"
                 "\n"
                 "        [[ 320,  321,  322,  ...,  397,  398,  399],\n"
                 "         [ 400,  401,  402,  ...,  477,  478,  479]],\n"
                 "\n"
                 "        ...,\n"
                 "\n"
                 "        [[ 640,  641,  642,  ...,  717,  718,  719],\n"
                 "         [ 720,  721,  722,  ...,  797,  798,  799]],\n"
                 "\n"
                 "        [[ 800,  801,  802,  ...,  877,  878,  879],\n"
                 "         [ 880,  881,  882,  ...,  957,  958,  959]],\n"
                 "\n"
                 "        [[ 960,  961,  962,  ..., 1037, 1038, 1039],\n"
                 "         [1040, 1041, 1042,  ..., 1117, 1118, 1119]]])"},
    {.dtype = WN_F64, .ndim = 3, .shape = {11, 2, 50}, .step = 0.5, .nvalues = 1, .f = (const double[]){0},
     .expected = "tensor([[[0.0000e+00, 5.0000e-01, 1.0000e+00,  ..., 2.3500e+01,\n"
                 "          2.4000e+01, 2.4500e+01],\n"
                 "         [2.5000e+01, 2.5500e+01, 2.6000e+01,  ..., 4.8500e+01,\n"
                 "          4.9000e+01, 4.9500e+01]],\n"
                 "\n"
                 "        [[5.0000e+01, 5.0500e+01, 5.1000e+01,  ..., 7.3500e+01,\n"
                 "          7.4000e+01, 7.4500e+01],\n"
                 "         [7.5000e+01, 7.5500e+01, 7.6000e+01,  ..., 9.8500e+01,\n"
                 "          9.9000e+01, 9.9500e+01]],\n"
                 "\n"
                 "        [[1.0000e+02, 1.0050e+02, 1.0100e+02,  ..., 1.2350e+02,\n"
                 "          1.2400e+02, 1.2450e+02],\n"
                 "         [1.2500e+02, 1.2550e+02, 1.2600e+02,  ..., 1.4850e+02,\n"
                 "          1.4900e+02, 1.4950e+02]],\n"
                 "\n"
                 "        ...,\n"
                 "\n"
                 "        [[4.0000e+02, 4.0050e+02, 4.0100e+02,  ..., 4.2350e+02,\n"
                 "          4.2400e+02, 4.2450e+02],\n"
                 "         [4.2500e+02, 4.2550e+02, 4.2600e+02,  ..., 4.4850e+02,\n"
                 "          4.4900e+02, 4.4950e+02]],\n"
                 "\n"
                 "        [[4.5000e+02, 4.5050e+02, 4.5100e+02,  ..., 4.7350e+02,\n"
                 "          4.7400e+02, 4.7450e+02],\n"
                 "         [4.7500e+02, 4.7550e+02, 4.7600e+02,  ..., 4.9850e+02,\n"
                 "          4.9900e+02, 4.9950e+02]],\n"
                 "\n"
                 "        [[5.0000e+02, 5.0050e+02, 5.0100e+02,  ..., 5.2350e+02,\n"
                 "          5.2400e+02, 5.2450e+02],\n"
                 "         [5.2500e+02, 5.2550e+02, 5.2600e+02,  ..., 5.4850e+02,\n"
                 "          5.4900e+02, 5.4950e+02]]], dtype=torch.float64)"},
    {.dtype = WN_U8, .ndim = 2, .shape = {50, 50}, .nvalues = 7, .i = (const int64_t[]){1, 2, 3, 4, 5, 6, 7},
     .expected = "tensor([[1, 2, 3,  ..., 6, 7, 1],\n"
                 "        [2, 3, 4,  ..., 7, 1, 2],\n"
                 "        [3, 4, 5,  ..., 1, 2, 3],\n"
                 "        ...,\n"
                 "        [6, 7, 1,  ..., 4, 5, 6],\n"
                 "        [7, 1, 2,  ..., 5, 6, 7],\n"
                 "        [1, 2, 3,  ..., 6, 7, 1]], dtype=torch.uint8)"},
    {.dtype = WN_BOOL, .ndim = 1, .shape = {1500}, .nvalues = 3, .i = (const int64_t[]){1, 0, 0},
     .expected = "tensor([ True, False, False,  ...,  True, False, False])"},
    {.dtype = WN_BOOL, .ndim = 2, .shape = {30, 40}, .nvalues = 2, .i = (const int64_t[]){0, 1},
     .expected = "tensor([[False,  True, False,  ...,  True, False,  True],\n"
                 "        [False,  True, False,  ...,  True, False,  True],\n"
                 "        [False,  True, False,  ...,  True, False,  True],\n"
                 "        ...,\n"
                 "        [False,  True, False,  ...,  True, False,  True],\n"
                 "        [False,  True, False,  ...,  True, False,  True],\n"
                 "        [False,  True, False,  ...,  True, False,  True]])"},
    {.dtype = WN_F16, .ndim = 4, .shape = {2, 3, 4, 50}, .nvalues = 2, .f = (const double[]){1, 0.5},
     .expected = "tensor([[[[1.0000, 0.5000, 1.0000,  ..., 0.5000, 1.0000, 0.5000],\n"
                 "          [1.0000, 0.5000, 1.0000,  ..., 0.5000, 1.0000, 0.5000],\n"
                 "          [1.0000, 0.5000, 1.0000,  ..., 0.5000, 1.0000, 0.5000],\n"
                 "          [1.0000, 0.5000, 1.0000,  ..., 0.5000, 1.0000, 0.5000]],\n"
                 "\n"
                 "         [[1.0000, 0.5000, 1.0000,  ..., 0.5000, 1.0000, 0.5000],\n"
                 "          [1.0000, 0.5000, 1.0000,  ..., 0.5000, 1.0000, 0.5000],\n"
                 "          [1.0000, 0.5000, 1.0000,  ..., 0.5000, 1.0000, 0.5000],\n"
                 "          [1.0000, 0.5000, 1.0000,  ..., 0.5000, 1.0000, 0.5000]],\n"
                 "\n"
                 "         [[1.0000, 0.5000, 1.0000,  ..., 0.5000, 1.0000, 0.5000],\n"
                 "          [1.0000, 0.5000, 1.0000,  ..., 0.5000, 1.0000, 0.5000],\n"
                 "          [1.0000, 0.5000, 1.0000,  ..., 0.5000, 1.0000, 0.5000],\n"
                 "          [1.0000, 0.5000, 1.0000,  ..., 0.5000, 1.0000, 0.5000]]],\n"
                 "\n"
                 "\n"
                 "        [[[1.0000, 0.5000, 1.0000,  ..., 0.5000, 1.0000, 0.5000],\n"
                 "          [1.0000, 0.5000, 1.0000,  ..., 0.5000, 1.0000, 0.5000],\n"
                 "          [1.0000, 0.5000, 1.0000,  ..., 0.5000, 1.0000, 0.5000],\n"
                 "          [1.0000, 0.5000, 1.0000,  ..., 0.5000, 1.0000, 0.5000]],\n"
                 "\n"
                 "         [[1.0000, 0.5000, 1.0000,  ..., 0.5000, 1.0000, 0.5000],\n"
                 "          [1.0000, 0.5000, 1.0000,  ..., 0.5000, 1.0000, 0.5000],\n"
                 "          [1.0000, 0.5000, 1.0000,  ..., 0.5000, 1.0000, 0.5000],\n"
                 "          [1.0000, 0.5000, 1.0000,  ..., 0.5000, 1.0000, 0.5000]],\n"
                 "\n"
                 "         [[1.0000, 0.5000, 1.0000,  ..., 0.5000, 1.0000, 0.5000],\n"
                 "          [1.0000, 0.5000, 1.0000,  ..., 0.5000, 1.0000, 0.5000],\n"
                 "          [1.0000, 0.5000, 1.0000,  ..., 0.5000, 1.0000, 0.5000],\n"
                 "          [1.0000, 0.5000, 1.0000,  ..., 0.5000, 1.0000, 0.5000]]]],\n"
                 "       dtype=torch.float16)"},
    {.dtype = WN_BF16, .ndim = 1, .shape = {2000}, .nvalues = 3, .f = (const double[]){1, 2, 3},
     .expected = "tensor([1., 2., 3.,  ..., 3., 1., 2.], dtype=torch.bfloat16)"},
    {.dtype = WN_F64, .ndim = 1, .shape = {1200}, .nvalues = 4, .f = (const double[]){NAN, 1, 2, 3.5},
     .expected = "tensor([   nan, 1.0000, 2.0000,  ..., 1.0000, 2.0000, 3.5000],\n"
                 "       dtype=torch.float64)"},
    {.dtype = WN_F32, .ndim = 4, .shape = {2, 7, 1, 90}, .step = 1, .nvalues = 1, .f = (const double[]){0},
     .expected = "tensor([[[[0.0000e+00, 1.0000e+00, 2.0000e+00,  ..., 8.7000e+01,\n"
                 "           8.8000e+01, 8.9000e+01]],\n"
                 "\n"
                 "         [[9.0000e+01, 9.1000e+01, 9.2000e+01,  ..., 1.7700e+02,\n"
                 "           1.7800e+02, 1.7900e+02]],\n"
                 "\n"
                 "         [[1.8000e+02, 1.8100e+02, 1.8200e+02,  ..., 2.6700e+02,\n"
                 "           2.6800e+02, 2.6900e+02]],\n"
                 "\n"
                 "         ...,\n"
                 "\n"
                 "         [[3.6000e+02, 3.6100e+02, 3.6200e+02,  ..., 4.4700e+02,\n"
                 "           4.4800e+02, 4.4900e+02]],\n"
                 "\n"
                 "         [[4.5000e+02, 4.5100e+02, 4.5200e+02,  ..., 5.3700e+02,\n"
                 "           5.3800e+02, 5.3900e+02]],\n"
                 "\n"
                 "         [[5.4000e+02, 5.4100e+02, 5.4200e+02,  ..., 6.2700e+02,\n"
                 "           6.2800e+02, 6.2900e+02]]],\n"
                 "\n"
                 "\n"
                 "        [[[6.3000e+02, 6.3100e+02, 6.3200e+02,  ..., 7.1700e+02,\n"
                 "           7.1800e+02, 7.1900e+02]],\n"
                 "\n"
                 "         [[7.2000e+02, 7.2100e+02, 7.2200e+02,  ..., 8.0700e+02,\n"
                 "           8.0800e+02, 8.0900e+02]],\n"
                 "\n"
                 "         [[8.1000e+02, 8.1100e+02, 8.1200e+02,  ..., 8.9700e+02,\n"
                 "           8.9800e+02, 8.9900e+02]],\n"
                 "\n"
                 "         ...,\n"
                 "\n"
                 "         [[9.9000e+02, 9.9100e+02, 9.9200e+02,  ..., 1.0770e+03,\n"
                 "           1.0780e+03, 1.0790e+03]],\n"
                 "\n"
                 "         [[1.0800e+03, 1.0810e+03, 1.0820e+03,  ..., 1.1670e+03,\n"
                 "           1.1680e+03, 1.1690e+03]],\n"
                 "\n"
                 "         [[1.1700e+03, 1.1710e+03, 1.1720e+03,  ..., 1.2570e+03,\n"
                 "           1.2580e+03, 1.2590e+03]]]])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {1001}, .nvalues = 3, .f = (const double[]){0x1.12e0bep-30, 1, 2},
     .expected = "tensor([1.0000e-09, 1.0000e+00, 2.0000e+00,  ..., 2.0000e+00, 1.0000e-09,\n"
                 "        1.0000e+00])"},
    {.dtype = WN_I64, .ndim = 1, .shape = {1001}, .step = INT64_C(10000000000000), .nvalues = 1,
     .i = (const int64_t[]){INT64_C(10000000000000000)},
     .expected = "tensor([10000000000000000, 10010000000000000, 10020000000000000,\n"
                 "         ..., 19980000000000000, 19990000000000000,\n"
                 "        20000000000000000])"},
    {.dtype = WN_F64, .ndim = 1, .shape = {1500}, .nvalues = 2, .f = (const double[]){1e-200, -1e+200},
     .expected = "tensor([ 1.0000e-200, -1.0000e+200,  1.0000e-200,  ..., -1.0000e+200,\n"
                 "         1.0000e-200, -1.0000e+200], dtype=torch.float64)"},
    {.dtype = WN_I64, .ndim = 5, .shape = {1, 1, 7, 1, 200}, .step = 1, .nvalues = 1, .i = (const int64_t[]){0},
     .expected = "tensor([[[[[   0,    1,    2,  ...,  197,  198,  199]],\n"
                 "\n"
                 "          [[ 200,  201,  202,  ...,  397,  398,  399]],\n"
                 "\n"
                 "          [[ 400,  401,  402,  ...,  597,  598,  599]],\n"
                 "\n"
                 "          ...,\n"
                 "\n"
                 "          [[ 800,  801,  802,  ...,  997,  998,  999]],\n"
                 "\n"
                 "          [[1000, 1001, 1002,  ..., 1197, 1198, 1199]],\n"
                 "\n"
                 "          [[1200, 1201, 1202,  ..., 1397, 1398, 1399]]]]])"},
    {.dtype = WN_F32, .ndim = 2, .shape = {1100, 1}, .nvalues = 2, .f = (const double[]){1, 2},
     .expected = "tensor([[1.],\n"
                 "        [2.],\n"
                 "        [1.],\n"
                 "        ...,\n"
                 "        [2.],\n"
                 "        [1.],\n"
                 "        [2.]])"},
    {.dtype = WN_F32, .ndim = 2, .shape = {1, 1100}, .nvalues = 2, .f = (const double[]){1, 2},
     .expected = "tensor([[1., 2., 1.,  ..., 2., 1., 2.]])"},
    {.dtype = WN_F64, .ndim = 10, .shape = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1100}, .nvalues = 2,
     .f = (const double[]){1e-200, -1e+200},
     .expected = "tensor([[[[[[[[[[ 1.0000e-200, -1.0000e+200,  1.0000e-200,  ...,\n"
                 "                 -1.0000e+200,  1.0000e-200, -1.0000e+200]]]]]]]]]],\n"
                 "       dtype=torch.float64)"},
    {.dtype = WN_I64, .ndim = 1, .shape = {1002}, .nvalues = 6,
     .i = (const int64_t[]){1, 2, 3, INT64_C(1000000000000), INT64_C(1000000000000), INT64_C(1000000000000)},
     .expected = "tensor([            1,             2,             3,  ...,\n"
                 "        1000000000000, 1000000000000, 1000000000000])"},
    {.dtype = WN_F32, .ndim = 2, .shape = {3, 2}, .view = true, .strides = {1, 3}, .step = 1, .nvalues = 1,
     .f = (const double[]){0},
     .expected = "tensor([[0., 3.],\n"
                 "        [1., 4.],\n"
                 "        [2., 5.]])"},
    {.dtype = WN_F32, .ndim = 1, .shape = {4}, .view = true, .strides = {3}, .step = 1, .nvalues = 1,
     .f = (const double[]){0},
     .expected = "tensor([0., 3., 6., 9.])"},
    {.dtype = WN_F32, .ndim = 2, .shape = {3, 4}, .view = true, .strides = {0, 1}, .nvalues = 4,
     .f = (const double[]){1, 2, 3, 4},
     .expected = "tensor([[1., 2., 3., 4.],\n"
                 "        [1., 2., 3., 4.],\n"
                 "        [1., 2., 3., 4.]])"},
    {.dtype = WN_I64, .ndim = 2, .shape = {3, 4}, .view = true, .strides = {1, 0}, .nvalues = 4,
     .i = (const int64_t[]){1, 2, 3, 4},
     .expected = "tensor([[1, 1, 1, 1],\n"
                 "        [2, 2, 2, 2],\n"
                 "        [3, 3, 3, 3]])"},
    {.dtype = WN_F64, .ndim = 3, .shape = {2, 3, 2}, .view = true, .strides = {1, 4, 2}, .step = 0.5, .nvalues = 1,
     .f = (const double[]){0},
     .expected = "tensor([[[0.0000, 1.0000],\n"
                 "         [2.0000, 3.0000],\n"
                 "         [4.0000, 5.0000]],\n"
                 "\n"
                 "        [[0.5000, 1.5000],\n"
                 "         [2.5000, 3.5000],\n"
                 "         [4.5000, 5.5000]]], dtype=torch.float64)"},
    {.dtype = WN_I64, .ndim = 2, .shape = {60, 50}, .view = true, .strides = {1, 60}, .step = 1, .nvalues = 1,
     .i = (const int64_t[]){0},
     .expected = "tensor([[   0,   60,  120,  ..., 2820, 2880, 2940],\n"
                 "        [   1,   61,  121,  ..., 2821, 2881, 2941],\n"
                 "        [   2,   62,  122,  ..., 2822, 2882, 2942],\n"
                 "        ...,\n"
                 "        [  57,  117,  177,  ..., 2877, 2937, 2997],\n"
                 "        [  58,  118,  178,  ..., 2878, 2938, 2998],\n"
                 "        [  59,  119,  179,  ..., 2879, 2939, 2999]])"},
    {.dtype = WN_I64, .ndim = 1, .shape = {2000}, .view = true, .strides = {0}, .nvalues = 1,
     .i = (const int64_t[]){7},
     .expected = "tensor([7, 7, 7,  ..., 7, 7, 7])"},
    {.dtype = WN_BOOL, .ndim = 2, .shape = {3, 3}, .view = true, .strides = {1, 3}, .nvalues = 2,
     .i = (const int64_t[]){1, 0},
     .expected = "tensor([[ True, False,  True],\n"
                 "        [False,  True, False],\n"
                 "        [ True, False,  True]])"},
    {.dtype = WN_F16, .ndim = 2, .shape = {2, 2}, .view = true, .strides = {4, 2}, .nvalues = 8,
     .f = (const double[]){1, 2, 3, 4, 5, 6, 7, 8},
     .expected = "tensor([[1., 3.],\n"
                 "        [5., 7.]], dtype=torch.float16)"},
    {.dtype = WN_U8, .ndim = 1, .shape = {5}, .view = true, .strides = {5}, .step = 10, .nvalues = 1,
     .i = (const int64_t[]){0},
     .expected = "tensor([  0,  50, 100, 150, 200], dtype=torch.uint8)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {0, 3}, .view = true, .strides = {1, 2},
     .expected = "tensor([], size=(0, 3))"},
    {.dtype = WN_BF16, .ndim = 2, .shape = {2, 2}, .view = true, .strides = {1, 2}, .nvalues = 4,
     .f = (const double[]){1.5, -2, 3, -4},
     .expected = "tensor([[ 1.5000,  3.0000],\n"
                 "        [-2.0000, -4.0000]], dtype=torch.bfloat16)"},
    {.dtype = WN_F32, .ndim = 0, .view = true, .strides = {}, .nvalues = 1, .f = (const double[]){2.5},
     .expected = "tensor(2.5000)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {3, 2}, .view = true, .strides = {1, 3}, .grad = true, .step = 1,
     .nvalues = 1, .f = (const double[]){0},
     .expected = "tensor([[0., 3.],\n"
                 "        [1., 4.],\n"
                 "        [2., 5.]], requires_grad=True)"},
    {.dtype = WN_F64, .fallback = WN_F64, .ndim = 1, .shape = {2}, .nvalues = 2, .f = (const double[]){1, 2.5},
     .expected = "tensor([1.0000, 2.5000])"},
    {.dtype = WN_F32, .fallback = WN_F64, .ndim = 1, .shape = {2}, .nvalues = 2, .f = (const double[]){1, 2.5},
     .expected = "tensor([1.0000, 2.5000], dtype=torch.float32)"},
    {.dtype = WN_F16, .fallback = WN_F16, .ndim = 1, .shape = {2}, .nvalues = 2, .f = (const double[]){1, 2.5},
     .expected = "tensor([1.0000, 2.5000])"},
    {.dtype = WN_F32, .fallback = WN_BF16, .ndim = 0, .nvalues = 1, .f = (const double[]){1},
     .expected = "tensor(1., dtype=torch.float32)"},
    {.dtype = WN_I64, .fallback = WN_F64, .ndim = 1, .shape = {2}, .nvalues = 2, .i = (const int64_t[]){1, 2},
     .expected = "tensor([1, 2])"},
    {.dtype = WN_I32, .fallback = WN_F64, .ndim = 1, .shape = {2}, .nvalues = 2, .i = (const int64_t[]){1, 2},
     .expected = "tensor([1, 2], dtype=torch.int32)"},
    {.dtype = WN_BOOL, .fallback = WN_F64, .ndim = 1, .shape = {2}, .nvalues = 2, .i = (const int64_t[]){1, 0},
     .expected = "tensor([ True, False])"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 2}, .grad = true, .nvalues = 2, .f = (const double[]){1, 2.5},
     .expected = "tensor([[1.0000, 2.5000],\n"
                 "        [1.0000, 2.5000]], requires_grad=True)"},
    {.dtype = WN_F32, .ndim = 0, .grad = true, .nvalues = 1, .f = (const double[]){1},
     .expected = "tensor(1., requires_grad=True)"},
    {.dtype = WN_F64, .ndim = 1, .shape = {3}, .grad = true, .nvalues = 3, .f = (const double[]){1, 2.5, 1e+09},
     .expected = "tensor([1.0000e+00, 2.5000e+00, 1.0000e+09], dtype=torch.float64,\n"
                 "       requires_grad=True)"},
    {.dtype = WN_BF16, .ndim = 2, .shape = {2, 2}, .grad = true, .nvalues = 2, .f = (const double[]){1, 2.5},
     .expected = "tensor([[1.0000, 2.5000],\n"
                 "        [1.0000, 2.5000]], dtype=torch.bfloat16, requires_grad=True)"},
    {.dtype = WN_F64, .ndim = 1, .shape = {2}, .grad = true, .nvalues = 2, .f = (const double[]){-1.5, 2.25},
     .expected = "tensor([-1.5000,  2.2500], dtype=torch.float64, requires_grad=True)"},
    {.dtype = WN_F64, .ndim = 1, .shape = {3}, .grad = true, .nvalues = 2, .f = (const double[]){-1.5, 2.25},
     .expected = "tensor([-1.5000,  2.2500, -1.5000], dtype=torch.float64, requires_grad=True)"},
    {.dtype = WN_F64, .ndim = 1, .shape = {4}, .grad = true, .nvalues = 2, .f = (const double[]){-1.5, 2.25},
     .expected = "tensor([-1.5000,  2.2500, -1.5000,  2.2500], dtype=torch.float64,\n"
                 "       requires_grad=True)"},
    {.dtype = WN_F64, .ndim = 1, .shape = {5}, .grad = true, .nvalues = 2, .f = (const double[]){-1.5, 2.25},
     .expected = "tensor([-1.5000,  2.2500, -1.5000,  2.2500, -1.5000], dtype=torch.float64,\n"
                 "       requires_grad=True)"},
    {.dtype = WN_F64, .ndim = 1, .shape = {6}, .grad = true, .nvalues = 2, .f = (const double[]){-1.5, 2.25},
     .expected = "tensor([-1.5000,  2.2500, -1.5000,  2.2500, -1.5000,  2.2500],\n"
                 "       dtype=torch.float64, requires_grad=True)"},
    {.dtype = WN_F64, .ndim = 1, .shape = {7}, .grad = true, .nvalues = 2, .f = (const double[]){-1.5, 2.25},
     .expected = "tensor([-1.5000,  2.2500, -1.5000,  2.2500, -1.5000,  2.2500, -1.5000],\n"
                 "       dtype=torch.float64, requires_grad=True)"},
    {.dtype = WN_F64, .ndim = 1, .shape = {8}, .grad = true, .nvalues = 2, .f = (const double[]){-1.5, 2.25},
     .expected = "tensor([-1.5000,  2.2500, -1.5000,  2.2500, -1.5000,  2.2500, -1.5000,  2.2500],\n"
                 "       dtype=torch.float64, requires_grad=True)"},
    {.dtype = WN_F64, .ndim = 1, .shape = {9}, .grad = true, .nvalues = 2, .f = (const double[]){-1.5, 2.25},
     .expected = "tensor([-1.5000,  2.2500, -1.5000,  2.2500, -1.5000,  2.2500, -1.5000,  2.2500,\n"
                 "        -1.5000], dtype=torch.float64, requires_grad=True)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 4}, .grad = true, .nvalues = 1, .f = (const double[]){1.5},
     .expected = "tensor([[1.5000, 1.5000, 1.5000, 1.5000],\n"
                 "        [1.5000, 1.5000, 1.5000, 1.5000]], requires_grad=True)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 5}, .grad = true, .nvalues = 1, .f = (const double[]){1.5},
     .expected = "tensor([[1.5000, 1.5000, 1.5000, 1.5000, 1.5000],\n"
                 "        [1.5000, 1.5000, 1.5000, 1.5000, 1.5000]], requires_grad=True)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 6}, .grad = true, .nvalues = 1, .f = (const double[]){1.5},
     .expected = "tensor([[1.5000, 1.5000, 1.5000, 1.5000, 1.5000, 1.5000],\n"
                 "        [1.5000, 1.5000, 1.5000, 1.5000, 1.5000, 1.5000]], requires_grad=True)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 7}, .grad = true, .nvalues = 1, .f = (const double[]){1.5},
     .expected = "tensor([[1.5000, 1.5000, 1.5000, 1.5000, 1.5000, 1.5000, 1.5000],\n"
                 "        [1.5000, 1.5000, 1.5000, 1.5000, 1.5000, 1.5000, 1.5000]],\n"
                 "       requires_grad=True)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 8}, .grad = true, .nvalues = 1, .f = (const double[]){1.5},
     .expected = "tensor([[1.5000, 1.5000, 1.5000, 1.5000, 1.5000, 1.5000, 1.5000, 1.5000],\n"
                 "        [1.5000, 1.5000, 1.5000, 1.5000, 1.5000, 1.5000, 1.5000, 1.5000]],\n"
                 "       requires_grad=True)"},
    {.dtype = WN_I32, .ndim = 1, .shape = {13}, .step = 1, .nvalues = 1, .i = (const int64_t[]){0},
     .expected = "tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12], dtype=torch.int32)"},
    {.dtype = WN_I32, .ndim = 1, .shape = {14}, .step = 1, .nvalues = 1, .i = (const int64_t[]){0},
     .expected = "tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13],\n"
                 "       dtype=torch.int32)"},
    {.dtype = WN_I32, .ndim = 1, .shape = {15}, .step = 1, .nvalues = 1, .i = (const int64_t[]){0},
     .expected = "tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14],\n"
                 "       dtype=torch.int32)"},
    {.dtype = WN_I32, .ndim = 1, .shape = {16}, .step = 1, .nvalues = 1, .i = (const int64_t[]){0},
     .expected = "tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15],\n"
                 "       dtype=torch.int32)"},
    {.dtype = WN_I32, .ndim = 1, .shape = {17}, .step = 1, .nvalues = 1, .i = (const int64_t[]){0},
     .expected = "tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16],\n"
                 "       dtype=torch.int32)"},
    {.dtype = WN_I32, .ndim = 1, .shape = {18}, .step = 1, .nvalues = 1, .i = (const int64_t[]){0},
     .expected = "tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17],\n"
                 "       dtype=torch.int32)"},
    {.dtype = WN_I32, .ndim = 1, .shape = {19}, .step = 1, .nvalues = 1, .i = (const int64_t[]){0},
     .expected = "tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17,\n"
                 "        18], dtype=torch.int32)"},
    {.dtype = WN_I32, .ndim = 1, .shape = {20}, .step = 1, .nvalues = 1, .i = (const int64_t[]){0},
     .expected = "tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17,\n"
                 "        18, 19], dtype=torch.int32)"},
    {.dtype = WN_I32, .ndim = 1, .shape = {21}, .step = 1, .nvalues = 1, .i = (const int64_t[]){0},
     .expected = "tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17,\n"
                 "        18, 19, 20], dtype=torch.int32)"},
    {.dtype = WN_I32, .ndim = 1, .shape = {22}, .step = 1, .nvalues = 1, .i = (const int64_t[]){0},
     .expected = "tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17,\n"
                 "        18, 19, 20, 21], dtype=torch.int32)"},
    {.dtype = WN_I32, .ndim = 1, .shape = {23}, .step = 1, .nvalues = 1, .i = (const int64_t[]){0},
     .expected = "tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17,\n"
                 "        18, 19, 20, 21, 22], dtype=torch.int32)"},
    {.dtype = WN_F16, .ndim = 1, .shape = {5}, .nvalues = 1, .f = (const double[]){1.25},
     .expected = "tensor([1.2500, 1.2500, 1.2500, 1.2500, 1.2500], dtype=torch.float16)"},
    {.dtype = WN_F16, .ndim = 2, .shape = {2, 5}, .grad = true, .nvalues = 1, .f = (const double[]){1.25},
     .expected = "tensor([[1.2500, 1.2500, 1.2500, 1.2500, 1.2500],\n"
                 "        [1.2500, 1.2500, 1.2500, 1.2500, 1.2500]], dtype=torch.float16,\n"
                 "       requires_grad=True)"},
    {.dtype = WN_F16, .ndim = 1, .shape = {6}, .nvalues = 1, .f = (const double[]){1.25},
     .expected = "tensor([1.2500, 1.2500, 1.2500, 1.2500, 1.2500, 1.2500], dtype=torch.float16)"},
    {.dtype = WN_F16, .ndim = 2, .shape = {2, 6}, .grad = true, .nvalues = 1, .f = (const double[]){1.25},
     .expected = "tensor([[1.2500, 1.2500, 1.2500, 1.2500, 1.2500, 1.2500],\n"
                 "        [1.2500, 1.2500, 1.2500, 1.2500, 1.2500, 1.2500]], dtype=torch.float16,\n"
                 "       requires_grad=True)"},
    {.dtype = WN_F16, .ndim = 1, .shape = {7}, .nvalues = 1, .f = (const double[]){1.25},
     .expected = "tensor([1.2500, 1.2500, 1.2500, 1.2500, 1.2500, 1.2500, 1.2500],\n"
                 "       dtype=torch.float16)"},
    {.dtype = WN_F16, .ndim = 2, .shape = {2, 7}, .grad = true, .nvalues = 1, .f = (const double[]){1.25},
     .expected = "tensor([[1.2500, 1.2500, 1.2500, 1.2500, 1.2500, 1.2500, 1.2500],\n"
                 "        [1.2500, 1.2500, 1.2500, 1.2500, 1.2500, 1.2500, 1.2500]],\n"
                 "       dtype=torch.float16, requires_grad=True)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 3}, .fn = "add", .nvalues = 6,
     .f = (const double[]){2, -1, 1.5, 5, 6, -5},
     .expected = "tensor([[ 2.0000, -1.0000,  1.5000],\n"
                 "        [ 5.0000,  6.0000, -5.0000]], grad_fn=<AddBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 3}, .fn = "add", .nvalues = 6,
     .f = (const double[]){2, -4, 1, 8, 10, -12},
     .expected = "tensor([[  2.,  -4.,   1.],\n"
                 "        [  8.,  10., -12.]], grad_fn=<AddBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 3}, .fn = "sub", .nvalues = 6,
     .f = (const double[]){0, -3, -0.5, 3, 4, -7},
     .expected = "tensor([[ 0.0000, -3.0000, -0.5000],\n"
                 "        [ 3.0000,  4.0000, -7.0000]], grad_fn=<SubBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 3}, .fn = "mul", .nvalues = 6,
     .f = (const double[]){2, -4, 1, 8, 10, -12},
     .expected = "tensor([[  2.,  -4.,   1.],\n"
                 "        [  8.,  10., -12.]], grad_fn=<MulBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 3}, .fn = "div", .nvalues = 6,
     .f = (const double[]){0x1.555556p-2, -0x1.555556p-1, 0x1.555556p-3, 0x1.555556p0, 0x1.aaaaaap0, -2},
     .expected = "tensor([[ 0.3333, -0.6667,  0.1667],\n"
                 "        [ 1.3333,  1.6667, -2.0000]], grad_fn=<DivBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 3}, .fn = "neg", .nvalues = 6,
     .f = (const double[]){-1, 2, -0.5, -4, -5, 6},
     .expected = "tensor([[-1.0000,  2.0000, -0.5000],\n"
                 "        [-4.0000, -5.0000,  6.0000]], grad_fn=<NegBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 3}, .fn = "exp", .nvalues = 6,
     .f = (const double[]){0x1.5bf0a8p1, 0x1.152aaap-3, 0x1.a61298p0, 0x1.b4c902p5, 0x1.28d38ap7, 0x1.44e52p-9},
     .expected = "tensor([[2.7183e+00, 1.3534e-01, 1.6487e+00],\n"
                 "        [5.4598e+01, 1.4841e+02, 2.4788e-03]], grad_fn=<ExpBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 3}, .fn = "log1p", .nvalues = 6,
     .f = (const double[]){0x1.62e43p-1, 0x1.9c042p0, 0x1.c8ff7cp-3, 0x1.6aa6bcp1, 0x1.a1094ep1, 0x1.ce328ep1},
     .expected = "tensor([[0.6931, 1.6094, 0.2231],\n"
                 "        [2.8332, 3.2581, 3.6109]], grad_fn=<Log1PBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 3}, .fn = "expm1", .nvalues = 6,
     .f = (const double[]){0x1.b7e152p0, -0x1.bab556p-1, 0x1.4c2532p-1, 0x1.acc902p5, 0x1.26d38ap7, -0x1.febb1ap-1},
     .expected = "tensor([[  1.7183,  -0.8647,   0.6487],\n"
                 "        [ 53.5981, 147.4132,  -0.9975]], grad_fn=<Expm1Backward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 3}, .fn = "atan2", .nvalues = 6,
     .f = (const double[]){0x1.dac67p-2, -0x1.0468a8p1, 0x1.4978fap-2, 0x1.5977a6p-1, 0x1.63b4bcp-1, -0x1.21fd0ap1},
     .expected = "tensor([[ 0.4636, -2.0344,  0.3218],\n"
                 "        [ 0.6747,  0.6947, -2.2655]], grad_fn=<Atan2Backward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 3}, .fn = "sqrt", .nvalues = 6,
     .f = (const double[]){1, 2, 0.5, 4, 5, 6},
     .expected = "tensor([[1.0000, 2.0000, 0.5000],\n"
                 "        [4.0000, 5.0000, 6.0000]], grad_fn=<SqrtBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 3}, .fn = "rsqrt", .nvalues = 6,
     .f = (const double[]){1, 0.5, 2, 0.25, 0x1.99999ap-3, 0x1.555556p-3},
     .expected = "tensor([[1.0000, 0.5000, 2.0000],\n"
                 "        [0.2500, 0.2000, 0.1667]], grad_fn=<RsqrtBackward0>)"},
    {.dtype = WN_F32, .ndim = 0, .fn = "sum", .nvalues = 1, .f = (const double[]){2.5},
     .expected = "tensor(2.5000, grad_fn=<SumBackward0>)"},
    {.dtype = WN_F32, .ndim = 0, .fn = "mean", .nvalues = 1, .f = (const double[]){0x1.aaaaaap-2},
     .expected = "tensor(0.4167, grad_fn=<MeanBackward0>)"},
    {.dtype = WN_F32, .ndim = 0, .fn = "var", .nvalues = 1, .f = (const double[]){0x1.03dddep4},
     .expected = "tensor(16.2417, grad_fn=<VarBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 3}, .fn = "relu", .nvalues = 6,
     .f = (const double[]){1, 0, 0.5, 4, 5, 0},
     .expected = "tensor([[1.0000, 0.0000, 0.5000],\n"
                 "        [4.0000, 5.0000, 0.0000]], grad_fn=<ReluBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 3}, .fn = "leaky_relu", .nvalues = 6,
     .f = (const double[]){1, -0x1.47ae14p-6, 0.5, 4, 5, -0x1.eb851ep-5},
     .expected = "tensor([[ 1.0000, -0.0200,  0.5000],\n"
                 "        [ 4.0000,  5.0000, -0.0600]], grad_fn=<LeakyReluBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 3}, .fn = "log_softmax", .nvalues = 6,
     .f = (const double[]){-0x1.025a86p-1, -0x1.c096a2p1, -0x1.012d44p0, -0x1.5032b8p0, -0x1.40cadcp-2, -0x1.6a0656p3},
     .expected = "tensor([[ -0.5046,  -3.5046,  -1.0046],\n"
                 "        [ -1.3133,  -0.3133, -11.3133]], grad_fn=<LogSoftmaxBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 3}, .fn = "softmax", .nvalues = 6,
     .f = (const double[]){0x1.351e94p-1, 0x1.ec7c1cp-6, 0x1.76fb18p-2, 0x1.136486p-2, 0x1.764c24p-1, 0x1.99b126p-17},
     .expected = "tensor([[6.0375e-01, 3.0059e-02, 3.6619e-01],\n"
                 "        [2.6894e-01, 7.3105e-01, 1.2210e-05]], grad_fn=<SoftmaxBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 3}, .fn = "silu", .nvalues = 6,
     .f = (const double[]){0x1.764d5p-1, -0x1.e84152p-3, 0x1.3eb2fep-2, 0x1.f6ca82p1, 0x1.3ddbb8p2, -0x1.e62332p-7},
     .expected = "tensor([[ 0.7311, -0.2384,  0.3112],\n"
                 "        [ 3.9281,  4.9665, -0.0148]], grad_fn=<SiluBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 3}, .fn = "gelu", .nvalues = 6,
     .f = (const double[]){0x1.aec4bcp-1, -0x1.74bdp-5, 0x1.62075ep-2, 0x1.fffbdcp1, 0x1.3ffffcp2, -0.0},
     .expected = "tensor([[ 0.8413, -0.0455,  0.3457],\n"
                 "        [ 3.9999,  5.0000, -0.0000]], grad_fn=<GeluBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 3}, .fn = "sigmoid", .nvalues = 6,
     .f = (const double[]){0x1.764d5p-1, 0x1.e84152p-4, 0x1.3eb2fep-1, 0x1.f6ca82p-1, 0x1.fc92c2p-1, 0x1.441776p-9},
     .expected = "tensor([[0.7311, 0.1192, 0.6225],\n"
                 "        [0.9820, 0.9933, 0.0025]], grad_fn=<SigmoidBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 3}, .fn = "tanh", .nvalues = 6,
     .f = (const double[]){0x1.85efacp-1, -0x1.ed9506p-1, 0x1.d9353ep-2, 0x1.ffa818p-1, 0x1.fff41ap-1, -0x1.fffe64p-1},
     .expected = "tensor([[ 0.7616, -0.9640,  0.4621],\n"
                 "        [ 0.9993,  0.9999, -1.0000]], grad_fn=<TanhBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 2}, .fn = "mm", .nvalues = 4, .f = (const double[]){5.25, -9, -9, 77},
     .expected = "tensor([[ 5.2500, -9.0000],\n"
                 "        [-9.0000, 77.0000]], grad_fn=<MmBackward0>)"},
    {.dtype = WN_F32, .ndim = 1, .shape = {2}, .fn = "mv", .nvalues = 2, .f = (const double[]){-0.5, 3},
     .expected = "tensor([-0.5000,  3.0000], grad_fn=<MvBackward0>)"},
    {.dtype = WN_F32, .ndim = 3, .shape = {1, 2, 2}, .fn = "bmm", .nvalues = 4,
     .f = (const double[]){5.25, -9, -9, 77},
     .expected = "tensor([[[ 5.2500, -9.0000],\n"
                 "         [-9.0000, 77.0000]]], grad_fn=<BmmBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 2}, .fn = "addmm", .nvalues = 4,
     .f = (const double[]){6.25, -8, -8, 78},
     .expected = "tensor([[ 6.2500, -8.0000],\n"
                 "        [-8.0000, 78.0000]], grad_fn=<AddmmBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {3, 2}, .fn = "t", .nvalues = 6,
     .f = (const double[]){1, 4, -2, 5, 0.5, -6},
     .expected = "tensor([[ 1.0000,  4.0000],\n"
                 "        [-2.0000,  5.0000],\n"
                 "        [ 0.5000, -6.0000]], grad_fn=<TBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {3, 2}, .fn = "view", .nvalues = 6,
     .f = (const double[]){1, -2, 0.5, 4, 5, -6},
     .expected = "tensor([[ 1.0000, -2.0000],\n"
                 "        [ 0.5000,  4.0000],\n"
                 "        [ 5.0000, -6.0000]], grad_fn=<ViewBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {3, 2}, .fn = "permute", .nvalues = 6,
     .f = (const double[]){1, 4, -2, 5, 0.5, -6},
     .expected = "tensor([[ 1.0000,  4.0000],\n"
                 "        [-2.0000,  5.0000],\n"
                 "        [ 0.5000, -6.0000]], grad_fn=<PermuteBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {3, 2}, .fn = "transpose", .nvalues = 6,
     .f = (const double[]){1, 4, -2, 5, 0.5, -6},
     .expected = "tensor([[ 1.0000,  4.0000],\n"
                 "        [-2.0000,  5.0000],\n"
                 "        [ 0.5000, -6.0000]], grad_fn=<TransposeBackward0>)"},
    {.dtype = WN_F32, .ndim = 1, .shape = {3}, .fn = "select", .nvalues = 3, .f = (const double[]){1, -2, 0.5},
     .expected = "tensor([ 1.0000, -2.0000,  0.5000], grad_fn=<SelectBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 1}, .fn = "slice", .nvalues = 2, .f = (const double[]){1, 4},
     .expected = "tensor([[1.],\n"
                 "        [4.]], grad_fn=<SliceBackward0>)"},
    {.dtype = WN_F32, .ndim = 3, .shape = {1, 2, 3}, .fn = "unsqueeze", .nvalues = 6,
     .f = (const double[]){1, -2, 0.5, 4, 5, -6},
     .expected = "tensor([[[ 1.0000, -2.0000,  0.5000],\n"
                 "         [ 4.0000,  5.0000, -6.0000]]], grad_fn=<UnsqueezeBackward0>)"},
    {.dtype = WN_F32, .ndim = 3, .shape = {2, 2, 3}, .fn = "expand", .nvalues = 12,
     .f = (const double[]){1, -2, 0.5, 4, 5, -6, 1, -2, 0.5, 4, 5, -6},
     .expected = "tensor([[[ 1.0000, -2.0000,  0.5000],\n"
                 "         [ 4.0000,  5.0000, -6.0000]],\n"
                 "\n"
                 "        [[ 1.0000, -2.0000,  0.5000],\n"
                 "         [ 4.0000,  5.0000, -6.0000]]], grad_fn=<ExpandBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {1, 3}, .fn = "index_select", .nvalues = 3,
     .f = (const double[]){4, 5, -6},
     .expected = "tensor([[ 4.,  5., -6.]], grad_fn=<IndexSelectBackward0>)"},
    {.dtype = WN_F32, .ndim = 1, .shape = {4}, .fn = "masked_select", .nvalues = 4,
     .f = (const double[]){1, 0.5, 4, 5},
     .expected = "tensor([1.0000, 0.5000, 4.0000, 5.0000], grad_fn=<MaskedSelectBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 3}, .fn = "masked_fill", .nvalues = 6,
     .f = (const double[]){9, -2, 9, 9, 9, -6},
     .expected = "tensor([[ 9., -2.,  9.],\n"
                 "        [ 9.,  9., -6.]], grad_fn=<MaskedFillBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 3}, .fn = "where", .nvalues = 6,
     .f = (const double[]){1, -4, 0.5, 4, 5, -12},
     .expected = "tensor([[  1.0000,  -4.0000,   0.5000],\n"
                 "        [  4.0000,   5.0000, -12.0000]], grad_fn=<WhereBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {4, 3}, .fn = "cat", .nvalues = 12,
     .f = (const double[]){1, -2, 0.5, 4, 5, -6, 1, -2, 0.5, 4, 5, -6},
     .expected = "tensor([[ 1.0000, -2.0000,  0.5000],\n"
                 "        [ 4.0000,  5.0000, -6.0000],\n"
                 "        [ 1.0000, -2.0000,  0.5000],\n"
                 "        [ 4.0000,  5.0000, -6.0000]], grad_fn=<CatBackward0>)"},
    {.dtype = WN_F32, .ndim = 3, .shape = {2, 2, 3}, .fn = "stack", .nvalues = 12,
     .f = (const double[]){1, -2, 0.5, 4, 5, -6, 1, -2, 0.5, 4, 5, -6},
     .expected = "tensor([[[ 1.0000, -2.0000,  0.5000],\n"
                 "         [ 4.0000,  5.0000, -6.0000]],\n"
                 "\n"
                 "        [[ 1.0000, -2.0000,  0.5000],\n"
                 "         [ 4.0000,  5.0000, -6.0000]]], grad_fn=<StackBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 3}, .fn = "cumsum", .nvalues = 6,
     .f = (const double[]){1, -2, 0.5, 5, 3, -5.5},
     .expected = "tensor([[ 1.0000, -2.0000,  0.5000],\n"
                 "        [ 5.0000,  3.0000, -5.5000]], grad_fn=<CumsumBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 3}, .fn = "clone", .nvalues = 6,
     .f = (const double[]){1, -2, 0.5, 4, 5, -6},
     .expected = "tensor([[ 1.0000, -2.0000,  0.5000],\n"
                 "        [ 4.0000,  5.0000, -6.0000]], grad_fn=<CloneBackward0>)"},
    {.dtype = WN_F32, .ndim = 4, .shape = {1, 1, 2, 2}, .fn = "max_pool2d_with_indices", .nvalues = 4,
     .f = (const double[]){5, 7, 13, 15},
     .expected = "tensor([[[[ 5.,  7.],\n"
                 "          [13., 15.]]]], grad_fn=<MaxPool2DWithIndicesBackward0>)"},
    {.dtype = WN_F32, .ndim = 4, .shape = {1, 1, 2, 2}, .fn = "avg_pool2d", .nvalues = 4,
     .f = (const double[]){2.5, 4.5, 10.5, 12.5},
     .expected = "tensor([[[[ 2.5000,  4.5000],\n"
                 "          [10.5000, 12.5000]]]], grad_fn=<AvgPool2DBackward0>)"},
    {.dtype = WN_F32, .ndim = 4, .shape = {1, 1, 8, 8}, .fn = "upsample_nearest2d", .nvalues = 64,
     .f = (const double[]){0, 0, 1, 1, 2, 2, 3, 3, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9,
         10, 10, 11, 11, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15, 12, 12, 13, 13, 14, 14, 15, 15},
     .expected = "tensor([[[[ 0.,  0.,  1.,  1.,  2.,  2.,  3.,  3.],\n"
                 "          [ 0.,  0.,  1.,  1.,  2.,  2.,  3.,  3.],\n"
                 "          [ 4.,  4.,  5.,  5.,  6.,  6.,  7.,  7.],\n"
                 "          [ 4.,  4.,  5.,  5.,  6.,  6.,  7.,  7.],\n"
                 "          [ 8.,  8.,  9.,  9., 10., 10., 11., 11.],\n"
                 "          [ 8.,  8.,  9.,  9., 10., 10., 11., 11.],\n"
                 "          [12., 12., 13., 13., 14., 14., 15., 15.],\n"
                 "          [12., 12., 13., 13., 14., 14., 15., 15.]]]],\n"
                 "       grad_fn=<UpsampleNearest2DBackward0>)"},
    {.dtype = WN_F32, .ndim = 4, .shape = {1, 1, 3, 3}, .fn = "convolution", .nvalues = 9,
     .f = (const double[]){10, 14, 18, 26, 30, 34, 42, 46, 50},
     .expected = "tensor([[[[10., 14., 18.],\n"
                 "          [26., 30., 34.],\n"
                 "          [42., 46., 50.]]]], grad_fn=<ConvolutionBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 3}, .fn = "native_layer_norm", .nvalues = 6,
     .f = (const double[]){0x1.c72ac8p-1, -0x1.65a19ep0, 0x1.041872p-1, 0x1.3544c8p-1, 0x1.9c5bb4p-1, -0x1.68d03ep0},
     .expected = "tensor([[ 0.8890, -1.3970,  0.5080],\n"
                 "        [ 0.6040,  0.8054, -1.4094]], grad_fn=<NativeLayerNormBackward0>)"},
    {.dtype = WN_F32, .ndim = 0, .fn = "nll_loss", .nvalues = 1, .f = (const double[]){-3},
     .expected = "tensor(-3., grad_fn=<NllLossBackward0>)"},
    {.dtype = WN_F32, .ndim = 0, .fn = "mse_loss", .nvalues = 1, .f = (const double[]){0x1.b6aaaap3},
     .expected = "tensor(13.7083, grad_fn=<MseLossBackward0>)"},
    {.dtype = WN_F32, .ndim = 0, .fn = "binary_cross_entropy_with_logits", .nvalues = 1,
     .f = (const double[]){0x1.e82cep0},
     .expected = "tensor(1.9069, grad_fn=<BinaryCrossEntropyWithLogitsBackward0>)"},
    {.dtype = WN_F64, .ndim = 2, .shape = {2, 3}, .fn = "mul", .nvalues = 6,
     .f = (const double[]){2, -4, 1, 8, 10, -12},
     .expected = "tensor([[  2.,  -4.,   1.],\n"
                 "        [  8.,  10., -12.]], dtype=torch.float64, grad_fn=<MulBackward0>)"},
    {.dtype = WN_F32, .ndim = 1, .shape = {6}, .fn = "mul", .step = 1.5, .nvalues = 1, .f = (const double[]){0},
     .expected = "tensor([0.0000, 1.5000, 3.0000, 4.5000, 6.0000, 7.5000],\n"
                 "       grad_fn=<MulBackward0>)"},
    {.dtype = WN_F32, .ndim = 1, .shape = {8}, .fn = "mul", .step = 1.5, .nvalues = 1, .f = (const double[]){0},
     .expected = "tensor([ 0.0000,  1.5000,  3.0000,  4.5000,  6.0000,  7.5000,  9.0000, 10.5000],\n"
                 "       grad_fn=<MulBackward0>)"},
    {.dtype = WN_F32, .ndim = 1, .shape = {1200}, .fn = "mul", .step = 1, .nvalues = 1, .f = (const double[]){0},
     .expected = "tensor([0.0000e+00, 1.0000e+00, 2.0000e+00,  ..., 1.1970e+03, 1.1980e+03,\n"
                 "        1.1990e+03], grad_fn=<MulBackward0>)"},
    {.dtype = WN_F32, .ndim = 2, .shape = {2, 3}, .fn = "MyFn", .nvalues = 6,
     .f = (const double[]){2, -4, 1, 8, 10, -12},
     .expected = "tensor([[  2.,  -4.,   1.],\n"
                 "        [  8.,  10., -12.]], grad_fn=<MyFnBackward>)"},
};
