/* Nodes' names (grad_fn=<AddBackward0>), which rows' .title says. Expected values are torch's (2.13), but for what its composites record. */
#include "check.h"

static bool named(wn_tensor *t, const char *name) {
    char text[64];
    wn_node *n = wn_node_of(t);
    bool ok = wn_node_name(n, text, sizeof text) == strlen(name) && !strcmp(text, name);
    if (!ok) printf("    it is %s\n", text);
    wn_node_drop(n);
    return ok;
}
#define NAMED(t, name) check_(named((t), name), #t " is made by " name, __LINE__)

static void test_names(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_requires_grad(wn_full(WN_DIMS(3, 4), 0.5), true), *y = wn_full(WN_DIMS(3, 4), 0.25), *v = wn_select(x, 0, 0);
    wn_tensor *m = wn_gt(y, 0), *b3 = wn_view(x, WN_DIMS(1, 3, 4)), *yt = wn_t(y), *zero = wn_arange(1);
    wn_tensor *img = wn_requires_grad(wn_ones(WN_DIMS(1, 2, 6, 6)), true), *one = wn_ones(WN_0D);
    NAMED(wn_add(x, 1), "AddBackward0");
    NAMED(wn_sub(x, y), "SubBackward0");
    NAMED(wn_sub(1, x), "RsubBackward1");
    NAMED(wn_mul(x, y), "MulBackward0");
    NAMED(wn_div(x, 2), "DivBackward0");
    NAMED(wn_div(2, x), "MulBackward0");
    NAMED(wn_remainder(x, 2), "RemainderBackward0");
    NAMED(wn_remainder(x, y), "RemainderBackward1");
    NAMED(wn_remainder(y, x), "RemainderBackward1");
    NAMED(wn_fmod(x, 2), "FmodBackward0");
    NAMED(wn_fmod(x, y), "FmodBackward1");
    NAMED(wn_pow(x, 2), "PowBackward0");
    NAMED(wn_pow(x, y), "PowBackward1");
    NAMED(wn_pow(y, x), "PowBackward1");
    NAMED(wn_pow(2, x), "PowBackward2");
    NAMED(wn_square(x), "PowBackward0");
    NAMED(wn_lerp(x, y, 0.5), "LerpBackward0");
    NAMED(wn_lerp(x, y, y), "LerpBackward1");
    NAMED(wn_clamp_min(x, 0), "ClampMinBackward0");
    NAMED(wn_clamp_max(x, y), "ClampMaxBackward1");
    NAMED(wn_masked_fill(x, m, 0), "MaskedFillBackward0");
    NAMED(wn_where(m, x, y), "WhereBackward0");
    NAMED(wn_log1p(x), "Log1PBackward0");
    NAMED(wn_atan2(x, y), "Atan2Backward0");
    NAMED(wn_leaky_relu(x), "LeakyReluBackward0");
    NAMED(wn_matmul(x, yt), "MmBackward0");
    NAMED(wn_matmul(v, wn_select(y, 0, 0)), "DotBackward0");
    NAMED(wn_matmul(x, wn_select(y, 0, 0)), "MvBackward0");
    NAMED(wn_matmul(v, yt), "SqueezeBackward4");
    NAMED(wn_matmul(b3, yt), "UnsafeViewBackward0");
    NAMED(wn_mm(x, yt), "MmBackward0");
    NAMED(wn_addmm(wn_ones(WN_DIMS(3, 3)), x, yt), "AddmmBackward0");
    NAMED(wn_linear(x, y, wn_ones(WN_DIMS(3))), "AddmmBackward0");
    NAMED(wn_linear(x, y), "MmBackward0");
    NAMED(wn_linear(b3, y), "UnsafeViewBackward0");
    NAMED(wn_linear(b3, y, wn_ones(WN_DIMS(3))), "ViewBackward0");
    NAMED(wn_conv2d(img, wn_ones(WN_DIMS(3, 2, 3, 3))), "ConvolutionBackward0");
    NAMED(wn_max_pool2d(img, WN_DIMS(2, 2)), "MaxPool2DWithIndicesBackward0");
    NAMED(wn_avg_pool2d(img, WN_DIMS(2, 2)), "AvgPool2DBackward0");
    NAMED(wn_sum(x), "SumBackward0");
    NAMED(wn_sum(x, .dims = WN_DIMS(0)), "SumBackward1");
    NAMED(wn_mean(x), "MeanBackward0");
    NAMED(wn_mean(x, .dims = WN_DIMS(0, 1)), "MeanBackward1");
    NAMED(wn_prod(x, .dims = WN_DIMS(0)), "ProdBackward1");
    NAMED(wn_amax(x), "AmaxBackward0");
    NAMED(wn_max(x), "MaxBackward1");
    NAMED(wn_min_dim(x, 0).values, "MinBackward0");
    NAMED(wn_var(x), "VarBackward0");
    NAMED(wn_softmax(x, 0), "SoftmaxBackward0");
    NAMED(wn_sort(x).values, "SortBackward0");
    NAMED(wn_norm(x), "LinalgVectorNormBackward0");
    NAMED(wn_clone(x), "CloneBackward0");
    NAMED(wn_contiguous(wn_t(x)), "CloneBackward0");
    NAMED(wn_to(x, WN_F64), "ToCopyBackward0");
    NAMED(wn_copy_(wn_clone(y), x), "CopyBackwards");
    NAMED(wn_fill_(wn_clone(x), 1), "FillBackward2");
    NAMED(wn_zero_(wn_clone(x)), "ZeroBackward0");
    NAMED(wn_index_select(x, 0, zero), "IndexSelectBackward0");
    NAMED(wn_embedding(x, zero), "EmbeddingBackward0");
    NAMED(wn_view(x, WN_DIMS(12)), "ViewBackward0");
    NAMED(wn_reshape(x, WN_DIMS(-1)), "ViewBackward0");
    NAMED(wn_t(x), "TBackward0");
    NAMED(wn_mT(x), "TransposeBackward0");
    NAMED(wn_transpose(x, 0, 1), "TransposeBackward0");
    NAMED(wn_movedim(x, 0, 1), "PermuteBackward0");
    NAMED(wn_expand(x, WN_DIMS(2, 3, 4)), "ExpandBackward0");
    NAMED(wn_squeeze(b3), "SqueezeBackward0");
    NAMED(wn_squeeze_dim(b3, 0), "SqueezeBackward1");
    NAMED(wn_unsqueeze(x, 0), "UnsqueezeBackward0");
    NAMED(wn_narrow(x, 0, 0, 1), "SliceBackward0");
    NAMED(wn_as_strided(x, WN_DIMS(2), WN_DIMS(1)), "AsStridedBackward0");
    NAMED(wn_at(wn_unbind(x), 0), "UnbindBackward0");
    NAMED(wn_at(wn_split(x, 1), 0), "SplitBackward0");
    NAMED(wn_at(wn_split_with_sizes(x, WN_DIMS(1, 2)), 0), "SplitWithSizesBackward0");
    NAMED(wn_at(wn_chunk(x, 2), 0), "SplitBackward0");
    NAMED(wn_cat(WN_LIST(x, y)), "CatBackward0");
    NAMED(wn_cross_entropy(x, wn_zeros(WN_DIMS(3), .dtype = WN_I64)), "NllLossBackward0");
    NAMED(wn_native_layer_norm(x, WN_DIMS(4), NULL, NULL, 1e-5).out, "NativeLayerNormBackward0");
    NAMED(wn_add_(wn_clone(x), 1), "AddBackward0");
    NAMED(wn_mul(x, one), "MulBackward0");
    wn_tensor *base = wn_clone(x), *part = wn_select(base, 0, 0), *other = wn_select(base, 0, 1);
    CHECK(wn_ok(wn_mul_(part, 2)));
    NAMED(base, "CopySlices");
    NAMED(part, "AsStridedBackward0");
    /* a view whose base got a history after it was made */
    char text[512];
    base = wn_zeros(WN_DIMS(2));
    other = wn_select(base, 0, 1);
    CHECK(wn_ok(wn_copy_(base, wn_slice(wn_select(x, 0, 0), 0, 0, 2))));
    wn_repr(other, text, sizeof text);
    CHECK(!strcmp(text, "tensor(0.5000, grad_fn=<AsStridedBackward0>)") && !strcmp(wn_grad_fn(other), "as_strided"));
    NAMED(other, "AsStridedBackward0");
    CHECK(wn_node_of(x) == NULL && wn_node_of(y) == NULL && wn_node_of(NULL) == NULL && wn_error() == WN_OK);
    CHECK(wn_node_name(NULL, NULL, 0) == 4);
}

