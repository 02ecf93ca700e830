/* winnow.hpp: the C++ overlay of winnow.h, whose macros C++ cannot have.
 *
 *     wn::scope s;                                                // ends at the brace; results below live until then
 *     wn_tensor *x = wn::randn({3, 4});
 *     wn_tensor *m = wn::gt(x, 0);                                // numbers and tensors mix as in C
 *     wn_tensor *y = wn::sum(x, {.dims = 1, .keepdim = true, .where = m});
 *     auto [values, indices] = wn::topk(x, 2, {.dim = -1});
 *     double total = wn_item_f64(wn::sum(y));                     // functions without a macro stay as they are in C
 *
 * Each operation wn_x of section 12 is here wn::x, its in-place form wn::x_: inline, header-only, the same entry function.
 * Required arguments come by position, the others in an options struct x_opts. From C++17 on; the form {.name = value} is
 * C++20, in C++17 the struct is filled before the call: wn::sum_opts o; o.where = m; wn::sum(x, o).
 * Everything winnow.h says about scopes, borrowed handles and errors holds; nothing here throws but std::bad_alloc.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef WINNOW_HPP
#define WINNOW_HPP

#include <initializer_list>
#include <type_traits>
#include <vector>

#include "winnow.h"

#if __cplusplus < 201703L
#error "winnow.hpp needs C++17; for wn::sum(x, {.keepdim = true}) C++20"
#endif

namespace wn {

/* ---------------------------------------------------------------------------------------------- arguments */

template <class T> inline constexpr bool is_integer = std::is_integral_v<T> || (std::is_enum_v<T> && std::is_convertible_v<T, int64_t>);
template <class T> inline constexpr bool is_number = is_integer<T> || std::is_floating_point_v<T>;

/* A number, a tensor or nothing: what wn_val is, by implicit conversion. */
struct val : wn_val {
    val() : wn_val(wn_val_none()) {}
    val(const wn_val &v) : wn_val(v) {}
    val(wn_tensor *t) : wn_val(wn_val_of_tensor(t)) {}
    /* A template, because a plain bool parameter would take any pointer, and a plain double would make 1 a float. */
    template <class T, std::enable_if_t<is_number<T>, int> = 0> val(T x) : wn_val(of(x)) {}

private:
    template <class T> static wn_val of(T x) {
        if constexpr (std::is_same_v<T, bool>) return wn_val_of_bool(x);
        else if constexpr (std::is_floating_point_v<T>) return wn_val_of_float(static_cast<double>(x));
        else return wn_val_of_int(static_cast<int64_t>(x));
    }
};

/* Shapes and lists of dimensions: {2, 3}, or one integer. dims() is "not given"; the empty list is dims_0d(). */
struct dims : wn_dims {
    dims() : wn_dims() {}
    dims(const wn_dims &d) : wn_dims(d) {}
    template <class T, std::enable_if_t<is_integer<T>, int> = 0> dims(T one) : wn_dims() {
        n = 1;
        v[0] = static_cast<int64_t>(one);
    }
    dims(std::initializer_list<int64_t> list) : wn_dims() {
        for (int64_t i : list) {
            if (n < WN_MAX_DIMS) v[n] = i;
            n++; /* past the limit only counted: the operation then says what is wrong */
        }
    }
};
inline dims dims_0d() {
    wn_dims d = {};
    d.n = -1;
    return d;
}

/* Tensors, as argument ({a, b}, a vector, a wn_list) and as result. The handles are borrowed, as everywhere. */
class list {
public:
    list() = default;
    list(wn_list l) : view_(l) {}
    /* Copied: the array behind {a, b} ends with the expression, a named list does not. */
    list(std::initializer_list<wn_tensor *> l) : own_(l) {}
    list(std::vector<wn_tensor *> l) : own_(static_cast<std::vector<wn_tensor *> &&>(l)) {}

    wn_tensor *const *begin() const { return own_.empty() ? view_.v : own_.data(); }
    wn_tensor *const *end() const { return size() ? begin() + size() : begin(); }
    int64_t size() const { return own_.empty() ? view_.n : static_cast<int64_t>(own_.size()); }
    wn_tensor *operator[](int64_t i) const { return wn_at(*this, i); } /* negative i counts from the end */
    operator wn_list() const {
        wn_list l = view_;
        if (!own_.empty()) {
            l.n = size();
            l.v = const_cast<wn_tensor **>(own_.data()); /* arguments are only read */
        }
        return l;
    }

private:
    wn_list view_ = {};
    std::vector<wn_tensor *> own_;
};

/* ---------------------------------------------------------------------------------------- scopes and modes */

/* Owns the handles made while it is the innermost scope. */
class scope {
public:
    scope() : s_(wn_begin()) {}
    explicit scope(const wn_modes &modes) : s_(wn_begin_modes(modes)) {}
    ~scope() { wn_end(&s_); }
    scope(const scope &) = delete;
    scope &operator=(const scope &) = delete;
    wn_tensor *leave(wn_tensor *t) { return wn_leave(&s_, t); } /* ends the scope; t moves to the one around it */
    void end() { wn_end(&s_); }

private:
    wn_scope s_;
};

/* Scopes too: wn::no_grad guard; until the closing brace nothing is recorded. */
class no_grad : public scope {
public:
    no_grad() : scope(wn_modes{WN_OFF, WN_DEFAULT, WN_DEFAULT, wn_dtype(0), wn_device(0)}) {}
};
class inference : public scope {
public:
    inference() : scope(wn_modes{WN_OFF, WN_ON, WN_DEFAULT, wn_dtype(0), wn_device(0)}) {}
};
class autocast : public scope { /* wn_set_autocast until the closing brace */
public:
    explicit autocast(wn_dtype dtype = WN_BF16) : scope(wn_modes{WN_DEFAULT, WN_DEFAULT, WN_ON, dtype, wn_device(0)}) {}
};

/* ------------------------------------------------------------------ the macros of winnow.h's sections 5 to 10 */

struct backward_opts {
    wn_tensor *gradient = {};
    bool retain_graph = {}, create_graph = {};
};
WN_MUST_CHECK inline wn_status backward(wn_tensor *root, const backward_opts &o_ = {}) {
    wn_backward_args a_ = {};
    a_.size_ = sizeof a_;
    a_.root = root;
    a_.gradient = o_.gradient;
    a_.retain_graph = o_.retain_graph;
    a_.create_graph = o_.create_graph;
    return wn_backward_x(&a_);
}

struct grad_opts {
    wn::list gradients = {};
    bool retain_graph = {}, create_graph = {}, allow_unused = {};
};
inline list grad(const list &outputs, const list &inputs, const grad_opts &o_ = {}) {
    wn_grad_args a_ = {};
    a_.size_ = sizeof a_;
    a_.outputs = outputs;
    a_.inputs = inputs;
    a_.gradients = o_.gradients;
    a_.retain_graph = o_.retain_graph;
    a_.create_graph = o_.create_graph;
    a_.allow_unused = o_.allow_unused;
    return wn_grad_x(&a_);
}

inline wn_tensor *apply(const wn_function &f, const list &in, void *user = nullptr) { return wn_apply_x(&f, user, in); }

struct save_safetensors_opts {
    const char *const *metadata = {}; /* key, value, ..., nullptr */
};
WN_MUST_CHECK inline wn_status save_safetensors(const char *path, const std::vector<const char *> &names, const list &tensors,
                                                const save_safetensors_opts &o_ = {}) {
    wn_save_safetensors_args a_ = {};
    a_.size_ = sizeof a_;
    a_.path = path;
    a_.tensors = tensors;
    /* The C function cannot see how many names there are: an argument of the wrong length must not reach it. */
    a_.names = static_cast<int64_t>(names.size()) == tensors.size() ? names.data() : nullptr;
    a_.metadata = o_.metadata;
    return wn_save_safetensors_x(&a_);
}

struct idx_dataset_opts {
    bool floats = {};
    double mean = {}, std = {};
    bool channel = {};
};
inline wn_dataset *idx_dataset(const char *images, const char *labels, const idx_dataset_opts &o_ = {}) {
    wn_idx_dataset_args a_ = {};
    a_.size_ = sizeof a_;
    a_.images = images;
    a_.labels = labels;
    a_.floats = o_.floats;
    a_.mean = o_.mean;
    a_.std = o_.std;
    a_.channel = o_.channel;
    return wn_idx_dataset_x(&a_);
}

/* wn::dataset_new(1000, get, ctx, {{WN_F32, wn::dims{28, 28}}, {WN_I64, wn::dims_0d()}}) */
inline wn_dataset *dataset_new(int64_t count, wn_sample_fn get, void *ctx, std::initializer_list<wn_part> parts,
                               void (*free)(void *ctx) = nullptr) {
    wn_dataset_args a_ = {};
    int n = 0;
    a_.size_ = sizeof a_;
    a_.count = count;
    a_.get = get;
    a_.ctx = ctx;
    a_.free = free;
    for (const wn_part &p : parts)
        if (n < WN_MAX_PARTS) a_.parts[n++] = p;
    return wn_dataset_new_x(&a_);
}

struct loader_opts {
    bool shuffle = {}, drop_last = {};
    int workers = {}, prefetch = {};
    wn_tensor *indices = {};
    uint64_t seed = {};
    wn_generator *generator = {};
};
inline wn_loader *loader_new(wn_dataset *dataset, int64_t batch_size, const loader_opts &o_ = {}) {
    wn_loader_args a_ = {};
    a_.size_ = sizeof a_;
    a_.dataset = dataset;
    a_.batch_size = batch_size;
    a_.shuffle = o_.shuffle;
    a_.drop_last = o_.drop_last;
    a_.workers = o_.workers;
    a_.prefetch = o_.prefetch;
    a_.indices = o_.indices;
    a_.seed = o_.seed;
    a_.generator = o_.generator;
    return wn_loader_new_x(&a_);
}

struct nn_linear_opts {
    bool bias = true;
    wn_dtype dtype = {};
};
inline wn_status nn_linear_init(wn_nn_linear *layer, int64_t in_features, int64_t out_features, const nn_linear_opts &o_ = {}) {
    wn_nn_linear_args a_ = {};
    a_.size_ = sizeof a_;
    a_.layer = layer;
    a_.in_features = in_features;
    a_.out_features = out_features;
    a_.bias = o_.bias ? WN_ON : WN_OFF;
    a_.dtype = o_.dtype;
    return wn_nn_linear_init_x(&a_);
}

struct nn_conv2d_opts {
    wn::dims stride = {}, padding = {}, dilation = {};
    int64_t groups = {};
    bool bias = true;
    wn_dtype dtype = {};
};
inline wn_status nn_conv2d_init(wn_nn_conv2d *layer, int64_t in_channels, int64_t out_channels, const dims &kernel_size,
                                const nn_conv2d_opts &o_ = {}) {
    wn_nn_conv2d_args a_ = {};
    a_.size_ = sizeof a_;
    a_.layer = layer;
    a_.in_channels = in_channels;
    a_.out_channels = out_channels;
    if (kernel_size.n == 1) a_.kernel_size = kernel_size.v[0];
    else a_.kernel_sizes = kernel_size;
    a_.stride = o_.stride;
    a_.padding = o_.padding;
    a_.dilation = o_.dilation;
    a_.groups = o_.groups;
    a_.bias = o_.bias ? WN_ON : WN_OFF;
    a_.dtype = o_.dtype;
    return wn_nn_conv2d_init_x(&a_);
}

struct nn_batch_norm2d_opts {
    double eps = {}, momentum = {};
    wn_dtype dtype = {};
};
inline wn_status nn_batch_norm2d_init(wn_nn_batch_norm2d *layer, int64_t num_features, const nn_batch_norm2d_opts &o_ = {}) {
    wn_nn_batch_norm2d_args a_ = {};
    a_.size_ = sizeof a_;
    a_.layer = layer;
    a_.num_features = num_features;
    a_.eps = o_.eps;
    a_.momentum = o_.momentum;
    a_.dtype = o_.dtype;
    return wn_nn_batch_norm2d_init_x(&a_);
}

inline wn_status load_module(wn_module *module, const char *path, bool strict = true) {
    wn_load_module_args a_ = {};
    a_.size_ = sizeof a_;
    a_.module = module;
    a_.path = path;
    a_.strict = strict ? WN_ON : WN_OFF;
    return wn_load_module_x(&a_);
}

struct sgd_opts {
    double lr = {}, momentum = {}, dampening = {}, weight_decay = {};
    bool nesterov = {}, maximize = {};
};
inline wn_optim *sgd_new(const list &parameters, const sgd_opts &o_ = {}) {
    wn_sgd_args a_ = {};
    a_.size_ = sizeof a_;
    a_.parameters = parameters;
    a_.lr = o_.lr;
    a_.momentum = o_.momentum;
    a_.dampening = o_.dampening;
    a_.weight_decay = o_.weight_decay;
    a_.nesterov = o_.nesterov;
    a_.maximize = o_.maximize;
    return wn_sgd_new_x(&a_);
}

struct adam_opts {
    double lr = {}, beta1 = {}, beta2 = {}, eps = {}, weight_decay = {};
    bool amsgrad = {}, maximize = {};
};
inline wn_adam_args adam_args(const list &parameters, const adam_opts &o_) {
    wn_adam_args a_ = {};
    a_.size_ = sizeof a_;
    a_.parameters = parameters;
    a_.lr = o_.lr;
    a_.beta1 = o_.beta1;
    a_.beta2 = o_.beta2;
    a_.eps = o_.eps;
    a_.weight_decay = o_.weight_decay;
    a_.amsgrad = o_.amsgrad;
    a_.maximize = o_.maximize;
    return a_;
}
inline wn_optim *adam_new(const list &parameters, const adam_opts &o_ = {}) {
    wn_adam_args a_ = adam_args(parameters, o_);
    return wn_adam_new_x(&a_);
}
inline wn_optim *adamw_new(const list &parameters, const adam_opts &o_ = {}) {
    wn_adam_args a_ = adam_args(parameters, o_);
    return wn_adamw_new_x(&a_);
}

struct rmsprop_opts {
    double lr = {}, alpha = {}, eps = {}, momentum = {}, weight_decay = {};
    bool centered = {}, maximize = {};
};
inline wn_optim *rmsprop_new(const list &parameters, const rmsprop_opts &o_ = {}) {
    wn_rmsprop_args a_ = {};
    a_.size_ = sizeof a_;
    a_.parameters = parameters;
    a_.lr = o_.lr;
    a_.alpha = o_.alpha;
    a_.eps = o_.eps;
    a_.momentum = o_.momentum;
    a_.weight_decay = o_.weight_decay;
    a_.centered = o_.centered;
    a_.maximize = o_.maximize;
    return wn_rmsprop_new_x(&a_);
}

struct adagrad_opts {
    double lr = {}, lr_decay = {}, weight_decay = {}, initial_accumulator_value = {}, eps = {};
    bool maximize = {};
};
inline wn_optim *adagrad_new(const list &parameters, const adagrad_opts &o_ = {}) {
    wn_adagrad_args a_ = {};
    a_.size_ = sizeof a_;
    a_.parameters = parameters;
    a_.lr = o_.lr;
    a_.lr_decay = o_.lr_decay;
    a_.weight_decay = o_.weight_decay;
    a_.initial_accumulator_value = o_.initial_accumulator_value;
    a_.eps = o_.eps;
    a_.maximize = o_.maximize;
    return wn_adagrad_new_x(&a_);
}

struct adadelta_opts {
    double lr = {}, rho = {}, eps = {}, weight_decay = {};
    bool maximize = {};
};
inline wn_optim *adadelta_new(const list &parameters, const adadelta_opts &o_ = {}) {
    wn_adadelta_args a_ = {};
    a_.size_ = sizeof a_;
    a_.parameters = parameters;
    a_.lr = o_.lr;
    a_.rho = o_.rho;
    a_.eps = o_.eps;
    a_.weight_decay = o_.weight_decay;
    a_.maximize = o_.maximize;
    return wn_adadelta_new_x(&a_);
}

struct adaptive_opts {
    double lr = {}, beta1 = {}, beta2 = {}, eps = {}, weight_decay = {}, momentum_decay = {};
    bool decoupled_weight_decay = {}, maximize = {};
};
inline wn_nadam_args adaptive_args(const list &parameters, const adaptive_opts &o_) {
    wn_nadam_args a_ = {};
    a_.size_ = sizeof a_;
    a_.parameters = parameters;
    a_.lr = o_.lr;
    a_.beta1 = o_.beta1;
    a_.beta2 = o_.beta2;
    a_.eps = o_.eps;
    a_.weight_decay = o_.weight_decay;
    a_.momentum_decay = o_.momentum_decay;
    a_.decoupled_weight_decay = o_.decoupled_weight_decay;
    a_.maximize = o_.maximize;
    return a_;
}
inline wn_optim *adamax_new(const list &parameters, const adaptive_opts &o_ = {}) {
    wn_adamax_args a_ = adaptive_args(parameters, o_);
    return wn_adamax_new_x(&a_);
}
inline wn_optim *nadam_new(const list &parameters, const adaptive_opts &o_ = {}) {
    wn_nadam_args a_ = adaptive_args(parameters, o_);
    return wn_nadam_new_x(&a_);
}
inline wn_optim *radam_new(const list &parameters, const adaptive_opts &o_ = {}) {
    wn_radam_args a_ = adaptive_args(parameters, o_);
    return wn_radam_new_x(&a_);
}

/* ------------------------------------------------------------------------------------------------ operations */

/* BEGIN GENERATED (make header) */
/* empty(int[] size, *, ScalarType? dtype=None) -> Tensor */
struct empty_opts {
    wn_dtype dtype = {};
    wn_device device = {};
};
inline wn_tensor *empty(const dims &size, const empty_opts &o_ = {}) {
    const wn_empty_args a_ = {sizeof(wn_empty_args), size, o_.dtype, o_.device};
    return wn_empty_x(&a_);
}

/* empty_strided(int[] size, int[] stride, *, ScalarType? dtype=None) -> Tensor */
struct empty_strided_opts {
    wn_dtype dtype = {};
    wn_device device = {};
};
inline wn_tensor *empty_strided(const dims &size, const dims &stride, const empty_strided_opts &o_ = {}) {
    const wn_empty_strided_args a_ = {sizeof(wn_empty_strided_args), size, stride, o_.dtype, o_.device};
    return wn_empty_strided_x(&a_);
}

/* full(int[] size, Scalar fill_value, *, ScalarType? dtype=None) -> Tensor */
struct full_opts {
    wn_dtype dtype = {};
    wn_device device = {};
    wn_tensor *out = {};
};
inline wn_tensor *full(const dims &size, const val &fill_value, const full_opts &o_ = {}) {
    const wn_full_args a_ = {sizeof(wn_full_args), size, fill_value, o_.dtype, o_.device, o_.out};
    return wn_full_x(&a_);
}

/* zeros(int[] size, *, ScalarType? dtype=None) -> Tensor */
struct zeros_opts {
    wn_dtype dtype = {};
    wn_device device = {};
    wn_tensor *out = {};
};
inline wn_tensor *zeros(const dims &size, const zeros_opts &o_ = {}) {
    const wn_zeros_args a_ = {sizeof(wn_zeros_args), size, o_.dtype, o_.device, o_.out};
    return wn_zeros_x(&a_);
}

/* ones(int[] size, *, ScalarType? dtype=None) -> Tensor */
struct ones_opts {
    wn_dtype dtype = {};
    wn_device device = {};
    wn_tensor *out = {};
};
inline wn_tensor *ones(const dims &size, const ones_opts &o_ = {}) {
    const wn_ones_args a_ = {sizeof(wn_ones_args), size, o_.dtype, o_.device, o_.out};
    return wn_ones_x(&a_);
}

/* empty_like(Tensor self, *, ScalarType? dtype=None) -> Tensor */
struct empty_like_opts {
    wn_dtype dtype = {};
    wn_device device = {};
};
inline wn_tensor *empty_like(wn_tensor *self, const empty_like_opts &o_ = {}) {
    const wn_empty_like_args a_ = {sizeof(wn_empty_like_args), self, o_.dtype, o_.device};
    return wn_empty_like_x(&a_);
}

/* full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None) -> Tensor */
struct full_like_opts {
    wn_dtype dtype = {};
    wn_device device = {};
};
inline wn_tensor *full_like(wn_tensor *self, const val &fill_value, const full_like_opts &o_ = {}) {
    const wn_full_like_args a_ = {sizeof(wn_full_like_args), self, fill_value, o_.dtype, o_.device};
    return wn_full_like_x(&a_);
}

/* zeros_like(Tensor self, *, ScalarType? dtype=None) -> Tensor */
struct zeros_like_opts {
    wn_dtype dtype = {};
    wn_device device = {};
};
inline wn_tensor *zeros_like(wn_tensor *self, const zeros_like_opts &o_ = {}) {
    const wn_zeros_like_args a_ = {sizeof(wn_zeros_like_args), self, o_.dtype, o_.device};
    return wn_zeros_like_x(&a_);
}

/* ones_like(Tensor self, *, ScalarType? dtype=None) -> Tensor */
struct ones_like_opts {
    wn_dtype dtype = {};
    wn_device device = {};
};
inline wn_tensor *ones_like(wn_tensor *self, const ones_like_opts &o_ = {}) {
    const wn_ones_like_args a_ = {sizeof(wn_ones_like_args), self, o_.dtype, o_.device};
    return wn_ones_like_x(&a_);
}

/* arange(Scalar end, *, ScalarType? dtype=None) -> Tensor */
struct arange_opts {
    wn_dtype dtype = {};
    wn_device device = {};
    wn_tensor *out = {};
};
inline wn_tensor *arange(const val &end, const arange_opts &o_ = {}) {
    const wn_arange_args a_ = {sizeof(wn_arange_args), end, o_.dtype, o_.device, o_.out};
    return wn_arange_x(&a_);
}

/* arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None) -> Tensor */
struct arange_from_opts {
    wn::val step = {};
    wn_dtype dtype = {};
    wn_device device = {};
    wn_tensor *out = {};
};
inline wn_tensor *arange_from(const val &start, const val &end, const arange_from_opts &o_ = {}) {
    const wn_arange_from_args a_ = {sizeof(wn_arange_from_args), start, end, o_.step, o_.dtype, o_.device, o_.out};
    return wn_arange_from_x(&a_);
}

/* range(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None) -> Tensor */
struct range_opts {
    wn::val step = {};
    wn_dtype dtype = {};
    wn_device device = {};
    wn_tensor *out = {};
};
inline wn_tensor *range(const val &start, const val &end, const range_opts &o_ = {}) {
    const wn_range_args a_ = {sizeof(wn_range_args), start, end, o_.step, o_.dtype, o_.device, o_.out};
    return wn_range_x(&a_);
}

/* linspace(Scalar start, Scalar end, int steps, *, ScalarType? dtype=None) -> Tensor */
struct linspace_opts {
    wn_dtype dtype = {};
    wn_device device = {};
    wn_tensor *out = {};
};
inline wn_tensor *linspace(const val &start, const val &end, int64_t steps, const linspace_opts &o_ = {}) {
    const wn_linspace_args a_ = {sizeof(wn_linspace_args), start, end, steps, o_.dtype, o_.device, o_.out};
    return wn_linspace_x(&a_);
}

/* linspace.Tensor_Tensor(Tensor start, Tensor end, int steps, *, ScalarType? dtype=None) -> Tensor */
struct linspace_tensor_opts {
    wn_dtype dtype = {};
    wn_device device = {};
    wn_tensor *out = {};
};
inline wn_tensor *linspace_tensor(const val &start, const val &end, int64_t steps, const linspace_tensor_opts &o_ = {}) {
    const wn_linspace_tensor_args a_ = {sizeof(wn_linspace_tensor_args), start, end, steps, o_.dtype, o_.device, o_.out};
    return wn_linspace_tensor_x(&a_);
}

/* eye(int n, int? m=None, *, ScalarType? dtype=None) -> Tensor */
struct eye_opts {
    wn::val m = {};
    wn_dtype dtype = {};
    wn_device device = {};
    wn_tensor *out = {};
};
inline wn_tensor *eye(int64_t n, const eye_opts &o_ = {}) {
    const wn_eye_args a_ = {sizeof(wn_eye_args), n, o_.m, o_.dtype, o_.device, o_.out};
    return wn_eye_x(&a_);
}

/* scalar_tensor(Scalar s, *, ScalarType? dtype=None) -> Tensor */
struct scalar_tensor_opts {
    wn_dtype dtype = {};
    wn_device device = {};
};
inline wn_tensor *scalar_tensor(const val &s, const scalar_tensor_opts &o_ = {}) {
    const wn_scalar_tensor_args a_ = {sizeof(wn_scalar_tensor_args), s, o_.dtype, o_.device};
    return wn_scalar_tensor_x(&a_);
}

/* clone(Tensor self) -> Tensor */
inline wn_tensor *clone(wn_tensor *self) {
    const wn_clone_args a_ = {sizeof(wn_clone_args), self};
    return wn_clone_x(&a_);
}

/* contiguous(Tensor(a) self) -> Tensor(a) */
inline wn_tensor *contiguous(wn_tensor *self) {
    const wn_contiguous_args a_ = {sizeof(wn_contiguous_args), self};
    return wn_contiguous_x(&a_);
}

/* contiguous.copy(Tensor self) -> Tensor */
inline wn_tensor *contiguous_copy(wn_tensor *self) {
    const wn_contiguous_copy_args a_ = {sizeof(wn_contiguous_copy_args), self};
    return wn_contiguous_copy_x(&a_);
}

/* _with_strides(Tensor self, int[] stride) -> Tensor */
inline wn_tensor *with_strides(wn_tensor *self, const dims &stride) {
    const wn_with_strides_args a_ = {sizeof(wn_with_strides_args), self, stride};
    return wn_with_strides_x(&a_);
}

/* to.dtype(Tensor(a) self, ScalarType dtype, bool copy=False) -> Tensor(a) */
struct to_opts {
    bool copy = {};
};
inline wn_tensor *to(wn_tensor *self, wn_dtype dtype, const to_opts &o_ = {}) {
    const wn_to_args a_ = {sizeof(wn_to_args), self, dtype, o_.copy};
    return wn_to_x(&a_);
}

/* _to_copy(Tensor self, ScalarType dtype) -> Tensor */
inline wn_tensor *cast(wn_tensor *self, wn_dtype dtype) {
    const wn_cast_args a_ = {sizeof(wn_cast_args), self, dtype};
    return wn_cast_x(&a_);
}

/* to.device(Tensor(a) self, Device device) -> Tensor(a) */
inline wn_tensor *to_device(wn_tensor *self, wn_device device) {
    const wn_to_device_args a_ = {sizeof(wn_to_device_args), self, device};
    return wn_to_device_x(&a_);
}

/* _to_device(Tensor self, Device device) -> Tensor */
inline wn_tensor *copy_to_device(wn_tensor *self, wn_device device) {
    const wn_copy_to_device_args a_ = {sizeof(wn_copy_to_device_args), self, device};
    return wn_copy_to_device_x(&a_);
}

/* copy_(Tensor(a!) self, Tensor src) -> Tensor(a!) */
inline wn_tensor *copy_(wn_tensor *self, wn_tensor *src) {
    const wn_copy_args a_ = {sizeof(wn_copy_args), self, src};
    return wn_copy_inplace_x(&a_);
}

/* fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!) */
inline wn_tensor *fill_tensor_(wn_tensor *self, wn_tensor *value) {
    const wn_fill_tensor_args a_ = {sizeof(wn_fill_tensor_args), self, value};
    return wn_fill_tensor_inplace_x(&a_);
}

/* fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!) */
inline wn_tensor *fill_(wn_tensor *self, const val &value) {
    const wn_fill_args a_ = {sizeof(wn_fill_args), self, value};
    return wn_fill_inplace_x(&a_);
}

/* zero_(Tensor(a!) self) -> Tensor(a!) */
inline wn_tensor *zero_(wn_tensor *self) {
    const wn_zero_args a_ = {sizeof(wn_zero_args), self};
    return wn_zero_inplace_x(&a_);
}

/* add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor */
struct add_opts {
    wn::val alpha = {};
    wn_tensor *out = {};
};
inline wn_tensor *add(const val &self, const val &other, const add_opts &o_ = {}) {
    const wn_add_args a_ = {sizeof(wn_add_args), self, other, o_.alpha, o_.out};
    return wn_add_x(&a_);
}
inline wn_tensor *add_(wn_tensor *self, const val &other, const add_opts &o_ = {}) {
    const wn_add_args a_ = {sizeof(wn_add_args), wn_val_of_tensor(self), other, o_.alpha, o_.out};
    return wn_add_inplace_x(&a_);
}

/* sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor */
struct sub_opts {
    wn::val alpha = {};
    wn_tensor *out = {};
};
inline wn_tensor *sub(const val &self, const val &other, const sub_opts &o_ = {}) {
    const wn_sub_args a_ = {sizeof(wn_sub_args), self, other, o_.alpha, o_.out};
    return wn_sub_x(&a_);
}
inline wn_tensor *sub_(wn_tensor *self, const val &other, const sub_opts &o_ = {}) {
    const wn_sub_args a_ = {sizeof(wn_sub_args), wn_val_of_tensor(self), other, o_.alpha, o_.out};
    return wn_sub_inplace_x(&a_);
}

/* mul.Tensor(Tensor self, Tensor other) -> Tensor */
struct mul_opts {
    wn_tensor *out = {};
};
inline wn_tensor *mul(const val &self, const val &other, const mul_opts &o_ = {}) {
    const wn_mul_args a_ = {sizeof(wn_mul_args), self, other, o_.out};
    return wn_mul_x(&a_);
}
inline wn_tensor *mul_(wn_tensor *self, const val &other, const mul_opts &o_ = {}) {
    const wn_mul_args a_ = {sizeof(wn_mul_args), wn_val_of_tensor(self), other, o_.out};
    return wn_mul_inplace_x(&a_);
}

/* div.Tensor(Tensor self, Tensor other) -> Tensor */
struct div_opts {
    wn_tensor *out = {};
};
inline wn_tensor *div(const val &self, const val &other, const div_opts &o_ = {}) {
    const wn_div_args a_ = {sizeof(wn_div_args), self, other, o_.out};
    return wn_div_x(&a_);
}
inline wn_tensor *div_(wn_tensor *self, const val &other, const div_opts &o_ = {}) {
    const wn_div_args a_ = {sizeof(wn_div_args), wn_val_of_tensor(self), other, o_.out};
    return wn_div_inplace_x(&a_);
}

/* floor_divide(Tensor self, Tensor other) -> Tensor */
struct floor_divide_opts {
    wn_tensor *out = {};
};
inline wn_tensor *floor_divide(const val &self, const val &other, const floor_divide_opts &o_ = {}) {
    const wn_floor_divide_args a_ = {sizeof(wn_floor_divide_args), self, other, o_.out};
    return wn_floor_divide_x(&a_);
}
inline wn_tensor *floor_divide_(wn_tensor *self, const val &other, const floor_divide_opts &o_ = {}) {
    const wn_floor_divide_args a_ = {sizeof(wn_floor_divide_args), wn_val_of_tensor(self), other, o_.out};
    return wn_floor_divide_inplace_x(&a_);
}

/* _div_trunc(Tensor self, Tensor other) -> Tensor */
struct div_trunc_opts {
    wn_tensor *out = {};
};
inline wn_tensor *div_trunc(const val &self, const val &other, const div_trunc_opts &o_ = {}) {
    const wn_div_trunc_args a_ = {sizeof(wn_div_trunc_args), self, other, o_.out};
    return wn_div_trunc_x(&a_);
}
inline wn_tensor *div_trunc_(wn_tensor *self, const val &other, const div_trunc_opts &o_ = {}) {
    const wn_div_trunc_args a_ = {sizeof(wn_div_trunc_args), wn_val_of_tensor(self), other, o_.out};
    return wn_div_trunc_inplace_x(&a_);
}

/* div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor */
struct div_mode_opts {
    const char *rounding_mode = {};
    wn_tensor *out = {};
};
inline wn_tensor *div_mode(const val &self, const val &other, const div_mode_opts &o_ = {}) {
    const wn_div_mode_args a_ = {sizeof(wn_div_mode_args), self, other, o_.rounding_mode, o_.out};
    return wn_div_mode_x(&a_);
}
inline wn_tensor *div_mode_(wn_tensor *self, const val &other, const div_mode_opts &o_ = {}) {
    const wn_div_mode_args a_ = {sizeof(wn_div_mode_args), wn_val_of_tensor(self), other, o_.rounding_mode, o_.out};
    return wn_div_mode_inplace_x(&a_);
}

/* remainder.Tensor(Tensor self, Tensor other) -> Tensor */
struct remainder_opts {
    wn_tensor *out = {};
};
inline wn_tensor *remainder(const val &self, const val &other, const remainder_opts &o_ = {}) {
    const wn_remainder_args a_ = {sizeof(wn_remainder_args), self, other, o_.out};
    return wn_remainder_x(&a_);
}
inline wn_tensor *remainder_(wn_tensor *self, const val &other, const remainder_opts &o_ = {}) {
    const wn_remainder_args a_ = {sizeof(wn_remainder_args), wn_val_of_tensor(self), other, o_.out};
    return wn_remainder_inplace_x(&a_);
}

/* fmod.Tensor(Tensor self, Tensor other) -> Tensor */
struct fmod_opts {
    wn_tensor *out = {};
};
inline wn_tensor *fmod(const val &self, const val &other, const fmod_opts &o_ = {}) {
    const wn_fmod_args a_ = {sizeof(wn_fmod_args), self, other, o_.out};
    return wn_fmod_x(&a_);
}
inline wn_tensor *fmod_(wn_tensor *self, const val &other, const fmod_opts &o_ = {}) {
    const wn_fmod_args a_ = {sizeof(wn_fmod_args), wn_val_of_tensor(self), other, o_.out};
    return wn_fmod_inplace_x(&a_);
}

/* pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor */
struct pow_opts {
    wn_tensor *out = {};
};
inline wn_tensor *pow(const val &self, const val &exponent, const pow_opts &o_ = {}) {
    const wn_pow_args a_ = {sizeof(wn_pow_args), self, exponent, o_.out};
    return wn_pow_x(&a_);
}
inline wn_tensor *pow_(wn_tensor *self, const val &exponent, const pow_opts &o_ = {}) {
    const wn_pow_args a_ = {sizeof(wn_pow_args), wn_val_of_tensor(self), exponent, o_.out};
    return wn_pow_inplace_x(&a_);
}

/* _cube(Tensor self) -> Tensor */
struct cube_opts {
    wn_tensor *out = {};
};
inline wn_tensor *cube(wn_tensor *self, const cube_opts &o_ = {}) {
    const wn_cube_args a_ = {sizeof(wn_cube_args), self, o_.out};
    return wn_cube_x(&a_);
}

/* maximum(Tensor self, Tensor other) -> Tensor */
struct maximum_opts {
    wn_tensor *out = {};
};
inline wn_tensor *maximum(const val &self, const val &other, const maximum_opts &o_ = {}) {
    const wn_maximum_args a_ = {sizeof(wn_maximum_args), self, other, o_.out};
    return wn_maximum_x(&a_);
}

/* minimum(Tensor self, Tensor other) -> Tensor */
struct minimum_opts {
    wn_tensor *out = {};
};
inline wn_tensor *minimum(const val &self, const val &other, const minimum_opts &o_ = {}) {
    const wn_minimum_args a_ = {sizeof(wn_minimum_args), self, other, o_.out};
    return wn_minimum_x(&a_);
}

/* atan2(Tensor self, Tensor other) -> Tensor */
struct atan2_opts {
    wn_tensor *out = {};
};
inline wn_tensor *atan2(const val &self, const val &other, const atan2_opts &o_ = {}) {
    const wn_atan2_args a_ = {sizeof(wn_atan2_args), self, other, o_.out};
    return wn_atan2_x(&a_);
}
inline wn_tensor *atan2_(wn_tensor *self, const val &other, const atan2_opts &o_ = {}) {
    const wn_atan2_args a_ = {sizeof(wn_atan2_args), wn_val_of_tensor(self), other, o_.out};
    return wn_atan2_inplace_x(&a_);
}

/* addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor */
struct addcmul_opts {
    wn::val value = {};
    wn_tensor *out = {};
};
inline wn_tensor *addcmul(const val &self, const val &tensor1, const val &tensor2, const addcmul_opts &o_ = {}) {
    const wn_addcmul_args a_ = {sizeof(wn_addcmul_args), self, tensor1, tensor2, o_.value, o_.out};
    return wn_addcmul_x(&a_);
}
inline wn_tensor *addcmul_(wn_tensor *self, const val &tensor1, const val &tensor2, const addcmul_opts &o_ = {}) {
    const wn_addcmul_args a_ = {sizeof(wn_addcmul_args), wn_val_of_tensor(self), tensor1, tensor2, o_.value, o_.out};
    return wn_addcmul_inplace_x(&a_);
}

/* addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor */
struct addcdiv_opts {
    wn::val value = {};
    wn_tensor *out = {};
};
inline wn_tensor *addcdiv(const val &self, const val &tensor1, const val &tensor2, const addcdiv_opts &o_ = {}) {
    const wn_addcdiv_args a_ = {sizeof(wn_addcdiv_args), self, tensor1, tensor2, o_.value, o_.out};
    return wn_addcdiv_x(&a_);
}
inline wn_tensor *addcdiv_(wn_tensor *self, const val &tensor1, const val &tensor2, const addcdiv_opts &o_ = {}) {
    const wn_addcdiv_args a_ = {sizeof(wn_addcdiv_args), wn_val_of_tensor(self), tensor1, tensor2, o_.value, o_.out};
    return wn_addcdiv_inplace_x(&a_);
}

/* lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor */
struct lerp_opts {
    wn_tensor *out = {};
};
inline wn_tensor *lerp(const val &self, const val &end, const val &weight, const lerp_opts &o_ = {}) {
    const wn_lerp_args a_ = {sizeof(wn_lerp_args), self, end, weight, o_.out};
    return wn_lerp_x(&a_);
}
inline wn_tensor *lerp_(wn_tensor *self, const val &end, const val &weight, const lerp_opts &o_ = {}) {
    const wn_lerp_args a_ = {sizeof(wn_lerp_args), wn_val_of_tensor(self), end, weight, o_.out};
    return wn_lerp_inplace_x(&a_);
}

/* neg(Tensor self) -> Tensor */
struct neg_opts {
    wn_tensor *out = {};
};
inline wn_tensor *neg(wn_tensor *self, const neg_opts &o_ = {}) {
    const wn_neg_args a_ = {sizeof(wn_neg_args), self, o_.out};
    return wn_neg_x(&a_);
}
inline wn_tensor *neg_(wn_tensor *self, const neg_opts &o_ = {}) {
    const wn_neg_args a_ = {sizeof(wn_neg_args), self, o_.out};
    return wn_neg_inplace_x(&a_);
}

/* abs(Tensor self) -> Tensor */
struct abs_opts {
    wn_tensor *out = {};
};
inline wn_tensor *abs(wn_tensor *self, const abs_opts &o_ = {}) {
    const wn_abs_args a_ = {sizeof(wn_abs_args), self, o_.out};
    return wn_abs_x(&a_);
}
inline wn_tensor *abs_(wn_tensor *self, const abs_opts &o_ = {}) {
    const wn_abs_args a_ = {sizeof(wn_abs_args), self, o_.out};
    return wn_abs_inplace_x(&a_);
}

/* sign(Tensor self) -> Tensor */
struct sign_opts {
    wn_tensor *out = {};
};
inline wn_tensor *sign(wn_tensor *self, const sign_opts &o_ = {}) {
    const wn_sign_args a_ = {sizeof(wn_sign_args), self, o_.out};
    return wn_sign_x(&a_);
}
inline wn_tensor *sign_(wn_tensor *self, const sign_opts &o_ = {}) {
    const wn_sign_args a_ = {sizeof(wn_sign_args), self, o_.out};
    return wn_sign_inplace_x(&a_);
}

/* square(Tensor self) -> Tensor */
struct square_opts {
    wn_tensor *out = {};
};
inline wn_tensor *square(wn_tensor *self, const square_opts &o_ = {}) {
    const wn_square_args a_ = {sizeof(wn_square_args), self, o_.out};
    return wn_square_x(&a_);
}
inline wn_tensor *square_(wn_tensor *self, const square_opts &o_ = {}) {
    const wn_square_args a_ = {sizeof(wn_square_args), self, o_.out};
    return wn_square_inplace_x(&a_);
}

/* sqrt(Tensor self) -> Tensor */
struct sqrt_opts {
    wn_tensor *out = {};
};
inline wn_tensor *sqrt(wn_tensor *self, const sqrt_opts &o_ = {}) {
    const wn_sqrt_args a_ = {sizeof(wn_sqrt_args), self, o_.out};
    return wn_sqrt_x(&a_);
}
inline wn_tensor *sqrt_(wn_tensor *self, const sqrt_opts &o_ = {}) {
    const wn_sqrt_args a_ = {sizeof(wn_sqrt_args), self, o_.out};
    return wn_sqrt_inplace_x(&a_);
}

/* rsqrt(Tensor self) -> Tensor */
struct rsqrt_opts {
    wn_tensor *out = {};
};
inline wn_tensor *rsqrt(wn_tensor *self, const rsqrt_opts &o_ = {}) {
    const wn_rsqrt_args a_ = {sizeof(wn_rsqrt_args), self, o_.out};
    return wn_rsqrt_x(&a_);
}
inline wn_tensor *rsqrt_(wn_tensor *self, const rsqrt_opts &o_ = {}) {
    const wn_rsqrt_args a_ = {sizeof(wn_rsqrt_args), self, o_.out};
    return wn_rsqrt_inplace_x(&a_);
}

/* reciprocal(Tensor self) -> Tensor */
struct reciprocal_opts {
    wn_tensor *out = {};
};
inline wn_tensor *reciprocal(wn_tensor *self, const reciprocal_opts &o_ = {}) {
    const wn_reciprocal_args a_ = {sizeof(wn_reciprocal_args), self, o_.out};
    return wn_reciprocal_x(&a_);
}
inline wn_tensor *reciprocal_(wn_tensor *self, const reciprocal_opts &o_ = {}) {
    const wn_reciprocal_args a_ = {sizeof(wn_reciprocal_args), self, o_.out};
    return wn_reciprocal_inplace_x(&a_);
}

/* exp(Tensor self) -> Tensor */
struct exp_opts {
    wn_tensor *out = {};
};
inline wn_tensor *exp(wn_tensor *self, const exp_opts &o_ = {}) {
    const wn_exp_args a_ = {sizeof(wn_exp_args), self, o_.out};
    return wn_exp_x(&a_);
}
inline wn_tensor *exp_(wn_tensor *self, const exp_opts &o_ = {}) {
    const wn_exp_args a_ = {sizeof(wn_exp_args), self, o_.out};
    return wn_exp_inplace_x(&a_);
}

/* exp2(Tensor self) -> Tensor */
struct exp2_opts {
    wn_tensor *out = {};
};
inline wn_tensor *exp2(wn_tensor *self, const exp2_opts &o_ = {}) {
    const wn_exp2_args a_ = {sizeof(wn_exp2_args), self, o_.out};
    return wn_exp2_x(&a_);
}
inline wn_tensor *exp2_(wn_tensor *self, const exp2_opts &o_ = {}) {
    const wn_exp2_args a_ = {sizeof(wn_exp2_args), self, o_.out};
    return wn_exp2_inplace_x(&a_);
}

/* expm1(Tensor self) -> Tensor */
struct expm1_opts {
    wn_tensor *out = {};
};
inline wn_tensor *expm1(wn_tensor *self, const expm1_opts &o_ = {}) {
    const wn_expm1_args a_ = {sizeof(wn_expm1_args), self, o_.out};
    return wn_expm1_x(&a_);
}
inline wn_tensor *expm1_(wn_tensor *self, const expm1_opts &o_ = {}) {
    const wn_expm1_args a_ = {sizeof(wn_expm1_args), self, o_.out};
    return wn_expm1_inplace_x(&a_);
}

/* log(Tensor self) -> Tensor */
struct log_opts {
    wn_tensor *out = {};
};
inline wn_tensor *log(wn_tensor *self, const log_opts &o_ = {}) {
    const wn_log_args a_ = {sizeof(wn_log_args), self, o_.out};
    return wn_log_x(&a_);
}
inline wn_tensor *log_(wn_tensor *self, const log_opts &o_ = {}) {
    const wn_log_args a_ = {sizeof(wn_log_args), self, o_.out};
    return wn_log_inplace_x(&a_);
}

/* log2(Tensor self) -> Tensor */
struct log2_opts {
    wn_tensor *out = {};
};
inline wn_tensor *log2(wn_tensor *self, const log2_opts &o_ = {}) {
    const wn_log2_args a_ = {sizeof(wn_log2_args), self, o_.out};
    return wn_log2_x(&a_);
}
inline wn_tensor *log2_(wn_tensor *self, const log2_opts &o_ = {}) {
    const wn_log2_args a_ = {sizeof(wn_log2_args), self, o_.out};
    return wn_log2_inplace_x(&a_);
}

/* log10(Tensor self) -> Tensor */
struct log10_opts {
    wn_tensor *out = {};
};
inline wn_tensor *log10(wn_tensor *self, const log10_opts &o_ = {}) {
    const wn_log10_args a_ = {sizeof(wn_log10_args), self, o_.out};
    return wn_log10_x(&a_);
}
inline wn_tensor *log10_(wn_tensor *self, const log10_opts &o_ = {}) {
    const wn_log10_args a_ = {sizeof(wn_log10_args), self, o_.out};
    return wn_log10_inplace_x(&a_);
}

/* log1p(Tensor self) -> Tensor */
struct log1p_opts {
    wn_tensor *out = {};
};
inline wn_tensor *log1p(wn_tensor *self, const log1p_opts &o_ = {}) {
    const wn_log1p_args a_ = {sizeof(wn_log1p_args), self, o_.out};
    return wn_log1p_x(&a_);
}
inline wn_tensor *log1p_(wn_tensor *self, const log1p_opts &o_ = {}) {
    const wn_log1p_args a_ = {sizeof(wn_log1p_args), self, o_.out};
    return wn_log1p_inplace_x(&a_);
}

/* sin(Tensor self) -> Tensor */
struct sin_opts {
    wn_tensor *out = {};
};
inline wn_tensor *sin(wn_tensor *self, const sin_opts &o_ = {}) {
    const wn_sin_args a_ = {sizeof(wn_sin_args), self, o_.out};
    return wn_sin_x(&a_);
}
inline wn_tensor *sin_(wn_tensor *self, const sin_opts &o_ = {}) {
    const wn_sin_args a_ = {sizeof(wn_sin_args), self, o_.out};
    return wn_sin_inplace_x(&a_);
}

/* cos(Tensor self) -> Tensor */
struct cos_opts {
    wn_tensor *out = {};
};
inline wn_tensor *cos(wn_tensor *self, const cos_opts &o_ = {}) {
    const wn_cos_args a_ = {sizeof(wn_cos_args), self, o_.out};
    return wn_cos_x(&a_);
}
inline wn_tensor *cos_(wn_tensor *self, const cos_opts &o_ = {}) {
    const wn_cos_args a_ = {sizeof(wn_cos_args), self, o_.out};
    return wn_cos_inplace_x(&a_);
}

/* tan(Tensor self) -> Tensor */
struct tan_opts {
    wn_tensor *out = {};
};
inline wn_tensor *tan(wn_tensor *self, const tan_opts &o_ = {}) {
    const wn_tan_args a_ = {sizeof(wn_tan_args), self, o_.out};
    return wn_tan_x(&a_);
}
inline wn_tensor *tan_(wn_tensor *self, const tan_opts &o_ = {}) {
    const wn_tan_args a_ = {sizeof(wn_tan_args), self, o_.out};
    return wn_tan_inplace_x(&a_);
}

/* asin(Tensor self) -> Tensor */
struct asin_opts {
    wn_tensor *out = {};
};
inline wn_tensor *asin(wn_tensor *self, const asin_opts &o_ = {}) {
    const wn_asin_args a_ = {sizeof(wn_asin_args), self, o_.out};
    return wn_asin_x(&a_);
}
inline wn_tensor *asin_(wn_tensor *self, const asin_opts &o_ = {}) {
    const wn_asin_args a_ = {sizeof(wn_asin_args), self, o_.out};
    return wn_asin_inplace_x(&a_);
}

/* acos(Tensor self) -> Tensor */
struct acos_opts {
    wn_tensor *out = {};
};
inline wn_tensor *acos(wn_tensor *self, const acos_opts &o_ = {}) {
    const wn_acos_args a_ = {sizeof(wn_acos_args), self, o_.out};
    return wn_acos_x(&a_);
}
inline wn_tensor *acos_(wn_tensor *self, const acos_opts &o_ = {}) {
    const wn_acos_args a_ = {sizeof(wn_acos_args), self, o_.out};
    return wn_acos_inplace_x(&a_);
}

/* atan(Tensor self) -> Tensor */
struct atan_opts {
    wn_tensor *out = {};
};
inline wn_tensor *atan(wn_tensor *self, const atan_opts &o_ = {}) {
    const wn_atan_args a_ = {sizeof(wn_atan_args), self, o_.out};
    return wn_atan_x(&a_);
}
inline wn_tensor *atan_(wn_tensor *self, const atan_opts &o_ = {}) {
    const wn_atan_args a_ = {sizeof(wn_atan_args), self, o_.out};
    return wn_atan_inplace_x(&a_);
}

/* sinh(Tensor self) -> Tensor */
struct sinh_opts {
    wn_tensor *out = {};
};
inline wn_tensor *sinh(wn_tensor *self, const sinh_opts &o_ = {}) {
    const wn_sinh_args a_ = {sizeof(wn_sinh_args), self, o_.out};
    return wn_sinh_x(&a_);
}
inline wn_tensor *sinh_(wn_tensor *self, const sinh_opts &o_ = {}) {
    const wn_sinh_args a_ = {sizeof(wn_sinh_args), self, o_.out};
    return wn_sinh_inplace_x(&a_);
}

/* cosh(Tensor self) -> Tensor */
struct cosh_opts {
    wn_tensor *out = {};
};
inline wn_tensor *cosh(wn_tensor *self, const cosh_opts &o_ = {}) {
    const wn_cosh_args a_ = {sizeof(wn_cosh_args), self, o_.out};
    return wn_cosh_x(&a_);
}
inline wn_tensor *cosh_(wn_tensor *self, const cosh_opts &o_ = {}) {
    const wn_cosh_args a_ = {sizeof(wn_cosh_args), self, o_.out};
    return wn_cosh_inplace_x(&a_);
}

/* tanh(Tensor self) -> Tensor */
struct tanh_opts {
    wn_tensor *out = {};
};
inline wn_tensor *tanh(wn_tensor *self, const tanh_opts &o_ = {}) {
    const wn_tanh_args a_ = {sizeof(wn_tanh_args), self, o_.out};
    return wn_tanh_x(&a_);
}
inline wn_tensor *tanh_(wn_tensor *self, const tanh_opts &o_ = {}) {
    const wn_tanh_args a_ = {sizeof(wn_tanh_args), self, o_.out};
    return wn_tanh_inplace_x(&a_);
}

/* asinh(Tensor self) -> Tensor */
struct asinh_opts {
    wn_tensor *out = {};
};
inline wn_tensor *asinh(wn_tensor *self, const asinh_opts &o_ = {}) {
    const wn_asinh_args a_ = {sizeof(wn_asinh_args), self, o_.out};
    return wn_asinh_x(&a_);
}
inline wn_tensor *asinh_(wn_tensor *self, const asinh_opts &o_ = {}) {
    const wn_asinh_args a_ = {sizeof(wn_asinh_args), self, o_.out};
    return wn_asinh_inplace_x(&a_);
}

/* acosh(Tensor self) -> Tensor */
struct acosh_opts {
    wn_tensor *out = {};
};
inline wn_tensor *acosh(wn_tensor *self, const acosh_opts &o_ = {}) {
    const wn_acosh_args a_ = {sizeof(wn_acosh_args), self, o_.out};
    return wn_acosh_x(&a_);
}
inline wn_tensor *acosh_(wn_tensor *self, const acosh_opts &o_ = {}) {
    const wn_acosh_args a_ = {sizeof(wn_acosh_args), self, o_.out};
    return wn_acosh_inplace_x(&a_);
}

/* atanh(Tensor self) -> Tensor */
struct atanh_opts {
    wn_tensor *out = {};
};
inline wn_tensor *atanh(wn_tensor *self, const atanh_opts &o_ = {}) {
    const wn_atanh_args a_ = {sizeof(wn_atanh_args), self, o_.out};
    return wn_atanh_x(&a_);
}
inline wn_tensor *atanh_(wn_tensor *self, const atanh_opts &o_ = {}) {
    const wn_atanh_args a_ = {sizeof(wn_atanh_args), self, o_.out};
    return wn_atanh_inplace_x(&a_);
}

/* erf(Tensor self) -> Tensor */
struct erf_opts {
    wn_tensor *out = {};
};
inline wn_tensor *erf(wn_tensor *self, const erf_opts &o_ = {}) {
    const wn_erf_args a_ = {sizeof(wn_erf_args), self, o_.out};
    return wn_erf_x(&a_);
}
inline wn_tensor *erf_(wn_tensor *self, const erf_opts &o_ = {}) {
    const wn_erf_args a_ = {sizeof(wn_erf_args), self, o_.out};
    return wn_erf_inplace_x(&a_);
}

/* erfc(Tensor self) -> Tensor */
struct erfc_opts {
    wn_tensor *out = {};
};
inline wn_tensor *erfc(wn_tensor *self, const erfc_opts &o_ = {}) {
    const wn_erfc_args a_ = {sizeof(wn_erfc_args), self, o_.out};
    return wn_erfc_x(&a_);
}
inline wn_tensor *erfc_(wn_tensor *self, const erfc_opts &o_ = {}) {
    const wn_erfc_args a_ = {sizeof(wn_erfc_args), self, o_.out};
    return wn_erfc_inplace_x(&a_);
}

/* floor(Tensor self) -> Tensor */
struct floor_opts {
    wn_tensor *out = {};
};
inline wn_tensor *floor(wn_tensor *self, const floor_opts &o_ = {}) {
    const wn_floor_args a_ = {sizeof(wn_floor_args), self, o_.out};
    return wn_floor_x(&a_);
}
inline wn_tensor *floor_(wn_tensor *self, const floor_opts &o_ = {}) {
    const wn_floor_args a_ = {sizeof(wn_floor_args), self, o_.out};
    return wn_floor_inplace_x(&a_);
}

/* ceil(Tensor self) -> Tensor */
struct ceil_opts {
    wn_tensor *out = {};
};
inline wn_tensor *ceil(wn_tensor *self, const ceil_opts &o_ = {}) {
    const wn_ceil_args a_ = {sizeof(wn_ceil_args), self, o_.out};
    return wn_ceil_x(&a_);
}
inline wn_tensor *ceil_(wn_tensor *self, const ceil_opts &o_ = {}) {
    const wn_ceil_args a_ = {sizeof(wn_ceil_args), self, o_.out};
    return wn_ceil_inplace_x(&a_);
}

/* round(Tensor self) -> Tensor */
struct round_opts {
    wn_tensor *out = {};
};
inline wn_tensor *round(wn_tensor *self, const round_opts &o_ = {}) {
    const wn_round_args a_ = {sizeof(wn_round_args), self, o_.out};
    return wn_round_x(&a_);
}
inline wn_tensor *round_(wn_tensor *self, const round_opts &o_ = {}) {
    const wn_round_args a_ = {sizeof(wn_round_args), self, o_.out};
    return wn_round_inplace_x(&a_);
}

/* round.decimals(Tensor self, *, int decimals) -> Tensor */
struct round_decimals_opts {
    int64_t decimals = {};
    wn_tensor *out = {};
};
inline wn_tensor *round_decimals(wn_tensor *self, const round_decimals_opts &o_ = {}) {
    const wn_round_decimals_args a_ = {sizeof(wn_round_decimals_args), self, o_.decimals, o_.out};
    return wn_round_decimals_x(&a_);
}
inline wn_tensor *round_decimals_(wn_tensor *self, const round_decimals_opts &o_ = {}) {
    const wn_round_decimals_args a_ = {sizeof(wn_round_decimals_args), self, o_.decimals, o_.out};
    return wn_round_decimals_inplace_x(&a_);
}

/* _round_scaled(Tensor self, Scalar up, Scalar down) -> Tensor */
struct round_scaled_opts {
    wn_tensor *out = {};
};
inline wn_tensor *round_scaled(wn_tensor *self, const val &up, const val &down, const round_scaled_opts &o_ = {}) {
    const wn_round_scaled_args a_ = {sizeof(wn_round_scaled_args), self, up, down, o_.out};
    return wn_round_scaled_x(&a_);
}
inline wn_tensor *round_scaled_(wn_tensor *self, const val &up, const val &down, const round_scaled_opts &o_ = {}) {
    const wn_round_scaled_args a_ = {sizeof(wn_round_scaled_args), self, up, down, o_.out};
    return wn_round_scaled_inplace_x(&a_);
}

/* trunc(Tensor self) -> Tensor */
struct trunc_opts {
    wn_tensor *out = {};
};
inline wn_tensor *trunc(wn_tensor *self, const trunc_opts &o_ = {}) {
    const wn_trunc_args a_ = {sizeof(wn_trunc_args), self, o_.out};
    return wn_trunc_x(&a_);
}
inline wn_tensor *trunc_(wn_tensor *self, const trunc_opts &o_ = {}) {
    const wn_trunc_args a_ = {sizeof(wn_trunc_args), self, o_.out};
    return wn_trunc_inplace_x(&a_);
}

/* relu(Tensor self) -> Tensor */
struct relu_opts {
    wn_tensor *out = {};
};
inline wn_tensor *relu(wn_tensor *self, const relu_opts &o_ = {}) {
    const wn_relu_args a_ = {sizeof(wn_relu_args), self, o_.out};
    return wn_relu_x(&a_);
}
inline wn_tensor *relu_(wn_tensor *self, const relu_opts &o_ = {}) {
    const wn_relu_args a_ = {sizeof(wn_relu_args), self, o_.out};
    return wn_relu_inplace_x(&a_);
}

/* sigmoid(Tensor self) -> Tensor */
struct sigmoid_opts {
    wn_tensor *out = {};
};
inline wn_tensor *sigmoid(wn_tensor *self, const sigmoid_opts &o_ = {}) {
    const wn_sigmoid_args a_ = {sizeof(wn_sigmoid_args), self, o_.out};
    return wn_sigmoid_x(&a_);
}
inline wn_tensor *sigmoid_(wn_tensor *self, const sigmoid_opts &o_ = {}) {
    const wn_sigmoid_args a_ = {sizeof(wn_sigmoid_args), self, o_.out};
    return wn_sigmoid_inplace_x(&a_);
}

/* silu(Tensor self) -> Tensor */
struct silu_opts {
    wn_tensor *out = {};
};
inline wn_tensor *silu(wn_tensor *self, const silu_opts &o_ = {}) {
    const wn_silu_args a_ = {sizeof(wn_silu_args), self, o_.out};
    return wn_silu_x(&a_);
}
inline wn_tensor *silu_(wn_tensor *self, const silu_opts &o_ = {}) {
    const wn_silu_args a_ = {sizeof(wn_silu_args), self, o_.out};
    return wn_silu_inplace_x(&a_);
}

/* gelu(Tensor self) -> Tensor */
struct gelu_opts {
    wn_tensor *out = {};
};
inline wn_tensor *gelu(wn_tensor *self, const gelu_opts &o_ = {}) {
    const wn_gelu_args a_ = {sizeof(wn_gelu_args), self, o_.out};
    return wn_gelu_x(&a_);
}

/* gelu.approximate(Tensor self, *, str approximate) -> Tensor */
struct gelu_approximate_opts {
    const char *approximate = {};
    wn_tensor *out = {};
};
inline wn_tensor *gelu_approximate(wn_tensor *self, const gelu_approximate_opts &o_ = {}) {
    const wn_gelu_approximate_args a_ = {sizeof(wn_gelu_approximate_args), self, o_.approximate, o_.out};
    return wn_gelu_approximate_x(&a_);
}

/* _gelu_tanh(Tensor self) -> Tensor */
struct gelu_tanh_opts {
    wn_tensor *out = {};
};
inline wn_tensor *gelu_tanh(wn_tensor *self, const gelu_tanh_opts &o_ = {}) {
    const wn_gelu_tanh_args a_ = {sizeof(wn_gelu_tanh_args), self, o_.out};
    return wn_gelu_tanh_x(&a_);
}

/* softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor */
struct softplus_opts {
    wn::val beta = {};
    wn::val threshold = {};
    wn_tensor *out = {};
};
inline wn_tensor *softplus(wn_tensor *self, const softplus_opts &o_ = {}) {
    const wn_softplus_args a_ = {sizeof(wn_softplus_args), self, o_.beta, o_.threshold, o_.out};
    return wn_softplus_x(&a_);
}

/* leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor */
struct leaky_relu_opts {
    wn::val negative_slope = {};
    wn_tensor *out = {};
};
inline wn_tensor *leaky_relu(wn_tensor *self, const leaky_relu_opts &o_ = {}) {
    const wn_leaky_relu_args a_ = {sizeof(wn_leaky_relu_args), self, o_.negative_slope, o_.out};
    return wn_leaky_relu_x(&a_);
}
inline wn_tensor *leaky_relu_(wn_tensor *self, const leaky_relu_opts &o_ = {}) {
    const wn_leaky_relu_args a_ = {sizeof(wn_leaky_relu_args), self, o_.negative_slope, o_.out};
    return wn_leaky_relu_inplace_x(&a_);
}

/* elu(Tensor self, Scalar alpha=1) -> Tensor */
struct elu_opts {
    wn::val alpha = {};
    wn_tensor *out = {};
};
inline wn_tensor *elu(wn_tensor *self, const elu_opts &o_ = {}) {
    const wn_elu_args a_ = {sizeof(wn_elu_args), self, o_.alpha, o_.out};
    return wn_elu_x(&a_);
}
inline wn_tensor *elu_(wn_tensor *self, const elu_opts &o_ = {}) {
    const wn_elu_args a_ = {sizeof(wn_elu_args), self, o_.alpha, o_.out};
    return wn_elu_inplace_x(&a_);
}

/* clamp_min(Tensor self, Tensor min) -> Tensor */
struct clamp_min_opts {
    wn_tensor *out = {};
};
inline wn_tensor *clamp_min(const val &self, const val &min, const clamp_min_opts &o_ = {}) {
    const wn_clamp_min_args a_ = {sizeof(wn_clamp_min_args), self, min, o_.out};
    return wn_clamp_min_x(&a_);
}
inline wn_tensor *clamp_min_(wn_tensor *self, const val &min, const clamp_min_opts &o_ = {}) {
    const wn_clamp_min_args a_ = {sizeof(wn_clamp_min_args), wn_val_of_tensor(self), min, o_.out};
    return wn_clamp_min_inplace_x(&a_);
}

/* clamp_max(Tensor self, Tensor max) -> Tensor */
struct clamp_max_opts {
    wn_tensor *out = {};
};
inline wn_tensor *clamp_max(const val &self, const val &max, const clamp_max_opts &o_ = {}) {
    const wn_clamp_max_args a_ = {sizeof(wn_clamp_max_args), self, max, o_.out};
    return wn_clamp_max_x(&a_);
}
inline wn_tensor *clamp_max_(wn_tensor *self, const val &max, const clamp_max_opts &o_ = {}) {
    const wn_clamp_max_args a_ = {sizeof(wn_clamp_max_args), wn_val_of_tensor(self), max, o_.out};
    return wn_clamp_max_inplace_x(&a_);
}

/* _clamp_range(Tensor self, Tensor min, Tensor max) -> Tensor */
struct clamp_range_opts {
    wn_tensor *out = {};
};
inline wn_tensor *clamp_range(const val &self, const val &min, const val &max, const clamp_range_opts &o_ = {}) {
    const wn_clamp_range_args a_ = {sizeof(wn_clamp_range_args), self, min, max, o_.out};
    return wn_clamp_range_x(&a_);
}
inline wn_tensor *clamp_range_(wn_tensor *self, const val &min, const val &max, const clamp_range_opts &o_ = {}) {
    const wn_clamp_range_args a_ = {sizeof(wn_clamp_range_args), wn_val_of_tensor(self), min, max, o_.out};
    return wn_clamp_range_inplace_x(&a_);
}

/* clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor */
struct clamp_tensor_opts {
    wn_tensor *out = {};
};
inline wn_tensor *clamp_tensor(wn_tensor *self, wn_tensor *min, wn_tensor *max, const clamp_tensor_opts &o_ = {}) {
    const wn_clamp_tensor_args a_ = {sizeof(wn_clamp_tensor_args), self, min, max, o_.out};
    return wn_clamp_tensor_x(&a_);
}
inline wn_tensor *clamp_tensor_(wn_tensor *self, wn_tensor *min, wn_tensor *max, const clamp_tensor_opts &o_ = {}) {
    const wn_clamp_tensor_args a_ = {sizeof(wn_clamp_tensor_args), self, min, max, o_.out};
    return wn_clamp_tensor_inplace_x(&a_);
}

/* clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor */
struct clamp_opts {
    wn_tensor *out = {};
};
inline wn_tensor *clamp(wn_tensor *self, const val &min, const val &max, const clamp_opts &o_ = {}) {
    const wn_clamp_args a_ = {sizeof(wn_clamp_args), self, min, max, o_.out};
    return wn_clamp_x(&a_);
}
inline wn_tensor *clamp_(wn_tensor *self, const val &min, const val &max, const clamp_opts &o_ = {}) {
    const wn_clamp_args a_ = {sizeof(wn_clamp_args), self, min, max, o_.out};
    return wn_clamp_inplace_x(&a_);
}

/* threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor */
struct threshold_backward_opts {
    wn_tensor *out = {};
};
inline wn_tensor *threshold_backward(const val &grad_output, const val &self, const val &threshold, const threshold_backward_opts &o_ = {}) {
    const wn_threshold_backward_args a_ = {sizeof(wn_threshold_backward_args), grad_output, self, threshold, o_.out};
    return wn_threshold_backward_x(&a_);
}

/* tanh_backward(Tensor grad_output, Tensor output) -> Tensor */
struct tanh_backward_opts {
    wn_tensor *out = {};
};
inline wn_tensor *tanh_backward(const val &grad_output, const val &output, const tanh_backward_opts &o_ = {}) {
    const wn_tanh_backward_args a_ = {sizeof(wn_tanh_backward_args), grad_output, output, o_.out};
    return wn_tanh_backward_x(&a_);
}

/* sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor */
struct sigmoid_backward_opts {
    wn_tensor *out = {};
};
inline wn_tensor *sigmoid_backward(const val &grad_output, const val &output, const sigmoid_backward_opts &o_ = {}) {
    const wn_sigmoid_backward_args a_ = {sizeof(wn_sigmoid_backward_args), grad_output, output, o_.out};
    return wn_sigmoid_backward_x(&a_);
}

/* silu_backward(Tensor grad_output, Tensor self) -> Tensor */
struct silu_backward_opts {
    wn_tensor *out = {};
};
inline wn_tensor *silu_backward(const val &grad_output, const val &self, const silu_backward_opts &o_ = {}) {
    const wn_silu_backward_args a_ = {sizeof(wn_silu_backward_args), grad_output, self, o_.out};
    return wn_silu_backward_x(&a_);
}

/* gelu_backward(Tensor grad_output, Tensor self) -> Tensor */
struct gelu_backward_opts {
    wn_tensor *out = {};
};
inline wn_tensor *gelu_backward(const val &grad_output, const val &self, const gelu_backward_opts &o_ = {}) {
    const wn_gelu_backward_args a_ = {sizeof(wn_gelu_backward_args), grad_output, self, o_.out};
    return wn_gelu_backward_x(&a_);
}

/* _gelu_tanh_backward(Tensor grad_output, Tensor self) -> Tensor */
struct gelu_tanh_backward_opts {
    wn_tensor *out = {};
};
inline wn_tensor *gelu_tanh_backward(const val &grad_output, const val &self, const gelu_tanh_backward_opts &o_ = {}) {
    const wn_gelu_tanh_backward_args a_ = {sizeof(wn_gelu_tanh_backward_args), grad_output, self, o_.out};
    return wn_gelu_tanh_backward_x(&a_);
}

/* eq(Tensor self, Tensor other) -> Tensor */
struct eq_opts {
    wn_tensor *out = {};
};
inline wn_tensor *eq(const val &self, const val &other, const eq_opts &o_ = {}) {
    const wn_eq_args a_ = {sizeof(wn_eq_args), self, other, o_.out};
    return wn_eq_x(&a_);
}
inline wn_tensor *eq_(wn_tensor *self, const val &other, const eq_opts &o_ = {}) {
    const wn_eq_args a_ = {sizeof(wn_eq_args), wn_val_of_tensor(self), other, o_.out};
    return wn_eq_inplace_x(&a_);
}

/* ne(Tensor self, Tensor other) -> Tensor */
struct ne_opts {
    wn_tensor *out = {};
};
inline wn_tensor *ne(const val &self, const val &other, const ne_opts &o_ = {}) {
    const wn_ne_args a_ = {sizeof(wn_ne_args), self, other, o_.out};
    return wn_ne_x(&a_);
}
inline wn_tensor *ne_(wn_tensor *self, const val &other, const ne_opts &o_ = {}) {
    const wn_ne_args a_ = {sizeof(wn_ne_args), wn_val_of_tensor(self), other, o_.out};
    return wn_ne_inplace_x(&a_);
}

/* lt(Tensor self, Tensor other) -> Tensor */
struct lt_opts {
    wn_tensor *out = {};
};
inline wn_tensor *lt(const val &self, const val &other, const lt_opts &o_ = {}) {
    const wn_lt_args a_ = {sizeof(wn_lt_args), self, other, o_.out};
    return wn_lt_x(&a_);
}
inline wn_tensor *lt_(wn_tensor *self, const val &other, const lt_opts &o_ = {}) {
    const wn_lt_args a_ = {sizeof(wn_lt_args), wn_val_of_tensor(self), other, o_.out};
    return wn_lt_inplace_x(&a_);
}

/* le(Tensor self, Tensor other) -> Tensor */
struct le_opts {
    wn_tensor *out = {};
};
inline wn_tensor *le(const val &self, const val &other, const le_opts &o_ = {}) {
    const wn_le_args a_ = {sizeof(wn_le_args), self, other, o_.out};
    return wn_le_x(&a_);
}
inline wn_tensor *le_(wn_tensor *self, const val &other, const le_opts &o_ = {}) {
    const wn_le_args a_ = {sizeof(wn_le_args), wn_val_of_tensor(self), other, o_.out};
    return wn_le_inplace_x(&a_);
}

/* gt(Tensor self, Tensor other) -> Tensor */
struct gt_opts {
    wn_tensor *out = {};
};
inline wn_tensor *gt(const val &self, const val &other, const gt_opts &o_ = {}) {
    const wn_gt_args a_ = {sizeof(wn_gt_args), self, other, o_.out};
    return wn_gt_x(&a_);
}
inline wn_tensor *gt_(wn_tensor *self, const val &other, const gt_opts &o_ = {}) {
    const wn_gt_args a_ = {sizeof(wn_gt_args), wn_val_of_tensor(self), other, o_.out};
    return wn_gt_inplace_x(&a_);
}

/* ge(Tensor self, Tensor other) -> Tensor */
struct ge_opts {
    wn_tensor *out = {};
};
inline wn_tensor *ge(const val &self, const val &other, const ge_opts &o_ = {}) {
    const wn_ge_args a_ = {sizeof(wn_ge_args), self, other, o_.out};
    return wn_ge_x(&a_);
}
inline wn_tensor *ge_(wn_tensor *self, const val &other, const ge_opts &o_ = {}) {
    const wn_ge_args a_ = {sizeof(wn_ge_args), wn_val_of_tensor(self), other, o_.out};
    return wn_ge_inplace_x(&a_);
}

/* isnan(Tensor self) -> Tensor */
struct isnan_opts {
    wn_tensor *out = {};
};
inline wn_tensor *isnan(wn_tensor *self, const isnan_opts &o_ = {}) {
    const wn_isnan_args a_ = {sizeof(wn_isnan_args), self, o_.out};
    return wn_isnan_x(&a_);
}

/* isinf(Tensor self) -> Tensor */
struct isinf_opts {
    wn_tensor *out = {};
};
inline wn_tensor *isinf(wn_tensor *self, const isinf_opts &o_ = {}) {
    const wn_isinf_args a_ = {sizeof(wn_isinf_args), self, o_.out};
    return wn_isinf_x(&a_);
}

/* isfinite(Tensor self) -> Tensor */
struct isfinite_opts {
    wn_tensor *out = {};
};
inline wn_tensor *isfinite(wn_tensor *self, const isfinite_opts &o_ = {}) {
    const wn_isfinite_args a_ = {sizeof(wn_isfinite_args), self, o_.out};
    return wn_isfinite_x(&a_);
}

/* signbit(Tensor self) -> Tensor */
struct signbit_opts {
    wn_tensor *out = {};
};
inline wn_tensor *signbit(wn_tensor *self, const signbit_opts &o_ = {}) {
    const wn_signbit_args a_ = {sizeof(wn_signbit_args), self, o_.out};
    return wn_signbit_x(&a_);
}

/* logical_not(Tensor self) -> Tensor */
struct logical_not_opts {
    wn_tensor *out = {};
};
inline wn_tensor *logical_not(wn_tensor *self, const logical_not_opts &o_ = {}) {
    const wn_logical_not_args a_ = {sizeof(wn_logical_not_args), self, o_.out};
    return wn_logical_not_x(&a_);
}
inline wn_tensor *logical_not_(wn_tensor *self, const logical_not_opts &o_ = {}) {
    const wn_logical_not_args a_ = {sizeof(wn_logical_not_args), self, o_.out};
    return wn_logical_not_inplace_x(&a_);
}

/* logical_and(Tensor self, Tensor other) -> Tensor */
struct logical_and_opts {
    wn_tensor *out = {};
};
inline wn_tensor *logical_and(const val &self, const val &other, const logical_and_opts &o_ = {}) {
    const wn_logical_and_args a_ = {sizeof(wn_logical_and_args), self, other, o_.out};
    return wn_logical_and_x(&a_);
}
inline wn_tensor *logical_and_(wn_tensor *self, const val &other, const logical_and_opts &o_ = {}) {
    const wn_logical_and_args a_ = {sizeof(wn_logical_and_args), wn_val_of_tensor(self), other, o_.out};
    return wn_logical_and_inplace_x(&a_);
}

/* logical_or(Tensor self, Tensor other) -> Tensor */
struct logical_or_opts {
    wn_tensor *out = {};
};
inline wn_tensor *logical_or(const val &self, const val &other, const logical_or_opts &o_ = {}) {
    const wn_logical_or_args a_ = {sizeof(wn_logical_or_args), self, other, o_.out};
    return wn_logical_or_x(&a_);
}
inline wn_tensor *logical_or_(wn_tensor *self, const val &other, const logical_or_opts &o_ = {}) {
    const wn_logical_or_args a_ = {sizeof(wn_logical_or_args), wn_val_of_tensor(self), other, o_.out};
    return wn_logical_or_inplace_x(&a_);
}

/* logical_xor(Tensor self, Tensor other) -> Tensor */
struct logical_xor_opts {
    wn_tensor *out = {};
};
inline wn_tensor *logical_xor(const val &self, const val &other, const logical_xor_opts &o_ = {}) {
    const wn_logical_xor_args a_ = {sizeof(wn_logical_xor_args), self, other, o_.out};
    return wn_logical_xor_x(&a_);
}
inline wn_tensor *logical_xor_(wn_tensor *self, const val &other, const logical_xor_opts &o_ = {}) {
    const wn_logical_xor_args a_ = {sizeof(wn_logical_xor_args), wn_val_of_tensor(self), other, o_.out};
    return wn_logical_xor_inplace_x(&a_);
}

/* bitwise_not(Tensor self) -> Tensor */
struct bitwise_not_opts {
    wn_tensor *out = {};
};
inline wn_tensor *bitwise_not(wn_tensor *self, const bitwise_not_opts &o_ = {}) {
    const wn_bitwise_not_args a_ = {sizeof(wn_bitwise_not_args), self, o_.out};
    return wn_bitwise_not_x(&a_);
}
inline wn_tensor *bitwise_not_(wn_tensor *self, const bitwise_not_opts &o_ = {}) {
    const wn_bitwise_not_args a_ = {sizeof(wn_bitwise_not_args), self, o_.out};
    return wn_bitwise_not_inplace_x(&a_);
}

/* bitwise_and(Tensor self, Tensor other) -> Tensor */
struct bitwise_and_opts {
    wn_tensor *out = {};
};
inline wn_tensor *bitwise_and(const val &self, const val &other, const bitwise_and_opts &o_ = {}) {
    const wn_bitwise_and_args a_ = {sizeof(wn_bitwise_and_args), self, other, o_.out};
    return wn_bitwise_and_x(&a_);
}
inline wn_tensor *bitwise_and_(wn_tensor *self, const val &other, const bitwise_and_opts &o_ = {}) {
    const wn_bitwise_and_args a_ = {sizeof(wn_bitwise_and_args), wn_val_of_tensor(self), other, o_.out};
    return wn_bitwise_and_inplace_x(&a_);
}

/* bitwise_or(Tensor self, Tensor other) -> Tensor */
struct bitwise_or_opts {
    wn_tensor *out = {};
};
inline wn_tensor *bitwise_or(const val &self, const val &other, const bitwise_or_opts &o_ = {}) {
    const wn_bitwise_or_args a_ = {sizeof(wn_bitwise_or_args), self, other, o_.out};
    return wn_bitwise_or_x(&a_);
}
inline wn_tensor *bitwise_or_(wn_tensor *self, const val &other, const bitwise_or_opts &o_ = {}) {
    const wn_bitwise_or_args a_ = {sizeof(wn_bitwise_or_args), wn_val_of_tensor(self), other, o_.out};
    return wn_bitwise_or_inplace_x(&a_);
}

/* bitwise_xor(Tensor self, Tensor other) -> Tensor */
struct bitwise_xor_opts {
    wn_tensor *out = {};
};
inline wn_tensor *bitwise_xor(const val &self, const val &other, const bitwise_xor_opts &o_ = {}) {
    const wn_bitwise_xor_args a_ = {sizeof(wn_bitwise_xor_args), self, other, o_.out};
    return wn_bitwise_xor_x(&a_);
}
inline wn_tensor *bitwise_xor_(wn_tensor *self, const val &other, const bitwise_xor_opts &o_ = {}) {
    const wn_bitwise_xor_args a_ = {sizeof(wn_bitwise_xor_args), wn_val_of_tensor(self), other, o_.out};
    return wn_bitwise_xor_inplace_x(&a_);
}

/* where.self(Tensor condition, Tensor self, Tensor other) -> Tensor */
struct where_opts {
    wn_tensor *out = {};
};
inline wn_tensor *where(wn_tensor *condition, const val &self, const val &other, const where_opts &o_ = {}) {
    const wn_where_args a_ = {sizeof(wn_where_args), condition, self, other, o_.out};
    return wn_where_x(&a_);
}

/* masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor */
struct masked_fill_tensor_opts {
    wn_tensor *out = {};
};
inline wn_tensor *masked_fill_tensor(wn_tensor *self, wn_tensor *mask, wn_tensor *value, const masked_fill_tensor_opts &o_ = {}) {
    const wn_masked_fill_tensor_args a_ = {sizeof(wn_masked_fill_tensor_args), self, mask, value, o_.out};
    return wn_masked_fill_tensor_x(&a_);
}
inline wn_tensor *masked_fill_tensor_(wn_tensor *self, wn_tensor *mask, wn_tensor *value, const masked_fill_tensor_opts &o_ = {}) {
    const wn_masked_fill_tensor_args a_ = {sizeof(wn_masked_fill_tensor_args), self, mask, value, o_.out};
    return wn_masked_fill_tensor_inplace_x(&a_);
}

/* masked_fill(Tensor self, Tensor mask, Scalar value) -> Tensor */
struct masked_fill_opts {
    wn_tensor *out = {};
};
inline wn_tensor *masked_fill(wn_tensor *self, wn_tensor *mask, const val &value, const masked_fill_opts &o_ = {}) {
    const wn_masked_fill_args a_ = {sizeof(wn_masked_fill_args), self, mask, value, o_.out};
    return wn_masked_fill_x(&a_);
}
inline wn_tensor *masked_fill_(wn_tensor *self, wn_tensor *mask, const val &value, const masked_fill_opts &o_ = {}) {
    const wn_masked_fill_args a_ = {sizeof(wn_masked_fill_args), self, mask, value, o_.out};
    return wn_masked_fill_inplace_x(&a_);
}

/* bitwise_left_shift(Tensor self, Tensor other) -> Tensor */
struct bitwise_left_shift_opts {
    wn_tensor *out = {};
};
inline wn_tensor *bitwise_left_shift(const val &self, const val &other, const bitwise_left_shift_opts &o_ = {}) {
    const wn_bitwise_left_shift_args a_ = {sizeof(wn_bitwise_left_shift_args), self, other, o_.out};
    return wn_bitwise_left_shift_x(&a_);
}
inline wn_tensor *bitwise_left_shift_(wn_tensor *self, const val &other, const bitwise_left_shift_opts &o_ = {}) {
    const wn_bitwise_left_shift_args a_ = {sizeof(wn_bitwise_left_shift_args), wn_val_of_tensor(self), other, o_.out};
    return wn_bitwise_left_shift_inplace_x(&a_);
}

/* bitwise_right_shift(Tensor self, Tensor other) -> Tensor */
struct bitwise_right_shift_opts {
    wn_tensor *out = {};
};
inline wn_tensor *bitwise_right_shift(const val &self, const val &other, const bitwise_right_shift_opts &o_ = {}) {
    const wn_bitwise_right_shift_args a_ = {sizeof(wn_bitwise_right_shift_args), self, other, o_.out};
    return wn_bitwise_right_shift_x(&a_);
}
inline wn_tensor *bitwise_right_shift_(wn_tensor *self, const val &other, const bitwise_right_shift_opts &o_ = {}) {
    const wn_bitwise_right_shift_args a_ = {sizeof(wn_bitwise_right_shift_args), wn_val_of_tensor(self), other, o_.out};
    return wn_bitwise_right_shift_inplace_x(&a_);
}

/* gcd(Tensor self, Tensor other) -> Tensor */
struct gcd_opts {
    wn_tensor *out = {};
};
inline wn_tensor *gcd(const val &self, const val &other, const gcd_opts &o_ = {}) {
    const wn_gcd_args a_ = {sizeof(wn_gcd_args), self, other, o_.out};
    return wn_gcd_x(&a_);
}
inline wn_tensor *gcd_(wn_tensor *self, const val &other, const gcd_opts &o_ = {}) {
    const wn_gcd_args a_ = {sizeof(wn_gcd_args), wn_val_of_tensor(self), other, o_.out};
    return wn_gcd_inplace_x(&a_);
}

/* lcm(Tensor self, Tensor other) -> Tensor */
struct lcm_opts {
    wn_tensor *out = {};
};
inline wn_tensor *lcm(const val &self, const val &other, const lcm_opts &o_ = {}) {
    const wn_lcm_args a_ = {sizeof(wn_lcm_args), self, other, o_.out};
    return wn_lcm_x(&a_);
}
inline wn_tensor *lcm_(wn_tensor *self, const val &other, const lcm_opts &o_ = {}) {
    const wn_lcm_args a_ = {sizeof(wn_lcm_args), wn_val_of_tensor(self), other, o_.out};
    return wn_lcm_inplace_x(&a_);
}

/* rsub(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor */
struct rsub_opts {
    wn::val alpha = {};
    wn_tensor *out = {};
};
inline wn_tensor *rsub(const val &self, const val &other, const rsub_opts &o_ = {}) {
    const wn_rsub_args a_ = {sizeof(wn_rsub_args), self, other, o_.alpha, o_.out};
    return wn_rsub_x(&a_);
}

/* positive(Tensor self) -> Tensor */
inline wn_tensor *positive(wn_tensor *self) {
    const wn_positive_args a_ = {sizeof(wn_positive_args), self};
    return wn_positive_x(&a_);
}

/* deg2rad(Tensor self) -> Tensor */
struct deg2rad_opts {
    wn_tensor *out = {};
};
inline wn_tensor *deg2rad(wn_tensor *self, const deg2rad_opts &o_ = {}) {
    const wn_deg2rad_args a_ = {sizeof(wn_deg2rad_args), self, o_.out};
    return wn_deg2rad_x(&a_);
}
inline wn_tensor *deg2rad_(wn_tensor *self, const deg2rad_opts &o_ = {}) {
    const wn_deg2rad_args a_ = {sizeof(wn_deg2rad_args), self, o_.out};
    return wn_deg2rad_inplace_x(&a_);
}

/* rad2deg(Tensor self) -> Tensor */
struct rad2deg_opts {
    wn_tensor *out = {};
};
inline wn_tensor *rad2deg(wn_tensor *self, const rad2deg_opts &o_ = {}) {
    const wn_rad2deg_args a_ = {sizeof(wn_rad2deg_args), self, o_.out};
    return wn_rad2deg_x(&a_);
}
inline wn_tensor *rad2deg_(wn_tensor *self, const rad2deg_opts &o_ = {}) {
    const wn_rad2deg_args a_ = {sizeof(wn_rad2deg_args), self, o_.out};
    return wn_rad2deg_inplace_x(&a_);
}

/* fmax(Tensor self, Tensor other) -> Tensor */
struct fmax_opts {
    wn_tensor *out = {};
};
inline wn_tensor *fmax(const val &self, const val &other, const fmax_opts &o_ = {}) {
    const wn_fmax_args a_ = {sizeof(wn_fmax_args), self, other, o_.out};
    return wn_fmax_x(&a_);
}

/* fmin(Tensor self, Tensor other) -> Tensor */
struct fmin_opts {
    wn_tensor *out = {};
};
inline wn_tensor *fmin(const val &self, const val &other, const fmin_opts &o_ = {}) {
    const wn_fmin_args a_ = {sizeof(wn_fmin_args), self, other, o_.out};
    return wn_fmin_x(&a_);
}

/* frac(Tensor self) -> Tensor */
struct frac_opts {
    wn_tensor *out = {};
};
inline wn_tensor *frac(wn_tensor *self, const frac_opts &o_ = {}) {
    const wn_frac_args a_ = {sizeof(wn_frac_args), self, o_.out};
    return wn_frac_x(&a_);
}
inline wn_tensor *frac_(wn_tensor *self, const frac_opts &o_ = {}) {
    const wn_frac_args a_ = {sizeof(wn_frac_args), self, o_.out};
    return wn_frac_inplace_x(&a_);
}

/* sgn(Tensor self) -> Tensor */
struct sgn_opts {
    wn_tensor *out = {};
};
inline wn_tensor *sgn(wn_tensor *self, const sgn_opts &o_ = {}) {
    const wn_sgn_args a_ = {sizeof(wn_sgn_args), self, o_.out};
    return wn_sgn_x(&a_);
}
inline wn_tensor *sgn_(wn_tensor *self, const sgn_opts &o_ = {}) {
    const wn_sgn_args a_ = {sizeof(wn_sgn_args), self, o_.out};
    return wn_sgn_inplace_x(&a_);
}

/* angle(Tensor self) -> Tensor */
struct angle_opts {
    wn_tensor *out = {};
};
inline wn_tensor *angle(wn_tensor *self, const angle_opts &o_ = {}) {
    const wn_angle_args a_ = {sizeof(wn_angle_args), self, o_.out};
    return wn_angle_x(&a_);
}

/* copysign.Tensor(Tensor self, Tensor other) -> Tensor */
struct copysign_opts {
    wn_tensor *out = {};
};
inline wn_tensor *copysign(const val &self, const val &other, const copysign_opts &o_ = {}) {
    const wn_copysign_args a_ = {sizeof(wn_copysign_args), self, other, o_.out};
    return wn_copysign_x(&a_);
}
inline wn_tensor *copysign_(wn_tensor *self, const val &other, const copysign_opts &o_ = {}) {
    const wn_copysign_args a_ = {sizeof(wn_copysign_args), wn_val_of_tensor(self), other, o_.out};
    return wn_copysign_inplace_x(&a_);
}

/* heaviside(Tensor self, Tensor values) -> Tensor */
struct heaviside_opts {
    wn_tensor *out = {};
};
inline wn_tensor *heaviside(const val &self, const val &values, const heaviside_opts &o_ = {}) {
    const wn_heaviside_args a_ = {sizeof(wn_heaviside_args), self, values, o_.out};
    return wn_heaviside_x(&a_);
}
inline wn_tensor *heaviside_(wn_tensor *self, const val &values, const heaviside_opts &o_ = {}) {
    const wn_heaviside_args a_ = {sizeof(wn_heaviside_args), wn_val_of_tensor(self), values, o_.out};
    return wn_heaviside_inplace_x(&a_);
}

/* nextafter(Tensor self, Tensor other) -> Tensor */
struct nextafter_opts {
    wn_tensor *out = {};
};
inline wn_tensor *nextafter(wn_tensor *self, wn_tensor *other, const nextafter_opts &o_ = {}) {
    const wn_nextafter_args a_ = {sizeof(wn_nextafter_args), self, other, o_.out};
    return wn_nextafter_x(&a_);
}
inline wn_tensor *nextafter_(wn_tensor *self, wn_tensor *other, const nextafter_opts &o_ = {}) {
    const wn_nextafter_args a_ = {sizeof(wn_nextafter_args), self, other, o_.out};
    return wn_nextafter_inplace_x(&a_);
}

/* _nextafter(Tensor self, Tensor other) -> Tensor */
struct nextafter_wide_opts {
    wn_tensor *out = {};
};
inline wn_tensor *nextafter_wide(const val &self, const val &other, const nextafter_wide_opts &o_ = {}) {
    const wn_nextafter_wide_args a_ = {sizeof(wn_nextafter_wide_args), self, other, o_.out};
    return wn_nextafter_wide_x(&a_);
}
inline wn_tensor *nextafter_wide_(wn_tensor *self, const val &other, const nextafter_wide_opts &o_ = {}) {
    const wn_nextafter_wide_args a_ = {sizeof(wn_nextafter_wide_args), wn_val_of_tensor(self), other, o_.out};
    return wn_nextafter_wide_inplace_x(&a_);
}

/* _nextafter_half(Tensor self, Tensor other) -> Tensor */
struct nextafter_half_opts {
    wn_tensor *out = {};
};
inline wn_tensor *nextafter_half(const val &self, const val &other, const nextafter_half_opts &o_ = {}) {
    const wn_nextafter_half_args a_ = {sizeof(wn_nextafter_half_args), self, other, o_.out};
    return wn_nextafter_half_x(&a_);
}
inline wn_tensor *nextafter_half_(wn_tensor *self, const val &other, const nextafter_half_opts &o_ = {}) {
    const wn_nextafter_half_args a_ = {sizeof(wn_nextafter_half_args), wn_val_of_tensor(self), other, o_.out};
    return wn_nextafter_half_inplace_x(&a_);
}

/* isposinf(Tensor self) -> Tensor */
struct isposinf_opts {
    wn_tensor *out = {};
};
inline wn_tensor *isposinf(wn_tensor *self, const isposinf_opts &o_ = {}) {
    const wn_isposinf_args a_ = {sizeof(wn_isposinf_args), self, o_.out};
    return wn_isposinf_x(&a_);
}

/* isneginf(Tensor self) -> Tensor */
struct isneginf_opts {
    wn_tensor *out = {};
};
inline wn_tensor *isneginf(wn_tensor *self, const isneginf_opts &o_ = {}) {
    const wn_isneginf_args a_ = {sizeof(wn_isneginf_args), self, o_.out};
    return wn_isneginf_x(&a_);
}

/* isreal(Tensor self) -> Tensor */
inline wn_tensor *isreal(wn_tensor *self) {
    const wn_isreal_args a_ = {sizeof(wn_isreal_args), self};
    return wn_isreal_x(&a_);
}

/* nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor */
struct nan_to_num_opts {
    wn::val nan = {};
    wn::val posinf = {};
    wn::val neginf = {};
    wn_tensor *out = {};
};
inline wn_tensor *nan_to_num(wn_tensor *self, const nan_to_num_opts &o_ = {}) {
    const wn_nan_to_num_args a_ = {sizeof(wn_nan_to_num_args), self, o_.nan, o_.posinf, o_.neginf, o_.out};
    return wn_nan_to_num_x(&a_);
}
inline wn_tensor *nan_to_num_(wn_tensor *self, const nan_to_num_opts &o_ = {}) {
    const wn_nan_to_num_args a_ = {sizeof(wn_nan_to_num_args), self, o_.nan, o_.posinf, o_.neginf, o_.out};
    return wn_nan_to_num_inplace_x(&a_);
}

/* _nan_to_num(Tensor self, Scalar nan, Scalar posinf, Scalar neginf) -> Tensor */
struct nan_to_num_values_opts {
    wn_tensor *out = {};
};
inline wn_tensor *nan_to_num_values(wn_tensor *self, const val &nan, const val &posinf, const val &neginf, const nan_to_num_values_opts &o_ = {}) {
    const wn_nan_to_num_values_args a_ = {sizeof(wn_nan_to_num_values_args), self, nan, posinf, neginf, o_.out};
    return wn_nan_to_num_values_x(&a_);
}
inline wn_tensor *nan_to_num_values_(wn_tensor *self, const val &nan, const val &posinf, const val &neginf, const nan_to_num_values_opts &o_ = {}) {
    const wn_nan_to_num_values_args a_ = {sizeof(wn_nan_to_num_values_args), self, nan, posinf, neginf, o_.out};
    return wn_nan_to_num_values_inplace_x(&a_);
}

/* hypot(Tensor self, Tensor other) -> Tensor */
struct hypot_opts {
    wn_tensor *out = {};
};
inline wn_tensor *hypot(const val &self, const val &other, const hypot_opts &o_ = {}) {
    const wn_hypot_args a_ = {sizeof(wn_hypot_args), self, other, o_.out};
    return wn_hypot_x(&a_);
}
inline wn_tensor *hypot_(wn_tensor *self, const val &other, const hypot_opts &o_ = {}) {
    const wn_hypot_args a_ = {sizeof(wn_hypot_args), wn_val_of_tensor(self), other, o_.out};
    return wn_hypot_inplace_x(&a_);
}

/* logaddexp(Tensor self, Tensor other) -> Tensor */
struct logaddexp_opts {
    wn_tensor *out = {};
};
inline wn_tensor *logaddexp(const val &self, const val &other, const logaddexp_opts &o_ = {}) {
    const wn_logaddexp_args a_ = {sizeof(wn_logaddexp_args), self, other, o_.out};
    return wn_logaddexp_x(&a_);
}

/* logaddexp2(Tensor self, Tensor other) -> Tensor */
struct logaddexp2_opts {
    wn_tensor *out = {};
};
inline wn_tensor *logaddexp2(const val &self, const val &other, const logaddexp2_opts &o_ = {}) {
    const wn_logaddexp2_args a_ = {sizeof(wn_logaddexp2_args), self, other, o_.out};
    return wn_logaddexp2_x(&a_);
}

/* ldexp.Tensor(Tensor self, Tensor other) -> Tensor */
struct ldexp_opts {
    wn_tensor *out = {};
};
inline wn_tensor *ldexp(wn_tensor *self, wn_tensor *other, const ldexp_opts &o_ = {}) {
    const wn_ldexp_args a_ = {sizeof(wn_ldexp_args), self, other, o_.out};
    return wn_ldexp_x(&a_);
}
inline wn_tensor *ldexp_(wn_tensor *self, wn_tensor *other, const ldexp_opts &o_ = {}) {
    const wn_ldexp_args a_ = {sizeof(wn_ldexp_args), self, other, o_.out};
    return wn_ldexp_inplace_x(&a_);
}

/* frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent) */
inline wn_frexp_out frexp(wn_tensor *self) {
    const wn_frexp_args a_ = {sizeof(wn_frexp_args), self};
    return wn_frexp_x(&a_);
}

/* float_power(Tensor self, Tensor exponent) -> Tensor */
struct float_power_opts {
    wn_tensor *out = {};
};
inline wn_tensor *float_power(const val &self, const val &exponent, const float_power_opts &o_ = {}) {
    const wn_float_power_args a_ = {sizeof(wn_float_power_args), self, exponent, o_.out};
    return wn_float_power_x(&a_);
}

/* conj_physical(Tensor self) -> Tensor */
struct conj_physical_opts {
    wn_tensor *out = {};
};
inline wn_tensor *conj_physical(wn_tensor *self, const conj_physical_opts &o_ = {}) {
    const wn_conj_physical_args a_ = {sizeof(wn_conj_physical_args), self, o_.out};
    return wn_conj_physical_x(&a_);
}
inline wn_tensor *conj_physical_(wn_tensor *self, const conj_physical_opts &o_ = {}) {
    const wn_conj_physical_args a_ = {sizeof(wn_conj_physical_args), self, o_.out};
    return wn_conj_physical_inplace_x(&a_);
}

/* conj(Tensor self) -> Tensor */
inline wn_tensor *conj(wn_tensor *self) {
    const wn_conj_args a_ = {sizeof(wn_conj_args), self};
    return wn_conj_x(&a_);
}

/* resolve_conj(Tensor self) -> Tensor */
inline wn_tensor *resolve_conj(wn_tensor *self) {
    const wn_resolve_conj_args a_ = {sizeof(wn_resolve_conj_args), self};
    return wn_resolve_conj_x(&a_);
}

/* resolve_neg(Tensor self) -> Tensor */
inline wn_tensor *resolve_neg(wn_tensor *self) {
    const wn_resolve_neg_args a_ = {sizeof(wn_resolve_neg_args), self};
    return wn_resolve_neg_x(&a_);
}

/* real(Tensor self) -> Tensor */
inline wn_tensor *real(wn_tensor *self) {
    const wn_real_args a_ = {sizeof(wn_real_args), self};
    return wn_real_x(&a_);
}

/* logspace(Scalar start, Scalar end, int steps, float base=10.0, *, ScalarType? dtype=None) -> Tensor */
struct logspace_opts {
    wn::val base = {};
    wn_dtype dtype = {};
    wn_device device = {};
    wn_tensor *out = {};
};
inline wn_tensor *logspace(const val &start, const val &end, int64_t steps, const logspace_opts &o_ = {}) {
    const wn_logspace_args a_ = {sizeof(wn_logspace_args), start, end, steps, o_.base, o_.dtype, o_.device, o_.out};
    return wn_logspace_x(&a_);
}

/* logspace.Tensor_Tensor(Tensor start, Tensor end, int steps, float base=10.0, *, ScalarType? dtype=None) -> Tensor */
struct logspace_tensor_opts {
    wn::val base = {};
    wn_dtype dtype = {};
    wn_device device = {};
    wn_tensor *out = {};
};
inline wn_tensor *logspace_tensor(const val &start, const val &end, int64_t steps, const logspace_tensor_opts &o_ = {}) {
    const wn_logspace_tensor_args a_ = {sizeof(wn_logspace_tensor_args), start, end, steps, o_.base, o_.dtype, o_.device, o_.out};
    return wn_logspace_tensor_x(&a_);
}

/* hardswish(Tensor self) -> Tensor */
struct hardswish_opts {
    wn_tensor *out = {};
};
inline wn_tensor *hardswish(wn_tensor *self, const hardswish_opts &o_ = {}) {
    const wn_hardswish_args a_ = {sizeof(wn_hardswish_args), self, o_.out};
    return wn_hardswish_x(&a_);
}
inline wn_tensor *hardswish_(wn_tensor *self, const hardswish_opts &o_ = {}) {
    const wn_hardswish_args a_ = {sizeof(wn_hardswish_args), self, o_.out};
    return wn_hardswish_inplace_x(&a_);
}

/* hardswish_backward(Tensor grad_output, Tensor self) -> Tensor */
struct hardswish_backward_opts {
    wn_tensor *out = {};
};
inline wn_tensor *hardswish_backward(const val &grad_output, const val &self, const hardswish_backward_opts &o_ = {}) {
    const wn_hardswish_backward_args a_ = {sizeof(wn_hardswish_backward_args), grad_output, self, o_.out};
    return wn_hardswish_backward_x(&a_);
}

/* hardsigmoid(Tensor self) -> Tensor */
struct hardsigmoid_opts {
    wn_tensor *out = {};
};
inline wn_tensor *hardsigmoid(wn_tensor *self, const hardsigmoid_opts &o_ = {}) {
    const wn_hardsigmoid_args a_ = {sizeof(wn_hardsigmoid_args), self, o_.out};
    return wn_hardsigmoid_x(&a_);
}
inline wn_tensor *hardsigmoid_(wn_tensor *self, const hardsigmoid_opts &o_ = {}) {
    const wn_hardsigmoid_args a_ = {sizeof(wn_hardsigmoid_args), self, o_.out};
    return wn_hardsigmoid_inplace_x(&a_);
}

/* hardsigmoid_backward(Tensor grad_output, Tensor self) -> Tensor */
struct hardsigmoid_backward_opts {
    wn_tensor *out = {};
};
inline wn_tensor *hardsigmoid_backward(const val &grad_output, const val &self, const hardsigmoid_backward_opts &o_ = {}) {
    const wn_hardsigmoid_backward_args a_ = {sizeof(wn_hardsigmoid_backward_args), grad_output, self, o_.out};
    return wn_hardsigmoid_backward_x(&a_);
}

/* hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor */
struct hardtanh_opts {
    wn::val min_val = {};
    wn::val max_val = {};
    wn_tensor *out = {};
};
inline wn_tensor *hardtanh(wn_tensor *self, const hardtanh_opts &o_ = {}) {
    const wn_hardtanh_args a_ = {sizeof(wn_hardtanh_args), self, o_.min_val, o_.max_val, o_.out};
    return wn_hardtanh_x(&a_);
}
inline wn_tensor *hardtanh_(wn_tensor *self, const hardtanh_opts &o_ = {}) {
    const wn_hardtanh_args a_ = {sizeof(wn_hardtanh_args), self, o_.min_val, o_.max_val, o_.out};
    return wn_hardtanh_inplace_x(&a_);
}

/* hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val) -> Tensor */
struct hardtanh_backward_opts {
    wn_tensor *out = {};
};
inline wn_tensor *hardtanh_backward(const val &grad_output, const val &self, const val &min_val, const val &max_val, const hardtanh_backward_opts &o_ = {}) {
    const wn_hardtanh_backward_args a_ = {sizeof(wn_hardtanh_backward_args), grad_output, self, min_val, max_val, o_.out};
    return wn_hardtanh_backward_x(&a_);
}

/* relu6(Tensor self) -> Tensor */
struct relu6_opts {
    wn_tensor *out = {};
};
inline wn_tensor *relu6(wn_tensor *self, const relu6_opts &o_ = {}) {
    const wn_relu6_args a_ = {sizeof(wn_relu6_args), self, o_.out};
    return wn_relu6_x(&a_);
}
inline wn_tensor *relu6_(wn_tensor *self, const relu6_opts &o_ = {}) {
    const wn_relu6_args a_ = {sizeof(wn_relu6_args), self, o_.out};
    return wn_relu6_inplace_x(&a_);
}

/* threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor */
struct threshold_opts {
    wn_tensor *out = {};
};
inline wn_tensor *threshold(wn_tensor *self, const val &threshold, const val &value, const threshold_opts &o_ = {}) {
    const wn_threshold_args a_ = {sizeof(wn_threshold_args), self, threshold, value, o_.out};
    return wn_threshold_x(&a_);
}
inline wn_tensor *threshold_(wn_tensor *self, const val &threshold, const val &value, const threshold_opts &o_ = {}) {
    const wn_threshold_args a_ = {sizeof(wn_threshold_args), self, threshold, value, o_.out};
    return wn_threshold_inplace_x(&a_);
}

/* hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor */
struct hardshrink_opts {
    wn::val lambd = {};
    wn_tensor *out = {};
};
inline wn_tensor *hardshrink(wn_tensor *self, const hardshrink_opts &o_ = {}) {
    const wn_hardshrink_args a_ = {sizeof(wn_hardshrink_args), self, o_.lambd, o_.out};
    return wn_hardshrink_x(&a_);
}

/* softshrink(Tensor self, Scalar lambd=0.5) -> Tensor */
struct softshrink_opts {
    wn::val lambd = {};
    wn_tensor *out = {};
};
inline wn_tensor *softshrink(wn_tensor *self, const softshrink_opts &o_ = {}) {
    const wn_softshrink_args a_ = {sizeof(wn_softshrink_args), self, o_.lambd, o_.out};
    return wn_softshrink_x(&a_);
}

/* celu(Tensor self, Scalar alpha=1.0) -> Tensor */
struct celu_opts {
    wn::val alpha = {};
    wn_tensor *out = {};
};
inline wn_tensor *celu(wn_tensor *self, const celu_opts &o_ = {}) {
    const wn_celu_args a_ = {sizeof(wn_celu_args), self, o_.alpha, o_.out};
    return wn_celu_x(&a_);
}
inline wn_tensor *celu_(wn_tensor *self, const celu_opts &o_ = {}) {
    const wn_celu_args a_ = {sizeof(wn_celu_args), self, o_.alpha, o_.out};
    return wn_celu_inplace_x(&a_);
}

/* selu(Tensor self) -> Tensor */
struct selu_opts {
    wn_tensor *out = {};
};
inline wn_tensor *selu(wn_tensor *self, const selu_opts &o_ = {}) {
    const wn_selu_args a_ = {sizeof(wn_selu_args), self, o_.out};
    return wn_selu_x(&a_);
}
inline wn_tensor *selu_(wn_tensor *self, const selu_opts &o_ = {}) {
    const wn_selu_args a_ = {sizeof(wn_selu_args), self, o_.out};
    return wn_selu_inplace_x(&a_);
}

/* logsigmoid(Tensor self) -> Tensor */
struct logsigmoid_opts {
    wn_tensor *out = {};
};
inline wn_tensor *logsigmoid(wn_tensor *self, const logsigmoid_opts &o_ = {}) {
    const wn_logsigmoid_args a_ = {sizeof(wn_logsigmoid_args), self, o_.out};
    return wn_logsigmoid_x(&a_);
}

/* mish(Tensor self) -> Tensor */
struct mish_opts {
    wn_tensor *out = {};
};
inline wn_tensor *mish(wn_tensor *self, const mish_opts &o_ = {}) {
    const wn_mish_args a_ = {sizeof(wn_mish_args), self, o_.out};
    return wn_mish_x(&a_);
}
inline wn_tensor *mish_(wn_tensor *self, const mish_opts &o_ = {}) {
    const wn_mish_args a_ = {sizeof(wn_mish_args), self, o_.out};
    return wn_mish_inplace_x(&a_);
}

/* mish_backward(Tensor grad_output, Tensor self) -> Tensor */
struct mish_backward_opts {
    wn_tensor *out = {};
};
inline wn_tensor *mish_backward(const val &grad_output, const val &self, const mish_backward_opts &o_ = {}) {
    const wn_mish_backward_args a_ = {sizeof(wn_mish_backward_args), grad_output, self, o_.out};
    return wn_mish_backward_x(&a_);
}

/* softsign(Tensor self) -> Tensor */
inline wn_tensor *softsign(wn_tensor *self) {
    const wn_softsign_args a_ = {sizeof(wn_softsign_args), self};
    return wn_softsign_x(&a_);
}

/* tanhshrink(Tensor self) -> Tensor */
inline wn_tensor *tanhshrink(wn_tensor *self) {
    const wn_tanhshrink_args a_ = {sizeof(wn_tanhshrink_args), self};
    return wn_tanhshrink_x(&a_);
}

/* prelu(Tensor self, Tensor weight) -> Tensor */
inline wn_tensor *prelu(wn_tensor *self, wn_tensor *weight) {
    const wn_prelu_args a_ = {sizeof(wn_prelu_args), self, weight};
    return wn_prelu_x(&a_);
}

/* _prelu_kernel(Tensor self, Tensor weight) -> Tensor */
struct prelu_kernel_opts {
    wn_tensor *out = {};
};
inline wn_tensor *prelu_kernel(const val &self, const val &weight, const prelu_kernel_opts &o_ = {}) {
    const wn_prelu_kernel_args a_ = {sizeof(wn_prelu_kernel_args), self, weight, o_.out};
    return wn_prelu_kernel_x(&a_);
}

/* glu(Tensor self, int dim=-1) -> Tensor */
struct glu_opts {
    wn::val dim = {};
    wn_tensor *out = {};
};
inline wn_tensor *glu(wn_tensor *self, const glu_opts &o_ = {}) {
    const wn_glu_args a_ = {sizeof(wn_glu_args), self, o_.dim, o_.out};
    return wn_glu_x(&a_);
}

/* glu_backward(Tensor grad_output, Tensor self, int dim) -> Tensor */
struct glu_backward_opts {
    wn_tensor *out = {};
};
inline wn_tensor *glu_backward(wn_tensor *grad_output, wn_tensor *self, int64_t dim, const glu_backward_opts &o_ = {}) {
    const wn_glu_backward_args a_ = {sizeof(wn_glu_backward_args), grad_output, self, dim, o_.out};
    return wn_glu_backward_x(&a_);
}

/* _gated_slope(Tensor grad_output, Tensor self, Tensor gate) -> Tensor */
struct gated_slope_opts {
    wn_tensor *out = {};
};
inline wn_tensor *gated_slope(const val &grad_output, const val &self, const val &gate, const gated_slope_opts &o_ = {}) {
    const wn_gated_slope_args a_ = {sizeof(wn_gated_slope_args), grad_output, self, gate, o_.out};
    return wn_gated_slope_x(&a_);
}

/* _gated(Tensor self, Tensor gate) -> Tensor */
struct gated_opts {
    wn_tensor *out = {};
};
inline wn_tensor *gated(const val &self, const val &gate, const gated_opts &o_ = {}) {
    const wn_gated_args a_ = {sizeof(wn_gated_args), self, gate, o_.out};
    return wn_gated_x(&a_);
}

/* rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False, Generator? generator=None) -> Tensor */
struct rrelu_opts {
    wn::val lower = {};
    wn::val upper = {};
    bool training = {};
    wn_generator *generator = {};
    wn_tensor *out = {};
};
inline wn_tensor *rrelu(wn_tensor *self, const rrelu_opts &o_ = {}) {
    const wn_rrelu_args a_ = {sizeof(wn_rrelu_args), self, o_.lower, o_.upper, o_.training, o_.generator, o_.out};
    return wn_rrelu_x(&a_);
}
inline wn_tensor *rrelu_(wn_tensor *self, const rrelu_opts &o_ = {}) {
    const wn_rrelu_args a_ = {sizeof(wn_rrelu_args), self, o_.lower, o_.upper, o_.training, o_.generator, o_.out};
    return wn_rrelu_inplace_x(&a_);
}

/* xlogy.Tensor(Tensor self, Tensor other) -> Tensor */
struct xlogy_opts {
    wn_tensor *out = {};
};
inline wn_tensor *xlogy(const val &self, const val &other, const xlogy_opts &o_ = {}) {
    const wn_xlogy_args a_ = {sizeof(wn_xlogy_args), self, other, o_.out};
    return wn_xlogy_x(&a_);
}
inline wn_tensor *xlogy_(wn_tensor *self, const val &other, const xlogy_opts &o_ = {}) {
    const wn_xlogy_args a_ = {sizeof(wn_xlogy_args), wn_val_of_tensor(self), other, o_.out};
    return wn_xlogy_inplace_x(&a_);
}

/* xlog1py(Tensor self, Tensor other) -> Tensor */
struct xlog1py_opts {
    wn_tensor *out = {};
};
inline wn_tensor *xlog1py(const val &self, const val &other, const xlog1py_opts &o_ = {}) {
    const wn_xlog1py_args a_ = {sizeof(wn_xlog1py_args), self, other, o_.out};
    return wn_xlog1py_x(&a_);
}

/* erfinv(Tensor self) -> Tensor */
struct erfinv_opts {
    wn_tensor *out = {};
};
inline wn_tensor *erfinv(wn_tensor *self, const erfinv_opts &o_ = {}) {
    const wn_erfinv_args a_ = {sizeof(wn_erfinv_args), self, o_.out};
    return wn_erfinv_x(&a_);
}
inline wn_tensor *erfinv_(wn_tensor *self, const erfinv_opts &o_ = {}) {
    const wn_erfinv_args a_ = {sizeof(wn_erfinv_args), self, o_.out};
    return wn_erfinv_inplace_x(&a_);
}

/* logit(Tensor self, float? eps=None) -> Tensor */
struct logit_opts {
    wn::val eps = {};
    wn_tensor *out = {};
};
inline wn_tensor *logit(wn_tensor *self, const logit_opts &o_ = {}) {
    const wn_logit_args a_ = {sizeof(wn_logit_args), self, o_.eps, o_.out};
    return wn_logit_x(&a_);
}
inline wn_tensor *logit_(wn_tensor *self, const logit_opts &o_ = {}) {
    const wn_logit_args a_ = {sizeof(wn_logit_args), self, o_.eps, o_.out};
    return wn_logit_inplace_x(&a_);
}

/* _logit(Tensor self, Scalar eps) -> Tensor */
struct logit_eps_opts {
    wn_tensor *out = {};
};
inline wn_tensor *logit_eps(wn_tensor *self, const val &eps, const logit_eps_opts &o_ = {}) {
    const wn_logit_eps_args a_ = {sizeof(wn_logit_eps_args), self, eps, o_.out};
    return wn_logit_eps_x(&a_);
}
inline wn_tensor *logit_eps_(wn_tensor *self, const val &eps, const logit_eps_opts &o_ = {}) {
    const wn_logit_eps_args a_ = {sizeof(wn_logit_eps_args), self, eps, o_.out};
    return wn_logit_eps_inplace_x(&a_);
}

/* _logit_backward(Tensor grad_output, Tensor self, Scalar eps) -> Tensor */
struct logit_backward_opts {
    wn_tensor *out = {};
};
inline wn_tensor *logit_backward(const val &grad_output, const val &self, const val &eps, const logit_backward_opts &o_ = {}) {
    const wn_logit_backward_args a_ = {sizeof(wn_logit_backward_args), grad_output, self, eps, o_.out};
    return wn_logit_backward_x(&a_);
}

/* sinc(Tensor self) -> Tensor */
struct sinc_opts {
    wn_tensor *out = {};
};
inline wn_tensor *sinc(wn_tensor *self, const sinc_opts &o_ = {}) {
    const wn_sinc_args a_ = {sizeof(wn_sinc_args), self, o_.out};
    return wn_sinc_x(&a_);
}
inline wn_tensor *sinc_(wn_tensor *self, const sinc_opts &o_ = {}) {
    const wn_sinc_args a_ = {sizeof(wn_sinc_args), self, o_.out};
    return wn_sinc_inplace_x(&a_);
}

/* lgamma(Tensor self) -> Tensor */
struct lgamma_opts {
    wn_tensor *out = {};
};
inline wn_tensor *lgamma(wn_tensor *self, const lgamma_opts &o_ = {}) {
    const wn_lgamma_args a_ = {sizeof(wn_lgamma_args), self, o_.out};
    return wn_lgamma_x(&a_);
}
inline wn_tensor *lgamma_(wn_tensor *self, const lgamma_opts &o_ = {}) {
    const wn_lgamma_args a_ = {sizeof(wn_lgamma_args), self, o_.out};
    return wn_lgamma_inplace_x(&a_);
}

/* digamma(Tensor self) -> Tensor */
struct digamma_opts {
    wn_tensor *out = {};
};
inline wn_tensor *digamma(wn_tensor *self, const digamma_opts &o_ = {}) {
    const wn_digamma_args a_ = {sizeof(wn_digamma_args), self, o_.out};
    return wn_digamma_x(&a_);
}
inline wn_tensor *digamma_(wn_tensor *self, const digamma_opts &o_ = {}) {
    const wn_digamma_args a_ = {sizeof(wn_digamma_args), self, o_.out};
    return wn_digamma_inplace_x(&a_);
}

/* polygamma(int n, Tensor self) -> Tensor */
struct polygamma_opts {
    wn_tensor *out = {};
};
inline wn_tensor *polygamma(int64_t n, wn_tensor *self, const polygamma_opts &o_ = {}) {
    const wn_polygamma_args a_ = {sizeof(wn_polygamma_args), n, self, o_.out};
    return wn_polygamma_x(&a_);
}

/* _polygamma(Tensor self, float n) -> Tensor */
struct polygamma_of_opts {
    wn_tensor *out = {};
};
inline wn_tensor *polygamma_of(wn_tensor *self, double n, const polygamma_of_opts &o_ = {}) {
    const wn_polygamma_of_args a_ = {sizeof(wn_polygamma_of_args), self, n, o_.out};
    return wn_polygamma_of_x(&a_);
}

/* mvlgamma(Tensor self, int p) -> Tensor */
struct mvlgamma_opts {
    wn_tensor *out = {};
};
inline wn_tensor *mvlgamma(wn_tensor *self, int64_t p, const mvlgamma_opts &o_ = {}) {
    const wn_mvlgamma_args a_ = {sizeof(wn_mvlgamma_args), self, p, o_.out};
    return wn_mvlgamma_x(&a_);
}
inline wn_tensor *mvlgamma_(wn_tensor *self, int64_t p, const mvlgamma_opts &o_ = {}) {
    const wn_mvlgamma_args a_ = {sizeof(wn_mvlgamma_args), self, p, o_.out};
    return wn_mvlgamma_inplace_x(&a_);
}

/* igamma(Tensor self, Tensor other) -> Tensor */
struct igamma_opts {
    wn_tensor *out = {};
};
inline wn_tensor *igamma(const val &self, const val &other, const igamma_opts &o_ = {}) {
    const wn_igamma_args a_ = {sizeof(wn_igamma_args), self, other, o_.out};
    return wn_igamma_x(&a_);
}
inline wn_tensor *igamma_(wn_tensor *self, const val &other, const igamma_opts &o_ = {}) {
    const wn_igamma_args a_ = {sizeof(wn_igamma_args), wn_val_of_tensor(self), other, o_.out};
    return wn_igamma_inplace_x(&a_);
}

/* igammac(Tensor self, Tensor other) -> Tensor */
struct igammac_opts {
    wn_tensor *out = {};
};
inline wn_tensor *igammac(const val &self, const val &other, const igammac_opts &o_ = {}) {
    const wn_igammac_args a_ = {sizeof(wn_igammac_args), self, other, o_.out};
    return wn_igammac_x(&a_);
}
inline wn_tensor *igammac_(wn_tensor *self, const val &other, const igammac_opts &o_ = {}) {
    const wn_igammac_args a_ = {sizeof(wn_igammac_args), wn_val_of_tensor(self), other, o_.out};
    return wn_igammac_inplace_x(&a_);
}

/* zeta(Tensor self, Tensor other) -> Tensor */
struct zeta_opts {
    wn_tensor *out = {};
};
inline wn_tensor *zeta(const val &self, const val &other, const zeta_opts &o_ = {}) {
    const wn_zeta_args a_ = {sizeof(wn_zeta_args), self, other, o_.out};
    return wn_zeta_x(&a_);
}

/* i0(Tensor self) -> Tensor */
struct i0_opts {
    wn_tensor *out = {};
};
inline wn_tensor *i0(wn_tensor *self, const i0_opts &o_ = {}) {
    const wn_i0_args a_ = {sizeof(wn_i0_args), self, o_.out};
    return wn_i0_x(&a_);
}
inline wn_tensor *i0_(wn_tensor *self, const i0_opts &o_ = {}) {
    const wn_i0_args a_ = {sizeof(wn_i0_args), self, o_.out};
    return wn_i0_inplace_x(&a_);
}

/* i0e(Tensor self) -> Tensor */
struct i0e_opts {
    wn_tensor *out = {};
};
inline wn_tensor *i0e(wn_tensor *self, const i0e_opts &o_ = {}) {
    const wn_i0e_args a_ = {sizeof(wn_i0e_args), self, o_.out};
    return wn_i0e_x(&a_);
}

/* i1(Tensor self) -> Tensor */
struct i1_opts {
    wn_tensor *out = {};
};
inline wn_tensor *i1(wn_tensor *self, const i1_opts &o_ = {}) {
    const wn_i1_args a_ = {sizeof(wn_i1_args), self, o_.out};
    return wn_i1_x(&a_);
}

/* i1e(Tensor self) -> Tensor */
struct i1e_opts {
    wn_tensor *out = {};
};
inline wn_tensor *i1e(wn_tensor *self, const i1e_opts &o_ = {}) {
    const wn_i1e_args a_ = {sizeof(wn_i1e_args), self, o_.out};
    return wn_i1e_x(&a_);
}

/* ndtr(Tensor self) -> Tensor */
struct ndtr_opts {
    wn_tensor *out = {};
};
inline wn_tensor *ndtr(wn_tensor *self, const ndtr_opts &o_ = {}) {
    const wn_ndtr_args a_ = {sizeof(wn_ndtr_args), self, o_.out};
    return wn_ndtr_x(&a_);
}

/* log_ndtr(Tensor self) -> Tensor */
struct log_ndtr_opts {
    wn_tensor *out = {};
};
inline wn_tensor *log_ndtr(wn_tensor *self, const log_ndtr_opts &o_ = {}) {
    const wn_log_ndtr_args a_ = {sizeof(wn_log_ndtr_args), self, o_.out};
    return wn_log_ndtr_x(&a_);
}

/* ndtri(Tensor self) -> Tensor */
struct ndtri_opts {
    wn_tensor *out = {};
};
inline wn_tensor *ndtri(wn_tensor *self, const ndtri_opts &o_ = {}) {
    const wn_ndtri_args a_ = {sizeof(wn_ndtri_args), self, o_.out};
    return wn_ndtri_x(&a_);
}

/* erfcx(Tensor self) -> Tensor */
struct erfcx_opts {
    wn_tensor *out = {};
};
inline wn_tensor *erfcx(wn_tensor *self, const erfcx_opts &o_ = {}) {
    const wn_erfcx_args a_ = {sizeof(wn_erfcx_args), self, o_.out};
    return wn_erfcx_x(&a_);
}

/* entr(Tensor self) -> Tensor */
struct entr_opts {
    wn_tensor *out = {};
};
inline wn_tensor *entr(wn_tensor *self, const entr_opts &o_ = {}) {
    const wn_entr_args a_ = {sizeof(wn_entr_args), self, o_.out};
    return wn_entr_x(&a_);
}

/* modified_bessel_k0(Tensor self) -> Tensor */
struct modified_bessel_k0_opts {
    wn_tensor *out = {};
};
inline wn_tensor *modified_bessel_k0(wn_tensor *self, const modified_bessel_k0_opts &o_ = {}) {
    const wn_modified_bessel_k0_args a_ = {sizeof(wn_modified_bessel_k0_args), self, o_.out};
    return wn_modified_bessel_k0_x(&a_);
}

/* modified_bessel_k1(Tensor self) -> Tensor */
struct modified_bessel_k1_opts {
    wn_tensor *out = {};
};
inline wn_tensor *modified_bessel_k1(wn_tensor *self, const modified_bessel_k1_opts &o_ = {}) {
    const wn_modified_bessel_k1_args a_ = {sizeof(wn_modified_bessel_k1_args), self, o_.out};
    return wn_modified_bessel_k1_x(&a_);
}

/* scaled_modified_bessel_k0(Tensor x) -> Tensor */
struct scaled_modified_bessel_k0_opts {
    wn_tensor *out = {};
};
inline wn_tensor *scaled_modified_bessel_k0(wn_tensor *x, const scaled_modified_bessel_k0_opts &o_ = {}) {
    const wn_scaled_modified_bessel_k0_args a_ = {sizeof(wn_scaled_modified_bessel_k0_args), x, o_.out};
    return wn_scaled_modified_bessel_k0_x(&a_);
}

/* scaled_modified_bessel_k1(Tensor x) -> Tensor */
struct scaled_modified_bessel_k1_opts {
    wn_tensor *out = {};
};
inline wn_tensor *scaled_modified_bessel_k1(wn_tensor *x, const scaled_modified_bessel_k1_opts &o_ = {}) {
    const wn_scaled_modified_bessel_k1_args a_ = {sizeof(wn_scaled_modified_bessel_k1_args), x, o_.out};
    return wn_scaled_modified_bessel_k1_x(&a_);
}

/* modified_bessel_i0(Tensor self) -> Tensor */
struct modified_bessel_i0_opts {
    wn_tensor *out = {};
};
inline wn_tensor *modified_bessel_i0(wn_tensor *self, const modified_bessel_i0_opts &o_ = {}) {
    const wn_modified_bessel_i0_args a_ = {sizeof(wn_modified_bessel_i0_args), self, o_.out};
    return wn_modified_bessel_i0_x(&a_);
}

/* modified_bessel_i1(Tensor self) -> Tensor */
struct modified_bessel_i1_opts {
    wn_tensor *out = {};
};
inline wn_tensor *modified_bessel_i1(wn_tensor *self, const modified_bessel_i1_opts &o_ = {}) {
    const wn_modified_bessel_i1_args a_ = {sizeof(wn_modified_bessel_i1_args), self, o_.out};
    return wn_modified_bessel_i1_x(&a_);
}

/* bessel_j0(Tensor self) -> Tensor */
struct bessel_j0_opts {
    wn_tensor *out = {};
};
inline wn_tensor *bessel_j0(wn_tensor *self, const bessel_j0_opts &o_ = {}) {
    const wn_bessel_j0_args a_ = {sizeof(wn_bessel_j0_args), self, o_.out};
    return wn_bessel_j0_x(&a_);
}

/* bessel_j1(Tensor self) -> Tensor */
struct bessel_j1_opts {
    wn_tensor *out = {};
};
inline wn_tensor *bessel_j1(wn_tensor *self, const bessel_j1_opts &o_ = {}) {
    const wn_bessel_j1_args a_ = {sizeof(wn_bessel_j1_args), self, o_.out};
    return wn_bessel_j1_x(&a_);
}

/* bessel_y0(Tensor self) -> Tensor */
struct bessel_y0_opts {
    wn_tensor *out = {};
};
inline wn_tensor *bessel_y0(wn_tensor *self, const bessel_y0_opts &o_ = {}) {
    const wn_bessel_y0_args a_ = {sizeof(wn_bessel_y0_args), self, o_.out};
    return wn_bessel_y0_x(&a_);
}

/* bessel_y1(Tensor self) -> Tensor */
struct bessel_y1_opts {
    wn_tensor *out = {};
};
inline wn_tensor *bessel_y1(wn_tensor *self, const bessel_y1_opts &o_ = {}) {
    const wn_bessel_y1_args a_ = {sizeof(wn_bessel_y1_args), self, o_.out};
    return wn_bessel_y1_x(&a_);
}

/* spherical_bessel_j0(Tensor x) -> Tensor */
struct spherical_bessel_j0_opts {
    wn_tensor *out = {};
};
inline wn_tensor *spherical_bessel_j0(wn_tensor *x, const spherical_bessel_j0_opts &o_ = {}) {
    const wn_spherical_bessel_j0_args a_ = {sizeof(wn_spherical_bessel_j0_args), x, o_.out};
    return wn_spherical_bessel_j0_x(&a_);
}

/* airy_ai(Tensor x) -> Tensor */
struct airy_ai_opts {
    wn_tensor *out = {};
};
inline wn_tensor *airy_ai(wn_tensor *x, const airy_ai_opts &o_ = {}) {
    const wn_airy_ai_args a_ = {sizeof(wn_airy_ai_args), x, o_.out};
    return wn_airy_ai_x(&a_);
}

/* chebyshev_polynomial_t(Tensor x, Tensor n) -> Tensor */
struct chebyshev_polynomial_t_opts {
    wn_tensor *out = {};
};
inline wn_tensor *chebyshev_polynomial_t(const val &x, const val &n, const chebyshev_polynomial_t_opts &o_ = {}) {
    const wn_chebyshev_polynomial_t_args a_ = {sizeof(wn_chebyshev_polynomial_t_args), x, n, o_.out};
    return wn_chebyshev_polynomial_t_x(&a_);
}

/* shifted_chebyshev_polynomial_t(Tensor x, Tensor n) -> Tensor */
struct shifted_chebyshev_polynomial_t_opts {
    wn_tensor *out = {};
};
inline wn_tensor *shifted_chebyshev_polynomial_t(const val &x, const val &n, const shifted_chebyshev_polynomial_t_opts &o_ = {}) {
    const wn_shifted_chebyshev_polynomial_t_args a_ = {sizeof(wn_shifted_chebyshev_polynomial_t_args), x, n, o_.out};
    return wn_shifted_chebyshev_polynomial_t_x(&a_);
}

/* chebyshev_polynomial_u(Tensor x, Tensor n) -> Tensor */
struct chebyshev_polynomial_u_opts {
    wn_tensor *out = {};
};
inline wn_tensor *chebyshev_polynomial_u(const val &x, const val &n, const chebyshev_polynomial_u_opts &o_ = {}) {
    const wn_chebyshev_polynomial_u_args a_ = {sizeof(wn_chebyshev_polynomial_u_args), x, n, o_.out};
    return wn_chebyshev_polynomial_u_x(&a_);
}

/* shifted_chebyshev_polynomial_u(Tensor x, Tensor n) -> Tensor */
struct shifted_chebyshev_polynomial_u_opts {
    wn_tensor *out = {};
};
inline wn_tensor *shifted_chebyshev_polynomial_u(const val &x, const val &n, const shifted_chebyshev_polynomial_u_opts &o_ = {}) {
    const wn_shifted_chebyshev_polynomial_u_args a_ = {sizeof(wn_shifted_chebyshev_polynomial_u_args), x, n, o_.out};
    return wn_shifted_chebyshev_polynomial_u_x(&a_);
}

/* chebyshev_polynomial_v(Tensor x, Tensor n) -> Tensor */
struct chebyshev_polynomial_v_opts {
    wn_tensor *out = {};
};
inline wn_tensor *chebyshev_polynomial_v(const val &x, const val &n, const chebyshev_polynomial_v_opts &o_ = {}) {
    const wn_chebyshev_polynomial_v_args a_ = {sizeof(wn_chebyshev_polynomial_v_args), x, n, o_.out};
    return wn_chebyshev_polynomial_v_x(&a_);
}

/* shifted_chebyshev_polynomial_v(Tensor x, Tensor n) -> Tensor */
struct shifted_chebyshev_polynomial_v_opts {
    wn_tensor *out = {};
};
inline wn_tensor *shifted_chebyshev_polynomial_v(const val &x, const val &n, const shifted_chebyshev_polynomial_v_opts &o_ = {}) {
    const wn_shifted_chebyshev_polynomial_v_args a_ = {sizeof(wn_shifted_chebyshev_polynomial_v_args), x, n, o_.out};
    return wn_shifted_chebyshev_polynomial_v_x(&a_);
}

/* chebyshev_polynomial_w(Tensor x, Tensor n) -> Tensor */
struct chebyshev_polynomial_w_opts {
    wn_tensor *out = {};
};
inline wn_tensor *chebyshev_polynomial_w(const val &x, const val &n, const chebyshev_polynomial_w_opts &o_ = {}) {
    const wn_chebyshev_polynomial_w_args a_ = {sizeof(wn_chebyshev_polynomial_w_args), x, n, o_.out};
    return wn_chebyshev_polynomial_w_x(&a_);
}

/* shifted_chebyshev_polynomial_w(Tensor x, Tensor n) -> Tensor */
struct shifted_chebyshev_polynomial_w_opts {
    wn_tensor *out = {};
};
inline wn_tensor *shifted_chebyshev_polynomial_w(const val &x, const val &n, const shifted_chebyshev_polynomial_w_opts &o_ = {}) {
    const wn_shifted_chebyshev_polynomial_w_args a_ = {sizeof(wn_shifted_chebyshev_polynomial_w_args), x, n, o_.out};
    return wn_shifted_chebyshev_polynomial_w_x(&a_);
}

/* hermite_polynomial_h(Tensor x, Tensor n) -> Tensor */
struct hermite_polynomial_h_opts {
    wn_tensor *out = {};
};
inline wn_tensor *hermite_polynomial_h(const val &x, const val &n, const hermite_polynomial_h_opts &o_ = {}) {
    const wn_hermite_polynomial_h_args a_ = {sizeof(wn_hermite_polynomial_h_args), x, n, o_.out};
    return wn_hermite_polynomial_h_x(&a_);
}

/* hermite_polynomial_he(Tensor x, Tensor n) -> Tensor */
struct hermite_polynomial_he_opts {
    wn_tensor *out = {};
};
inline wn_tensor *hermite_polynomial_he(const val &x, const val &n, const hermite_polynomial_he_opts &o_ = {}) {
    const wn_hermite_polynomial_he_args a_ = {sizeof(wn_hermite_polynomial_he_args), x, n, o_.out};
    return wn_hermite_polynomial_he_x(&a_);
}

/* laguerre_polynomial_l(Tensor x, Tensor n) -> Tensor */
struct laguerre_polynomial_l_opts {
    wn_tensor *out = {};
};
inline wn_tensor *laguerre_polynomial_l(const val &x, const val &n, const laguerre_polynomial_l_opts &o_ = {}) {
    const wn_laguerre_polynomial_l_args a_ = {sizeof(wn_laguerre_polynomial_l_args), x, n, o_.out};
    return wn_laguerre_polynomial_l_x(&a_);
}

/* legendre_polynomial_p(Tensor x, Tensor n) -> Tensor */
struct legendre_polynomial_p_opts {
    wn_tensor *out = {};
};
inline wn_tensor *legendre_polynomial_p(const val &x, const val &n, const legendre_polynomial_p_opts &o_ = {}) {
    const wn_legendre_polynomial_p_args a_ = {sizeof(wn_legendre_polynomial_p_args), x, n, o_.out};
    return wn_legendre_polynomial_p_x(&a_);
}

/* view(Tensor(a) self, int[] size) -> Tensor(a) */
inline wn_tensor *view(wn_tensor *self, const dims &size) {
    const wn_view_args a_ = {sizeof(wn_view_args), self, size};
    return wn_view_x(&a_);
}

/* view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a) */
inline wn_tensor *view_dtype(wn_tensor *self, wn_dtype dtype) {
    const wn_view_dtype_args a_ = {sizeof(wn_view_dtype_args), self, dtype};
    return wn_view_dtype_x(&a_);
}

/* reshape(Tensor(a) self, int[] shape) -> Tensor(a) */
inline wn_tensor *reshape(wn_tensor *self, const dims &shape) {
    const wn_reshape_args a_ = {sizeof(wn_reshape_args), self, shape};
    return wn_reshape_x(&a_);
}

/* flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a) */
struct flatten_opts {
    int64_t start_dim = {};
    wn::val end_dim = {};
};
inline wn_tensor *flatten(wn_tensor *self, const flatten_opts &o_ = {}) {
    const wn_flatten_args a_ = {sizeof(wn_flatten_args), self, o_.start_dim, o_.end_dim};
    return wn_flatten_x(&a_);
}

/* unflatten.int(Tensor(a) self, int dim, int[] sizes) -> Tensor(a) */
inline wn_tensor *unflatten(wn_tensor *self, int64_t dim, const dims &sizes) {
    const wn_unflatten_args a_ = {sizeof(wn_unflatten_args), self, dim, sizes};
    return wn_unflatten_x(&a_);
}

/* permute(Tensor(a) self, int[] dims) -> Tensor(a) */
inline wn_tensor *permute(wn_tensor *self, const dims &dims) {
    const wn_permute_args a_ = {sizeof(wn_permute_args), self, dims};
    return wn_permute_x(&a_);
}

/* transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a) */
inline wn_tensor *transpose(wn_tensor *self, int64_t dim0, int64_t dim1) {
    const wn_transpose_args a_ = {sizeof(wn_transpose_args), self, dim0, dim1};
    return wn_transpose_x(&a_);
}

/* t(Tensor(a) self) -> Tensor(a) */
inline wn_tensor *t(wn_tensor *self) {
    const wn_t_args a_ = {sizeof(wn_t_args), self};
    return wn_t_x(&a_);
}

/* mT(Tensor(a) self) -> Tensor(a) */
inline wn_tensor *mT(wn_tensor *self) {
    const wn_mT_args a_ = {sizeof(wn_mT_args), self};
    return wn_mT_x(&a_);
}

/* movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a) */
inline wn_tensor *movedim(wn_tensor *self, int64_t source, int64_t destination) {
    const wn_movedim_args a_ = {sizeof(wn_movedim_args), self, source, destination};
    return wn_movedim_x(&a_);
}

/* movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a) */
inline wn_tensor *movedim_list(wn_tensor *self, const dims &source, const dims &destination) {
    const wn_movedim_list_args a_ = {sizeof(wn_movedim_list_args), self, source, destination};
    return wn_movedim_list_x(&a_);
}

/* expand(Tensor(a) self, int[] size) -> Tensor(a) */
inline wn_tensor *expand(wn_tensor *self, const dims &size) {
    const wn_expand_args a_ = {sizeof(wn_expand_args), self, size};
    return wn_expand_x(&a_);
}

/* expand_as(Tensor(a) self, Tensor other) -> Tensor(a) */
inline wn_tensor *expand_as(wn_tensor *self, wn_tensor *other) {
    const wn_expand_as_args a_ = {sizeof(wn_expand_as_args), self, other};
    return wn_expand_as_x(&a_);
}

/* squeeze(Tensor(a) self) -> Tensor(a) */
inline wn_tensor *squeeze(wn_tensor *self) {
    const wn_squeeze_args a_ = {sizeof(wn_squeeze_args), self};
    return wn_squeeze_x(&a_);
}

/* squeeze.dim(Tensor(a) self, int dim) -> Tensor(a) */
inline wn_tensor *squeeze_dim(wn_tensor *self, int64_t dim) {
    const wn_squeeze_dim_args a_ = {sizeof(wn_squeeze_dim_args), self, dim};
    return wn_squeeze_dim_x(&a_);
}

/* squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a) */
inline wn_tensor *squeeze_dims(wn_tensor *self, const dims &dims) {
    const wn_squeeze_dims_args a_ = {sizeof(wn_squeeze_dims_args), self, dims};
    return wn_squeeze_dims_x(&a_);
}

/* unsqueeze(Tensor(a) self, int dim) -> Tensor(a) */
inline wn_tensor *unsqueeze(wn_tensor *self, int64_t dim) {
    const wn_unsqueeze_args a_ = {sizeof(wn_unsqueeze_args), self, dim};
    return wn_unsqueeze_x(&a_);
}

/* select.int(Tensor(a) self, int dim, int index) -> Tensor(a) */
inline wn_tensor *select(wn_tensor *self, int64_t dim, int64_t index) {
    const wn_select_args a_ = {sizeof(wn_select_args), self, dim, index};
    return wn_select_x(&a_);
}

/* slice.Tensor(Tensor(a) self, int dim, int? start=None, int? end=None, int step=1) -> Tensor(a) */
struct slice_opts {
    wn::val step = {};
};
inline wn_tensor *slice(wn_tensor *self, int64_t dim, const val &start, const val &end, const slice_opts &o_ = {}) {
    const wn_slice_args a_ = {sizeof(wn_slice_args), self, dim, start, end, o_.step};
    return wn_slice_x(&a_);
}

/* narrow(Tensor(a) self, int dim, int start, int length) -> Tensor(a) */
inline wn_tensor *narrow(wn_tensor *self, int64_t dim, int64_t start, int64_t length) {
    const wn_narrow_args a_ = {sizeof(wn_narrow_args), self, dim, start, length};
    return wn_narrow_x(&a_);
}

/* narrow.Tensor(Tensor(a) self, int dim, Tensor start, int length) -> Tensor(a) */
inline wn_tensor *narrow_tensor(wn_tensor *self, int64_t dim, wn_tensor *start, int64_t length) {
    const wn_narrow_tensor_args a_ = {sizeof(wn_narrow_tensor_args), self, dim, start, length};
    return wn_narrow_tensor_x(&a_);
}

/* diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a) */
struct diagonal_opts {
    int64_t offset = {};
    wn::val dim1 = {};
    wn::val dim2 = {};
};
inline wn_tensor *diagonal(wn_tensor *self, const diagonal_opts &o_ = {}) {
    const wn_diagonal_args a_ = {sizeof(wn_diagonal_args), self, o_.offset, o_.dim1, o_.dim2};
    return wn_diagonal_x(&a_);
}

/* as_strided(Tensor(a) self, int[] size, int[] stride, int? storage_offset=None) -> Tensor(a) */
struct as_strided_opts {
    wn::val storage_offset = {};
};
inline wn_tensor *as_strided(wn_tensor *self, const dims &size, const dims &stride, const as_strided_opts &o_ = {}) {
    const wn_as_strided_args a_ = {sizeof(wn_as_strided_args), self, size, stride, o_.storage_offset};
    return wn_as_strided_x(&a_);
}

/* as_strided.view(Tensor(a) self, int[] size, int[] stride, int storage_offset, int[] self_stride, int self_offset) -> Tensor(a) */
inline wn_tensor *as_strided_view(wn_tensor *self, const dims &size, const dims &stride, int64_t storage_offset, const dims &self_stride, int64_t self_offset) {
    const wn_as_strided_view_args a_ = {sizeof(wn_as_strided_view_args), self, size, stride, storage_offset, self_stride, self_offset};
    return wn_as_strided_view_x(&a_);
}

/* detach(Tensor(a) self) -> Tensor(a) */
inline wn_tensor *detach(wn_tensor *self) {
    const wn_detach_args a_ = {sizeof(wn_detach_args), self};
    return wn_detach_x(&a_);
}

/* unbind.int(Tensor(a) self, int dim=0) -> Tensor(a)[] */
struct unbind_opts {
    wn::val dim = {};
};
inline list unbind(wn_tensor *self, const unbind_opts &o_ = {}) {
    const wn_unbind_args a_ = {sizeof(wn_unbind_args), self, o_.dim};
    return wn_unbind_x(&a_);
}

/* split.Tensor(Tensor(a) self, int split_size, int dim=0) -> Tensor(a)[] */
struct split_opts {
    wn::val dim = {};
};
inline list split(wn_tensor *self, int64_t split_size, const split_opts &o_ = {}) {
    const wn_split_args a_ = {sizeof(wn_split_args), self, split_size, o_.dim};
    return wn_split_x(&a_);
}

/* split.sizes(Tensor(a) self, int[] split_sizes, int dim=0) -> Tensor(a)[] */
struct split_with_sizes_opts {
    wn::val dim = {};
};
inline list split_with_sizes(wn_tensor *self, const dims &split_sizes, const split_with_sizes_opts &o_ = {}) {
    const wn_split_with_sizes_args a_ = {sizeof(wn_split_with_sizes_args), self, split_sizes, o_.dim};
    return wn_split_with_sizes_x(&a_);
}

/* chunk(Tensor(a) self, int chunks, int dim=0) -> Tensor(a)[] */
struct chunk_opts {
    wn::val dim = {};
};
inline list chunk(wn_tensor *self, int64_t chunks, const chunk_opts &o_ = {}) {
    const wn_chunk_args a_ = {sizeof(wn_chunk_args), self, chunks, o_.dim};
    return wn_chunk_x(&a_);
}

/* select_backward(Tensor grad_output, int[] input_sizes, int dim, int index) -> Tensor */
struct select_backward_opts {
    wn_tensor *out = {};
};
inline wn_tensor *select_backward(wn_tensor *grad_output, const dims &input_sizes, int64_t dim, int64_t index, const select_backward_opts &o_ = {}) {
    const wn_select_backward_args a_ = {sizeof(wn_select_backward_args), grad_output, input_sizes, dim, index, o_.out};
    return wn_select_backward_x(&a_);
}

/* slice_backward(Tensor grad_output, int[] input_sizes, int dim, int? start, int? end, int? step) -> Tensor */
struct slice_backward_opts {
    wn_tensor *out = {};
};
inline wn_tensor *slice_backward(wn_tensor *grad_output, const dims &input_sizes, int64_t dim, const val &start, const val &end, const val &step, const slice_backward_opts &o_ = {}) {
    const wn_slice_backward_args a_ = {sizeof(wn_slice_backward_args), grad_output, input_sizes, dim, start, end, step, o_.out};
    return wn_slice_backward_x(&a_);
}

/* diagonal_backward(Tensor grad_output, int[] input_sizes, int offset, int dim1, int? dim2) -> Tensor */
struct diagonal_backward_opts {
    wn_tensor *out = {};
};
inline wn_tensor *diagonal_backward(wn_tensor *grad_output, const dims &input_sizes, int64_t offset, int64_t dim1, const val &dim2, const diagonal_backward_opts &o_ = {}) {
    const wn_diagonal_backward_args a_ = {sizeof(wn_diagonal_backward_args), grad_output, input_sizes, offset, dim1, dim2, o_.out};
    return wn_diagonal_backward_x(&a_);
}

/* cat(Tensor[] tensors, int dim=0) -> Tensor */
struct cat_opts {
    wn::val dim = {};
    wn_tensor *out = {};
};
inline wn_tensor *cat(const list &tensors, const cat_opts &o_ = {}) {
    const wn_cat_args a_ = {sizeof(wn_cat_args), tensors, o_.dim, o_.out};
    return wn_cat_x(&a_);
}

/* stack(Tensor[] tensors, int dim=0) -> Tensor */
struct stack_opts {
    wn::val dim = {};
    wn_tensor *out = {};
};
inline wn_tensor *stack(const list &tensors, const stack_opts &o_ = {}) {
    const wn_stack_args a_ = {sizeof(wn_stack_args), tensors, o_.dim, o_.out};
    return wn_stack_x(&a_);
}

/* flip(Tensor self, int[] dims) -> Tensor */
struct flip_opts {
    wn_tensor *out = {};
};
inline wn_tensor *flip(wn_tensor *self, const dims &dims, const flip_opts &o_ = {}) {
    const wn_flip_args a_ = {sizeof(wn_flip_args), self, dims, o_.out};
    return wn_flip_x(&a_);
}

/* sum_to_size(Tensor self, int[] size) -> Tensor */
inline wn_tensor *sum_to_size(wn_tensor *self, const dims &size) {
    const wn_sum_to_size_args a_ = {sizeof(wn_sum_to_size_args), self, size};
    return wn_sum_to_size_x(&a_);
}

/* diag(Tensor self, int diagonal=0) -> Tensor */
struct diag_opts {
    int64_t diagonal = {};
    wn_tensor *out = {};
};
inline wn_tensor *diag(wn_tensor *self, const diag_opts &o_ = {}) {
    const wn_diag_args a_ = {sizeof(wn_diag_args), self, o_.diagonal, o_.out};
    return wn_diag_x(&a_);
}

/* diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor */
struct diag_embed_opts {
    int64_t offset = {};
    wn::val dim1 = {};
    wn::val dim2 = {};
};
inline wn_tensor *diag_embed(wn_tensor *self, const diag_embed_opts &o_ = {}) {
    const wn_diag_embed_args a_ = {sizeof(wn_diag_embed_args), self, o_.offset, o_.dim1, o_.dim2};
    return wn_diag_embed_x(&a_);
}

/* diagflat(Tensor self, int offset=0) -> Tensor */
struct diagflat_opts {
    int64_t offset = {};
};
inline wn_tensor *diagflat(wn_tensor *self, const diagflat_opts &o_ = {}) {
    const wn_diagflat_args a_ = {sizeof(wn_diagflat_args), self, o_.offset};
    return wn_diagflat_x(&a_);
}

/* linalg_diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor(a) */
struct linalg_diagonal_opts {
    int64_t offset = {};
    wn::val dim1 = {};
    wn::val dim2 = {};
};
inline wn_tensor *linalg_diagonal(wn_tensor *A, const linalg_diagonal_opts &o_ = {}) {
    const wn_linalg_diagonal_args a_ = {sizeof(wn_linalg_diagonal_args), A, o_.offset, o_.dim1, o_.dim2};
    return wn_linalg_diagonal_x(&a_);
}

/* trace(Tensor self) -> Tensor */
inline wn_tensor *trace(wn_tensor *self) {
    const wn_trace_args a_ = {sizeof(wn_trace_args), self};
    return wn_trace_x(&a_);
}

/* adjoint(Tensor(a) self) -> Tensor(a) */
inline wn_tensor *adjoint(wn_tensor *self) {
    const wn_adjoint_args a_ = {sizeof(wn_adjoint_args), self};
    return wn_adjoint_x(&a_);
}

/* ravel(Tensor(a) self) -> Tensor(a) */
inline wn_tensor *ravel(wn_tensor *self) {
    const wn_ravel_args a_ = {sizeof(wn_ravel_args), self};
    return wn_ravel_x(&a_);
}

/* unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a) */
inline wn_tensor *unfold(wn_tensor *self, int64_t dimension, int64_t size, int64_t step) {
    const wn_unfold_args a_ = {sizeof(wn_unfold_args), self, dimension, size, step};
    return wn_unfold_x(&a_);
}

/* unfold_backward(Tensor grad_in, int[] input_sizes, int dim, int size, int step) -> Tensor */
inline wn_tensor *unfold_backward(wn_tensor *grad_in, const dims &input_sizes, int64_t dim, int64_t size, int64_t step) {
    const wn_unfold_backward_args a_ = {sizeof(wn_unfold_backward_args), grad_in, input_sizes, dim, size, step};
    return wn_unfold_backward_x(&a_);
}

/* fliplr(Tensor self) -> Tensor */
inline wn_tensor *fliplr(wn_tensor *self) {
    const wn_fliplr_args a_ = {sizeof(wn_fliplr_args), self};
    return wn_fliplr_x(&a_);
}

/* flipud(Tensor self) -> Tensor */
inline wn_tensor *flipud(wn_tensor *self) {
    const wn_flipud_args a_ = {sizeof(wn_flipud_args), self};
    return wn_flipud_x(&a_);
}

/* roll(Tensor self, int[1] shifts, int[1] dims=[]) -> Tensor */
struct roll_opts {
    wn::dims dims = {};
    wn_tensor *out = {};
};
inline wn_tensor *roll(wn_tensor *self, const dims &shifts, const roll_opts &o_ = {}) {
    const wn_roll_args a_ = {sizeof(wn_roll_args), self, shifts, o_.dims, o_.out};
    return wn_roll_x(&a_);
}

/* rot90(Tensor self, int k=1, int[] dims=[]) -> Tensor */
struct rot90_opts {
    wn::val k = {};
    wn::dims dims = {};
    wn_tensor *out = {};
};
inline wn_tensor *rot90(wn_tensor *self, const rot90_opts &o_ = {}) {
    const wn_rot90_args a_ = {sizeof(wn_rot90_args), self, o_.k, o_.dims, o_.out};
    return wn_rot90_x(&a_);
}

/* repeat(Tensor self, int[] repeats) -> Tensor */
inline wn_tensor *repeat(wn_tensor *self, const dims &repeats) {
    const wn_repeat_args a_ = {sizeof(wn_repeat_args), self, repeats};
    return wn_repeat_x(&a_);
}

/* tile(Tensor self, int[] dims) -> Tensor */
inline wn_tensor *tile(wn_tensor *self, const dims &dims) {
    const wn_tile_args a_ = {sizeof(wn_tile_args), self, dims};
    return wn_tile_x(&a_);
}

/* tensor_split.sections(Tensor(a) self, int sections, int dim=0) -> Tensor(a)[] */
struct tensor_split_opts {
    wn::val dim = {};
};
inline list tensor_split(wn_tensor *self, int64_t sections, const tensor_split_opts &o_ = {}) {
    const wn_tensor_split_args a_ = {sizeof(wn_tensor_split_args), self, sections, o_.dim};
    return wn_tensor_split_x(&a_);
}

/* tensor_split.indices(Tensor(a) self, int[] indices, int dim=0) -> Tensor(a)[] */
struct tensor_split_at_opts {
    wn::val dim = {};
};
inline list tensor_split_at(wn_tensor *self, const dims &indices, const tensor_split_at_opts &o_ = {}) {
    const wn_tensor_split_at_args a_ = {sizeof(wn_tensor_split_at_args), self, indices, o_.dim};
    return wn_tensor_split_at_x(&a_);
}

/* tensor_split.tensor_indices_or_sections(Tensor(a) self, Tensor tensor_indices_or_sections, int dim=0) -> Tensor(a)[] */
struct tensor_split_tensor_opts {
    wn::val dim = {};
};
inline list tensor_split_tensor(wn_tensor *self, wn_tensor *tensor_indices_or_sections, const tensor_split_tensor_opts &o_ = {}) {
    const wn_tensor_split_tensor_args a_ = {sizeof(wn_tensor_split_tensor_args), self, tensor_indices_or_sections, o_.dim};
    return wn_tensor_split_tensor_x(&a_);
}

/* hsplit.int(Tensor(a) self, int sections) -> Tensor(a)[] */
inline list hsplit(wn_tensor *self, int64_t sections) {
    const wn_hsplit_args a_ = {sizeof(wn_hsplit_args), self, sections};
    return wn_hsplit_x(&a_);
}

/* hsplit.array(Tensor(a) self, int[] indices) -> Tensor(a)[] */
inline list hsplit_at(wn_tensor *self, const dims &indices) {
    const wn_hsplit_at_args a_ = {sizeof(wn_hsplit_at_args), self, indices};
    return wn_hsplit_at_x(&a_);
}

/* vsplit.int(Tensor(a) self, int sections) -> Tensor(a)[] */
inline list vsplit(wn_tensor *self, int64_t sections) {
    const wn_vsplit_args a_ = {sizeof(wn_vsplit_args), self, sections};
    return wn_vsplit_x(&a_);
}

/* vsplit.array(Tensor(a) self, int[] indices) -> Tensor(a)[] */
inline list vsplit_at(wn_tensor *self, const dims &indices) {
    const wn_vsplit_at_args a_ = {sizeof(wn_vsplit_at_args), self, indices};
    return wn_vsplit_at_x(&a_);
}

/* dsplit.int(Tensor(a) self, int sections) -> Tensor(a)[] */
inline list dsplit(wn_tensor *self, int64_t sections) {
    const wn_dsplit_args a_ = {sizeof(wn_dsplit_args), self, sections};
    return wn_dsplit_x(&a_);
}

/* dsplit.array(Tensor(a) self, int[] indices) -> Tensor(a)[] */
inline list dsplit_at(wn_tensor *self, const dims &indices) {
    const wn_dsplit_at_args a_ = {sizeof(wn_dsplit_at_args), self, indices};
    return wn_dsplit_at_x(&a_);
}

/* empty_permuted(int[] size, int[] physical_layout, *, ScalarType? dtype=None) -> Tensor */
struct empty_permuted_opts {
    wn_dtype dtype = {};
    wn_device device = {};
};
inline wn_tensor *empty_permuted(const dims &size, const dims &physical_layout, const empty_permuted_opts &o_ = {}) {
    const wn_empty_permuted_args a_ = {sizeof(wn_empty_permuted_args), size, physical_layout, o_.dtype, o_.device};
    return wn_empty_permuted_x(&a_);
}

/* select_scatter(Tensor self, Tensor src, int dim, int index) -> Tensor */
struct select_scatter_opts {
    wn_tensor *out = {};
};
inline wn_tensor *select_scatter(wn_tensor *self, wn_tensor *src, int64_t dim, int64_t index, const select_scatter_opts &o_ = {}) {
    const wn_select_scatter_args a_ = {sizeof(wn_select_scatter_args), self, src, dim, index, o_.out};
    return wn_select_scatter_x(&a_);
}

/* slice_scatter(Tensor self, Tensor src, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor */
struct slice_scatter_opts {
    wn::val dim = {};
    wn::val start = {};
    wn::val end = {};
    wn::val step = {};
    wn_tensor *out = {};
};
inline wn_tensor *slice_scatter(wn_tensor *self, wn_tensor *src, const slice_scatter_opts &o_ = {}) {
    const wn_slice_scatter_args a_ = {sizeof(wn_slice_scatter_args), self, src, o_.dim, o_.start, o_.end, o_.step, o_.out};
    return wn_slice_scatter_x(&a_);
}

/* diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor */
struct diagonal_scatter_opts {
    int64_t offset = {};
    wn::val dim1 = {};
    wn::val dim2 = {};
    wn_tensor *out = {};
};
inline wn_tensor *diagonal_scatter(wn_tensor *self, wn_tensor *src, const diagonal_scatter_opts &o_ = {}) {
    const wn_diagonal_scatter_args a_ = {sizeof(wn_diagonal_scatter_args), self, src, o_.offset, o_.dim1, o_.dim2, o_.out};
    return wn_diagonal_scatter_x(&a_);
}

/* as_strided_scatter(Tensor self, Tensor src, int[] size, int[] stride, int? storage_offset=None) -> Tensor */
struct as_strided_scatter_opts {
    wn::val storage_offset = {};
    wn_tensor *out = {};
};
inline wn_tensor *as_strided_scatter(wn_tensor *self, wn_tensor *src, const dims &size, const dims &stride, const as_strided_scatter_opts &o_ = {}) {
    const wn_as_strided_scatter_args a_ = {sizeof(wn_as_strided_scatter_args), self, src, size, stride, o_.storage_offset, o_.out};
    return wn_as_strided_scatter_x(&a_);
}

/* atleast_1d(Tensor(a) self) -> Tensor(a) */
inline wn_tensor *atleast_1d(wn_tensor *self) {
    const wn_atleast_1d_args a_ = {sizeof(wn_atleast_1d_args), self};
    return wn_atleast_1d_x(&a_);
}

/* atleast_1d.Sequence(Tensor[] tensors) -> Tensor[] */
inline list atleast_1d_list(const list &tensors) {
    const wn_atleast_1d_list_args a_ = {sizeof(wn_atleast_1d_list_args), tensors};
    return wn_atleast_1d_list_x(&a_);
}

/* atleast_2d(Tensor(a) self) -> Tensor(a) */
inline wn_tensor *atleast_2d(wn_tensor *self) {
    const wn_atleast_2d_args a_ = {sizeof(wn_atleast_2d_args), self};
    return wn_atleast_2d_x(&a_);
}

/* atleast_2d.Sequence(Tensor[] tensors) -> Tensor[] */
inline list atleast_2d_list(const list &tensors) {
    const wn_atleast_2d_list_args a_ = {sizeof(wn_atleast_2d_list_args), tensors};
    return wn_atleast_2d_list_x(&a_);
}

/* atleast_3d(Tensor(a) self) -> Tensor(a) */
inline wn_tensor *atleast_3d(wn_tensor *self) {
    const wn_atleast_3d_args a_ = {sizeof(wn_atleast_3d_args), self};
    return wn_atleast_3d_x(&a_);
}

/* atleast_3d.Sequence(Tensor[] tensors) -> Tensor[] */
inline list atleast_3d_list(const list &tensors) {
    const wn_atleast_3d_list_args a_ = {sizeof(wn_atleast_3d_list_args), tensors};
    return wn_atleast_3d_list_x(&a_);
}

/* hstack(Tensor[] tensors) -> Tensor */
struct hstack_opts {
    wn_tensor *out = {};
};
inline wn_tensor *hstack(const list &tensors, const hstack_opts &o_ = {}) {
    const wn_hstack_args a_ = {sizeof(wn_hstack_args), tensors, o_.out};
    return wn_hstack_x(&a_);
}

/* vstack(Tensor[] tensors) -> Tensor */
struct vstack_opts {
    wn_tensor *out = {};
};
inline wn_tensor *vstack(const list &tensors, const vstack_opts &o_ = {}) {
    const wn_vstack_args a_ = {sizeof(wn_vstack_args), tensors, o_.out};
    return wn_vstack_x(&a_);
}

/* dstack(Tensor[] tensors) -> Tensor */
struct dstack_opts {
    wn_tensor *out = {};
};
inline wn_tensor *dstack(const list &tensors, const dstack_opts &o_ = {}) {
    const wn_dstack_args a_ = {sizeof(wn_dstack_args), tensors, o_.out};
    return wn_dstack_x(&a_);
}

/* column_stack(Tensor[] tensors) -> Tensor */
struct column_stack_opts {
    wn_tensor *out = {};
};
inline wn_tensor *column_stack(const list &tensors, const column_stack_opts &o_ = {}) {
    const wn_column_stack_args a_ = {sizeof(wn_column_stack_args), tensors, o_.out};
    return wn_column_stack_x(&a_);
}

/* block_diag(Tensor[] tensors) -> Tensor */
inline wn_tensor *block_diag(const list &tensors) {
    const wn_block_diag_args a_ = {sizeof(wn_block_diag_args), tensors};
    return wn_block_diag_x(&a_);
}

/* meshgrid(Tensor[] tensors, *, str indexing="ij") -> Tensor[] */
struct meshgrid_opts {
    const char *indexing = {};
};
inline list meshgrid(const list &tensors, const meshgrid_opts &o_ = {}) {
    const wn_meshgrid_args a_ = {sizeof(wn_meshgrid_args), tensors, o_.indexing};
    return wn_meshgrid_x(&a_);
}

/* cartesian_prod(Tensor[] tensors) -> Tensor */
inline wn_tensor *cartesian_prod(const list &tensors) {
    const wn_cartesian_prod_args a_ = {sizeof(wn_cartesian_prod_args), tensors};
    return wn_cartesian_prod_x(&a_);
}

/* combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor */
struct combinations_opts {
    wn::val r = {};
    bool with_replacement = {};
};
inline wn_tensor *combinations(wn_tensor *self, const combinations_opts &o_ = {}) {
    const wn_combinations_args a_ = {sizeof(wn_combinations_args), self, o_.r, o_.with_replacement};
    return wn_combinations_x(&a_);
}

/* alias_copy(Tensor self) -> Tensor */
struct alias_copy_opts {
    wn_tensor *out = {};
};
inline wn_tensor *alias_copy(wn_tensor *self, const alias_copy_opts &o_ = {}) {
    const wn_alias_copy_args a_ = {sizeof(wn_alias_copy_args), self, o_.out};
    return wn_alias_copy_x(&a_);
}

/* detach_copy(Tensor self) -> Tensor */
struct detach_copy_opts {
    wn_tensor *out = {};
};
inline wn_tensor *detach_copy(wn_tensor *self, const detach_copy_opts &o_ = {}) {
    const wn_detach_copy_args a_ = {sizeof(wn_detach_copy_args), self, o_.out};
    return wn_detach_copy_x(&a_);
}

/* as_strided_copy(Tensor self, int[] size, int[] stride, int? storage_offset=None) -> Tensor */
struct as_strided_copy_opts {
    wn::val storage_offset = {};
    wn_tensor *out = {};
};
inline wn_tensor *as_strided_copy(wn_tensor *self, const dims &size, const dims &stride, const as_strided_copy_opts &o_ = {}) {
    const wn_as_strided_copy_args a_ = {sizeof(wn_as_strided_copy_args), self, size, stride, o_.storage_offset, o_.out};
    return wn_as_strided_copy_x(&a_);
}

/* diagonal_copy(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor */
struct diagonal_copy_opts {
    int64_t offset = {};
    wn::val dim1 = {};
    wn::val dim2 = {};
    wn_tensor *out = {};
};
inline wn_tensor *diagonal_copy(wn_tensor *self, const diagonal_copy_opts &o_ = {}) {
    const wn_diagonal_copy_args a_ = {sizeof(wn_diagonal_copy_args), self, o_.offset, o_.dim1, o_.dim2, o_.out};
    return wn_diagonal_copy_x(&a_);
}

/* expand_copy(Tensor self, int[] size, *, bool implicit=False) -> Tensor */
struct expand_copy_opts {
    bool implicit = {};
    wn_tensor *out = {};
};
inline wn_tensor *expand_copy(wn_tensor *self, const dims &size, const expand_copy_opts &o_ = {}) {
    const wn_expand_copy_args a_ = {sizeof(wn_expand_copy_args), self, size, o_.implicit, o_.out};
    return wn_expand_copy_x(&a_);
}

/* permute_copy(Tensor self, int[] dims) -> Tensor */
struct permute_copy_opts {
    wn_tensor *out = {};
};
inline wn_tensor *permute_copy(wn_tensor *self, const dims &dims, const permute_copy_opts &o_ = {}) {
    const wn_permute_copy_args a_ = {sizeof(wn_permute_copy_args), self, dims, o_.out};
    return wn_permute_copy_x(&a_);
}

/* select_copy.int(Tensor self, int dim, int index) -> Tensor */
struct select_copy_opts {
    wn_tensor *out = {};
};
inline wn_tensor *select_copy(wn_tensor *self, int64_t dim, int64_t index, const select_copy_opts &o_ = {}) {
    const wn_select_copy_args a_ = {sizeof(wn_select_copy_args), self, dim, index, o_.out};
    return wn_select_copy_x(&a_);
}

/* slice_copy.Tensor(Tensor self, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor */
struct slice_copy_opts {
    wn::val dim = {};
    wn::val start = {};
    wn::val end = {};
    wn::val step = {};
    wn_tensor *out = {};
};
inline wn_tensor *slice_copy(wn_tensor *self, const slice_copy_opts &o_ = {}) {
    const wn_slice_copy_args a_ = {sizeof(wn_slice_copy_args), self, o_.dim, o_.start, o_.end, o_.step, o_.out};
    return wn_slice_copy_x(&a_);
}

/* narrow_copy(Tensor self, int dim, int start, int length) -> Tensor */
struct narrow_copy_opts {
    wn_tensor *out = {};
};
inline wn_tensor *narrow_copy(wn_tensor *self, int64_t dim, int64_t start, int64_t length, const narrow_copy_opts &o_ = {}) {
    const wn_narrow_copy_args a_ = {sizeof(wn_narrow_copy_args), self, dim, start, length, o_.out};
    return wn_narrow_copy_x(&a_);
}

/* squeeze_copy(Tensor self) -> Tensor */
struct squeeze_copy_opts {
    wn_tensor *out = {};
};
inline wn_tensor *squeeze_copy(wn_tensor *self, const squeeze_copy_opts &o_ = {}) {
    const wn_squeeze_copy_args a_ = {sizeof(wn_squeeze_copy_args), self, o_.out};
    return wn_squeeze_copy_x(&a_);
}

/* squeeze_copy.dim(Tensor self, int dim) -> Tensor */
struct squeeze_copy_dim_opts {
    wn_tensor *out = {};
};
inline wn_tensor *squeeze_copy_dim(wn_tensor *self, int64_t dim, const squeeze_copy_dim_opts &o_ = {}) {
    const wn_squeeze_copy_dim_args a_ = {sizeof(wn_squeeze_copy_dim_args), self, dim, o_.out};
    return wn_squeeze_copy_dim_x(&a_);
}

/* squeeze_copy.dims(Tensor self, int[] dim) -> Tensor */
struct squeeze_copy_dims_opts {
    wn_tensor *out = {};
};
inline wn_tensor *squeeze_copy_dims(wn_tensor *self, const dims &dims, const squeeze_copy_dims_opts &o_ = {}) {
    const wn_squeeze_copy_dims_args a_ = {sizeof(wn_squeeze_copy_dims_args), self, dims, o_.out};
    return wn_squeeze_copy_dims_x(&a_);
}

/* t_copy(Tensor self) -> Tensor */
struct t_copy_opts {
    wn_tensor *out = {};
};
inline wn_tensor *t_copy(wn_tensor *self, const t_copy_opts &o_ = {}) {
    const wn_t_copy_args a_ = {sizeof(wn_t_copy_args), self, o_.out};
    return wn_t_copy_x(&a_);
}

/* transpose_copy.int(Tensor self, int dim0, int dim1) -> Tensor */
struct transpose_copy_opts {
    wn_tensor *out = {};
};
inline wn_tensor *transpose_copy(wn_tensor *self, int64_t dim0, int64_t dim1, const transpose_copy_opts &o_ = {}) {
    const wn_transpose_copy_args a_ = {sizeof(wn_transpose_copy_args), self, dim0, dim1, o_.out};
    return wn_transpose_copy_x(&a_);
}

/* unsqueeze_copy(Tensor self, int dim) -> Tensor */
struct unsqueeze_copy_opts {
    wn_tensor *out = {};
};
inline wn_tensor *unsqueeze_copy(wn_tensor *self, int64_t dim, const unsqueeze_copy_opts &o_ = {}) {
    const wn_unsqueeze_copy_args a_ = {sizeof(wn_unsqueeze_copy_args), self, dim, o_.out};
    return wn_unsqueeze_copy_x(&a_);
}

/* unfold_copy(Tensor self, int dimension, int size, int step) -> Tensor */
struct unfold_copy_opts {
    wn_tensor *out = {};
};
inline wn_tensor *unfold_copy(wn_tensor *self, int64_t dimension, int64_t size, int64_t step, const unfold_copy_opts &o_ = {}) {
    const wn_unfold_copy_args a_ = {sizeof(wn_unfold_copy_args), self, dimension, size, step, o_.out};
    return wn_unfold_copy_x(&a_);
}

/* view_copy(Tensor self, int[] size) -> Tensor */
struct view_copy_opts {
    wn_tensor *out = {};
};
inline wn_tensor *view_copy(wn_tensor *self, const dims &size, const view_copy_opts &o_ = {}) {
    const wn_view_copy_args a_ = {sizeof(wn_view_copy_args), self, size, o_.out};
    return wn_view_copy_x(&a_);
}

/* view_copy.dtype(Tensor self, ScalarType dtype) -> Tensor */
struct view_dtype_copy_opts {
    wn_tensor *out = {};
};
inline wn_tensor *view_dtype_copy(wn_tensor *self, wn_dtype dtype, const view_dtype_copy_opts &o_ = {}) {
    const wn_view_dtype_copy_args a_ = {sizeof(wn_view_dtype_copy_args), self, dtype, o_.out};
    return wn_view_dtype_copy_x(&a_);
}

/* unbind_copy.int(Tensor self, int dim=0) -> Tensor[] */
struct unbind_copy_opts {
    wn::val dim = {};
};
inline list unbind_copy(wn_tensor *self, const unbind_copy_opts &o_ = {}) {
    const wn_unbind_copy_args a_ = {sizeof(wn_unbind_copy_args), self, o_.dim};
    return wn_unbind_copy_x(&a_);
}

/* split_copy.Tensor(Tensor self, int split_size, int dim=0) -> Tensor[] */
struct split_copy_opts {
    wn::val dim = {};
};
inline list split_copy(wn_tensor *self, int64_t split_size, const split_copy_opts &o_ = {}) {
    const wn_split_copy_args a_ = {sizeof(wn_split_copy_args), self, split_size, o_.dim};
    return wn_split_copy_x(&a_);
}

/* split_with_sizes_copy(Tensor self, int[] split_sizes, int dim=0) -> Tensor[] */
struct split_with_sizes_copy_opts {
    wn::val dim = {};
};
inline list split_with_sizes_copy(wn_tensor *self, const dims &split_sizes, const split_with_sizes_copy_opts &o_ = {}) {
    const wn_split_with_sizes_copy_args a_ = {sizeof(wn_split_with_sizes_copy_args), self, split_sizes, o_.dim};
    return wn_split_with_sizes_copy_x(&a_);
}

/* unsafe_split.Tensor(Tensor self, int split_size, int dim=0) -> Tensor[] */
struct unsafe_split_opts {
    wn::val dim = {};
};
inline list unsafe_split(wn_tensor *self, int64_t split_size, const unsafe_split_opts &o_ = {}) {
    const wn_unsafe_split_args a_ = {sizeof(wn_unsafe_split_args), self, split_size, o_.dim};
    return wn_unsafe_split_x(&a_);
}

/* unsafe_split_with_sizes(Tensor self, int[] split_sizes, int dim=0) -> Tensor[] */
struct unsafe_split_with_sizes_opts {
    wn::val dim = {};
};
inline list unsafe_split_with_sizes(wn_tensor *self, const dims &split_sizes, const unsafe_split_with_sizes_opts &o_ = {}) {
    const wn_unsafe_split_with_sizes_args a_ = {sizeof(wn_unsafe_split_with_sizes_args), self, split_sizes, o_.dim};
    return wn_unsafe_split_with_sizes_x(&a_);
}

/* unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[] */
struct unsafe_chunk_opts {
    wn::val dim = {};
};
inline list unsafe_chunk(wn_tensor *self, int64_t chunks, const unsafe_chunk_opts &o_ = {}) {
    const wn_unsafe_chunk_args a_ = {sizeof(wn_unsafe_chunk_args), self, chunks, o_.dim};
    return wn_unsafe_chunk_x(&a_);
}

/* sum.dim_IntList(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor? where=None) -> Tensor */
struct sum_opts {
    wn::dims dims = {};
    bool keepdim = {};
    wn_dtype dtype = {};
    wn_tensor *where = {};
    wn_tensor *out = {};
};
inline wn_tensor *sum(wn_tensor *self, const sum_opts &o_ = {}) {
    const wn_sum_args a_ = {sizeof(wn_sum_args), self, o_.dims, o_.keepdim, o_.dtype, o_.where, o_.out};
    return wn_sum_x(&a_);
}

/* mean.dim(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor? where=None) -> Tensor */
struct mean_opts {
    wn::dims dims = {};
    bool keepdim = {};
    wn_dtype dtype = {};
    wn_tensor *where = {};
    wn_tensor *out = {};
};
inline wn_tensor *mean(wn_tensor *self, const mean_opts &o_ = {}) {
    const wn_mean_args a_ = {sizeof(wn_mean_args), self, o_.dims, o_.keepdim, o_.dtype, o_.where, o_.out};
    return wn_mean_x(&a_);
}

/* prod.dim_int(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor? where=None) -> Tensor */
struct prod_opts {
    wn::dims dims = {};
    bool keepdim = {};
    wn_dtype dtype = {};
    wn_tensor *where = {};
    wn_tensor *out = {};
};
inline wn_tensor *prod(wn_tensor *self, const prod_opts &o_ = {}) {
    const wn_prod_args a_ = {sizeof(wn_prod_args), self, o_.dims, o_.keepdim, o_.dtype, o_.where, o_.out};
    return wn_prod_x(&a_);
}

/* amax(Tensor self, int[1]? dim=None, bool keepdim=False, *, Tensor? where=None) -> Tensor */
struct amax_opts {
    wn::dims dims = {};
    bool keepdim = {};
    wn_tensor *where = {};
    wn_tensor *out = {};
};
inline wn_tensor *amax(wn_tensor *self, const amax_opts &o_ = {}) {
    const wn_amax_args a_ = {sizeof(wn_amax_args), self, o_.dims, o_.keepdim, o_.where, o_.out};
    return wn_amax_x(&a_);
}

/* amin(Tensor self, int[1]? dim=None, bool keepdim=False, *, Tensor? where=None) -> Tensor */
struct amin_opts {
    wn::dims dims = {};
    bool keepdim = {};
    wn_tensor *where = {};
    wn_tensor *out = {};
};
inline wn_tensor *amin(wn_tensor *self, const amin_opts &o_ = {}) {
    const wn_amin_args a_ = {sizeof(wn_amin_args), self, o_.dims, o_.keepdim, o_.where, o_.out};
    return wn_amin_x(&a_);
}

/* max(Tensor self, *, Tensor? where=None) -> Tensor */
struct max_opts {
    wn_tensor *where = {};
    wn_tensor *out = {};
};
inline wn_tensor *max(wn_tensor *self, const max_opts &o_ = {}) {
    const wn_max_args a_ = {sizeof(wn_max_args), self, o_.where, o_.out};
    return wn_max_x(&a_);
}

/* min(Tensor self, *, Tensor? where=None) -> Tensor */
struct min_opts {
    wn_tensor *where = {};
    wn_tensor *out = {};
};
inline wn_tensor *min(wn_tensor *self, const min_opts &o_ = {}) {
    const wn_min_args a_ = {sizeof(wn_min_args), self, o_.where, o_.out};
    return wn_min_x(&a_);
}

/* max.other(Tensor self, Tensor other) -> Tensor */
struct max_other_opts {
    wn_tensor *out = {};
};
inline wn_tensor *max_other(wn_tensor *self, wn_tensor *other, const max_other_opts &o_ = {}) {
    const wn_max_other_args a_ = {sizeof(wn_max_other_args), self, other, o_.out};
    return wn_max_other_x(&a_);
}

/* max.dim(Tensor self, int dim, bool keepdim=False, *, Tensor? where=None) -> (Tensor values, Tensor indices) */
struct max_dim_opts {
    bool keepdim = {};
    wn_tensor *where = {};
};
inline wn_max_dim_out max_dim(wn_tensor *self, int64_t dim, const max_dim_opts &o_ = {}) {
    const wn_max_dim_args a_ = {sizeof(wn_max_dim_args), self, dim, o_.keepdim, o_.where};
    return wn_max_dim_x(&a_);
}

/* min.other(Tensor self, Tensor other) -> Tensor */
struct min_other_opts {
    wn_tensor *out = {};
};
inline wn_tensor *min_other(wn_tensor *self, wn_tensor *other, const min_other_opts &o_ = {}) {
    const wn_min_other_args a_ = {sizeof(wn_min_other_args), self, other, o_.out};
    return wn_min_other_x(&a_);
}

/* min.dim(Tensor self, int dim, bool keepdim=False, *, Tensor? where=None) -> (Tensor values, Tensor indices) */
struct min_dim_opts {
    bool keepdim = {};
    wn_tensor *where = {};
};
inline wn_min_dim_out min_dim(wn_tensor *self, int64_t dim, const min_dim_opts &o_ = {}) {
    const wn_min_dim_args a_ = {sizeof(wn_min_dim_args), self, dim, o_.keepdim, o_.where};
    return wn_min_dim_x(&a_);
}

/* argmax(Tensor self, int? dim=None, bool keepdim=False, *, Tensor? where=None) -> Tensor */
struct argmax_opts {
    wn::val dim = {};
    bool keepdim = {};
    wn_tensor *where = {};
    wn_tensor *out = {};
};
inline wn_tensor *argmax(wn_tensor *self, const argmax_opts &o_ = {}) {
    const wn_argmax_args a_ = {sizeof(wn_argmax_args), self, o_.dim, o_.keepdim, o_.where, o_.out};
    return wn_argmax_x(&a_);
}

/* argmin(Tensor self, int? dim=None, bool keepdim=False, *, Tensor? where=None) -> Tensor */
struct argmin_opts {
    wn::val dim = {};
    bool keepdim = {};
    wn_tensor *where = {};
    wn_tensor *out = {};
};
inline wn_tensor *argmin(wn_tensor *self, const argmin_opts &o_ = {}) {
    const wn_argmin_args a_ = {sizeof(wn_argmin_args), self, o_.dim, o_.keepdim, o_.where, o_.out};
    return wn_argmin_x(&a_);
}

/* any.dims(Tensor self, int[1]? dim=None, bool keepdim=False, *, Tensor? where=None) -> Tensor */
struct any_opts {
    wn::dims dims = {};
    bool keepdim = {};
    wn_tensor *where = {};
    wn_tensor *out = {};
};
inline wn_tensor *any(wn_tensor *self, const any_opts &o_ = {}) {
    const wn_any_args a_ = {sizeof(wn_any_args), self, o_.dims, o_.keepdim, o_.where, o_.out};
    return wn_any_x(&a_);
}

/* all.dims(Tensor self, int[1]? dim=None, bool keepdim=False, *, Tensor? where=None) -> Tensor */
struct all_opts {
    wn::dims dims = {};
    bool keepdim = {};
    wn_tensor *where = {};
    wn_tensor *out = {};
};
inline wn_tensor *all(wn_tensor *self, const all_opts &o_ = {}) {
    const wn_all_args a_ = {sizeof(wn_all_args), self, o_.dims, o_.keepdim, o_.where, o_.out};
    return wn_all_x(&a_);
}

/* count_nonzero.dim_IntList(Tensor self, int[1]? dim=None, *, Tensor? where=None) -> Tensor */
struct count_nonzero_opts {
    wn::dims dims = {};
    wn_tensor *where = {};
    wn_tensor *out = {};
};
inline wn_tensor *count_nonzero(wn_tensor *self, const count_nonzero_opts &o_ = {}) {
    const wn_count_nonzero_args a_ = {sizeof(wn_count_nonzero_args), self, o_.dims, o_.where, o_.out};
    return wn_count_nonzero_x(&a_);
}

/* var.correction(Tensor self, int[1]? dim=None, bool? unbiased=None, bool keepdim=False, *, Scalar? correction=None, Tensor? where=None) -> Tensor */
struct var_opts {
    wn::dims dims = {};
    wn::val unbiased = {};
    bool keepdim = {};
    wn::val correction = {};
    wn_tensor *where = {};
    wn_tensor *out = {};
};
inline wn_tensor *var(wn_tensor *self, const var_opts &o_ = {}) {
    const wn_var_args a_ = {sizeof(wn_var_args), self, o_.dims, o_.unbiased, o_.keepdim, o_.correction, o_.where, o_.out};
    return wn_var_x(&a_);
}

/* var.unbiased(Tensor self, bool unbiased) -> Tensor */
inline wn_tensor *var_unbiased(wn_tensor *self, bool unbiased) {
    const wn_var_unbiased_args a_ = {sizeof(wn_var_unbiased_args), self, unbiased};
    return wn_var_unbiased_x(&a_);
}

/* std.correction(Tensor self, int[1]? dim=None, bool? unbiased=None, bool keepdim=False, *, Scalar? correction=None, Tensor? where=None) -> Tensor */
struct std_opts {
    wn::dims dims = {};
    wn::val unbiased = {};
    bool keepdim = {};
    wn::val correction = {};
    wn_tensor *where = {};
    wn_tensor *out = {};
};
inline wn_tensor *std(wn_tensor *self, const std_opts &o_ = {}) {
    const wn_std_args a_ = {sizeof(wn_std_args), self, o_.dims, o_.unbiased, o_.keepdim, o_.correction, o_.where, o_.out};
    return wn_std_x(&a_);
}

/* std.unbiased(Tensor self, bool unbiased) -> Tensor */
inline wn_tensor *std_unbiased(wn_tensor *self, bool unbiased) {
    const wn_std_unbiased_args a_ = {sizeof(wn_std_unbiased_args), self, unbiased};
    return wn_std_unbiased_x(&a_);
}

/* var_mean.correction(Tensor self, int[1]? dim=None, bool? unbiased=None, bool keepdim=False, *, Scalar? correction=None, Tensor? where=None) -> (Tensor var, Tensor mean) */
struct var_mean_opts {
    wn::dims dims = {};
    wn::val unbiased = {};
    bool keepdim = {};
    wn::val correction = {};
    wn_tensor *where = {};
};
inline wn_var_mean_out var_mean(wn_tensor *self, const var_mean_opts &o_ = {}) {
    const wn_var_mean_args a_ = {sizeof(wn_var_mean_args), self, o_.dims, o_.unbiased, o_.keepdim, o_.correction, o_.where};
    return wn_var_mean_x(&a_);
}

/* var_mean.unbiased(Tensor self, bool unbiased) -> (Tensor var, Tensor mean) */
inline wn_var_mean_unbiased_out var_mean_unbiased(wn_tensor *self, bool unbiased) {
    const wn_var_mean_unbiased_args a_ = {sizeof(wn_var_mean_unbiased_args), self, unbiased};
    return wn_var_mean_unbiased_x(&a_);
}

/* std_mean.correction(Tensor self, int[1]? dim=None, bool? unbiased=None, bool keepdim=False, *, Scalar? correction=None, Tensor? where=None) -> (Tensor std, Tensor mean) */
struct std_mean_opts {
    wn::dims dims = {};
    wn::val unbiased = {};
    bool keepdim = {};
    wn::val correction = {};
    wn_tensor *where = {};
};
inline wn_std_mean_out std_mean(wn_tensor *self, const std_mean_opts &o_ = {}) {
    const wn_std_mean_args a_ = {sizeof(wn_std_mean_args), self, o_.dims, o_.unbiased, o_.keepdim, o_.correction, o_.where};
    return wn_std_mean_x(&a_);
}

/* std_mean.unbiased(Tensor self, bool unbiased) -> (Tensor std, Tensor mean) */
inline wn_std_mean_unbiased_out std_mean_unbiased(wn_tensor *self, bool unbiased) {
    const wn_std_mean_unbiased_args a_ = {sizeof(wn_std_mean_unbiased_args), self, unbiased};
    return wn_std_mean_unbiased_x(&a_);
}

/* linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor? where=None) -> Tensor */
struct vector_norm_opts {
    wn::val ord = {};
    wn::dims dims = {};
    bool keepdim = {};
    wn_dtype dtype = {};
    wn_tensor *where = {};
    wn_tensor *out = {};
};
inline wn_tensor *vector_norm(wn_tensor *self, const vector_norm_opts &o_ = {}) {
    const wn_vector_norm_args a_ = {sizeof(wn_vector_norm_args), self, o_.ord, o_.dims, o_.keepdim, o_.dtype, o_.where, o_.out};
    return wn_vector_norm_x(&a_);
}

/* norm.ScalarOpt_dim(Tensor self, Scalar? p=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor? where=None) -> Tensor */
struct norm_opts {
    wn::val p = {};
    wn::dims dims = {};
    bool keepdim = {};
    wn_dtype dtype = {};
    wn_tensor *where = {};
    wn_tensor *out = {};
};
inline wn_tensor *norm(wn_tensor *self, const norm_opts &o_ = {}) {
    const wn_norm_args a_ = {sizeof(wn_norm_args), self, o_.p, o_.dims, o_.keepdim, o_.dtype, o_.where, o_.out};
    return wn_norm_x(&a_);
}

/* logsumexp(Tensor self, int[1] dim, bool keepdim=False, *, Tensor? where=None) -> Tensor */
struct logsumexp_opts {
    bool keepdim = {};
    wn_tensor *where = {};
    wn_tensor *out = {};
};
inline wn_tensor *logsumexp(wn_tensor *self, const dims &dims, const logsumexp_opts &o_ = {}) {
    const wn_logsumexp_args a_ = {sizeof(wn_logsumexp_args), self, dims, o_.keepdim, o_.where, o_.out};
    return wn_logsumexp_x(&a_);
}

/* nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor */
struct nansum_opts {
    wn::dims dims = {};
    bool keepdim = {};
    wn_dtype dtype = {};
    wn_tensor *out = {};
};
inline wn_tensor *nansum(wn_tensor *self, const nansum_opts &o_ = {}) {
    const wn_nansum_args a_ = {sizeof(wn_nansum_args), self, o_.dims, o_.keepdim, o_.dtype, o_.out};
    return wn_nansum_x(&a_);
}

/* nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor */
struct nanmean_opts {
    wn::dims dims = {};
    bool keepdim = {};
    wn_dtype dtype = {};
    wn_tensor *out = {};
};
inline wn_tensor *nanmean(wn_tensor *self, const nanmean_opts &o_ = {}) {
    const wn_nanmean_args a_ = {sizeof(wn_nanmean_args), self, o_.dims, o_.keepdim, o_.dtype, o_.out};
    return wn_nanmean_x(&a_);
}

/* aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max) */
struct aminmax_opts {
    wn::val dim = {};
    bool keepdim = {};
};
inline wn_aminmax_out aminmax(wn_tensor *self, const aminmax_opts &o_ = {}) {
    const wn_aminmax_args a_ = {sizeof(wn_aminmax_args), self, o_.dim, o_.keepdim};
    return wn_aminmax_x(&a_);
}

/* cummax(Tensor self, int dim) -> (Tensor values, Tensor indices) */
inline wn_cummax_out cummax(wn_tensor *self, int64_t dim) {
    const wn_cummax_args a_ = {sizeof(wn_cummax_args), self, dim};
    return wn_cummax_x(&a_);
}

/* cummin(Tensor self, int dim) -> (Tensor values, Tensor indices) */
inline wn_cummin_out cummin(wn_tensor *self, int64_t dim) {
    const wn_cummin_args a_ = {sizeof(wn_cummin_args), self, dim};
    return wn_cummin_x(&a_);
}

/* logcumsumexp(Tensor self, int dim) -> Tensor */
struct logcumsumexp_opts {
    wn_tensor *out = {};
};
inline wn_tensor *logcumsumexp(wn_tensor *self, int64_t dim, const logcumsumexp_opts &o_ = {}) {
    const wn_logcumsumexp_args a_ = {sizeof(wn_logcumsumexp_args), self, dim, o_.out};
    return wn_logcumsumexp_x(&a_);
}

/* diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> Tensor */
struct diff_opts {
    wn::val n = {};
    wn::val dim = {};
    wn_tensor *prepend = {};
    wn_tensor *append = {};
    wn_tensor *out = {};
};
inline wn_tensor *diff(wn_tensor *self, const diff_opts &o_ = {}) {
    const wn_diff_args a_ = {sizeof(wn_diff_args), self, o_.n, o_.dim, o_.prepend, o_.append, o_.out};
    return wn_diff_x(&a_);
}

/* cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor */
struct cov_opts {
    wn::val correction = {};
    wn_tensor *fweights = {};
    wn_tensor *aweights = {};
};
inline wn_tensor *cov(wn_tensor *self, const cov_opts &o_ = {}) {
    const wn_cov_args a_ = {sizeof(wn_cov_args), self, o_.correction, o_.fweights, o_.aweights};
    return wn_cov_x(&a_);
}

/* corrcoef(Tensor self) -> Tensor */
inline wn_tensor *corrcoef(wn_tensor *self) {
    const wn_corrcoef_args a_ = {sizeof(wn_corrcoef_args), self};
    return wn_corrcoef_x(&a_);
}

/* dist(Tensor self, Tensor other, Scalar p=2) -> Tensor */
struct dist_opts {
    wn::val p = {};
    wn_tensor *out = {};
};
inline wn_tensor *dist(wn_tensor *self, wn_tensor *other, const dist_opts &o_ = {}) {
    const wn_dist_args a_ = {sizeof(wn_dist_args), self, other, o_.p, o_.out};
    return wn_dist_x(&a_);
}

/* renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor */
struct renorm_opts {
    wn_tensor *out = {};
};
inline wn_tensor *renorm(wn_tensor *self, const val &p, int64_t dim, const val &maxnorm, const renorm_opts &o_ = {}) {
    const wn_renorm_args a_ = {sizeof(wn_renorm_args), self, p, dim, maxnorm, o_.out};
    return wn_renorm_x(&a_);
}
inline wn_tensor *renorm_(wn_tensor *self, const val &p, int64_t dim, const val &maxnorm, const renorm_opts &o_ = {}) {
    const wn_renorm_args a_ = {sizeof(wn_renorm_args), self, p, dim, maxnorm, o_.out};
    return wn_renorm_inplace_x(&a_);
}

/* trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor */
struct trapezoid_at_opts {
    wn::val dim = {};
};
inline wn_tensor *trapezoid_at(wn_tensor *y, wn_tensor *x, const trapezoid_at_opts &o_ = {}) {
    const wn_trapezoid_at_args a_ = {sizeof(wn_trapezoid_at_args), y, x, o_.dim};
    return wn_trapezoid_at_x(&a_);
}

/* trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor */
struct trapezoid_opts {
    wn::val dx = {};
    wn::val dim = {};
};
inline wn_tensor *trapezoid(wn_tensor *y, const trapezoid_opts &o_ = {}) {
    const wn_trapezoid_args a_ = {sizeof(wn_trapezoid_args), y, o_.dx, o_.dim};
    return wn_trapezoid_x(&a_);
}

/* cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor */
struct cumulative_trapezoid_at_opts {
    wn::val dim = {};
};
inline wn_tensor *cumulative_trapezoid_at(wn_tensor *y, wn_tensor *x, const cumulative_trapezoid_at_opts &o_ = {}) {
    const wn_cumulative_trapezoid_at_args a_ = {sizeof(wn_cumulative_trapezoid_at_args), y, x, o_.dim};
    return wn_cumulative_trapezoid_at_x(&a_);
}

/* cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor */
struct cumulative_trapezoid_opts {
    wn::val dx = {};
    wn::val dim = {};
};
inline wn_tensor *cumulative_trapezoid(wn_tensor *y, const cumulative_trapezoid_opts &o_ = {}) {
    const wn_cumulative_trapezoid_args a_ = {sizeof(wn_cumulative_trapezoid_args), y, o_.dx, o_.dim};
    return wn_cumulative_trapezoid_x(&a_);
}

/* _gradient_along(Tensor self, int dim, Scalar spacing=1, int edge_order=1) -> Tensor */
struct gradient_along_opts {
    wn::val spacing = {};
    wn::val edge_order = {};
};
inline wn_tensor *gradient_along(wn_tensor *self, int64_t dim, const gradient_along_opts &o_ = {}) {
    const wn_gradient_along_args a_ = {sizeof(wn_gradient_along_args), self, dim, o_.spacing, o_.edge_order};
    return wn_gradient_along_x(&a_);
}

/* _gradient_at(Tensor self, int dim, Tensor points, int edge_order=1) -> Tensor */
struct gradient_at_opts {
    wn::val edge_order = {};
};
inline wn_tensor *gradient_at(wn_tensor *self, int64_t dim, wn_tensor *points, const gradient_at_opts &o_ = {}) {
    const wn_gradient_at_args a_ = {sizeof(wn_gradient_at_args), self, dim, points, o_.edge_order};
    return wn_gradient_at_x(&a_);
}

/* nonzero_static(Tensor self, *, int size, int fill_value=-1) -> Tensor */
struct nonzero_static_opts {
    int64_t size = {};
    wn::val fill_value = {};
    wn_tensor *out = {};
};
inline wn_tensor *nonzero_static(wn_tensor *self, const nonzero_static_opts &o_ = {}) {
    const wn_nonzero_static_args a_ = {sizeof(wn_nonzero_static_args), self, o_.size, o_.fill_value, o_.out};
    return wn_nonzero_static_x(&a_);
}

/* cumsum(Tensor self, int dim, *, ScalarType? dtype=None, Tensor? where=None) -> Tensor */
struct cumsum_opts {
    wn_dtype dtype = {};
    wn_tensor *where = {};
    wn_tensor *out = {};
};
inline wn_tensor *cumsum(wn_tensor *self, int64_t dim, const cumsum_opts &o_ = {}) {
    const wn_cumsum_args a_ = {sizeof(wn_cumsum_args), self, dim, o_.dtype, o_.where, o_.out};
    return wn_cumsum_x(&a_);
}
inline wn_tensor *cumsum_(wn_tensor *self, int64_t dim, const cumsum_opts &o_ = {}) {
    const wn_cumsum_args a_ = {sizeof(wn_cumsum_args), self, dim, o_.dtype, o_.where, o_.out};
    return wn_cumsum_inplace_x(&a_);
}

/* cumprod(Tensor self, int dim, *, ScalarType? dtype=None, Tensor? where=None) -> Tensor */
struct cumprod_opts {
    wn_dtype dtype = {};
    wn_tensor *where = {};
    wn_tensor *out = {};
};
inline wn_tensor *cumprod(wn_tensor *self, int64_t dim, const cumprod_opts &o_ = {}) {
    const wn_cumprod_args a_ = {sizeof(wn_cumprod_args), self, dim, o_.dtype, o_.where, o_.out};
    return wn_cumprod_x(&a_);
}
inline wn_tensor *cumprod_(wn_tensor *self, int64_t dim, const cumprod_opts &o_ = {}) {
    const wn_cumprod_args a_ = {sizeof(wn_cumprod_args), self, dim, o_.dtype, o_.where, o_.out};
    return wn_cumprod_inplace_x(&a_);
}

/* linear_scan(Tensor decay, Tensor input, int dim, *, bool reverse=False) -> Tensor */
struct linear_scan_opts {
    bool reverse = {};
    wn_tensor *out = {};
};
inline wn_tensor *linear_scan(wn_tensor *decay, wn_tensor *input, int64_t dim, const linear_scan_opts &o_ = {}) {
    const wn_linear_scan_args a_ = {sizeof(wn_linear_scan_args), decay, input, dim, o_.reverse, o_.out};
    return wn_linear_scan_x(&a_);
}

/* softmax.int(Tensor self, int dim, ScalarType? dtype=None, *, Tensor? where=None) -> Tensor */
struct softmax_opts {
    wn_dtype dtype = {};
    wn_tensor *where = {};
    wn_tensor *out = {};
};
inline wn_tensor *softmax(wn_tensor *self, int64_t dim, const softmax_opts &o_ = {}) {
    const wn_softmax_args a_ = {sizeof(wn_softmax_args), self, dim, o_.dtype, o_.where, o_.out};
    return wn_softmax_x(&a_);
}

/* log_softmax.int(Tensor self, int dim, ScalarType? dtype=None, *, Tensor? where=None) -> Tensor */
struct log_softmax_opts {
    wn_dtype dtype = {};
    wn_tensor *where = {};
    wn_tensor *out = {};
};
inline wn_tensor *log_softmax(wn_tensor *self, int64_t dim, const log_softmax_opts &o_ = {}) {
    const wn_log_softmax_args a_ = {sizeof(wn_log_softmax_args), self, dim, o_.dtype, o_.where, o_.out};
    return wn_log_softmax_x(&a_);
}

/* softmax_backward(Tensor grad_output, Tensor output, int dim, *, Tensor? where=None) -> Tensor */
struct softmax_backward_opts {
    wn_tensor *where = {};
    wn_tensor *out = {};
};
inline wn_tensor *softmax_backward(wn_tensor *grad_output, wn_tensor *output, int64_t dim, const softmax_backward_opts &o_ = {}) {
    const wn_softmax_backward_args a_ = {sizeof(wn_softmax_backward_args), grad_output, output, dim, o_.where, o_.out};
    return wn_softmax_backward_x(&a_);
}

/* log_softmax_backward(Tensor grad_output, Tensor output, int dim, *, Tensor? where=None) -> Tensor */
struct log_softmax_backward_opts {
    wn_tensor *where = {};
    wn_tensor *out = {};
};
inline wn_tensor *log_softmax_backward(wn_tensor *grad_output, wn_tensor *output, int64_t dim, const log_softmax_backward_opts &o_ = {}) {
    const wn_log_softmax_backward_args a_ = {sizeof(wn_log_softmax_backward_args), grad_output, output, dim, o_.where, o_.out};
    return wn_log_softmax_backward_x(&a_);
}

/* layer_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, *, Tensor? where=None) -> Tensor */
struct layer_norm_opts {
    wn_tensor *weight = {};
    wn_tensor *bias = {};
    wn::val eps = {};
    wn_tensor *where = {};
};
inline wn_tensor *layer_norm(wn_tensor *input, const dims &normalized_shape, const layer_norm_opts &o_ = {}) {
    const wn_layer_norm_args a_ = {sizeof(wn_layer_norm_args), input, normalized_shape, o_.weight, o_.bias, o_.eps, o_.where};
    return wn_layer_norm_x(&a_);
}

/* native_layer_norm(Tensor input, int[] normalized_shape, Tensor? weight, Tensor? bias, float eps) -> (Tensor out, Tensor mean, Tensor rstd) */
inline wn_native_layer_norm_out native_layer_norm(wn_tensor *input, const dims &normalized_shape, wn_tensor *weight, wn_tensor *bias, double eps) {
    const wn_native_layer_norm_args a_ = {sizeof(wn_native_layer_norm_args), input, normalized_shape, weight, bias, eps};
    return wn_native_layer_norm_x(&a_);
}

/* native_layer_norm_backward(Tensor grad_out, Tensor input, int[] normalized_shape, Tensor mean, Tensor rstd, Tensor? weight, bool need_input, bool need_weight, bool need_bias) -> (Tensor grad_input, Tensor grad_weight, Tensor grad_bias) */
inline wn_native_layer_norm_backward_out native_layer_norm_backward(wn_tensor *grad_out, wn_tensor *input, const dims &normalized_shape, wn_tensor *mean, wn_tensor *rstd, wn_tensor *weight, bool need_input, bool need_weight, bool need_bias) {
    const wn_native_layer_norm_backward_args a_ = {sizeof(wn_native_layer_norm_backward_args), grad_out, input, normalized_shape, mean, rstd, weight, need_input, need_weight, need_bias};
    return wn_native_layer_norm_backward_x(&a_);
}

/* group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-05) -> Tensor */
struct group_norm_opts {
    wn_tensor *weight = {};
    wn_tensor *bias = {};
    wn::val eps = {};
};
inline wn_tensor *group_norm(wn_tensor *input, int64_t num_groups, const group_norm_opts &o_ = {}) {
    const wn_group_norm_args a_ = {sizeof(wn_group_norm_args), input, num_groups, o_.weight, o_.bias, o_.eps};
    return wn_group_norm_x(&a_);
}

/* native_group_norm(Tensor input, Tensor? weight, Tensor? bias, int num_groups, float eps) -> (Tensor out, Tensor mean, Tensor rstd) */
inline wn_native_group_norm_out native_group_norm(wn_tensor *input, wn_tensor *weight, wn_tensor *bias, int64_t num_groups, double eps) {
    const wn_native_group_norm_args a_ = {sizeof(wn_native_group_norm_args), input, weight, bias, num_groups, eps};
    return wn_native_group_norm_x(&a_);
}

/* native_group_norm_backward(Tensor grad_out, Tensor input, int num_groups, Tensor mean, Tensor rstd, Tensor? weight, bool need_input, bool need_weight, bool need_bias) -> (Tensor grad_input, Tensor grad_weight, Tensor grad_bias) */
inline wn_native_group_norm_backward_out native_group_norm_backward(wn_tensor *grad_out, wn_tensor *input, int64_t num_groups, wn_tensor *mean, wn_tensor *rstd, wn_tensor *weight, bool need_input, bool need_weight, bool need_bias) {
    const wn_native_group_norm_backward_args a_ = {sizeof(wn_native_group_norm_backward_args), grad_out, input, num_groups, mean, rstd, weight, need_input, need_weight, need_bias};
    return wn_native_group_norm_backward_x(&a_);
}

/* rms_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, float? eps=None, *, Tensor? where=None) -> Tensor */
struct rms_norm_opts {
    wn_tensor *weight = {};
    wn::val eps = {};
    wn_tensor *where = {};
};
inline wn_tensor *rms_norm(wn_tensor *input, const dims &normalized_shape, const rms_norm_opts &o_ = {}) {
    const wn_rms_norm_args a_ = {sizeof(wn_rms_norm_args), input, normalized_shape, o_.weight, o_.eps, o_.where};
    return wn_rms_norm_x(&a_);
}

/* batch_norm(Tensor input, Tensor? weight=None, Tensor? bias=None, Tensor(a!)? running_mean=None, Tensor(b!)? running_var=None, bool training=False, float momentum=0.1, float eps=1e-05, *, Tensor? where=None) -> Tensor */
struct batch_norm_opts {
    wn_tensor *weight = {};
    wn_tensor *bias = {};
    wn_tensor *running_mean = {};
    wn_tensor *running_var = {};
    bool training = {};
    wn::val momentum = {};
    wn::val eps = {};
    wn_tensor *where = {};
};
inline wn_tensor *batch_norm(wn_tensor *input, const batch_norm_opts &o_ = {}) {
    const wn_batch_norm_args a_ = {sizeof(wn_batch_norm_args), input, o_.weight, o_.bias, o_.running_mean, o_.running_var, o_.training, o_.momentum, o_.eps, o_.where};
    return wn_batch_norm_x(&a_);
}

/* native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!)? running_mean, Tensor(b!)? running_var, bool training, float momentum, float eps) -> (Tensor out, Tensor save_mean, Tensor save_invstd) */
inline wn_native_batch_norm_out native_batch_norm(wn_tensor *input, wn_tensor *weight, wn_tensor *bias, wn_tensor *running_mean, wn_tensor *running_var, bool training, double momentum, double eps) {
    const wn_native_batch_norm_args a_ = {sizeof(wn_native_batch_norm_args), input, weight, bias, running_mean, running_var, training, momentum, eps};
    return wn_native_batch_norm_x(&a_);
}

/* native_batch_norm_backward(Tensor grad_out, Tensor input, Tensor save_mean, Tensor save_invstd, Tensor? weight, bool training, bool need_input) -> (Tensor grad_input, Tensor grad_weight, Tensor grad_bias) */
inline wn_native_batch_norm_backward_out native_batch_norm_backward(wn_tensor *grad_out, wn_tensor *input, wn_tensor *save_mean, wn_tensor *save_invstd, wn_tensor *weight, bool training, bool need_input) {
    const wn_native_batch_norm_backward_args a_ = {sizeof(wn_native_batch_norm_backward_args), grad_out, input, save_mean, save_invstd, weight, training, need_input};
    return wn_native_batch_norm_backward_x(&a_);
}

/* sort(Tensor self, int dim=-1, bool descending=False, *, bool stable=False) -> (Tensor values, Tensor indices) */
struct sort_opts {
    wn::val dim = {};
    bool descending = {};
    bool stable = {};
};
inline wn_sort_out sort(wn_tensor *self, const sort_opts &o_ = {}) {
    const wn_sort_args a_ = {sizeof(wn_sort_args), self, o_.dim, o_.descending, o_.stable};
    return wn_sort_x(&a_);
}

/* argsort(Tensor self, int dim=-1, bool descending=False, *, bool stable=False) -> Tensor */
struct argsort_opts {
    wn::val dim = {};
    bool descending = {};
    bool stable = {};
    wn_tensor *out = {};
};
inline wn_tensor *argsort(wn_tensor *self, const argsort_opts &o_ = {}) {
    const wn_argsort_args a_ = {sizeof(wn_argsort_args), self, o_.dim, o_.descending, o_.stable, o_.out};
    return wn_argsort_x(&a_);
}

/* topk(Tensor self, int k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor indices) */
struct topk_opts {
    wn::val dim = {};
    bool largest = true;
    bool sorted = true;
};
inline wn_topk_out topk(wn_tensor *self, int64_t k, const topk_opts &o_ = {}) {
    const wn_topk_args a_ = {sizeof(wn_topk_args), self, k, o_.dim, o_.largest ? WN_ON : WN_OFF, o_.sorted ? WN_ON : WN_OFF};
    return wn_topk_x(&a_);
}

/* msort(Tensor self) -> Tensor */
struct msort_opts {
    wn_tensor *out = {};
};
inline wn_tensor *msort(wn_tensor *self, const msort_opts &o_ = {}) {
    const wn_msort_args a_ = {sizeof(wn_msort_args), self, o_.out};
    return wn_msort_x(&a_);
}

/* median(Tensor self) -> Tensor */
struct median_opts {
    wn_tensor *out = {};
};
inline wn_tensor *median(wn_tensor *self, const median_opts &o_ = {}) {
    const wn_median_args a_ = {sizeof(wn_median_args), self, o_.out};
    return wn_median_x(&a_);
}

/* median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices) */
struct median_dim_opts {
    bool keepdim = {};
};
inline wn_median_dim_out median_dim(wn_tensor *self, int64_t dim, const median_dim_opts &o_ = {}) {
    const wn_median_dim_args a_ = {sizeof(wn_median_dim_args), self, dim, o_.keepdim};
    return wn_median_dim_x(&a_);
}

/* nanmedian(Tensor self) -> Tensor */
struct nanmedian_opts {
    wn_tensor *out = {};
};
inline wn_tensor *nanmedian(wn_tensor *self, const nanmedian_opts &o_ = {}) {
    const wn_nanmedian_args a_ = {sizeof(wn_nanmedian_args), self, o_.out};
    return wn_nanmedian_x(&a_);
}

/* nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices) */
struct nanmedian_dim_opts {
    bool keepdim = {};
};
inline wn_nanmedian_dim_out nanmedian_dim(wn_tensor *self, int64_t dim, const nanmedian_dim_opts &o_ = {}) {
    const wn_nanmedian_dim_args a_ = {sizeof(wn_nanmedian_dim_args), self, dim, o_.keepdim};
    return wn_nanmedian_dim_x(&a_);
}

/* kthvalue(Tensor self, int k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices) */
struct kthvalue_opts {
    wn::val dim = {};
    bool keepdim = {};
};
inline wn_kthvalue_out kthvalue(wn_tensor *self, int64_t k, const kthvalue_opts &o_ = {}) {
    const wn_kthvalue_args a_ = {sizeof(wn_kthvalue_args), self, k, o_.dim, o_.keepdim};
    return wn_kthvalue_x(&a_);
}

/* mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices) */
struct mode_opts {
    wn::val dim = {};
    bool keepdim = {};
};
inline wn_mode_out mode(wn_tensor *self, const mode_opts &o_ = {}) {
    const wn_mode_args a_ = {sizeof(wn_mode_args), self, o_.dim, o_.keepdim};
    return wn_mode_x(&a_);
}

/* quantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor */
struct quantile_opts {
    wn::val dim = {};
    bool keepdim = {};
    const char *interpolation = {};
    wn_tensor *out = {};
};
inline wn_tensor *quantile(wn_tensor *self, wn_tensor *q, const quantile_opts &o_ = {}) {
    const wn_quantile_args a_ = {sizeof(wn_quantile_args), self, q, o_.dim, o_.keepdim, o_.interpolation, o_.out};
    return wn_quantile_x(&a_);
}

/* quantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor */
struct quantile_at_opts {
    wn::val dim = {};
    bool keepdim = {};
    const char *interpolation = {};
    wn_tensor *out = {};
};
inline wn_tensor *quantile_at(wn_tensor *self, double q, const quantile_at_opts &o_ = {}) {
    const wn_quantile_at_args a_ = {sizeof(wn_quantile_at_args), self, q, o_.dim, o_.keepdim, o_.interpolation, o_.out};
    return wn_quantile_at_x(&a_);
}

/* nanquantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor */
struct nanquantile_opts {
    wn::val dim = {};
    bool keepdim = {};
    const char *interpolation = {};
    wn_tensor *out = {};
};
inline wn_tensor *nanquantile(wn_tensor *self, wn_tensor *q, const nanquantile_opts &o_ = {}) {
    const wn_nanquantile_args a_ = {sizeof(wn_nanquantile_args), self, q, o_.dim, o_.keepdim, o_.interpolation, o_.out};
    return wn_nanquantile_x(&a_);
}

/* nanquantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor */
struct nanquantile_at_opts {
    wn::val dim = {};
    bool keepdim = {};
    const char *interpolation = {};
    wn_tensor *out = {};
};
inline wn_tensor *nanquantile_at(wn_tensor *self, double q, const nanquantile_at_opts &o_ = {}) {
    const wn_nanquantile_at_args a_ = {sizeof(wn_nanquantile_at_args), self, q, o_.dim, o_.keepdim, o_.interpolation, o_.out};
    return wn_nanquantile_at_x(&a_);
}

/* _unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor output, Tensor inverse, Tensor counts) */
struct unique_opts {
    bool sorted = true;
    bool return_inverse = {};
    bool return_counts = {};
};
inline wn_unique_out unique(wn_tensor *self, const unique_opts &o_ = {}) {
    const wn_unique_args a_ = {sizeof(wn_unique_args), self, o_.sorted ? WN_ON : WN_OFF, o_.return_inverse, o_.return_counts};
    return wn_unique_x(&a_);
}

/* unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor output, Tensor inverse, Tensor counts) */
struct unique_dim_opts {
    bool sorted = true;
    bool return_inverse = {};
    bool return_counts = {};
};
inline wn_unique_dim_out unique_dim(wn_tensor *self, int64_t dim, const unique_dim_opts &o_ = {}) {
    const wn_unique_dim_args a_ = {sizeof(wn_unique_dim_args), self, dim, o_.sorted ? WN_ON : WN_OFF, o_.return_inverse, o_.return_counts};
    return wn_unique_dim_x(&a_);
}

/* unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None) -> (Tensor output, Tensor inverse, Tensor counts) */
struct unique_consecutive_opts {
    bool return_inverse = {};
    bool return_counts = {};
    wn::val dim = {};
};
inline wn_unique_consecutive_out unique_consecutive(wn_tensor *self, const unique_consecutive_opts &o_ = {}) {
    const wn_unique_consecutive_args a_ = {sizeof(wn_unique_consecutive_args), self, o_.return_inverse, o_.return_counts, o_.dim};
    return wn_unique_consecutive_x(&a_);
}

/* searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor */
struct searchsorted_opts {
    bool out_int32 = {};
    bool right = {};
    const char *side = {};
    wn_tensor *sorter = {};
    wn_tensor *out = {};
};
inline wn_tensor *searchsorted(wn_tensor *sorted_sequence, wn_tensor *self, const searchsorted_opts &o_ = {}) {
    const wn_searchsorted_args a_ = {sizeof(wn_searchsorted_args), sorted_sequence, self, o_.out_int32, o_.right, o_.side, o_.sorter, o_.out};
    return wn_searchsorted_x(&a_);
}

/* searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor */
struct searchsorted_number_opts {
    bool out_int32 = {};
    bool right = {};
    const char *side = {};
    wn_tensor *sorter = {};
    wn_tensor *out = {};
};
inline wn_tensor *searchsorted_number(wn_tensor *sorted_sequence, const val &self, const searchsorted_number_opts &o_ = {}) {
    const wn_searchsorted_number_args a_ = {sizeof(wn_searchsorted_number_args), sorted_sequence, self, o_.out_int32, o_.right, o_.side, o_.sorter, o_.out};
    return wn_searchsorted_number_x(&a_);
}

/* bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor */
struct bucketize_opts {
    bool out_int32 = {};
    bool right = {};
    wn_tensor *out = {};
};
inline wn_tensor *bucketize(wn_tensor *self, wn_tensor *boundaries, const bucketize_opts &o_ = {}) {
    const wn_bucketize_args a_ = {sizeof(wn_bucketize_args), self, boundaries, o_.out_int32, o_.right, o_.out};
    return wn_bucketize_x(&a_);
}

/* bucketize.Scalar(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor */
struct bucketize_number_opts {
    bool out_int32 = {};
    bool right = {};
    wn_tensor *out = {};
};
inline wn_tensor *bucketize_number(const val &self, wn_tensor *boundaries, const bucketize_number_opts &o_ = {}) {
    const wn_bucketize_number_args a_ = {sizeof(wn_bucketize_number_args), self, boundaries, o_.out_int32, o_.right, o_.out};
    return wn_bucketize_number_x(&a_);
}

/* isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor */
struct isin_opts {
    bool assume_unique = {};
    bool invert = {};
    wn_tensor *out = {};
};
inline wn_tensor *isin(wn_tensor *elements, wn_tensor *test_elements, const isin_opts &o_ = {}) {
    const wn_isin_args a_ = {sizeof(wn_isin_args), elements, test_elements, o_.assume_unique, o_.invert, o_.out};
    return wn_isin_x(&a_);
}

/* isin.Tensor_Scalar(Tensor elements, Scalar test_element, *, bool assume_unique=False, bool invert=False) -> Tensor */
struct isin_number_opts {
    bool assume_unique = {};
    bool invert = {};
    wn_tensor *out = {};
};
inline wn_tensor *isin_number(wn_tensor *elements, const val &test_element, const isin_number_opts &o_ = {}) {
    const wn_isin_number_args a_ = {sizeof(wn_isin_number_args), elements, test_element, o_.assume_unique, o_.invert, o_.out};
    return wn_isin_number_x(&a_);
}

/* isin.Scalar_Tensor(Scalar element, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor */
struct isin_of_number_opts {
    bool assume_unique = {};
    bool invert = {};
    wn_tensor *out = {};
};
inline wn_tensor *isin_of_number(const val &element, wn_tensor *test_elements, const isin_of_number_opts &o_ = {}) {
    const wn_isin_of_number_args a_ = {sizeof(wn_isin_of_number_args), element, test_elements, o_.assume_unique, o_.invert, o_.out};
    return wn_isin_of_number_x(&a_);
}

/* bincount(Tensor self, Tensor? weights=None, int minlength=0) -> Tensor */
struct bincount_opts {
    wn_tensor *weights = {};
    int64_t minlength = {};
};
inline wn_tensor *bincount(wn_tensor *self, const bincount_opts &o_ = {}) {
    const wn_bincount_args a_ = {sizeof(wn_bincount_args), self, o_.weights, o_.minlength};
    return wn_bincount_x(&a_);
}

/* histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor */
struct histc_opts {
    wn::val bins = {};
    wn::val min = {};
    wn::val max = {};
    wn_tensor *out = {};
};
inline wn_tensor *histc(wn_tensor *self, const histc_opts &o_ = {}) {
    const wn_histc_args a_ = {sizeof(wn_histc_args), self, o_.bins, o_.min, o_.max, o_.out};
    return wn_histc_x(&a_);
}

/* histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges) */
struct histogram_opts {
    wn_tensor *weight = {};
    bool density = {};
};
inline wn_histogram_out histogram(wn_tensor *self, wn_tensor *bins, const histogram_opts &o_ = {}) {
    const wn_histogram_args a_ = {sizeof(wn_histogram_args), self, bins, o_.weight, o_.density};
    return wn_histogram_x(&a_);
}

/* _histogram_count(Tensor self, int bins=100, Scalar? low=None, Scalar? high=None, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges) */
struct histogram_count_opts {
    wn::val bins = {};
    wn::val low = {};
    wn::val high = {};
    wn_tensor *weight = {};
    bool density = {};
};
inline wn_histogram_count_out histogram_count(wn_tensor *self, const histogram_count_opts &o_ = {}) {
    const wn_histogram_count_args a_ = {sizeof(wn_histogram_count_args), self, o_.bins, o_.low, o_.high, o_.weight, o_.density};
    return wn_histogram_count_x(&a_);
}

/* _histogram_cells(Tensor self, Tensor[] bins, Tensor? weight=None, bool equal=False) -> Tensor */
struct histogram_cells_opts {
    wn_tensor *weight = {};
    bool equal = {};
};
inline wn_tensor *histogram_cells(wn_tensor *self, const list &bins, const histogram_cells_opts &o_ = {}) {
    const wn_histogram_cells_args a_ = {sizeof(wn_histogram_cells_args), self, bins, o_.weight, o_.equal};
    return wn_histogram_cells_x(&a_);
}

/* index_select(Tensor self, int dim, Tensor index) -> Tensor */
struct index_select_opts {
    wn_tensor *out = {};
};
inline wn_tensor *index_select(wn_tensor *self, int64_t dim, wn_tensor *index, const index_select_opts &o_ = {}) {
    const wn_index_select_args a_ = {sizeof(wn_index_select_args), self, dim, index, o_.out};
    return wn_index_select_x(&a_);
}

/* index_select_backward(Tensor grad, int[] self_sizes, int dim, Tensor index) -> Tensor */
struct index_select_backward_opts {
    wn_tensor *out = {};
};
inline wn_tensor *index_select_backward(wn_tensor *grad, const dims &self_sizes, int64_t dim, wn_tensor *index, const index_select_backward_opts &o_ = {}) {
    const wn_index_select_backward_args a_ = {sizeof(wn_index_select_backward_args), grad, self_sizes, dim, index, o_.out};
    return wn_index_select_backward_x(&a_);
}

/* index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor */
struct index_add_opts {
    wn::val alpha = {};
    wn_tensor *out = {};
};
inline wn_tensor *index_add(wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *source, const index_add_opts &o_ = {}) {
    const wn_index_add_args a_ = {sizeof(wn_index_add_args), self, dim, index, source, o_.alpha, o_.out};
    return wn_index_add_x(&a_);
}
inline wn_tensor *index_add_(wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *source, const index_add_opts &o_ = {}) {
    const wn_index_add_args a_ = {sizeof(wn_index_add_args), self, dim, index, source, o_.alpha, o_.out};
    return wn_index_add_inplace_x(&a_);
}

/* index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor */
struct index_copy_opts {
    wn_tensor *out = {};
};
inline wn_tensor *index_copy(wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *source, const index_copy_opts &o_ = {}) {
    const wn_index_copy_args a_ = {sizeof(wn_index_copy_args), self, dim, index, source, o_.out};
    return wn_index_copy_x(&a_);
}
inline wn_tensor *index_copy_(wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *source, const index_copy_opts &o_ = {}) {
    const wn_index_copy_args a_ = {sizeof(wn_index_copy_args), self, dim, index, source, o_.out};
    return wn_index_copy_inplace_x(&a_);
}

/* index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor */
struct index_fill_tensor_opts {
    wn_tensor *out = {};
};
inline wn_tensor *index_fill_tensor(wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *value, const index_fill_tensor_opts &o_ = {}) {
    const wn_index_fill_tensor_args a_ = {sizeof(wn_index_fill_tensor_args), self, dim, index, value, o_.out};
    return wn_index_fill_tensor_x(&a_);
}
inline wn_tensor *index_fill_tensor_(wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *value, const index_fill_tensor_opts &o_ = {}) {
    const wn_index_fill_tensor_args a_ = {sizeof(wn_index_fill_tensor_args), self, dim, index, value, o_.out};
    return wn_index_fill_tensor_inplace_x(&a_);
}

/* index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor */
struct index_fill_opts {
    wn_tensor *out = {};
};
inline wn_tensor *index_fill(wn_tensor *self, int64_t dim, wn_tensor *index, const val &value, const index_fill_opts &o_ = {}) {
    const wn_index_fill_args a_ = {sizeof(wn_index_fill_args), self, dim, index, value, o_.out};
    return wn_index_fill_x(&a_);
}
inline wn_tensor *index_fill_(wn_tensor *self, int64_t dim, wn_tensor *index, const val &value, const index_fill_opts &o_ = {}) {
    const wn_index_fill_args a_ = {sizeof(wn_index_fill_args), self, dim, index, value, o_.out};
    return wn_index_fill_inplace_x(&a_);
}

/* gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor */
struct gather_opts {
    bool sparse_grad = {};
    wn_tensor *out = {};
};
inline wn_tensor *gather(wn_tensor *self, int64_t dim, wn_tensor *index, const gather_opts &o_ = {}) {
    const wn_gather_args a_ = {sizeof(wn_gather_args), self, dim, index, o_.sparse_grad, o_.out};
    return wn_gather_x(&a_);
}

/* gather_backward(Tensor grad, int[] self_sizes, int dim, Tensor index) -> Tensor */
struct gather_backward_opts {
    wn_tensor *out = {};
};
inline wn_tensor *gather_backward(wn_tensor *grad, const dims &self_sizes, int64_t dim, wn_tensor *index, const gather_backward_opts &o_ = {}) {
    const wn_gather_backward_args a_ = {sizeof(wn_gather_backward_args), grad, self_sizes, dim, index, o_.out};
    return wn_gather_backward_x(&a_);
}

/* scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor */
struct scatter_opts {
    wn_tensor *out = {};
};
inline wn_tensor *scatter(wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *src, const scatter_opts &o_ = {}) {
    const wn_scatter_args a_ = {sizeof(wn_scatter_args), self, dim, index, src, o_.out};
    return wn_scatter_x(&a_);
}
inline wn_tensor *scatter_(wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *src, const scatter_opts &o_ = {}) {
    const wn_scatter_args a_ = {sizeof(wn_scatter_args), self, dim, index, src, o_.out};
    return wn_scatter_inplace_x(&a_);
}

/* scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor */
struct scatter_value_opts {
    wn_tensor *out = {};
};
inline wn_tensor *scatter_value(wn_tensor *self, int64_t dim, wn_tensor *index, const val &value, const scatter_value_opts &o_ = {}) {
    const wn_scatter_value_args a_ = {sizeof(wn_scatter_value_args), self, dim, index, value, o_.out};
    return wn_scatter_value_x(&a_);
}
inline wn_tensor *scatter_value_(wn_tensor *self, int64_t dim, wn_tensor *index, const val &value, const scatter_value_opts &o_ = {}) {
    const wn_scatter_value_args a_ = {sizeof(wn_scatter_value_args), self, dim, index, value, o_.out};
    return wn_scatter_value_inplace_x(&a_);
}

/* scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor */
struct scatter_reducing_opts {
    const char *reduce = {};
    wn_tensor *out = {};
};
inline wn_tensor *scatter_reducing(wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *src, const scatter_reducing_opts &o_ = {}) {
    const wn_scatter_reducing_args a_ = {sizeof(wn_scatter_reducing_args), self, dim, index, src, o_.reduce, o_.out};
    return wn_scatter_reducing_x(&a_);
}
inline wn_tensor *scatter_reducing_(wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *src, const scatter_reducing_opts &o_ = {}) {
    const wn_scatter_reducing_args a_ = {sizeof(wn_scatter_reducing_args), self, dim, index, src, o_.reduce, o_.out};
    return wn_scatter_reducing_inplace_x(&a_);
}

/* scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor */
struct scatter_value_reducing_opts {
    const char *reduce = {};
    wn_tensor *out = {};
};
inline wn_tensor *scatter_value_reducing(wn_tensor *self, int64_t dim, wn_tensor *index, const val &value, const scatter_value_reducing_opts &o_ = {}) {
    const wn_scatter_value_reducing_args a_ = {sizeof(wn_scatter_value_reducing_args), self, dim, index, value, o_.reduce, o_.out};
    return wn_scatter_value_reducing_x(&a_);
}
inline wn_tensor *scatter_value_reducing_(wn_tensor *self, int64_t dim, wn_tensor *index, const val &value, const scatter_value_reducing_opts &o_ = {}) {
    const wn_scatter_value_reducing_args a_ = {sizeof(wn_scatter_value_reducing_args), self, dim, index, value, o_.reduce, o_.out};
    return wn_scatter_value_reducing_inplace_x(&a_);
}

/* _scatter_multiply(Tensor self, int dim, Tensor index, Tensor src) -> Tensor */
struct scatter_multiply_opts {
    wn_tensor *out = {};
};
inline wn_tensor *scatter_multiply(wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *src, const scatter_multiply_opts &o_ = {}) {
    const wn_scatter_multiply_args a_ = {sizeof(wn_scatter_multiply_args), self, dim, index, src, o_.out};
    return wn_scatter_multiply_x(&a_);
}
inline wn_tensor *scatter_multiply_(wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *src, const scatter_multiply_opts &o_ = {}) {
    const wn_scatter_multiply_args a_ = {sizeof(wn_scatter_multiply_args), self, dim, index, src, o_.out};
    return wn_scatter_multiply_inplace_x(&a_);
}

/* scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor */
struct scatter_add_opts {
    wn_tensor *out = {};
};
inline wn_tensor *scatter_add(wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *src, const scatter_add_opts &o_ = {}) {
    const wn_scatter_add_args a_ = {sizeof(wn_scatter_add_args), self, dim, index, src, o_.out};
    return wn_scatter_add_x(&a_);
}
inline wn_tensor *scatter_add_(wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *src, const scatter_add_opts &o_ = {}) {
    const wn_scatter_add_args a_ = {sizeof(wn_scatter_add_args), self, dim, index, src, o_.out};
    return wn_scatter_add_inplace_x(&a_);
}

/* embedding(Tensor weight, Tensor indices, int padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False) -> Tensor */
struct embedding_opts {
    wn::val padding_idx = {};
    bool scale_grad_by_freq = {};
    bool sparse = {};
    wn_tensor *out = {};
};
inline wn_tensor *embedding(wn_tensor *weight, wn_tensor *indices, const embedding_opts &o_ = {}) {
    const wn_embedding_args a_ = {sizeof(wn_embedding_args), weight, indices, o_.padding_idx, o_.scale_grad_by_freq, o_.sparse, o_.out};
    return wn_embedding_x(&a_);
}

/* embedding_backward(Tensor grad, Tensor indices, int[] weight_sizes, int padding_idx=-1, bool scale_grad_by_freq=False) -> Tensor */
struct embedding_backward_opts {
    bool scale_grad_by_freq = {};
    wn_tensor *out = {};
};
inline wn_tensor *embedding_backward(wn_tensor *grad, wn_tensor *indices, const dims &weight_sizes, const val &padding_idx, const embedding_backward_opts &o_ = {}) {
    const wn_embedding_backward_args a_ = {sizeof(wn_embedding_backward_args), grad, indices, weight_sizes, padding_idx, o_.scale_grad_by_freq, o_.out};
    return wn_embedding_backward_x(&a_);
}

/* embedding_double_backward(Tensor grad, Tensor indices, int padding_idx=-1, bool scale_grad_by_freq=False) -> Tensor */
struct embedding_double_backward_opts {
    bool scale_grad_by_freq = {};
    wn_tensor *out = {};
};
inline wn_tensor *embedding_double_backward(wn_tensor *grad, wn_tensor *indices, const val &padding_idx, const embedding_double_backward_opts &o_ = {}) {
    const wn_embedding_double_backward_args a_ = {sizeof(wn_embedding_double_backward_args), grad, indices, padding_idx, o_.scale_grad_by_freq, o_.out};
    return wn_embedding_double_backward_x(&a_);
}

/* embedding_renorm_(Tensor(a!) self, Tensor indices, float max_norm, float norm_type) -> Tensor(a!) */
inline wn_tensor *embedding_renorm_(wn_tensor *self, wn_tensor *indices, double max_norm, double norm_type) {
    const wn_embedding_renorm_args a_ = {sizeof(wn_embedding_renorm_args), self, indices, max_norm, norm_type};
    return wn_embedding_renorm_inplace_x(&a_);
}

/* masked_select(Tensor self, Tensor mask) -> Tensor */
struct masked_select_opts {
    wn_tensor *out = {};
};
inline wn_tensor *masked_select(wn_tensor *self, wn_tensor *mask, const masked_select_opts &o_ = {}) {
    const wn_masked_select_args a_ = {sizeof(wn_masked_select_args), self, mask, o_.out};
    return wn_masked_select_x(&a_);
}

/* masked_select_backward(Tensor grad, Tensor mask, int[] self_sizes) -> Tensor */
struct masked_select_backward_opts {
    wn_tensor *out = {};
};
inline wn_tensor *masked_select_backward(wn_tensor *grad, wn_tensor *mask, const dims &self_sizes, const masked_select_backward_opts &o_ = {}) {
    const wn_masked_select_backward_args a_ = {sizeof(wn_masked_select_backward_args), grad, mask, self_sizes, o_.out};
    return wn_masked_select_backward_x(&a_);
}

/* masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor */
struct masked_scatter_opts {
    wn_tensor *out = {};
};
inline wn_tensor *masked_scatter(wn_tensor *self, wn_tensor *mask, wn_tensor *source, const masked_scatter_opts &o_ = {}) {
    const wn_masked_scatter_args a_ = {sizeof(wn_masked_scatter_args), self, mask, source, o_.out};
    return wn_masked_scatter_x(&a_);
}
inline wn_tensor *masked_scatter_(wn_tensor *self, wn_tensor *mask, wn_tensor *source, const masked_scatter_opts &o_ = {}) {
    const wn_masked_scatter_args a_ = {sizeof(wn_masked_scatter_args), self, mask, source, o_.out};
    return wn_masked_scatter_inplace_x(&a_);
}

/* nonzero(Tensor self) -> Tensor */
struct nonzero_opts {
    wn_tensor *out = {};
};
inline wn_tensor *nonzero(wn_tensor *self, const nonzero_opts &o_ = {}) {
    const wn_nonzero_args a_ = {sizeof(wn_nonzero_args), self, o_.out};
    return wn_nonzero_x(&a_);
}

/* one_hot(Tensor self, int num_classes=-1) -> Tensor */
struct one_hot_opts {
    wn::val num_classes = {};
    wn_tensor *out = {};
};
inline wn_tensor *one_hot(wn_tensor *self, const one_hot_opts &o_ = {}) {
    const wn_one_hot_args a_ = {sizeof(wn_one_hot_args), self, o_.num_classes, o_.out};
    return wn_one_hot_x(&a_);
}

/* tril(Tensor self, int diagonal=0) -> Tensor */
struct tril_opts {
    int64_t diagonal = {};
    wn_tensor *out = {};
};
inline wn_tensor *tril(wn_tensor *self, const tril_opts &o_ = {}) {
    const wn_tril_args a_ = {sizeof(wn_tril_args), self, o_.diagonal, o_.out};
    return wn_tril_x(&a_);
}
inline wn_tensor *tril_(wn_tensor *self, const tril_opts &o_ = {}) {
    const wn_tril_args a_ = {sizeof(wn_tril_args), self, o_.diagonal, o_.out};
    return wn_tril_inplace_x(&a_);
}

/* triu(Tensor self, int diagonal=0) -> Tensor */
struct triu_opts {
    int64_t diagonal = {};
    wn_tensor *out = {};
};
inline wn_tensor *triu(wn_tensor *self, const triu_opts &o_ = {}) {
    const wn_triu_args a_ = {sizeof(wn_triu_args), self, o_.diagonal, o_.out};
    return wn_triu_x(&a_);
}
inline wn_tensor *triu_(wn_tensor *self, const triu_opts &o_ = {}) {
    const wn_triu_args a_ = {sizeof(wn_triu_args), self, o_.diagonal, o_.out};
    return wn_triu_inplace_x(&a_);
}

/* index.Tensor(Tensor self, Tensor?[] indices) -> Tensor */
struct index_opts {
    wn_tensor *out = {};
};
inline wn_tensor *index(wn_tensor *self, const list &indices, const index_opts &o_ = {}) {
    const wn_index_args a_ = {sizeof(wn_index_args), self, indices, o_.out};
    return wn_index_x(&a_);
}

/* index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor */
struct index_put_opts {
    bool accumulate = {};
    wn_tensor *out = {};
};
inline wn_tensor *index_put(wn_tensor *self, const list &indices, wn_tensor *values, const index_put_opts &o_ = {}) {
    const wn_index_put_args a_ = {sizeof(wn_index_put_args), self, indices, values, o_.accumulate, o_.out};
    return wn_index_put_x(&a_);
}
inline wn_tensor *index_put_(wn_tensor *self, const list &indices, wn_tensor *values, const index_put_opts &o_ = {}) {
    const wn_index_put_args a_ = {sizeof(wn_index_put_args), self, indices, values, o_.accumulate, o_.out};
    return wn_index_put_inplace_x(&a_);
}

/* index_backward(Tensor grad, int[] self_sizes, Tensor?[] indices) -> Tensor */
struct index_backward_opts {
    wn_tensor *out = {};
};
inline wn_tensor *index_backward(wn_tensor *grad, const dims &self_sizes, const list &indices, const index_backward_opts &o_ = {}) {
    const wn_index_backward_args a_ = {sizeof(wn_index_backward_args), grad, self_sizes, indices, o_.out};
    return wn_index_backward_x(&a_);
}

/* take(Tensor self, Tensor index) -> Tensor */
struct take_opts {
    wn_tensor *out = {};
};
inline wn_tensor *take(wn_tensor *self, wn_tensor *index, const take_opts &o_ = {}) {
    const wn_take_args a_ = {sizeof(wn_take_args), self, index, o_.out};
    return wn_take_x(&a_);
}

/* take_backward(Tensor grad, int[] self_sizes, Tensor index) -> Tensor */
struct take_backward_opts {
    wn_tensor *out = {};
};
inline wn_tensor *take_backward(wn_tensor *grad, const dims &self_sizes, wn_tensor *index, const take_backward_opts &o_ = {}) {
    const wn_take_backward_args a_ = {sizeof(wn_take_backward_args), grad, self_sizes, index, o_.out};
    return wn_take_backward_x(&a_);
}

/* put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor */
struct put_opts {
    bool accumulate = {};
    wn_tensor *out = {};
};
inline wn_tensor *put(wn_tensor *self, wn_tensor *index, wn_tensor *source, const put_opts &o_ = {}) {
    const wn_put_args a_ = {sizeof(wn_put_args), self, index, source, o_.accumulate, o_.out};
    return wn_put_x(&a_);
}
inline wn_tensor *put_(wn_tensor *self, wn_tensor *index, wn_tensor *source, const put_opts &o_ = {}) {
    const wn_put_args a_ = {sizeof(wn_put_args), self, index, source, o_.accumulate, o_.out};
    return wn_put_inplace_x(&a_);
}

/* take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor */
struct take_along_dim_opts {
    wn::val dim = {};
    wn_tensor *out = {};
};
inline wn_tensor *take_along_dim(wn_tensor *self, wn_tensor *indices, const take_along_dim_opts &o_ = {}) {
    const wn_take_along_dim_args a_ = {sizeof(wn_take_along_dim_args), self, indices, o_.dim, o_.out};
    return wn_take_along_dim_x(&a_);
}

/* argwhere(Tensor self) -> Tensor */
inline wn_tensor *argwhere(wn_tensor *self) {
    const wn_argwhere_args a_ = {sizeof(wn_argwhere_args), self};
    return wn_argwhere_x(&a_);
}

/* triu_indices(int row, int col, int offset=0, *, ScalarType? dtype=None) -> Tensor */
struct triu_indices_opts {
    int64_t offset = {};
    wn_dtype dtype = {};
    wn_device device = {};
};
inline wn_tensor *triu_indices(int64_t row, int64_t col, const triu_indices_opts &o_ = {}) {
    const wn_triu_indices_args a_ = {sizeof(wn_triu_indices_args), row, col, o_.offset, o_.dtype, o_.device};
    return wn_triu_indices_x(&a_);
}

/* tril_indices(int row, int col, int offset=0, *, ScalarType? dtype=None) -> Tensor */
struct tril_indices_opts {
    int64_t offset = {};
    wn_dtype dtype = {};
    wn_device device = {};
};
inline wn_tensor *tril_indices(int64_t row, int64_t col, const tril_indices_opts &o_ = {}) {
    const wn_tril_indices_args a_ = {sizeof(wn_tril_indices_args), row, col, o_.offset, o_.dtype, o_.device};
    return wn_tril_indices_x(&a_);
}

/* unravel_index(Tensor indices, int[1] shape) -> Tensor[] */
inline list unravel_index(wn_tensor *indices, const dims &shape) {
    const wn_unravel_index_args a_ = {sizeof(wn_unravel_index_args), indices, shape};
    return wn_unravel_index_x(&a_);
}

/* repeat_interleave.Tensor(Tensor repeats, *, int? output_size=None) -> Tensor */
struct repeat_interleave_positions_opts {
    wn::val output_size = {};
    wn_tensor *out = {};
};
inline wn_tensor *repeat_interleave_positions(wn_tensor *repeats, const repeat_interleave_positions_opts &o_ = {}) {
    const wn_repeat_interleave_positions_args a_ = {sizeof(wn_repeat_interleave_positions_args), repeats, o_.output_size, o_.out};
    return wn_repeat_interleave_positions_x(&a_);
}

/* repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, int? output_size=None) -> Tensor */
struct repeat_interleave_each_opts {
    wn::val dim = {};
    wn::val output_size = {};
};
inline wn_tensor *repeat_interleave_each(wn_tensor *self, wn_tensor *repeats, const repeat_interleave_each_opts &o_ = {}) {
    const wn_repeat_interleave_each_args a_ = {sizeof(wn_repeat_interleave_each_args), self, repeats, o_.dim, o_.output_size};
    return wn_repeat_interleave_each_x(&a_);
}

/* repeat_interleave.self_int(Tensor self, int repeats, int? dim=None, *, int? output_size=None) -> Tensor */
struct repeat_interleave_opts {
    wn::val dim = {};
    wn::val output_size = {};
};
inline wn_tensor *repeat_interleave(wn_tensor *self, int64_t repeats, const repeat_interleave_opts &o_ = {}) {
    const wn_repeat_interleave_args a_ = {sizeof(wn_repeat_interleave_args), self, repeats, o_.dim, o_.output_size};
    return wn_repeat_interleave_x(&a_);
}

/* fill.Scalar(Tensor self, Scalar value) -> Tensor */
inline wn_tensor *filled(wn_tensor *self, const val &value) {
    const wn_filled_args a_ = {sizeof(wn_filled_args), self, value};
    return wn_filled_x(&a_);
}

/* fill.Tensor(Tensor self, Tensor value) -> Tensor */
inline wn_tensor *filled_tensor(wn_tensor *self, wn_tensor *value) {
    const wn_filled_tensor_args a_ = {sizeof(wn_filled_tensor_args), self, value};
    return wn_filled_tensor_x(&a_);
}

/* scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True) -> Tensor */
struct scatter_reduce_opts {
    bool include_self = true;
    wn_tensor *out = {};
};
inline wn_tensor *scatter_reduce(wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *src, const char *reduce, const scatter_reduce_opts &o_ = {}) {
    const wn_scatter_reduce_args a_ = {sizeof(wn_scatter_reduce_args), self, dim, index, src, reduce, o_.include_self ? WN_ON : WN_OFF, o_.out};
    return wn_scatter_reduce_x(&a_);
}
inline wn_tensor *scatter_reduce_(wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *src, const char *reduce, const scatter_reduce_opts &o_ = {}) {
    const wn_scatter_reduce_args a_ = {sizeof(wn_scatter_reduce_args), self, dim, index, src, reduce, o_.include_self ? WN_ON : WN_OFF, o_.out};
    return wn_scatter_reduce_inplace_x(&a_);
}

/* _scatter_sum(Tensor self, int dim, Tensor index, Tensor src, bool mean, bool include_self) -> Tensor */
struct scatter_sum_opts {
    wn_tensor *out = {};
};
inline wn_tensor *scatter_sum(wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *src, bool mean, bool include_self, const scatter_sum_opts &o_ = {}) {
    const wn_scatter_sum_args a_ = {sizeof(wn_scatter_sum_args), self, dim, index, src, mean, include_self, o_.out};
    return wn_scatter_sum_x(&a_);
}
inline wn_tensor *scatter_sum_(wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *src, bool mean, bool include_self, const scatter_sum_opts &o_ = {}) {
    const wn_scatter_sum_args a_ = {sizeof(wn_scatter_sum_args), self, dim, index, src, mean, include_self, o_.out};
    return wn_scatter_sum_inplace_x(&a_);
}

/* _scatter_fold(Tensor self, int dim, Tensor index, Tensor src, str reduce, bool include_self) -> Tensor */
struct scatter_fold_opts {
    wn_tensor *out = {};
};
inline wn_tensor *scatter_fold(wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *src, const char *reduce, bool include_self, const scatter_fold_opts &o_ = {}) {
    const wn_scatter_fold_args a_ = {sizeof(wn_scatter_fold_args), self, dim, index, src, reduce, include_self, o_.out};
    return wn_scatter_fold_x(&a_);
}
inline wn_tensor *scatter_fold_(wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *src, const char *reduce, bool include_self, const scatter_fold_opts &o_ = {}) {
    const wn_scatter_fold_args a_ = {sizeof(wn_scatter_fold_args), self, dim, index, src, reduce, include_self, o_.out};
    return wn_scatter_fold_inplace_x(&a_);
}

/* _no_second_derivative(Tensor self) -> Tensor */
inline wn_tensor *no_second_derivative(wn_tensor *self) {
    const wn_no_second_derivative_args a_ = {sizeof(wn_no_second_derivative_args), self};
    return wn_no_second_derivative_x(&a_);
}

/* index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> Tensor */
struct index_reduce_opts {
    bool include_self = true;
    wn_tensor *out = {};
};
inline wn_tensor *index_reduce(wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *source, const char *reduce, const index_reduce_opts &o_ = {}) {
    const wn_index_reduce_args a_ = {sizeof(wn_index_reduce_args), self, dim, index, source, reduce, o_.include_self ? WN_ON : WN_OFF, o_.out};
    return wn_index_reduce_x(&a_);
}
inline wn_tensor *index_reduce_(wn_tensor *self, int64_t dim, wn_tensor *index, wn_tensor *source, const char *reduce, const index_reduce_opts &o_ = {}) {
    const wn_index_reduce_args a_ = {sizeof(wn_index_reduce_args), self, dim, index, source, reduce, o_.include_self ? WN_ON : WN_OFF, o_.out};
    return wn_index_reduce_inplace_x(&a_);
}

/* segment_reduce(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None, Tensor? offsets=None, int axis=0, bool unsafe=False, Scalar? initial=None) -> Tensor */
struct segment_reduce_opts {
    wn_tensor *lengths = {};
    wn_tensor *indices = {};
    wn_tensor *offsets = {};
    int64_t axis = {};
    bool unsafe = {};
    wn::val initial = {};
};
inline wn_tensor *segment_reduce(wn_tensor *data, const char *reduce, const segment_reduce_opts &o_ = {}) {
    const wn_segment_reduce_args a_ = {sizeof(wn_segment_reduce_args), data, reduce, o_.lengths, o_.indices, o_.offsets, o_.axis, o_.unsafe, o_.initial};
    return wn_segment_reduce_x(&a_);
}

/* _segment_reduce(Tensor data, str reduce, Tensor offsets, int axis, Scalar? initial) -> Tensor */
inline wn_tensor *segment_fold(wn_tensor *data, const char *reduce, wn_tensor *offsets, int64_t axis, const val &initial) {
    const wn_segment_fold_args a_ = {sizeof(wn_segment_fold_args), data, reduce, offsets, axis, initial};
    return wn_segment_fold_x(&a_);
}

/* matmul(Tensor self, Tensor other) -> Tensor */
struct matmul_opts {
    wn_tensor *out = {};
};
inline wn_tensor *matmul(wn_tensor *self, wn_tensor *other, const matmul_opts &o_ = {}) {
    const wn_matmul_args a_ = {sizeof(wn_matmul_args), self, other, o_.out};
    return wn_matmul_x(&a_);
}

/* matmul_grad(Tensor grad, Tensor other, int[] sizes, bool second) -> Tensor */
inline wn_tensor *matmul_grad(wn_tensor *grad, wn_tensor *other, const dims &sizes, bool second) {
    const wn_matmul_grad_args a_ = {sizeof(wn_matmul_grad_args), grad, other, sizes, second};
    return wn_matmul_grad_x(&a_);
}

/* mm(Tensor self, Tensor mat2) -> Tensor */
struct mm_opts {
    wn_tensor *out = {};
};
inline wn_tensor *mm(wn_tensor *self, wn_tensor *mat2, const mm_opts &o_ = {}) {
    const wn_mm_args a_ = {sizeof(wn_mm_args), self, mat2, o_.out};
    return wn_mm_x(&a_);
}

/* bmm(Tensor self, Tensor mat2) -> Tensor */
struct bmm_opts {
    wn_tensor *out = {};
};
inline wn_tensor *bmm(wn_tensor *self, wn_tensor *mat2, const bmm_opts &o_ = {}) {
    const wn_bmm_args a_ = {sizeof(wn_bmm_args), self, mat2, o_.out};
    return wn_bmm_x(&a_);
}

/* mv(Tensor self, Tensor vec) -> Tensor */
struct mv_opts {
    wn_tensor *out = {};
};
inline wn_tensor *mv(wn_tensor *self, wn_tensor *vec, const mv_opts &o_ = {}) {
    const wn_mv_args a_ = {sizeof(wn_mv_args), self, vec, o_.out};
    return wn_mv_x(&a_);
}

/* dot(Tensor self, Tensor tensor) -> Tensor */
struct dot_opts {
    wn_tensor *out = {};
};
inline wn_tensor *dot(wn_tensor *self, wn_tensor *tensor, const dot_opts &o_ = {}) {
    const wn_dot_args a_ = {sizeof(wn_dot_args), self, tensor, o_.out};
    return wn_dot_x(&a_);
}

/* outer(Tensor self, Tensor vec2) -> Tensor */
struct outer_opts {
    wn_tensor *out = {};
};
inline wn_tensor *outer(wn_tensor *self, wn_tensor *vec2, const outer_opts &o_ = {}) {
    const wn_outer_args a_ = {sizeof(wn_outer_args), self, vec2, o_.out};
    return wn_outer_x(&a_);
}

/* addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor */
struct addmm_opts {
    wn::val beta = {};
    wn::val alpha = {};
    wn_tensor *out = {};
};
inline wn_tensor *addmm(wn_tensor *self, wn_tensor *mat1, wn_tensor *mat2, const addmm_opts &o_ = {}) {
    const wn_addmm_args a_ = {sizeof(wn_addmm_args), self, mat1, mat2, o_.beta, o_.alpha, o_.out};
    return wn_addmm_x(&a_);
}
inline wn_tensor *addmm_(wn_tensor *self, wn_tensor *mat1, wn_tensor *mat2, const addmm_opts &o_ = {}) {
    const wn_addmm_args a_ = {sizeof(wn_addmm_args), self, mat1, mat2, o_.beta, o_.alpha, o_.out};
    return wn_addmm_inplace_x(&a_);
}

/* addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor */
struct addmv_opts {
    wn::val beta = {};
    wn::val alpha = {};
    wn_tensor *out = {};
};
inline wn_tensor *addmv(wn_tensor *self, wn_tensor *mat, wn_tensor *vec, const addmv_opts &o_ = {}) {
    const wn_addmv_args a_ = {sizeof(wn_addmv_args), self, mat, vec, o_.beta, o_.alpha, o_.out};
    return wn_addmv_x(&a_);
}
inline wn_tensor *addmv_(wn_tensor *self, wn_tensor *mat, wn_tensor *vec, const addmv_opts &o_ = {}) {
    const wn_addmv_args a_ = {sizeof(wn_addmv_args), self, mat, vec, o_.beta, o_.alpha, o_.out};
    return wn_addmv_inplace_x(&a_);
}

/* baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor */
struct baddbmm_opts {
    wn::val beta = {};
    wn::val alpha = {};
    wn_tensor *out = {};
};
inline wn_tensor *baddbmm(wn_tensor *self, wn_tensor *batch1, wn_tensor *batch2, const baddbmm_opts &o_ = {}) {
    const wn_baddbmm_args a_ = {sizeof(wn_baddbmm_args), self, batch1, batch2, o_.beta, o_.alpha, o_.out};
    return wn_baddbmm_x(&a_);
}
inline wn_tensor *baddbmm_(wn_tensor *self, wn_tensor *batch1, wn_tensor *batch2, const baddbmm_opts &o_ = {}) {
    const wn_baddbmm_args a_ = {sizeof(wn_baddbmm_args), self, batch1, batch2, o_.beta, o_.alpha, o_.out};
    return wn_baddbmm_inplace_x(&a_);
}

/* linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor */
struct linear_opts {
    wn_tensor *bias = {};
    wn_tensor *out = {};
};
inline wn_tensor *linear(wn_tensor *input, wn_tensor *weight, const linear_opts &o_ = {}) {
    const wn_linear_args a_ = {sizeof(wn_linear_args), input, weight, o_.bias, o_.out};
    return wn_linear_x(&a_);
}

/* linear_input_grad(Tensor grad, Tensor weight) -> Tensor */
inline wn_tensor *linear_input_grad(wn_tensor *grad, wn_tensor *weight) {
    const wn_linear_input_grad_args a_ = {sizeof(wn_linear_input_grad_args), grad, weight};
    return wn_linear_input_grad_x(&a_);
}

/* linear_weight_grad(Tensor grad, Tensor input) -> Tensor */
inline wn_tensor *linear_weight_grad(wn_tensor *grad, wn_tensor *input) {
    const wn_linear_weight_grad_args a_ = {sizeof(wn_linear_weight_grad_args), grad, input};
    return wn_linear_weight_grad_x(&a_);
}

/* einsum(str equation, Tensor[] tensors) -> Tensor */
inline wn_tensor *einsum(const char *equation, const list &tensors) {
    const wn_einsum_args a_ = {sizeof(wn_einsum_args), equation, tensors};
    return wn_einsum_x(&a_);
}
template <class... T> wn_tensor *einsum(const char *equation, wn_tensor *first_, T *...rest_) {
    return einsum(equation, list{first_, rest_...});
}

/* contract(Tensor self, Tensor other, int[] self_labels, int[] other_labels, int[] labels) -> Tensor */
inline wn_tensor *contract(wn_tensor *self, wn_tensor *other, const dims &self_labels, const dims &other_labels, const dims &labels) {
    const wn_contract_args a_ = {sizeof(wn_contract_args), self, other, self_labels, other_labels, labels};
    return wn_contract_x(&a_);
}

/* tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor */
struct tensordot_opts {
    wn_tensor *out = {};
};
inline wn_tensor *tensordot(wn_tensor *self, wn_tensor *other, const dims &dims_self, const dims &dims_other, const tensordot_opts &o_ = {}) {
    const wn_tensordot_args a_ = {sizeof(wn_tensordot_args), self, other, dims_self, dims_other, o_.out};
    return wn_tensordot_x(&a_);
}

/* inner(Tensor self, Tensor other) -> Tensor */
struct inner_opts {
    wn_tensor *out = {};
};
inline wn_tensor *inner(wn_tensor *self, wn_tensor *other, const inner_opts &o_ = {}) {
    const wn_inner_args a_ = {sizeof(wn_inner_args), self, other, o_.out};
    return wn_inner_x(&a_);
}

/* vdot(Tensor self, Tensor other) -> Tensor */
struct vdot_opts {
    wn_tensor *out = {};
};
inline wn_tensor *vdot(wn_tensor *self, wn_tensor *other, const vdot_opts &o_ = {}) {
    const wn_vdot_args a_ = {sizeof(wn_vdot_args), self, other, o_.out};
    return wn_vdot_x(&a_);
}

/* addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor */
struct addbmm_opts {
    wn::val beta = {};
    wn::val alpha = {};
    wn_tensor *out = {};
};
inline wn_tensor *addbmm(wn_tensor *self, wn_tensor *batch1, wn_tensor *batch2, const addbmm_opts &o_ = {}) {
    const wn_addbmm_args a_ = {sizeof(wn_addbmm_args), self, batch1, batch2, o_.beta, o_.alpha, o_.out};
    return wn_addbmm_x(&a_);
}
inline wn_tensor *addbmm_(wn_tensor *self, wn_tensor *batch1, wn_tensor *batch2, const addbmm_opts &o_ = {}) {
    const wn_addbmm_args a_ = {sizeof(wn_addbmm_args), self, batch1, batch2, o_.beta, o_.alpha, o_.out};
    return wn_addbmm_inplace_x(&a_);
}

/* addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor */
struct addr_opts {
    wn::val beta = {};
    wn::val alpha = {};
    wn_tensor *out = {};
};
inline wn_tensor *addr(wn_tensor *self, wn_tensor *vec1, wn_tensor *vec2, const addr_opts &o_ = {}) {
    const wn_addr_args a_ = {sizeof(wn_addr_args), self, vec1, vec2, o_.beta, o_.alpha, o_.out};
    return wn_addr_x(&a_);
}
inline wn_tensor *addr_(wn_tensor *self, wn_tensor *vec1, wn_tensor *vec2, const addr_opts &o_ = {}) {
    const wn_addr_args a_ = {sizeof(wn_addr_args), self, vec1, vec2, o_.beta, o_.alpha, o_.out};
    return wn_addr_inplace_x(&a_);
}

/* cross(Tensor self, Tensor other, int? dim=None) -> Tensor */
struct cross_opts {
    wn::val dim = {};
    wn_tensor *out = {};
};
inline wn_tensor *cross(wn_tensor *self, wn_tensor *other, const cross_opts &o_ = {}) {
    const wn_cross_args a_ = {sizeof(wn_cross_args), self, other, o_.dim, o_.out};
    return wn_cross_x(&a_);
}

/* linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor */
struct linalg_cross_opts {
    wn::val dim = {};
    wn_tensor *out = {};
};
inline wn_tensor *linalg_cross(wn_tensor *self, wn_tensor *other, const linalg_cross_opts &o_ = {}) {
    const wn_linalg_cross_args a_ = {sizeof(wn_linalg_cross_args), self, other, o_.dim, o_.out};
    return wn_linalg_cross_x(&a_);
}

/* linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor */
struct linalg_vecdot_opts {
    wn::val dim = {};
    wn_tensor *out = {};
};
inline wn_tensor *linalg_vecdot(wn_tensor *x, wn_tensor *y, const linalg_vecdot_opts &o_ = {}) {
    const wn_linalg_vecdot_args a_ = {sizeof(wn_linalg_vecdot_args), x, y, o_.dim, o_.out};
    return wn_linalg_vecdot_x(&a_);
}

/* kron(Tensor self, Tensor other) -> Tensor */
struct kron_opts {
    wn_tensor *out = {};
};
inline wn_tensor *kron(wn_tensor *self, wn_tensor *other, const kron_opts &o_ = {}) {
    const wn_kron_args a_ = {sizeof(wn_kron_args), self, other, o_.out};
    return wn_kron_x(&a_);
}

/* cdist(Tensor x1, Tensor x2, float p=2.0, int? compute_mode=None) -> Tensor */
struct cdist_opts {
    wn::val p = {};
    wn::val compute_mode = {};
};
inline wn_tensor *cdist(wn_tensor *x1, wn_tensor *x2, const cdist_opts &o_ = {}) {
    const wn_cdist_args a_ = {sizeof(wn_cdist_args), x1, x2, o_.p, o_.compute_mode};
    return wn_cdist_x(&a_);
}

/* _cdist_forward(Tensor x1, Tensor x2, float p, bool by_product) -> Tensor */
inline wn_tensor *cdist_forward(wn_tensor *x1, wn_tensor *x2, double p, bool by_product) {
    const wn_cdist_forward_args a_ = {sizeof(wn_cdist_forward_args), x1, x2, p, by_product};
    return wn_cdist_forward_x(&a_);
}

/* _cdist_backward(Tensor grad, Tensor x1, Tensor x2, float p, Tensor cdist) -> Tensor */
inline wn_tensor *cdist_backward(wn_tensor *grad, wn_tensor *x1, wn_tensor *x2, double p, wn_tensor *cdist) {
    const wn_cdist_backward_args a_ = {sizeof(wn_cdist_backward_args), grad, x1, x2, p, cdist};
    return wn_cdist_backward_x(&a_);
}

/* chain_matmul(Tensor[] matrices) -> Tensor */
struct chain_matmul_opts {
    wn_tensor *out = {};
};
inline wn_tensor *chain_matmul(const list &matrices, const chain_matmul_opts &o_ = {}) {
    const wn_chain_matmul_args a_ = {sizeof(wn_chain_matmul_args), matrices, o_.out};
    return wn_chain_matmul_x(&a_);
}
template <class... T> wn_tensor *chain_matmul(wn_tensor *first_, T *...rest_) {
    return chain_matmul(list{first_, rest_...});
}

/* vander(Tensor x, int? N=None, bool increasing=False) -> Tensor */
struct vander_opts {
    wn::val N = {};
    bool increasing = {};
};
inline wn_tensor *vander(wn_tensor *x, const vander_opts &o_ = {}) {
    const wn_vander_args a_ = {sizeof(wn_vander_args), x, o_.N, o_.increasing};
    return wn_vander_x(&a_);
}

/* linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) -> (Tensor L, Tensor info) */
struct linalg_cholesky_ex_opts {
    bool upper = {};
    bool check_errors = {};
};
inline wn_linalg_cholesky_ex_out linalg_cholesky_ex(wn_tensor *self, const linalg_cholesky_ex_opts &o_ = {}) {
    const wn_linalg_cholesky_ex_args a_ = {sizeof(wn_linalg_cholesky_ex_args), self, o_.upper ? WN_ON : WN_OFF, o_.check_errors};
    return wn_linalg_cholesky_ex_x(&a_);
}

/* linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor */
struct linalg_cholesky_opts {
    bool upper = {};
    wn_tensor *out = {};
};
inline wn_tensor *linalg_cholesky(wn_tensor *self, const linalg_cholesky_opts &o_ = {}) {
    const wn_linalg_cholesky_args a_ = {sizeof(wn_linalg_cholesky_args), self, o_.upper ? WN_ON : WN_OFF, o_.out};
    return wn_linalg_cholesky_x(&a_);
}

/* cholesky(Tensor self, bool upper=False) -> Tensor */
struct cholesky_opts {
    bool upper = {};
    wn_tensor *out = {};
};
inline wn_tensor *cholesky(wn_tensor *self, const cholesky_opts &o_ = {}) {
    const wn_cholesky_args a_ = {sizeof(wn_cholesky_args), self, o_.upper ? WN_ON : WN_OFF, o_.out};
    return wn_cholesky_x(&a_);
}

/* cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor */
struct cholesky_solve_opts {
    bool upper = {};
    wn_tensor *out = {};
};
inline wn_tensor *cholesky_solve(wn_tensor *self, wn_tensor *input2, const cholesky_solve_opts &o_ = {}) {
    const wn_cholesky_solve_args a_ = {sizeof(wn_cholesky_solve_args), self, input2, o_.upper ? WN_ON : WN_OFF, o_.out};
    return wn_cholesky_solve_x(&a_);
}

/* cholesky_inverse(Tensor self, bool upper=False) -> Tensor */
struct cholesky_inverse_opts {
    bool upper = {};
    wn_tensor *out = {};
};
inline wn_tensor *cholesky_inverse(wn_tensor *self, const cholesky_inverse_opts &o_ = {}) {
    const wn_cholesky_inverse_args a_ = {sizeof(wn_cholesky_inverse_args), self, o_.upper ? WN_ON : WN_OFF, o_.out};
    return wn_cholesky_inverse_x(&a_);
}

/* _linalg_solve_triangular(Tensor A, Tensor B, bool upper, bool unitriangular) -> Tensor */
inline wn_tensor *solve_triangular_left(wn_tensor *A, wn_tensor *B, bool upper, bool unitriangular) {
    const wn_solve_triangular_left_args a_ = {sizeof(wn_solve_triangular_left_args), A, B, upper, unitriangular};
    return wn_solve_triangular_left_x(&a_);
}

/* linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool unitriangular=False) -> Tensor */
struct linalg_solve_triangular_opts {
    bool left = true;
    bool unitriangular = {};
    wn_tensor *out = {};
};
inline wn_tensor *linalg_solve_triangular(wn_tensor *self, wn_tensor *B, bool upper, const linalg_solve_triangular_opts &o_ = {}) {
    const wn_linalg_solve_triangular_args a_ = {sizeof(wn_linalg_solve_triangular_args), self, B, upper, o_.left ? WN_ON : WN_OFF, o_.unitriangular, o_.out};
    return wn_linalg_solve_triangular_x(&a_);
}

/* triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False) -> (Tensor solution, Tensor cloned_coefficient) */
struct triangular_solve_opts {
    bool upper = true;
    bool transpose = {};
    bool unitriangular = {};
};
inline wn_triangular_solve_out triangular_solve(wn_tensor *self, wn_tensor *A, const triangular_solve_opts &o_ = {}) {
    const wn_triangular_solve_args a_ = {sizeof(wn_triangular_solve_args), self, A, o_.upper ? WN_ON : WN_OFF, o_.transpose, o_.unitriangular};
    return wn_triangular_solve_x(&a_);
}

/* linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> (Tensor LU, Tensor pivots, Tensor info) */
struct linalg_lu_factor_ex_opts {
    bool pivot = true;
    bool check_errors = {};
};
inline wn_linalg_lu_factor_ex_out linalg_lu_factor_ex(wn_tensor *A, const linalg_lu_factor_ex_opts &o_ = {}) {
    const wn_linalg_lu_factor_ex_args a_ = {sizeof(wn_linalg_lu_factor_ex_args), A, o_.pivot ? WN_ON : WN_OFF, o_.check_errors};
    return wn_linalg_lu_factor_ex_x(&a_);
}

/* linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots) */
struct linalg_lu_factor_opts {
    bool pivot = true;
};
inline wn_linalg_lu_factor_out linalg_lu_factor(wn_tensor *A, const linalg_lu_factor_opts &o_ = {}) {
    const wn_linalg_lu_factor_args a_ = {sizeof(wn_linalg_lu_factor_args), A, o_.pivot ? WN_ON : WN_OFF};
    return wn_linalg_lu_factor_x(&a_);
}

/* linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U) */
struct linalg_lu_opts {
    bool pivot = true;
};
inline wn_linalg_lu_out linalg_lu(wn_tensor *A, const linalg_lu_opts &o_ = {}) {
    const wn_linalg_lu_args a_ = {sizeof(wn_linalg_lu_args), A, o_.pivot ? WN_ON : WN_OFF};
    return wn_linalg_lu_x(&a_);
}

/* _lu_permutation(Tensor pivots, int n, *, ScalarType? dtype=None) -> Tensor */
struct lu_permutation_opts {
    wn_dtype dtype = {};
};
inline wn_tensor *lu_permutation(wn_tensor *pivots, int64_t n, const lu_permutation_opts &o_ = {}) {
    const wn_lu_permutation_args a_ = {sizeof(wn_lu_permutation_args), pivots, n, o_.dtype};
    return wn_lu_permutation_x(&a_);
}

/* lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True) -> (Tensor P, Tensor L, Tensor U) */
struct lu_unpack_opts {
    bool unpack_data = true;
    bool unpack_pivots = true;
};
inline wn_lu_unpack_out lu_unpack(wn_tensor *LU_data, wn_tensor *LU_pivots, const lu_unpack_opts &o_ = {}) {
    const wn_lu_unpack_args a_ = {sizeof(wn_lu_unpack_args), LU_data, LU_pivots, o_.unpack_data ? WN_ON : WN_OFF, o_.unpack_pivots ? WN_ON : WN_OFF};
    return wn_lu_unpack_x(&a_);
}

/* _linalg_solve_ex(Tensor A, Tensor B) -> (Tensor result, Tensor LU, Tensor pivots, Tensor info) */
inline wn_solve_factoring_out solve_factoring(wn_tensor *A, wn_tensor *B) {
    const wn_solve_factoring_args a_ = {sizeof(wn_solve_factoring_args), A, B};
    return wn_solve_factoring_x(&a_);
}

/* linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor result, Tensor info) */
struct linalg_solve_ex_opts {
    bool left = true;
    bool check_errors = {};
};
inline wn_linalg_solve_ex_out linalg_solve_ex(wn_tensor *A, wn_tensor *B, const linalg_solve_ex_opts &o_ = {}) {
    const wn_linalg_solve_ex_args a_ = {sizeof(wn_linalg_solve_ex_args), A, B, o_.left ? WN_ON : WN_OFF, o_.check_errors};
    return wn_linalg_solve_ex_x(&a_);
}

/* linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor */
struct linalg_solve_opts {
    bool left = true;
    wn_tensor *out = {};
};
inline wn_tensor *linalg_solve(wn_tensor *A, wn_tensor *B, const linalg_solve_opts &o_ = {}) {
    const wn_linalg_solve_args a_ = {sizeof(wn_linalg_solve_args), A, B, o_.left ? WN_ON : WN_OFF, o_.out};
    return wn_linalg_solve_x(&a_);
}

/* _linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, bool adjoint) -> Tensor */
inline wn_tensor *lu_solve_left(wn_tensor *LU, wn_tensor *pivots, wn_tensor *B, bool adjoint) {
    const wn_lu_solve_left_args a_ = {sizeof(wn_lu_solve_left_args), LU, pivots, B, adjoint};
    return wn_lu_solve_left_x(&a_);
}

/* linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False) -> Tensor */
struct linalg_lu_solve_opts {
    bool left = true;
    bool adjoint = {};
    wn_tensor *out = {};
};
inline wn_tensor *linalg_lu_solve(wn_tensor *LU, wn_tensor *pivots, wn_tensor *B, const linalg_lu_solve_opts &o_ = {}) {
    const wn_linalg_lu_solve_args a_ = {sizeof(wn_linalg_lu_solve_args), LU, pivots, B, o_.left ? WN_ON : WN_OFF, o_.adjoint, o_.out};
    return wn_linalg_lu_solve_x(&a_);
}

/* lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor */
struct lu_solve_opts {
    wn_tensor *out = {};
};
inline wn_tensor *lu_solve(wn_tensor *self, wn_tensor *LU_data, wn_tensor *LU_pivots, const lu_solve_opts &o_ = {}) {
    const wn_lu_solve_args a_ = {sizeof(wn_lu_solve_args), self, LU_data, LU_pivots, o_.out};
    return wn_lu_solve_x(&a_);
}

/* linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info) */
struct linalg_inv_ex_opts {
    bool check_errors = {};
};
inline wn_linalg_inv_ex_out linalg_inv_ex(wn_tensor *A, const linalg_inv_ex_opts &o_ = {}) {
    const wn_linalg_inv_ex_args a_ = {sizeof(wn_linalg_inv_ex_args), A, o_.check_errors};
    return wn_linalg_inv_ex_x(&a_);
}

/* linalg_inv(Tensor A) -> Tensor */
struct linalg_inv_opts {
    wn_tensor *out = {};
};
inline wn_tensor *linalg_inv(wn_tensor *A, const linalg_inv_opts &o_ = {}) {
    const wn_linalg_inv_args a_ = {sizeof(wn_linalg_inv_args), A, o_.out};
    return wn_linalg_inv_x(&a_);
}

/* inverse(Tensor self) -> Tensor */
struct inverse_opts {
    wn_tensor *out = {};
};
inline wn_tensor *inverse(wn_tensor *self, const inverse_opts &o_ = {}) {
    const wn_inverse_args a_ = {sizeof(wn_inverse_args), self, o_.out};
    return wn_inverse_x(&a_);
}

/* _linalg_det(Tensor A) -> (Tensor result, Tensor LU, Tensor pivots) */
inline wn_det_factoring_out det_factoring(wn_tensor *A) {
    const wn_det_factoring_args a_ = {sizeof(wn_det_factoring_args), A};
    return wn_det_factoring_x(&a_);
}

/* linalg_det(Tensor A) -> Tensor */
struct linalg_det_opts {
    wn_tensor *out = {};
};
inline wn_tensor *linalg_det(wn_tensor *A, const linalg_det_opts &o_ = {}) {
    const wn_linalg_det_args a_ = {sizeof(wn_linalg_det_args), A, o_.out};
    return wn_linalg_det_x(&a_);
}

/* det(Tensor self) -> Tensor */
inline wn_tensor *det(wn_tensor *self) {
    const wn_det_args a_ = {sizeof(wn_det_args), self};
    return wn_det_x(&a_);
}

/* _linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet, Tensor LU, Tensor pivots) */
inline wn_slogdet_factoring_out slogdet_factoring(wn_tensor *A) {
    const wn_slogdet_factoring_args a_ = {sizeof(wn_slogdet_factoring_args), A};
    return wn_slogdet_factoring_x(&a_);
}

/* linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet) */
inline wn_linalg_slogdet_out linalg_slogdet(wn_tensor *A) {
    const wn_linalg_slogdet_args a_ = {sizeof(wn_linalg_slogdet_args), A};
    return wn_linalg_slogdet_x(&a_);
}

/* slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet) */
inline wn_slogdet_out slogdet(wn_tensor *self) {
    const wn_slogdet_args a_ = {sizeof(wn_slogdet_args), self};
    return wn_slogdet_x(&a_);
}

/* logdet(Tensor self) -> Tensor */
inline wn_tensor *logdet(wn_tensor *self) {
    const wn_logdet_args a_ = {sizeof(wn_logdet_args), self};
    return wn_logdet_x(&a_);
}

/* linalg_qr(Tensor A, str mode="reduced") -> (Tensor Q, Tensor R) */
struct linalg_qr_opts {
    const char *mode = {};
};
inline wn_linalg_qr_out linalg_qr(wn_tensor *A, const linalg_qr_opts &o_ = {}) {
    const wn_linalg_qr_args a_ = {sizeof(wn_linalg_qr_args), A, o_.mode};
    return wn_linalg_qr_x(&a_);
}

/* qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R) */
struct qr_opts {
    bool some = true;
};
inline wn_qr_out qr(wn_tensor *self, const qr_opts &o_ = {}) {
    const wn_qr_args a_ = {sizeof(wn_qr_args), self, o_.some ? WN_ON : WN_OFF};
    return wn_qr_x(&a_);
}

/* geqrf(Tensor self) -> (Tensor a, Tensor tau) */
inline wn_geqrf_out geqrf(wn_tensor *self) {
    const wn_geqrf_args a_ = {sizeof(wn_geqrf_args), self};
    return wn_geqrf_x(&a_);
}

/* _reflectors_product(Tensor input, Tensor tau) -> Tensor */
inline wn_tensor *reflectors_product(wn_tensor *input, wn_tensor *tau) {
    const wn_reflectors_product_args a_ = {sizeof(wn_reflectors_product_args), input, tau};
    return wn_reflectors_product_x(&a_);
}

/* linalg_householder_product(Tensor input, Tensor tau) -> Tensor */
struct linalg_householder_product_opts {
    wn_tensor *out = {};
};
inline wn_tensor *linalg_householder_product(wn_tensor *input, wn_tensor *tau, const linalg_householder_product_opts &o_ = {}) {
    const wn_linalg_householder_product_args a_ = {sizeof(wn_linalg_householder_product_args), input, tau, o_.out};
    return wn_linalg_householder_product_x(&a_);
}

/* orgqr(Tensor self, Tensor input2) -> Tensor */
struct orgqr_opts {
    wn_tensor *out = {};
};
inline wn_tensor *orgqr(wn_tensor *self, wn_tensor *input2, const orgqr_opts &o_ = {}) {
    const wn_orgqr_args a_ = {sizeof(wn_orgqr_args), self, input2, o_.out};
    return wn_orgqr_x(&a_);
}

/* _reflectors_apply(Tensor input, Tensor tau, Tensor other, bool transpose) -> Tensor */
inline wn_tensor *reflectors_apply(wn_tensor *input, wn_tensor *tau, wn_tensor *other, bool transpose) {
    const wn_reflectors_apply_args a_ = {sizeof(wn_reflectors_apply_args), input, tau, other, transpose};
    return wn_reflectors_apply_x(&a_);
}

/* ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) -> Tensor */
struct ormqr_opts {
    bool left = true;
    bool transpose = {};
    wn_tensor *out = {};
};
inline wn_tensor *ormqr(wn_tensor *self, wn_tensor *input2, wn_tensor *input3, const ormqr_opts &o_ = {}) {
    const wn_ormqr_args a_ = {sizeof(wn_ormqr_args), self, input2, input3, o_.left ? WN_ON : WN_OFF, o_.transpose, o_.out};
    return wn_ormqr_x(&a_);
}

/* _linalg_eigh(Tensor A, str UPLO="L", bool compute_v=False) -> (Tensor eigenvalues, Tensor eigenvectors) */
struct eigh_vectors_opts {
    const char *UPLO = {};
    bool compute_v = {};
};
inline wn_eigh_vectors_out eigh_vectors(wn_tensor *A, const eigh_vectors_opts &o_ = {}) {
    const wn_eigh_vectors_args a_ = {sizeof(wn_eigh_vectors_args), A, o_.UPLO, o_.compute_v};
    return wn_eigh_vectors_x(&a_);
}

/* linalg_eigh(Tensor self, str UPLO="L") -> (Tensor eigenvalues, Tensor eigenvectors) */
struct linalg_eigh_opts {
    const char *UPLO = {};
};
inline wn_linalg_eigh_out linalg_eigh(wn_tensor *self, const linalg_eigh_opts &o_ = {}) {
    const wn_linalg_eigh_args a_ = {sizeof(wn_linalg_eigh_args), self, o_.UPLO};
    return wn_linalg_eigh_x(&a_);
}

/* linalg_eigvalsh(Tensor self, str UPLO="L") -> Tensor */
struct linalg_eigvalsh_opts {
    const char *UPLO = {};
    wn_tensor *out = {};
};
inline wn_tensor *linalg_eigvalsh(wn_tensor *self, const linalg_eigvalsh_opts &o_ = {}) {
    const wn_linalg_eigvalsh_args a_ = {sizeof(wn_linalg_eigvalsh_args), self, o_.UPLO, o_.out};
    return wn_linalg_eigvalsh_x(&a_);
}

/* _linalg_svd(Tensor A, bool full_matrices, bool compute_uv) -> (Tensor U, Tensor S, Tensor Vh) */
inline wn_svd_vectors_out svd_vectors(wn_tensor *A, bool full_matrices, bool compute_uv) {
    const wn_svd_vectors_args a_ = {sizeof(wn_svd_vectors_args), A, full_matrices, compute_uv};
    return wn_svd_vectors_x(&a_);
}

/* linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh) */
struct linalg_svd_opts {
    bool full_matrices = true;
    const char *driver = {};
};
inline wn_linalg_svd_out linalg_svd(wn_tensor *A, const linalg_svd_opts &o_ = {}) {
    const wn_linalg_svd_args a_ = {sizeof(wn_linalg_svd_args), A, o_.full_matrices ? WN_ON : WN_OFF, o_.driver};
    return wn_linalg_svd_x(&a_);
}

/* linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor */
struct linalg_svdvals_opts {
    const char *driver = {};
    wn_tensor *out = {};
};
inline wn_tensor *linalg_svdvals(wn_tensor *A, const linalg_svdvals_opts &o_ = {}) {
    const wn_linalg_svdvals_args a_ = {sizeof(wn_linalg_svdvals_args), A, o_.driver, o_.out};
    return wn_linalg_svdvals_x(&a_);
}

/* svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V) */
struct svd_opts {
    bool some = true;
    bool compute_uv = true;
};
inline wn_svd_out svd(wn_tensor *self, const svd_opts &o_ = {}) {
    const wn_svd_args a_ = {sizeof(wn_svd_args), self, o_.some ? WN_ON : WN_OFF, o_.compute_uv ? WN_ON : WN_OFF};
    return wn_svd_x(&a_);
}

/* _linalg_lstsq(Tensor self, Tensor b, float? rcond=None, str? driver=None) -> (Tensor solution, Tensor rank, Tensor singular_values) */
struct lstsq_driver_opts {
    wn::val rcond = {};
    const char *driver = {};
};
inline wn_lstsq_driver_out lstsq_driver(wn_tensor *self, wn_tensor *b, const lstsq_driver_opts &o_ = {}) {
    const wn_lstsq_driver_args a_ = {sizeof(wn_lstsq_driver_args), self, b, o_.rcond, o_.driver};
    return wn_lstsq_driver_x(&a_);
}

/* linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> (Tensor solution, Tensor residuals, Tensor rank, Tensor singular_values) */
struct linalg_lstsq_opts {
    wn::val rcond = {};
    const char *driver = {};
};
inline wn_linalg_lstsq_out linalg_lstsq(wn_tensor *self, wn_tensor *b, const linalg_lstsq_opts &o_ = {}) {
    const wn_linalg_lstsq_args a_ = {sizeof(wn_linalg_lstsq_args), self, b, o_.rcond, o_.driver};
    return wn_linalg_lstsq_x(&a_);
}

/* _pinv_grad(Tensor grad, Tensor pinv, Tensor self) -> Tensor */
inline wn_tensor *pinv_grad(wn_tensor *grad, wn_tensor *pinv, wn_tensor *self) {
    const wn_pinv_grad_args a_ = {sizeof(wn_pinv_grad_args), grad, pinv, self};
    return wn_pinv_grad_x(&a_);
}

/* _linalg_pinv(Tensor self, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor */
struct pinv_cut_opts {
    wn::val atol = {};
    wn::val rtol = {};
    bool hermitian = {};
};
inline wn_tensor *pinv_cut(wn_tensor *self, const pinv_cut_opts &o_ = {}) {
    const wn_pinv_cut_args a_ = {sizeof(wn_pinv_cut_args), self, o_.atol, o_.rtol, o_.hermitian};
    return wn_pinv_cut_x(&a_);
}

/* linalg_pinv.atol_rtol(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor */
struct linalg_pinv_opts {
    wn::val atol = {};
    wn::val rtol = {};
    bool hermitian = {};
    wn_tensor *out = {};
};
inline wn_tensor *linalg_pinv(wn_tensor *self, const linalg_pinv_opts &o_ = {}) {
    const wn_linalg_pinv_args a_ = {sizeof(wn_linalg_pinv_args), self, o_.atol, o_.rtol, o_.hermitian, o_.out};
    return wn_linalg_pinv_x(&a_);
}

/* linalg_pinv.rcond(Tensor self, Tensor rcond, bool hermitian=False) -> Tensor */
struct linalg_pinv_rcond_opts {
    bool hermitian = {};
    wn_tensor *out = {};
};
inline wn_tensor *linalg_pinv_rcond(wn_tensor *self, const val &rcond, const linalg_pinv_rcond_opts &o_ = {}) {
    const wn_linalg_pinv_rcond_args a_ = {sizeof(wn_linalg_pinv_rcond_args), self, rcond, o_.hermitian, o_.out};
    return wn_linalg_pinv_rcond_x(&a_);
}

/* pinverse(Tensor self, float rcond=1e-15) -> Tensor */
struct pinverse_opts {
    wn::val rcond = {};
};
inline wn_tensor *pinverse(wn_tensor *self, const pinverse_opts &o_ = {}) {
    const wn_pinverse_args a_ = {sizeof(wn_pinverse_args), self, o_.rcond};
    return wn_pinverse_x(&a_);
}

/* linalg_matrix_rank.atol_rtol(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor */
struct linalg_matrix_rank_opts {
    wn::val atol = {};
    wn::val rtol = {};
    bool hermitian = {};
    wn_tensor *out = {};
};
inline wn_tensor *linalg_matrix_rank(wn_tensor *self, const linalg_matrix_rank_opts &o_ = {}) {
    const wn_linalg_matrix_rank_args a_ = {sizeof(wn_linalg_matrix_rank_args), self, o_.atol, o_.rtol, o_.hermitian, o_.out};
    return wn_linalg_matrix_rank_x(&a_);
}

/* linalg_matrix_rank.tol(Tensor self, Tensor tol, bool hermitian=False) -> Tensor */
struct linalg_matrix_rank_tol_opts {
    bool hermitian = {};
    wn_tensor *out = {};
};
inline wn_tensor *linalg_matrix_rank_tol(wn_tensor *self, const val &tol, const linalg_matrix_rank_tol_opts &o_ = {}) {
    const wn_linalg_matrix_rank_tol_args a_ = {sizeof(wn_linalg_matrix_rank_tol_args), self, tol, o_.hermitian, o_.out};
    return wn_linalg_matrix_rank_tol_x(&a_);
}

/* linalg_cond(Tensor self, Scalar? p=None) -> Tensor */
struct linalg_cond_opts {
    wn_tensor *out = {};
};
inline wn_tensor *linalg_cond(wn_tensor *self, const val &p, const linalg_cond_opts &o_ = {}) {
    const wn_linalg_cond_args a_ = {sizeof(wn_linalg_cond_args), self, p, o_.out};
    return wn_linalg_cond_x(&a_);
}

/* linalg_cond.p_str(Tensor self, str p) -> Tensor */
struct linalg_cond_named_opts {
    wn_tensor *out = {};
};
inline wn_tensor *linalg_cond_named(wn_tensor *self, const char *p, const linalg_cond_named_opts &o_ = {}) {
    const wn_linalg_cond_named_args a_ = {sizeof(wn_linalg_cond_named_args), self, p, o_.out};
    return wn_linalg_cond_named_x(&a_);
}

/* linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor */
struct linalg_matrix_norm_opts {
    wn::dims dims = {};
    bool keepdim = {};
    wn_dtype dtype = {};
    wn_tensor *out = {};
};
inline wn_tensor *linalg_matrix_norm(wn_tensor *self, const val &ord, const linalg_matrix_norm_opts &o_ = {}) {
    const wn_linalg_matrix_norm_args a_ = {sizeof(wn_linalg_matrix_norm_args), self, ord, o_.dims, o_.keepdim, o_.dtype, o_.out};
    return wn_linalg_matrix_norm_x(&a_);
}

/* linalg_matrix_norm.str_ord(Tensor self, str ord="fro", int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor */
struct linalg_matrix_norm_named_opts {
    const char *ord = {};
    wn::dims dims = {};
    bool keepdim = {};
    wn_dtype dtype = {};
    wn_tensor *out = {};
};
inline wn_tensor *linalg_matrix_norm_named(wn_tensor *self, const linalg_matrix_norm_named_opts &o_ = {}) {
    const wn_linalg_matrix_norm_named_args a_ = {sizeof(wn_linalg_matrix_norm_named_args), self, o_.ord, o_.dims, o_.keepdim, o_.dtype, o_.out};
    return wn_linalg_matrix_norm_named_x(&a_);
}

/* linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor */
struct linalg_norm_opts {
    wn::val ord = {};
    wn::dims dims = {};
    bool keepdim = {};
    wn_dtype dtype = {};
    wn_tensor *out = {};
};
inline wn_tensor *linalg_norm(wn_tensor *self, const linalg_norm_opts &o_ = {}) {
    const wn_linalg_norm_args a_ = {sizeof(wn_linalg_norm_args), self, o_.ord, o_.dims, o_.keepdim, o_.dtype, o_.out};
    return wn_linalg_norm_x(&a_);
}

/* linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor */
struct linalg_norm_named_opts {
    wn::dims dims = {};
    bool keepdim = {};
    wn_dtype dtype = {};
    wn_tensor *out = {};
};
inline wn_tensor *linalg_norm_named(wn_tensor *self, const char *ord, const linalg_norm_named_opts &o_ = {}) {
    const wn_linalg_norm_named_args a_ = {sizeof(wn_linalg_norm_named_args), self, ord, o_.dims, o_.keepdim, o_.dtype, o_.out};
    return wn_linalg_norm_named_x(&a_);
}

/* nuclear_norm(Tensor self, int[2]? dim=None, bool keepdim=False) -> Tensor */
struct nuclear_norm_opts {
    wn::dims dims = {};
    bool keepdim = {};
    wn_tensor *out = {};
};
inline wn_tensor *nuclear_norm(wn_tensor *self, const nuclear_norm_opts &o_ = {}) {
    const wn_nuclear_norm_args a_ = {sizeof(wn_nuclear_norm_args), self, o_.dims, o_.keepdim, o_.out};
    return wn_nuclear_norm_x(&a_);
}

/* linalg_matrix_power(Tensor self, int n) -> Tensor */
struct linalg_matrix_power_opts {
    wn_tensor *out = {};
};
inline wn_tensor *linalg_matrix_power(wn_tensor *self, int64_t n, const linalg_matrix_power_opts &o_ = {}) {
    const wn_linalg_matrix_power_args a_ = {sizeof(wn_linalg_matrix_power_args), self, n, o_.out};
    return wn_linalg_matrix_power_x(&a_);
}

/* matrix_power(Tensor self, int n) -> Tensor */
struct matrix_power_opts {
    wn_tensor *out = {};
};
inline wn_tensor *matrix_power(wn_tensor *self, int64_t n, const matrix_power_opts &o_ = {}) {
    const wn_matrix_power_args a_ = {sizeof(wn_matrix_power_args), self, n, o_.out};
    return wn_matrix_power_x(&a_);
}

/* linalg_matrix_exp(Tensor self) -> Tensor */
inline wn_tensor *linalg_matrix_exp(wn_tensor *self) {
    const wn_linalg_matrix_exp_args a_ = {sizeof(wn_linalg_matrix_exp_args), self};
    return wn_linalg_matrix_exp_x(&a_);
}

/* matrix_exp(Tensor self) -> Tensor */
inline wn_tensor *matrix_exp(wn_tensor *self) {
    const wn_matrix_exp_args a_ = {sizeof(wn_matrix_exp_args), self};
    return wn_matrix_exp_x(&a_);
}

/* linalg_multi_dot(Tensor[] tensors) -> Tensor */
struct linalg_multi_dot_opts {
    wn_tensor *out = {};
};
inline wn_tensor *linalg_multi_dot(const list &tensors, const linalg_multi_dot_opts &o_ = {}) {
    const wn_linalg_multi_dot_args a_ = {sizeof(wn_linalg_multi_dot_args), tensors, o_.out};
    return wn_linalg_multi_dot_x(&a_);
}

/* linalg_tensorinv(Tensor self, int ind=2) -> Tensor */
struct linalg_tensorinv_opts {
    wn::val ind = {};
    wn_tensor *out = {};
};
inline wn_tensor *linalg_tensorinv(wn_tensor *self, const linalg_tensorinv_opts &o_ = {}) {
    const wn_linalg_tensorinv_args a_ = {sizeof(wn_linalg_tensorinv_args), self, o_.ind, o_.out};
    return wn_linalg_tensorinv_x(&a_);
}

/* linalg_tensorsolve(Tensor self, Tensor other, int[]? dims=None) -> Tensor */
struct linalg_tensorsolve_opts {
    wn::dims dims = {};
    wn_tensor *out = {};
};
inline wn_tensor *linalg_tensorsolve(wn_tensor *self, wn_tensor *other, const linalg_tensorsolve_opts &o_ = {}) {
    const wn_linalg_tensorsolve_args a_ = {sizeof(wn_linalg_tensorsolve_args), self, other, o_.dims, o_.out};
    return wn_linalg_tensorsolve_x(&a_);
}

/* linalg_vander(Tensor x, *, int? N=None) -> Tensor */
struct linalg_vander_opts {
    wn::val N = {};
};
inline wn_tensor *linalg_vander(wn_tensor *x, const linalg_vander_opts &o_ = {}) {
    const wn_linalg_vander_args a_ = {sizeof(wn_linalg_vander_args), x, o_.N};
    return wn_linalg_vander_x(&a_);
}

/* linalg_ldl_factor_ex(Tensor self, *, bool hermitian=False, bool check_errors=False) -> (Tensor LD, Tensor pivots, Tensor info) */
struct linalg_ldl_factor_ex_opts {
    bool hermitian = {};
    bool check_errors = {};
};
inline wn_linalg_ldl_factor_ex_out linalg_ldl_factor_ex(wn_tensor *self, const linalg_ldl_factor_ex_opts &o_ = {}) {
    const wn_linalg_ldl_factor_ex_args a_ = {sizeof(wn_linalg_ldl_factor_ex_args), self, o_.hermitian, o_.check_errors};
    return wn_linalg_ldl_factor_ex_x(&a_);
}

/* linalg_ldl_factor(Tensor self, *, bool hermitian=False) -> (Tensor LD, Tensor pivots) */
struct linalg_ldl_factor_opts {
    bool hermitian = {};
};
inline wn_linalg_ldl_factor_out linalg_ldl_factor(wn_tensor *self, const linalg_ldl_factor_opts &o_ = {}) {
    const wn_linalg_ldl_factor_args a_ = {sizeof(wn_linalg_ldl_factor_args), self, o_.hermitian};
    return wn_linalg_ldl_factor_x(&a_);
}

/* linalg_ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False) -> Tensor */
struct linalg_ldl_solve_opts {
    bool hermitian = {};
    wn_tensor *out = {};
};
inline wn_tensor *linalg_ldl_solve(wn_tensor *LD, wn_tensor *pivots, wn_tensor *B, const linalg_ldl_solve_opts &o_ = {}) {
    const wn_linalg_ldl_solve_args a_ = {sizeof(wn_linalg_ldl_solve_args), LD, pivots, B, o_.hermitian, o_.out};
    return wn_linalg_ldl_solve_x(&a_);
}

/* conv1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, int[1] padding=0, int[1] dilation=1, int groups=1) -> Tensor */
struct conv1d_opts {
    wn_tensor *bias = {};
    wn::dims stride = {};
    wn::dims padding = {};
    wn::dims dilation = {};
    wn::val groups = {};
};
inline wn_tensor *conv1d(wn_tensor *input, wn_tensor *weight, const conv1d_opts &o_ = {}) {
    const wn_conv1d_args a_ = {sizeof(wn_conv1d_args), input, weight, o_.bias, o_.stride, o_.padding, o_.dilation, o_.groups};
    return wn_conv1d_x(&a_);
}

/* conv2d(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2] padding=0, int[2] dilation=1, int groups=1) -> Tensor */
struct conv2d_opts {
    wn_tensor *bias = {};
    wn::dims stride = {};
    wn::dims padding = {};
    wn::dims dilation = {};
    wn::val groups = {};
};
inline wn_tensor *conv2d(wn_tensor *input, wn_tensor *weight, const conv2d_opts &o_ = {}) {
    const wn_conv2d_args a_ = {sizeof(wn_conv2d_args), input, weight, o_.bias, o_.stride, o_.padding, o_.dilation, o_.groups};
    return wn_conv2d_x(&a_);
}

/* conv3d(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, int[3] padding=0, int[3] dilation=1, int groups=1) -> Tensor */
struct conv3d_opts {
    wn_tensor *bias = {};
    wn::dims stride = {};
    wn::dims padding = {};
    wn::dims dilation = {};
    wn::val groups = {};
};
inline wn_tensor *conv3d(wn_tensor *input, wn_tensor *weight, const conv3d_opts &o_ = {}) {
    const wn_conv3d_args a_ = {sizeof(wn_conv3d_args), input, weight, o_.bias, o_.stride, o_.padding, o_.dilation, o_.groups};
    return wn_conv3d_x(&a_);
}

/* conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, str padding="valid", int[1] dilation=1, int groups=1) -> Tensor */
struct conv1d_padding_opts {
    wn_tensor *bias = {};
    wn::dims stride = {};
    const char *padding = {};
    wn::dims dilation = {};
    wn::val groups = {};
};
inline wn_tensor *conv1d_padding(wn_tensor *input, wn_tensor *weight, const conv1d_padding_opts &o_ = {}) {
    const wn_conv1d_padding_args a_ = {sizeof(wn_conv1d_padding_args), input, weight, o_.bias, o_.stride, o_.padding, o_.dilation, o_.groups};
    return wn_conv1d_padding_x(&a_);
}

/* conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, str padding="valid", int[2] dilation=1, int groups=1) -> Tensor */
struct conv2d_padding_opts {
    wn_tensor *bias = {};
    wn::dims stride = {};
    const char *padding = {};
    wn::dims dilation = {};
    wn::val groups = {};
};
inline wn_tensor *conv2d_padding(wn_tensor *input, wn_tensor *weight, const conv2d_padding_opts &o_ = {}) {
    const wn_conv2d_padding_args a_ = {sizeof(wn_conv2d_padding_args), input, weight, o_.bias, o_.stride, o_.padding, o_.dilation, o_.groups};
    return wn_conv2d_padding_x(&a_);
}

/* conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, str padding="valid", int[3] dilation=1, int groups=1) -> Tensor */
struct conv3d_padding_opts {
    wn_tensor *bias = {};
    wn::dims stride = {};
    const char *padding = {};
    wn::dims dilation = {};
    wn::val groups = {};
};
inline wn_tensor *conv3d_padding(wn_tensor *input, wn_tensor *weight, const conv3d_padding_opts &o_ = {}) {
    const wn_conv3d_padding_args a_ = {sizeof(wn_conv3d_padding_args), input, weight, o_.bias, o_.stride, o_.padding, o_.dilation, o_.groups};
    return wn_conv3d_padding_x(&a_);
}

/* conv_input_grad(Tensor grad, Tensor weight, int[] input_size, int[] stride, int[] padding, int[] dilation, int groups=1) -> Tensor */
inline wn_tensor *conv_input_grad(wn_tensor *grad, wn_tensor *weight, const dims &input_size, const dims &stride, const dims &padding, const dims &dilation, const val &groups) {
    const wn_conv_input_grad_args a_ = {sizeof(wn_conv_input_grad_args), grad, weight, input_size, stride, padding, dilation, groups};
    return wn_conv_input_grad_x(&a_);
}

/* conv_weight_grad(Tensor grad, Tensor input, int[] weight_size, int[] stride, int[] padding, int[] dilation, int groups=1) -> Tensor */
inline wn_tensor *conv_weight_grad(wn_tensor *grad, wn_tensor *input, const dims &weight_size, const dims &stride, const dims &padding, const dims &dilation, const val &groups) {
    const wn_conv_weight_grad_args a_ = {sizeof(wn_conv_weight_grad_args), grad, input, weight_size, stride, padding, dilation, groups};
    return wn_conv_weight_grad_x(&a_);
}

/* conv_bias_grad(Tensor grad, int weight_dims) -> Tensor */
inline wn_tensor *conv_bias_grad(wn_tensor *grad, int64_t weight_dims) {
    const wn_conv_bias_grad_args a_ = {sizeof(wn_conv_bias_grad_args), grad, weight_dims};
    return wn_conv_bias_grad_x(&a_);
}

/* conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, int[1] padding=0, int[1] output_padding=0, int groups=1, int[1] dilation=1) -> Tensor */
struct conv_transpose1d_opts {
    wn_tensor *bias = {};
    wn::dims stride = {};
    wn::dims padding = {};
    wn::dims output_padding = {};
    wn::val groups = {};
    wn::dims dilation = {};
};
inline wn_tensor *conv_transpose1d(wn_tensor *input, wn_tensor *weight, const conv_transpose1d_opts &o_ = {}) {
    const wn_conv_transpose1d_args a_ = {sizeof(wn_conv_transpose1d_args), input, weight, o_.bias, o_.stride, o_.padding, o_.output_padding, o_.groups, o_.dilation};
    return wn_conv_transpose1d_x(&a_);
}

/* conv_transpose2d(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2] padding=0, int[2] output_padding=0, int groups=1, int[2] dilation=1) -> Tensor */
struct conv_transpose2d_opts {
    wn_tensor *bias = {};
    wn::dims stride = {};
    wn::dims padding = {};
    wn::dims output_padding = {};
    wn::val groups = {};
    wn::dims dilation = {};
};
inline wn_tensor *conv_transpose2d(wn_tensor *input, wn_tensor *weight, const conv_transpose2d_opts &o_ = {}) {
    const wn_conv_transpose2d_args a_ = {sizeof(wn_conv_transpose2d_args), input, weight, o_.bias, o_.stride, o_.padding, o_.output_padding, o_.groups, o_.dilation};
    return wn_conv_transpose2d_x(&a_);
}

/* conv_transpose3d(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, int[3] padding=0, int[3] output_padding=0, int groups=1, int[3] dilation=1) -> Tensor */
struct conv_transpose3d_opts {
    wn_tensor *bias = {};
    wn::dims stride = {};
    wn::dims padding = {};
    wn::dims output_padding = {};
    wn::val groups = {};
    wn::dims dilation = {};
};
inline wn_tensor *conv_transpose3d(wn_tensor *input, wn_tensor *weight, const conv_transpose3d_opts &o_ = {}) {
    const wn_conv_transpose3d_args a_ = {sizeof(wn_conv_transpose3d_args), input, weight, o_.bias, o_.stride, o_.padding, o_.output_padding, o_.groups, o_.dilation};
    return wn_conv_transpose3d_x(&a_);
}

/* max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor */
struct max_pool2d_opts {
    wn::dims stride = {};
    wn::dims padding = {};
    wn::dims dilation = {};
    bool ceil_mode = {};
};
inline wn_tensor *max_pool2d(wn_tensor *self, const dims &kernel_size, const max_pool2d_opts &o_ = {}) {
    const wn_max_pool2d_args a_ = {sizeof(wn_max_pool2d_args), self, kernel_size, o_.stride, o_.padding, o_.dilation, o_.ceil_mode};
    return wn_max_pool2d_x(&a_);
}

/* max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor result, Tensor indices) */
struct max_pool2d_with_indices_opts {
    wn::dims stride = {};
    wn::dims padding = {};
    wn::dims dilation = {};
    bool ceil_mode = {};
};
inline wn_max_pool2d_with_indices_out max_pool2d_with_indices(wn_tensor *self, const dims &kernel_size, const max_pool2d_with_indices_opts &o_ = {}) {
    const wn_max_pool2d_with_indices_args a_ = {sizeof(wn_max_pool2d_with_indices_args), self, kernel_size, o_.stride, o_.padding, o_.dilation, o_.ceil_mode};
    return wn_max_pool2d_with_indices_x(&a_);
}

/* max_pool2d_places(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor result, Tensor places) */
struct max_pool2d_places_opts {
    wn::dims stride = {};
    wn::dims padding = {};
    wn::dims dilation = {};
    bool ceil_mode = {};
};
inline wn_max_pool2d_places_out max_pool2d_places(wn_tensor *self, const dims &kernel_size, const max_pool2d_places_opts &o_ = {}) {
    const wn_max_pool2d_places_args a_ = {sizeof(wn_max_pool2d_places_args), self, kernel_size, o_.stride, o_.padding, o_.dilation, o_.ceil_mode};
    return wn_max_pool2d_places_x(&a_);
}

/* max_pool2d_backward(Tensor grad, Tensor places, int[] self_size, int[2] kernel_size, int[2] stride, int[2] padding, int[2] dilation) -> Tensor */
inline wn_tensor *max_pool2d_backward(wn_tensor *grad, wn_tensor *places, const dims &self_size, const dims &kernel_size, const dims &stride, const dims &padding, const dims &dilation) {
    const wn_max_pool2d_backward_args a_ = {sizeof(wn_max_pool2d_backward_args), grad, places, self_size, kernel_size, stride, padding, dilation};
    return wn_max_pool2d_backward_x(&a_);
}

/* max_pool2d_take(Tensor self, Tensor places, int[2] kernel_size, int[2] stride, int[2] padding, int[2] dilation) -> Tensor */
inline wn_tensor *max_pool2d_take(wn_tensor *self, wn_tensor *places, const dims &kernel_size, const dims &stride, const dims &padding, const dims &dilation) {
    const wn_max_pool2d_take_args a_ = {sizeof(wn_max_pool2d_take_args), self, places, kernel_size, stride, padding, dilation};
    return wn_max_pool2d_take_x(&a_);
}

/* avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor */
struct avg_pool2d_opts {
    wn::dims stride = {};
    wn::dims padding = {};
    bool ceil_mode = {};
    bool count_include_pad = true;
    wn::val divisor_override = {};
    wn_tensor *out = {};
};
inline wn_tensor *avg_pool2d(wn_tensor *self, const dims &kernel_size, const avg_pool2d_opts &o_ = {}) {
    const wn_avg_pool2d_args a_ = {sizeof(wn_avg_pool2d_args), self, kernel_size, o_.stride, o_.padding, o_.ceil_mode, o_.count_include_pad ? WN_ON : WN_OFF, o_.divisor_override, o_.out};
    return wn_avg_pool2d_x(&a_);
}

/* avg_pool2d_backward(Tensor grad, int[] self_size, int[2] kernel_size, int[2] stride, int[2] padding, bool ceil_mode, bool count_include_pad=True, int? divisor_override=None) -> Tensor */
struct avg_pool2d_backward_opts {
    bool count_include_pad = true;
    wn::val divisor_override = {};
};
inline wn_tensor *avg_pool2d_backward(wn_tensor *grad, const dims &self_size, const dims &kernel_size, const dims &stride, const dims &padding, bool ceil_mode, const avg_pool2d_backward_opts &o_ = {}) {
    const wn_avg_pool2d_backward_args a_ = {sizeof(wn_avg_pool2d_backward_args), grad, self_size, kernel_size, stride, padding, ceil_mode, o_.count_include_pad ? WN_ON : WN_OFF, o_.divisor_override};
    return wn_avg_pool2d_backward_x(&a_);
}

/* adaptive_avg_pool2d(Tensor self, int[2] output_size) -> Tensor */
inline wn_tensor *adaptive_avg_pool2d(wn_tensor *self, const dims &output_size) {
    const wn_adaptive_avg_pool2d_args a_ = {sizeof(wn_adaptive_avg_pool2d_args), self, output_size};
    return wn_adaptive_avg_pool2d_x(&a_);
}

/* adaptive_avg_pool2d.windows(Tensor self, int[2] output_size) -> Tensor */
inline wn_tensor *adaptive_avg_pool2d_windows(wn_tensor *self, const dims &output_size) {
    const wn_adaptive_avg_pool2d_windows_args a_ = {sizeof(wn_adaptive_avg_pool2d_windows_args), self, output_size};
    return wn_adaptive_avg_pool2d_windows_x(&a_);
}

/* adaptive_avg_pool2d_backward(Tensor grad, int[] self_size) -> Tensor */
inline wn_tensor *adaptive_avg_pool2d_backward(wn_tensor *grad, const dims &self_size) {
    const wn_adaptive_avg_pool2d_backward_args a_ = {sizeof(wn_adaptive_avg_pool2d_backward_args), grad, self_size};
    return wn_adaptive_avg_pool2d_backward_x(&a_);
}

/* avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, bool ceil_mode=False, bool count_include_pad=True) -> Tensor */
struct avg_pool1d_opts {
    wn::dims stride = {};
    wn::dims padding = {};
    bool ceil_mode = {};
    bool count_include_pad = true;
};
inline wn_tensor *avg_pool1d(wn_tensor *self, const dims &kernel_size, const avg_pool1d_opts &o_ = {}) {
    const wn_avg_pool1d_args a_ = {sizeof(wn_avg_pool1d_args), self, kernel_size, o_.stride, o_.padding, o_.ceil_mode, o_.count_include_pad ? WN_ON : WN_OFF};
    return wn_avg_pool1d_x(&a_);
}

/* avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor */
struct avg_pool3d_opts {
    wn::dims stride = {};
    wn::dims padding = {};
    bool ceil_mode = {};
    bool count_include_pad = true;
    wn::val divisor_override = {};
    wn_tensor *out = {};
};
inline wn_tensor *avg_pool3d(wn_tensor *self, const dims &kernel_size, const avg_pool3d_opts &o_ = {}) {
    const wn_avg_pool3d_args a_ = {sizeof(wn_avg_pool3d_args), self, kernel_size, o_.stride, o_.padding, o_.ceil_mode, o_.count_include_pad ? WN_ON : WN_OFF, o_.divisor_override, o_.out};
    return wn_avg_pool3d_x(&a_);
}

/* avg_pool_backward(Tensor grad, int[] self_size, int[] kernel_size, int[] stride, int[] padding, bool ceil_mode, bool count_include_pad=True, int? divisor_override=None) -> Tensor */
struct avg_pool_backward_opts {
    bool count_include_pad = true;
    wn::val divisor_override = {};
};
inline wn_tensor *avg_pool_backward(wn_tensor *grad, const dims &self_size, const dims &kernel_size, const dims &stride, const dims &padding, bool ceil_mode, const avg_pool_backward_opts &o_ = {}) {
    const wn_avg_pool_backward_args a_ = {sizeof(wn_avg_pool_backward_args), grad, self_size, kernel_size, stride, padding, ceil_mode, o_.count_include_pad ? WN_ON : WN_OFF, o_.divisor_override};
    return wn_avg_pool_backward_x(&a_);
}

/* adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor */
inline wn_tensor *adaptive_avg_pool1d(wn_tensor *self, const dims &output_size) {
    const wn_adaptive_avg_pool1d_args a_ = {sizeof(wn_adaptive_avg_pool1d_args), self, output_size};
    return wn_adaptive_avg_pool1d_x(&a_);
}

/* adaptive_avg_pool3d(Tensor self, int[3] output_size) -> Tensor */
inline wn_tensor *adaptive_avg_pool3d(wn_tensor *self, const dims &output_size) {
    const wn_adaptive_avg_pool3d_args a_ = {sizeof(wn_adaptive_avg_pool3d_args), self, output_size};
    return wn_adaptive_avg_pool3d_x(&a_);
}

/* adaptive_avg_pool_backward(Tensor grad, int[] self_size, int dims) -> Tensor */
inline wn_tensor *adaptive_avg_pool_backward(wn_tensor *grad, const dims &self_size, int64_t dims) {
    const wn_adaptive_avg_pool_backward_args a_ = {sizeof(wn_adaptive_avg_pool_backward_args), grad, self_size, dims};
    return wn_adaptive_avg_pool_backward_x(&a_);
}

/* max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, int[1] dilation=1, bool ceil_mode=False) -> Tensor */
struct max_pool1d_opts {
    wn::dims stride = {};
    wn::dims padding = {};
    wn::dims dilation = {};
    bool ceil_mode = {};
};
inline wn_tensor *max_pool1d(wn_tensor *self, const dims &kernel_size, const max_pool1d_opts &o_ = {}) {
    const wn_max_pool1d_args a_ = {sizeof(wn_max_pool1d_args), self, kernel_size, o_.stride, o_.padding, o_.dilation, o_.ceil_mode};
    return wn_max_pool1d_x(&a_);
}

/* max_pool1d_with_indices(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, int[1] dilation=1, bool ceil_mode=False) -> (Tensor result, Tensor indices) */
struct max_pool1d_with_indices_opts {
    wn::dims stride = {};
    wn::dims padding = {};
    wn::dims dilation = {};
    bool ceil_mode = {};
};
inline wn_max_pool1d_with_indices_out max_pool1d_with_indices(wn_tensor *self, const dims &kernel_size, const max_pool1d_with_indices_opts &o_ = {}) {
    const wn_max_pool1d_with_indices_args a_ = {sizeof(wn_max_pool1d_with_indices_args), self, kernel_size, o_.stride, o_.padding, o_.dilation, o_.ceil_mode};
    return wn_max_pool1d_with_indices_x(&a_);
}

/* max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> Tensor */
struct max_pool3d_opts {
    wn::dims stride = {};
    wn::dims padding = {};
    wn::dims dilation = {};
    bool ceil_mode = {};
};
inline wn_tensor *max_pool3d(wn_tensor *self, const dims &kernel_size, const max_pool3d_opts &o_ = {}) {
    const wn_max_pool3d_args a_ = {sizeof(wn_max_pool3d_args), self, kernel_size, o_.stride, o_.padding, o_.dilation, o_.ceil_mode};
    return wn_max_pool3d_x(&a_);
}

/* max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> (Tensor result, Tensor indices) */
struct max_pool3d_with_indices_opts {
    wn::dims stride = {};
    wn::dims padding = {};
    wn::dims dilation = {};
    bool ceil_mode = {};
};
inline wn_max_pool3d_with_indices_out max_pool3d_with_indices(wn_tensor *self, const dims &kernel_size, const max_pool3d_with_indices_opts &o_ = {}) {
    const wn_max_pool3d_with_indices_args a_ = {sizeof(wn_max_pool3d_with_indices_args), self, kernel_size, o_.stride, o_.padding, o_.dilation, o_.ceil_mode};
    return wn_max_pool3d_with_indices_x(&a_);
}

/* adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor result, Tensor indices) */
inline wn_adaptive_max_pool1d_out adaptive_max_pool1d(wn_tensor *self, const dims &output_size) {
    const wn_adaptive_max_pool1d_args a_ = {sizeof(wn_adaptive_max_pool1d_args), self, output_size};
    return wn_adaptive_max_pool1d_x(&a_);
}

/* adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor result, Tensor indices) */
inline wn_adaptive_max_pool2d_out adaptive_max_pool2d(wn_tensor *self, const dims &output_size) {
    const wn_adaptive_max_pool2d_args a_ = {sizeof(wn_adaptive_max_pool2d_args), self, output_size};
    return wn_adaptive_max_pool2d_x(&a_);
}

/* adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor result, Tensor indices) */
inline wn_adaptive_max_pool3d_out adaptive_max_pool3d(wn_tensor *self, const dims &output_size) {
    const wn_adaptive_max_pool3d_args a_ = {sizeof(wn_adaptive_max_pool3d_args), self, output_size};
    return wn_adaptive_max_pool3d_x(&a_);
}

/* fractional_max_pool2d(Tensor self, int[2] kernel_size, int[2] output_size, Tensor _random_samples) -> (Tensor result, Tensor indices) */
inline wn_fractional_max_pool2d_out fractional_max_pool2d(wn_tensor *self, const dims &kernel_size, const dims &output_size, wn_tensor *_random_samples) {
    const wn_fractional_max_pool2d_args a_ = {sizeof(wn_fractional_max_pool2d_args), self, kernel_size, output_size, _random_samples};
    return wn_fractional_max_pool2d_x(&a_);
}

/* fractional_max_pool3d(Tensor self, int[3] kernel_size, int[3] output_size, Tensor _random_samples) -> (Tensor result, Tensor indices) */
inline wn_fractional_max_pool3d_out fractional_max_pool3d(wn_tensor *self, const dims &kernel_size, const dims &output_size, wn_tensor *_random_samples) {
    const wn_fractional_max_pool3d_args a_ = {sizeof(wn_fractional_max_pool3d_args), self, kernel_size, output_size, _random_samples};
    return wn_fractional_max_pool3d_x(&a_);
}

/* plane_put(Tensor self, Tensor indices, int[] size) -> Tensor */
inline wn_tensor *plane_put(wn_tensor *self, wn_tensor *indices, const dims &size) {
    const wn_plane_put_args a_ = {sizeof(wn_plane_put_args), self, indices, size};
    return wn_plane_put_x(&a_);
}

/* plane_take(Tensor self, Tensor indices, int[] size) -> Tensor */
inline wn_tensor *plane_take(wn_tensor *self, wn_tensor *indices, const dims &size) {
    const wn_plane_take_args a_ = {sizeof(wn_plane_take_args), self, indices, size};
    return wn_plane_take_x(&a_);
}

/* max_unpool1d(Tensor self, Tensor indices, int[1] output_size) -> Tensor */
inline wn_tensor *max_unpool1d(wn_tensor *self, wn_tensor *indices, const dims &output_size) {
    const wn_max_unpool1d_args a_ = {sizeof(wn_max_unpool1d_args), self, indices, output_size};
    return wn_max_unpool1d_x(&a_);
}

/* max_unpool2d(Tensor self, Tensor indices, int[2] output_size) -> Tensor */
inline wn_tensor *max_unpool2d(wn_tensor *self, wn_tensor *indices, const dims &output_size) {
    const wn_max_unpool2d_args a_ = {sizeof(wn_max_unpool2d_args), self, indices, output_size};
    return wn_max_unpool2d_x(&a_);
}

/* max_unpool3d(Tensor self, Tensor indices, int[3] output_size) -> Tensor */
inline wn_tensor *max_unpool3d(wn_tensor *self, wn_tensor *indices, const dims &output_size) {
    const wn_max_unpool3d_args a_ = {sizeof(wn_max_unpool3d_args), self, indices, output_size};
    return wn_max_unpool3d_x(&a_);
}

/* lp_pool1d(Tensor self, float norm_type, int[1] kernel_size, int[1] stride=[], bool ceil_mode=False) -> Tensor */
struct lp_pool1d_opts {
    wn::dims stride = {};
    bool ceil_mode = {};
};
inline wn_tensor *lp_pool1d(wn_tensor *self, double norm_type, const dims &kernel_size, const lp_pool1d_opts &o_ = {}) {
    const wn_lp_pool1d_args a_ = {sizeof(wn_lp_pool1d_args), self, norm_type, kernel_size, o_.stride, o_.ceil_mode};
    return wn_lp_pool1d_x(&a_);
}

/* lp_pool2d(Tensor self, float norm_type, int[2] kernel_size, int[2] stride=[], bool ceil_mode=False) -> Tensor */
struct lp_pool2d_opts {
    wn::dims stride = {};
    bool ceil_mode = {};
};
inline wn_tensor *lp_pool2d(wn_tensor *self, double norm_type, const dims &kernel_size, const lp_pool2d_opts &o_ = {}) {
    const wn_lp_pool2d_args a_ = {sizeof(wn_lp_pool2d_args), self, norm_type, kernel_size, o_.stride, o_.ceil_mode};
    return wn_lp_pool2d_x(&a_);
}

/* lp_pool3d(Tensor self, float norm_type, int[3] kernel_size, int[3] stride=[], bool ceil_mode=False) -> Tensor */
struct lp_pool3d_opts {
    wn::dims stride = {};
    bool ceil_mode = {};
};
inline wn_tensor *lp_pool3d(wn_tensor *self, double norm_type, const dims &kernel_size, const lp_pool3d_opts &o_ = {}) {
    const wn_lp_pool3d_args a_ = {sizeof(wn_lp_pool3d_args), self, norm_type, kernel_size, o_.stride, o_.ceil_mode};
    return wn_lp_pool3d_x(&a_);
}

/* pad(Tensor self, int[] pad, str mode="constant", Scalar? value=None) -> Tensor */
struct pad_opts {
    const char *mode = {};
    wn::val value = {};
};
inline wn_tensor *pad(wn_tensor *self, const dims &pad, const pad_opts &o_ = {}) {
    const wn_pad_args a_ = {sizeof(wn_pad_args), self, pad, o_.mode, o_.value};
    return wn_pad_x(&a_);
}

/* pad_backward(Tensor grad, int[] self_size, int[] pad, str mode) -> Tensor */
inline wn_tensor *pad_backward(wn_tensor *grad, const dims &self_size, const dims &pad, const char *mode) {
    const wn_pad_backward_args a_ = {sizeof(wn_pad_backward_args), grad, self_size, pad, mode};
    return wn_pad_backward_x(&a_);
}

/* pixel_shuffle(Tensor self, int upscale_factor) -> Tensor */
inline wn_tensor *pixel_shuffle(wn_tensor *self, int64_t upscale_factor) {
    const wn_pixel_shuffle_args a_ = {sizeof(wn_pixel_shuffle_args), self, upscale_factor};
    return wn_pixel_shuffle_x(&a_);
}

/* pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor */
inline wn_tensor *pixel_unshuffle(wn_tensor *self, int64_t downscale_factor) {
    const wn_pixel_unshuffle_args a_ = {sizeof(wn_pixel_unshuffle_args), self, downscale_factor};
    return wn_pixel_unshuffle_x(&a_);
}

/* channel_shuffle(Tensor self, int groups) -> Tensor */
inline wn_tensor *channel_shuffle(wn_tensor *self, int64_t groups) {
    const wn_channel_shuffle_args a_ = {sizeof(wn_channel_shuffle_args), self, groups};
    return wn_channel_shuffle_x(&a_);
}

/* native_channel_shuffle(Tensor self, int groups) -> Tensor */
inline wn_tensor *native_channel_shuffle(wn_tensor *self, int64_t groups) {
    const wn_native_channel_shuffle_args a_ = {sizeof(wn_native_channel_shuffle_args), self, groups};
    return wn_native_channel_shuffle_x(&a_);
}

/* im2col(Tensor self, int[2] kernel_size, int[2] dilation=1, int[2] padding=0, int[2] stride=1) -> Tensor */
struct im2col_opts {
    wn::dims dilation = {};
    wn::dims padding = {};
    wn::dims stride = {};
    wn_tensor *out = {};
};
inline wn_tensor *im2col(wn_tensor *self, const dims &kernel_size, const im2col_opts &o_ = {}) {
    const wn_im2col_args a_ = {sizeof(wn_im2col_args), self, kernel_size, o_.dilation, o_.padding, o_.stride, o_.out};
    return wn_im2col_x(&a_);
}

/* col2im(Tensor self, int[2] output_size, int[2] kernel_size, int[2] dilation=1, int[2] padding=0, int[2] stride=1) -> Tensor */
struct col2im_opts {
    wn::dims dilation = {};
    wn::dims padding = {};
    wn::dims stride = {};
    wn_tensor *out = {};
};
inline wn_tensor *col2im(wn_tensor *self, const dims &output_size, const dims &kernel_size, const col2im_opts &o_ = {}) {
    const wn_col2im_args a_ = {sizeof(wn_col2im_args), self, output_size, kernel_size, o_.dilation, o_.padding, o_.stride, o_.out};
    return wn_col2im_x(&a_);
}

/* constant_pad_nd(Tensor self, int[] pad, Scalar value=0) -> Tensor */
struct constant_pad_nd_opts {
    wn::val value = {};
};
inline wn_tensor *constant_pad_nd(wn_tensor *self, const dims &pad, const constant_pad_nd_opts &o_ = {}) {
    const wn_constant_pad_nd_args a_ = {sizeof(wn_constant_pad_nd_args), self, pad, o_.value};
    return wn_constant_pad_nd_x(&a_);
}

/* instance_norm(Tensor input, Tensor? weight=None, Tensor? bias=None, Tensor(a!)? running_mean=None, Tensor(b!)? running_var=None, bool use_input_stats=True, float momentum=0.1, float eps=1e-05, bool cudnn_enabled=True) -> Tensor */
struct instance_norm_opts {
    wn_tensor *weight = {};
    wn_tensor *bias = {};
    wn_tensor *running_mean = {};
    wn_tensor *running_var = {};
    bool use_input_stats = true;
    wn::val momentum = {};
    wn::val eps = {};
    bool cudnn_enabled = true;
};
inline wn_tensor *instance_norm(wn_tensor *input, const instance_norm_opts &o_ = {}) {
    const wn_instance_norm_args a_ = {sizeof(wn_instance_norm_args), input, o_.weight, o_.bias, o_.running_mean, o_.running_var, o_.use_input_stats ? WN_ON : WN_OFF, o_.momentum, o_.eps, o_.cudnn_enabled ? WN_ON : WN_OFF};
    return wn_instance_norm_x(&a_);
}

/* local_response_norm(Tensor input, int size, float alpha=0.0001, float beta=0.75, float k=1.0) -> Tensor */
struct local_response_norm_opts {
    wn::val alpha = {};
    wn::val beta = {};
    wn::val k = {};
};
inline wn_tensor *local_response_norm(wn_tensor *input, int64_t size, const local_response_norm_opts &o_ = {}) {
    const wn_local_response_norm_args a_ = {sizeof(wn_local_response_norm_args), input, size, o_.alpha, o_.beta, o_.k};
    return wn_local_response_norm_x(&a_);
}

/* feature_dropout(Tensor input, float p, bool train) -> Tensor */
struct feature_dropout_opts {
    wn_tensor *out = {};
};
inline wn_tensor *feature_dropout(wn_tensor *input, double p, bool train, const feature_dropout_opts &o_ = {}) {
    const wn_feature_dropout_args a_ = {sizeof(wn_feature_dropout_args), input, p, train, o_.out};
    return wn_feature_dropout_x(&a_);
}
inline wn_tensor *feature_dropout_(wn_tensor *input, double p, bool train, const feature_dropout_opts &o_ = {}) {
    const wn_feature_dropout_args a_ = {sizeof(wn_feature_dropout_args), input, p, train, o_.out};
    return wn_feature_dropout_inplace_x(&a_);
}

/* alpha_dropout(Tensor input, float p, bool train) -> Tensor */
struct alpha_dropout_opts {
    wn_tensor *out = {};
};
inline wn_tensor *alpha_dropout(wn_tensor *input, double p, bool train, const alpha_dropout_opts &o_ = {}) {
    const wn_alpha_dropout_args a_ = {sizeof(wn_alpha_dropout_args), input, p, train, o_.out};
    return wn_alpha_dropout_x(&a_);
}
inline wn_tensor *alpha_dropout_(wn_tensor *input, double p, bool train, const alpha_dropout_opts &o_ = {}) {
    const wn_alpha_dropout_args a_ = {sizeof(wn_alpha_dropout_args), input, p, train, o_.out};
    return wn_alpha_dropout_inplace_x(&a_);
}

/* feature_alpha_dropout(Tensor input, float p, bool train) -> Tensor */
struct feature_alpha_dropout_opts {
    wn_tensor *out = {};
};
inline wn_tensor *feature_alpha_dropout(wn_tensor *input, double p, bool train, const feature_alpha_dropout_opts &o_ = {}) {
    const wn_feature_alpha_dropout_args a_ = {sizeof(wn_feature_alpha_dropout_args), input, p, train, o_.out};
    return wn_feature_alpha_dropout_x(&a_);
}
inline wn_tensor *feature_alpha_dropout_(wn_tensor *input, double p, bool train, const feature_alpha_dropout_opts &o_ = {}) {
    const wn_feature_alpha_dropout_args a_ = {sizeof(wn_feature_alpha_dropout_args), input, p, train, o_.out};
    return wn_feature_alpha_dropout_inplace_x(&a_);
}

/* bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor */
struct bilinear_opts {
    wn_tensor *bias = {};
};
inline wn_tensor *bilinear(wn_tensor *input1, wn_tensor *input2, wn_tensor *weight, const bilinear_opts &o_ = {}) {
    const wn_bilinear_args a_ = {sizeof(wn_bilinear_args), input1, input2, weight, o_.bias};
    return wn_bilinear_x(&a_);
}

/* conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor */
struct conv_tbc_opts {
    int64_t pad = {};
};
inline wn_tensor *conv_tbc(wn_tensor *self, wn_tensor *weight, wn_tensor *bias, const conv_tbc_opts &o_ = {}) {
    const wn_conv_tbc_args a_ = {sizeof(wn_conv_tbc_args), self, weight, bias, o_.pad};
    return wn_conv_tbc_x(&a_);
}

/* interpolate(Tensor input, int[] size=[], float? scale_factor=None, str mode="nearest", bool align_corners=False, bool recompute_scale_factor=False, bool antialias=False) -> Tensor */
struct interpolate_opts {
    wn::dims size = {};
    wn::val scale_factor = {};
    const char *mode = {};
    bool align_corners = {};
    bool recompute_scale_factor = {};
    bool antialias = {};
};
inline wn_tensor *interpolate(wn_tensor *input, const interpolate_opts &o_ = {}) {
    const wn_interpolate_args a_ = {sizeof(wn_interpolate_args), input, o_.size, o_.scale_factor, o_.mode, o_.align_corners, o_.recompute_scale_factor, o_.antialias};
    return wn_interpolate_x(&a_);
}

/* resample(Tensor self, int[] size, str mode, bool align_corners=False, bool antialias=False, float? scale_d=None, float? scale_h=None, float? scale_w=None) -> Tensor */
struct resample_opts {
    bool align_corners = {};
    bool antialias = {};
    wn::val scale_d = {};
    wn::val scale_h = {};
    wn::val scale_w = {};
};
inline wn_tensor *resample(wn_tensor *self, const dims &size, const char *mode, const resample_opts &o_ = {}) {
    const wn_resample_args a_ = {sizeof(wn_resample_args), self, size, mode, o_.align_corners, o_.antialias, o_.scale_d, o_.scale_h, o_.scale_w};
    return wn_resample_x(&a_);
}

/* resample_backward(Tensor grad, int[] self_size, str mode, bool align_corners=False, bool antialias=False, float? scale_d=None, float? scale_h=None, float? scale_w=None) -> Tensor */
struct resample_backward_opts {
    bool align_corners = {};
    bool antialias = {};
    wn::val scale_d = {};
    wn::val scale_h = {};
    wn::val scale_w = {};
};
inline wn_tensor *resample_backward(wn_tensor *grad, const dims &self_size, const char *mode, const resample_backward_opts &o_ = {}) {
    const wn_resample_backward_args a_ = {sizeof(wn_resample_backward_args), grad, self_size, mode, o_.align_corners, o_.antialias, o_.scale_d, o_.scale_h, o_.scale_w};
    return wn_resample_backward_x(&a_);
}

/* grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor */
inline wn_tensor *grid_sampler(wn_tensor *input, wn_tensor *grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners) {
    const wn_grid_sampler_args a_ = {sizeof(wn_grid_sampler_args), input, grid, interpolation_mode, padding_mode, align_corners};
    return wn_grid_sampler_x(&a_);
}

/* grid_sampler_2d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor */
inline wn_tensor *grid_sampler_2d(wn_tensor *input, wn_tensor *grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners) {
    const wn_grid_sampler_2d_args a_ = {sizeof(wn_grid_sampler_2d_args), input, grid, interpolation_mode, padding_mode, align_corners};
    return wn_grid_sampler_2d_x(&a_);
}

/* grid_sampler_3d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor */
inline wn_tensor *grid_sampler_3d(wn_tensor *input, wn_tensor *grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners) {
    const wn_grid_sampler_3d_args a_ = {sizeof(wn_grid_sampler_3d_args), input, grid, interpolation_mode, padding_mode, align_corners};
    return wn_grid_sampler_3d_x(&a_);
}

/* grid_sampler_input_grad(Tensor grad, Tensor grid, int[] input_size, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor */
inline wn_tensor *grid_sampler_input_grad(wn_tensor *grad, wn_tensor *grid, const dims &input_size, int64_t interpolation_mode, int64_t padding_mode, bool align_corners) {
    const wn_grid_sampler_input_grad_args a_ = {sizeof(wn_grid_sampler_input_grad_args), grad, grid, input_size, interpolation_mode, padding_mode, align_corners};
    return wn_grid_sampler_input_grad_x(&a_);
}

/* grid_sampler_grid_grad(Tensor grad, Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor */
inline wn_tensor *grid_sampler_grid_grad(wn_tensor *grad, wn_tensor *input, wn_tensor *grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners) {
    const wn_grid_sampler_grid_grad_args a_ = {sizeof(wn_grid_sampler_grid_grad_args), grad, input, grid, interpolation_mode, padding_mode, align_corners};
    return wn_grid_sampler_grid_grad_x(&a_);
}

/* grid_sampler_along(Tensor input, Tensor grid, Tensor along, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor */
inline wn_tensor *grid_sampler_along(wn_tensor *input, wn_tensor *grid, wn_tensor *along, int64_t interpolation_mode, int64_t padding_mode, bool align_corners) {
    const wn_grid_sampler_along_args a_ = {sizeof(wn_grid_sampler_along_args), input, grid, along, interpolation_mode, padding_mode, align_corners};
    return wn_grid_sampler_along_x(&a_);
}

/* grid_sampler_input_grad_along(Tensor grad, Tensor grid, Tensor along, int[] input_size, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor */
inline wn_tensor *grid_sampler_input_grad_along(wn_tensor *grad, wn_tensor *grid, wn_tensor *along, const dims &input_size, int64_t interpolation_mode, int64_t padding_mode, bool align_corners) {
    const wn_grid_sampler_input_grad_along_args a_ = {sizeof(wn_grid_sampler_input_grad_along_args), grad, grid, along, input_size, interpolation_mode, padding_mode, align_corners};
    return wn_grid_sampler_input_grad_along_x(&a_);
}

/* grid_sampler_grid_grad_along(Tensor grad, Tensor input, Tensor grid, Tensor along, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor */
inline wn_tensor *grid_sampler_grid_grad_along(wn_tensor *grad, wn_tensor *input, wn_tensor *grid, wn_tensor *along, int64_t interpolation_mode, int64_t padding_mode, bool align_corners) {
    const wn_grid_sampler_grid_grad_along_args a_ = {sizeof(wn_grid_sampler_grid_grad_along_args), grad, input, grid, along, interpolation_mode, padding_mode, align_corners};
    return wn_grid_sampler_grid_grad_along_x(&a_);
}

/* affine_grid_generator(Tensor theta, int[] size, bool align_corners) -> Tensor */
inline wn_tensor *affine_grid_generator(wn_tensor *theta, const dims &size, bool align_corners) {
    const wn_affine_grid_generator_args a_ = {sizeof(wn_affine_grid_generator_args), theta, size, align_corners};
    return wn_affine_grid_generator_x(&a_);
}

/* affine_grid_generator_backward(Tensor grad, int[] size, bool align_corners) -> Tensor */
inline wn_tensor *affine_grid_generator_backward(wn_tensor *grad, const dims &size, bool align_corners) {
    const wn_affine_grid_generator_backward_args a_ = {sizeof(wn_affine_grid_generator_backward_args), grad, size, align_corners};
    return wn_affine_grid_generator_backward_x(&a_);
}

/* embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int? padding_idx=None) -> (Tensor output, Tensor offset2bag, Tensor bag_size, Tensor max_indices) */
struct embedding_bag_opts {
    bool scale_grad_by_freq = {};
    int64_t mode = {};
    bool sparse = {};
    wn_tensor *per_sample_weights = {};
    bool include_last_offset = {};
    wn::val padding_idx = {};
};
inline wn_embedding_bag_out embedding_bag(wn_tensor *weight, wn_tensor *indices, wn_tensor *offsets, const embedding_bag_opts &o_ = {}) {
    const wn_embedding_bag_args a_ = {sizeof(wn_embedding_bag_args), weight, indices, offsets, o_.scale_grad_by_freq, o_.mode, o_.sparse, o_.per_sample_weights, o_.include_last_offset, o_.padding_idx};
    return wn_embedding_bag_x(&a_);
}

/* embedding_bag_weight_grad(Tensor grad, Tensor indices, Tensor offset2bag, Tensor bag_size, Tensor max_indices, int num_weights, bool scale_grad_by_freq, int mode, Tensor? per_sample_weights=None, int? padding_idx=None) -> Tensor */
struct embedding_bag_weight_grad_opts {
    wn_tensor *per_sample_weights = {};
    wn::val padding_idx = {};
};
inline wn_tensor *embedding_bag_weight_grad(wn_tensor *grad, wn_tensor *indices, wn_tensor *offset2bag, wn_tensor *bag_size, wn_tensor *max_indices, int64_t num_weights, bool scale_grad_by_freq, int64_t mode, const embedding_bag_weight_grad_opts &o_ = {}) {
    const wn_embedding_bag_weight_grad_args a_ = {sizeof(wn_embedding_bag_weight_grad_args), grad, indices, offset2bag, bag_size, max_indices, num_weights, scale_grad_by_freq, mode, o_.per_sample_weights, o_.padding_idx};
    return wn_embedding_bag_weight_grad_x(&a_);
}

/* embedding_bag_samples_grad(Tensor grad, Tensor weight, Tensor indices, Tensor offset2bag, int? padding_idx=None) -> Tensor */
struct embedding_bag_samples_grad_opts {
    wn::val padding_idx = {};
};
inline wn_tensor *embedding_bag_samples_grad(wn_tensor *grad, wn_tensor *weight, wn_tensor *indices, wn_tensor *offset2bag, const embedding_bag_samples_grad_opts &o_ = {}) {
    const wn_embedding_bag_samples_grad_args a_ = {sizeof(wn_embedding_bag_samples_grad_args), grad, weight, indices, offset2bag, o_.padding_idx};
    return wn_embedding_bag_samples_grad_x(&a_);
}

/* cross_entropy(Tensor input, Tensor target, Tensor? weight=None, int ignore_index=-100, str reduction="mean", float label_smoothing=0.0) -> Tensor */
struct cross_entropy_opts {
    wn_tensor *weight = {};
    wn::val ignore_index = {};
    const char *reduction = {};
    double label_smoothing = {};
};
inline wn_tensor *cross_entropy(wn_tensor *input, wn_tensor *target, const cross_entropy_opts &o_ = {}) {
    const wn_cross_entropy_args a_ = {sizeof(wn_cross_entropy_args), input, target, o_.weight, o_.ignore_index, o_.reduction, o_.label_smoothing};
    return wn_cross_entropy_x(&a_);
}

/* cross_entropy_forward(Tensor input, Tensor target, Tensor? weight, int reduction, int ignore_index, float label_smoothing) -> (Tensor result, Tensor lse, Tensor total) */
inline wn_cross_entropy_forward_out cross_entropy_forward(wn_tensor *input, wn_tensor *target, wn_tensor *weight, int64_t reduction, int64_t ignore_index, double label_smoothing) {
    const wn_cross_entropy_forward_args a_ = {sizeof(wn_cross_entropy_forward_args), input, target, weight, reduction, ignore_index, label_smoothing};
    return wn_cross_entropy_forward_x(&a_);
}

/* cross_entropy_backward(Tensor grad, Tensor input, Tensor target, Tensor? weight, Tensor lse, Tensor total, int reduction, int ignore_index, float label_smoothing) -> Tensor */
inline wn_tensor *cross_entropy_backward(wn_tensor *grad, wn_tensor *input, wn_tensor *target, wn_tensor *weight, wn_tensor *lse, wn_tensor *total, int64_t reduction, int64_t ignore_index, double label_smoothing) {
    const wn_cross_entropy_backward_args a_ = {sizeof(wn_cross_entropy_backward_args), grad, input, target, weight, lse, total, reduction, ignore_index, label_smoothing};
    return wn_cross_entropy_backward_x(&a_);
}

/* nll_loss(Tensor input, Tensor target, Tensor? weight=None, int ignore_index=-100, str reduction="mean") -> Tensor */
struct nll_loss_opts {
    wn_tensor *weight = {};
    wn::val ignore_index = {};
    const char *reduction = {};
};
inline wn_tensor *nll_loss(wn_tensor *input, wn_tensor *target, const nll_loss_opts &o_ = {}) {
    const wn_nll_loss_args a_ = {sizeof(wn_nll_loss_args), input, target, o_.weight, o_.ignore_index, o_.reduction};
    return wn_nll_loss_x(&a_);
}

/* nll_loss_forward(Tensor input, Tensor target, Tensor? weight, int reduction, int ignore_index) -> (Tensor result, Tensor total) */
inline wn_nll_loss_forward_out nll_loss_forward(wn_tensor *input, wn_tensor *target, wn_tensor *weight, int64_t reduction, int64_t ignore_index) {
    const wn_nll_loss_forward_args a_ = {sizeof(wn_nll_loss_forward_args), input, target, weight, reduction, ignore_index};
    return wn_nll_loss_forward_x(&a_);
}

/* class_targets(Tensor grad, Tensor target, Tensor? weight, int[] size, int ignore_index, float label_smoothing, float scale) -> Tensor */
inline wn_tensor *class_targets(wn_tensor *grad, wn_tensor *target, wn_tensor *weight, const dims &size, int64_t ignore_index, double label_smoothing, double scale) {
    const wn_class_targets_args a_ = {sizeof(wn_class_targets_args), grad, target, weight, size, ignore_index, label_smoothing, scale};
    return wn_class_targets_x(&a_);
}

/* mse_loss(Tensor input, Tensor target, str reduction="mean", Tensor? weight=None) -> Tensor */
struct mse_loss_opts {
    const char *reduction = {};
    wn_tensor *weight = {};
};
inline wn_tensor *mse_loss(wn_tensor *input, wn_tensor *target, const mse_loss_opts &o_ = {}) {
    const wn_mse_loss_args a_ = {sizeof(wn_mse_loss_args), input, target, o_.reduction, o_.weight};
    return wn_mse_loss_x(&a_);
}

/* l1_loss(Tensor input, Tensor target, str reduction="mean", Tensor? weight=None) -> Tensor */
struct l1_loss_opts {
    const char *reduction = {};
    wn_tensor *weight = {};
};
inline wn_tensor *l1_loss(wn_tensor *input, wn_tensor *target, const l1_loss_opts &o_ = {}) {
    const wn_l1_loss_args a_ = {sizeof(wn_l1_loss_args), input, target, o_.reduction, o_.weight};
    return wn_l1_loss_x(&a_);
}

/* binary_cross_entropy_with_logits(Tensor input, Tensor target, Tensor? weight=None, str reduction="mean", Tensor? pos_weight=None) -> Tensor */
struct binary_cross_entropy_with_logits_opts {
    wn_tensor *weight = {};
    const char *reduction = {};
    wn_tensor *pos_weight = {};
};
inline wn_tensor *binary_cross_entropy_with_logits(wn_tensor *input, wn_tensor *target, const binary_cross_entropy_with_logits_opts &o_ = {}) {
    const wn_binary_cross_entropy_with_logits_args a_ = {sizeof(wn_binary_cross_entropy_with_logits_args), input, target, o_.weight, o_.reduction, o_.pos_weight};
    return wn_binary_cross_entropy_with_logits_x(&a_);
}

/* smooth_l1_loss(Tensor input, Tensor target, str reduction="mean", float beta=1.0) -> Tensor */
struct smooth_l1_loss_opts {
    const char *reduction = {};
    wn::val beta = {};
};
inline wn_tensor *smooth_l1_loss(wn_tensor *input, wn_tensor *target, const smooth_l1_loss_opts &o_ = {}) {
    const wn_smooth_l1_loss_args a_ = {sizeof(wn_smooth_l1_loss_args), input, target, o_.reduction, o_.beta};
    return wn_smooth_l1_loss_x(&a_);
}

/* _smooth_l1(Tensor self, Tensor target, Scalar beta) -> Tensor */
struct smooth_l1_each_opts {
    wn_tensor *out = {};
};
inline wn_tensor *smooth_l1_each(const val &self, const val &target, const val &beta, const smooth_l1_each_opts &o_ = {}) {
    const wn_smooth_l1_each_args a_ = {sizeof(wn_smooth_l1_each_args), self, target, beta, o_.out};
    return wn_smooth_l1_each_x(&a_);
}

/* _smooth_l1_backward(Tensor grad_output, Tensor self, Tensor target, Scalar beta) -> Tensor */
struct smooth_l1_backward_opts {
    wn_tensor *out = {};
};
inline wn_tensor *smooth_l1_backward(const val &grad_output, const val &self, const val &target, const val &beta, const smooth_l1_backward_opts &o_ = {}) {
    const wn_smooth_l1_backward_args a_ = {sizeof(wn_smooth_l1_backward_args), grad_output, self, target, beta, o_.out};
    return wn_smooth_l1_backward_x(&a_);
}

/* huber_loss(Tensor input, Tensor target, str reduction="mean", float delta=1.0, Tensor? weight=None) -> Tensor */
struct huber_loss_opts {
    const char *reduction = {};
    wn::val delta = {};
    wn_tensor *weight = {};
};
inline wn_tensor *huber_loss(wn_tensor *input, wn_tensor *target, const huber_loss_opts &o_ = {}) {
    const wn_huber_loss_args a_ = {sizeof(wn_huber_loss_args), input, target, o_.reduction, o_.delta, o_.weight};
    return wn_huber_loss_x(&a_);
}

/* _huber(Tensor self, Tensor target, Scalar delta) -> Tensor */
struct huber_each_opts {
    wn_tensor *out = {};
};
inline wn_tensor *huber_each(const val &self, const val &target, const val &delta, const huber_each_opts &o_ = {}) {
    const wn_huber_each_args a_ = {sizeof(wn_huber_each_args), self, target, delta, o_.out};
    return wn_huber_each_x(&a_);
}

/* _huber_backward(Tensor grad_output, Tensor self, Tensor target, Scalar delta) -> Tensor */
struct huber_backward_opts {
    wn_tensor *out = {};
};
inline wn_tensor *huber_backward(const val &grad_output, const val &self, const val &target, const val &delta, const huber_backward_opts &o_ = {}) {
    const wn_huber_backward_args a_ = {sizeof(wn_huber_backward_args), grad_output, self, target, delta, o_.out};
    return wn_huber_backward_x(&a_);
}

/* binary_cross_entropy(Tensor input, Tensor target, Tensor? weight=None, str reduction="mean") -> Tensor */
struct binary_cross_entropy_opts {
    wn_tensor *weight = {};
    const char *reduction = {};
};
inline wn_tensor *binary_cross_entropy(wn_tensor *input, wn_tensor *target, const binary_cross_entropy_opts &o_ = {}) {
    const wn_binary_cross_entropy_args a_ = {sizeof(wn_binary_cross_entropy_args), input, target, o_.weight, o_.reduction};
    return wn_binary_cross_entropy_x(&a_);
}

/* _binary_cross_entropy(Tensor self, Tensor target) -> Tensor */
struct binary_cross_entropy_each_opts {
    wn_tensor *out = {};
};
inline wn_tensor *binary_cross_entropy_each(const val &self, const val &target, const binary_cross_entropy_each_opts &o_ = {}) {
    const wn_binary_cross_entropy_each_args a_ = {sizeof(wn_binary_cross_entropy_each_args), self, target, o_.out};
    return wn_binary_cross_entropy_each_x(&a_);
}

/* _binary_cross_entropy_backward(Tensor grad_output, Tensor self, Tensor target) -> Tensor */
struct binary_cross_entropy_backward_opts {
    wn_tensor *out = {};
};
inline wn_tensor *binary_cross_entropy_backward(const val &grad_output, const val &self, const val &target, const binary_cross_entropy_backward_opts &o_ = {}) {
    const wn_binary_cross_entropy_backward_args a_ = {sizeof(wn_binary_cross_entropy_backward_args), grad_output, self, target, o_.out};
    return wn_binary_cross_entropy_backward_x(&a_);
}

/* kl_div(Tensor input, Tensor target, str reduction="mean", bool log_target=False) -> Tensor */
struct kl_div_opts {
    const char *reduction = {};
    bool log_target = {};
};
inline wn_tensor *kl_div(wn_tensor *input, wn_tensor *target, const kl_div_opts &o_ = {}) {
    const wn_kl_div_args a_ = {sizeof(wn_kl_div_args), input, target, o_.reduction, o_.log_target};
    return wn_kl_div_x(&a_);
}

/* _kl_div(Tensor self, Tensor target) -> Tensor */
struct kl_div_each_opts {
    wn_tensor *out = {};
};
inline wn_tensor *kl_div_each(const val &self, const val &target, const kl_div_each_opts &o_ = {}) {
    const wn_kl_div_each_args a_ = {sizeof(wn_kl_div_each_args), self, target, o_.out};
    return wn_kl_div_each_x(&a_);
}

/* _kl_div_log(Tensor self, Tensor target) -> Tensor */
struct kl_div_log_each_opts {
    wn_tensor *out = {};
};
inline wn_tensor *kl_div_log_each(const val &self, const val &target, const kl_div_log_each_opts &o_ = {}) {
    const wn_kl_div_log_each_args a_ = {sizeof(wn_kl_div_log_each_args), self, target, o_.out};
    return wn_kl_div_log_each_x(&a_);
}

/* soft_margin_loss(Tensor input, Tensor target, str reduction="mean") -> Tensor */
struct soft_margin_loss_opts {
    const char *reduction = {};
};
inline wn_tensor *soft_margin_loss(wn_tensor *input, wn_tensor *target, const soft_margin_loss_opts &o_ = {}) {
    const wn_soft_margin_loss_args a_ = {sizeof(wn_soft_margin_loss_args), input, target, o_.reduction};
    return wn_soft_margin_loss_x(&a_);
}

/* _soft_margin(Tensor self, Tensor target) -> Tensor */
struct soft_margin_each_opts {
    wn_tensor *out = {};
};
inline wn_tensor *soft_margin_each(const val &self, const val &target, const soft_margin_each_opts &o_ = {}) {
    const wn_soft_margin_each_args a_ = {sizeof(wn_soft_margin_each_args), self, target, o_.out};
    return wn_soft_margin_each_x(&a_);
}

/* poisson_nll_loss(Tensor input, Tensor target, bool log_input=True, bool full=False, float eps=1e-08, str reduction="mean") -> Tensor */
struct poisson_nll_loss_opts {
    bool log_input = true;
    bool full = {};
    wn::val eps = {};
    const char *reduction = {};
};
inline wn_tensor *poisson_nll_loss(wn_tensor *input, wn_tensor *target, const poisson_nll_loss_opts &o_ = {}) {
    const wn_poisson_nll_loss_args a_ = {sizeof(wn_poisson_nll_loss_args), input, target, o_.log_input ? WN_ON : WN_OFF, o_.full, o_.eps, o_.reduction};
    return wn_poisson_nll_loss_x(&a_);
}

/* gaussian_nll_loss(Tensor input, Tensor target, Tensor var, bool full=False, float eps=1e-06, str reduction="mean") -> Tensor */
struct gaussian_nll_loss_opts {
    bool full = {};
    wn::val eps = {};
    const char *reduction = {};
};
inline wn_tensor *gaussian_nll_loss(wn_tensor *input, wn_tensor *target, wn_tensor *var, const gaussian_nll_loss_opts &o_ = {}) {
    const wn_gaussian_nll_loss_args a_ = {sizeof(wn_gaussian_nll_loss_args), input, target, var, o_.full, o_.eps, o_.reduction};
    return wn_gaussian_nll_loss_x(&a_);
}

/* hinge_embedding_loss(Tensor input, Tensor target, float margin=1.0, str reduction="mean") -> Tensor */
struct hinge_embedding_loss_opts {
    wn::val margin = {};
    const char *reduction = {};
};
inline wn_tensor *hinge_embedding_loss(wn_tensor *input, wn_tensor *target, const hinge_embedding_loss_opts &o_ = {}) {
    const wn_hinge_embedding_loss_args a_ = {sizeof(wn_hinge_embedding_loss_args), input, target, o_.margin, o_.reduction};
    return wn_hinge_embedding_loss_x(&a_);
}

/* margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, str reduction="mean") -> Tensor */
struct margin_ranking_loss_opts {
    wn::val margin = {};
    const char *reduction = {};
};
inline wn_tensor *margin_ranking_loss(wn_tensor *input1, wn_tensor *input2, wn_tensor *target, const margin_ranking_loss_opts &o_ = {}) {
    const wn_margin_ranking_loss_args a_ = {sizeof(wn_margin_ranking_loss_args), input1, input2, target, o_.margin, o_.reduction};
    return wn_margin_ranking_loss_x(&a_);
}

/* cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, str reduction="mean") -> Tensor */
struct cosine_embedding_loss_opts {
    wn::val margin = {};
    const char *reduction = {};
};
inline wn_tensor *cosine_embedding_loss(wn_tensor *input1, wn_tensor *input2, wn_tensor *target, const cosine_embedding_loss_opts &o_ = {}) {
    const wn_cosine_embedding_loss_args a_ = {sizeof(wn_cosine_embedding_loss_args), input1, input2, target, o_.margin, o_.reduction};
    return wn_cosine_embedding_loss_x(&a_);
}

/* triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1.0, float p=2, float eps=1e-06, bool swap=False, str reduction="mean") -> Tensor */
struct triplet_margin_loss_opts {
    wn::val margin = {};
    wn::val p = {};
    wn::val eps = {};
    bool swap = {};
    const char *reduction = {};
};
inline wn_tensor *triplet_margin_loss(wn_tensor *anchor, wn_tensor *positive, wn_tensor *negative, const triplet_margin_loss_opts &o_ = {}) {
    const wn_triplet_margin_loss_args a_ = {sizeof(wn_triplet_margin_loss_args), anchor, positive, negative, o_.margin, o_.p, o_.eps, o_.swap, o_.reduction};
    return wn_triplet_margin_loss_x(&a_);
}

/* multilabel_soft_margin_loss(Tensor input, Tensor target, Tensor? weight=None, str reduction="mean") -> Tensor */
struct multilabel_soft_margin_loss_opts {
    wn_tensor *weight = {};
    const char *reduction = {};
};
inline wn_tensor *multilabel_soft_margin_loss(wn_tensor *input, wn_tensor *target, const multilabel_soft_margin_loss_opts &o_ = {}) {
    const wn_multilabel_soft_margin_loss_args a_ = {sizeof(wn_multilabel_soft_margin_loss_args), input, target, o_.weight, o_.reduction};
    return wn_multilabel_soft_margin_loss_x(&a_);
}

/* multi_margin_loss(Tensor input, Tensor target, Scalar p=1, Scalar margin=1, Tensor? weight=None, str reduction="mean") -> Tensor */
struct multi_margin_loss_opts {
    wn::val p = {};
    wn::val margin = {};
    wn_tensor *weight = {};
    const char *reduction = {};
};
inline wn_tensor *multi_margin_loss(wn_tensor *input, wn_tensor *target, const multi_margin_loss_opts &o_ = {}) {
    const wn_multi_margin_loss_args a_ = {sizeof(wn_multi_margin_loss_args), input, target, o_.p, o_.margin, o_.weight, o_.reduction};
    return wn_multi_margin_loss_x(&a_);
}

/* multilabel_margin_loss(Tensor input, Tensor target, str reduction="mean") -> Tensor */
struct multilabel_margin_loss_opts {
    const char *reduction = {};
};
inline wn_tensor *multilabel_margin_loss(wn_tensor *input, wn_tensor *target, const multilabel_margin_loss_opts &o_ = {}) {
    const wn_multilabel_margin_loss_args a_ = {sizeof(wn_multilabel_margin_loss_args), input, target, o_.reduction};
    return wn_multilabel_margin_loss_x(&a_);
}

/* multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) -> (Tensor output, Tensor is_target) */
inline wn_multilabel_margin_loss_forward_out multilabel_margin_loss_forward(wn_tensor *self, wn_tensor *target, int64_t reduction) {
    const wn_multilabel_margin_loss_forward_args a_ = {sizeof(wn_multilabel_margin_loss_forward_args), self, target, reduction};
    return wn_multilabel_margin_loss_forward_x(&a_);
}

/* multilabel_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, Tensor is_target) -> Tensor */
inline wn_tensor *multilabel_margin_loss_backward(wn_tensor *grad_output, wn_tensor *self, wn_tensor *target, int64_t reduction, wn_tensor *is_target) {
    const wn_multilabel_margin_loss_backward_args a_ = {sizeof(wn_multilabel_margin_loss_backward_args), grad_output, self, target, reduction, is_target};
    return wn_multilabel_margin_loss_backward_x(&a_);
}

/* ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank=0, str reduction="mean", bool zero_infinity=False) -> Tensor */
struct ctc_loss_opts {
    int64_t blank = {};
    const char *reduction = {};
    bool zero_infinity = {};
};
inline wn_tensor *ctc_loss(wn_tensor *log_probs, wn_tensor *targets, wn_tensor *input_lengths, wn_tensor *target_lengths, const ctc_loss_opts &o_ = {}) {
    const wn_ctc_loss_args a_ = {sizeof(wn_ctc_loss_args), log_probs, targets, input_lengths, target_lengths, o_.blank, o_.reduction, o_.zero_infinity};
    return wn_ctc_loss_x(&a_);
}

/* _ctc_loss(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank=0, bool zero_infinity=False) -> (Tensor neg_log_likelihood, Tensor log_alpha) */
struct ctc_loss_forward_opts {
    int64_t blank = {};
    bool zero_infinity = {};
};
inline wn_ctc_loss_forward_out ctc_loss_forward(wn_tensor *log_probs, wn_tensor *targets, wn_tensor *input_lengths, wn_tensor *target_lengths, const ctc_loss_forward_opts &o_ = {}) {
    const wn_ctc_loss_forward_args a_ = {sizeof(wn_ctc_loss_forward_args), log_probs, targets, input_lengths, target_lengths, o_.blank, o_.zero_infinity};
    return wn_ctc_loss_forward_x(&a_);
}

/* _ctc_loss_backward(Tensor grad, Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, Tensor neg_log_likelihood, Tensor log_alpha, int blank, bool zero_infinity=False) -> Tensor */
struct ctc_loss_backward_opts {
    bool zero_infinity = {};
};
inline wn_tensor *ctc_loss_backward(wn_tensor *grad, wn_tensor *log_probs, wn_tensor *targets, wn_tensor *input_lengths, wn_tensor *target_lengths, wn_tensor *neg_log_likelihood, wn_tensor *log_alpha, int64_t blank, const ctc_loss_backward_opts &o_ = {}) {
    const wn_ctc_loss_backward_args a_ = {sizeof(wn_ctc_loss_backward_args), grad, log_probs, targets, input_lengths, target_lengths, neg_log_likelihood, log_alpha, blank, o_.zero_infinity};
    return wn_ctc_loss_backward_x(&a_);
}

/* cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor */
struct cosine_similarity_opts {
    wn::val dim = {};
    wn::val eps = {};
};
inline wn_tensor *cosine_similarity(wn_tensor *x1, wn_tensor *x2, const cosine_similarity_opts &o_ = {}) {
    const wn_cosine_similarity_args a_ = {sizeof(wn_cosine_similarity_args), x1, x2, o_.dim, o_.eps};
    return wn_cosine_similarity_x(&a_);
}

/* pairwise_distance(Tensor x1, Tensor x2, float p=2, float eps=1e-06, bool keepdim=False) -> Tensor */
struct pairwise_distance_opts {
    wn::val p = {};
    wn::val eps = {};
    bool keepdim = {};
};
inline wn_tensor *pairwise_distance(wn_tensor *x1, wn_tensor *x2, const pairwise_distance_opts &o_ = {}) {
    const wn_pairwise_distance_args a_ = {sizeof(wn_pairwise_distance_args), x1, x2, o_.p, o_.eps, o_.keepdim};
    return wn_pairwise_distance_x(&a_);
}

/* normalize(Tensor input, float p=2, int dim=1, float eps=1e-12) -> Tensor */
struct normalize_opts {
    wn::val p = {};
    wn::val dim = {};
    wn::val eps = {};
    wn_tensor *out = {};
};
inline wn_tensor *normalize(wn_tensor *input, const normalize_opts &o_ = {}) {
    const wn_normalize_args a_ = {sizeof(wn_normalize_args), input, o_.p, o_.dim, o_.eps, o_.out};
    return wn_normalize_x(&a_);
}

/* pdist(Tensor self, float p=2) -> Tensor */
struct pdist_opts {
    wn::val p = {};
};
inline wn_tensor *pdist(wn_tensor *self, const pdist_opts &o_ = {}) {
    const wn_pdist_args a_ = {sizeof(wn_pdist_args), self, o_.p};
    return wn_pdist_x(&a_);
}

/* _pdist_backward(Tensor grad, Tensor self, float p, Tensor pdist) -> Tensor */
inline wn_tensor *pdist_backward(wn_tensor *grad, wn_tensor *self, double p, wn_tensor *pdist) {
    const wn_pdist_backward_args a_ = {sizeof(wn_pdist_backward_args), grad, self, p, pdist};
    return wn_pdist_backward_x(&a_);
}

/* scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0.0, bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> Tensor */
struct scaled_dot_product_attention_opts {
    wn_tensor *attn_mask = {};
    double dropout_p = {};
    bool is_causal = {};
    wn::val scale = {};
    bool enable_gqa = {};
};
inline wn_tensor *scaled_dot_product_attention(wn_tensor *query, wn_tensor *key, wn_tensor *value, const scaled_dot_product_attention_opts &o_ = {}) {
    const wn_scaled_dot_product_attention_args a_ = {sizeof(wn_scaled_dot_product_attention_args), query, key, value, o_.attn_mask, o_.dropout_p, o_.is_causal, o_.scale, o_.enable_gqa};
    return wn_scaled_dot_product_attention_x(&a_);
}

/* attention_forward(Tensor query, Tensor key, Tensor value, Tensor? attn_mask, bool is_causal, float scale) -> (Tensor output, Tensor logsumexp) */
inline wn_attention_forward_out attention_forward(wn_tensor *query, wn_tensor *key, wn_tensor *value, wn_tensor *attn_mask, bool is_causal, double scale) {
    const wn_attention_forward_args a_ = {sizeof(wn_attention_forward_args), query, key, value, attn_mask, is_causal, scale};
    return wn_attention_forward_x(&a_);
}

/* attention_backward(Tensor grad, Tensor query, Tensor key, Tensor value, Tensor? attn_mask, Tensor output, Tensor logsumexp, bool is_causal, float scale) -> (Tensor grad_query, Tensor grad_key, Tensor grad_value) */
inline wn_attention_backward_out attention_backward(wn_tensor *grad, wn_tensor *query, wn_tensor *key, wn_tensor *value, wn_tensor *attn_mask, wn_tensor *output, wn_tensor *logsumexp, bool is_causal, double scale) {
    const wn_attention_backward_args a_ = {sizeof(wn_attention_backward_args), grad, query, key, value, attn_mask, output, logsumexp, is_causal, scale};
    return wn_attention_backward_x(&a_);
}

/* attention_composed(Tensor query, Tensor key, Tensor value, Tensor? attn_mask, float dropout_p, bool is_causal, float scale) -> (Tensor output, Tensor weights) */
inline wn_attention_composed_out attention_composed(wn_tensor *query, wn_tensor *key, wn_tensor *value, wn_tensor *attn_mask, double dropout_p, bool is_causal, double scale) {
    const wn_attention_composed_args a_ = {sizeof(wn_attention_composed_args), query, key, value, attn_mask, dropout_p, is_causal, scale};
    return wn_attention_composed_x(&a_);
}

/* product_where(Tensor self, Tensor other, Tensor where) -> Tensor */
inline wn_tensor *product_where(wn_tensor *self, wn_tensor *other, wn_tensor *where) {
    const wn_product_where_args a_ = {sizeof(wn_product_where_args), self, other, where};
    return wn_product_where_x(&a_);
}

/* scores_where(Tensor self, Tensor other, Tensor where) -> Tensor */
inline wn_tensor *scores_where(wn_tensor *self, wn_tensor *other, wn_tensor *where) {
    const wn_scores_where_args a_ = {sizeof(wn_scores_where_args), self, other, where};
    return wn_scores_where_x(&a_);
}

/* lstm.input(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor output, Tensor h_n, Tensor c_n) */
inline wn_lstm_out lstm(wn_tensor *input, const list &hx, const list &params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first) {
    const wn_lstm_args a_ = {sizeof(wn_lstm_args), input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first};
    return wn_lstm_x(&a_);
}

/* lstm.data(Tensor data, Tensor batch_sizes, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor output, Tensor h_n, Tensor c_n) */
inline wn_lstm_packed_out lstm_packed(wn_tensor *data, wn_tensor *batch_sizes, const list &hx, const list &params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional) {
    const wn_lstm_packed_args a_ = {sizeof(wn_lstm_packed_args), data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional};
    return wn_lstm_packed_x(&a_);
}

/* gru.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor output, Tensor h_n) */
inline wn_gru_out gru(wn_tensor *input, wn_tensor *hx, const list &params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first) {
    const wn_gru_args a_ = {sizeof(wn_gru_args), input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first};
    return wn_gru_x(&a_);
}

/* gru.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor output, Tensor h_n) */
inline wn_gru_packed_out gru_packed(wn_tensor *data, wn_tensor *batch_sizes, wn_tensor *hx, const list &params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional) {
    const wn_gru_packed_args a_ = {sizeof(wn_gru_packed_args), data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional};
    return wn_gru_packed_x(&a_);
}

/* rnn_tanh.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor output, Tensor h_n) */
inline wn_rnn_tanh_out rnn_tanh(wn_tensor *input, wn_tensor *hx, const list &params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first) {
    const wn_rnn_tanh_args a_ = {sizeof(wn_rnn_tanh_args), input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first};
    return wn_rnn_tanh_x(&a_);
}

/* rnn_tanh.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor output, Tensor h_n) */
inline wn_rnn_tanh_packed_out rnn_tanh_packed(wn_tensor *data, wn_tensor *batch_sizes, wn_tensor *hx, const list &params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional) {
    const wn_rnn_tanh_packed_args a_ = {sizeof(wn_rnn_tanh_packed_args), data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional};
    return wn_rnn_tanh_packed_x(&a_);
}

/* rnn_relu.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor output, Tensor h_n) */
inline wn_rnn_relu_out rnn_relu(wn_tensor *input, wn_tensor *hx, const list &params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first) {
    const wn_rnn_relu_args a_ = {sizeof(wn_rnn_relu_args), input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first};
    return wn_rnn_relu_x(&a_);
}

/* rnn_relu.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor output, Tensor h_n) */
inline wn_rnn_relu_packed_out rnn_relu_packed(wn_tensor *data, wn_tensor *batch_sizes, wn_tensor *hx, const list &params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional) {
    const wn_rnn_relu_packed_args a_ = {sizeof(wn_rnn_relu_packed_args), data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional};
    return wn_rnn_relu_packed_x(&a_);
}

/* lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> (Tensor h, Tensor c) */
struct lstm_cell_opts {
    wn_tensor *b_ih = {};
    wn_tensor *b_hh = {};
};
inline wn_lstm_cell_out lstm_cell(wn_tensor *input, const list &hx, wn_tensor *w_ih, wn_tensor *w_hh, const lstm_cell_opts &o_ = {}) {
    const wn_lstm_cell_args a_ = {sizeof(wn_lstm_cell_args), input, hx, w_ih, w_hh, o_.b_ih, o_.b_hh};
    return wn_lstm_cell_x(&a_);
}

/* gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor */
struct gru_cell_opts {
    wn_tensor *b_ih = {};
    wn_tensor *b_hh = {};
};
inline wn_tensor *gru_cell(wn_tensor *input, wn_tensor *hx, wn_tensor *w_ih, wn_tensor *w_hh, const gru_cell_opts &o_ = {}) {
    const wn_gru_cell_args a_ = {sizeof(wn_gru_cell_args), input, hx, w_ih, w_hh, o_.b_ih, o_.b_hh};
    return wn_gru_cell_x(&a_);
}

/* rnn_tanh_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor */
struct rnn_tanh_cell_opts {
    wn_tensor *b_ih = {};
    wn_tensor *b_hh = {};
};
inline wn_tensor *rnn_tanh_cell(wn_tensor *input, wn_tensor *hx, wn_tensor *w_ih, wn_tensor *w_hh, const rnn_tanh_cell_opts &o_ = {}) {
    const wn_rnn_tanh_cell_args a_ = {sizeof(wn_rnn_tanh_cell_args), input, hx, w_ih, w_hh, o_.b_ih, o_.b_hh};
    return wn_rnn_tanh_cell_x(&a_);
}

/* rnn_relu_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor */
struct rnn_relu_cell_opts {
    wn_tensor *b_ih = {};
    wn_tensor *b_hh = {};
};
inline wn_tensor *rnn_relu_cell(wn_tensor *input, wn_tensor *hx, wn_tensor *w_ih, wn_tensor *w_hh, const rnn_relu_cell_opts &o_ = {}) {
    const wn_rnn_relu_cell_args a_ = {sizeof(wn_rnn_relu_cell_args), input, hx, w_ih, w_hh, o_.b_ih, o_.b_hh};
    return wn_rnn_relu_cell_x(&a_);
}

/* _rnn_layer(Tensor gates, Tensor hx, Tensor? cx, Tensor w_hh, Tensor? b_hh, Tensor? w_hr, Tensor? batch_sizes, bool reverse, int kind) -> (Tensor output, Tensor h_n, Tensor c_n, Tensor saved) */
inline wn_rnn_layer_out rnn_layer(wn_tensor *gates, wn_tensor *hx, wn_tensor *cx, wn_tensor *w_hh, wn_tensor *b_hh, wn_tensor *w_hr, wn_tensor *batch_sizes, bool reverse, int64_t kind) {
    const wn_rnn_layer_args a_ = {sizeof(wn_rnn_layer_args), gates, hx, cx, w_hh, b_hh, w_hr, batch_sizes, reverse, kind};
    return wn_rnn_layer_x(&a_);
}

/* _rnn_layer_backward(Tensor? grad_output, Tensor? grad_h, Tensor? grad_c, Tensor output, Tensor saved, Tensor hx, Tensor? cx, Tensor w_hh, Tensor? w_hr, Tensor? batch_sizes, bool reverse, int kind) -> Tensor[] */
inline list rnn_layer_backward(wn_tensor *grad_output, wn_tensor *grad_h, wn_tensor *grad_c, wn_tensor *output, wn_tensor *saved, wn_tensor *hx, wn_tensor *cx, wn_tensor *w_hh, wn_tensor *w_hr, wn_tensor *batch_sizes, bool reverse, int64_t kind) {
    const wn_rnn_layer_backward_args a_ = {sizeof(wn_rnn_layer_backward_args), grad_output, grad_h, grad_c, output, saved, hx, cx, w_hh, w_hr, batch_sizes, reverse, kind};
    return wn_rnn_layer_backward_x(&a_);
}

/* _pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first) -> (Tensor data, Tensor batch_sizes) */
inline wn_pack_padded_sequence_out pack_padded_sequence(wn_tensor *input, wn_tensor *lengths, bool batch_first) {
    const wn_pack_padded_sequence_args a_ = {sizeof(wn_pack_padded_sequence_args), input, lengths, batch_first};
    return wn_pack_padded_sequence_x(&a_);
}

/* _pad_packed_sequence(Tensor data, Tensor batch_sizes, bool batch_first, Scalar padding_value, int total_length) -> (Tensor output, Tensor lengths) */
inline wn_pad_packed_sequence_out pad_packed_sequence(wn_tensor *data, wn_tensor *batch_sizes, bool batch_first, const val &padding_value, int64_t total_length) {
    const wn_pad_packed_sequence_args a_ = {sizeof(wn_pad_packed_sequence_args), data, batch_sizes, batch_first, padding_value, total_length};
    return wn_pad_packed_sequence_x(&a_);
}

/* rand(int[] size, *, ScalarType? dtype=None, Generator? generator=None) -> Tensor */
struct rand_opts {
    wn_dtype dtype = {};
    wn_generator *generator = {};
    wn_device device = {};
    wn_tensor *out = {};
};
inline wn_tensor *rand(const dims &size, const rand_opts &o_ = {}) {
    const wn_rand_args a_ = {sizeof(wn_rand_args), size, o_.dtype, o_.generator, o_.device, o_.out};
    return wn_rand_x(&a_);
}

/* randn(int[] size, *, ScalarType? dtype=None, Generator? generator=None) -> Tensor */
struct randn_opts {
    wn_dtype dtype = {};
    wn_generator *generator = {};
    wn_device device = {};
    wn_tensor *out = {};
};
inline wn_tensor *randn(const dims &size, const randn_opts &o_ = {}) {
    const wn_randn_args a_ = {sizeof(wn_randn_args), size, o_.dtype, o_.generator, o_.device, o_.out};
    return wn_randn_x(&a_);
}

/* randint.high(int high, int[] size, *, ScalarType? dtype=None, Generator? generator=None) -> Tensor */
struct randint_below_opts {
    wn_dtype dtype = {};
    wn_generator *generator = {};
    wn_device device = {};
    wn_tensor *out = {};
};
inline wn_tensor *randint_below(int64_t high, const dims &size, const randint_below_opts &o_ = {}) {
    const wn_randint_below_args a_ = {sizeof(wn_randint_below_args), high, size, o_.dtype, o_.generator, o_.device, o_.out};
    return wn_randint_below_x(&a_);
}

/* randint.low(int low, int high, int[] size, *, ScalarType? dtype=None, Generator? generator=None) -> Tensor */
struct randint_opts {
    wn_dtype dtype = {};
    wn_generator *generator = {};
    wn_device device = {};
    wn_tensor *out = {};
};
inline wn_tensor *randint(int64_t low, int64_t high, const dims &size, const randint_opts &o_ = {}) {
    const wn_randint_args a_ = {sizeof(wn_randint_args), low, high, size, o_.dtype, o_.generator, o_.device, o_.out};
    return wn_randint_x(&a_);
}

/* randperm(int n, *, ScalarType? dtype=None, Generator? generator=None) -> Tensor */
struct randperm_opts {
    wn_dtype dtype = {};
    wn_generator *generator = {};
    wn_device device = {};
    wn_tensor *out = {};
};
inline wn_tensor *randperm(int64_t n, const randperm_opts &o_ = {}) {
    const wn_randperm_args a_ = {sizeof(wn_randperm_args), n, o_.dtype, o_.generator, o_.device, o_.out};
    return wn_randperm_x(&a_);
}

/* rand_like(Tensor self, *, ScalarType? dtype=None, Generator? generator=None) -> Tensor */
struct rand_like_opts {
    wn_dtype dtype = {};
    wn_generator *generator = {};
    wn_device device = {};
};
inline wn_tensor *rand_like(wn_tensor *self, const rand_like_opts &o_ = {}) {
    const wn_rand_like_args a_ = {sizeof(wn_rand_like_args), self, o_.dtype, o_.generator, o_.device};
    return wn_rand_like_x(&a_);
}

/* randn_like(Tensor self, *, ScalarType? dtype=None, Generator? generator=None) -> Tensor */
struct randn_like_opts {
    wn_dtype dtype = {};
    wn_generator *generator = {};
    wn_device device = {};
};
inline wn_tensor *randn_like(wn_tensor *self, const randn_like_opts &o_ = {}) {
    const wn_randn_like_args a_ = {sizeof(wn_randn_like_args), self, o_.dtype, o_.generator, o_.device};
    return wn_randn_like_x(&a_);
}

/* uniform_(Tensor(a!) self, float from=0, float to=1, *, Generator? generator=None) -> Tensor(a!) */
struct uniform_opts {
    wn_generator *generator = {};
};
inline wn_tensor *uniform_(wn_tensor *self, double from, const val &to, const uniform_opts &o_ = {}) {
    const wn_uniform_args a_ = {sizeof(wn_uniform_args), self, from, to, o_.generator};
    return wn_uniform_inplace_x(&a_);
}

/* normal_(Tensor(a!) self, float mean=0, float std=1, *, Generator? generator=None) -> Tensor(a!) */
struct normal_opts {
    wn_generator *generator = {};
};
inline wn_tensor *normal_(wn_tensor *self, double mean, const val &std, const normal_opts &o_ = {}) {
    const wn_normal_args a_ = {sizeof(wn_normal_args), self, mean, std, o_.generator};
    return wn_normal_inplace_x(&a_);
}

/* exponential_(Tensor(a!) self, float lambd=1, *, Generator? generator=None) -> Tensor(a!) */
struct exponential_opts {
    wn_generator *generator = {};
};
inline wn_tensor *exponential_(wn_tensor *self, const val &lambd, const exponential_opts &o_ = {}) {
    const wn_exponential_args a_ = {sizeof(wn_exponential_args), self, lambd, o_.generator};
    return wn_exponential_inplace_x(&a_);
}

/* random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> Tensor(a!) */
struct random_opts {
    wn_generator *generator = {};
};
inline wn_tensor *random_(wn_tensor *self, int64_t from, const val &to, const random_opts &o_ = {}) {
    const wn_random_args a_ = {sizeof(wn_random_args), self, from, to, o_.generator};
    return wn_random_inplace_x(&a_);
}

/* random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor(a!) */
struct random_below_opts {
    wn_generator *generator = {};
};
inline wn_tensor *random_below_(wn_tensor *self, int64_t to, const random_below_opts &o_ = {}) {
    const wn_random_below_args a_ = {sizeof(wn_random_below_args), self, to, o_.generator};
    return wn_random_below_inplace_x(&a_);
}

/* random_(Tensor(a!) self, *, Generator? generator=None) -> Tensor(a!) */
struct random_all_opts {
    wn_generator *generator = {};
};
inline wn_tensor *random_all_(wn_tensor *self, const random_all_opts &o_ = {}) {
    const wn_random_all_args a_ = {sizeof(wn_random_all_args), self, o_.generator};
    return wn_random_all_inplace_x(&a_);
}

/* bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> Tensor(a!) */
struct bernoulli_each_opts {
    wn_generator *generator = {};
};
inline wn_tensor *bernoulli_each_(wn_tensor *self, wn_tensor *p, const bernoulli_each_opts &o_ = {}) {
    const wn_bernoulli_each_args a_ = {sizeof(wn_bernoulli_each_args), self, p, o_.generator};
    return wn_bernoulli_each_inplace_x(&a_);
}

/* bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) -> Tensor(a!) */
struct bernoulli_p_opts {
    wn_generator *generator = {};
};
inline wn_tensor *bernoulli_p_(wn_tensor *self, const val &p, const bernoulli_p_opts &o_ = {}) {
    const wn_bernoulli_p_args a_ = {sizeof(wn_bernoulli_p_args), self, p, o_.generator};
    return wn_bernoulli_p_inplace_x(&a_);
}

/* bernoulli(Tensor self, *, Generator? generator=None) -> Tensor */
struct bernoulli_opts {
    wn_generator *generator = {};
    wn_tensor *out = {};
};
inline wn_tensor *bernoulli(wn_tensor *self, const bernoulli_opts &o_ = {}) {
    const wn_bernoulli_args a_ = {sizeof(wn_bernoulli_args), self, o_.generator, o_.out};
    return wn_bernoulli_x(&a_);
}

/* bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor */
struct bernoulli_like_opts {
    wn_generator *generator = {};
};
inline wn_tensor *bernoulli_like(wn_tensor *self, double p, const bernoulli_like_opts &o_ = {}) {
    const wn_bernoulli_like_args a_ = {sizeof(wn_bernoulli_like_args), self, p, o_.generator};
    return wn_bernoulli_like_x(&a_);
}

/* _masked_scale(Tensor self, Tensor mask, Scalar scale) -> Tensor */
struct masked_scale_opts {
    wn_tensor *out = {};
};
inline wn_tensor *masked_scale(wn_tensor *self, wn_tensor *mask, const val &scale, const masked_scale_opts &o_ = {}) {
    const wn_masked_scale_args a_ = {sizeof(wn_masked_scale_args), self, mask, scale, o_.out};
    return wn_masked_scale_x(&a_);
}

/* dropout(Tensor input, float p, bool train) -> Tensor */
struct dropout_opts {
    wn_tensor *out = {};
};
inline wn_tensor *dropout(wn_tensor *input, double p, bool train, const dropout_opts &o_ = {}) {
    const wn_dropout_args a_ = {sizeof(wn_dropout_args), input, p, train, o_.out};
    return wn_dropout_x(&a_);
}
inline wn_tensor *dropout_(wn_tensor *input, double p, bool train, const dropout_opts &o_ = {}) {
    const wn_dropout_args a_ = {sizeof(wn_dropout_args), input, p, train, o_.out};
    return wn_dropout_inplace_x(&a_);
}

/* _trunc_normal_(Tensor(a!) self, float mean, float std, float low, float high, *, Generator? generator=None) -> Tensor(a!) */
struct trunc_normal_opts {
    wn_generator *generator = {};
};
inline wn_tensor *trunc_normal_(wn_tensor *self, double mean, double std, double low, double high, const trunc_normal_opts &o_ = {}) {
    const wn_trunc_normal_args a_ = {sizeof(wn_trunc_normal_args), self, mean, std, low, high, o_.generator};
    return wn_trunc_normal_inplace_x(&a_);
}

/* cauchy_(Tensor(a!) self, float median=0, float sigma=1, *, Generator? generator=None) -> Tensor(a!) */
struct cauchy_opts {
    wn_generator *generator = {};
};
inline wn_tensor *cauchy_(wn_tensor *self, double median, const val &sigma, const cauchy_opts &o_ = {}) {
    const wn_cauchy_args a_ = {sizeof(wn_cauchy_args), self, median, sigma, o_.generator};
    return wn_cauchy_inplace_x(&a_);
}

/* geometric_(Tensor(a!) self, float p, *, Generator? generator=None) -> Tensor(a!) */
struct geometric_opts {
    wn_generator *generator = {};
};
inline wn_tensor *geometric_(wn_tensor *self, double p, const geometric_opts &o_ = {}) {
    const wn_geometric_args a_ = {sizeof(wn_geometric_args), self, p, o_.generator};
    return wn_geometric_inplace_x(&a_);
}

/* log_normal_(Tensor(a!) self, float mean=1, float std=2, *, Generator? generator=None) -> Tensor(a!) */
struct log_normal_opts {
    wn_generator *generator = {};
};
inline wn_tensor *log_normal_(wn_tensor *self, const val &mean, const val &std, const log_normal_opts &o_ = {}) {
    const wn_log_normal_args a_ = {sizeof(wn_log_normal_args), self, mean, std, o_.generator};
    return wn_log_normal_inplace_x(&a_);
}

/* randint_like(Tensor self, int high, *, ScalarType? dtype=None, Generator? generator=None) -> Tensor */
struct randint_like_below_opts {
    wn_dtype dtype = {};
    wn_generator *generator = {};
    wn_device device = {};
};
inline wn_tensor *randint_like_below(wn_tensor *self, int64_t high, const randint_like_below_opts &o_ = {}) {
    const wn_randint_like_below_args a_ = {sizeof(wn_randint_like_below_args), self, high, o_.dtype, o_.generator, o_.device};
    return wn_randint_like_below_x(&a_);
}

/* randint_like.low_dtype(Tensor self, int low, int high, *, ScalarType? dtype=None, Generator? generator=None) -> Tensor */
struct randint_like_opts {
    wn_dtype dtype = {};
    wn_generator *generator = {};
    wn_device device = {};
};
inline wn_tensor *randint_like(wn_tensor *self, int64_t low, int64_t high, const randint_like_opts &o_ = {}) {
    const wn_randint_like_args a_ = {sizeof(wn_randint_like_args), self, low, high, o_.dtype, o_.generator, o_.device};
    return wn_randint_like_x(&a_);
}

/* multinomial(Tensor self, int num_samples, bool replacement=False, *, Generator? generator=None) -> Tensor */
struct multinomial_opts {
    bool replacement = {};
    wn_generator *generator = {};
    wn_tensor *out = {};
};
inline wn_tensor *multinomial(wn_tensor *self, int64_t num_samples, const multinomial_opts &o_ = {}) {
    const wn_multinomial_args a_ = {sizeof(wn_multinomial_args), self, num_samples, o_.replacement, o_.generator, o_.out};
    return wn_multinomial_x(&a_);
}

/* _multinomial_again(Tensor self, int num_samples, *, Generator? generator=None) -> Tensor */
struct multinomial_again_opts {
    wn_generator *generator = {};
};
inline wn_tensor *multinomial_again(wn_tensor *self, int64_t num_samples, const multinomial_again_opts &o_ = {}) {
    const wn_multinomial_again_args a_ = {sizeof(wn_multinomial_again_args), self, num_samples, o_.generator};
    return wn_multinomial_again_x(&a_);
}

/* _fused_sgd_(Tensor(a!)[] self, Tensor[] grads, Tensor(b!)[] momentum_buffer_list, *, float lr=0, float momentum=0, float dampening=0, float weight_decay=0, bool nesterov=False, bool maximize=False, bool is_first_step=False) -> () */
struct fused_sgd_opts {
    double lr = {};
    wn::val momentum = {};
    double dampening = {};
    double weight_decay = {};
    bool nesterov = {};
    bool maximize = {};
    bool is_first_step = {};
};
inline wn_status fused_sgd(const list &self, const list &grads, const list &momentum_buffer_list, const fused_sgd_opts &o_ = {}) {
    const wn_fused_sgd_args a_ = {sizeof(wn_fused_sgd_args), self, grads, momentum_buffer_list, o_.lr, o_.momentum, o_.dampening, o_.weight_decay, o_.nesterov, o_.maximize, o_.is_first_step};
    return wn_fused_sgd_x(&a_);
}

/* _fused_adam_(Tensor(a!)[] self, Tensor[] grads, Tensor(b!)[] exp_avgs, Tensor(c!)[] exp_avg_sqs, Tensor(d!)[] max_exp_avg_sqs, *, int step=0, float lr=0, float beta1=0, float beta2=0, float weight_decay=0, float eps=0, bool amsgrad=False, bool maximize=False, bool decoupled=False) -> () */
struct fused_adam_opts {
    wn::val step = {};
    double lr = {};
    double beta1 = {};
    double beta2 = {};
    double weight_decay = {};
    wn::val eps = {};
    bool amsgrad = {};
    bool maximize = {};
    bool decoupled = {};
};
inline wn_status fused_adam(const list &self, const list &grads, const list &exp_avgs, const list &exp_avg_sqs, const list &max_exp_avg_sqs, const fused_adam_opts &o_ = {}) {
    const wn_fused_adam_args a_ = {sizeof(wn_fused_adam_args), self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, o_.step, o_.lr, o_.beta1, o_.beta2, o_.weight_decay, o_.eps, o_.amsgrad, o_.maximize, o_.decoupled};
    return wn_fused_adam_x(&a_);
}

/* _fused_rmsprop_(Tensor(a!) self, Tensor grad, Tensor(b!) square_avg, Tensor(c!)? momentum_buffer, Tensor(d!)? grad_avg, *, float lr=0, float rho=0, float eps=0, float momentum=0, float weight_decay=0, bool maximize=False) -> Tensor(a!) */
struct fused_rmsprop_opts {
    double lr = {};
    double rho = {};
    wn::val eps = {};
    wn::val momentum = {};
    double weight_decay = {};
    bool maximize = {};
};
inline wn_tensor *fused_rmsprop_(wn_tensor *self, wn_tensor *grad, wn_tensor *square_avg, wn_tensor *momentum_buffer, wn_tensor *grad_avg, const fused_rmsprop_opts &o_ = {}) {
    const wn_fused_rmsprop_args a_ = {sizeof(wn_fused_rmsprop_args), self, grad, square_avg, momentum_buffer, grad_avg, o_.lr, o_.rho, o_.eps, o_.momentum, o_.weight_decay, o_.maximize};
    return wn_fused_rmsprop_inplace_x(&a_);
}

/* _fused_adagrad_(Tensor(a!) self, Tensor grad, Tensor(b!) state_sum, *, int step=0, float lr=0, float lr_decay=0, float eps=0, float weight_decay=0, bool maximize=False) -> Tensor(a!) */
struct fused_adagrad_opts {
    wn::val step = {};
    double lr = {};
    double lr_decay = {};
    wn::val eps = {};
    double weight_decay = {};
    bool maximize = {};
};
inline wn_tensor *fused_adagrad_(wn_tensor *self, wn_tensor *grad, wn_tensor *state_sum, const fused_adagrad_opts &o_ = {}) {
    const wn_fused_adagrad_args a_ = {sizeof(wn_fused_adagrad_args), self, grad, state_sum, o_.step, o_.lr, o_.lr_decay, o_.eps, o_.weight_decay, o_.maximize};
    return wn_fused_adagrad_inplace_x(&a_);
}

/* _fused_adadelta_(Tensor(a!) self, Tensor grad, Tensor(b!) square_avg, Tensor(c!) acc_delta, *, float lr=0, float rho=0, float eps=0, float weight_decay=0, bool maximize=False) -> Tensor(a!) */
struct fused_adadelta_opts {
    double lr = {};
    double rho = {};
    wn::val eps = {};
    double weight_decay = {};
    bool maximize = {};
};
inline wn_tensor *fused_adadelta_(wn_tensor *self, wn_tensor *grad, wn_tensor *square_avg, wn_tensor *acc_delta, const fused_adadelta_opts &o_ = {}) {
    const wn_fused_adadelta_args a_ = {sizeof(wn_fused_adadelta_args), self, grad, square_avg, acc_delta, o_.lr, o_.rho, o_.eps, o_.weight_decay, o_.maximize};
    return wn_fused_adadelta_inplace_x(&a_);
}

/* _fused_adamax_(Tensor(a!) self, Tensor grad, Tensor(b!) exp_avg, Tensor(c!) exp_inf, *, int step=0, float lr=0, float beta1=0, float beta2=0, float eps=0, float weight_decay=0, bool maximize=False) -> Tensor(a!) */
struct fused_adamax_opts {
    wn::val step = {};
    double lr = {};
    double beta1 = {};
    double beta2 = {};
    wn::val eps = {};
    double weight_decay = {};
    bool maximize = {};
};
inline wn_tensor *fused_adamax_(wn_tensor *self, wn_tensor *grad, wn_tensor *exp_avg, wn_tensor *exp_inf, const fused_adamax_opts &o_ = {}) {
    const wn_fused_adamax_args a_ = {sizeof(wn_fused_adamax_args), self, grad, exp_avg, exp_inf, o_.step, o_.lr, o_.beta1, o_.beta2, o_.eps, o_.weight_decay, o_.maximize};
    return wn_fused_adamax_inplace_x(&a_);
}

/* _fused_nadam_(Tensor(a!) self, Tensor grad, Tensor(b!) exp_avg, Tensor(c!) exp_avg_sq, *, int step=0, float mu_product=0, float lr=0, float beta1=0, float beta2=0, float eps=0, float momentum_decay=0, float weight_decay=0, bool maximize=False, bool decoupled=False) -> Tensor(a!) */
struct fused_nadam_opts {
    wn::val step = {};
    double mu_product = {};
    double lr = {};
    double beta1 = {};
    double beta2 = {};
    wn::val eps = {};
    double momentum_decay = {};
    double weight_decay = {};
    bool maximize = {};
    bool decoupled = {};
};
inline wn_tensor *fused_nadam_(wn_tensor *self, wn_tensor *grad, wn_tensor *exp_avg, wn_tensor *exp_avg_sq, const fused_nadam_opts &o_ = {}) {
    const wn_fused_nadam_args a_ = {sizeof(wn_fused_nadam_args), self, grad, exp_avg, exp_avg_sq, o_.step, o_.mu_product, o_.lr, o_.beta1, o_.beta2, o_.eps, o_.momentum_decay, o_.weight_decay, o_.maximize, o_.decoupled};
    return wn_fused_nadam_inplace_x(&a_);
}

/* _fused_radam_(Tensor(a!) self, Tensor grad, Tensor(b!) exp_avg, Tensor(c!) exp_avg_sq, *, int step=0, float lr=0, float beta1=0, float beta2=0, float eps=0, float weight_decay=0, bool maximize=False, bool decoupled=False) -> Tensor(a!) */
struct fused_radam_opts {
    wn::val step = {};
    double lr = {};
    double beta1 = {};
    double beta2 = {};
    wn::val eps = {};
    double weight_decay = {};
    bool maximize = {};
    bool decoupled = {};
};
inline wn_tensor *fused_radam_(wn_tensor *self, wn_tensor *grad, wn_tensor *exp_avg, wn_tensor *exp_avg_sq, const fused_radam_opts &o_ = {}) {
    const wn_fused_radam_args a_ = {sizeof(wn_fused_radam_args), self, grad, exp_avg, exp_avg_sq, o_.step, o_.lr, o_.beta1, o_.beta2, o_.eps, o_.weight_decay, o_.maximize, o_.decoupled};
    return wn_fused_radam_inplace_x(&a_);
}

/* END GENERATED */

} // namespace wn
#endif
