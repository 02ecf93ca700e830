"""Where the module differs from torch on purpose.

By module name, a list of (entry, kind, dtype, reason); the first three are glob patterns (dtype "-" for checks that
have none). A failed check that matches is counted as a deviation. An item that no failed check needs any more is an
error.
"""

DEVIATIONS = {
    "winnow": [
        ("cumsum", "out-dtype", "*", "out= of a dtype that cannot hold the result is an error, as elsewhere"),
        ("cumprod", "out-dtype", "*", "out= of a dtype that cannot hold the result is an error, as elsewhere"),
        ("bernoulli", "out-dtype", "*", "out= of a dtype that cannot hold the result is an error, as elsewhere"),
        ("std", "out-dtype", "*float16", "torch refuses what winnow computes"),
        ("var", "out-dtype", "*float16", "torch refuses what winnow computes"),
        ("nn.functional.linear", "out", "*", "a strided out= keeps its strides"),
        ("matmul", "out", "*", "a strided out= keeps its strides"),
        ("cat", "out", "*", "an empty out= becomes row-major, not channels-last"),
        ("normal*", "out*", "*", "out= as for other operations: resized, converted"),
        ("nn.functional.gelu", "out", "*", "a strided out= is written; torch leaves it alone"),
        ("masked_select", "error", "-", "out= that overlaps an input works: the result is computed first"),
        ("gather", "error", "-", "out= that overlaps an input works: the result is computed first"),
        ("cat", "error", "-", "out= that overlaps an input works: the result is computed first"),
        ("nn.functional.conv_transpose3d", "*", "float32", "sums that cancel: as near to the exact result as torch's"),
        ("nn.functional.instance_norm", "*", "bfloat16", "running statistics are computed in float32 and rounded to bfloat16 once"),
        ("nn.functional.avg_pool3d", "out", "*", "a strided out= is written right; torch writes to it as if it were row-major"),
        ("nn.functional.embedding", "*", "*float16", "max_norm: norms are summed in float32"),
        ("masked.*", "gradgrad", "float64", "where nothing counts torch's second derivative is NaN, winnow's 0"),
        ("take", "error", "-", "out= that overlaps an input works: the result is computed first"),
        ("as_strided_scatter", "*grad", "*", "torch gives self the gradient of the elements that src replaced, and no other (its own tests expect that to fail)"),
        ("narrow_copy", "out", "*", "torch writes past a strided out='s strides"),
        ("narrow_copy", "error", "-", "a dim out of range is an IndexError, as in narrow"),
        ("split_with_sizes_copy", "out-grad", "*", "out= where a gradient is wanted is an error, as elsewhere"),
        ("kthvalue", "error", "-", "out= that overlaps an input works: the result is computed first"),
        ("diff", "out-dtype", "*", "n = 0 converts into out=, as other n do"),
        ("cov", "*", "float64", "float32 weights are summed in another order"),
        ("histc", "out-grad", "*", "out= with an argument that requires grad is an error, as elsewhere"),
        ("norm.nuc", "*", "*", "not there yet: needs a singular value decomposition (issue 6)"),
    ],
}