/* What .title says: numbers of overloads by what is given and what is a plain number, names that are another operation's. */
static void test_titles(void) {
    WN_SCOPE(s);
    wn_tensor *x = wn_requires_grad(wn_full(WN_DIMS(3, 4), 0.5), true), *y = wn_full(WN_DIMS(3, 4), 0.25), *m = wn_gt(y, 0), *to = wn_zeros(WN_DIMS(3, 4), .dtype = WN_I64);
    NAMED(wn_min(x), "MinBackward1");
    NAMED(wn_prod(x), "ProdBackward0");
    NAMED(wn_median(x), "MedianBackward0");
    NAMED(wn_median_dim(x, 0).values, "MedianBackward1");
    NAMED(wn_nanmedian(x), "NanmedianBackward0");
    NAMED(wn_nanmedian_dim(x, 0).values, "NanmedianBackward1");
    NAMED(wn_max_dim(x, 0).values, "MaxBackward0");
    NAMED(wn_sort(x, .stable = true).values, "SortBackward1");
    NAMED(wn_rsub(x, 2), "RsubBackward1");
    NAMED(wn_rsub(x, y), "RsubBackward0");
    NAMED(wn_div_mode(x, y, "trunc"), "DivBackward2");
    NAMED(wn_div_mode(x, 2, .rounding_mode = NULL), "DivBackward0");
    NAMED(wn_round_decimals(x, 1), "RoundBackward1");
    NAMED(wn_gelu_tanh(x), "GeluBackward0");
    NAMED(wn_relu6(x), "HardtanhBackward0");
    NAMED(wn_selu(x), "EluBackward0");
    NAMED(wn_softsign(x), "DivBackward0");
    NAMED(wn_tanhshrink(x), "SubBackward0");
    NAMED(wn_logsigmoid(x), "LogSigmoidBackward0");
    NAMED(wn_i0e(x), "SpecialI0EBackward0");
    NAMED(wn_i1(x), "SpecialI1Backward0");
    NAMED(wn_i1e(x), "SpecialI1EBackward0");
    NAMED(wn_ndtr(x), "MulBackward1");
    NAMED(wn_log_ndtr(x), "SpecialLogNdtrBackward0");
    NAMED(wn_ndtri(x), "SpecialNdtriBackward0");
    NAMED(wn_erfcx(x), "SpecialErfcxBackward0");
    NAMED(wn_entr(x), "SpecialEntrBackward0");
    NAMED(wn_zeta(y, x), "SpecialZetaBackward0");
    NAMED(wn_zeta(2, x), "SpecialZetaBackward1");
    NAMED(wn_zeta(x, 2), "SpecialZetaBackward2");
    NAMED(wn_xlog1py(y, x), "SpecialXlog1PyBackward0");
    NAMED(wn_xlog1py(2, x), "SpecialXlog1PyBackward1");
    NAMED(wn_xlog1py(x, 2), "SpecialXlog1PyBackward2");
    NAMED(wn_xlogy(y, x), "XlogyBackward0");
    NAMED(wn_xlogy(2, x), "XlogyBackward1");
    NAMED(wn_xlogy(x, 2), "XlogyBackward2");
    NAMED(wn_copysign(x, y), "CopysignBackward0");
    NAMED(wn_copysign(x, 2), "CopysignBackward1");
    NAMED(wn_clamp_min(x, y), "ClampMinBackward1");
    NAMED(wn_clamp_max(x, 1), "ClampMaxBackward0");
    NAMED(wn_clamp(x, 0, 1), "ClampBackward1");
    NAMED(wn_clamp(x, 0, WN_NONE), "ClampMinBackward0");
    NAMED(wn_clamp_tensor(x, y, y), "ClampBackward0");
    NAMED(wn_clamp_range(x, 0, y), "ClampBackward1");
    NAMED(wn_clamp_range(x, y, 1), "ClampBackward1");
    NAMED(wn_masked_fill_tensor(x, m, wn_ones(WN_0D)), "WhereBackward0");
    NAMED(wn_scatter(x, 0, to, y), "ScatterBackward0");
    NAMED(wn_scatter_value(x, 0, to, 1), "ScatterBackward0");
    NAMED(wn_scatter_reduce(x, 0, to, y, "sum"), "ScatterReduceBackward0");
    NAMED(wn_scatter_reduce(x, 0, to, y, "amax"), "ScatterReduceBackward0");
    NAMED(wn_fill_tensor_(wn_clone(x), wn_ones(WN_0D)), "CopyBackwards");
    NAMED(wn_bernoulli_p_(wn_clone(x), 0.5), "BernoulliBackward2");
    NAMED(wn_cdist(x, y), "CdistBackward0");
    NAMED(wn_einsum("ij,kj->ik", x, y), "ViewBackward0");
    NAMED(wn_movedim_list(x, WN_DIMS(0), WN_DIMS(1)), "PermuteBackward0");
    NAMED(wn_squeeze_dims(x, WN_DIMS(0, 1)), "SqueezeBackward2");
    NAMED(wn_diagonal_backward(wn_select(x, 0, 0), WN_DIMS(4, 4), 0, 0, 1), "DiagEmbedBackward0");
    NAMED(wn_tile(x, WN_DIMS(2, 1)), "RepeatBackward0");
    NAMED(wn_dropout(x, 0.5, true), "MulBackward0");
    NAMED(wn_nll_loss(x, wn_zeros(WN_DIMS(3), .dtype = WN_I64)), "NllLossBackward0");
    NAMED(wn_renorm_(wn_clone(x), 2, 0, 1), "CopyBackwards");
    NAMED(wn_mse_loss(x, y), "MseLossBackward0"); /* a composite's, of what it is made of */
    NAMED(wn_nansum(x, .dims = WN_DIMS(0)), "NansumBackward0");
    NAMED(wn_trace(wn_slice(x, 1, 0, 3)), "TraceBackward0");
}

/* Those that go by dimensions and modes. */
static void test_spatial_titles(void) {
    WN_SCOPE(s);
    wn_tensor *v = wn_requires_grad(wn_ones(WN_DIMS(4)), true), *one = wn_requires_grad(wn_ones(WN_DIMS(1, 2, 6)), true), *two = wn_requires_grad(wn_ones(WN_DIMS(1, 2, 6, 6)), true);
    wn_tensor *three = wn_requires_grad(wn_ones(WN_DIMS(1, 2, 6, 6, 6)), true), *y = wn_ones(WN_DIMS(3, 4));
    NAMED(wn_linear(v, y), "SqueezeBackward4");
    NAMED(wn_linear(v, y, wn_ones(WN_DIMS(3))), "ViewBackward0");
    NAMED(wn_matmul(wn_select(one, 0, 0), wn_ones(WN_DIMS(5, 6, 3))), "UnsafeViewBackward0");
    NAMED(wn_conv1d(one, wn_ones(WN_DIMS(3, 2, 3))), "ConvolutionBackward0");
    NAMED(wn_conv3d(three, wn_ones(WN_DIMS(3, 2, 3, 3, 3))), "ConvolutionBackward0");
    NAMED(wn_conv_transpose2d(two, wn_ones(WN_DIMS(2, 3, 3, 3))), "ConvolutionBackward0");
    NAMED(wn_group_norm(two, 2), "NativeGroupNormBackward0");
    NAMED(wn_scaled_dot_product_attention(two, two, two), "ScaledDotProductFlashAttentionForCpuBackward0");
    NAMED(wn_grid_sampler(two, wn_zeros(WN_DIMS(1, 5, 5, 2)), 0, 0, false), "GridSampler2DBackward0");
    NAMED(wn_grid_sampler(three, wn_zeros(WN_DIMS(1, 5, 5, 5, 3)), 0, 0, false), "GridSampler3DBackward0");
    NAMED(wn_pad(one, WN_DIMS(1, 1)), "ConstantPadNdBackward0");
    NAMED(wn_pad(one, WN_DIMS(1, 1), "reflect"), "ReflectionPad1DBackward0");
    NAMED(wn_pad(two, WN_DIMS(1, 1, 1, 1), "replicate"), "ReplicationPad2DBackward0");
    NAMED(wn_pad(three, WN_DIMS(1, 1, 1, 1, 1, 1), "circular"), "CopySlices");
    NAMED(wn_interpolate(one, WN_DIMS(9), .mode = "nearest"), "UpsampleNearest1DBackward0");
    NAMED(wn_interpolate(two, WN_DIMS(9, 9), .mode = "nearest-exact"), "UpsampleNearestExact2DBackward0");
    NAMED(wn_interpolate(one, WN_DIMS(9), .mode = "linear"), "UpsampleLinear1DBackward0");
    NAMED(wn_interpolate(two, WN_DIMS(9, 9), .mode = "bilinear"), "UpsampleBilinear2DBackward0");
    NAMED(wn_interpolate(two, WN_DIMS(3, 3), .mode = "bilinear", .antialias = true), "UpsampleBilinear2DAaBackward0");
    NAMED(wn_interpolate(two, WN_DIMS(9, 9), .mode = "bicubic"), "UpsampleBicubic2DBackward0");
    NAMED(wn_interpolate(three, WN_DIMS(9, 9, 9), .mode = "trilinear"), "UpsampleTrilinear3DBackward0");
    NAMED(wn_interpolate(two, WN_DIMS(3, 3), .mode = "area"), "AdaptiveAvgPool2DBackward0");
    NAMED(wn_interpolate(two, WN_DIMS(3, 3), .mode = "lanczos", .antialias = true), "ResampleBackward0");
}

int main(void) {
    test_names();
    test_titles();
    test_spatial_titles();
    CHECK(wn_error() == WN_OK);
    return report();
}
