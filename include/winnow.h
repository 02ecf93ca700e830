/* winnow: a tensor engine in C that computes only what counts.
 *
 * This header is the manual. Sections: 1 basic types, 2 errors, 3 scopes and modes, 4 tensors, 5 autograd,
 * 6 random numbers, 7 memory, threads and levels, 8 files, 9 datasets and loaders, 10 modules and optimisers,
 * 11 the operation table, 12 operations (generated from the rows in src/ops by `make header`; do not edit there).
 *
 * Conventions. Tensor results are handles *borrowed* from the innermost scope of the calling thread: they live until
 * that scope ends; wn_keep and wn_drop own. A failed operation returns a bad tensor (never NULL; NULL means "absent").
 * Later operations pass it on, and the first error stays in a thread-local record until wn_clear(). Optional arguments
 * are designated initialisers, wn_sum(x, .dims = WN_DIMS(1), .keepdim = true); what is left out has its default. How an
 * option is written depends on its type, which its operation shows; the compiler refuses anything else (gcc only warns,
 * even without -Wall):
 *     wn_val     .alpha = WN_VAL(2)                        a number (0, too) or a tensor; WN_NONE: not given
 *     wn_dims    .dims = WN_DIMS(0, -1)                    WN_0D: the empty list; WN_UNSET: not given
 *     wn_list    .inputs = WN_LIST(x, y)
 *     wn_switch  .bias = WN_OFF                            WN_ON, WN_OFF; WN_DEFAULT: not given
 *     int64_t, double, bool, text   .offset = 1, .keepdim = true, .reduction = "sum"   0, false and NULL are the default
 * Options of one name have one type in all operations. Positional arguments that are numbers or tensors need no WN_VAL.
 * Variables of the first three types start as WN_NONE, WN_UNSET and WN_NO_LIST, static ones as {.kind = 0} and {.n =
 * 0}; {0} would be a number, too.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef WINNOW_H
#define WINNOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library, the package, the Python distribution. The first number is the ABI's: libwinnow.so.1. */
#define WN_VERSION_MAJOR 1
#define WN_VERSION_MINOR 1
#define WN_VERSION_PATCH 0
#define WN_VERSION_NUMBER (WN_VERSION_MAJOR * 10000 + WN_VERSION_MINOR * 100 + WN_VERSION_PATCH) /* #if WN_VERSION_NUMBER >= 10100 */
#define WN_VERSION WN_VERSION_TEXT_(WN_VERSION_MAJOR) "." WN_VERSION_TEXT_(WN_VERSION_MINOR) "." WN_VERSION_TEXT_(WN_VERSION_PATCH)
#define WN_VERSION_TEXT_(n) WN_VERSION_WORD_(n)
#define WN_VERSION_WORD_(n) #n
#define WN_ABI_VERSION WN_VERSION_MAJOR
#define WN_MAX_DIMS 16

#if defined(__GNUC__)
#define WN_API __attribute__((visibility("default")))
#define WN_MUST_CHECK __attribute__((warn_unused_result))
#define WN_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define WN_API
#define WN_MUST_CHECK
#define WN_PRINTF(text, first)
#endif

/* ==================================================================================== 1 basic types */

/* The first member of the structs that are options' types: it accepts no number. Without it `.alpha = 2` would set the
 * member `kind` of a wn_val, because C lets inner braces be left out. It is empty; C++ has no such rule. */
#ifdef __cplusplus
#define WN_NO_NUMBER_(advice)
#else
#define WN_NO_NUMBER_(advice) __extension__ struct {} advice;
#endif

typedef struct wn_tensor wn_tensor; /* opaque handle */

/* Element types; the numbers are frozen. 0 means "not given": infer or keep. */
typedef enum wn_dtype {
    WN_DTYPE_DEFAULT = 0,
    WN_F32 = 1,
    WN_F64 = 2,
    WN_F16 = 3,
    WN_BF16 = 4,
    WN_I8 = 5,
    WN_I16 = 6,
    WN_I32 = 7,
    WN_I64 = 8,
    WN_U8 = 9,
    WN_BOOL = 10
} wn_dtype;

/* Where a tensor's elements are. 0 means "not given": where the operands are, else where the scope says
 * (wn_modes.device), else in main memory. On WN_META there are none: a tensor there has a shape, strides, a dtype and a
 * history, and operations on it give results of the right kind, or errors, without computing. Reading a value there is
 * an error, and so is combining such a tensor with one in main memory that has 1 dimension or more. */
typedef enum wn_device { WN_DEVICE_DEFAULT = 0, WN_CPU = 1, WN_META = 2 } wn_device;

WN_API const char *wn_dtype_name(wn_dtype dtype); /* "float32", ...; "?" for a number that is no dtype */
WN_API size_t wn_dtype_size(wn_dtype dtype);      /* bytes of an element; 0 for a number that is no dtype */
/* The smallest dtype of the higher category (bool, integers, floats) that holds both, as torch.promote_types; WN_DTYPE_DEFAULT is neutral. */
WN_API wn_dtype wn_promote_types(wn_dtype a, wn_dtype b);

/* A boolean option whose default is not false: WN_ON, WN_OFF or, if left out, WN_DEFAULT. */
typedef struct wn_switch {
    WN_NO_NUMBER_(write_WN_ON_or_WN_OFF)
    int state; /* 0: default, 1: on, 2: off */
} wn_switch;
/* What the switch says, or `by_default` if it says nothing. */
static inline bool wn_is_on(wn_switch s, bool by_default) { return s.state ? s.state == 1 : by_default; }
#ifdef __cplusplus
#define WN_SWITCH_(s) (wn_switch{s})
#else
#define WN_SWITCH_(s) ((wn_switch){.state = s})
#endif
#define WN_DEFAULT WN_SWITCH_(0)
#define WN_ON WN_SWITCH_(1)
#define WN_OFF WN_SWITCH_(2)

/* A list of integers by value: shapes, dimensions, strides. n = 0 means "not given"; WN_0D is the empty list, given. */
typedef struct wn_dims {
    WN_NO_NUMBER_(write_WN_DIMS)
    int n;
    int64_t v[WN_MAX_DIMS];
} wn_dims;

/* A list of handles; the array belongs to the caller (arguments) or to the scope (results). */
typedef struct wn_list {
    WN_NO_NUMBER_(write_WN_LIST)
    int64_t n;
    wn_tensor **v;
} wn_list;

/* A number or a tensor, by value. Numbers are weak: they never widen a tensor within its category. */
typedef enum wn_val_kind {
    WN_VAL_NONE = 0,
    WN_VAL_TENSOR = 1,
    WN_VAL_BOOL = 2,
    WN_VAL_INT = 3,
    WN_VAL_FLOAT = 4
} wn_val_kind;
typedef struct wn_val {
    WN_NO_NUMBER_(write_WN_VAL)
    uint64_t kind; /* wn_val_kind */
    union {
        wn_tensor *t;
        int64_t i;
        double f;
    } u;
} wn_val;

static inline wn_val wn_val_of_val(wn_val v) { return v; }
static inline wn_val wn_val_of_tensor(wn_tensor *t) {
    wn_val v;
    v.kind = t ? WN_VAL_TENSOR : WN_VAL_NONE;
    v.u.t = t;
    return v;
}
static inline wn_val wn_val_of_int(int64_t i) {
    wn_val v;
    v.kind = WN_VAL_INT;
    v.u.i = i;
    return v;
}
static inline wn_val wn_val_of_uint(uint64_t i) { return wn_val_of_int((int64_t)i); }
static inline wn_val wn_val_of_float(double f) {
    wn_val v;
    v.kind = WN_VAL_FLOAT;
    v.u.f = f;
    return v;
}
static inline wn_val wn_val_of_bool(bool b) {
    wn_val v;
    v.kind = WN_VAL_BOOL;
    v.u.i = b;
    return v;
}
static inline wn_val wn_val_none(void) {
    wn_val v;
    v.kind = WN_VAL_NONE;
    v.u.i = 0;
    return v;
}

#ifndef __cplusplus
#define WN_NONE (wn_val_none())
#define WN_TRUE (wn_val_of_bool(1))  /* in C11 `true` is an int */
#define WN_FALSE (wn_val_of_bool(0))
#define WN_CAT1_(a, b) a##b
#define WN_CAT_(a, b) WN_CAT1_(a, b)
/* WN_VAL(x): any number, tensor or wn_val as a wn_val. The temporary keeps nested calls from growing exponentially. */
#define WN_VAL(x) WN_VAL1_(x, WN_CAT_(wn_v_, __COUNTER__))
#define WN_VAL1_(x, v) __extension__({ __auto_type v = (x); WN_PICK_(v)(v); })
#define WN_PICK_(v)                                                                                                    \
    _Generic((v), wn_val: wn_val_of_val, wn_tensor *: wn_val_of_tensor, _Bool: wn_val_of_bool, char: wn_val_of_int,    \
             signed char: wn_val_of_int, short: wn_val_of_int, int: wn_val_of_int, long: wn_val_of_int,                \
             long long: wn_val_of_int, unsigned char: wn_val_of_uint, unsigned short: wn_val_of_uint,                  \
             unsigned int: wn_val_of_uint, unsigned long: wn_val_of_uint, unsigned long long: wn_val_of_uint,          \
             float: wn_val_of_float, double: wn_val_of_float)
#define WN_DIMS(...)                                                                                                   \
    ((wn_dims){.n = (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), .v = {__VA_ARGS__}})
#define WN_0D ((wn_dims){.n = -1})
#define WN_LIST(...)                                                                                                   \
    ((wn_list){.n = (int64_t)(sizeof((wn_tensor *[]){__VA_ARGS__}) / sizeof(wn_tensor *)),                             \
               .v = (wn_tensor *[]){__VA_ARGS__}})
#define WN_UNSET ((wn_dims){.n = 0})
#define WN_NO_LIST ((wn_list){.n = 0, .v = NULL})
/* For the generated macros: WN_<n>_ is `enough` if an argument list (of up to 24 items) has n or more, else `few`,
 * which is an error with a text and nothing more. */
#define WN_FEW_(text, ...) WN_PRAGMA_(GCC error text) 0
#define WN_PRAGMA_(...) _Pragma(#__VA_ARGS__)
#define WN_1_(few, enough, ...) enough
#define WN_2_(few, enough, ...)                                                                                        \
    WN_PICK25_(__VA_ARGS__, enough, enough, enough, enough, enough, enough, enough, enough, enough, enough, enough, enough, enough, \
               enough, enough, enough, enough, enough, enough, enough, enough, enough, enough, few, ~)
#define WN_3_(few, enough, a, ...) WN_2_(few, enough, __VA_ARGS__)
#define WN_4_(few, enough, a, ...) WN_3_(few, enough, __VA_ARGS__)
#define WN_5_(few, enough, a, ...) WN_4_(few, enough, __VA_ARGS__)
#define WN_6_(few, enough, a, ...) WN_5_(few, enough, __VA_ARGS__)
#define WN_7_(few, enough, a, ...) WN_6_(few, enough, __VA_ARGS__)
#define WN_8_(few, enough, a, ...) WN_7_(few, enough, __VA_ARGS__)
#define WN_9_(few, enough, a, ...) WN_8_(few, enough, __VA_ARGS__)
#define WN_10_(few, enough, a, ...) WN_9_(few, enough, __VA_ARGS__)
#define WN_11_(few, enough, a, ...) WN_10_(few, enough, __VA_ARGS__)
#define WN_12_(few, enough, a, ...) WN_11_(few, enough, __VA_ARGS__)
#define WN_PICK25_(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, \
                   a24, a25, ...) a25
#endif

/* ==================================================================================== 2 errors */

typedef enum wn_status {
    WN_OK = 0,
    WN_E_RUNTIME = 1,         /* RuntimeError */
    WN_E_INDEX = 2,           /* IndexError */
    WN_E_VALUE = 3,           /* ValueError */
    WN_E_TYPE = 4,            /* TypeError */
    WN_E_NOT_IMPLEMENTED = 5, /* NotImplementedError */
    WN_E_LINALG = 6,          /* LinAlgError */
    WN_E_MEMORY = 7,          /* MemoryError */
    WN_E_INTERRUPTED = 8      /* KeyboardInterrupt: see wn_interrupt */
} wn_status;

/* False for a bad tensor (the result of a failed operation) and for NULL. */
WN_API bool wn_ok(const wn_tensor *t);
/* The thread's error record: the first error since the last wn_clear(). */
WN_API wn_status wn_error(void);             /* WN_OK if there is none */
WN_API const char *wn_error_message(void);   /* "" if there is none; valid until wn_clear() or the thread ends */
WN_API const char *wn_error_op(void);        /* the operation that failed, "" if there is none */
WN_API int64_t wn_error_count(void);         /* errors since the last wn_clear(), the first included */
WN_API void wn_clear(void);
/* For callbacks (hooks, custom functions): records a failure with a message, as an operation does. Only the first error
 * since wn_clear() is kept. op: what failed; it is put before the message ("" or NULL: nothing is). Returns code, but
 * WN_E_RUNTIME for WN_OK, so that the result always says that something failed. */
WN_API wn_status wn_raise(wn_status code, const char *op, const char *fmt, ...) WN_PRINTF(3, 4);
/* Called once for each new record, on the thread that failed. Default: one line on stderr. NULL: silent. */
typedef void (*wn_error_hook)(wn_status code, const char *message);
WN_API void wn_set_error_hook(wn_error_hook hook);
WN_API void wn_fatal(wn_status code, const char *message); /* a hook for examples: prints, then exit(1) */
/* Called when an operation succeeds but has a warning (a variance without degrees of freedom, a copy that costs more
 * than the search). It runs on the calling thread, within the call: it may note the warning and must not call the
 * library. once: one warning in the life of the program is enough. Default: NULL, nobody is told. */
typedef void (*wn_warning_hook)(const char *op, const char *message, bool once);
WN_API void wn_set_warning_hook(wn_warning_hook hook);

/* Interruption. wn_interrupt() asks that the computation at work be given up. It may be called on any thread and in a
 * signal handler (it sets a flag; the library itself installs no handler):
 * `static void on_sigint(int s) { wn_interrupt(); }`.
 * - The request concerns one thread: that of main(), or the last one that has called wn_take_interrupts(), or the only
 *   thread of a process that was forked. Other threads' work goes on.
 * - The call that this thread is in, or else its next one that has more than about a millisecond to do, fails with
 *   WN_E_INTERRUPTED, recorded and returned like any other failure. The flag is looked at every few milliseconds, and
 *   short work, which is done soon, may miss it. The failure clears the request: one request ends one call.
 *   wn_clear_interrupt() withdraws a request that no call has met yet, and says whether there was one; a loop of short
 *   calls may ask it.
 * - Only work that writes fresh memory is given up: operations that make new tensors, pending computations, backward
 *   between two nodes. What changes existing memory (in place, out=, the steps of optimisers, sums into .grad) is
 *   completed or, if the request comes before it has begun, perhaps not done at all. Calls of LAPACK and of files are
 *   not interrupted either.
 * - Afterwards the result of the operation is bad. Tensors that were pending still are: they are good, and can be read
 *   again with the same bits. Memory of unfinished results is freed. A random generator may have gone on as if the draw
 *   had been made. After an interrupted wn_backward a leaf that had no .grad (and no hooks) has none; others have their
 *   old .grad or the whole new sum. The graph is as after an error in a hook: without .retain_graph, nodes that have
 *   run have freed what they saved.
 * After wn_clear(), as after any error, the program goes on. */
WN_API void wn_interrupt(void);
WN_API bool wn_clear_interrupt(void);
WN_API void wn_take_interrupts(void);
/* A hook that the concerned thread calls every 50 ms or so during work that may be interrupted; returning true is a
 * wn_interrupt(). It runs in the middle of that work, inside the library's locks, so it must not wait for a thread that
 * may wait for those (see wn_set_wait_hook). If it calls the library, reading pending tensors and changing what they
 * read are errors. NULL: none. */
typedef bool (*wn_interrupt_hook)(void *user);
WN_API void wn_set_interrupt_hook(wn_interrupt_hook hook, void *user);
/* Called on a thread that must wait because another is at work on pending tensors (begins: true), and again on the same
 * thread when it has waited (false), now inside the library's locks. A binding releases its interpreter's lock in
 * between. So it may wait for that lock in both hooks: whoever holds it waits for no lock of ours. NULL: none. */
typedef void (*wn_wait_hook)(bool begins);
WN_API void wn_set_wait_hook(wn_wait_hook hook);

/* ==================================================================================== 3 scopes and modes */

/* A scope owns the handles made while it is the innermost one of its thread, and restores the thread's modes when it
 * ends. WN_SCOPE(s) is a declaration: the scope ends at the closing brace however it is left. */
typedef struct wn_scope {
    uint32_t mark;   /* height of the handle stack */
    uint32_t serial; /* detects stale and out-of-order ends; 0 = ended */
    uint32_t modes;  /* the thread's modes at the start */
    uint32_t depth;
} wn_scope;

WN_API wn_scope wn_begin(void);  /* a scope that ends with wn_end, where no block of C fits */
WN_API void wn_end(wn_scope *s); /* ends s and every scope opened inside it; ending twice does nothing */
/* Ends s and hands t to the enclosing scope; returns t. */
WN_API wn_tensor *wn_leave(wn_scope *s, wn_tensor *t);
/* Moves t from the innermost scope to the one around it; returns t. */
WN_API wn_tensor *wn_escape(wn_tensor *t);
WN_API wn_tensor *wn_keep(wn_tensor *t); /* +1 owned reference; returns t */
WN_API void wn_drop(wn_tensor *t);       /* -1 owned reference; NULL is accepted */
WN_API void wn_done(wn_tensor *t);       /* releases the innermost scope's reference early */
/* Lists as results: element i, or a bad tensor when i is out of range (negative i counts from the end). */
WN_API wn_tensor *wn_at(wn_list l, int64_t i);

typedef struct wn_modes {
    wn_switch grad;      /* record operations for autograd; default on */
    wn_switch inference; /* results can never take part in autograd */
    wn_switch autocast;  /* see wn_set_autocast */
    wn_dtype autocast_dtype; /* with autocast: its dtype; default bfloat16 */
    wn_device device;    /* the device of factories whose .device is not given */
} wn_modes;
WN_API wn_scope wn_begin_modes(wn_modes modes); /* a scope with modes switched; 0 leaves a mode as it is */
WN_API bool wn_grad_enabled(void);
WN_API bool wn_inference_enabled(void);
WN_API void wn_set_grad_enabled(bool on);
WN_API void wn_set_inference_enabled(bool on); /* alone: torch's inference mode also switches recording off */
/* Autocast, torch.autocast("cpu"). While it is on in this thread, products (mm, linear, conv, attention ...) convert
 * floating operands other than float64 to dtype (bfloat16, float16, float32); losses and decompositions convert them to
 * float32; in-place and out= calls are left alone. Weights that require a gradient are converted once, until
 * wn_clear_autocast_cache() or the end of the scope that switched it on, and again if they change. */
WN_API wn_status wn_set_autocast(bool on, wn_dtype dtype);
WN_API bool wn_autocast_enabled(void);
WN_API wn_dtype wn_autocast_dtype(void);
WN_API void wn_set_autocast_cache(bool on); /* default on */
WN_API bool wn_autocast_cache_enabled(void);
WN_API void wn_clear_autocast_cache(void);

#if !defined(__cplusplus) && defined(__GNUC__)
#define WN_SCOPE(s) wn_scope s __attribute__((cleanup(wn_end), unused)) = wn_begin()
#define WN_MODE(...)                                                                                                   \
    wn_scope WN_CAT_(wn_mode_, __COUNTER__) __attribute__((cleanup(wn_end), unused)) =                                 \
        wn_begin_modes((wn_modes){__VA_ARGS__})
#define WN_NO_GRAD() WN_MODE(.grad = WN_OFF) /* until the closing brace; also a scope */
#define WN_AUTOCAST(dtype) WN_MODE(.autocast = WN_ON, .autocast_dtype = (dtype)) /* until the closing brace; also a scope */
#define WN_INFERENCE() WN_MODE(.grad = WN_OFF, .inference = WN_ON)
#endif

/* ==================================================================================== 4 tensors */

WN_API int wn_ndim(const wn_tensor *t);                /* 0 to WN_MAX_DIMS */
WN_API int64_t wn_size(const wn_tensor *t, int dim);   /* negative dims count from the end; -1 if out of range */
WN_API int64_t wn_stride(const wn_tensor *t, int dim); /* in elements */
WN_API wn_dims wn_shape(const wn_tensor *t);           /* WN_0D for a tensor without dimensions */
WN_API wn_dims wn_strides(const wn_tensor *t);
WN_API int64_t wn_numel(const wn_tensor *t);
WN_API wn_dtype wn_dtype_of(const wn_tensor *t);
WN_API wn_device wn_device_of(const wn_tensor *t);
WN_API int64_t wn_storage_offset(const wn_tensor *t); /* in elements */
WN_API bool wn_is_contiguous(const wn_tensor *t);
WN_API bool wn_same_storage(const wn_tensor *a, const wn_tensor *b);
WN_API uint32_t wn_version(const wn_tensor *t); /* counts in-place changes of the storage */

/* The first element's address. wn_data is for reading; it runs what is pending. wn_data_mut is for writing; it also
 * counts a change (wn_version) and first serves pending operations that have still to read the old contents. So call it
 * again before each round of writes, and wn_data again after the tensor was changed: operations made earlier may or may
 * not see what is written through an old pointer. NULL for a bad tensor, and possibly for one without elements.
 * Elements lie at the tensor's strides. */
WN_API const void *wn_data(wn_tensor *t);
WN_API void *wn_data_mut(wn_tensor *t);
/* Off its *support* a tensor is known to be zero, since the operation that made it writes zeros there (wn_tril, wn_eye,
 * wn_block_diag, wn_pad ...). Products skip the terms of such zeros, with the bits of the dense product. It is known of
 * tensors of 4,096 elements and more, until their memory changes. WINNOW_SUPPORT=0 in the environment: never. */
typedef enum wn_support_kind {
    WN_SUPPORT_ALL,   /* nothing is known: any element may differ from zero */
    WN_SUPPORT_NONE,  /* no element does */
    WN_SUPPORT_BAND,  /* in two dimensions: where lower <= j - i <= upper */
    WN_SUPPORT_BLOCKS, /* a list of boxes */
    WN_SUPPORT_ROWS   /* a list of indices of one dimension */
} wn_support_kind;
typedef struct wn_support wn_support;
/* NULL: WN_SUPPORT_ALL. Borrowed, for as long as t's memory, all of which it is about, exists and does not change. */
WN_API const wn_support *wn_support_of(const wn_tensor *t);
WN_API wn_support_kind wn_kind_of_support(const wn_support *s); /* NULL: WN_SUPPORT_ALL */

/* The single element of a one-element tensor. Errors give NaN or 0 and leave an error record. */
WN_API double wn_item_f64(wn_tensor *t);
WN_API int64_t wn_item_i64(wn_tensor *t);
WN_API bool wn_item_bool(wn_tensor *t); /* is it not 0 (NaN is not)? Errors give false */

/* A fresh tensor that copies `numel` elements from C memory (row-major, of dtype `dtype`). */
WN_API wn_tensor *wn_from_data(const void *data, wn_dims shape, wn_dtype dtype);
/* Wraps C memory without copying; `deleter(ctx)` (may be NULL) runs when the last view is gone. strides in elements,
 * WN_UNSET: row-major. The storage is *exposed* (see wn_expose). */
WN_API wn_tensor *wn_from_memory(void *data, wn_dims shape, wn_dims strides, wn_dtype dtype, void (*deleter)(void *),
                                 void *ctx);
/* Copies the elements, row-major and converted to `dtype`, to `dst` of `bytes` bytes. */
WN_API WN_MUST_CHECK wn_status wn_to_memory(wn_tensor *t, void *dst, size_t bytes, wn_dtype dtype);

/* Prints as PyTorch does. wn_repr writes at most cap bytes with the final 0 and returns the length needed without it;
 * wn_print writes repr and a newline to stdout (the one function that prints, because it is asked to). */
WN_API size_t wn_repr(wn_tensor *t, char *buf, size_t cap);
WN_API void wn_print(wn_tensor *t);
/* wn_repr with another beginning than "tensor(", such as "MyTensor(" or "Parameter containing:\ntensor(". Lines are
 * indented by the length of its last line. NULL: "tensor(". */
WN_API size_t wn_repr_as(wn_tensor *t, const char *prefix, char *buf, size_t cap);
/* torch.set_printoptions, for the process. Every field counts, so begin with wn_get_print_options(). NULL: the
 * defaults. Error: a value out of its range. */
typedef struct wn_print_options {
    int precision;     /* 4: digits after the point, 0 to 100 */
    int edgeitems;     /* 3: items at each end of a dimension that is summarised; 0: none */
    int64_t threshold; /* 1000: tensors with more elements are summarised */
    int linewidth;     /* 80 */
    int sci_mode;      /* -1: where it helps; 0: never; 1: always scientific notation */
} wn_print_options;
WN_API wn_print_options wn_get_print_options(void);
WN_API WN_MUST_CHECK wn_status wn_set_print_options(const wn_print_options *o);
/* Writes "f32[32,784]", for messages, by snprintf's rules. */
WN_API size_t wn_describe(const wn_tensor *t, char *buf, size_t cap);

/* Two slots for the owner of the handle (a binding's object, a name); winnow never reads them. slot: 0 or 1. */
WN_API void *wn_user(const wn_tensor *t, int slot);
WN_API void wn_set_user(wn_tensor *t, int slot, void *value);
/* fn(value) is called after a handle was freed that had a value other than NULL in slot 1: on the thread that freed it,
 * outside every lock of winnow's, never inside another such call (it waits for that). One fn in all; NULL: none. */
WN_API void wn_on_free(void (*fn)(void *value));
/* Number of references to the handle but scopes': by wn_keep, the tape, lists and modules. 0 for a bad tensor. */
WN_API int64_t wn_references(const wn_tensor *t);

/* Exposed memory. While somebody outside knows the address (a NumPy array, a DLPack capsule), operations that read or
 * write the storage do so before they return, so that both sides always see the same contents. wn_expose first settles
 * what is pending on the storage; each call needs its wn_unexpose. The count belongs to the storage: if t may be given
 * another one in between (wn_set_data, out=), expose an alias that nobody else has (wn_detach). Error: the pending
 * computation's. */
WN_API WN_MUST_CHECK wn_status wn_expose(wn_tensor *t);
WN_API void wn_unexpose(wn_tensor *t);
/* For memory of wn_from_memory, if its owner can tell whether anybody outside still knows it. Operations that could be
 * deferred call alone(ctx), with the deleter's ctx, on any thread, until it returns true. From then on the memory
 * counts as winnow's own, so it must stay true: only wn_expose may give the address away. NULL: never. */
WN_API void wn_exposed_until(wn_tensor *t, bool (*alone)(void *ctx));
WN_API bool wn_is_pending(const wn_tensor *t);      /* is its computation deferred and not yet run? */
/* The storage, of which t may be a part: its first byte (runs what is pending; NULL for a bad tensor) and its length. */
WN_API const void *wn_storage_data(wn_tensor *t);
WN_API size_t wn_storage_bytes(const wn_tensor *t);

/* torch's `t.data = src` and set_(): t becomes a handle on src's storage, with src's shape, strides and dtype. It keeps
 * its autograd state, but is no view any more. That counts as an in-place change of t, unless shape and dtype stay the
 * same and the dtype is floating: then backward reads the new contents in place of what it saved. Errors: either is
 * bad; t requires grad and src is not floating. */
WN_API WN_MUST_CHECK wn_status wn_set_data(wn_tensor *t, wn_tensor *src);
/* torch's `t.data`: the same memory without history, like wn_detach. But if the dtype is floating, in-place changes
 * through it and its views are not counted: backward reads the changed contents in place of what it saved. */
WN_API wn_tensor *wn_get_data(wn_tensor *t);

/* The dtype of float results if none is given (WN_F32 at the start); only floating dtypes. */
WN_API wn_dtype wn_default_dtype(void);
WN_API WN_MUST_CHECK wn_status wn_set_default_dtype(wn_dtype dtype);
/* The device of factories whose .device is not given, for this thread and scope. WN_CPU at the start. */
WN_API wn_device wn_default_device(void);
WN_API WN_MUST_CHECK wn_status wn_set_default_device(wn_device device);

/* ==================================================================================== 5 autograd */

/* Marks a floating leaf (or clears the mark); returns t, or a bad tensor when t is not a floating leaf. */
WN_API wn_tensor *wn_requires_grad(wn_tensor *t, bool on);
WN_API bool wn_needs_grad(const wn_tensor *t); /* torch's t.requires_grad */
WN_API bool wn_is_leaf(const wn_tensor *t);
WN_API wn_tensor *wn_grad_of(wn_tensor *t); /* .grad: borrowed from the scope; NULL if there is none yet */
WN_API WN_MUST_CHECK wn_status wn_set_grad(wn_tensor *t, wn_tensor *grad); /* NULL clears */
WN_API wn_tensor *wn_retain_grad(wn_tensor *t); /* backward fills .grad of a non-leaf too; returns t */
WN_API const char *wn_grad_fn(const wn_tensor *t); /* the name of the operation that made t, NULL for a leaf */
/* torch's detach_(): t becomes a leaf that requires no grad; what was recorded with it stays recorded. Error: t is bad or a view. */
WN_API WN_MUST_CHECK wn_status wn_drop_history(wn_tensor *t);
WN_API bool wn_retains_grad(const wn_tensor *t);   /* a non-leaf for which wn_retain_grad was called */
WN_API bool wn_is_inference(const wn_tensor *t);   /* made in inference mode */
WN_API int wn_output_nr(wn_tensor *t);             /* its number among the results of its wn_node_of; 0 for a leaf */
/* The tensor whose storage t is a view of (torch's _base), borrowed from the scope; NULL if t is no view. Only floating
 * tensors have one. */
WN_API wn_tensor *wn_base_of(const wn_tensor *t);

typedef struct wn_backward_args {
    size_t size_;
    wn_tensor *root;     /* the tensor to differentiate */
    wn_tensor *gradient; /* cotangent of root; may be absent when root has one element */
    bool retain_graph;   /* keep saved tensors for another backward */
    bool create_graph;   /* record the backward itself (implies retain_graph) */
    wn_list inputs;      /* only these get .grad; non-leaves retain it. n = 0: every leaf that requires it */
} wn_backward_args;
/* Accumulates d(root)/d(leaf) into .grad of every leaf that requires it. */
WN_API WN_MUST_CHECK wn_status wn_backward_x(const wn_backward_args *args);

typedef struct wn_backward_all_args {
    size_t size_;
    wn_list roots;
    wn_list gradients; /* one for each root; NULL: ones, if the root has one element; n = 0: ones for all */
    bool retain_graph;
    bool create_graph;
    wn_list inputs;    /* as in wn_backward_args */
} wn_backward_all_args;
/* The same from several roots at once (torch.autograd.backward). */
WN_API WN_MUST_CHECK wn_status wn_backward_all_x(const wn_backward_all_args *args);

typedef struct wn_grad_args {
    size_t size_;
    wn_list outputs;
    wn_list inputs;
    wn_list gradients; /* cotangents of the outputs; n = 0: ones, and every output has one element */
    bool retain_graph;
    bool create_graph;
    bool allow_unused; /* otherwise an input that the outputs do not depend on is an error */
} wn_grad_args;
/* d(outputs)/d(inputs) as a list, without touching .grad; an unused input gives NULL. */
WN_API wn_list wn_grad_x(const wn_grad_args *args);
#ifndef __cplusplus
#define wn_backward(...) wn_backward_x(&(wn_backward_args){.size_ = sizeof(wn_backward_args), .root = __VA_ARGS__})
#define wn_backward_all(...)                                                                                           \
    wn_backward_all_x(&(wn_backward_all_args){.size_ = sizeof(wn_backward_all_args), .roots = __VA_ARGS__})
#define wn_grad(...) wn_grad_x(&(wn_grad_args){.size_ = sizeof(wn_grad_args), .outputs = __VA_ARGS__})
#endif

/* Hooks. Registering returns an id > 0, or 0 and an error record; then ctx still belongs to the caller. A hook that
 * leaves an error record, or returns a bad tensor, stops the backward with that error; gradients accumulated before
 * stay. release(ctx) (may be NULL) is called once, after the hook was removed or what it was registered on is gone,
 * outside every lock of winnow's.
 *
 * A tensor's hook sees its complete gradient when backward reaches it, and returns that, another one (borrowed), or
 * NULL to keep it. */
typedef wn_tensor *(*wn_grad_hook)(void *ctx, wn_tensor *grad);
WN_API int64_t wn_register_hook(wn_tensor *t, wn_grad_hook hook, void *ctx);
WN_API int64_t wn_register_hook_owned(wn_tensor *t, wn_grad_hook hook, void *ctx, void (*release)(void *ctx));
/* A leaf's hook, for leaves that require grad: called after a backward (not wn_grad) has put the gradient into .grad.
 * Returns WN_OK or the result of wn_raise. */
typedef wn_status (*wn_leaf_hook)(void *ctx, wn_tensor *leaf);
WN_API int64_t wn_register_accumulate_hook(wn_tensor *leaf, wn_leaf_hook hook, void *ctx, void (*release)(void *ctx));
/* Removes the hook with that id, whatever it is registered on; t is ignored. An unknown id does nothing. */
WN_API void wn_remove_hook(wn_tensor *t, int64_t id);

/* The graph: a node is an operation that was recorded (torch's grad_fn). */
typedef struct wn_node wn_node;
WN_API wn_node *wn_node_of(wn_tensor *t); /* t's node, owned; NULL: a leaf (or, with an error record, no memory) */
WN_API wn_node *wn_node_keep(wn_node *n); /* +1 reference; returns n */
WN_API void wn_node_drop(wn_node *n);     /* -1 reference; NULL is accepted */
/* Writes the name that torch prints, "MulBackward0", by snprintf's rules. */
WN_API size_t wn_node_name(const wn_node *n, char *buf, size_t cap);
WN_API uint64_t wn_node_sequence(const wn_node *n); /* order of recording: backward runs the largest first */
WN_API int wn_node_outputs(const wn_node *n);
WN_API int wn_node_inputs(const wn_node *n);
typedef struct wn_edge {
    wn_node *node;   /* the gradient goes to result `output` of this node; NULL: see leaf */
    wn_tensor *leaf; /* the gradient goes into this leaf's .grad; if both are NULL it goes nowhere */
    int output;      /* number of the node's result */
} wn_edge;
WN_API wn_edge wn_node_input(const wn_node *n, int i); /* n owns node and leaf; they live as long as n */
/* Hooks of a node. A prehook sees the gradients of the node's results before it runs; the other hook, after it ran,
 * those of its inputs as well. Elements of the lists may be NULL: no gradient. `replace` holds the gradients of the
 * first list; a hook that writes others (borrowed) there exchanges them. Returns WN_OK or the result of wn_raise. */
typedef wn_status (*wn_node_prehook)(void *ctx, wn_list grad_outputs, wn_tensor **replace);
typedef wn_status (*wn_node_hook)(void *ctx, wn_list grad_inputs, wn_list grad_outputs, wn_tensor **replace);
WN_API int64_t wn_node_register_prehook(wn_node *n, wn_node_prehook hook, void *ctx, void (*release)(void *ctx));
WN_API int64_t wn_node_register_hook(wn_node *n, wn_node_hook hook, void *ctx, void (*release)(void *ctx));

/* Saved-tensor hooks (torch.autograd.graph.saved_tensors_hooks). While a pair is the innermost of its thread, each
 * tensor that operations would save for backward is kept as what `pack` returns, and `unpack` gives a tensor for that
 * each time backward wants it. pack: t is borrowed and has no history; if it returns NULL or leaves an error record,
 * the operation fails. unpack: returns a borrowed tensor of t's shape and dtype. drop (may be NULL): a packed value is
 * not needed any more. free (may be NULL): the pair is not needed any more, nor is anything that it packed. Both are
 * called outside every lock of winnow's. Custom functions take care of what they keep themselves. */
typedef struct wn_saved_hooks {
    void *(*pack)(void *ctx, wn_tensor *t);
    wn_tensor *(*unpack)(void *ctx, void *packed);
    void (*drop)(void *ctx, void *packed);
    void (*free)(void *ctx);
    void *ctx;
} wn_saved_hooks;
WN_API WN_MUST_CHECK wn_status wn_push_saved_hooks(const wn_saved_hooks *hooks); /* on an error ctx stays the caller's */
WN_API void wn_pop_saved_hooks(void); /* removes the thread's innermost pair, if there is one */

/* Custom functions. forward computes without being recorded. backward gets the outputs' gradients (NULL: that output
 * takes no part) and fills gin[i] for each input (NULL: no gradient). */
typedef struct wn_fctx wn_fctx;
typedef struct wn_function {
    const char *name;
    wn_tensor *(*forward)(wn_fctx *c, wn_list in);
    void (*backward)(wn_fctx *c, wn_list gout, wn_tensor **gin);
} wn_function;
WN_API wn_tensor *wn_apply_x(const wn_function *f, void *user, wn_list in);
WN_API void wn_stash(wn_fctx *c, wn_tensor *t);     /* in forward: save a tensor for backward */
WN_API wn_tensor *wn_stashed(wn_fctx *c, int i);    /* in backward: the i-th saved tensor, borrowed */
WN_API void *wn_fctx_user(wn_fctx *c);

/* The same for what was computed already, with any number of results (torch.autograd.Function). Give it the outputs of
 * an unrecorded computation (WN_NO_GRAD), each with a handle of its own; an input that is returned unchanged needs an
 * alias. It records only if grad mode is on and an input needs a gradient. On WN_OK it owns ctx, and calls free(ctx) at
 * once if nothing was recorded; on an error ctx still belongs to the caller. */
typedef wn_status (*wn_record_backward)(void *ctx, wn_list gout, wn_tensor **gin);
typedef struct wn_record_args {
    size_t size_;
    const char *name;             /* torch prints <name>Backward; copied */
    wn_list inputs, outputs;      /* elements may be NULL: no tensor */
    void *ctx;
    /* As wn_function's: elements of gout may be NULL; gin[i] is borrowed or NULL. Returns WN_OK or the result of
     * wn_raise. */
    wn_record_backward backward;
    void (*release)(void *ctx);   /* saved data may be freed: another backward will be an error; may be NULL */
    void (*free)(void *ctx);      /* the node is gone; may be NULL */
    const bool *non_differentiable; /* one for each output, or NULL: none is. Others than floating ones always are */
    const bool *dirty;            /* for each output, or NULL: is it one of the inputs, changed in place? */
} wn_record_args;
WN_API WN_MUST_CHECK wn_status wn_record_x(const wn_record_args *args);
WN_API void *wn_node_ctx(const wn_node *n, wn_record_backward backward); /* n's ctx, if recorded with that function */
/* An alias of t, borrowed from the scope, whose history is n's result `output`. A backward needs it for results of its
 * own, which it must have saved without history: with it, they and their node would keep each other alive. */
WN_API wn_tensor *wn_reattach(wn_tensor *t, wn_node *n, int output);
#ifndef __cplusplus
#define wn_record(...) wn_record_x(&(wn_record_args){.size_ = sizeof(wn_record_args), .name = __VA_ARGS__})
#define wn_apply(f, ...) wn_apply_x((f), NULL, WN_LIST(__VA_ARGS__))
#endif

/* A function of tensors, with a context of its own. */
typedef wn_tensor *(*wn_fn)(void *ctx, wn_list in);

/* fn(ctx, inputs), keeping only the inputs for backward: what its operations would save is computed again, by another
 * call of fn, when backward needs it (Chen et al. 2016, "Training deep nets with sublinear memory cost";
 * torch.utils.checkpoint with use_reentrant=False). That call sees the same inputs, autocast mode and random numbers of
 * the default generator, and must do the same. Parameters that fn reaches through ctx get their gradients, too.
 * Checkpoints nest; wn_grad and create_graph work. free(ctx) (may be NULL) is called once, when fn will not be called
 * again, also after an error. */
typedef struct wn_checkpoint_args {
    size_t size_;
    wn_fn fn;
    void *ctx;
    wn_list inputs;               /* elements may be NULL: no tensor */
    wn_switch preserve_rng_state; /* default on; WN_OFF saves copying the generator's state if fn draws nothing */
    void (*free)(void *ctx);
} wn_checkpoint_args;
WN_API wn_tensor *wn_checkpoint_x(const wn_checkpoint_args *args);
#ifndef __cplusplus
/* wn_checkpoint(block, &layer, WN_LIST(x), .preserve_rng_state = WN_OFF) */
#define WN_ARGS_checkpoint_(text, f, c, in, ...)                                                                       \
    &(wn_checkpoint_args){.size_ = sizeof(wn_checkpoint_args), .fn = f, .ctx = c, .inputs = in, __VA_ARGS__}
#define wn_checkpoint(...)                                                                                             \
    wn_checkpoint_x(WN_3_(WN_FEW_, WN_ARGS_checkpoint_, __VA_ARGS__)("too few arguments: wn_checkpoint(fn, ctx, inputs, ...)", __VA_ARGS__, ))
#endif

/* Checks the gradient of fn at the inputs (f64, requiring grad) by central differences. The error names input and
 * element. `second` also checks the gradient of the gradient. */
WN_API WN_MUST_CHECK wn_status wn_gradcheck(wn_fn fn, void *ctx, wn_list in, double eps, double atol, double rtol, bool second);

/* ==================================================================================== 6 random numbers */

typedef struct wn_generator wn_generator;
WN_API wn_generator *wn_generator_new(uint64_t seed); /* NULL when memory is short */
WN_API void wn_generator_free(wn_generator *g);       /* NULL is accepted */
/* Reseeds g (NULL: the default generator). With WINNOW_RNG=torch in the environment generators produce the streams of
 * PyTorch's CPU generator (mt19937); otherwise Philox 4x32-10 (Salmon et al. 2011), element i of a result being a
 * function of (seed, offset, i), so the thread count never matters. */
WN_API void wn_generator_seed(wn_generator *g, uint64_t seed);
WN_API void wn_manual_seed(uint64_t seed); /* the default generator */
/* Here, too, g = NULL is the default generator. The state as bytes: copied to buf if cap is enough. Returns the size,
 * which depends only on the kind of stream: 24, or under WINNOW_RNG=torch 5056, the bytes of torch.get_rng_state().
 * Setting fails if the bytes are no state of such a generator, which then keeps its own. */
WN_API uint64_t wn_generator_initial_seed(const wn_generator *g); /* the seed that it was given last */
WN_API size_t wn_generator_state(const wn_generator *g, void *buf, size_t cap);
WN_API WN_MUST_CHECK wn_status wn_generator_set_state(wn_generator *g, const void *buf, size_t size);

/* ==================================================================================== 7 memory, threads and levels */

typedef struct wn_stats {
    int64_t allocated, allocated_peak; /* bytes of tensor data in use */
    int64_t reserved, reserved_peak;   /* bytes taken from the system, cached blocks included */
    int64_t allocations, frees;        /* counts of data blocks handed out and returned */
    int64_t system_allocations;        /* how many of these blocks came from the system */
    int64_t handles, storages;         /* live objects */
    int64_t elements;                  /* elements computed by kernels since the last reset */
    int64_t programs;                  /* kernel programs run */
    /* deferred operations (docs/deferred.md) */
    int64_t instr_elements, skipped;   /* instructions x elements that programs ran; that a mask spared */
    int64_t stored, recomputed;        /* pending values that went to memory; computed once more */
    int64_t dropped;                   /* pending values that nobody read: never computed */
    int64_t pending;                   /* values pending now */
    int64_t pinned, pinned_peak;       /* bytes that only pending values keep alive */
    /* backward of products if a mask left out some elements */
    int64_t products_checked;          /* operands that were searched for inf and NaN */
    int64_t products_apart;            /* operands that had some, whose terms were summed apart */
    int64_t short_pieces;              /* epilogues' pieces of less than 32 elements of a product */
    /* products of tensors with known zeros (wn_support_of): multiply-adds that their tiles did, and left out */
    int64_t terms_done, terms_skipped;
} wn_stats;
WN_API wn_stats wn_get_stats(void);
WN_API void wn_reset_peaks(void);
WN_API void wn_empty_cache(void);
WN_API void wn_set_memory_limit(int64_t bytes); /* of cached blocks; < 0: an eighth of memory (the default) */
/* The n-th internal allocation from now fails (0: the next); < 0 switches this off. For tests. */
WN_API void wn_fail_allocation(int64_t n);
WN_API bool wn_fail_allocation_hit(void); /* has the planned failure happened? */

/* Pointwise operations on at least `elements` elements (8192) are deferred: computed when somebody looks, several in
 * one pass. Nothing else shows it. elements: 1 or more sets the threshold, < 0 means never. In the environment,
 * WINNOW_DEFER=0 means never, =n sets it; WINNOW_TRACE=programs prints them on stderr. Returns the old value. */
WN_API int64_t wn_set_defer_from(int64_t elements);

/* What became of the work that a block of code asked for, by label and, within a label, by operation:
 *     wn_report *r = wn_report_begin();  ...  wn_report_end(r);  puts(wn_report_text(r));  wn_report_free(r);
 * Work is counted where it is done: `elements` are those that kernels and programs computed, `skipped` those that a
 * mask left out (where, and gradients behind it). If one pass over memory computes several operations, each gets its
 * share of the time. Reports may nest and may be open on several threads; each sees the whole process. While one is
 * open, small calls take the long way. */
typedef struct wn_report wn_report;
typedef struct wn_report_row {
    const char *op, *label;  /* label: the calling thread's, or NULL; both stay valid */
    int64_t calls;           /* calls of composite operations, and of those that they are made of */
    int64_t recorded;        /* calls that were deferred: their results waited for a reader */
    int64_t run, again;      /* results computed, at once or later; computed once more */
    int64_t never_run;       /* results that nobody read, and so were never computed */
    int64_t never_computed;  /* the elements of those results */
    int64_t waiting;         /* results that are pending now, or were when the report ended */
    int64_t elements, skipped;
    int64_t bytes_spared;    /* of results that never got memory: they stayed in registers, or were never computed */
    double seconds;          /* without operations called inside */
} wn_report_row;
WN_API wn_report *wn_report_begin(void); /* NULL and an error record: no memory */
WN_API wn_status wn_report_end(wn_report *r); /* stops counting; NULL and an ended report are accepted */
WN_API void wn_report_free(wn_report *r); /* ends it, too; NULL is accepted */
/* The rows, the most expensive label first, until the next look at this report. -1 and an error record: no memory. */
WN_API int64_t wn_report_rows(wn_report *r, const wn_report_row **rows);
WN_API double wn_report_seconds(const wn_report *r); /* from its beginning to its end */
/* The report as a table and as JSON, until the next look at it. NULL and an error record: no memory. */
WN_API const char *wn_report_text(wn_report *r);
WN_API const char *wn_report_json(wn_report *r);
/* Labels what the calling thread asks for from now on (NULL: no label); returns the last label. The text is copied. */
WN_API const char *wn_report_label(const char *text);

WN_API void wn_set_num_threads(int n); /* 1 .. 256; 0: the number of processors this process may use */
WN_API int wn_num_threads(void);
/* "portable", "avx2", "avx512": the instruction set level in use. WINNOW_LEVEL=... lowers it for tests. */
WN_API const char *wn_level(void);
WN_API int wn_abi_version(void);
WN_API const char *wn_library_version(void); /* WN_VERSION of the library that runs, "1.1.0" */
/* LAPACK's path, to be set before linear algebra is first used; NULL: none. WINNOW_LAPACK in the environment is tried
 * before it, the places where systems have one (OpenBLAS, MKL, the reference library) after it. */
WN_API WN_MUST_CHECK wn_status wn_set_lapack(const char *path);

/* ==================================================================================== 8 files */

/* Every error names the file and, if possible, the byte: "mnist.gz: byte 12: ...". Files are read completely and
 * checked before anything is returned; sizes in a file are believed only as far as the file's own size allows. Saving
 * writes a temporary file in the target's directory (without a name if possible, else .winnow-<pid>-<n>.tmp), syncs it
 * and renames it. So a process killed at any moment leaves the whole old file or the whole new one, and a failed save
 * leaves the old one. Tensors are saved in row-major order whatever their strides are. Bools are read as 0 and 1. */

/* Named tensors and text from a file. Reading it from several threads is safe. */
typedef struct wn_archive wn_archive;
WN_API int64_t wn_archive_count(const wn_archive *a);
WN_API const char *wn_archive_name(const wn_archive *a, int64_t i); /* in the file's order; NULL if out of range */
WN_API wn_tensor *wn_archive_at(const wn_archive *a, int64_t i);    /* the tensor outlives the archive */
WN_API wn_tensor *wn_archive_find(const wn_archive *a, const char *name); /* NULL if there is none */
WN_API const char *wn_archive_metadata(const wn_archive *a, const char *key); /* NULL if there is none */
/* The i-th key and its value; NULL if out of range. */
WN_API const char *wn_archive_metadata_at(const wn_archive *a, int64_t i, const char **value);
WN_API void wn_archive_free(wn_archive *a); /* NULL is accepted */

/* safetensors, all dtypes. NULL and an error record on failure. */
WN_API wn_archive *wn_load_safetensors(const char *path);
/* The same, with tensors in a private mapping of the file. Only the header and bools are read; other pages come when
 * they are touched. Writing to a tensor copies its pages and never changes the file. Tensors whose offset is no
 * multiple of their elements' size are read. As with all mappings, if somebody else shortens the file, a process that
 * touches what is gone is killed (SIGBUS). Replacing files by renaming, as all writers here do, is safe. */
WN_API wn_archive *wn_map_safetensors(const char *path);
typedef struct wn_save_safetensors_args {
    size_t size_;
    const char *path;
    const char *const *names; /* UTF-8, all different, one for each tensor */
    wn_list tensors;
    const char *const *metadata; /* key, value, key, value, ..., NULL; NULL: none */
} wn_save_safetensors_args;
WN_API WN_MUST_CHECK wn_status wn_save_safetensors_x(const wn_save_safetensors_args *args);
#ifndef __cplusplus
/* wn_save_safetensors("m.safetensors", WN_NAMES("w", "b"), WN_LIST(w, b), .metadata = WN_NAMES("format", "pt", NULL)) */
#define wn_save_safetensors(...)                                                                                       \
    wn_save_safetensors_x(&(wn_save_safetensors_args){.size_ = sizeof(wn_save_safetensors_args), .path = __VA_ARGS__})
#define WN_NAMES(...) ((const char *const[]){__VA_ARGS__})
#endif

/* NumPy's npy (versions 1 to 3, C and Fortran order, either byte order; not bf16, which the format lacks) and, for reading,
 * npz, compressed or not. */
WN_API wn_tensor *wn_load_npy(const char *path);
WN_API wn_tensor *wn_map_npy(const char *path); /* as wn_map_safetensors; files in the other byte order are read */
WN_API WN_MUST_CHECK wn_status wn_save_npy(wn_tensor *t, const char *path);
WN_API wn_archive *wn_load_npz(const char *path); /* names without ".npy" */

/* IDX, the format of MNIST, plain or gzip: u8, i8, i16, i32, f32 or f64. */
WN_API wn_tensor *wn_load_idx(const char *path);

/* CSV, plain or gzip: lines of fields separated by a delimiter, all with the same number of fields. A field in quotes
 * (`"a ""b"", c"`) may contain anything. Blanks around fields, and blank lines, are ignored. Numbers are read the same
 * in every locale and rounded once: floats as digits with a point and an exponent, inf or nan; integers exactly; bools
 * as 0, 1, true, false. Errors name line and column, both from 1: "iris.csv: line 3, column 2: ...".
 *   wn_tensor *x = wn_load_csv("iris.csv", .columns = WN_DIMS(0, 1, 2, 3));   [rows, 4]
 *   wn_archive *a = wn_load_csv_columns("people.csv", .dtypes = WN_DTYPES(WN_I64, WN_F32));  wn_archive_find(a, "age") */
typedef struct wn_load_csv_args {
    size_t size_;
    const char *path;
    wn_switch header;       /* has the first line names? Default: if none of its fields is a number; an error if some are */
    const char *delimiter;  /* one character; "," */
    int64_t skip;           /* number of lines before the first one that counts */
    wn_dims columns;        /* which, in this order, from 0; negative ones from the end. Default: all */
    wn_dtype dtype;         /* of all columns: f32, f64, integers or bool; wn_default_dtype() */
    const wn_dtype *dtypes; /* or of each wanted column, ended by 0: WN_DTYPES(WN_F32, WN_I64) */
    const char *missing;    /* a text that means "no value", such as "NA"; an empty field always does */
    wn_val fill;            /* the value for those: default NaN for floats; integers and bools need one */
} wn_load_csv_args;
/* The whole file as one matrix [rows, columns]. */
WN_API wn_tensor *wn_load_csv_x(const wn_load_csv_args *args);
/* A vector for each column, named as in the first line or by its number ("0", "1", ...). NULL on failure. */
WN_API wn_archive *wn_load_csv_columns_x(const wn_load_csv_args *args);
#ifndef __cplusplus
#define wn_load_csv(...) wn_load_csv_x(&(wn_load_csv_args){.size_ = sizeof(wn_load_csv_args), .path = __VA_ARGS__})
#define wn_load_csv_columns(...) wn_load_csv_columns_x(&(wn_load_csv_args){.size_ = sizeof(wn_load_csv_args), .path = __VA_ARGS__})
#define WN_DTYPES(...) ((const wn_dtype[]){__VA_ARGS__, WN_DTYPE_DEFAULT})
#endif

/* ==================================================================================== 9 datasets and loaders */

/* A dataset is a number of samples, each of which has the same parts (an image, a label): dtype and shape are fixed. A loader
 * puts samples together into batches, on threads of its own, each sample written once, directly into the batch's tensors.
 *
 *     wn_dataset *data = wn_idx_dataset("images.gz", "labels.gz", .floats = true);
 *     wn_loader *loader = wn_loader_new(data, 64, .shuffle = true, .workers = 2);
 *     wn_batch b;
 *     for (int epoch = 0; epoch < 5; epoch++)
 *         while (wn_next(loader, &b)) train(b.x, b.y);
 *     if (wn_error() != WN_OK) ...
 *     wn_loader_free(loader);
 *     wn_dataset_free(data);
 *
 * Order and bytes of all batches are a function of (seed, epoch) alone, whatever the number of workers. */
#define WN_MAX_PARTS 8
typedef struct wn_dataset wn_dataset; /* reference-counted: a loader holds its dataset */

/* Tensors with the same first dimension; sample i is row i of each. They are not copied: do not change them while a loader
 * runs. NULL and an error record on failure, as for all datasets. */
WN_API wn_dataset *wn_tensor_dataset(wn_list tensors);

typedef struct wn_idx_dataset_args {
    size_t size_;
    const char *images; /* IDX file of u8 [n, ...] */
    const char *labels; /* IDX file of integers [n]; they become i64. NULL: none */
    bool floats;        /* images as f32: (value / 255 - mean) / std; otherwise u8 as they are */
    double mean, std;   /* std 0: 1 */
    bool channel;       /* samples [1, 28, 28] instead of [28, 28], as convolutions want them */
} wn_idx_dataset_args;
WN_API wn_dataset *wn_idx_dataset_x(const wn_idx_dataset_args *args);

/* Your own dataset: `get` fills one sample. Several calls at a time may run on the loader's threads and on the one that
 * calls wn_next, so it must not change what they share. Each runs in a scope of its own, without gradients. */
typedef struct wn_part {
    wn_dtype dtype;
    wn_dims shape; /* of one sample; WN_0D: a single number */
} wn_part;
typedef struct wn_sample {
    int64_t index;    /* 0 .. count-1 */
    uint64_t seed;    /* a function of the loader's seed, the epoch and the index: for random augmentation */
    void *const *out; /* out[p]: write part p here, row-major (not zeroed) */
    char *why;        /* after a failure: the reason, at most why_size bytes with the final 0 */
    size_t why_size;
} wn_sample;
typedef wn_status (*wn_sample_fn)(void *ctx, const wn_sample *sample);
typedef struct wn_dataset_args {
    size_t size_;
    int64_t count;
    wn_sample_fn get;
    void *ctx;
    wn_part parts[WN_MAX_PARTS]; /* ended by dtype 0: .parts = {{WN_F32, WN_DIMS(28, 28)}, {WN_I64, WN_0D}} */
    void (*free)(void *ctx);     /* called with the last reference, but not if making the dataset fails; or NULL */
} wn_dataset_args;
WN_API wn_dataset *wn_dataset_new_x(const wn_dataset_args *args);

WN_API int64_t wn_dataset_count(const wn_dataset *d);   /* samples; 0 for NULL */
WN_API wn_list wn_dataset_at(wn_dataset *d, int64_t i); /* the parts of sample i (seed 0); n = 0 after an error */
WN_API void wn_dataset_free(wn_dataset *d);             /* NULL is accepted */

typedef struct wn_loader wn_loader; /* used by one thread at a time */
typedef struct wn_loader_args {
    size_t size_;
    wn_dataset *dataset;
    int64_t batch_size;
    bool shuffle;       /* a new random order for each epoch */
    bool drop_last;     /* leave out a last batch that is smaller than the others */
    int workers;        /* threads; 0: wn_next does the work */
    int prefetch;       /* batches made ahead, in all; 0: two. Memory holds one batch more */
    wn_tensor *indices; /* i64 [m]: only these samples, in this order (before shuffling); NULL: all */
    uint64_t seed;      /* of order and augmentation; 0: drawn from `generator` now */
    wn_generator *generator; /* NULL: the default generator */
} wn_loader_args;
WN_API wn_loader *wn_loader_new_x(const wn_loader_args *args); /* NULL and an error record on failure */
WN_API void wn_loader_free(wn_loader *l);                      /* at any time; NULL is accepted */
WN_API int64_t wn_loader_batches(const wn_loader *l);          /* in an epoch */

/* A batch belongs to the loader and is valid until the next call for it; wn_keep tensors that must live longer. */
typedef struct wn_batch {
    wn_list parts;          /* each [size, ...] */
    wn_tensor *x, *y;       /* parts 0 and 1; NULL if there is none */
    int64_t size;           /* number of samples */
    const int64_t *indices; /* the samples' indices */
    int64_t number, epoch;  /* both from 0 */
} wn_batch;
/* The next batch. False: at the end of an epoch (the next call begins a new one), after a failure, and while the thread
 * has an error record. A sample that fails makes its batch fail, with its index in the message; after wn_clear() the
 * loader goes on with the next batch. */
WN_API bool wn_next(wn_loader *l, wn_batch *batch);
/* Leaves out the rest of the epoch; at the beginning of one it does nothing. */
WN_API void wn_loader_reset(wn_loader *l);

/* The place of a loader in its epochs. With it a checkpoint can continue in the middle of an epoch, with the batch
 * after the last one that wn_next returned. */
typedef struct wn_position {
    uint64_t seed;
    int64_t epoch, batch;
} wn_position;
WN_API wn_position wn_loader_tell(const wn_loader *l);
WN_API WN_MUST_CHECK wn_status wn_loader_seek(wn_loader *l, wn_position position);

/* Counts since the loader was made. If the loader is the bottleneck, `waited` grows. */
typedef struct wn_loader_stats {
    int64_t batches, samples; /* returned by wn_next */
    double waited;            /* seconds in wn_next until a batch was complete */
    double worked;            /* seconds spent on samples, all threads together */
} wn_loader_stats;
WN_API wn_loader_stats wn_loader_get_stats(wn_loader *l);

#ifndef __cplusplus
#define wn_idx_dataset(...) wn_idx_dataset_x(&(wn_idx_dataset_args){.size_ = sizeof(wn_idx_dataset_args), .images = __VA_ARGS__})
/* wn_dataset_new(count, get, ctx, .parts = {...}) */
#define wn_dataset_new(...) wn_dataset_new_x(&(wn_dataset_args){.size_ = sizeof(wn_dataset_args), .count = __VA_ARGS__})
/* wn_loader_new(dataset, batch_size, .shuffle = true, .workers = 2, ...) */
#define wn_loader_new(...) wn_loader_new_x(&(wn_loader_args){.size_ = sizeof(wn_loader_args), .dataset = __VA_ARGS__})
#endif

/* ==================================================================================== 10 modules and optimisers */

/* A module is a struct that begins with wn_module: an ordered list of named parameters, buffers and child modules. It
 * owns its tensors. Children are parts of the owner's struct and only referred to (but wn_add_owned owns them).
 * Initialise it with zeros and do not move it: parents refer to it.
 *
 *     typedef struct { wn_module module; wn_nn_conv2d conv; wn_nn_linear fc; } net;
 *     net n = {0};
 *     wn_nn_conv2d_init(&n.conv, 1, 32, 3, .padding = WN_DIMS(1));
 *     wn_nn_linear_init(&n.fc, 6272, 10);
 *     wn_add_child(&n.module, "conv", &n.conv.module);
 *     wn_add_child(&n.module, "fc", &n.fc.module);
 *     ... wn_save_module(&n.module, "net.safetensors");  wn_module_free(&n.module);
 *
 * A failing call leaves its status in the module (and the thread's record): later calls on it do nothing, so one check of
 * wn_module_status after construction is enough. */
typedef struct wn_module wn_module;
typedef struct wn_module_entry {
    char name[48];
    wn_tensor *tensor; /* parameter or buffer; owned */
    wn_module *child;
    bool buffer;
    bool owned; /* this module frees the child's memory */
} wn_module_entry;
struct wn_module {
    wn_module_entry *entries;
    int count, capacity;
    bool eval; /* zero-initialised modules train */
    wn_status status;
    wn_tensor *(*forward)(wn_module *m, wn_tensor *x); /* what wn_forward calls; every layer's init sets it */
};

/* Adds t under a name without '.', keeps it, and (parameters) marks it as requiring a gradient. Returns t or a bad tensor. */
WN_API wn_tensor *wn_add_parameter(wn_module *m, const char *name, wn_tensor *t);
WN_API wn_tensor *wn_add_buffer(wn_module *m, const char *name, wn_tensor *t);
WN_API void wn_add_child(wn_module *m, const char *name, wn_module *child); /* on failure child is freed */
/* A zeroed struct of `size` bytes, which begins with wn_module, on the heap, for wn_add_owned. NULL: no memory. */
WN_API wn_module *wn_module_new(size_t size);
/* wn_add_child for a module of wn_module_new, which m owns from here on, also on failure. child NULL: m fails. */
WN_API void wn_add_owned(wn_module *m, const char *name, wn_module *child);
WN_API wn_status wn_module_status(const wn_module *m); /* the first failure in m or its children */
WN_API void wn_module_free(wn_module *m); /* drops the tensors of m and of its children; m is empty afterwards */

/* Calls m->forward(m, x). A struct of your own takes part if it sets its forward:
 *     static wn_tensor *net_forward(wn_module *m, wn_tensor *x) { net *n = (net *)m; ... }
 * Error: m has none, or failed to build. */
WN_API wn_tensor *wn_forward(wn_module *m, wn_tensor *x);

/* Calls visit for every tensor of m and its children, depth first in the order of addition, with its state_dict name
 * ("layer1.conv.weight"); stops when visit returns false. */
typedef bool (*wn_visit)(void *ctx, const char *name, wn_tensor *t, bool buffer);
WN_API void wn_module_visit(wn_module *m, wn_visit visit, void *ctx);
WN_API wn_list wn_parameters(wn_module *m); /* all parameters, each once, as a list of the scope */
WN_API int64_t wn_count_parameters(wn_module *m); /* the number of their elements */
/* The parameter or buffer with a state_dict name; the child with a dotted name ("layer1.conv"; "" is m); or NULL. */
WN_API wn_tensor *wn_module_find(wn_module *m, const char *name);
WN_API wn_module *wn_module_child(wn_module *m, const char *name);
WN_API void wn_train(wn_module *m, bool on); /* training mode (dropout, batch norm), children included */
WN_API void wn_zero_grad(wn_module *m);      /* drops .grad of all parameters */
/* Marks all parameters as requiring a gradient, or not (frozen: optimisers and clipping skip those that have none). */
WN_API void wn_module_requires_grad(wn_module *m, bool on);
/* module.half(), .bfloat16(), .float(), .double(): floating parameters, buffers and gradients become dtype. The handles stay the
 * same, so that the layers' fields and optimisers made before go on with them. On failure some may be converted, none is lost. */
WN_API WN_MUST_CHECK wn_status wn_to_dtype(wn_module *m, wn_dtype dtype);
/* All tensors under their state_dict names, as safetensors: written to a new file, synced, renamed. */
WN_API WN_MUST_CHECK wn_status wn_save_module(wn_module *m, const char *path);
/* wn_load_module(m, path, .strict = WN_OFF) copies the file's tensors into m. Missing, unexpected and misfitting names
 * are an error that lists them and leaves m unchanged. strict off: missing and unexpected names are ignored. */
typedef struct wn_load_module_args {
    size_t size_;
    wn_module *module;
    const char *path;
    wn_switch strict;
} wn_load_module_args;
WN_API WN_MUST_CHECK wn_status wn_load_module_x(const wn_load_module_args *args);

/* Modules one after the other, named "0", "1", ...; owned where wn_sequential_add or wn_sequential_init added them.
 *
 *     wn_sequential net = {0};
 *     wn_sequential_init(&net, wn_layer(wn_nn_linear, 784, 400), wn_layer(wn_nn_activation, wn_nn_relu), wn_layer(wn_nn_linear, 400, 10));
 *     y = wn_forward(&net.module, x);  ... wn_module_free(&net.module);
 *
 * wn_layer(type, arguments of its init ...): a layer on the heap, as an expression; NULL when memory is short. */
typedef struct wn_sequential {
    wn_module module;
} wn_sequential;
WN_API wn_status wn_sequential_init_x(wn_sequential *s, int64_t n, wn_module *const *owned); /* sets forward, adds n modules */
WN_API void wn_sequential_add(wn_sequential *s, wn_module *owned); /* wn_add_owned under the next number */
WN_API wn_module *wn_sequential_at(wn_sequential *s, int64_t i);   /* NULL if out of range; negative i counts from the end */
WN_API wn_tensor *wn_sequential_forward(wn_sequential *s, wn_tensor *x); /* x itself if there is no module */

/* Layers, with PyTorch's parameter names, formulas, defaults and initialisation: a program with WINNOW_RNG=torch and PyTorch's
 * seed starts from PyTorch's weights, bit for bit. Each has a struct (zero it), an init function that takes the arguments that
 * torch's constructor takes and returns the status, and a forward function: the operations of section 12 with the layer's
 * parameters. A field left 0 is torch's default; a number that shall be exactly 0 is WN_NO_RATE. dtype: of the parameters,
 * default wn_default_dtype(). A parameter that a switch turns off is NULL and has no entry. */
#define WN_NO_RATE (-0x1p-1022)

typedef struct wn_nn_linear { /* y = x @ weight^T + bias; weight [out, in], bias [out], both U(-1/sqrt(in), 1/sqrt(in)) */
    wn_module module;
    wn_tensor *weight, *bias;
} wn_nn_linear;
typedef struct wn_nn_linear_args {
    size_t size_;
    wn_nn_linear *layer;
    int64_t in_features, out_features;
    wn_switch bias;
    wn_dtype dtype;
} wn_nn_linear_args;
WN_API wn_status wn_nn_linear_init_x(const wn_nn_linear_args *args);
WN_API wn_tensor *wn_nn_linear_forward(wn_nn_linear *layer, wn_tensor *x); /* x [..., in] gives [..., out] */

typedef struct wn_nn_embedding { /* weight[indices]; weight [num_embeddings, embedding_dim] N(0, 1), the row padding_idx 0 */
    wn_module module;
    wn_tensor *weight;
    wn_val padding_idx; /* counted from the front */
    bool scale_grad_by_freq;
} wn_nn_embedding;
typedef struct wn_nn_embedding_args {
    size_t size_;
    wn_nn_embedding *layer;
    int64_t num_embeddings, embedding_dim;
    wn_val padding_idx;      /* a row that gets no gradient; negative: from the end. WN_VAL(0) */
    bool scale_grad_by_freq; /* a row's gradient divided by how often the batch has it */
    wn_dtype dtype;
} wn_nn_embedding_args;
WN_API wn_status wn_nn_embedding_init_x(const wn_nn_embedding_args *args);
WN_API wn_tensor *wn_nn_embedding_forward(wn_nn_embedding *layer, wn_tensor *indices); /* [...] gives [..., embedding_dim] */

/* Convolutions: weight [out, in/groups, kernel...], transposed [in, out/groups, kernel...]; weight and bias [out] U(-b, b) with
 * b = 1/sqrt(weight.size(1) * kernel elements). x [N, in, length...] or [in, length...]. Of each dimension:
 *     conv            out = floor((length + 2 padding - dilation (kernel - 1) - 1) / stride) + 1
 *     conv_transpose  out = (length - 1) stride - 2 padding + dilation (kernel - 1) + output_padding + 1 */
typedef struct wn_nn_conv {
    wn_module module;
    wn_tensor *weight, *bias;
    wn_dims stride, padding, dilation, output_padding;
    int64_t groups;
} wn_nn_conv1d, wn_nn_conv2d, wn_nn_conv_transpose2d;
typedef struct wn_nn_conv_args {
    size_t size_;
    struct wn_nn_conv *layer;
    int64_t in_channels, out_channels;
    int64_t kernel_size;       /* in every dimension; or kernel_sizes */
    wn_dims kernel_sizes;
    wn_dims stride, padding, dilation; /* one number, or one for each dimension; default 1, 0, 1 */
    int64_t groups;            /* default 1 */
    wn_switch bias;
    wn_dtype dtype;
    wn_dims output_padding;    /* conv_transpose2d only; default 0 */
} wn_nn_conv1d_args, wn_nn_conv2d_args, wn_nn_conv_transpose2d_args;
WN_API wn_status wn_nn_conv1d_init_x(const wn_nn_conv1d_args *args);
WN_API wn_status wn_nn_conv2d_init_x(const wn_nn_conv2d_args *args);
WN_API wn_status wn_nn_conv_transpose2d_init_x(const wn_nn_conv_transpose2d_args *args);
WN_API wn_tensor *wn_nn_conv1d_forward(wn_nn_conv1d *layer, wn_tensor *x);
WN_API wn_tensor *wn_nn_conv2d_forward(wn_nn_conv2d *layer, wn_tensor *x);
WN_API wn_tensor *wn_nn_conv_transpose2d_forward(wn_nn_conv_transpose2d *layer, wn_tensor *x);

/* Batch norm: (x - mean) / sqrt(var + eps) * weight + bias by channel (dimension 1) of [N, C], [N, C, L] (1d), [N, C, H, W] (2d).
 * Training: mean and var of the batch, running = (1 - momentum) running + momentum batch; else the running ones. weight 1, bias 0;
 * buffers running_mean 0, running_var 1, num_batches_tracked 0. */
typedef struct wn_nn_batch_norm {
    wn_module module;
    wn_tensor *weight, *bias, *running_mean, *running_var, *num_batches_tracked;
    double momentum, eps;
} wn_nn_batch_norm1d, wn_nn_batch_norm2d;
typedef struct wn_nn_batch_norm_args {
    size_t size_;
    struct wn_nn_batch_norm *layer;
    int64_t num_features;
    double eps;      /* default 1e-5 */
    double momentum; /* default 0.1 */
    wn_dtype dtype;
    wn_switch affine;              /* weight and bias */
    wn_switch track_running_stats; /* off: no buffers, always the batch's statistics */
} wn_nn_batch_norm1d_args, wn_nn_batch_norm2d_args;
WN_API wn_status wn_nn_batch_norm1d_init_x(const wn_nn_batch_norm1d_args *args);
WN_API wn_status wn_nn_batch_norm2d_init_x(const wn_nn_batch_norm2d_args *args);
WN_API wn_tensor *wn_nn_batch_norm1d_forward(wn_nn_batch_norm1d *layer, wn_tensor *x);
WN_API wn_tensor *wn_nn_batch_norm2d_forward(wn_nn_batch_norm2d *layer, wn_tensor *x);

/* Layer norm: (x - mean) / sqrt(var + eps) * weight + bias; RMS norm: x / sqrt(mean(x^2) + eps) * weight; both over the last
 * dimensions, which are normalized_shape. weight 1, bias 0, of that shape. */
typedef struct wn_nn_layer_norm {
    wn_module module;
    wn_tensor *weight, *bias; /* RMS norm has no bias */
    wn_dims normalized_shape;
    wn_val eps;
} wn_nn_layer_norm, wn_nn_rms_norm;
typedef struct wn_nn_layer_norm_args {
    size_t size_;
    struct wn_nn_layer_norm *layer;
    wn_dims normalized_shape;
    double eps;                   /* default 1e-5; RMS norm: the epsilon of x's dtype */
    wn_switch elementwise_affine; /* weight and bias */
    wn_switch bias;               /* layer norm only */
    wn_dtype dtype;
} wn_nn_layer_norm_args, wn_nn_rms_norm_args;
WN_API wn_status wn_nn_layer_norm_init_x(const wn_nn_layer_norm_args *args);
WN_API wn_status wn_nn_rms_norm_init_x(const wn_nn_rms_norm_args *args);
WN_API wn_tensor *wn_nn_layer_norm_forward(wn_nn_layer_norm *layer, wn_tensor *x);
WN_API wn_tensor *wn_nn_rms_norm_forward(wn_nn_rms_norm *layer, wn_tensor *x);

typedef struct wn_nn_group_norm { /* (x - mean) / sqrt(var + eps) over each sample's groups of channels, times weight [C] plus bias [C] */
    wn_module module;
    wn_tensor *weight, *bias; /* 1 and 0 */
    int64_t num_groups;
    double eps;
} wn_nn_group_norm;
typedef struct wn_nn_group_norm_args {
    size_t size_;
    wn_nn_group_norm *layer;
    int64_t num_groups, num_channels; /* x [N, num_channels, ...] */
    double eps;                       /* default 1e-5 */
    wn_switch affine;                 /* weight and bias */
    wn_dtype dtype;
} wn_nn_group_norm_args;
WN_API wn_status wn_nn_group_norm_init_x(const wn_nn_group_norm_args *args);
WN_API wn_tensor *wn_nn_group_norm_forward(wn_nn_group_norm *layer, wn_tensor *x);

/* Recurrent layers, over x [T, N, input_size] ([N, T, input_size] with batch_first, [T, input_size] without a batch):
 *     rnn   h = tanh(W_ih x + b_ih + W_hh h + b_hh), or max(0, ...) with relu
 *     gru   r, z = sigmoid(...), n = tanh(W_in x + b_in + r (W_hn h + b_hn)), h = (1 - z) n + z h
 *     lstm  i, f, o = sigmoid(...), g = tanh(...), c = f c + i g, h = o tanh(c); with proj_size h = W_hr h
 * weight_ih_l0 [gates * hidden_size, input_size], weight_hh_l0, bias_ih_l0, bias_hh_l0 (weight_hr_l0), then ..._l0_reverse when
 * bidirectional, then layer 1 ...: all U(-b, b) with b = 1/sqrt(hidden_size). dropout in training, between layers. */
typedef struct wn_nn_recurrent {
    wn_module module;
    int64_t input_size, hidden_size, num_layers, proj_size;
    double dropout;
    bool has_biases, batch_first, bidirectional, relu;
} wn_nn_rnn, wn_nn_lstm, wn_nn_gru;
typedef struct wn_nn_recurrent_args {
    size_t size_;
    struct wn_nn_recurrent *layer;
    int64_t input_size, hidden_size;
    int64_t num_layers; /* default 1 */
    int64_t proj_size;  /* lstm only: the width of h; default hidden_size, without a projection */
    double dropout;     /* default 0 */
    bool batch_first, bidirectional;
    bool relu;          /* rnn only: torch's nonlinearity="relu" */
    wn_switch bias;
    wn_dtype dtype;
} wn_nn_rnn_args, wn_nn_lstm_args, wn_nn_gru_args;
/* output [T, N, directions * H] ([N, T, ...], [T, ...] as x); the last states h_n [layers * directions, N, H] ([..., H] without a
 * batch), lstm: c_n, with hidden_size for H; otherwise NULL. On failure all are bad. */
typedef struct wn_nn_recurrent_out {
    wn_tensor *output, *h_n, *c_n;
} wn_nn_recurrent_out;
WN_API wn_status wn_nn_rnn_init_x(const wn_nn_rnn_args *args);
WN_API wn_status wn_nn_lstm_init_x(const wn_nn_lstm_args *args);
WN_API wn_status wn_nn_gru_init_x(const wn_nn_gru_args *args);
/* h0, c0: the states at the start, shaped as h_n and c_n; NULL: zeros. wn_forward gives output alone. */
WN_API wn_nn_recurrent_out wn_nn_rnn_forward(wn_nn_rnn *layer, wn_tensor *x, wn_tensor *h0);
WN_API wn_nn_recurrent_out wn_nn_lstm_forward(wn_nn_lstm *layer, wn_tensor *x, wn_tensor *h0, wn_tensor *c0);
WN_API wn_nn_recurrent_out wn_nn_gru_forward(wn_nn_gru *layer, wn_tensor *x, wn_tensor *h0);

/* Attention of several heads: softmax(q k^T / sqrt(head_dim)) v of q, k, v = query, key, value times their parts of in_proj_weight
 * [3 embed_dim, embed_dim] plus in_proj_bias; then out_proj. Where kdim or vdim differ from embed_dim: q_proj_weight,
 * k_proj_weight [embed_dim, kdim] and v_proj_weight instead. Weights xavier_uniform, biases 0. */
typedef struct wn_nn_multihead_attention {
    wn_module module;
    wn_tensor *in_proj_weight, *q_proj_weight, *k_proj_weight, *v_proj_weight, *in_proj_bias;
    wn_nn_linear out_proj;
    int64_t embed_dim, num_heads;
    double dropout;
    bool batch_first;
} wn_nn_multihead_attention;
typedef struct wn_nn_multihead_attention_args {
    size_t size_;
    wn_nn_multihead_attention *layer;
    int64_t embed_dim, num_heads;
    int64_t kdim, vdim; /* default embed_dim */
    double dropout;     /* of the attention weights, in training; default 0 */
    bool batch_first;
    wn_switch bias;
    wn_dtype dtype;
} wn_nn_multihead_attention_args;
WN_API wn_status wn_nn_multihead_attention_init_x(const wn_nn_multihead_attention_args *args);
typedef struct wn_nn_multihead_attention_forward_args {
    size_t size_;
    wn_nn_multihead_attention *layer;
    wn_tensor *query;       /* [L, N, embed_dim] ([N, L, ...] with batch_first, [L, embed_dim] without a batch) */
    wn_tensor *key, *value; /* [S, N, kdim], [S, N, vdim] likewise; NULL: the query, the key */
    wn_tensor *key_padding_mask; /* bool [N, S] ([S]): true is left out; or numbers to add to the scores */
    wn_tensor *attn_mask;        /* bool [L, S] or [N * num_heads, L, S]: true is left out; or numbers to add */
    bool is_causal;              /* position i attends to 0 ... i; by itself, unlike torch's hint */
    bool need_weights;           /* the attention weights as well (slower: they are kept in memory) */
    wn_switch average_attn_weights; /* over the heads */
} wn_nn_multihead_attention_forward_args;
/* output as the query; weights [N, L, S], or [N, num_heads, L, S] not averaged, NULL unless asked for. On failure output is bad. */
typedef struct wn_nn_attention_out {
    wn_tensor *output, *weights;
} wn_nn_attention_out;
WN_API wn_nn_attention_out wn_nn_multihead_attention_forward_x(const wn_nn_multihead_attention_forward_args *args);

/* Operations of one tensor as functions, for wn_nn_activation and .activation; with torch's default arguments. */
typedef wn_tensor *(*wn_unary)(wn_tensor *x);
WN_API wn_tensor *wn_nn_relu(wn_tensor *x);
WN_API wn_tensor *wn_nn_relu6(wn_tensor *x);
WN_API wn_tensor *wn_nn_leaky_relu(wn_tensor *x);
WN_API wn_tensor *wn_nn_elu(wn_tensor *x);
WN_API wn_tensor *wn_nn_selu(wn_tensor *x);
WN_API wn_tensor *wn_nn_gelu(wn_tensor *x);
WN_API wn_tensor *wn_nn_gelu_tanh(wn_tensor *x); /* gelu(approximate="tanh") */
WN_API wn_tensor *wn_nn_silu(wn_tensor *x);
WN_API wn_tensor *wn_nn_mish(wn_tensor *x);
WN_API wn_tensor *wn_nn_hardswish(wn_tensor *x);
WN_API wn_tensor *wn_nn_softplus(wn_tensor *x);
WN_API wn_tensor *wn_nn_sigmoid(wn_tensor *x);
WN_API wn_tensor *wn_nn_tanh(wn_tensor *x);

typedef struct wn_nn_dropout { /* x * mask / (1 - p) in training, each element kept with probability 1 - p; else x */
    wn_module module;
    double p;
} wn_nn_dropout;
WN_API wn_status wn_nn_dropout_init(wn_nn_dropout *layer, double p); /* p as it is: 0 drops nothing */
WN_API wn_tensor *wn_nn_dropout_forward(wn_nn_dropout *layer, wn_tensor *x);

/* Self-attention and a feed-forward net, each with dropout, a residual connection and layer norm:
 *     x = norm1(x + sa(x)); y = norm2(x + ff(x))         norm_first: x = x + sa(norm1(x)); y = x + ff(norm2(x))
 *     sa(x) = dropout1(self_attn(x, x, x)), ff(x) = dropout2(linear2(dropout(activation(linear1(x))))) */
typedef struct wn_nn_transformer_encoder_layer {
    wn_module module;
    wn_nn_multihead_attention self_attn;
    wn_nn_linear linear1, linear2;
    wn_nn_layer_norm norm1, norm2;
    wn_nn_dropout dropout, dropout1, dropout2;
    wn_unary activation;
    bool norm_first;
} wn_nn_transformer_encoder_layer;
typedef struct wn_nn_transformer_encoder_layer_args {
    size_t size_;
    wn_nn_transformer_encoder_layer *layer;
    int64_t d_model, nhead;
    int64_t dim_feedforward; /* default 2048 */
    double dropout;          /* default 0.1 */
    wn_unary activation;     /* default wn_nn_relu */
    double layer_norm_eps;   /* default 1e-5 */
    bool batch_first, norm_first;
    wn_switch bias;
    wn_dtype dtype;
} wn_nn_transformer_encoder_layer_args;
WN_API wn_status wn_nn_transformer_encoder_layer_init_x(const wn_nn_transformer_encoder_layer_args *args);
typedef struct wn_nn_transformer_encoder_layer_forward_args {
    size_t size_;
    wn_nn_transformer_encoder_layer *layer;
    wn_tensor *src;                            /* as the attention's query */
    wn_tensor *src_mask, *src_key_padding_mask; /* as its attn_mask and key_padding_mask */
    bool is_causal;
} wn_nn_transformer_encoder_layer_forward_args;
WN_API wn_tensor *wn_nn_transformer_encoder_layer_forward_x(const wn_nn_transformer_encoder_layer_forward_args *args);

typedef struct wn_nn_activation { /* fn(x) as a module */
    wn_module module;
    wn_unary fn;
} wn_nn_activation;
WN_API wn_status wn_nn_activation_init(wn_nn_activation *layer, wn_unary fn); /* error: fn is NULL */
WN_API wn_tensor *wn_nn_activation_forward(wn_nn_activation *layer, wn_tensor *x);

typedef struct wn_nn_flatten { /* dimensions start_dim to end_dim become one; torch's default: 1, -1 */
    wn_module module;
    int start_dim, end_dim;
} wn_nn_flatten;
WN_API wn_status wn_nn_flatten_init(wn_nn_flatten *layer, int start_dim, int end_dim);
WN_API wn_tensor *wn_nn_flatten_forward(wn_nn_flatten *layer, wn_tensor *x);

typedef struct wn_nn_max_pool2d { /* maxima of windows of [N, C, H, W] or [C, H, W] */
    wn_module module;
    wn_dims kernel_size, stride, padding, dilation;
    bool ceil_mode;
} wn_nn_max_pool2d;
typedef struct wn_nn_max_pool2d_args {
    size_t size_;
    wn_nn_max_pool2d *layer;
    wn_dims kernel_size;               /* one number or two */
    wn_dims stride, padding, dilation; /* default kernel_size, 0, 1 */
    bool ceil_mode;                    /* also windows that begin inside and end outside */
} wn_nn_max_pool2d_args;
WN_API wn_status wn_nn_max_pool2d_init_x(const wn_nn_max_pool2d_args *args);
WN_API wn_tensor *wn_nn_max_pool2d_forward(wn_nn_max_pool2d *layer, wn_tensor *x);

/* Initialisers, in place and unrecorded; they return t (a bad tensor on failure) and draw as torch.nn.init does. g: NULL is the
 * default generator. fan: the number of inputs (t.size(1) * the rest) or outputs (t.size(0) * the rest) of an element; fewer than
 * 2 dimensions are an error. gain: 1, 5/3 for tanh, sqrt(2) for relu. a: the negative slope of leaky_relu, whose gain is
 * sqrt(2 / (1 + a^2)): 0 for relu, 1 for linear layers. */
typedef enum wn_fan { WN_FAN_IN = 0, WN_FAN_OUT = 1 } wn_fan;
WN_API wn_tensor *wn_init_constant(wn_tensor *t, double value);
WN_API wn_tensor *wn_init_uniform(wn_tensor *t, double low, double high, wn_generator *g); /* in [low, high) */
WN_API wn_tensor *wn_init_normal(wn_tensor *t, double mean, double std, wn_generator *g);
WN_API wn_tensor *wn_init_trunc_normal(wn_tensor *t, double mean, double std, double low, double high, wn_generator *g); /* drawn again outside [low, high] */
WN_API wn_tensor *wn_init_kaiming_uniform(wn_tensor *t, double a, wn_fan fan, wn_generator *g); /* U(-b, b), b = gain * sqrt(3 / fan) */
WN_API wn_tensor *wn_init_kaiming_normal(wn_tensor *t, double a, wn_fan fan, wn_generator *g);  /* std = gain / sqrt(fan) */
WN_API wn_tensor *wn_init_xavier_uniform(wn_tensor *t, double gain, wn_generator *g); /* U(-b, b), b = gain * sqrt(6 / (fan_in + fan_out)) */
WN_API wn_tensor *wn_init_xavier_normal(wn_tensor *t, double gain, wn_generator *g);  /* std = gain * sqrt(2 / (fan_in + fan_out)) */
/* gain times orthonormal rows (or columns, if there are fewer) of t as a matrix [t.size(0), the rest]: a QR decomposition. */
WN_API wn_tensor *wn_init_orthogonal(wn_tensor *t, double gain, wn_generator *g);

/* Clipping the existing gradients, between wn_backward and wn_step. wn_clip_grad_norm(parameters, max_norm) multiplies
 * all gradients by min(1, max_norm / (norm + 1e-6)), where norm is that of all their elements as one vector. Returns
 * the norm as a 0-d tensor (0 without gradients), or a bad tensor on failure. */
typedef struct wn_clip_grad_norm_args {
    size_t size_;
    wn_list parameters;
    double max_norm;
    double norm_type;        /* default 2; INFINITY: the largest magnitude */
    bool error_if_nonfinite; /* a norm of inf or nan is an error, and nothing is clipped */
} wn_clip_grad_norm_args;
WN_API wn_tensor *wn_clip_grad_norm_x(const wn_clip_grad_norm_args *args);
WN_API WN_MUST_CHECK wn_status wn_clip_grad_value(wn_list parameters, double clip_value); /* into [-clip_value, clip_value] */

/* Optimisers: SGD, Adam (Kingma, Ba 2015) and AdamW (Loshchilov, Hutter 2019), each in one pass over memory; the rows
 * _fused_sgd_ and _fused_adam_ have the formulas. The optimiser keeps the parameters until it is freed. State is made
 * at the first step; parameters without .grad are skipped. NULL and an error record on failure. 0 in a field means its
 * default; a rate of exactly 0 is WN_NO_RATE. */
typedef struct wn_optim wn_optim;
typedef struct wn_sgd_args {
    size_t size_;
    wn_list parameters;
    double lr;       /* default 1e-3 */
    double momentum, dampening, weight_decay; /* default 0 */
    bool nesterov, maximize;
} wn_sgd_args;
WN_API wn_optim *wn_sgd_new_x(const wn_sgd_args *args);
typedef struct wn_adam_args {
    size_t size_;
    wn_list parameters;
    double lr;           /* default 1e-3 */
    double beta1, beta2; /* default 0.9, 0.999 */
    double eps;          /* default 1e-8 */
    double weight_decay; /* default 0 (Adam), 1e-2 (AdamW) */
    bool amsgrad, maximize;
} wn_adam_args;
WN_API wn_optim *wn_adam_new_x(const wn_adam_args *args);  /* Adam */
WN_API wn_optim *wn_adamw_new_x(const wn_adam_args *args); /* AdamW: decoupled weight decay */

/* The others of torch.optim; g = +-grad + weight_decay*p, t counts a parameter's steps from 1.
 *     rmsprop   (Hinton 2012)  v = alpha*v + (1-alpha)*g*g; centered: a = alpha*a + (1-alpha)*g, w = v - a*a, else w = v;
 *               p -= lr * g/(sqrt(w) + eps); with momentum: buf = momentum*buf + g/(sqrt(w) + eps), p -= lr*buf
 *     adagrad   (Duchi, Hazan, Singer 2011)  s += g*g; p -= lr/(1 + (t-1)*lr_decay) * g/(sqrt(s) + eps)
 *     adadelta  (Zeiler 2012)  v = rho*v + (1-rho)*g*g; d = sqrt(u + eps)/sqrt(v + eps) * g; u = rho*u + (1-rho)*d*d; p -= lr*d
 *     adamax    (Kingma, Ba 2015)  m = beta1*m + (1-beta1)*g; u = max(beta2*u, |g| + eps); p -= lr/(1-beta1^t) * m/u
 *     nadam     (Dozat 2016)  Adam with Nesterov's momentum mu_t = beta1*(1 - 0.96^(t*momentum_decay)/2)
 *     radam     (Liu et al. 2020)  Adam whose division by sqrt(v) begins when the variance of v is small enough */
typedef struct wn_rmsprop_args {
    size_t size_;
    wn_list parameters;
    double lr;    /* default 1e-2 */
    double alpha; /* default 0.99 */
    double eps;   /* default 1e-8 */
    double momentum, weight_decay; /* default 0 */
    bool centered, maximize;
} wn_rmsprop_args;
WN_API wn_optim *wn_rmsprop_new_x(const wn_rmsprop_args *args);
typedef struct wn_adagrad_args {
    size_t size_;
    wn_list parameters;
    double lr;  /* default 1e-2 */
    double lr_decay, weight_decay, initial_accumulator_value; /* default 0; the last one is s before the first step */
    double eps; /* default 1e-10 */
    bool maximize;
} wn_adagrad_args;
WN_API wn_optim *wn_adagrad_new_x(const wn_adagrad_args *args);
typedef struct wn_adadelta_args {
    size_t size_;
    wn_list parameters;
    double lr;  /* default 1 */
    double rho; /* default 0.9 */
    double eps; /* default 1e-6 */
    double weight_decay; /* default 0 */
    bool maximize;
} wn_adadelta_args;
WN_API wn_optim *wn_adadelta_new_x(const wn_adadelta_args *args);
typedef struct wn_adaptive_args {
    size_t size_;
    wn_list parameters;
    double lr;             /* default 2e-3, radam 1e-3 */
    double beta1, beta2;   /* default 0.9, 0.999 */
    double eps;            /* default 1e-8 */
    double weight_decay;   /* default 0 */
    double momentum_decay; /* nadam only: default 4e-3 */
    bool decoupled_weight_decay; /* nadam and radam: p *= 1 - lr*weight_decay instead */
    bool maximize;
} wn_adamax_args, wn_nadam_args, wn_radam_args;
WN_API wn_optim *wn_adamax_new_x(const wn_adamax_args *args);
WN_API wn_optim *wn_nadam_new_x(const wn_nadam_args *args);
WN_API wn_optim *wn_radam_new_x(const wn_radam_args *args);
WN_API WN_MUST_CHECK wn_status wn_step(wn_optim *o);       /* one step from the parameters' .grad */
WN_API void wn_optim_zero_grad(wn_optim *o);
WN_API double wn_optim_lr(const wn_optim *o);
WN_API void wn_optim_set_lr(wn_optim *o, double lr);
WN_API void wn_optim_free(wn_optim *o); /* NULL is accepted */

#ifndef __cplusplus
#define wn_load_module(...) wn_load_module_x(&(wn_load_module_args){.size_ = sizeof(wn_load_module_args), .module = __VA_ARGS__})
#define wn_sequential_init(s, ...)                                                                                     \
    wn_sequential_init_x(s, (int64_t)(sizeof((wn_module *[]){__VA_ARGS__}) / sizeof(wn_module *)), (wn_module *[]){__VA_ARGS__})
#define wn_layer(type, ...) WN_LAYER_(type, WN_CAT_(wn_layer_, __COUNTER__), __VA_ARGS__)
#define WN_LAYER_(type, l, ...)                                                                                        \
    __extension__({                                                                                                    \
        type *l = (type *)wn_module_new(sizeof(type));                                                                 \
        if (l) (void)type##_init(l, __VA_ARGS__); /* a failure stays in the layer */                                   \
        (wn_module *)l;                                                                                                \
    })
#define wn_nn_linear_init(...) wn_nn_linear_init_x(&(wn_nn_linear_args){.size_ = sizeof(wn_nn_linear_args), .layer = __VA_ARGS__})
#define wn_nn_embedding_init(...) wn_nn_embedding_init_x(&(wn_nn_embedding_args){.size_ = sizeof(wn_nn_embedding_args), .layer = __VA_ARGS__})
#define wn_nn_conv1d_init(...) wn_nn_conv1d_init_x(&(wn_nn_conv1d_args){.size_ = sizeof(wn_nn_conv1d_args), .layer = __VA_ARGS__})
#define wn_nn_conv2d_init(...) wn_nn_conv2d_init_x(&(wn_nn_conv2d_args){.size_ = sizeof(wn_nn_conv2d_args), .layer = __VA_ARGS__})
#define wn_nn_conv_transpose2d_init(...)                                                                               \
    wn_nn_conv_transpose2d_init_x(&(wn_nn_conv_transpose2d_args){.size_ = sizeof(wn_nn_conv_transpose2d_args), .layer = __VA_ARGS__})
#define wn_nn_batch_norm1d_init(...)                                                                                   \
    wn_nn_batch_norm1d_init_x(&(wn_nn_batch_norm1d_args){.size_ = sizeof(wn_nn_batch_norm1d_args), .layer = __VA_ARGS__})
#define wn_nn_batch_norm2d_init(...)                                                                                   \
    wn_nn_batch_norm2d_init_x(&(wn_nn_batch_norm2d_args){.size_ = sizeof(wn_nn_batch_norm2d_args), .layer = __VA_ARGS__})
#define wn_nn_layer_norm_init(...) wn_nn_layer_norm_init_x(&(wn_nn_layer_norm_args){.size_ = sizeof(wn_nn_layer_norm_args), .layer = __VA_ARGS__})
#define wn_nn_rms_norm_init(...) wn_nn_rms_norm_init_x(&(wn_nn_rms_norm_args){.size_ = sizeof(wn_nn_rms_norm_args), .layer = __VA_ARGS__})
#define wn_nn_group_norm_init(...) wn_nn_group_norm_init_x(&(wn_nn_group_norm_args){.size_ = sizeof(wn_nn_group_norm_args), .layer = __VA_ARGS__})
#define wn_nn_rnn_init(...) wn_nn_rnn_init_x(&(wn_nn_rnn_args){.size_ = sizeof(wn_nn_rnn_args), .layer = __VA_ARGS__})
#define wn_nn_lstm_init(...) wn_nn_lstm_init_x(&(wn_nn_lstm_args){.size_ = sizeof(wn_nn_lstm_args), .layer = __VA_ARGS__})
#define wn_nn_gru_init(...) wn_nn_gru_init_x(&(wn_nn_gru_args){.size_ = sizeof(wn_nn_gru_args), .layer = __VA_ARGS__})
#define wn_nn_multihead_attention_init(...)                                                                            \
    wn_nn_multihead_attention_init_x(&(wn_nn_multihead_attention_args){.size_ = sizeof(wn_nn_multihead_attention_args), .layer = __VA_ARGS__})
/* wn_nn_multihead_attention_forward(&l, query, key, value, .is_causal = true) */
#define WN_ARGS_nn_multihead_attention_forward_(text, a0, a1, ...)                                                     \
    &(wn_nn_multihead_attention_forward_args){.size_ = sizeof(wn_nn_multihead_attention_forward_args), .layer = a0, .query = a1, __VA_ARGS__}
#define wn_nn_multihead_attention_forward(...)                                                                         \
    wn_nn_multihead_attention_forward_x(WN_2_(WN_FEW_, WN_ARGS_nn_multihead_attention_forward_, __VA_ARGS__)("too few arguments: wn_nn_multihead_attention_forward(layer, query, ...)", __VA_ARGS__, ))
#define wn_nn_transformer_encoder_layer_init(...)                                                                      \
    wn_nn_transformer_encoder_layer_init_x(&(wn_nn_transformer_encoder_layer_args){.size_ = sizeof(wn_nn_transformer_encoder_layer_args), .layer = __VA_ARGS__})
#define WN_ARGS_nn_transformer_encoder_layer_forward_(text, a0, a1, ...)                                               \
    &(wn_nn_transformer_encoder_layer_forward_args){.size_ = sizeof(wn_nn_transformer_encoder_layer_forward_args), .layer = a0, .src = a1, __VA_ARGS__}
#define wn_nn_transformer_encoder_layer_forward(...)                                                                   \
    wn_nn_transformer_encoder_layer_forward_x(WN_2_(WN_FEW_, WN_ARGS_nn_transformer_encoder_layer_forward_, __VA_ARGS__)("too few arguments: wn_nn_transformer_encoder_layer_forward(layer, src, ...)", __VA_ARGS__, ))
#define wn_nn_max_pool2d_init(...) wn_nn_max_pool2d_init_x(&(wn_nn_max_pool2d_args){.size_ = sizeof(wn_nn_max_pool2d_args), .layer = __VA_ARGS__})
#define WN_ARGS_clip_grad_norm_(text, a0, a1, ...)                                                                     \
    &(wn_clip_grad_norm_args){.size_ = sizeof(wn_clip_grad_norm_args), .parameters = a0, .max_norm = a1, __VA_ARGS__}
#define wn_clip_grad_norm(...)                                                                                         \
    wn_clip_grad_norm_x(WN_2_(WN_FEW_, WN_ARGS_clip_grad_norm_, __VA_ARGS__)("too few arguments: wn_clip_grad_norm(parameters, max_norm, ...)", __VA_ARGS__, ))
#define wn_sgd_new(...) wn_sgd_new_x(&(wn_sgd_args){.size_ = sizeof(wn_sgd_args), .parameters = __VA_ARGS__})
#define wn_adam_new(...) wn_adam_new_x(&(wn_adam_args){.size_ = sizeof(wn_adam_args), .parameters = __VA_ARGS__})
#define wn_adamw_new(...) wn_adamw_new_x(&(wn_adam_args){.size_ = sizeof(wn_adam_args), .parameters = __VA_ARGS__})
#define wn_rmsprop_new(...) wn_rmsprop_new_x(&(wn_rmsprop_args){.size_ = sizeof(wn_rmsprop_args), .parameters = __VA_ARGS__})
#define wn_adagrad_new(...) wn_adagrad_new_x(&(wn_adagrad_args){.size_ = sizeof(wn_adagrad_args), .parameters = __VA_ARGS__})
#define wn_adadelta_new(...) wn_adadelta_new_x(&(wn_adadelta_args){.size_ = sizeof(wn_adadelta_args), .parameters = __VA_ARGS__})
#define wn_adamax_new(...) wn_adamax_new_x(&(wn_adamax_args){.size_ = sizeof(wn_adamax_args), .parameters = __VA_ARGS__})
#define wn_nadam_new(...) wn_nadam_new_x(&(wn_nadam_args){.size_ = sizeof(wn_nadam_args), .parameters = __VA_ARGS__})
#define wn_radam_new(...) wn_radam_new_x(&(wn_radam_args){.size_ = sizeof(wn_radam_args), .parameters = __VA_ARGS__})
#endif

/* Learning-rate schedules (torch.optim.lr_scheduler): the optimiser's rate as a function of t, the number of wn_scheduler_step calls, and
 * of lr0, its rate when its first schedule was made. Making one sets the rate of t = 0. All are closed forms: nothing drifts.
 *
 *     wn_scheduler *s = wn_cosine_annealing_lr(optim, 100, .eta_min = 1e-5);
 *     for (int epoch = 0; epoch < 100; epoch++) { ...; if (wn_scheduler_step(s)) break; }
 *     wn_scheduler_free(s); // before the optimiser or after it */
typedef struct wn_scheduler wn_scheduler;
typedef enum wn_schedule {
    WN_STEP_LR = 1,         /* lr0 * gamma^floor(t / step_size) */
    WN_MULTI_STEP_LR,       /* lr0 * gamma^(milestones that are <= t) */
    WN_EXPONENTIAL_LR,      /* lr0 * gamma^t */
    WN_CONSTANT_LR,         /* lr0 * (t < total_iters ? factor : 1) */
    WN_LINEAR_LR,           /* lr0 * (start_factor + (end_factor - start_factor) * min(t / total_iters, 1)) */
    WN_POLYNOMIAL_LR,       /* lr0 * (1 - min(t / total_iters, 1))^power */
    WN_COSINE_ANNEALING_LR, /* eta_min + (lr0 - eta_min) * (1 + cos(pi * t / T_max)) / 2 (Loshchilov and Hutter 2017) */
    WN_COSINE_ANNEALING_WARM_RESTARTS, /* the same in cycles of T_0, T_0*T_mult, T_0*T_mult^2, ... steps */
    WN_ONE_CYCLE_LR,        /* max_lr / div_factor up to max_lr in pct_start of total_steps, then down to the first / final_div_factor;
                               three_phase: down to the first as slowly as up, then on. Momentum stays (Smith and Topin 2018) */
    WN_LAMBDA_LR,           /* lr0 * lambda(ctx, t) */
    WN_SEQUENTIAL_LR,       /* parts[i] from milestones[i-1] on, with t counted from there */
    WN_REDUCE_LR_ON_PLATEAU /* lr * factor when the metric has not improved for more than `patience` steps */
} wn_schedule;
#define WN_MAX_SCHEDULES 8
typedef struct wn_scheduler_args {
    size_t size_;
    wn_schedule kind;
    wn_optim *optim;
    int64_t step_size;
    wn_dims milestones;  /* increasing */
    double gamma;        /* default 0.1. In these numbers 0 means the default, WN_NO_RATE means 0 */
    double factor;       /* default 1/3; plateau: 0.1 */
    double start_factor, end_factor; /* default 1/3, 1 */
    int64_t total_iters; /* default 5 */
    double power;        /* default 1 */
    int64_t T_max, T_0, T_mult; /* T_mult: default 1 */
    double eta_min;
    double max_lr;
    int64_t total_steps;
    double pct_start, div_factor, final_div_factor; /* default 0.3, 25, 1e4 */
    bool three_phase, linear;   /* linear: straight lines instead of cosines */
    double (*lambda)(void *ctx, int64_t t);
    void *ctx;
    wn_scheduler *parts[WN_MAX_SCHEDULES]; /* of the same optimiser; owned, and freed also if making this fails */
    bool maximize;       /* plateau: larger metrics are better */
    bool absolute;       /* better by more than threshold, instead of by more than threshold * |best| */
    double threshold;    /* default 1e-4 */
    int64_t patience;    /* default 10; < 0: 0 */
    int64_t cooldown;    /* steps after a reduction during which the metric is ignored */
    double min_lr, eps;  /* eps: default 1e-8; smaller changes are not made */
} wn_scheduler_args;
WN_API wn_scheduler *wn_scheduler_new_x(const wn_scheduler_args *args); /* NULL and an error record on failure */
WN_API WN_MUST_CHECK wn_status wn_scheduler_step(wn_scheduler *s);
WN_API WN_MUST_CHECK wn_status wn_scheduler_step_metric(wn_scheduler *s, double metric); /* others ignore the metric */
WN_API void wn_scheduler_free(wn_scheduler *s); /* NULL is accepted */
#ifndef __cplusplus
#define WN_SCHEDULE_(text, kind_, field, o, a, ...)                                                                    \
    &(wn_scheduler_args){.size_ = sizeof(wn_scheduler_args), .kind = kind_, .optim = o, .field = a, __VA_ARGS__}
#define WN_SCHEDULE2_(text, kind_, field, second, o, a, b, ...)                                                        \
    &(wn_scheduler_args){.size_ = sizeof(wn_scheduler_args), .kind = kind_, .optim = o, .field = a, .second = b, __VA_ARGS__}
#define wn_step_lr(...)                                                                                                \
    wn_scheduler_new_x(WN_2_(WN_FEW_, WN_SCHEDULE_, __VA_ARGS__)("too few arguments: wn_step_lr(optim, step_size, ...)", WN_STEP_LR, step_size, __VA_ARGS__, ))
/* wn_multi_step_lr(optim, WN_DIMS(30, 80)) */
#define wn_multi_step_lr(...)                                                                                          \
    wn_scheduler_new_x(WN_2_(WN_FEW_, WN_SCHEDULE_, __VA_ARGS__)("too few arguments: wn_multi_step_lr(optim, milestones, ...)", WN_MULTI_STEP_LR, milestones, __VA_ARGS__, ))
#define wn_exponential_lr(...)                                                                                         \
    wn_scheduler_new_x(WN_2_(WN_FEW_, WN_SCHEDULE_, __VA_ARGS__)("too few arguments: wn_exponential_lr(optim, gamma, ...)", WN_EXPONENTIAL_LR, gamma, __VA_ARGS__, ))
#define wn_constant_lr(...)                                                                                            \
    wn_scheduler_new_x(WN_2_(WN_FEW_, WN_SCHEDULE_, __VA_ARGS__)("too few arguments: wn_constant_lr(optim, total_iters, ...)", WN_CONSTANT_LR, total_iters, __VA_ARGS__, ))
#define wn_linear_lr(...)                                                                                              \
    wn_scheduler_new_x(WN_2_(WN_FEW_, WN_SCHEDULE_, __VA_ARGS__)("too few arguments: wn_linear_lr(optim, total_iters, ...)", WN_LINEAR_LR, total_iters, __VA_ARGS__, ))
#define wn_polynomial_lr(...)                                                                                          \
    wn_scheduler_new_x(WN_2_(WN_FEW_, WN_SCHEDULE_, __VA_ARGS__)("too few arguments: wn_polynomial_lr(optim, total_iters, ...)", WN_POLYNOMIAL_LR, total_iters, __VA_ARGS__, ))
#define wn_cosine_annealing_lr(...)                                                                                    \
    wn_scheduler_new_x(WN_2_(WN_FEW_, WN_SCHEDULE_, __VA_ARGS__)("too few arguments: wn_cosine_annealing_lr(optim, T_max, ...)", WN_COSINE_ANNEALING_LR, T_max, __VA_ARGS__, ))
#define wn_cosine_annealing_warm_restarts(...)                                                                         \
    wn_scheduler_new_x(WN_2_(WN_FEW_, WN_SCHEDULE_, __VA_ARGS__)("too few arguments: wn_cosine_annealing_warm_restarts(optim, T_0, ...)", WN_COSINE_ANNEALING_WARM_RESTARTS, T_0, __VA_ARGS__, ))
/* wn_one_cycle_lr(optim, max_lr, total_steps, ...) */
#define wn_one_cycle_lr(...)                                                                                           \
    wn_scheduler_new_x(WN_3_(WN_FEW_, WN_SCHEDULE2_, __VA_ARGS__)("too few arguments: wn_one_cycle_lr(optim, max_lr, total_steps, ...)", WN_ONE_CYCLE_LR, max_lr, total_steps, __VA_ARGS__, ))
#define wn_lambda_lr(...)                                                                                              \
    wn_scheduler_new_x(WN_3_(WN_FEW_, WN_SCHEDULE2_, __VA_ARGS__)("too few arguments: wn_lambda_lr(optim, lambda, ctx, ...)", WN_LAMBDA_LR, lambda, ctx, __VA_ARGS__, ))
/* wn_sequential_lr(optim, WN_DIMS(5), .parts = {warm_up, main}) */
#define wn_sequential_lr(...)                                                                                          \
    wn_scheduler_new_x(WN_2_(WN_FEW_, WN_SCHEDULE_, __VA_ARGS__)("too few arguments: wn_sequential_lr(optim, milestones, ...)", WN_SEQUENTIAL_LR, milestones, __VA_ARGS__, ))
/* wn_reduce_lr_on_plateau(optim, factor, .patience = 3) */
#define wn_reduce_lr_on_plateau(...)                                                                                   \
    wn_scheduler_new_x(WN_2_(WN_FEW_, WN_SCHEDULE_, __VA_ARGS__)("too few arguments: wn_reduce_lr_on_plateau(optim, factor, ...)", WN_REDUCE_LR_ON_PLATEAU, factor, __VA_ARGS__, ))
#endif

/* The whole state of a training run: what is needed to go on after the process was killed as if it had not been, bit for bit. The file
 * (safetensors) is replaced whole or not at all, and is on the disk when the call returns.
 *
 *     wn_training run = {.module = &net.module, .optim = {optim}, .loader = {loader}, .step = &step};
 *     if (access("run.safetensors", R_OK) == 0 && wn_load_training(&run, "run.safetensors")) return 1;
 *     while (...) { ...; if (++step % 100 == 0 && wn_save_training(&run, "run.safetensors")) return 1; }
 *
 * Saved are: parameters and buffers; for each optimiser its state, rate and step counts (not its other settings); for each schedule
 * where it is; for each loader its epoch, batch and seed; the default generator and those given; your step counter; your tensors. Names in
 * the file: model.<name>, optim.<k>.state.<i>.<torch's name>, optim.<k>.steps, optim.<k>.lr, scheduler.<k>, loader.<k>, generator,
 * generator.<k>, step, extra.<name>. */
#define WN_MAX_TRAINED 4
typedef struct wn_training {
    wn_module *module;                       /* NULL: none */
    wn_optim *optim[WN_MAX_TRAINED];         /* these arrays end with the first NULL */
    wn_scheduler *scheduler[WN_MAX_TRAINED];
    wn_loader *loader[WN_MAX_TRAINED];
    wn_generator *generator[WN_MAX_TRAINED]; /* besides the default one */
    int64_t *step;                           /* a counter of yours; NULL: none */
    const char *const *names;                /* tensors of yours: values are saved and copied back into them */
    wn_list tensors;
} wn_training;
WN_API WN_MUST_CHECK wn_status wn_save_training(const wn_training *t, const char *path);
/* t is made as for saving. If the file does not fit (names, shapes, dtypes ...), an error says where and nothing
 * changes. */
WN_API WN_MUST_CHECK wn_status wn_load_training(const wn_training *t, const char *path);

/* ==================================================================================== 11 the operation table */

/* The owned layer, for bindings. Every operation is a row with a signature in torch's notation, and an args struct with
 * a table of its fields. The macros of section 12 and wn_call fill the same struct and call the same function. */
typedef struct wn_op wn_op;
typedef enum wn_kind {
    WN_K_TENSOR = 1, /* wn_tensor *; NULL = absent */
    WN_K_TENSORS,    /* wn_list; elements may be NULL where type says "Tensor?[]" */
    WN_K_VALUE,      /* wn_val that may hold a tensor */
    WN_K_SCALAR,     /* wn_val that holds a number, or nothing */
    WN_K_DIMS,       /* wn_dims */
    WN_K_INT,        /* int64_t */
    WN_K_FLOAT,      /* double */
    WN_K_BOOL,       /* bool */
    WN_K_SWITCH,     /* wn_switch: a bool whose default is true */
    WN_K_DTYPE,      /* wn_dtype */
    WN_K_STRING,     /* const char *; NULL = default */
    WN_K_GENERATOR,  /* wn_generator *; NULL = the default generator */
    WN_K_DEVICE      /* wn_device */
} wn_kind;
typedef struct wn_field {
    const char *name;     /* the C field */
    const char *torch;    /* torch's argument name */
    const char *type;     /* torch's type, as in the signature: "int[]?" */
    const char *fallback; /* the default, as in the signature; NULL: required */
    double number;        /* the default as a number, if it is one (a bool counts) */
    wn_kind kind;
    uint16_t offset; /* in the args struct */
    bool keyword_only;
    bool mutated; /* Tensor(a!) */
    bool or_number; /* WN_K_VALUE: may be a number in torch, too (all of them at once: see WN_WANTS_TENSOR) */
} wn_field;

WN_API int wn_op_count(void);                      /* number of rows */
WN_API const wn_op *wn_op_at(int i);               /* NULL if out of range */
WN_API const wn_op *wn_op_find(const char *name);  /* "sum.dim" or a C name "sum"; NULL if there is none */
WN_API const char *wn_op_name(const wn_op *op);    /* torch's name without the overload */
WN_API const char *wn_op_cname(const wn_op *op);   /* wn_<cname> is its C function */
WN_API const char *wn_op_signature(const wn_op *op);
WN_API const char *wn_op_doc(const wn_op *op);
WN_API size_t wn_op_args_size(const wn_op *op);
WN_API const wn_field *wn_op_fields(const wn_op *op, int *n);
WN_API int wn_op_results(const wn_op *op); /* number of results; -1: a list */
WN_API bool wn_op_has_inplace(const wn_op *op);
WN_API bool wn_op_differentiable(const wn_op *op);
WN_API bool wn_op_has_out(const wn_op *op); /* has its args struct a last member `wn_tensor *out`, torch's out=? */
WN_API bool wn_op_random(const wn_op *op);  /* draws random numbers (from its argument `generator`, if it has one) */
WN_API bool wn_op_creates(const wn_op *op); /* a factory: torch's takes dtype=, layout=, device=, requires_grad= */

/* Where torch has the operation, as bits; 0: nowhere, it is ours (a gradient, a part of another row). Its name there is
 * wn_op_name's without a leading "linalg_" or "special_". Rows of one name are torch's overloads, to be tried in the
 * table's order. Arguments are torch's, in torch's order; further ones of torch (inplace=, size_average=, reduce=,
 * layout= ...) are up to the binding. As everywhere in torch, functions call a first argument `self` "input". where= is
 * ours. The member `out` of args structs is no field: see wn_op_has_out. */
enum {
    WN_IN_TORCH = 1,   /* torch.f */
    WN_IN_TENSOR = 2,  /* Tensor.f; the object is the argument self, at whichever position */
    WN_IN_NN = 4,      /* torch.nn.functional.f */
    WN_IN_LINALG = 8,  /* torch.linalg.f */
    WN_IN_SPECIAL = 16 /* torch.special.f */
};
WN_API uint32_t wn_op_places(const wn_op *op);
/* What else a binding must know of a row to behave like torch. */
enum {
    WN_NAMES_RESULTS = 1, /* its results are a named tuple, with the signature's names; otherwise a plain one */
    WN_WANTS_TENSOR = 2,  /* each operand may be a number, but one must be a tensor */
    WN_SIZE_ROUNDS = 4,   /* rounding decides the result's size: torch warns of an out= of another size */
    WN_OUT_EXACT = 8,     /* out= must have the result's dtype */
    WN_LEAVES_UNSET = 16, /* the result's elements are left unset: out= keeps its own */
    WN_KEEPS_ZERO = 32    /* takes one tensor, element by element, and f(0) = 0 whatever its other arguments are */
};
WN_API uint32_t wn_op_traits(const wn_op *op); /* some of these bits */

#define WN_MAX_RESULTS 4
typedef struct wn_outs {
    int64_t n;
    wn_tensor **v;                  /* owned references; v points to few, or to memory that wn_outs_drop frees */
    wn_tensor *few[WN_MAX_RESULTS];
} wn_outs;
/* Runs op on its args struct (size_ set); results are owned references. On failure outs is empty. */
WN_API WN_MUST_CHECK wn_status wn_call(const wn_op *op, const void *args, wn_outs *outs);
/* The in-place form: the result is the first tensor argument itself. */
WN_API WN_MUST_CHECK wn_status wn_call_inplace(const wn_op *op, const void *args, wn_outs *outs);
WN_API void wn_outs_drop(wn_outs *outs);

#ifdef __cplusplus
}
#endif
#endif

/* ==================================================================================== 12 operations */

#ifndef WINNOW_OPERATIONS_H
#define WINNOW_OPERATIONS_H
#ifdef __cplusplus
extern "C" {
#endif

/* BEGIN GENERATED (make header) */
/* empty(int[] size, *, ScalarType? dtype=None) -> Tensor
 * A row-major tensor of the given shape; its elements are not set. dtype: the default floating dtype. */
typedef struct wn_empty_args {
    size_t size_;
    wn_dims size;
    wn_dtype dtype;
    wn_device device;
} wn_empty_args;
WN_API wn_tensor *wn_empty_x(const wn_empty_args *args);
#ifndef __cplusplus
#define wn_empty(...) \
    wn_empty_x(&(wn_empty_args){.size_ = sizeof(wn_empty_args), .size = __VA_ARGS__})
#endif

/* empty_strided(int[] size, int[] stride, *, ScalarType? dtype=None) -> Tensor
 * As empty, with strides in elements (not negative). WN_0D for no dimensions. */
typedef struct wn_empty_strided_args {
    size_t size_;
    wn_dims size;
    wn_dims stride;
    wn_dtype dtype;
    wn_device device;
} wn_empty_strided_args;
WN_API wn_tensor *wn_empty_strided_x(const wn_empty_strided_args *args);
#ifndef __cplusplus
#define WN_ARGS_empty_strided_(text, a0, a1, ...) \
    &(wn_empty_strided_args){.size_ = sizeof(wn_empty_strided_args), .size = a0, .stride = a1, __VA_ARGS__}
#define wn_empty_strided(...) \
    wn_empty_strided_x(WN_2_(WN_FEW_, WN_ARGS_empty_strided_, __VA_ARGS__)("too few arguments: wn_empty_strided(size, stride, ...)", __VA_ARGS__, ))
#endif

/* full(int[] size, Scalar fill_value, *, ScalarType? dtype=None) -> Tensor
 * All elements fill_value. dtype: from the number: int64, bool, or the default floating dtype. */
typedef struct wn_full_args {
    size_t size_;
    wn_dims size;
    wn_val fill_value;
    wn_dtype dtype;
    wn_device device;
    wn_tensor *out;
} wn_full_args;
WN_API wn_tensor *wn_full_x(const wn_full_args *args);
#ifndef __cplusplus
#define WN_ARGS_full_(text, a0, a1, ...) \
    &(wn_full_args){.size_ = sizeof(wn_full_args), .size = a0, .fill_value = WN_VAL(a1), __VA_ARGS__}
#define wn_full(...) \
    wn_full_x(WN_2_(WN_FEW_, WN_ARGS_full_, __VA_ARGS__)("too few arguments: wn_full(size, fill_value, ...)", __VA_ARGS__, ))
#endif

/* zeros(int[] size, *, ScalarType? dtype=None) -> Tensor
 * All elements 0. */
typedef struct wn_zeros_args {
    size_t size_;
    wn_dims size;
    wn_dtype dtype;
    wn_device device;
    wn_tensor *out;
} wn_zeros_args;
WN_API wn_tensor *wn_zeros_x(const wn_zeros_args *args);
#ifndef __cplusplus
#define wn_zeros(...) \
    wn_zeros_x(&(wn_zeros_args){.size_ = sizeof(wn_zeros_args), .size = __VA_ARGS__})
#endif

/* ones(int[] size, *, ScalarType? dtype=None) -> Tensor
 * All elements 1. */
typedef wn_zeros_args wn_ones_args;
WN_API wn_tensor *wn_ones_x(const wn_ones_args *args);
#ifndef __cplusplus
#define wn_ones(...) \
    wn_ones_x(&(wn_ones_args){.size_ = sizeof(wn_ones_args), .size = __VA_ARGS__})
#endif

/* empty_like(Tensor self, *, ScalarType? dtype=None) -> Tensor
 * empty with self's shape, strides (where dense) and dtype. */
typedef struct wn_empty_like_args {
    size_t size_;
    wn_tensor *self;
    wn_dtype dtype;
    wn_device device;
} wn_empty_like_args;
WN_API wn_tensor *wn_empty_like_x(const wn_empty_like_args *args);
#ifndef __cplusplus
#define wn_empty_like(...) \
    wn_empty_like_x(&(wn_empty_like_args){.size_ = sizeof(wn_empty_like_args), .self = __VA_ARGS__})
#endif

/* full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None) -> Tensor
 * full with self's shape, strides and dtype. */
typedef struct wn_full_like_args {
    size_t size_;
    wn_tensor *self;
    wn_val fill_value;
    wn_dtype dtype;
    wn_device device;
} wn_full_like_args;
WN_API wn_tensor *wn_full_like_x(const wn_full_like_args *args);
#ifndef __cplusplus
#define WN_ARGS_full_like_(text, a0, a1, ...) \
    &(wn_full_like_args){.size_ = sizeof(wn_full_like_args), .self = a0, .fill_value = WN_VAL(a1), __VA_ARGS__}
#define wn_full_like(...) \
    wn_full_like_x(WN_2_(WN_FEW_, WN_ARGS_full_like_, __VA_ARGS__)("too few arguments: wn_full_like(self, fill_value, ...)", __VA_ARGS__, ))
#endif

/* zeros_like(Tensor self, *, ScalarType? dtype=None) -> Tensor
 * zeros with self's shape, strides and dtype. */
typedef wn_empty_like_args wn_zeros_like_args;
WN_API wn_tensor *wn_zeros_like_x(const wn_zeros_like_args *args);
#ifndef __cplusplus
#define wn_zeros_like(...) \
    wn_zeros_like_x(&(wn_zeros_like_args){.size_ = sizeof(wn_zeros_like_args), .self = __VA_ARGS__})
#endif

/* ones_like(Tensor self, *, ScalarType? dtype=None) -> Tensor
 * ones with self's shape, strides and dtype. */
typedef wn_empty_like_args wn_ones_like_args;
WN_API wn_tensor *wn_ones_like_x(const wn_ones_like_args *args);
#ifndef __cplusplus
#define wn_ones_like(...) \
    wn_ones_like_x(&(wn_ones_like_args){.size_ = sizeof(wn_ones_like_args), .self = __VA_ARGS__})
#endif

/* arange(Scalar end, *, ScalarType? dtype=None) -> Tensor
 * [0, 1, ... < end]: ceil(end) elements. dtype: int64 for an integer, the default floating dtype otherwise. */
typedef struct wn_arange_args {
    size_t size_;
    wn_val end;
    wn_dtype dtype;
    wn_device device;
    wn_tensor *out;
} wn_arange_args;
WN_API wn_tensor *wn_arange_x(const wn_arange_args *args);
#ifndef __cplusplus
#define WN_ARGS_arange_(text, a0, ...) \
    &(wn_arange_args){.size_ = sizeof(wn_arange_args), .end = WN_VAL(a0), __VA_ARGS__}
#define wn_arange(...) \
    wn_arange_x(WN_1_(WN_FEW_, WN_ARGS_arange_, __VA_ARGS__)("too few arguments: wn_arange(end, ...)", __VA_ARGS__, ))
#endif

/* arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None) -> Tensor
 * start + i*step for i in [0, ceil((end - start)/step)). */
typedef struct wn_arange_from_args {
    size_t size_;
    wn_val start;
    wn_val end;
    wn_val step;
    wn_dtype dtype;
    wn_device device;
    wn_tensor *out;
} wn_arange_from_args;
WN_API wn_tensor *wn_arange_from_x(const wn_arange_from_args *args);
#ifndef __cplusplus
#define WN_ARGS_arange_from_(text, a0, a1, ...) \
    &(wn_arange_from_args){.size_ = sizeof(wn_arange_from_args), .start = WN_VAL(a0), .end = WN_VAL(a1), __VA_ARGS__}
#define wn_arange_from(...) \
    wn_arange_from_x(WN_2_(WN_FEW_, WN_ARGS_arange_from_, __VA_ARGS__)("too few arguments: wn_arange_from(start, end, ...)", __VA_ARGS__, ))
#endif

/* range(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None) -> Tensor
 * start + i*step for i in [0, floor((end - start)/step)]: the end is included. dtype: the default floating dtype. */
typedef struct wn_range_args {
    size_t size_;
    wn_val start;
    wn_val end;
    wn_val step;
    wn_dtype dtype;
    wn_device device;
    wn_tensor *out;
} wn_range_args;
WN_API wn_tensor *wn_range_x(const wn_range_args *args);
#ifndef __cplusplus
#define WN_ARGS_range_(text, a0, a1, ...) \
    &(wn_range_args){.size_ = sizeof(wn_range_args), .start = WN_VAL(a0), .end = WN_VAL(a1), __VA_ARGS__}
#define wn_range(...) \
    wn_range_x(WN_2_(WN_FEW_, WN_ARGS_range_, __VA_ARGS__)("too few arguments: wn_range(start, end, ...)", __VA_ARGS__, ))
#endif

/* linspace(Scalar start, Scalar end, int steps, *, ScalarType? dtype=None) -> Tensor
 * steps numbers evenly spaced from start to end, both included. */
typedef struct wn_linspace_args {
    size_t size_;
    wn_val start;
    wn_val end;
    int64_t steps;
    wn_dtype dtype;
    wn_device device;
    wn_tensor *out;
} wn_linspace_args;
WN_API wn_tensor *wn_linspace_x(const wn_linspace_args *args);
#ifndef __cplusplus
#define WN_ARGS_linspace_(text, a0, a1, a2, ...) \
    &(wn_linspace_args){.size_ = sizeof(wn_linspace_args), .start = WN_VAL(a0), .end = WN_VAL(a1), .steps = a2, __VA_ARGS__}
#define wn_linspace(...) \
    wn_linspace_x(WN_3_(WN_FEW_, WN_ARGS_linspace_, __VA_ARGS__)("too few arguments: wn_linspace(start, end, steps, ...)", __VA_ARGS__, ))
#endif

/* linspace.Tensor_Tensor(Tensor start, Tensor end, int steps, *, ScalarType? dtype=None) -> Tensor
 * linspace between the values of 0-d tensors. */
typedef struct wn_linspace_tensor_args {
    size_t size_;
    wn_val start;
    wn_val end;
    int64_t steps;
    wn_dtype dtype;
    wn_device device;
    wn_tensor *out;
} wn_linspace_tensor_args;
WN_API wn_tensor *wn_linspace_tensor_x(const wn_linspace_tensor_args *args);
#ifndef __cplusplus
#define WN_ARGS_linspace_tensor_(text, a0, a1, a2, ...) \
    &(wn_linspace_tensor_args){.size_ = sizeof(wn_linspace_tensor_args), .start = WN_VAL(a0), .end = WN_VAL(a1), .steps = a2, __VA_ARGS__}
#define wn_linspace_tensor(...) \
    wn_linspace_tensor_x(WN_3_(WN_FEW_, WN_ARGS_linspace_tensor_, __VA_ARGS__)("too few arguments: wn_linspace_tensor(start, end, steps, ...)", __VA_ARGS__, ))
#endif

/* eye(int n, int? m=None, *, ScalarType? dtype=None) -> Tensor
 * n x m (default n x n) with ones on the diagonal. */
typedef struct wn_eye_args {
    size_t size_;
    int64_t n;
    wn_val m;
    wn_dtype dtype;
    wn_device device;
    wn_tensor *out;
} wn_eye_args;
WN_API wn_tensor *wn_eye_x(const wn_eye_args *args);
#ifndef __cplusplus
#define wn_eye(...) \
    wn_eye_x(&(wn_eye_args){.size_ = sizeof(wn_eye_args), .n = __VA_ARGS__})
#endif

/* scalar_tensor(Scalar s, *, ScalarType? dtype=None) -> Tensor
 * A 0-d tensor holding s. */
typedef struct wn_scalar_tensor_args {
    size_t size_;
    wn_val s;
    wn_dtype dtype;
    wn_device device;
} wn_scalar_tensor_args;
WN_API wn_tensor *wn_scalar_tensor_x(const wn_scalar_tensor_args *args);
#ifndef __cplusplus
#define WN_ARGS_scalar_tensor_(text, a0, ...) \
    &(wn_scalar_tensor_args){.size_ = sizeof(wn_scalar_tensor_args), .s = WN_VAL(a0), __VA_ARGS__}
#define wn_scalar_tensor(...) \
    wn_scalar_tensor_x(WN_1_(WN_FEW_, WN_ARGS_scalar_tensor_, __VA_ARGS__)("too few arguments: wn_scalar_tensor(s, ...)", __VA_ARGS__, ))
#endif

/* clone(Tensor self) -> Tensor
 * A copy with its own storage; dense tensors keep their strides. */
typedef struct wn_clone_args {
    size_t size_;
    wn_tensor *self;
} wn_clone_args;
WN_API wn_tensor *wn_clone_x(const wn_clone_args *args);
#ifndef __cplusplus
#define wn_clone(...) \
    wn_clone_x(&(wn_clone_args){.size_ = sizeof(wn_clone_args), .self = __VA_ARGS__})
#endif

/* contiguous(Tensor(a) self) -> Tensor(a)
 * self if it is row-major, else a row-major copy. */
typedef struct wn_contiguous_args {
    size_t size_;
    wn_tensor *self;
} wn_contiguous_args;
WN_API wn_tensor *wn_contiguous_x(const wn_contiguous_args *args);
#ifndef __cplusplus
#define wn_contiguous(...) \
    wn_contiguous_x(&(wn_contiguous_args){.size_ = sizeof(wn_contiguous_args), .self = __VA_ARGS__})
#endif

/* contiguous.copy(Tensor self) -> Tensor
 * A row-major copy of self. */
typedef struct wn_contiguous_copy_args {
    size_t size_;
    wn_tensor *self;
} wn_contiguous_copy_args;
WN_API wn_tensor *wn_contiguous_copy_x(const wn_contiguous_copy_args *args);
#ifndef __cplusplus
#define wn_contiguous_copy(...) \
    wn_contiguous_copy_x(&(wn_contiguous_copy_args){.size_ = sizeof(wn_contiguous_copy_args), .self = __VA_ARGS__})
#endif

/* _with_strides(Tensor self, int[] stride) -> Tensor
 * A copy of self that lies in memory with these strides, which are dense. */
typedef struct wn_with_strides_args {
    size_t size_;
    wn_tensor *self;
    wn_dims stride;
} wn_with_strides_args;
WN_API wn_tensor *wn_with_strides_x(const wn_with_strides_args *args);
#ifndef __cplusplus
#define WN_ARGS_with_strides_(text, a0, a1, ...) \
    &(wn_with_strides_args){.size_ = sizeof(wn_with_strides_args), .self = a0, .stride = a1, __VA_ARGS__}
#define wn_with_strides(...) \
    wn_with_strides_x(WN_2_(WN_FEW_, WN_ARGS_with_strides_, __VA_ARGS__)("too few arguments: wn_with_strides(self, stride, ...)", __VA_ARGS__, ))
#endif

/* to.dtype(Tensor(a) self, ScalarType dtype, bool copy=False) -> Tensor(a)
 * self converted to dtype; self itself when it has the dtype and copy is false. Floats to integers truncate. */
typedef struct wn_to_args {
    size_t size_;
    wn_tensor *self;
    wn_dtype dtype;
    bool copy;
} wn_to_args;
WN_API wn_tensor *wn_to_x(const wn_to_args *args);
#ifndef __cplusplus
#define WN_ARGS_to_(text, a0, a1, ...) \
    &(wn_to_args){.size_ = sizeof(wn_to_args), .self = a0, .dtype = a1, __VA_ARGS__}
#define wn_to(...) \
    wn_to_x(WN_2_(WN_FEW_, WN_ARGS_to_, __VA_ARGS__)("too few arguments: wn_to(self, dtype, ...)", __VA_ARGS__, ))
#endif

/* _to_copy(Tensor self, ScalarType dtype) -> Tensor
 * A copy of self converted to dtype. */
typedef struct wn_cast_args {
    size_t size_;
    wn_tensor *self;
    wn_dtype dtype;
} wn_cast_args;
WN_API wn_tensor *wn_cast_x(const wn_cast_args *args);
#ifndef __cplusplus
#define WN_ARGS_cast_(text, a0, a1, ...) \
    &(wn_cast_args){.size_ = sizeof(wn_cast_args), .self = a0, .dtype = a1, __VA_ARGS__}
#define wn_cast(...) \
    wn_cast_x(WN_2_(WN_FEW_, WN_ARGS_cast_, __VA_ARGS__)("too few arguments: wn_cast(self, dtype, ...)", __VA_ARGS__, ))
#endif

/* to.device(Tensor(a) self, Device device) -> Tensor(a)
 * self on that device; self itself when it is there. Nothing can be copied of what is on WN_META. */
typedef struct wn_to_device_args {
    size_t size_;
    wn_tensor *self;
    wn_device device;
} wn_to_device_args;
WN_API wn_tensor *wn_to_device_x(const wn_to_device_args *args);
#ifndef __cplusplus
#define WN_ARGS_to_device_(text, a0, a1, ...) \
    &(wn_to_device_args){.size_ = sizeof(wn_to_device_args), .self = a0, .device = a1, __VA_ARGS__}
#define wn_to_device(...) \
    wn_to_device_x(WN_2_(WN_FEW_, WN_ARGS_to_device_, __VA_ARGS__)("too few arguments: wn_to_device(self, device, ...)", __VA_ARGS__, ))
#endif

/* _to_device(Tensor self, Device device) -> Tensor
 * A copy of self on another device. */
typedef struct wn_copy_to_device_args {
    size_t size_;
    wn_tensor *self;
    wn_device device;
} wn_copy_to_device_args;
WN_API wn_tensor *wn_copy_to_device_x(const wn_copy_to_device_args *args);
#ifndef __cplusplus
#define WN_ARGS_copy_to_device_(text, a0, a1, ...) \
    &(wn_copy_to_device_args){.size_ = sizeof(wn_copy_to_device_args), .self = a0, .device = a1, __VA_ARGS__}
#define wn_copy_to_device(...) \
    wn_copy_to_device_x(WN_2_(WN_FEW_, WN_ARGS_copy_to_device_, __VA_ARGS__)("too few arguments: wn_copy_to_device(self, device, ...)", __VA_ARGS__, ))
#endif

/* copy_(Tensor(a!) self, Tensor src) -> Tensor(a!)
 * self[...] = src[...], converted to self's dtype; src broadcasts to self. */
typedef struct wn_copy_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *src;
} wn_copy_args;
WN_API wn_tensor *wn_copy_inplace_x(const wn_copy_args *args);
#ifndef __cplusplus
#define WN_ARGS_copy_(text, a0, a1, ...) \
    &(wn_copy_args){.size_ = sizeof(wn_copy_args), .self = a0, .src = a1, __VA_ARGS__}
#define wn_copy_(...) \
    wn_copy_inplace_x(WN_2_(WN_FEW_, WN_ARGS_copy_, __VA_ARGS__)("too few arguments: wn_copy_(self, src, ...)", __VA_ARGS__, ))
#endif

/* fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)
 * self[...] = the value of a 0-d tensor. */
typedef struct wn_fill_tensor_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *value;
} wn_fill_tensor_args;
WN_API wn_tensor *wn_fill_tensor_inplace_x(const wn_fill_tensor_args *args);
#ifndef __cplusplus
#define WN_ARGS_fill_tensor_(text, a0, a1, ...) \
    &(wn_fill_tensor_args){.size_ = sizeof(wn_fill_tensor_args), .self = a0, .value = a1, __VA_ARGS__}
#define wn_fill_tensor_(...) \
    wn_fill_tensor_inplace_x(WN_2_(WN_FEW_, WN_ARGS_fill_tensor_, __VA_ARGS__)("too few arguments: wn_fill_tensor_(self, value, ...)", __VA_ARGS__, ))
#endif

/* fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)
 * self[...] = value. */
typedef struct wn_fill_args {
    size_t size_;
    wn_tensor *self;
    wn_val value;
} wn_fill_args;
WN_API wn_tensor *wn_fill_inplace_x(const wn_fill_args *args);
#ifndef __cplusplus
#define WN_ARGS_fill_(text, a0, a1, ...) \
    &(wn_fill_args){.size_ = sizeof(wn_fill_args), .self = a0, .value = WN_VAL(a1), __VA_ARGS__}
#define wn_fill_(...) \
    wn_fill_inplace_x(WN_2_(WN_FEW_, WN_ARGS_fill_, __VA_ARGS__)("too few arguments: wn_fill_(self, value, ...)", __VA_ARGS__, ))
#endif

/* zero_(Tensor(a!) self) -> Tensor(a!)
 * self[...] = 0. */
typedef struct wn_zero_args {
    size_t size_;
    wn_tensor *self;
} wn_zero_args;
WN_API wn_tensor *wn_zero_inplace_x(const wn_zero_args *args);
#ifndef __cplusplus
#define wn_zero_(...) \
    wn_zero_inplace_x(&(wn_zero_args){.size_ = sizeof(wn_zero_args), .self = __VA_ARGS__})
#endif

/* add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
 * self + alpha * other. */
typedef struct wn_add_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_val alpha;
    wn_tensor *out;
} wn_add_args;
WN_API wn_tensor *wn_add_x(const wn_add_args *args);
WN_API wn_tensor *wn_add_inplace_x(const wn_add_args *args);
#ifndef __cplusplus
#define WN_ARGS_add_(text, a0, a1, ...) \
    &(wn_add_args){.size_ = sizeof(wn_add_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_add(...) \
    wn_add_x(WN_2_(WN_FEW_, WN_ARGS_add_, __VA_ARGS__)("too few arguments: wn_add(self, other, ...)", __VA_ARGS__, ))
#define wn_add_(...) \
    wn_add_inplace_x(WN_2_(WN_FEW_, WN_ARGS_add_, __VA_ARGS__)("too few arguments: wn_add_(self, other, ...)", __VA_ARGS__, ))
#endif

/* sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
 * self - alpha * other. */
typedef struct wn_sub_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_val alpha;
    wn_tensor *out;
} wn_sub_args;
WN_API wn_tensor *wn_sub_x(const wn_sub_args *args);
WN_API wn_tensor *wn_sub_inplace_x(const wn_sub_args *args);
#ifndef __cplusplus
#define WN_ARGS_sub_(text, a0, a1, ...) \
    &(wn_sub_args){.size_ = sizeof(wn_sub_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_sub(...) \
    wn_sub_x(WN_2_(WN_FEW_, WN_ARGS_sub_, __VA_ARGS__)("too few arguments: wn_sub(self, other, ...)", __VA_ARGS__, ))
#define wn_sub_(...) \
    wn_sub_inplace_x(WN_2_(WN_FEW_, WN_ARGS_sub_, __VA_ARGS__)("too few arguments: wn_sub_(self, other, ...)", __VA_ARGS__, ))
#endif

/* mul.Tensor(Tensor self, Tensor other) -> Tensor
 * self * other. */
typedef struct wn_mul_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_mul_args;
WN_API wn_tensor *wn_mul_x(const wn_mul_args *args);
WN_API wn_tensor *wn_mul_inplace_x(const wn_mul_args *args);
#ifndef __cplusplus
#define WN_ARGS_mul_(text, a0, a1, ...) \
    &(wn_mul_args){.size_ = sizeof(wn_mul_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_mul(...) \
    wn_mul_x(WN_2_(WN_FEW_, WN_ARGS_mul_, __VA_ARGS__)("too few arguments: wn_mul(self, other, ...)", __VA_ARGS__, ))
#define wn_mul_(...) \
    wn_mul_inplace_x(WN_2_(WN_FEW_, WN_ARGS_mul_, __VA_ARGS__)("too few arguments: wn_mul_(self, other, ...)", __VA_ARGS__, ))
#endif

/* div.Tensor(Tensor self, Tensor other) -> Tensor
 * self / other, in floating point. */
typedef struct wn_div_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_div_args;
WN_API wn_tensor *wn_div_x(const wn_div_args *args);
WN_API wn_tensor *wn_div_inplace_x(const wn_div_args *args);
#ifndef __cplusplus
#define WN_ARGS_div_(text, a0, a1, ...) \
    &(wn_div_args){.size_ = sizeof(wn_div_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_div(...) \
    wn_div_x(WN_2_(WN_FEW_, WN_ARGS_div_, __VA_ARGS__)("too few arguments: wn_div(self, other, ...)", __VA_ARGS__, ))
#define wn_div_(...) \
    wn_div_inplace_x(WN_2_(WN_FEW_, WN_ARGS_div_, __VA_ARGS__)("too few arguments: wn_div_(self, other, ...)", __VA_ARGS__, ))
#endif

/* floor_divide(Tensor self, Tensor other) -> Tensor
 * floor(self / other). Integer division by zero is an error. */
typedef struct wn_floor_divide_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_floor_divide_args;
WN_API wn_tensor *wn_floor_divide_x(const wn_floor_divide_args *args);
WN_API wn_tensor *wn_floor_divide_inplace_x(const wn_floor_divide_args *args);
#ifndef __cplusplus
#define WN_ARGS_floor_divide_(text, a0, a1, ...) \
    &(wn_floor_divide_args){.size_ = sizeof(wn_floor_divide_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_floor_divide(...) \
    wn_floor_divide_x(WN_2_(WN_FEW_, WN_ARGS_floor_divide_, __VA_ARGS__)("too few arguments: wn_floor_divide(self, other, ...)", __VA_ARGS__, ))
#define wn_floor_divide_(...) \
    wn_floor_divide_inplace_x(WN_2_(WN_FEW_, WN_ARGS_floor_divide_, __VA_ARGS__)("too few arguments: wn_floor_divide_(self, other, ...)", __VA_ARGS__, ))
#endif

/* _div_trunc(Tensor self, Tensor other) -> Tensor
 * trunc(self / other). Integer division by zero is an error. */
typedef wn_floor_divide_args wn_div_trunc_args;
WN_API wn_tensor *wn_div_trunc_x(const wn_div_trunc_args *args);
WN_API wn_tensor *wn_div_trunc_inplace_x(const wn_div_trunc_args *args);
#ifndef __cplusplus
#define WN_ARGS_div_trunc_(text, a0, a1, ...) \
    &(wn_div_trunc_args){.size_ = sizeof(wn_div_trunc_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_div_trunc(...) \
    wn_div_trunc_x(WN_2_(WN_FEW_, WN_ARGS_div_trunc_, __VA_ARGS__)("too few arguments: wn_div_trunc(self, other, ...)", __VA_ARGS__, ))
#define wn_div_trunc_(...) \
    wn_div_trunc_inplace_x(WN_2_(WN_FEW_, WN_ARGS_div_trunc_, __VA_ARGS__)("too few arguments: wn_div_trunc_(self, other, ...)", __VA_ARGS__, ))
#endif

/* div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor
 * div, rounded: rounding_mode is "floor" (floor_divide), "trunc" (towards 0) or absent (not at all). */
typedef struct wn_div_mode_args {
    size_t size_;
    wn_val self;
    wn_val other;
    const char *rounding_mode;
    wn_tensor *out;
} wn_div_mode_args;
WN_API wn_tensor *wn_div_mode_x(const wn_div_mode_args *args);
WN_API wn_tensor *wn_div_mode_inplace_x(const wn_div_mode_args *args);
#ifndef __cplusplus
#define WN_ARGS_div_mode_(text, a0, a1, ...) \
    &(wn_div_mode_args){.size_ = sizeof(wn_div_mode_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_div_mode(...) \
    wn_div_mode_x(WN_2_(WN_FEW_, WN_ARGS_div_mode_, __VA_ARGS__)("too few arguments: wn_div_mode(self, other, ...)", __VA_ARGS__, ))
#define wn_div_mode_(...) \
    wn_div_mode_inplace_x(WN_2_(WN_FEW_, WN_ARGS_div_mode_, __VA_ARGS__)("too few arguments: wn_div_mode_(self, other, ...)", __VA_ARGS__, ))
#endif

/* remainder.Tensor(Tensor self, Tensor other) -> Tensor
 * self - other * floor(self / other): the sign of other, as Python's %. */
typedef wn_floor_divide_args wn_remainder_args;
WN_API wn_tensor *wn_remainder_x(const wn_remainder_args *args);
WN_API wn_tensor *wn_remainder_inplace_x(const wn_remainder_args *args);
#ifndef __cplusplus
#define WN_ARGS_remainder_(text, a0, a1, ...) \
    &(wn_remainder_args){.size_ = sizeof(wn_remainder_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_remainder(...) \
    wn_remainder_x(WN_2_(WN_FEW_, WN_ARGS_remainder_, __VA_ARGS__)("too few arguments: wn_remainder(self, other, ...)", __VA_ARGS__, ))
#define wn_remainder_(...) \
    wn_remainder_inplace_x(WN_2_(WN_FEW_, WN_ARGS_remainder_, __VA_ARGS__)("too few arguments: wn_remainder_(self, other, ...)", __VA_ARGS__, ))
#endif

/* fmod.Tensor(Tensor self, Tensor other) -> Tensor
 * self - other * trunc(self / other): the sign of self, as C's fmod. */
typedef wn_floor_divide_args wn_fmod_args;
WN_API wn_tensor *wn_fmod_x(const wn_fmod_args *args);
WN_API wn_tensor *wn_fmod_inplace_x(const wn_fmod_args *args);
#ifndef __cplusplus
#define WN_ARGS_fmod_(text, a0, a1, ...) \
    &(wn_fmod_args){.size_ = sizeof(wn_fmod_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_fmod(...) \
    wn_fmod_x(WN_2_(WN_FEW_, WN_ARGS_fmod_, __VA_ARGS__)("too few arguments: wn_fmod(self, other, ...)", __VA_ARGS__, ))
#define wn_fmod_(...) \
    wn_fmod_inplace_x(WN_2_(WN_FEW_, WN_ARGS_fmod_, __VA_ARGS__)("too few arguments: wn_fmod_(self, other, ...)", __VA_ARGS__, ))
#endif

/* pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor
 * self ^ exponent. Integers to a negative integer number are an error. */
typedef struct wn_pow_args {
    size_t size_;
    wn_val self;
    wn_val exponent;
    wn_tensor *out;
} wn_pow_args;
WN_API wn_tensor *wn_pow_x(const wn_pow_args *args);
WN_API wn_tensor *wn_pow_inplace_x(const wn_pow_args *args);
#ifndef __cplusplus
#define WN_ARGS_pow_(text, a0, a1, ...) \
    &(wn_pow_args){.size_ = sizeof(wn_pow_args), .self = WN_VAL(a0), .exponent = WN_VAL(a1), __VA_ARGS__}
#define wn_pow(...) \
    wn_pow_x(WN_2_(WN_FEW_, WN_ARGS_pow_, __VA_ARGS__)("too few arguments: wn_pow(self, exponent, ...)", __VA_ARGS__, ))
#define wn_pow_(...) \
    wn_pow_inplace_x(WN_2_(WN_FEW_, WN_ARGS_pow_, __VA_ARGS__)("too few arguments: wn_pow_(self, exponent, ...)", __VA_ARGS__, ))
#endif

/* _cube(Tensor self) -> Tensor
 * self * self * self: pow with exponent 3. */
typedef struct wn_cube_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_cube_args;
WN_API wn_tensor *wn_cube_x(const wn_cube_args *args);
#ifndef __cplusplus
#define wn_cube(...) \
    wn_cube_x(&(wn_cube_args){.size_ = sizeof(wn_cube_args), .self = __VA_ARGS__})
#endif

/* maximum(Tensor self, Tensor other) -> Tensor
 * The larger of the two; NaN when either is NaN. Ties share the gradient. */
typedef struct wn_maximum_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_maximum_args;
WN_API wn_tensor *wn_maximum_x(const wn_maximum_args *args);
#ifndef __cplusplus
#define WN_ARGS_maximum_(text, a0, a1, ...) \
    &(wn_maximum_args){.size_ = sizeof(wn_maximum_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_maximum(...) \
    wn_maximum_x(WN_2_(WN_FEW_, WN_ARGS_maximum_, __VA_ARGS__)("too few arguments: wn_maximum(self, other, ...)", __VA_ARGS__, ))
#endif

/* minimum(Tensor self, Tensor other) -> Tensor
 * The smaller of the two; NaN when either is NaN. Ties share the gradient. */
typedef struct wn_minimum_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_minimum_args;
WN_API wn_tensor *wn_minimum_x(const wn_minimum_args *args);
#ifndef __cplusplus
#define WN_ARGS_minimum_(text, a0, a1, ...) \
    &(wn_minimum_args){.size_ = sizeof(wn_minimum_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_minimum(...) \
    wn_minimum_x(WN_2_(WN_FEW_, WN_ARGS_minimum_, __VA_ARGS__)("too few arguments: wn_minimum(self, other, ...)", __VA_ARGS__, ))
#endif

/* atan2(Tensor self, Tensor other) -> Tensor
 * The angle of the point (other, self). */
typedef struct wn_atan2_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_atan2_args;
WN_API wn_tensor *wn_atan2_x(const wn_atan2_args *args);
WN_API wn_tensor *wn_atan2_inplace_x(const wn_atan2_args *args);
#ifndef __cplusplus
#define WN_ARGS_atan2_(text, a0, a1, ...) \
    &(wn_atan2_args){.size_ = sizeof(wn_atan2_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_atan2(...) \
    wn_atan2_x(WN_2_(WN_FEW_, WN_ARGS_atan2_, __VA_ARGS__)("too few arguments: wn_atan2(self, other, ...)", __VA_ARGS__, ))
#define wn_atan2_(...) \
    wn_atan2_inplace_x(WN_2_(WN_FEW_, WN_ARGS_atan2_, __VA_ARGS__)("too few arguments: wn_atan2_(self, other, ...)", __VA_ARGS__, ))
#endif

/* addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor
 * self + value * tensor1 * tensor2. */
typedef struct wn_addcmul_args {
    size_t size_;
    wn_val self;
    wn_val tensor1;
    wn_val tensor2;
    wn_val value;
    wn_tensor *out;
} wn_addcmul_args;
WN_API wn_tensor *wn_addcmul_x(const wn_addcmul_args *args);
WN_API wn_tensor *wn_addcmul_inplace_x(const wn_addcmul_args *args);
#ifndef __cplusplus
#define WN_ARGS_addcmul_(text, a0, a1, a2, ...) \
    &(wn_addcmul_args){.size_ = sizeof(wn_addcmul_args), .self = WN_VAL(a0), .tensor1 = WN_VAL(a1), .tensor2 = WN_VAL(a2), __VA_ARGS__}
#define wn_addcmul(...) \
    wn_addcmul_x(WN_3_(WN_FEW_, WN_ARGS_addcmul_, __VA_ARGS__)("too few arguments: wn_addcmul(self, tensor1, tensor2, ...)", __VA_ARGS__, ))
#define wn_addcmul_(...) \
    wn_addcmul_inplace_x(WN_3_(WN_FEW_, WN_ARGS_addcmul_, __VA_ARGS__)("too few arguments: wn_addcmul_(self, tensor1, tensor2, ...)", __VA_ARGS__, ))
#endif

/* addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor
 * self + value * tensor1 / tensor2. */
typedef struct wn_addcdiv_args {
    size_t size_;
    wn_val self;
    wn_val tensor1;
    wn_val tensor2;
    wn_val value;
    wn_tensor *out;
} wn_addcdiv_args;
WN_API wn_tensor *wn_addcdiv_x(const wn_addcdiv_args *args);
WN_API wn_tensor *wn_addcdiv_inplace_x(const wn_addcdiv_args *args);
#ifndef __cplusplus
#define WN_ARGS_addcdiv_(text, a0, a1, a2, ...) \
    &(wn_addcdiv_args){.size_ = sizeof(wn_addcdiv_args), .self = WN_VAL(a0), .tensor1 = WN_VAL(a1), .tensor2 = WN_VAL(a2), __VA_ARGS__}
#define wn_addcdiv(...) \
    wn_addcdiv_x(WN_3_(WN_FEW_, WN_ARGS_addcdiv_, __VA_ARGS__)("too few arguments: wn_addcdiv(self, tensor1, tensor2, ...)", __VA_ARGS__, ))
#define wn_addcdiv_(...) \
    wn_addcdiv_inplace_x(WN_3_(WN_FEW_, WN_ARGS_addcdiv_, __VA_ARGS__)("too few arguments: wn_addcdiv_(self, tensor1, tensor2, ...)", __VA_ARGS__, ))
#endif

/* lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor
 * self + weight * (end - self). */
typedef struct wn_lerp_args {
    size_t size_;
    wn_val self;
    wn_val end;
    wn_val weight;
    wn_tensor *out;
} wn_lerp_args;
WN_API wn_tensor *wn_lerp_x(const wn_lerp_args *args);
WN_API wn_tensor *wn_lerp_inplace_x(const wn_lerp_args *args);
#ifndef __cplusplus
#define WN_ARGS_lerp_(text, a0, a1, a2, ...) \
    &(wn_lerp_args){.size_ = sizeof(wn_lerp_args), .self = WN_VAL(a0), .end = WN_VAL(a1), .weight = WN_VAL(a2), __VA_ARGS__}
#define wn_lerp(...) \
    wn_lerp_x(WN_3_(WN_FEW_, WN_ARGS_lerp_, __VA_ARGS__)("too few arguments: wn_lerp(self, end, weight, ...)", __VA_ARGS__, ))
#define wn_lerp_(...) \
    wn_lerp_inplace_x(WN_3_(WN_FEW_, WN_ARGS_lerp_, __VA_ARGS__)("too few arguments: wn_lerp_(self, end, weight, ...)", __VA_ARGS__, ))
#endif

/* neg(Tensor self) -> Tensor
 * -self. */
typedef struct wn_neg_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_neg_args;
WN_API wn_tensor *wn_neg_x(const wn_neg_args *args);
WN_API wn_tensor *wn_neg_inplace_x(const wn_neg_args *args);
#ifndef __cplusplus
#define wn_neg(...) \
    wn_neg_x(&(wn_neg_args){.size_ = sizeof(wn_neg_args), .self = __VA_ARGS__})
#define wn_neg_(...) \
    wn_neg_inplace_x(&(wn_neg_args){.size_ = sizeof(wn_neg_args), .self = __VA_ARGS__})
#endif

/* abs(Tensor self) -> Tensor
 * |self|. */
typedef struct wn_abs_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_abs_args;
WN_API wn_tensor *wn_abs_x(const wn_abs_args *args);
WN_API wn_tensor *wn_abs_inplace_x(const wn_abs_args *args);
#ifndef __cplusplus
#define wn_abs(...) \
    wn_abs_x(&(wn_abs_args){.size_ = sizeof(wn_abs_args), .self = __VA_ARGS__})
#define wn_abs_(...) \
    wn_abs_inplace_x(&(wn_abs_args){.size_ = sizeof(wn_abs_args), .self = __VA_ARGS__})
#endif

/* sign(Tensor self) -> Tensor
 * -1, 0 or 1 (0 for NaN). */
typedef struct wn_sign_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_sign_args;
WN_API wn_tensor *wn_sign_x(const wn_sign_args *args);
WN_API wn_tensor *wn_sign_inplace_x(const wn_sign_args *args);
#ifndef __cplusplus
#define wn_sign(...) \
    wn_sign_x(&(wn_sign_args){.size_ = sizeof(wn_sign_args), .self = __VA_ARGS__})
#define wn_sign_(...) \
    wn_sign_inplace_x(&(wn_sign_args){.size_ = sizeof(wn_sign_args), .self = __VA_ARGS__})
#endif

/* square(Tensor self) -> Tensor
 * self * self. */
typedef struct wn_square_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_square_args;
WN_API wn_tensor *wn_square_x(const wn_square_args *args);
WN_API wn_tensor *wn_square_inplace_x(const wn_square_args *args);
#ifndef __cplusplus
#define wn_square(...) \
    wn_square_x(&(wn_square_args){.size_ = sizeof(wn_square_args), .self = __VA_ARGS__})
#define wn_square_(...) \
    wn_square_inplace_x(&(wn_square_args){.size_ = sizeof(wn_square_args), .self = __VA_ARGS__})
#endif

/* sqrt(Tensor self) -> Tensor
 * The square root. */
typedef struct wn_sqrt_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_sqrt_args;
WN_API wn_tensor *wn_sqrt_x(const wn_sqrt_args *args);
WN_API wn_tensor *wn_sqrt_inplace_x(const wn_sqrt_args *args);
#ifndef __cplusplus
#define wn_sqrt(...) \
    wn_sqrt_x(&(wn_sqrt_args){.size_ = sizeof(wn_sqrt_args), .self = __VA_ARGS__})
#define wn_sqrt_(...) \
    wn_sqrt_inplace_x(&(wn_sqrt_args){.size_ = sizeof(wn_sqrt_args), .self = __VA_ARGS__})
#endif

/* rsqrt(Tensor self) -> Tensor
 * 1 / sqrt(self). */
typedef struct wn_rsqrt_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_rsqrt_args;
WN_API wn_tensor *wn_rsqrt_x(const wn_rsqrt_args *args);
WN_API wn_tensor *wn_rsqrt_inplace_x(const wn_rsqrt_args *args);
#ifndef __cplusplus
#define wn_rsqrt(...) \
    wn_rsqrt_x(&(wn_rsqrt_args){.size_ = sizeof(wn_rsqrt_args), .self = __VA_ARGS__})
#define wn_rsqrt_(...) \
    wn_rsqrt_inplace_x(&(wn_rsqrt_args){.size_ = sizeof(wn_rsqrt_args), .self = __VA_ARGS__})
#endif

/* reciprocal(Tensor self) -> Tensor
 * 1 / self. */
typedef struct wn_reciprocal_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_reciprocal_args;
WN_API wn_tensor *wn_reciprocal_x(const wn_reciprocal_args *args);
WN_API wn_tensor *wn_reciprocal_inplace_x(const wn_reciprocal_args *args);
#ifndef __cplusplus
#define wn_reciprocal(...) \
    wn_reciprocal_x(&(wn_reciprocal_args){.size_ = sizeof(wn_reciprocal_args), .self = __VA_ARGS__})
#define wn_reciprocal_(...) \
    wn_reciprocal_inplace_x(&(wn_reciprocal_args){.size_ = sizeof(wn_reciprocal_args), .self = __VA_ARGS__})
#endif

/* exp(Tensor self) -> Tensor
 * e ^ self. */
typedef struct wn_exp_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_exp_args;
WN_API wn_tensor *wn_exp_x(const wn_exp_args *args);
WN_API wn_tensor *wn_exp_inplace_x(const wn_exp_args *args);
#ifndef __cplusplus
#define wn_exp(...) \
    wn_exp_x(&(wn_exp_args){.size_ = sizeof(wn_exp_args), .self = __VA_ARGS__})
#define wn_exp_(...) \
    wn_exp_inplace_x(&(wn_exp_args){.size_ = sizeof(wn_exp_args), .self = __VA_ARGS__})
#endif

/* exp2(Tensor self) -> Tensor
 * 2 ^ self. */
typedef struct wn_exp2_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_exp2_args;
WN_API wn_tensor *wn_exp2_x(const wn_exp2_args *args);
WN_API wn_tensor *wn_exp2_inplace_x(const wn_exp2_args *args);
#ifndef __cplusplus
#define wn_exp2(...) \
    wn_exp2_x(&(wn_exp2_args){.size_ = sizeof(wn_exp2_args), .self = __VA_ARGS__})
#define wn_exp2_(...) \
    wn_exp2_inplace_x(&(wn_exp2_args){.size_ = sizeof(wn_exp2_args), .self = __VA_ARGS__})
#endif

/* expm1(Tensor self) -> Tensor
 * e ^ self - 1, accurate near 0. */
typedef struct wn_expm1_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_expm1_args;
WN_API wn_tensor *wn_expm1_x(const wn_expm1_args *args);
WN_API wn_tensor *wn_expm1_inplace_x(const wn_expm1_args *args);
#ifndef __cplusplus
#define wn_expm1(...) \
    wn_expm1_x(&(wn_expm1_args){.size_ = sizeof(wn_expm1_args), .self = __VA_ARGS__})
#define wn_expm1_(...) \
    wn_expm1_inplace_x(&(wn_expm1_args){.size_ = sizeof(wn_expm1_args), .self = __VA_ARGS__})
#endif

/* log(Tensor self) -> Tensor
 * The natural logarithm. */
typedef struct wn_log_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_log_args;
WN_API wn_tensor *wn_log_x(const wn_log_args *args);
WN_API wn_tensor *wn_log_inplace_x(const wn_log_args *args);
#ifndef __cplusplus
#define wn_log(...) \
    wn_log_x(&(wn_log_args){.size_ = sizeof(wn_log_args), .self = __VA_ARGS__})
#define wn_log_(...) \
    wn_log_inplace_x(&(wn_log_args){.size_ = sizeof(wn_log_args), .self = __VA_ARGS__})
#endif

/* log2(Tensor self) -> Tensor
 * The logarithm to base 2. */
typedef struct wn_log2_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_log2_args;
WN_API wn_tensor *wn_log2_x(const wn_log2_args *args);
WN_API wn_tensor *wn_log2_inplace_x(const wn_log2_args *args);
#ifndef __cplusplus
#define wn_log2(...) \
    wn_log2_x(&(wn_log2_args){.size_ = sizeof(wn_log2_args), .self = __VA_ARGS__})
#define wn_log2_(...) \
    wn_log2_inplace_x(&(wn_log2_args){.size_ = sizeof(wn_log2_args), .self = __VA_ARGS__})
#endif

/* log10(Tensor self) -> Tensor
 * The logarithm to base 10. */
typedef struct wn_log10_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_log10_args;
WN_API wn_tensor *wn_log10_x(const wn_log10_args *args);
WN_API wn_tensor *wn_log10_inplace_x(const wn_log10_args *args);
#ifndef __cplusplus
#define wn_log10(...) \
    wn_log10_x(&(wn_log10_args){.size_ = sizeof(wn_log10_args), .self = __VA_ARGS__})
#define wn_log10_(...) \
    wn_log10_inplace_x(&(wn_log10_args){.size_ = sizeof(wn_log10_args), .self = __VA_ARGS__})
#endif

/* log1p(Tensor self) -> Tensor
 * log(1 + self), accurate near 0. */
typedef struct wn_log1p_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_log1p_args;
WN_API wn_tensor *wn_log1p_x(const wn_log1p_args *args);
WN_API wn_tensor *wn_log1p_inplace_x(const wn_log1p_args *args);
#ifndef __cplusplus
#define wn_log1p(...) \
    wn_log1p_x(&(wn_log1p_args){.size_ = sizeof(wn_log1p_args), .self = __VA_ARGS__})
#define wn_log1p_(...) \
    wn_log1p_inplace_x(&(wn_log1p_args){.size_ = sizeof(wn_log1p_args), .self = __VA_ARGS__})
#endif

/* sin(Tensor self) -> Tensor
 * The sine (radians). */
typedef struct wn_sin_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_sin_args;
WN_API wn_tensor *wn_sin_x(const wn_sin_args *args);
WN_API wn_tensor *wn_sin_inplace_x(const wn_sin_args *args);
#ifndef __cplusplus
#define wn_sin(...) \
    wn_sin_x(&(wn_sin_args){.size_ = sizeof(wn_sin_args), .self = __VA_ARGS__})
#define wn_sin_(...) \
    wn_sin_inplace_x(&(wn_sin_args){.size_ = sizeof(wn_sin_args), .self = __VA_ARGS__})
#endif

/* cos(Tensor self) -> Tensor
 * The cosine (radians). */
typedef struct wn_cos_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_cos_args;
WN_API wn_tensor *wn_cos_x(const wn_cos_args *args);
WN_API wn_tensor *wn_cos_inplace_x(const wn_cos_args *args);
#ifndef __cplusplus
#define wn_cos(...) \
    wn_cos_x(&(wn_cos_args){.size_ = sizeof(wn_cos_args), .self = __VA_ARGS__})
#define wn_cos_(...) \
    wn_cos_inplace_x(&(wn_cos_args){.size_ = sizeof(wn_cos_args), .self = __VA_ARGS__})
#endif

/* tan(Tensor self) -> Tensor
 * The tangent (radians). */
typedef struct wn_tan_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_tan_args;
WN_API wn_tensor *wn_tan_x(const wn_tan_args *args);
WN_API wn_tensor *wn_tan_inplace_x(const wn_tan_args *args);
#ifndef __cplusplus
#define wn_tan(...) \
    wn_tan_x(&(wn_tan_args){.size_ = sizeof(wn_tan_args), .self = __VA_ARGS__})
#define wn_tan_(...) \
    wn_tan_inplace_x(&(wn_tan_args){.size_ = sizeof(wn_tan_args), .self = __VA_ARGS__})
#endif

/* asin(Tensor self) -> Tensor
 * The arc sine. */
typedef struct wn_asin_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_asin_args;
WN_API wn_tensor *wn_asin_x(const wn_asin_args *args);
WN_API wn_tensor *wn_asin_inplace_x(const wn_asin_args *args);
#ifndef __cplusplus
#define wn_asin(...) \
    wn_asin_x(&(wn_asin_args){.size_ = sizeof(wn_asin_args), .self = __VA_ARGS__})
#define wn_asin_(...) \
    wn_asin_inplace_x(&(wn_asin_args){.size_ = sizeof(wn_asin_args), .self = __VA_ARGS__})
#endif

/* acos(Tensor self) -> Tensor
 * The arc cosine. */
typedef struct wn_acos_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_acos_args;
WN_API wn_tensor *wn_acos_x(const wn_acos_args *args);
WN_API wn_tensor *wn_acos_inplace_x(const wn_acos_args *args);
#ifndef __cplusplus
#define wn_acos(...) \
    wn_acos_x(&(wn_acos_args){.size_ = sizeof(wn_acos_args), .self = __VA_ARGS__})
#define wn_acos_(...) \
    wn_acos_inplace_x(&(wn_acos_args){.size_ = sizeof(wn_acos_args), .self = __VA_ARGS__})
#endif

/* atan(Tensor self) -> Tensor
 * The arc tangent. */
typedef struct wn_atan_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_atan_args;
WN_API wn_tensor *wn_atan_x(const wn_atan_args *args);
WN_API wn_tensor *wn_atan_inplace_x(const wn_atan_args *args);
#ifndef __cplusplus
#define wn_atan(...) \
    wn_atan_x(&(wn_atan_args){.size_ = sizeof(wn_atan_args), .self = __VA_ARGS__})
#define wn_atan_(...) \
    wn_atan_inplace_x(&(wn_atan_args){.size_ = sizeof(wn_atan_args), .self = __VA_ARGS__})
#endif

/* sinh(Tensor self) -> Tensor
 * The hyperbolic sine. */
typedef struct wn_sinh_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_sinh_args;
WN_API wn_tensor *wn_sinh_x(const wn_sinh_args *args);
WN_API wn_tensor *wn_sinh_inplace_x(const wn_sinh_args *args);
#ifndef __cplusplus
#define wn_sinh(...) \
    wn_sinh_x(&(wn_sinh_args){.size_ = sizeof(wn_sinh_args), .self = __VA_ARGS__})
#define wn_sinh_(...) \
    wn_sinh_inplace_x(&(wn_sinh_args){.size_ = sizeof(wn_sinh_args), .self = __VA_ARGS__})
#endif

/* cosh(Tensor self) -> Tensor
 * The hyperbolic cosine. */
typedef struct wn_cosh_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_cosh_args;
WN_API wn_tensor *wn_cosh_x(const wn_cosh_args *args);
WN_API wn_tensor *wn_cosh_inplace_x(const wn_cosh_args *args);
#ifndef __cplusplus
#define wn_cosh(...) \
    wn_cosh_x(&(wn_cosh_args){.size_ = sizeof(wn_cosh_args), .self = __VA_ARGS__})
#define wn_cosh_(...) \
    wn_cosh_inplace_x(&(wn_cosh_args){.size_ = sizeof(wn_cosh_args), .self = __VA_ARGS__})
#endif

/* tanh(Tensor self) -> Tensor
 * The hyperbolic tangent. */
typedef struct wn_tanh_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_tanh_args;
WN_API wn_tensor *wn_tanh_x(const wn_tanh_args *args);
WN_API wn_tensor *wn_tanh_inplace_x(const wn_tanh_args *args);
#ifndef __cplusplus
#define wn_tanh(...) \
    wn_tanh_x(&(wn_tanh_args){.size_ = sizeof(wn_tanh_args), .self = __VA_ARGS__})
#define wn_tanh_(...) \
    wn_tanh_inplace_x(&(wn_tanh_args){.size_ = sizeof(wn_tanh_args), .self = __VA_ARGS__})
#endif

/* asinh(Tensor self) -> Tensor
 * The inverse hyperbolic sine. */
typedef struct wn_asinh_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_asinh_args;
WN_API wn_tensor *wn_asinh_x(const wn_asinh_args *args);
WN_API wn_tensor *wn_asinh_inplace_x(const wn_asinh_args *args);
#ifndef __cplusplus
#define wn_asinh(...) \
    wn_asinh_x(&(wn_asinh_args){.size_ = sizeof(wn_asinh_args), .self = __VA_ARGS__})
#define wn_asinh_(...) \
    wn_asinh_inplace_x(&(wn_asinh_args){.size_ = sizeof(wn_asinh_args), .self = __VA_ARGS__})
#endif

/* acosh(Tensor self) -> Tensor
 * The inverse hyperbolic cosine. */
typedef struct wn_acosh_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_acosh_args;
WN_API wn_tensor *wn_acosh_x(const wn_acosh_args *args);
WN_API wn_tensor *wn_acosh_inplace_x(const wn_acosh_args *args);
#ifndef __cplusplus
#define wn_acosh(...) \
    wn_acosh_x(&(wn_acosh_args){.size_ = sizeof(wn_acosh_args), .self = __VA_ARGS__})
#define wn_acosh_(...) \
    wn_acosh_inplace_x(&(wn_acosh_args){.size_ = sizeof(wn_acosh_args), .self = __VA_ARGS__})
#endif

/* atanh(Tensor self) -> Tensor
 * The inverse hyperbolic tangent. */
typedef struct wn_atanh_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_atanh_args;
WN_API wn_tensor *wn_atanh_x(const wn_atanh_args *args);
WN_API wn_tensor *wn_atanh_inplace_x(const wn_atanh_args *args);
#ifndef __cplusplus
#define wn_atanh(...) \
    wn_atanh_x(&(wn_atanh_args){.size_ = sizeof(wn_atanh_args), .self = __VA_ARGS__})
#define wn_atanh_(...) \
    wn_atanh_inplace_x(&(wn_atanh_args){.size_ = sizeof(wn_atanh_args), .self = __VA_ARGS__})
#endif

/* erf(Tensor self) -> Tensor
 * The error function, 2/sqrt(pi) * integral of exp(-t^2) from 0 to self. */
typedef struct wn_erf_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_erf_args;
WN_API wn_tensor *wn_erf_x(const wn_erf_args *args);
WN_API wn_tensor *wn_erf_inplace_x(const wn_erf_args *args);
#ifndef __cplusplus
#define wn_erf(...) \
    wn_erf_x(&(wn_erf_args){.size_ = sizeof(wn_erf_args), .self = __VA_ARGS__})
#define wn_erf_(...) \
    wn_erf_inplace_x(&(wn_erf_args){.size_ = sizeof(wn_erf_args), .self = __VA_ARGS__})
#endif

/* erfc(Tensor self) -> Tensor
 * 1 - erf(self), accurate in the tail. */
typedef struct wn_erfc_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_erfc_args;
WN_API wn_tensor *wn_erfc_x(const wn_erfc_args *args);
WN_API wn_tensor *wn_erfc_inplace_x(const wn_erfc_args *args);
#ifndef __cplusplus
#define wn_erfc(...) \
    wn_erfc_x(&(wn_erfc_args){.size_ = sizeof(wn_erfc_args), .self = __VA_ARGS__})
#define wn_erfc_(...) \
    wn_erfc_inplace_x(&(wn_erfc_args){.size_ = sizeof(wn_erfc_args), .self = __VA_ARGS__})
#endif

/* floor(Tensor self) -> Tensor
 * The largest integer not above self. */
typedef struct wn_floor_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_floor_args;
WN_API wn_tensor *wn_floor_x(const wn_floor_args *args);
WN_API wn_tensor *wn_floor_inplace_x(const wn_floor_args *args);
#ifndef __cplusplus
#define wn_floor(...) \
    wn_floor_x(&(wn_floor_args){.size_ = sizeof(wn_floor_args), .self = __VA_ARGS__})
#define wn_floor_(...) \
    wn_floor_inplace_x(&(wn_floor_args){.size_ = sizeof(wn_floor_args), .self = __VA_ARGS__})
#endif

/* ceil(Tensor self) -> Tensor
 * The smallest integer not below self. */
typedef struct wn_ceil_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_ceil_args;
WN_API wn_tensor *wn_ceil_x(const wn_ceil_args *args);
WN_API wn_tensor *wn_ceil_inplace_x(const wn_ceil_args *args);
#ifndef __cplusplus
#define wn_ceil(...) \
    wn_ceil_x(&(wn_ceil_args){.size_ = sizeof(wn_ceil_args), .self = __VA_ARGS__})
#define wn_ceil_(...) \
    wn_ceil_inplace_x(&(wn_ceil_args){.size_ = sizeof(wn_ceil_args), .self = __VA_ARGS__})
#endif

/* round(Tensor self) -> Tensor
 * The nearest integer, ties to even. */
typedef struct wn_round_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_round_args;
WN_API wn_tensor *wn_round_x(const wn_round_args *args);
WN_API wn_tensor *wn_round_inplace_x(const wn_round_args *args);
#ifndef __cplusplus
#define wn_round(...) \
    wn_round_x(&(wn_round_args){.size_ = sizeof(wn_round_args), .self = __VA_ARGS__})
#define wn_round_(...) \
    wn_round_inplace_x(&(wn_round_args){.size_ = sizeof(wn_round_args), .self = __VA_ARGS__})
#endif

/* round.decimals(Tensor self, *, int decimals) -> Tensor
 * self rounded to `decimals` digits behind the point (before it, where negative), ties to even: round(self *
 * 10^decimals) / 10^decimals. */
typedef struct wn_round_decimals_args {
    size_t size_;
    wn_tensor *self;
    int64_t decimals;
    wn_tensor *out;
} wn_round_decimals_args;
WN_API wn_tensor *wn_round_decimals_x(const wn_round_decimals_args *args);
WN_API wn_tensor *wn_round_decimals_inplace_x(const wn_round_decimals_args *args);
#ifndef __cplusplus
#define wn_round_decimals(...) \
    wn_round_decimals_x(&(wn_round_decimals_args){.size_ = sizeof(wn_round_decimals_args), .self = __VA_ARGS__})
#define wn_round_decimals_(...) \
    wn_round_decimals_inplace_x(&(wn_round_decimals_args){.size_ = sizeof(wn_round_decimals_args), .self = __VA_ARGS__})
#endif

/* _round_scaled(Tensor self, Scalar up, Scalar down) -> Tensor
 * round(self * up / down) * down / up: behind round.decimals. */
typedef struct wn_round_scaled_args {
    size_t size_;
    wn_tensor *self;
    wn_val up;
    wn_val down;
    wn_tensor *out;
} wn_round_scaled_args;
WN_API wn_tensor *wn_round_scaled_x(const wn_round_scaled_args *args);
WN_API wn_tensor *wn_round_scaled_inplace_x(const wn_round_scaled_args *args);
#ifndef __cplusplus
#define WN_ARGS_round_scaled_(text, a0, a1, a2, ...) \
    &(wn_round_scaled_args){.size_ = sizeof(wn_round_scaled_args), .self = a0, .up = WN_VAL(a1), .down = WN_VAL(a2), __VA_ARGS__}
#define wn_round_scaled(...) \
    wn_round_scaled_x(WN_3_(WN_FEW_, WN_ARGS_round_scaled_, __VA_ARGS__)("too few arguments: wn_round_scaled(self, up, down, ...)", __VA_ARGS__, ))
#define wn_round_scaled_(...) \
    wn_round_scaled_inplace_x(WN_3_(WN_FEW_, WN_ARGS_round_scaled_, __VA_ARGS__)("too few arguments: wn_round_scaled_(self, up, down, ...)", __VA_ARGS__, ))
#endif

/* trunc(Tensor self) -> Tensor
 * self without its fraction. */
typedef struct wn_trunc_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_trunc_args;
WN_API wn_tensor *wn_trunc_x(const wn_trunc_args *args);
WN_API wn_tensor *wn_trunc_inplace_x(const wn_trunc_args *args);
#ifndef __cplusplus
#define wn_trunc(...) \
    wn_trunc_x(&(wn_trunc_args){.size_ = sizeof(wn_trunc_args), .self = __VA_ARGS__})
#define wn_trunc_(...) \
    wn_trunc_inplace_x(&(wn_trunc_args){.size_ = sizeof(wn_trunc_args), .self = __VA_ARGS__})
#endif

/* relu(Tensor self) -> Tensor
 * max(self, 0); NaN stays NaN. */
typedef struct wn_relu_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_relu_args;
WN_API wn_tensor *wn_relu_x(const wn_relu_args *args);
WN_API wn_tensor *wn_relu_inplace_x(const wn_relu_args *args);
#ifndef __cplusplus
#define wn_relu(...) \
    wn_relu_x(&(wn_relu_args){.size_ = sizeof(wn_relu_args), .self = __VA_ARGS__})
#define wn_relu_(...) \
    wn_relu_inplace_x(&(wn_relu_args){.size_ = sizeof(wn_relu_args), .self = __VA_ARGS__})
#endif

/* sigmoid(Tensor self) -> Tensor
 * 1 / (1 + exp(-self)). */
typedef struct wn_sigmoid_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_sigmoid_args;
WN_API wn_tensor *wn_sigmoid_x(const wn_sigmoid_args *args);
WN_API wn_tensor *wn_sigmoid_inplace_x(const wn_sigmoid_args *args);
#ifndef __cplusplus
#define wn_sigmoid(...) \
    wn_sigmoid_x(&(wn_sigmoid_args){.size_ = sizeof(wn_sigmoid_args), .self = __VA_ARGS__})
#define wn_sigmoid_(...) \
    wn_sigmoid_inplace_x(&(wn_sigmoid_args){.size_ = sizeof(wn_sigmoid_args), .self = __VA_ARGS__})
#endif

/* silu(Tensor self) -> Tensor
 * self * sigmoid(self). */
typedef struct wn_silu_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_silu_args;
WN_API wn_tensor *wn_silu_x(const wn_silu_args *args);
WN_API wn_tensor *wn_silu_inplace_x(const wn_silu_args *args);
#ifndef __cplusplus
#define wn_silu(...) \
    wn_silu_x(&(wn_silu_args){.size_ = sizeof(wn_silu_args), .self = __VA_ARGS__})
#define wn_silu_(...) \
    wn_silu_inplace_x(&(wn_silu_args){.size_ = sizeof(wn_silu_args), .self = __VA_ARGS__})
#endif

/* gelu(Tensor self) -> Tensor
 * self * Phi(self), Phi the normal distribution function (the erf form). */
typedef struct wn_gelu_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_gelu_args;
WN_API wn_tensor *wn_gelu_x(const wn_gelu_args *args);
#ifndef __cplusplus
#define wn_gelu(...) \
    wn_gelu_x(&(wn_gelu_args){.size_ = sizeof(wn_gelu_args), .self = __VA_ARGS__})
#endif

/* gelu.approximate(Tensor self, *, str approximate) -> Tensor
 * gelu: approximate is "none", or "tanh" for 0.5 * self * (1 + tanh(sqrt(2/pi) * (self + 0.044715 * self^3))). */
typedef struct wn_gelu_approximate_args {
    size_t size_;
    wn_tensor *self;
    const char *approximate;
    wn_tensor *out;
} wn_gelu_approximate_args;
WN_API wn_tensor *wn_gelu_approximate_x(const wn_gelu_approximate_args *args);
#ifndef __cplusplus
#define wn_gelu_approximate(...) \
    wn_gelu_approximate_x(&(wn_gelu_approximate_args){.size_ = sizeof(wn_gelu_approximate_args), .self = __VA_ARGS__})
#endif

/* _gelu_tanh(Tensor self) -> Tensor
 * The tanh form of gelu. */
typedef struct wn_gelu_tanh_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_gelu_tanh_args;
WN_API wn_tensor *wn_gelu_tanh_x(const wn_gelu_tanh_args *args);
#ifndef __cplusplus
#define wn_gelu_tanh(...) \
    wn_gelu_tanh_x(&(wn_gelu_tanh_args){.size_ = sizeof(wn_gelu_tanh_args), .self = __VA_ARGS__})
#endif

/* softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor
 * log(1 + exp(beta*self)) / beta; self itself where beta*self > threshold. */
typedef struct wn_softplus_args {
    size_t size_;
    wn_tensor *self;
    wn_val beta;
    wn_val threshold;
    wn_tensor *out;
} wn_softplus_args;
WN_API wn_tensor *wn_softplus_x(const wn_softplus_args *args);
#ifndef __cplusplus
#define wn_softplus(...) \
    wn_softplus_x(&(wn_softplus_args){.size_ = sizeof(wn_softplus_args), .self = __VA_ARGS__})
#endif

/* leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor
 * self where positive, negative_slope * self elsewhere. */
typedef struct wn_leaky_relu_args {
    size_t size_;
    wn_tensor *self;
    wn_val negative_slope;
    wn_tensor *out;
} wn_leaky_relu_args;
WN_API wn_tensor *wn_leaky_relu_x(const wn_leaky_relu_args *args);
WN_API wn_tensor *wn_leaky_relu_inplace_x(const wn_leaky_relu_args *args);
#ifndef __cplusplus
#define wn_leaky_relu(...) \
    wn_leaky_relu_x(&(wn_leaky_relu_args){.size_ = sizeof(wn_leaky_relu_args), .self = __VA_ARGS__})
#define wn_leaky_relu_(...) \
    wn_leaky_relu_inplace_x(&(wn_leaky_relu_args){.size_ = sizeof(wn_leaky_relu_args), .self = __VA_ARGS__})
#endif

/* elu(Tensor self, Scalar alpha=1) -> Tensor
 * self where positive, alpha * (exp(self) - 1) elsewhere. */
typedef struct wn_elu_args {
    size_t size_;
    wn_tensor *self;
    wn_val alpha;
    wn_tensor *out;
} wn_elu_args;
WN_API wn_tensor *wn_elu_x(const wn_elu_args *args);
WN_API wn_tensor *wn_elu_inplace_x(const wn_elu_args *args);
#ifndef __cplusplus
#define wn_elu(...) \
    wn_elu_x(&(wn_elu_args){.size_ = sizeof(wn_elu_args), .self = __VA_ARGS__})
#define wn_elu_(...) \
    wn_elu_inplace_x(&(wn_elu_args){.size_ = sizeof(wn_elu_args), .self = __VA_ARGS__})
#endif

/* clamp_min(Tensor self, Tensor min) -> Tensor
 * max(self, min); NaN stays NaN. */
typedef struct wn_clamp_min_args {
    size_t size_;
    wn_val self;
    wn_val min;
    wn_tensor *out;
} wn_clamp_min_args;
WN_API wn_tensor *wn_clamp_min_x(const wn_clamp_min_args *args);
WN_API wn_tensor *wn_clamp_min_inplace_x(const wn_clamp_min_args *args);
#ifndef __cplusplus
#define WN_ARGS_clamp_min_(text, a0, a1, ...) \
    &(wn_clamp_min_args){.size_ = sizeof(wn_clamp_min_args), .self = WN_VAL(a0), .min = WN_VAL(a1), __VA_ARGS__}
#define wn_clamp_min(...) \
    wn_clamp_min_x(WN_2_(WN_FEW_, WN_ARGS_clamp_min_, __VA_ARGS__)("too few arguments: wn_clamp_min(self, min, ...)", __VA_ARGS__, ))
#define wn_clamp_min_(...) \
    wn_clamp_min_inplace_x(WN_2_(WN_FEW_, WN_ARGS_clamp_min_, __VA_ARGS__)("too few arguments: wn_clamp_min_(self, min, ...)", __VA_ARGS__, ))
#endif

/* clamp_max(Tensor self, Tensor max) -> Tensor
 * min(self, max); NaN stays NaN. */
typedef struct wn_clamp_max_args {
    size_t size_;
    wn_val self;
    wn_val max;
    wn_tensor *out;
} wn_clamp_max_args;
WN_API wn_tensor *wn_clamp_max_x(const wn_clamp_max_args *args);
WN_API wn_tensor *wn_clamp_max_inplace_x(const wn_clamp_max_args *args);
#ifndef __cplusplus
#define WN_ARGS_clamp_max_(text, a0, a1, ...) \
    &(wn_clamp_max_args){.size_ = sizeof(wn_clamp_max_args), .self = WN_VAL(a0), .max = WN_VAL(a1), __VA_ARGS__}
#define wn_clamp_max(...) \
    wn_clamp_max_x(WN_2_(WN_FEW_, WN_ARGS_clamp_max_, __VA_ARGS__)("too few arguments: wn_clamp_max(self, max, ...)", __VA_ARGS__, ))
#define wn_clamp_max_(...) \
    wn_clamp_max_inplace_x(WN_2_(WN_FEW_, WN_ARGS_clamp_max_, __VA_ARGS__)("too few arguments: wn_clamp_max_(self, max, ...)", __VA_ARGS__, ))
#endif

/* _clamp_range(Tensor self, Tensor min, Tensor max) -> Tensor
 * clamp to both bounds. */
typedef struct wn_clamp_range_args {
    size_t size_;
    wn_val self;
    wn_val min;
    wn_val max;
    wn_tensor *out;
} wn_clamp_range_args;
WN_API wn_tensor *wn_clamp_range_x(const wn_clamp_range_args *args);
WN_API wn_tensor *wn_clamp_range_inplace_x(const wn_clamp_range_args *args);
#ifndef __cplusplus
#define WN_ARGS_clamp_range_(text, a0, a1, a2, ...) \
    &(wn_clamp_range_args){.size_ = sizeof(wn_clamp_range_args), .self = WN_VAL(a0), .min = WN_VAL(a1), .max = WN_VAL(a2), __VA_ARGS__}
#define wn_clamp_range(...) \
    wn_clamp_range_x(WN_3_(WN_FEW_, WN_ARGS_clamp_range_, __VA_ARGS__)("too few arguments: wn_clamp_range(self, min, max, ...)", __VA_ARGS__, ))
#define wn_clamp_range_(...) \
    wn_clamp_range_inplace_x(WN_3_(WN_FEW_, WN_ARGS_clamp_range_, __VA_ARGS__)("too few arguments: wn_clamp_range_(self, min, max, ...)", __VA_ARGS__, ))
#endif

/* clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor
 * min(max(self, min), max) with bounds for each element; one at least must be given. */
typedef struct wn_clamp_tensor_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *min;
    wn_tensor *max;
    wn_tensor *out;
} wn_clamp_tensor_args;
WN_API wn_tensor *wn_clamp_tensor_x(const wn_clamp_tensor_args *args);
WN_API wn_tensor *wn_clamp_tensor_inplace_x(const wn_clamp_tensor_args *args);
#ifndef __cplusplus
#define WN_ARGS_clamp_tensor_(text, a0, a1, a2, ...) \
    &(wn_clamp_tensor_args){.size_ = sizeof(wn_clamp_tensor_args), .self = a0, .min = a1, .max = a2, __VA_ARGS__}
#define wn_clamp_tensor(...) \
    wn_clamp_tensor_x(WN_3_(WN_FEW_, WN_ARGS_clamp_tensor_, __VA_ARGS__)("too few arguments: wn_clamp_tensor(self, min, max, ...)", __VA_ARGS__, ))
#define wn_clamp_tensor_(...) \
    wn_clamp_tensor_inplace_x(WN_3_(WN_FEW_, WN_ARGS_clamp_tensor_, __VA_ARGS__)("too few arguments: wn_clamp_tensor_(self, min, max, ...)", __VA_ARGS__, ))
#endif

/* clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor
 * min(max(self, min), max); WN_NONE leaves a side open (one side at least must be given). min > max gives max. */
typedef struct wn_clamp_args {
    size_t size_;
    wn_tensor *self;
    wn_val min;
    wn_val max;
    wn_tensor *out;
} wn_clamp_args;
WN_API wn_tensor *wn_clamp_x(const wn_clamp_args *args);
WN_API wn_tensor *wn_clamp_inplace_x(const wn_clamp_args *args);
#ifndef __cplusplus
#define WN_ARGS_clamp_(text, a0, a1, a2, ...) \
    &(wn_clamp_args){.size_ = sizeof(wn_clamp_args), .self = a0, .min = WN_VAL(a1), .max = WN_VAL(a2), __VA_ARGS__}
#define wn_clamp(...) \
    wn_clamp_x(WN_3_(WN_FEW_, WN_ARGS_clamp_, __VA_ARGS__)("too few arguments: wn_clamp(self, min, max, ...)", __VA_ARGS__, ))
#define wn_clamp_(...) \
    wn_clamp_inplace_x(WN_3_(WN_FEW_, WN_ARGS_clamp_, __VA_ARGS__)("too few arguments: wn_clamp_(self, min, max, ...)", __VA_ARGS__, ))
#endif

/* threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor
 * grad_output where self > threshold (or is NaN), 0 elsewhere. */
typedef struct wn_threshold_backward_args {
    size_t size_;
    wn_val grad_output;
    wn_val self;
    wn_val threshold;
    wn_tensor *out;
} wn_threshold_backward_args;
WN_API wn_tensor *wn_threshold_backward_x(const wn_threshold_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_threshold_backward_(text, a0, a1, a2, ...) \
    &(wn_threshold_backward_args){.size_ = sizeof(wn_threshold_backward_args), .grad_output = WN_VAL(a0), .self = WN_VAL(a1), .threshold = WN_VAL(a2), __VA_ARGS__}
#define wn_threshold_backward(...) \
    wn_threshold_backward_x(WN_3_(WN_FEW_, WN_ARGS_threshold_backward_, __VA_ARGS__)("too few arguments: wn_threshold_backward(grad_output, self, threshold, ...)", __VA_ARGS__, ))
#endif

/* tanh_backward(Tensor grad_output, Tensor output) -> Tensor
 * grad_output * (1 - output^2). */
typedef struct wn_tanh_backward_args {
    size_t size_;
    wn_val grad_output;
    wn_val output;
    wn_tensor *out;
} wn_tanh_backward_args;
WN_API wn_tensor *wn_tanh_backward_x(const wn_tanh_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_tanh_backward_(text, a0, a1, ...) \
    &(wn_tanh_backward_args){.size_ = sizeof(wn_tanh_backward_args), .grad_output = WN_VAL(a0), .output = WN_VAL(a1), __VA_ARGS__}
#define wn_tanh_backward(...) \
    wn_tanh_backward_x(WN_2_(WN_FEW_, WN_ARGS_tanh_backward_, __VA_ARGS__)("too few arguments: wn_tanh_backward(grad_output, output, ...)", __VA_ARGS__, ))
#endif

/* sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor
 * grad_output * output * (1 - output). */
typedef struct wn_sigmoid_backward_args {
    size_t size_;
    wn_val grad_output;
    wn_val output;
    wn_tensor *out;
} wn_sigmoid_backward_args;
WN_API wn_tensor *wn_sigmoid_backward_x(const wn_sigmoid_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_sigmoid_backward_(text, a0, a1, ...) \
    &(wn_sigmoid_backward_args){.size_ = sizeof(wn_sigmoid_backward_args), .grad_output = WN_VAL(a0), .output = WN_VAL(a1), __VA_ARGS__}
#define wn_sigmoid_backward(...) \
    wn_sigmoid_backward_x(WN_2_(WN_FEW_, WN_ARGS_sigmoid_backward_, __VA_ARGS__)("too few arguments: wn_sigmoid_backward(grad_output, output, ...)", __VA_ARGS__, ))
#endif

/* silu_backward(Tensor grad_output, Tensor self) -> Tensor
 * grad_output * s * (1 + self * (1 - s)) with s = sigmoid(self). */
typedef struct wn_silu_backward_args {
    size_t size_;
    wn_val grad_output;
    wn_val self;
    wn_tensor *out;
} wn_silu_backward_args;
WN_API wn_tensor *wn_silu_backward_x(const wn_silu_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_silu_backward_(text, a0, a1, ...) \
    &(wn_silu_backward_args){.size_ = sizeof(wn_silu_backward_args), .grad_output = WN_VAL(a0), .self = WN_VAL(a1), __VA_ARGS__}
#define wn_silu_backward(...) \
    wn_silu_backward_x(WN_2_(WN_FEW_, WN_ARGS_silu_backward_, __VA_ARGS__)("too few arguments: wn_silu_backward(grad_output, self, ...)", __VA_ARGS__, ))
#endif

/* gelu_backward(Tensor grad_output, Tensor self) -> Tensor
 * grad_output * (Phi(self) + self * phi(self)), the normal distribution and density. */
typedef struct wn_gelu_backward_args {
    size_t size_;
    wn_val grad_output;
    wn_val self;
    wn_tensor *out;
} wn_gelu_backward_args;
WN_API wn_tensor *wn_gelu_backward_x(const wn_gelu_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_gelu_backward_(text, a0, a1, ...) \
    &(wn_gelu_backward_args){.size_ = sizeof(wn_gelu_backward_args), .grad_output = WN_VAL(a0), .self = WN_VAL(a1), __VA_ARGS__}
#define wn_gelu_backward(...) \
    wn_gelu_backward_x(WN_2_(WN_FEW_, WN_ARGS_gelu_backward_, __VA_ARGS__)("too few arguments: wn_gelu_backward(grad_output, self, ...)", __VA_ARGS__, ))
#endif

/* _gelu_tanh_backward(Tensor grad_output, Tensor self) -> Tensor
 * grad_output * (s + self * s * (1 - s) * v'), gelu's tanh form being self * s with s = sigmoid(v). */
typedef struct wn_gelu_tanh_backward_args {
    size_t size_;
    wn_val grad_output;
    wn_val self;
    wn_tensor *out;
} wn_gelu_tanh_backward_args;
WN_API wn_tensor *wn_gelu_tanh_backward_x(const wn_gelu_tanh_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_gelu_tanh_backward_(text, a0, a1, ...) \
    &(wn_gelu_tanh_backward_args){.size_ = sizeof(wn_gelu_tanh_backward_args), .grad_output = WN_VAL(a0), .self = WN_VAL(a1), __VA_ARGS__}
#define wn_gelu_tanh_backward(...) \
    wn_gelu_tanh_backward_x(WN_2_(WN_FEW_, WN_ARGS_gelu_tanh_backward_, __VA_ARGS__)("too few arguments: wn_gelu_tanh_backward(grad_output, self, ...)", __VA_ARGS__, ))
#endif

/* eq(Tensor self, Tensor other) -> Tensor
 * self == other, as bool. */
typedef struct wn_eq_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_eq_args;
WN_API wn_tensor *wn_eq_x(const wn_eq_args *args);
WN_API wn_tensor *wn_eq_inplace_x(const wn_eq_args *args);
#ifndef __cplusplus
#define WN_ARGS_eq_(text, a0, a1, ...) \
    &(wn_eq_args){.size_ = sizeof(wn_eq_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_eq(...) \
    wn_eq_x(WN_2_(WN_FEW_, WN_ARGS_eq_, __VA_ARGS__)("too few arguments: wn_eq(self, other, ...)", __VA_ARGS__, ))
#define wn_eq_(...) \
    wn_eq_inplace_x(WN_2_(WN_FEW_, WN_ARGS_eq_, __VA_ARGS__)("too few arguments: wn_eq_(self, other, ...)", __VA_ARGS__, ))
#endif

/* ne(Tensor self, Tensor other) -> Tensor
 * self != other, as bool. */
typedef struct wn_ne_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_ne_args;
WN_API wn_tensor *wn_ne_x(const wn_ne_args *args);
WN_API wn_tensor *wn_ne_inplace_x(const wn_ne_args *args);
#ifndef __cplusplus
#define WN_ARGS_ne_(text, a0, a1, ...) \
    &(wn_ne_args){.size_ = sizeof(wn_ne_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_ne(...) \
    wn_ne_x(WN_2_(WN_FEW_, WN_ARGS_ne_, __VA_ARGS__)("too few arguments: wn_ne(self, other, ...)", __VA_ARGS__, ))
#define wn_ne_(...) \
    wn_ne_inplace_x(WN_2_(WN_FEW_, WN_ARGS_ne_, __VA_ARGS__)("too few arguments: wn_ne_(self, other, ...)", __VA_ARGS__, ))
#endif

/* lt(Tensor self, Tensor other) -> Tensor
 * self < other, as bool. */
typedef struct wn_lt_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_lt_args;
WN_API wn_tensor *wn_lt_x(const wn_lt_args *args);
WN_API wn_tensor *wn_lt_inplace_x(const wn_lt_args *args);
#ifndef __cplusplus
#define WN_ARGS_lt_(text, a0, a1, ...) \
    &(wn_lt_args){.size_ = sizeof(wn_lt_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_lt(...) \
    wn_lt_x(WN_2_(WN_FEW_, WN_ARGS_lt_, __VA_ARGS__)("too few arguments: wn_lt(self, other, ...)", __VA_ARGS__, ))
#define wn_lt_(...) \
    wn_lt_inplace_x(WN_2_(WN_FEW_, WN_ARGS_lt_, __VA_ARGS__)("too few arguments: wn_lt_(self, other, ...)", __VA_ARGS__, ))
#endif

/* le(Tensor self, Tensor other) -> Tensor
 * self <= other, as bool. */
typedef struct wn_le_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_le_args;
WN_API wn_tensor *wn_le_x(const wn_le_args *args);
WN_API wn_tensor *wn_le_inplace_x(const wn_le_args *args);
#ifndef __cplusplus
#define WN_ARGS_le_(text, a0, a1, ...) \
    &(wn_le_args){.size_ = sizeof(wn_le_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_le(...) \
    wn_le_x(WN_2_(WN_FEW_, WN_ARGS_le_, __VA_ARGS__)("too few arguments: wn_le(self, other, ...)", __VA_ARGS__, ))
#define wn_le_(...) \
    wn_le_inplace_x(WN_2_(WN_FEW_, WN_ARGS_le_, __VA_ARGS__)("too few arguments: wn_le_(self, other, ...)", __VA_ARGS__, ))
#endif

/* gt(Tensor self, Tensor other) -> Tensor
 * self > other, as bool. */
typedef struct wn_gt_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_gt_args;
WN_API wn_tensor *wn_gt_x(const wn_gt_args *args);
WN_API wn_tensor *wn_gt_inplace_x(const wn_gt_args *args);
#ifndef __cplusplus
#define WN_ARGS_gt_(text, a0, a1, ...) \
    &(wn_gt_args){.size_ = sizeof(wn_gt_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_gt(...) \
    wn_gt_x(WN_2_(WN_FEW_, WN_ARGS_gt_, __VA_ARGS__)("too few arguments: wn_gt(self, other, ...)", __VA_ARGS__, ))
#define wn_gt_(...) \
    wn_gt_inplace_x(WN_2_(WN_FEW_, WN_ARGS_gt_, __VA_ARGS__)("too few arguments: wn_gt_(self, other, ...)", __VA_ARGS__, ))
#endif

/* ge(Tensor self, Tensor other) -> Tensor
 * self >= other, as bool. */
typedef struct wn_ge_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_ge_args;
WN_API wn_tensor *wn_ge_x(const wn_ge_args *args);
WN_API wn_tensor *wn_ge_inplace_x(const wn_ge_args *args);
#ifndef __cplusplus
#define WN_ARGS_ge_(text, a0, a1, ...) \
    &(wn_ge_args){.size_ = sizeof(wn_ge_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_ge(...) \
    wn_ge_x(WN_2_(WN_FEW_, WN_ARGS_ge_, __VA_ARGS__)("too few arguments: wn_ge(self, other, ...)", __VA_ARGS__, ))
#define wn_ge_(...) \
    wn_ge_inplace_x(WN_2_(WN_FEW_, WN_ARGS_ge_, __VA_ARGS__)("too few arguments: wn_ge_(self, other, ...)", __VA_ARGS__, ))
#endif

/* isnan(Tensor self) -> Tensor
 * Is the element NaN? */
typedef struct wn_isnan_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_isnan_args;
WN_API wn_tensor *wn_isnan_x(const wn_isnan_args *args);
#ifndef __cplusplus
#define wn_isnan(...) \
    wn_isnan_x(&(wn_isnan_args){.size_ = sizeof(wn_isnan_args), .self = __VA_ARGS__})
#endif

/* isinf(Tensor self) -> Tensor
 * Is the element infinite? */
typedef struct wn_isinf_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_isinf_args;
WN_API wn_tensor *wn_isinf_x(const wn_isinf_args *args);
#ifndef __cplusplus
#define wn_isinf(...) \
    wn_isinf_x(&(wn_isinf_args){.size_ = sizeof(wn_isinf_args), .self = __VA_ARGS__})
#endif

/* isfinite(Tensor self) -> Tensor
 * Is the element neither infinite nor NaN? */
typedef struct wn_isfinite_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_isfinite_args;
WN_API wn_tensor *wn_isfinite_x(const wn_isfinite_args *args);
#ifndef __cplusplus
#define wn_isfinite(...) \
    wn_isfinite_x(&(wn_isfinite_args){.size_ = sizeof(wn_isfinite_args), .self = __VA_ARGS__})
#endif

/* signbit(Tensor self) -> Tensor
 * Is the sign bit set (true for -0.0)? */
typedef struct wn_signbit_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_signbit_args;
WN_API wn_tensor *wn_signbit_x(const wn_signbit_args *args);
#ifndef __cplusplus
#define wn_signbit(...) \
    wn_signbit_x(&(wn_signbit_args){.size_ = sizeof(wn_signbit_args), .self = __VA_ARGS__})
#endif

/* logical_not(Tensor self) -> Tensor
 * not (self != 0). */
typedef struct wn_logical_not_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_logical_not_args;
WN_API wn_tensor *wn_logical_not_x(const wn_logical_not_args *args);
WN_API wn_tensor *wn_logical_not_inplace_x(const wn_logical_not_args *args);
#ifndef __cplusplus
#define wn_logical_not(...) \
    wn_logical_not_x(&(wn_logical_not_args){.size_ = sizeof(wn_logical_not_args), .self = __VA_ARGS__})
#define wn_logical_not_(...) \
    wn_logical_not_inplace_x(&(wn_logical_not_args){.size_ = sizeof(wn_logical_not_args), .self = __VA_ARGS__})
#endif

/* logical_and(Tensor self, Tensor other) -> Tensor
 * (self != 0) and (other != 0). */
typedef struct wn_logical_and_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_logical_and_args;
WN_API wn_tensor *wn_logical_and_x(const wn_logical_and_args *args);
WN_API wn_tensor *wn_logical_and_inplace_x(const wn_logical_and_args *args);
#ifndef __cplusplus
#define WN_ARGS_logical_and_(text, a0, a1, ...) \
    &(wn_logical_and_args){.size_ = sizeof(wn_logical_and_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_logical_and(...) \
    wn_logical_and_x(WN_2_(WN_FEW_, WN_ARGS_logical_and_, __VA_ARGS__)("too few arguments: wn_logical_and(self, other, ...)", __VA_ARGS__, ))
#define wn_logical_and_(...) \
    wn_logical_and_inplace_x(WN_2_(WN_FEW_, WN_ARGS_logical_and_, __VA_ARGS__)("too few arguments: wn_logical_and_(self, other, ...)", __VA_ARGS__, ))
#endif

/* logical_or(Tensor self, Tensor other) -> Tensor
 * (self != 0) or (other != 0). */
typedef struct wn_logical_or_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_logical_or_args;
WN_API wn_tensor *wn_logical_or_x(const wn_logical_or_args *args);
WN_API wn_tensor *wn_logical_or_inplace_x(const wn_logical_or_args *args);
#ifndef __cplusplus
#define WN_ARGS_logical_or_(text, a0, a1, ...) \
    &(wn_logical_or_args){.size_ = sizeof(wn_logical_or_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_logical_or(...) \
    wn_logical_or_x(WN_2_(WN_FEW_, WN_ARGS_logical_or_, __VA_ARGS__)("too few arguments: wn_logical_or(self, other, ...)", __VA_ARGS__, ))
#define wn_logical_or_(...) \
    wn_logical_or_inplace_x(WN_2_(WN_FEW_, WN_ARGS_logical_or_, __VA_ARGS__)("too few arguments: wn_logical_or_(self, other, ...)", __VA_ARGS__, ))
#endif

/* logical_xor(Tensor self, Tensor other) -> Tensor
 * (self != 0) xor (other != 0). */
typedef struct wn_logical_xor_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_logical_xor_args;
WN_API wn_tensor *wn_logical_xor_x(const wn_logical_xor_args *args);
WN_API wn_tensor *wn_logical_xor_inplace_x(const wn_logical_xor_args *args);
#ifndef __cplusplus
#define WN_ARGS_logical_xor_(text, a0, a1, ...) \
    &(wn_logical_xor_args){.size_ = sizeof(wn_logical_xor_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_logical_xor(...) \
    wn_logical_xor_x(WN_2_(WN_FEW_, WN_ARGS_logical_xor_, __VA_ARGS__)("too few arguments: wn_logical_xor(self, other, ...)", __VA_ARGS__, ))
#define wn_logical_xor_(...) \
    wn_logical_xor_inplace_x(WN_2_(WN_FEW_, WN_ARGS_logical_xor_, __VA_ARGS__)("too few arguments: wn_logical_xor_(self, other, ...)", __VA_ARGS__, ))
#endif

/* bitwise_not(Tensor self) -> Tensor
 * Bits inverted; logical not for bool. */
typedef struct wn_bitwise_not_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_bitwise_not_args;
WN_API wn_tensor *wn_bitwise_not_x(const wn_bitwise_not_args *args);
WN_API wn_tensor *wn_bitwise_not_inplace_x(const wn_bitwise_not_args *args);
#ifndef __cplusplus
#define wn_bitwise_not(...) \
    wn_bitwise_not_x(&(wn_bitwise_not_args){.size_ = sizeof(wn_bitwise_not_args), .self = __VA_ARGS__})
#define wn_bitwise_not_(...) \
    wn_bitwise_not_inplace_x(&(wn_bitwise_not_args){.size_ = sizeof(wn_bitwise_not_args), .self = __VA_ARGS__})
#endif

/* bitwise_and(Tensor self, Tensor other) -> Tensor
 * Bitwise and. */
typedef struct wn_bitwise_and_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_bitwise_and_args;
WN_API wn_tensor *wn_bitwise_and_x(const wn_bitwise_and_args *args);
WN_API wn_tensor *wn_bitwise_and_inplace_x(const wn_bitwise_and_args *args);
#ifndef __cplusplus
#define WN_ARGS_bitwise_and_(text, a0, a1, ...) \
    &(wn_bitwise_and_args){.size_ = sizeof(wn_bitwise_and_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_bitwise_and(...) \
    wn_bitwise_and_x(WN_2_(WN_FEW_, WN_ARGS_bitwise_and_, __VA_ARGS__)("too few arguments: wn_bitwise_and(self, other, ...)", __VA_ARGS__, ))
#define wn_bitwise_and_(...) \
    wn_bitwise_and_inplace_x(WN_2_(WN_FEW_, WN_ARGS_bitwise_and_, __VA_ARGS__)("too few arguments: wn_bitwise_and_(self, other, ...)", __VA_ARGS__, ))
#endif

/* bitwise_or(Tensor self, Tensor other) -> Tensor
 * Bitwise or. */
typedef struct wn_bitwise_or_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_bitwise_or_args;
WN_API wn_tensor *wn_bitwise_or_x(const wn_bitwise_or_args *args);
WN_API wn_tensor *wn_bitwise_or_inplace_x(const wn_bitwise_or_args *args);
#ifndef __cplusplus
#define WN_ARGS_bitwise_or_(text, a0, a1, ...) \
    &(wn_bitwise_or_args){.size_ = sizeof(wn_bitwise_or_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_bitwise_or(...) \
    wn_bitwise_or_x(WN_2_(WN_FEW_, WN_ARGS_bitwise_or_, __VA_ARGS__)("too few arguments: wn_bitwise_or(self, other, ...)", __VA_ARGS__, ))
#define wn_bitwise_or_(...) \
    wn_bitwise_or_inplace_x(WN_2_(WN_FEW_, WN_ARGS_bitwise_or_, __VA_ARGS__)("too few arguments: wn_bitwise_or_(self, other, ...)", __VA_ARGS__, ))
#endif

/* bitwise_xor(Tensor self, Tensor other) -> Tensor
 * Bitwise exclusive or. */
typedef struct wn_bitwise_xor_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_bitwise_xor_args;
WN_API wn_tensor *wn_bitwise_xor_x(const wn_bitwise_xor_args *args);
WN_API wn_tensor *wn_bitwise_xor_inplace_x(const wn_bitwise_xor_args *args);
#ifndef __cplusplus
#define WN_ARGS_bitwise_xor_(text, a0, a1, ...) \
    &(wn_bitwise_xor_args){.size_ = sizeof(wn_bitwise_xor_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_bitwise_xor(...) \
    wn_bitwise_xor_x(WN_2_(WN_FEW_, WN_ARGS_bitwise_xor_, __VA_ARGS__)("too few arguments: wn_bitwise_xor(self, other, ...)", __VA_ARGS__, ))
#define wn_bitwise_xor_(...) \
    wn_bitwise_xor_inplace_x(WN_2_(WN_FEW_, WN_ARGS_bitwise_xor_, __VA_ARGS__)("too few arguments: wn_bitwise_xor_(self, other, ...)", __VA_ARGS__, ))
#endif

/* where.self(Tensor condition, Tensor self, Tensor other) -> Tensor
 * condition ? self : other. The side not taken contributes nothing: a NaN there reaches neither the result nor a
 * gradient. */
typedef struct wn_where_args {
    size_t size_;
    wn_tensor *condition;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_where_args;
WN_API wn_tensor *wn_where_x(const wn_where_args *args);
#ifndef __cplusplus
#define WN_ARGS_where_(text, a0, a1, a2, ...) \
    &(wn_where_args){.size_ = sizeof(wn_where_args), .condition = a0, .self = WN_VAL(a1), .other = WN_VAL(a2), __VA_ARGS__}
#define wn_where(...) \
    wn_where_x(WN_3_(WN_FEW_, WN_ARGS_where_, __VA_ARGS__)("too few arguments: wn_where(condition, self, other, ...)", __VA_ARGS__, ))
#endif

/* masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor
 * masked_fill with the value of a 0-d tensor, whose gradient is the sum of what it filled. */
typedef struct wn_masked_fill_tensor_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *mask;
    wn_tensor *value;
    wn_tensor *out;
} wn_masked_fill_tensor_args;
WN_API wn_tensor *wn_masked_fill_tensor_x(const wn_masked_fill_tensor_args *args);
WN_API wn_tensor *wn_masked_fill_tensor_inplace_x(const wn_masked_fill_tensor_args *args);
#ifndef __cplusplus
#define WN_ARGS_masked_fill_tensor_(text, a0, a1, a2, ...) \
    &(wn_masked_fill_tensor_args){.size_ = sizeof(wn_masked_fill_tensor_args), .self = a0, .mask = a1, .value = a2, __VA_ARGS__}
#define wn_masked_fill_tensor(...) \
    wn_masked_fill_tensor_x(WN_3_(WN_FEW_, WN_ARGS_masked_fill_tensor_, __VA_ARGS__)("too few arguments: wn_masked_fill_tensor(self, mask, value, ...)", __VA_ARGS__, ))
#define wn_masked_fill_tensor_(...) \
    wn_masked_fill_tensor_inplace_x(WN_3_(WN_FEW_, WN_ARGS_masked_fill_tensor_, __VA_ARGS__)("too few arguments: wn_masked_fill_tensor_(self, mask, value, ...)", __VA_ARGS__, ))
#endif

/* masked_fill(Tensor self, Tensor mask, Scalar value) -> Tensor
 * self where mask is false, value (converted to self's dtype) where it is true. */
typedef struct wn_masked_fill_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *mask;
    wn_val value;
    wn_tensor *out;
} wn_masked_fill_args;
WN_API wn_tensor *wn_masked_fill_x(const wn_masked_fill_args *args);
WN_API wn_tensor *wn_masked_fill_inplace_x(const wn_masked_fill_args *args);
#ifndef __cplusplus
#define WN_ARGS_masked_fill_(text, a0, a1, a2, ...) \
    &(wn_masked_fill_args){.size_ = sizeof(wn_masked_fill_args), .self = a0, .mask = a1, .value = WN_VAL(a2), __VA_ARGS__}
#define wn_masked_fill(...) \
    wn_masked_fill_x(WN_3_(WN_FEW_, WN_ARGS_masked_fill_, __VA_ARGS__)("too few arguments: wn_masked_fill(self, mask, value, ...)", __VA_ARGS__, ))
#define wn_masked_fill_(...) \
    wn_masked_fill_inplace_x(WN_3_(WN_FEW_, WN_ARGS_masked_fill_, __VA_ARGS__)("too few arguments: wn_masked_fill_(self, mask, value, ...)", __VA_ARGS__, ))
#endif

/* bitwise_left_shift(Tensor self, Tensor other) -> Tensor
 * self * 2^other without the bits that leave the type; 0 where other is negative or not below the type's width. */
typedef struct wn_bitwise_left_shift_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_bitwise_left_shift_args;
WN_API wn_tensor *wn_bitwise_left_shift_x(const wn_bitwise_left_shift_args *args);
WN_API wn_tensor *wn_bitwise_left_shift_inplace_x(const wn_bitwise_left_shift_args *args);
#ifndef __cplusplus
#define WN_ARGS_bitwise_left_shift_(text, a0, a1, ...) \
    &(wn_bitwise_left_shift_args){.size_ = sizeof(wn_bitwise_left_shift_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_bitwise_left_shift(...) \
    wn_bitwise_left_shift_x(WN_2_(WN_FEW_, WN_ARGS_bitwise_left_shift_, __VA_ARGS__)("too few arguments: wn_bitwise_left_shift(self, other, ...)", __VA_ARGS__, ))
#define wn_bitwise_left_shift_(...) \
    wn_bitwise_left_shift_inplace_x(WN_2_(WN_FEW_, WN_ARGS_bitwise_left_shift_, __VA_ARGS__)("too few arguments: wn_bitwise_left_shift_(self, other, ...)", __VA_ARGS__, ))
#endif

/* bitwise_right_shift(Tensor self, Tensor other) -> Tensor
 * floor(self / 2^other); 0 or -1 where other is negative or not below the type's width. */
typedef struct wn_bitwise_right_shift_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_bitwise_right_shift_args;
WN_API wn_tensor *wn_bitwise_right_shift_x(const wn_bitwise_right_shift_args *args);
WN_API wn_tensor *wn_bitwise_right_shift_inplace_x(const wn_bitwise_right_shift_args *args);
#ifndef __cplusplus
#define WN_ARGS_bitwise_right_shift_(text, a0, a1, ...) \
    &(wn_bitwise_right_shift_args){.size_ = sizeof(wn_bitwise_right_shift_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_bitwise_right_shift(...) \
    wn_bitwise_right_shift_x(WN_2_(WN_FEW_, WN_ARGS_bitwise_right_shift_, __VA_ARGS__)("too few arguments: wn_bitwise_right_shift(self, other, ...)", __VA_ARGS__, ))
#define wn_bitwise_right_shift_(...) \
    wn_bitwise_right_shift_inplace_x(WN_2_(WN_FEW_, WN_ARGS_bitwise_right_shift_, __VA_ARGS__)("too few arguments: wn_bitwise_right_shift_(self, other, ...)", __VA_ARGS__, ))
#endif

/* gcd(Tensor self, Tensor other) -> Tensor
 * The greatest common divisor, not negative; gcd(0, 0) = 0. */
typedef struct wn_gcd_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_gcd_args;
WN_API wn_tensor *wn_gcd_x(const wn_gcd_args *args);
WN_API wn_tensor *wn_gcd_inplace_x(const wn_gcd_args *args);
#ifndef __cplusplus
#define WN_ARGS_gcd_(text, a0, a1, ...) \
    &(wn_gcd_args){.size_ = sizeof(wn_gcd_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_gcd(...) \
    wn_gcd_x(WN_2_(WN_FEW_, WN_ARGS_gcd_, __VA_ARGS__)("too few arguments: wn_gcd(self, other, ...)", __VA_ARGS__, ))
#define wn_gcd_(...) \
    wn_gcd_inplace_x(WN_2_(WN_FEW_, WN_ARGS_gcd_, __VA_ARGS__)("too few arguments: wn_gcd_(self, other, ...)", __VA_ARGS__, ))
#endif

/* lcm(Tensor self, Tensor other) -> Tensor
 * The least common multiple, not negative; 0 where one is 0. */
typedef struct wn_lcm_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_lcm_args;
WN_API wn_tensor *wn_lcm_x(const wn_lcm_args *args);
WN_API wn_tensor *wn_lcm_inplace_x(const wn_lcm_args *args);
#ifndef __cplusplus
#define WN_ARGS_lcm_(text, a0, a1, ...) \
    &(wn_lcm_args){.size_ = sizeof(wn_lcm_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_lcm(...) \
    wn_lcm_x(WN_2_(WN_FEW_, WN_ARGS_lcm_, __VA_ARGS__)("too few arguments: wn_lcm(self, other, ...)", __VA_ARGS__, ))
#define wn_lcm_(...) \
    wn_lcm_inplace_x(WN_2_(WN_FEW_, WN_ARGS_lcm_, __VA_ARGS__)("too few arguments: wn_lcm_(self, other, ...)", __VA_ARGS__, ))
#endif

/* rsub(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
 * other - alpha * self. */
typedef struct wn_rsub_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_val alpha;
    wn_tensor *out;
} wn_rsub_args;
WN_API wn_tensor *wn_rsub_x(const wn_rsub_args *args);
#ifndef __cplusplus
#define WN_ARGS_rsub_(text, a0, a1, ...) \
    &(wn_rsub_args){.size_ = sizeof(wn_rsub_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_rsub(...) \
    wn_rsub_x(WN_2_(WN_FEW_, WN_ARGS_rsub_, __VA_ARGS__)("too few arguments: wn_rsub(self, other, ...)", __VA_ARGS__, ))
#endif

/* positive(Tensor self) -> Tensor
 * self itself; bool is an error. */
typedef struct wn_positive_args {
    size_t size_;
    wn_tensor *self;
} wn_positive_args;
WN_API wn_tensor *wn_positive_x(const wn_positive_args *args);
#ifndef __cplusplus
#define wn_positive(...) \
    wn_positive_x(&(wn_positive_args){.size_ = sizeof(wn_positive_args), .self = __VA_ARGS__})
#endif

/* deg2rad(Tensor self) -> Tensor
 * Degrees as radians: self * pi / 180. */
typedef struct wn_deg2rad_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_deg2rad_args;
WN_API wn_tensor *wn_deg2rad_x(const wn_deg2rad_args *args);
WN_API wn_tensor *wn_deg2rad_inplace_x(const wn_deg2rad_args *args);
#ifndef __cplusplus
#define wn_deg2rad(...) \
    wn_deg2rad_x(&(wn_deg2rad_args){.size_ = sizeof(wn_deg2rad_args), .self = __VA_ARGS__})
#define wn_deg2rad_(...) \
    wn_deg2rad_inplace_x(&(wn_deg2rad_args){.size_ = sizeof(wn_deg2rad_args), .self = __VA_ARGS__})
#endif

/* rad2deg(Tensor self) -> Tensor
 * Radians as degrees: self * 180 / pi. */
typedef struct wn_rad2deg_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_rad2deg_args;
WN_API wn_tensor *wn_rad2deg_x(const wn_rad2deg_args *args);
WN_API wn_tensor *wn_rad2deg_inplace_x(const wn_rad2deg_args *args);
#ifndef __cplusplus
#define wn_rad2deg(...) \
    wn_rad2deg_x(&(wn_rad2deg_args){.size_ = sizeof(wn_rad2deg_args), .self = __VA_ARGS__})
#define wn_rad2deg_(...) \
    wn_rad2deg_inplace_x(&(wn_rad2deg_args){.size_ = sizeof(wn_rad2deg_args), .self = __VA_ARGS__})
#endif

/* fmax(Tensor self, Tensor other) -> Tensor
 * The larger of the two; the other one where one is NaN. self has the gradient of ties. */
typedef struct wn_fmax_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_fmax_args;
WN_API wn_tensor *wn_fmax_x(const wn_fmax_args *args);
#ifndef __cplusplus
#define WN_ARGS_fmax_(text, a0, a1, ...) \
    &(wn_fmax_args){.size_ = sizeof(wn_fmax_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_fmax(...) \
    wn_fmax_x(WN_2_(WN_FEW_, WN_ARGS_fmax_, __VA_ARGS__)("too few arguments: wn_fmax(self, other, ...)", __VA_ARGS__, ))
#endif

/* fmin(Tensor self, Tensor other) -> Tensor
 * The smaller of the two; the other one where one is NaN. self has the gradient of ties. */
typedef struct wn_fmin_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_fmin_args;
WN_API wn_tensor *wn_fmin_x(const wn_fmin_args *args);
#ifndef __cplusplus
#define WN_ARGS_fmin_(text, a0, a1, ...) \
    &(wn_fmin_args){.size_ = sizeof(wn_fmin_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_fmin(...) \
    wn_fmin_x(WN_2_(WN_FEW_, WN_ARGS_fmin_, __VA_ARGS__)("too few arguments: wn_fmin(self, other, ...)", __VA_ARGS__, ))
#endif

/* frac(Tensor self) -> Tensor
 * self - trunc(self): the fraction, with self's sign. */
typedef struct wn_frac_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_frac_args;
WN_API wn_tensor *wn_frac_x(const wn_frac_args *args);
WN_API wn_tensor *wn_frac_inplace_x(const wn_frac_args *args);
#ifndef __cplusplus
#define wn_frac(...) \
    wn_frac_x(&(wn_frac_args){.size_ = sizeof(wn_frac_args), .self = __VA_ARGS__})
#define wn_frac_(...) \
    wn_frac_inplace_x(&(wn_frac_args){.size_ = sizeof(wn_frac_args), .self = __VA_ARGS__})
#endif

/* sgn(Tensor self) -> Tensor
 * sign, under the name that complex numbers need. */
typedef struct wn_sgn_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_sgn_args;
WN_API wn_tensor *wn_sgn_x(const wn_sgn_args *args);
WN_API wn_tensor *wn_sgn_inplace_x(const wn_sgn_args *args);
#ifndef __cplusplus
#define wn_sgn(...) \
    wn_sgn_x(&(wn_sgn_args){.size_ = sizeof(wn_sgn_args), .self = __VA_ARGS__})
#define wn_sgn_(...) \
    wn_sgn_inplace_x(&(wn_sgn_args){.size_ = sizeof(wn_sgn_args), .self = __VA_ARGS__})
#endif

/* angle(Tensor self) -> Tensor
 * The angle of a real number in the complex plane: pi where negative, else 0; NaN stays. */
typedef struct wn_angle_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_angle_args;
WN_API wn_tensor *wn_angle_x(const wn_angle_args *args);
#ifndef __cplusplus
#define wn_angle(...) \
    wn_angle_x(&(wn_angle_args){.size_ = sizeof(wn_angle_args), .self = __VA_ARGS__})
#endif

/* copysign.Tensor(Tensor self, Tensor other) -> Tensor
 * |self| with the sign of other, the sign of its zeros too. */
typedef struct wn_copysign_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_copysign_args;
WN_API wn_tensor *wn_copysign_x(const wn_copysign_args *args);
WN_API wn_tensor *wn_copysign_inplace_x(const wn_copysign_args *args);
#ifndef __cplusplus
#define WN_ARGS_copysign_(text, a0, a1, ...) \
    &(wn_copysign_args){.size_ = sizeof(wn_copysign_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_copysign(...) \
    wn_copysign_x(WN_2_(WN_FEW_, WN_ARGS_copysign_, __VA_ARGS__)("too few arguments: wn_copysign(self, other, ...)", __VA_ARGS__, ))
#define wn_copysign_(...) \
    wn_copysign_inplace_x(WN_2_(WN_FEW_, WN_ARGS_copysign_, __VA_ARGS__)("too few arguments: wn_copysign_(self, other, ...)", __VA_ARGS__, ))
#endif

/* heaviside(Tensor self, Tensor values) -> Tensor
 * 0 where self is negative (or NaN), 1 where positive, values where 0. Both of one dtype. */
typedef struct wn_heaviside_args {
    size_t size_;
    wn_val self;
    wn_val values;
    wn_tensor *out;
} wn_heaviside_args;
WN_API wn_tensor *wn_heaviside_x(const wn_heaviside_args *args);
WN_API wn_tensor *wn_heaviside_inplace_x(const wn_heaviside_args *args);
#ifndef __cplusplus
#define WN_ARGS_heaviside_(text, a0, a1, ...) \
    &(wn_heaviside_args){.size_ = sizeof(wn_heaviside_args), .self = WN_VAL(a0), .values = WN_VAL(a1), __VA_ARGS__}
#define wn_heaviside(...) \
    wn_heaviside_x(WN_2_(WN_FEW_, WN_ARGS_heaviside_, __VA_ARGS__)("too few arguments: wn_heaviside(self, values, ...)", __VA_ARGS__, ))
#define wn_heaviside_(...) \
    wn_heaviside_inplace_x(WN_2_(WN_FEW_, WN_ARGS_heaviside_, __VA_ARGS__)("too few arguments: wn_heaviside_(self, values, ...)", __VA_ARGS__, ))
#endif

/* nextafter(Tensor self, Tensor other) -> Tensor
 * The number of self's dtype next to self in the direction of other. */
typedef struct wn_nextafter_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *other;
    wn_tensor *out;
} wn_nextafter_args;
WN_API wn_tensor *wn_nextafter_x(const wn_nextafter_args *args);
WN_API wn_tensor *wn_nextafter_inplace_x(const wn_nextafter_args *args);
#ifndef __cplusplus
#define WN_ARGS_nextafter_(text, a0, a1, ...) \
    &(wn_nextafter_args){.size_ = sizeof(wn_nextafter_args), .self = a0, .other = a1, __VA_ARGS__}
#define wn_nextafter(...) \
    wn_nextafter_x(WN_2_(WN_FEW_, WN_ARGS_nextafter_, __VA_ARGS__)("too few arguments: wn_nextafter(self, other, ...)", __VA_ARGS__, ))
#define wn_nextafter_(...) \
    wn_nextafter_inplace_x(WN_2_(WN_FEW_, WN_ARGS_nextafter_, __VA_ARGS__)("too few arguments: wn_nextafter_(self, other, ...)", __VA_ARGS__, ))
#endif

/* _nextafter(Tensor self, Tensor other) -> Tensor
 * nextafter of float32 and float64. */
typedef struct wn_nextafter_wide_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_nextafter_wide_args;
WN_API wn_tensor *wn_nextafter_wide_x(const wn_nextafter_wide_args *args);
WN_API wn_tensor *wn_nextafter_wide_inplace_x(const wn_nextafter_wide_args *args);
#ifndef __cplusplus
#define WN_ARGS_nextafter_wide_(text, a0, a1, ...) \
    &(wn_nextafter_wide_args){.size_ = sizeof(wn_nextafter_wide_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_nextafter_wide(...) \
    wn_nextafter_wide_x(WN_2_(WN_FEW_, WN_ARGS_nextafter_wide_, __VA_ARGS__)("too few arguments: wn_nextafter_wide(self, other, ...)", __VA_ARGS__, ))
#define wn_nextafter_wide_(...) \
    wn_nextafter_wide_inplace_x(WN_2_(WN_FEW_, WN_ARGS_nextafter_wide_, __VA_ARGS__)("too few arguments: wn_nextafter_wide_(self, other, ...)", __VA_ARGS__, ))
#endif

/* _nextafter_half(Tensor self, Tensor other) -> Tensor
 * nextafter of the bits of float16 or bfloat16, NaN aside. */
typedef struct wn_nextafter_half_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_nextafter_half_args;
WN_API wn_tensor *wn_nextafter_half_x(const wn_nextafter_half_args *args);
WN_API wn_tensor *wn_nextafter_half_inplace_x(const wn_nextafter_half_args *args);
#ifndef __cplusplus
#define WN_ARGS_nextafter_half_(text, a0, a1, ...) \
    &(wn_nextafter_half_args){.size_ = sizeof(wn_nextafter_half_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_nextafter_half(...) \
    wn_nextafter_half_x(WN_2_(WN_FEW_, WN_ARGS_nextafter_half_, __VA_ARGS__)("too few arguments: wn_nextafter_half(self, other, ...)", __VA_ARGS__, ))
#define wn_nextafter_half_(...) \
    wn_nextafter_half_inplace_x(WN_2_(WN_FEW_, WN_ARGS_nextafter_half_, __VA_ARGS__)("too few arguments: wn_nextafter_half_(self, other, ...)", __VA_ARGS__, ))
#endif

/* isposinf(Tensor self) -> Tensor
 * Is the element +infinity? */
typedef struct wn_isposinf_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_isposinf_args;
WN_API wn_tensor *wn_isposinf_x(const wn_isposinf_args *args);
#ifndef __cplusplus
#define wn_isposinf(...) \
    wn_isposinf_x(&(wn_isposinf_args){.size_ = sizeof(wn_isposinf_args), .self = __VA_ARGS__})
#endif

/* isneginf(Tensor self) -> Tensor
 * Is the element -infinity? */
typedef struct wn_isneginf_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_isneginf_args;
WN_API wn_tensor *wn_isneginf_x(const wn_isneginf_args *args);
#ifndef __cplusplus
#define wn_isneginf(...) \
    wn_isneginf_x(&(wn_isneginf_args){.size_ = sizeof(wn_isneginf_args), .self = __VA_ARGS__})
#endif

/* isreal(Tensor self) -> Tensor
 * true: there are no complex numbers here. */
typedef struct wn_isreal_args {
    size_t size_;
    wn_tensor *self;
} wn_isreal_args;
WN_API wn_tensor *wn_isreal_x(const wn_isreal_args *args);
#ifndef __cplusplus
#define wn_isreal(...) \
    wn_isreal_x(&(wn_isreal_args){.size_ = sizeof(wn_isreal_args), .self = __VA_ARGS__})
#endif

/* nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor
 * NaN becomes nan (0), infinities become posinf and neginf (the dtype's largest and lowest number). */
typedef struct wn_nan_to_num_args {
    size_t size_;
    wn_tensor *self;
    wn_val nan;
    wn_val posinf;
    wn_val neginf;
    wn_tensor *out;
} wn_nan_to_num_args;
WN_API wn_tensor *wn_nan_to_num_x(const wn_nan_to_num_args *args);
WN_API wn_tensor *wn_nan_to_num_inplace_x(const wn_nan_to_num_args *args);
#ifndef __cplusplus
#define wn_nan_to_num(...) \
    wn_nan_to_num_x(&(wn_nan_to_num_args){.size_ = sizeof(wn_nan_to_num_args), .self = __VA_ARGS__})
#define wn_nan_to_num_(...) \
    wn_nan_to_num_inplace_x(&(wn_nan_to_num_args){.size_ = sizeof(wn_nan_to_num_args), .self = __VA_ARGS__})
#endif

/* _nan_to_num(Tensor self, Scalar nan, Scalar posinf, Scalar neginf) -> Tensor
 * nan_to_num with all three values given. */
typedef struct wn_nan_to_num_values_args {
    size_t size_;
    wn_tensor *self;
    wn_val nan;
    wn_val posinf;
    wn_val neginf;
    wn_tensor *out;
} wn_nan_to_num_values_args;
WN_API wn_tensor *wn_nan_to_num_values_x(const wn_nan_to_num_values_args *args);
WN_API wn_tensor *wn_nan_to_num_values_inplace_x(const wn_nan_to_num_values_args *args);
#ifndef __cplusplus
#define WN_ARGS_nan_to_num_values_(text, a0, a1, a2, a3, ...) \
    &(wn_nan_to_num_values_args){.size_ = sizeof(wn_nan_to_num_values_args), .self = a0, .nan = WN_VAL(a1), .posinf = WN_VAL(a2), .neginf = WN_VAL(a3), __VA_ARGS__}
#define wn_nan_to_num_values(...) \
    wn_nan_to_num_values_x(WN_4_(WN_FEW_, WN_ARGS_nan_to_num_values_, __VA_ARGS__)("too few arguments: wn_nan_to_num_values(self, nan, posinf, neginf, ...)", __VA_ARGS__, ))
#define wn_nan_to_num_values_(...) \
    wn_nan_to_num_values_inplace_x(WN_4_(WN_FEW_, WN_ARGS_nan_to_num_values_, __VA_ARGS__)("too few arguments: wn_nan_to_num_values_(self, nan, posinf, neginf, ...)", __VA_ARGS__, ))
#endif

/* hypot(Tensor self, Tensor other) -> Tensor
 * sqrt(self^2 + other^2) without overflow on the way. */
typedef struct wn_hypot_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_hypot_args;
WN_API wn_tensor *wn_hypot_x(const wn_hypot_args *args);
WN_API wn_tensor *wn_hypot_inplace_x(const wn_hypot_args *args);
#ifndef __cplusplus
#define WN_ARGS_hypot_(text, a0, a1, ...) \
    &(wn_hypot_args){.size_ = sizeof(wn_hypot_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_hypot(...) \
    wn_hypot_x(WN_2_(WN_FEW_, WN_ARGS_hypot_, __VA_ARGS__)("too few arguments: wn_hypot(self, other, ...)", __VA_ARGS__, ))
#define wn_hypot_(...) \
    wn_hypot_inplace_x(WN_2_(WN_FEW_, WN_ARGS_hypot_, __VA_ARGS__)("too few arguments: wn_hypot_(self, other, ...)", __VA_ARGS__, ))
#endif

/* logaddexp(Tensor self, Tensor other) -> Tensor
 * log(exp(self) + exp(other)) without overflow. */
typedef struct wn_logaddexp_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_logaddexp_args;
WN_API wn_tensor *wn_logaddexp_x(const wn_logaddexp_args *args);
#ifndef __cplusplus
#define WN_ARGS_logaddexp_(text, a0, a1, ...) \
    &(wn_logaddexp_args){.size_ = sizeof(wn_logaddexp_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_logaddexp(...) \
    wn_logaddexp_x(WN_2_(WN_FEW_, WN_ARGS_logaddexp_, __VA_ARGS__)("too few arguments: wn_logaddexp(self, other, ...)", __VA_ARGS__, ))
#endif

/* logaddexp2(Tensor self, Tensor other) -> Tensor
 * log2(2^self + 2^other) without overflow. */
typedef struct wn_logaddexp2_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_logaddexp2_args;
WN_API wn_tensor *wn_logaddexp2_x(const wn_logaddexp2_args *args);
#ifndef __cplusplus
#define WN_ARGS_logaddexp2_(text, a0, a1, ...) \
    &(wn_logaddexp2_args){.size_ = sizeof(wn_logaddexp2_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_logaddexp2(...) \
    wn_logaddexp2_x(WN_2_(WN_FEW_, WN_ARGS_logaddexp2_, __VA_ARGS__)("too few arguments: wn_logaddexp2(self, other, ...)", __VA_ARGS__, ))
#endif

/* ldexp.Tensor(Tensor self, Tensor other) -> Tensor
 * self * 2^other, in floating point. */
typedef struct wn_ldexp_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *other;
    wn_tensor *out;
} wn_ldexp_args;
WN_API wn_tensor *wn_ldexp_x(const wn_ldexp_args *args);
WN_API wn_tensor *wn_ldexp_inplace_x(const wn_ldexp_args *args);
#ifndef __cplusplus
#define WN_ARGS_ldexp_(text, a0, a1, ...) \
    &(wn_ldexp_args){.size_ = sizeof(wn_ldexp_args), .self = a0, .other = a1, __VA_ARGS__}
#define wn_ldexp(...) \
    wn_ldexp_x(WN_2_(WN_FEW_, WN_ARGS_ldexp_, __VA_ARGS__)("too few arguments: wn_ldexp(self, other, ...)", __VA_ARGS__, ))
#define wn_ldexp_(...) \
    wn_ldexp_inplace_x(WN_2_(WN_FEW_, WN_ARGS_ldexp_, __VA_ARGS__)("too few arguments: wn_ldexp_(self, other, ...)", __VA_ARGS__, ))
#endif

/* frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)
 * self = mantissa * 2^exponent, 0.5 <= |mantissa| < 1; exponent is int32, 0 for 0, infinities and NaN. */
typedef struct wn_frexp_args {
    size_t size_;
    wn_tensor *self;
} wn_frexp_args;
typedef struct wn_frexp_out {
    wn_tensor *mantissa, *exponent;
} wn_frexp_out;
WN_API wn_frexp_out wn_frexp_x(const wn_frexp_args *args);
#ifndef __cplusplus
#define wn_frexp(...) \
    wn_frexp_x(&(wn_frexp_args){.size_ = sizeof(wn_frexp_args), .self = __VA_ARGS__})
#endif

/* float_power(Tensor self, Tensor exponent) -> Tensor
 * pow in float64. */
typedef struct wn_float_power_args {
    size_t size_;
    wn_val self;
    wn_val exponent;
    wn_tensor *out;
} wn_float_power_args;
WN_API wn_tensor *wn_float_power_x(const wn_float_power_args *args);
#ifndef __cplusplus
#define WN_ARGS_float_power_(text, a0, a1, ...) \
    &(wn_float_power_args){.size_ = sizeof(wn_float_power_args), .self = WN_VAL(a0), .exponent = WN_VAL(a1), __VA_ARGS__}
#define wn_float_power(...) \
    wn_float_power_x(WN_2_(WN_FEW_, WN_ARGS_float_power_, __VA_ARGS__)("too few arguments: wn_float_power(self, exponent, ...)", __VA_ARGS__, ))
#endif

/* conj_physical(Tensor self) -> Tensor
 * self: a real number is its own conjugate. */
typedef struct wn_conj_physical_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_conj_physical_args;
WN_API wn_tensor *wn_conj_physical_x(const wn_conj_physical_args *args);
WN_API wn_tensor *wn_conj_physical_inplace_x(const wn_conj_physical_args *args);
#ifndef __cplusplus
#define wn_conj_physical(...) \
    wn_conj_physical_x(&(wn_conj_physical_args){.size_ = sizeof(wn_conj_physical_args), .self = __VA_ARGS__})
#define wn_conj_physical_(...) \
    wn_conj_physical_inplace_x(&(wn_conj_physical_args){.size_ = sizeof(wn_conj_physical_args), .self = __VA_ARGS__})
#endif

/* conj(Tensor self) -> Tensor
 * self: a real number is its own conjugate. */
typedef struct wn_conj_args {
    size_t size_;
    wn_tensor *self;
} wn_conj_args;
WN_API wn_tensor *wn_conj_x(const wn_conj_args *args);
#ifndef __cplusplus
#define wn_conj(...) \
    wn_conj_x(&(wn_conj_args){.size_ = sizeof(wn_conj_args), .self = __VA_ARGS__})
#endif

/* resolve_conj(Tensor self) -> Tensor
 * self: nothing is conjugated lazily here. */
typedef struct wn_resolve_conj_args {
    size_t size_;
    wn_tensor *self;
} wn_resolve_conj_args;
WN_API wn_tensor *wn_resolve_conj_x(const wn_resolve_conj_args *args);
#ifndef __cplusplus
#define wn_resolve_conj(...) \
    wn_resolve_conj_x(&(wn_resolve_conj_args){.size_ = sizeof(wn_resolve_conj_args), .self = __VA_ARGS__})
#endif

/* resolve_neg(Tensor self) -> Tensor
 * self: nothing is negated lazily here. */
typedef struct wn_resolve_neg_args {
    size_t size_;
    wn_tensor *self;
} wn_resolve_neg_args;
WN_API wn_tensor *wn_resolve_neg_x(const wn_resolve_neg_args *args);
#ifndef __cplusplus
#define wn_resolve_neg(...) \
    wn_resolve_neg_x(&(wn_resolve_neg_args){.size_ = sizeof(wn_resolve_neg_args), .self = __VA_ARGS__})
#endif

/* real(Tensor self) -> Tensor
 * The real part: self. */
typedef struct wn_real_args {
    size_t size_;
    wn_tensor *self;
} wn_real_args;
WN_API wn_tensor *wn_real_x(const wn_real_args *args);
#ifndef __cplusplus
#define wn_real(...) \
    wn_real_x(&(wn_real_args){.size_ = sizeof(wn_real_args), .self = __VA_ARGS__})
#endif

/* logspace(Scalar start, Scalar end, int steps, float base=10.0, *, ScalarType? dtype=None) -> Tensor
 * base^x for steps numbers x evenly spaced from start to end, both included. */
typedef struct wn_logspace_args {
    size_t size_;
    wn_val start;
    wn_val end;
    int64_t steps;
    wn_val base;
    wn_dtype dtype;
    wn_device device;
    wn_tensor *out;
} wn_logspace_args;
WN_API wn_tensor *wn_logspace_x(const wn_logspace_args *args);
#ifndef __cplusplus
#define WN_ARGS_logspace_(text, a0, a1, a2, ...) \
    &(wn_logspace_args){.size_ = sizeof(wn_logspace_args), .start = WN_VAL(a0), .end = WN_VAL(a1), .steps = a2, __VA_ARGS__}
#define wn_logspace(...) \
    wn_logspace_x(WN_3_(WN_FEW_, WN_ARGS_logspace_, __VA_ARGS__)("too few arguments: wn_logspace(start, end, steps, ...)", __VA_ARGS__, ))
#endif

/* logspace.Tensor_Tensor(Tensor start, Tensor end, int steps, float base=10.0, *, ScalarType? dtype=None) -> Tensor
 * logspace between the values of 0-d tensors. */
typedef struct wn_logspace_tensor_args {
    size_t size_;
    wn_val start;
    wn_val end;
    int64_t steps;
    wn_val base;
    wn_dtype dtype;
    wn_device device;
    wn_tensor *out;
} wn_logspace_tensor_args;
WN_API wn_tensor *wn_logspace_tensor_x(const wn_logspace_tensor_args *args);
#ifndef __cplusplus
#define WN_ARGS_logspace_tensor_(text, a0, a1, a2, ...) \
    &(wn_logspace_tensor_args){.size_ = sizeof(wn_logspace_tensor_args), .start = WN_VAL(a0), .end = WN_VAL(a1), .steps = a2, __VA_ARGS__}
#define wn_logspace_tensor(...) \
    wn_logspace_tensor_x(WN_3_(WN_FEW_, WN_ARGS_logspace_tensor_, __VA_ARGS__)("too few arguments: wn_logspace_tensor(start, end, steps, ...)", __VA_ARGS__, ))
#endif

/* hardswish(Tensor self) -> Tensor
 * self * min(max(self + 3, 0), 6) / 6. */
typedef struct wn_hardswish_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_hardswish_args;
WN_API wn_tensor *wn_hardswish_x(const wn_hardswish_args *args);
WN_API wn_tensor *wn_hardswish_inplace_x(const wn_hardswish_args *args);
#ifndef __cplusplus
#define wn_hardswish(...) \
    wn_hardswish_x(&(wn_hardswish_args){.size_ = sizeof(wn_hardswish_args), .self = __VA_ARGS__})
#define wn_hardswish_(...) \
    wn_hardswish_inplace_x(&(wn_hardswish_args){.size_ = sizeof(wn_hardswish_args), .self = __VA_ARGS__})
#endif

/* hardswish_backward(Tensor grad_output, Tensor self) -> Tensor
 * grad_output * (0 below -3, self / 3 + 1/2 up to 3, 1 above). */
typedef struct wn_hardswish_backward_args {
    size_t size_;
    wn_val grad_output;
    wn_val self;
    wn_tensor *out;
} wn_hardswish_backward_args;
WN_API wn_tensor *wn_hardswish_backward_x(const wn_hardswish_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_hardswish_backward_(text, a0, a1, ...) \
    &(wn_hardswish_backward_args){.size_ = sizeof(wn_hardswish_backward_args), .grad_output = WN_VAL(a0), .self = WN_VAL(a1), __VA_ARGS__}
#define wn_hardswish_backward(...) \
    wn_hardswish_backward_x(WN_2_(WN_FEW_, WN_ARGS_hardswish_backward_, __VA_ARGS__)("too few arguments: wn_hardswish_backward(grad_output, self, ...)", __VA_ARGS__, ))
#endif

/* hardsigmoid(Tensor self) -> Tensor
 * min(max(self + 3, 0), 6) / 6. */
typedef struct wn_hardsigmoid_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_hardsigmoid_args;
WN_API wn_tensor *wn_hardsigmoid_x(const wn_hardsigmoid_args *args);
WN_API wn_tensor *wn_hardsigmoid_inplace_x(const wn_hardsigmoid_args *args);
#ifndef __cplusplus
#define wn_hardsigmoid(...) \
    wn_hardsigmoid_x(&(wn_hardsigmoid_args){.size_ = sizeof(wn_hardsigmoid_args), .self = __VA_ARGS__})
#define wn_hardsigmoid_(...) \
    wn_hardsigmoid_inplace_x(&(wn_hardsigmoid_args){.size_ = sizeof(wn_hardsigmoid_args), .self = __VA_ARGS__})
#endif

/* hardsigmoid_backward(Tensor grad_output, Tensor self) -> Tensor
 * grad_output / 6 between -3 and 3, else 0. */
typedef struct wn_hardsigmoid_backward_args {
    size_t size_;
    wn_val grad_output;
    wn_val self;
    wn_tensor *out;
} wn_hardsigmoid_backward_args;
WN_API wn_tensor *wn_hardsigmoid_backward_x(const wn_hardsigmoid_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_hardsigmoid_backward_(text, a0, a1, ...) \
    &(wn_hardsigmoid_backward_args){.size_ = sizeof(wn_hardsigmoid_backward_args), .grad_output = WN_VAL(a0), .self = WN_VAL(a1), __VA_ARGS__}
#define wn_hardsigmoid_backward(...) \
    wn_hardsigmoid_backward_x(WN_2_(WN_FEW_, WN_ARGS_hardsigmoid_backward_, __VA_ARGS__)("too few arguments: wn_hardsigmoid_backward(grad_output, self, ...)", __VA_ARGS__, ))
#endif

/* hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor
 * min(max(self, min_val), max_val). */
typedef struct wn_hardtanh_args {
    size_t size_;
    wn_tensor *self;
    wn_val min_val;
    wn_val max_val;
    wn_tensor *out;
} wn_hardtanh_args;
WN_API wn_tensor *wn_hardtanh_x(const wn_hardtanh_args *args);
WN_API wn_tensor *wn_hardtanh_inplace_x(const wn_hardtanh_args *args);
#ifndef __cplusplus
#define wn_hardtanh(...) \
    wn_hardtanh_x(&(wn_hardtanh_args){.size_ = sizeof(wn_hardtanh_args), .self = __VA_ARGS__})
#define wn_hardtanh_(...) \
    wn_hardtanh_inplace_x(&(wn_hardtanh_args){.size_ = sizeof(wn_hardtanh_args), .self = __VA_ARGS__})
#endif

/* hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val) -> Tensor
 * grad_output between min_val and max_val, else 0. */
typedef struct wn_hardtanh_backward_args {
    size_t size_;
    wn_val grad_output;
    wn_val self;
    wn_val min_val;
    wn_val max_val;
    wn_tensor *out;
} wn_hardtanh_backward_args;
WN_API wn_tensor *wn_hardtanh_backward_x(const wn_hardtanh_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_hardtanh_backward_(text, a0, a1, a2, a3, ...) \
    &(wn_hardtanh_backward_args){.size_ = sizeof(wn_hardtanh_backward_args), .grad_output = WN_VAL(a0), .self = WN_VAL(a1), .min_val = WN_VAL(a2), .max_val = WN_VAL(a3), __VA_ARGS__}
#define wn_hardtanh_backward(...) \
    wn_hardtanh_backward_x(WN_4_(WN_FEW_, WN_ARGS_hardtanh_backward_, __VA_ARGS__)("too few arguments: wn_hardtanh_backward(grad_output, self, min_val, max_val, ...)", __VA_ARGS__, ))
#endif

/* relu6(Tensor self) -> Tensor
 * min(max(self, 0), 6). */
typedef struct wn_relu6_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_relu6_args;
WN_API wn_tensor *wn_relu6_x(const wn_relu6_args *args);
WN_API wn_tensor *wn_relu6_inplace_x(const wn_relu6_args *args);
#ifndef __cplusplus
#define wn_relu6(...) \
    wn_relu6_x(&(wn_relu6_args){.size_ = sizeof(wn_relu6_args), .self = __VA_ARGS__})
#define wn_relu6_(...) \
    wn_relu6_inplace_x(&(wn_relu6_args){.size_ = sizeof(wn_relu6_args), .self = __VA_ARGS__})
#endif

/* threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor
 * self where above threshold (or NaN), value elsewhere. */
typedef struct wn_threshold_args {
    size_t size_;
    wn_tensor *self;
    wn_val threshold;
    wn_val value;
    wn_tensor *out;
} wn_threshold_args;
WN_API wn_tensor *wn_threshold_x(const wn_threshold_args *args);
WN_API wn_tensor *wn_threshold_inplace_x(const wn_threshold_args *args);
#ifndef __cplusplus
#define WN_ARGS_threshold_(text, a0, a1, a2, ...) \
    &(wn_threshold_args){.size_ = sizeof(wn_threshold_args), .self = a0, .threshold = WN_VAL(a1), .value = WN_VAL(a2), __VA_ARGS__}
#define wn_threshold(...) \
    wn_threshold_x(WN_3_(WN_FEW_, WN_ARGS_threshold_, __VA_ARGS__)("too few arguments: wn_threshold(self, threshold, value, ...)", __VA_ARGS__, ))
#define wn_threshold_(...) \
    wn_threshold_inplace_x(WN_3_(WN_FEW_, WN_ARGS_threshold_, __VA_ARGS__)("too few arguments: wn_threshold_(self, threshold, value, ...)", __VA_ARGS__, ))
#endif

/* hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor
 * 0 where |self| <= lambd, self elsewhere. */
typedef struct wn_hardshrink_args {
    size_t size_;
    wn_tensor *self;
    wn_val lambd;
    wn_tensor *out;
} wn_hardshrink_args;
WN_API wn_tensor *wn_hardshrink_x(const wn_hardshrink_args *args);
#ifndef __cplusplus
#define wn_hardshrink(...) \
    wn_hardshrink_x(&(wn_hardshrink_args){.size_ = sizeof(wn_hardshrink_args), .self = __VA_ARGS__})
#endif

/* softshrink(Tensor self, Scalar lambd=0.5) -> Tensor
 * self moved towards 0 by lambd, and no further. */
typedef struct wn_softshrink_args {
    size_t size_;
    wn_tensor *self;
    wn_val lambd;
    wn_tensor *out;
} wn_softshrink_args;
WN_API wn_tensor *wn_softshrink_x(const wn_softshrink_args *args);
#ifndef __cplusplus
#define wn_softshrink(...) \
    wn_softshrink_x(&(wn_softshrink_args){.size_ = sizeof(wn_softshrink_args), .self = __VA_ARGS__})
#endif

/* celu(Tensor self, Scalar alpha=1.0) -> Tensor
 * self where positive, alpha * (exp(self / alpha) - 1) elsewhere. */
typedef struct wn_celu_args {
    size_t size_;
    wn_tensor *self;
    wn_val alpha;
    wn_tensor *out;
} wn_celu_args;
WN_API wn_tensor *wn_celu_x(const wn_celu_args *args);
WN_API wn_tensor *wn_celu_inplace_x(const wn_celu_args *args);
#ifndef __cplusplus
#define wn_celu(...) \
    wn_celu_x(&(wn_celu_args){.size_ = sizeof(wn_celu_args), .self = __VA_ARGS__})
#define wn_celu_(...) \
    wn_celu_inplace_x(&(wn_celu_args){.size_ = sizeof(wn_celu_args), .self = __VA_ARGS__})
#endif

/* selu(Tensor self) -> Tensor
 * scale * (self where positive, alpha * (exp(self) - 1) elsewhere), scale = 1.0507..., alpha = 1.6732... */
typedef struct wn_selu_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_selu_args;
WN_API wn_tensor *wn_selu_x(const wn_selu_args *args);
WN_API wn_tensor *wn_selu_inplace_x(const wn_selu_args *args);
#ifndef __cplusplus
#define wn_selu(...) \
    wn_selu_x(&(wn_selu_args){.size_ = sizeof(wn_selu_args), .self = __VA_ARGS__})
#define wn_selu_(...) \
    wn_selu_inplace_x(&(wn_selu_args){.size_ = sizeof(wn_selu_args), .self = __VA_ARGS__})
#endif

/* logsigmoid(Tensor self) -> Tensor
 * log(1 / (1 + exp(-self))). */
typedef struct wn_logsigmoid_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_logsigmoid_args;
WN_API wn_tensor *wn_logsigmoid_x(const wn_logsigmoid_args *args);
#ifndef __cplusplus
#define wn_logsigmoid(...) \
    wn_logsigmoid_x(&(wn_logsigmoid_args){.size_ = sizeof(wn_logsigmoid_args), .self = __VA_ARGS__})
#endif

/* mish(Tensor self) -> Tensor
 * self * tanh(log(1 + exp(self))). */
typedef struct wn_mish_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_mish_args;
WN_API wn_tensor *wn_mish_x(const wn_mish_args *args);
WN_API wn_tensor *wn_mish_inplace_x(const wn_mish_args *args);
#ifndef __cplusplus
#define wn_mish(...) \
    wn_mish_x(&(wn_mish_args){.size_ = sizeof(wn_mish_args), .self = __VA_ARGS__})
#define wn_mish_(...) \
    wn_mish_inplace_x(&(wn_mish_args){.size_ = sizeof(wn_mish_args), .self = __VA_ARGS__})
#endif

/* mish_backward(Tensor grad_output, Tensor self) -> Tensor
 * grad_output * (t + self * s * (1 - t^2)) with t = tanh(log(1 + exp(self))), s = sigmoid(self). */
typedef struct wn_mish_backward_args {
    size_t size_;
    wn_val grad_output;
    wn_val self;
    wn_tensor *out;
} wn_mish_backward_args;
WN_API wn_tensor *wn_mish_backward_x(const wn_mish_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_mish_backward_(text, a0, a1, ...) \
    &(wn_mish_backward_args){.size_ = sizeof(wn_mish_backward_args), .grad_output = WN_VAL(a0), .self = WN_VAL(a1), __VA_ARGS__}
#define wn_mish_backward(...) \
    wn_mish_backward_x(WN_2_(WN_FEW_, WN_ARGS_mish_backward_, __VA_ARGS__)("too few arguments: wn_mish_backward(grad_output, self, ...)", __VA_ARGS__, ))
#endif

/* softsign(Tensor self) -> Tensor
 * self / (1 + |self|). */
typedef struct wn_softsign_args {
    size_t size_;
    wn_tensor *self;
} wn_softsign_args;
WN_API wn_tensor *wn_softsign_x(const wn_softsign_args *args);
#ifndef __cplusplus
#define wn_softsign(...) \
    wn_softsign_x(&(wn_softsign_args){.size_ = sizeof(wn_softsign_args), .self = __VA_ARGS__})
#endif

/* tanhshrink(Tensor self) -> Tensor
 * self - tanh(self). */
typedef struct wn_tanhshrink_args {
    size_t size_;
    wn_tensor *self;
} wn_tanhshrink_args;
WN_API wn_tensor *wn_tanhshrink_x(const wn_tanhshrink_args *args);
#ifndef __cplusplus
#define wn_tanhshrink(...) \
    wn_tanhshrink_x(&(wn_tanhshrink_args){.size_ = sizeof(wn_tanhshrink_args), .self = __VA_ARGS__})
#endif

/* prelu(Tensor self, Tensor weight) -> Tensor
 * self where positive, weight * self elsewhere; weight has one element, or one for each channel (dimension 1). */
typedef struct wn_prelu_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *weight;
} wn_prelu_args;
WN_API wn_tensor *wn_prelu_x(const wn_prelu_args *args);
#ifndef __cplusplus
#define WN_ARGS_prelu_(text, a0, a1, ...) \
    &(wn_prelu_args){.size_ = sizeof(wn_prelu_args), .self = a0, .weight = a1, __VA_ARGS__}
#define wn_prelu(...) \
    wn_prelu_x(WN_2_(WN_FEW_, WN_ARGS_prelu_, __VA_ARGS__)("too few arguments: wn_prelu(self, weight, ...)", __VA_ARGS__, ))
#endif

/* _prelu_kernel(Tensor self, Tensor weight) -> Tensor
 * prelu with a weight that broadcasts. */
typedef struct wn_prelu_kernel_args {
    size_t size_;
    wn_val self;
    wn_val weight;
    wn_tensor *out;
} wn_prelu_kernel_args;
WN_API wn_tensor *wn_prelu_kernel_x(const wn_prelu_kernel_args *args);
#ifndef __cplusplus
#define WN_ARGS_prelu_kernel_(text, a0, a1, ...) \
    &(wn_prelu_kernel_args){.size_ = sizeof(wn_prelu_kernel_args), .self = WN_VAL(a0), .weight = WN_VAL(a1), __VA_ARGS__}
#define wn_prelu_kernel(...) \
    wn_prelu_kernel_x(WN_2_(WN_FEW_, WN_ARGS_prelu_kernel_, __VA_ARGS__)("too few arguments: wn_prelu_kernel(self, weight, ...)", __VA_ARGS__, ))
#endif

/* glu(Tensor self, int dim=-1) -> Tensor
 * a * sigmoid(b), a and b the halves of self along dim. */
typedef struct wn_glu_args {
    size_t size_;
    wn_tensor *self;
    wn_val dim;
    wn_tensor *out;
} wn_glu_args;
WN_API wn_tensor *wn_glu_x(const wn_glu_args *args);
#ifndef __cplusplus
#define wn_glu(...) \
    wn_glu_x(&(wn_glu_args){.size_ = sizeof(wn_glu_args), .self = __VA_ARGS__})
#endif

/* glu_backward(Tensor grad_output, Tensor self, int dim) -> Tensor
 * glu's gradient: grad_output * s beside grad_output * a * s * (1 - s), s = sigmoid(b). */
typedef struct wn_glu_backward_args {
    size_t size_;
    wn_tensor *grad_output;
    wn_tensor *self;
    int64_t dim;
    wn_tensor *out;
} wn_glu_backward_args;
WN_API wn_tensor *wn_glu_backward_x(const wn_glu_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_glu_backward_(text, a0, a1, a2, ...) \
    &(wn_glu_backward_args){.size_ = sizeof(wn_glu_backward_args), .grad_output = a0, .self = a1, .dim = a2, __VA_ARGS__}
#define wn_glu_backward(...) \
    wn_glu_backward_x(WN_3_(WN_FEW_, WN_ARGS_glu_backward_, __VA_ARGS__)("too few arguments: wn_glu_backward(grad_output, self, dim, ...)", __VA_ARGS__, ))
#endif

/* _gated_slope(Tensor grad_output, Tensor self, Tensor gate) -> Tensor
 * grad_output * self * s * (1 - s) with s = sigmoid(gate). */
typedef struct wn_gated_slope_args {
    size_t size_;
    wn_val grad_output;
    wn_val self;
    wn_val gate;
    wn_tensor *out;
} wn_gated_slope_args;
WN_API wn_tensor *wn_gated_slope_x(const wn_gated_slope_args *args);
#ifndef __cplusplus
#define WN_ARGS_gated_slope_(text, a0, a1, a2, ...) \
    &(wn_gated_slope_args){.size_ = sizeof(wn_gated_slope_args), .grad_output = WN_VAL(a0), .self = WN_VAL(a1), .gate = WN_VAL(a2), __VA_ARGS__}
#define wn_gated_slope(...) \
    wn_gated_slope_x(WN_3_(WN_FEW_, WN_ARGS_gated_slope_, __VA_ARGS__)("too few arguments: wn_gated_slope(grad_output, self, gate, ...)", __VA_ARGS__, ))
#endif

/* _gated(Tensor self, Tensor gate) -> Tensor
 * self * sigmoid(gate). */
typedef struct wn_gated_args {
    size_t size_;
    wn_val self;
    wn_val gate;
    wn_tensor *out;
} wn_gated_args;
WN_API wn_tensor *wn_gated_x(const wn_gated_args *args);
#ifndef __cplusplus
#define WN_ARGS_gated_(text, a0, a1, ...) \
    &(wn_gated_args){.size_ = sizeof(wn_gated_args), .self = WN_VAL(a0), .gate = WN_VAL(a1), __VA_ARGS__}
#define wn_gated(...) \
    wn_gated_x(WN_2_(WN_FEW_, WN_ARGS_gated_, __VA_ARGS__)("too few arguments: wn_gated(self, gate, ...)", __VA_ARGS__, ))
#endif

/* rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False, Generator? generator=None) -> Tensor
 * self where positive, self times a slope elsewhere: when training uniform between lower and upper for each
 * element, else their mean. */
typedef struct wn_rrelu_args {
    size_t size_;
    wn_tensor *self;
    wn_val lower;
    wn_val upper;
    bool training;
    wn_generator *generator;
    wn_tensor *out;
} wn_rrelu_args;
WN_API wn_tensor *wn_rrelu_x(const wn_rrelu_args *args);
WN_API wn_tensor *wn_rrelu_inplace_x(const wn_rrelu_args *args);
#ifndef __cplusplus
#define wn_rrelu(...) \
    wn_rrelu_x(&(wn_rrelu_args){.size_ = sizeof(wn_rrelu_args), .self = __VA_ARGS__})
#define wn_rrelu_(...) \
    wn_rrelu_inplace_x(&(wn_rrelu_args){.size_ = sizeof(wn_rrelu_args), .self = __VA_ARGS__})
#endif

/* xlogy.Tensor(Tensor self, Tensor other) -> Tensor
 * self * log(other); 0 where self is 0, unless other is NaN. */
typedef struct wn_xlogy_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_xlogy_args;
WN_API wn_tensor *wn_xlogy_x(const wn_xlogy_args *args);
WN_API wn_tensor *wn_xlogy_inplace_x(const wn_xlogy_args *args);
#ifndef __cplusplus
#define WN_ARGS_xlogy_(text, a0, a1, ...) \
    &(wn_xlogy_args){.size_ = sizeof(wn_xlogy_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_xlogy(...) \
    wn_xlogy_x(WN_2_(WN_FEW_, WN_ARGS_xlogy_, __VA_ARGS__)("too few arguments: wn_xlogy(self, other, ...)", __VA_ARGS__, ))
#define wn_xlogy_(...) \
    wn_xlogy_inplace_x(WN_2_(WN_FEW_, WN_ARGS_xlogy_, __VA_ARGS__)("too few arguments: wn_xlogy_(self, other, ...)", __VA_ARGS__, ))
#endif

/* xlog1py(Tensor self, Tensor other) -> Tensor
 * self * log(1 + other); 0 where self is 0, unless other is NaN. */
typedef struct wn_xlog1py_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_xlog1py_args;
WN_API wn_tensor *wn_xlog1py_x(const wn_xlog1py_args *args);
#ifndef __cplusplus
#define WN_ARGS_xlog1py_(text, a0, a1, ...) \
    &(wn_xlog1py_args){.size_ = sizeof(wn_xlog1py_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_xlog1py(...) \
    wn_xlog1py_x(WN_2_(WN_FEW_, WN_ARGS_xlog1py_, __VA_ARGS__)("too few arguments: wn_xlog1py(self, other, ...)", __VA_ARGS__, ))
#endif

/* erfinv(Tensor self) -> Tensor
 * The inverse of erf. */
typedef struct wn_erfinv_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_erfinv_args;
WN_API wn_tensor *wn_erfinv_x(const wn_erfinv_args *args);
WN_API wn_tensor *wn_erfinv_inplace_x(const wn_erfinv_args *args);
#ifndef __cplusplus
#define wn_erfinv(...) \
    wn_erfinv_x(&(wn_erfinv_args){.size_ = sizeof(wn_erfinv_args), .self = __VA_ARGS__})
#define wn_erfinv_(...) \
    wn_erfinv_inplace_x(&(wn_erfinv_args){.size_ = sizeof(wn_erfinv_args), .self = __VA_ARGS__})
#endif

/* logit(Tensor self, float? eps=None) -> Tensor
 * log(x / (1 - x)), x = self, brought into [eps, 1 - eps] if eps is given. */
typedef struct wn_logit_args {
    size_t size_;
    wn_tensor *self;
    wn_val eps;
    wn_tensor *out;
} wn_logit_args;
WN_API wn_tensor *wn_logit_x(const wn_logit_args *args);
WN_API wn_tensor *wn_logit_inplace_x(const wn_logit_args *args);
#ifndef __cplusplus
#define wn_logit(...) \
    wn_logit_x(&(wn_logit_args){.size_ = sizeof(wn_logit_args), .self = __VA_ARGS__})
#define wn_logit_(...) \
    wn_logit_inplace_x(&(wn_logit_args){.size_ = sizeof(wn_logit_args), .self = __VA_ARGS__})
#endif

/* _logit(Tensor self, Scalar eps) -> Tensor
 * logit; a negative eps stands for none. */
typedef struct wn_logit_eps_args {
    size_t size_;
    wn_tensor *self;
    wn_val eps;
    wn_tensor *out;
} wn_logit_eps_args;
WN_API wn_tensor *wn_logit_eps_x(const wn_logit_eps_args *args);
WN_API wn_tensor *wn_logit_eps_inplace_x(const wn_logit_eps_args *args);
#ifndef __cplusplus
#define WN_ARGS_logit_eps_(text, a0, a1, ...) \
    &(wn_logit_eps_args){.size_ = sizeof(wn_logit_eps_args), .self = a0, .eps = WN_VAL(a1), __VA_ARGS__}
#define wn_logit_eps(...) \
    wn_logit_eps_x(WN_2_(WN_FEW_, WN_ARGS_logit_eps_, __VA_ARGS__)("too few arguments: wn_logit_eps(self, eps, ...)", __VA_ARGS__, ))
#define wn_logit_eps_(...) \
    wn_logit_eps_inplace_x(WN_2_(WN_FEW_, WN_ARGS_logit_eps_, __VA_ARGS__)("too few arguments: wn_logit_eps_(self, eps, ...)", __VA_ARGS__, ))
#endif

/* _logit_backward(Tensor grad_output, Tensor self, Scalar eps) -> Tensor
 * grad_output / (self * (1 - self)); NaN outside [0, 1], 0 where logit's eps cut. */
typedef struct wn_logit_backward_args {
    size_t size_;
    wn_val grad_output;
    wn_val self;
    wn_val eps;
    wn_tensor *out;
} wn_logit_backward_args;
WN_API wn_tensor *wn_logit_backward_x(const wn_logit_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_logit_backward_(text, a0, a1, a2, ...) \
    &(wn_logit_backward_args){.size_ = sizeof(wn_logit_backward_args), .grad_output = WN_VAL(a0), .self = WN_VAL(a1), .eps = WN_VAL(a2), __VA_ARGS__}
#define wn_logit_backward(...) \
    wn_logit_backward_x(WN_3_(WN_FEW_, WN_ARGS_logit_backward_, __VA_ARGS__)("too few arguments: wn_logit_backward(grad_output, self, eps, ...)", __VA_ARGS__, ))
#endif

/* sinc(Tensor self) -> Tensor
 * sin(pi self) / (pi self); 1 at 0, NaN at infinities. */
typedef struct wn_sinc_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_sinc_args;
WN_API wn_tensor *wn_sinc_x(const wn_sinc_args *args);
WN_API wn_tensor *wn_sinc_inplace_x(const wn_sinc_args *args);
#ifndef __cplusplus
#define wn_sinc(...) \
    wn_sinc_x(&(wn_sinc_args){.size_ = sizeof(wn_sinc_args), .self = __VA_ARGS__})
#define wn_sinc_(...) \
    wn_sinc_inplace_x(&(wn_sinc_args){.size_ = sizeof(wn_sinc_args), .self = __VA_ARGS__})
#endif

/* lgamma(Tensor self) -> Tensor
 * log |Gamma(self)|. */
typedef struct wn_lgamma_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_lgamma_args;
WN_API wn_tensor *wn_lgamma_x(const wn_lgamma_args *args);
WN_API wn_tensor *wn_lgamma_inplace_x(const wn_lgamma_args *args);
#ifndef __cplusplus
#define wn_lgamma(...) \
    wn_lgamma_x(&(wn_lgamma_args){.size_ = sizeof(wn_lgamma_args), .self = __VA_ARGS__})
#define wn_lgamma_(...) \
    wn_lgamma_inplace_x(&(wn_lgamma_args){.size_ = sizeof(wn_lgamma_args), .self = __VA_ARGS__})
#endif

/* digamma(Tensor self) -> Tensor
 * The derivative of lgamma. */
typedef struct wn_digamma_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_digamma_args;
WN_API wn_tensor *wn_digamma_x(const wn_digamma_args *args);
WN_API wn_tensor *wn_digamma_inplace_x(const wn_digamma_args *args);
#ifndef __cplusplus
#define wn_digamma(...) \
    wn_digamma_x(&(wn_digamma_args){.size_ = sizeof(wn_digamma_args), .self = __VA_ARGS__})
#define wn_digamma_(...) \
    wn_digamma_inplace_x(&(wn_digamma_args){.size_ = sizeof(wn_digamma_args), .self = __VA_ARGS__})
#endif

/* polygamma(int n, Tensor self) -> Tensor
 * The n-th derivative of digamma. */
typedef struct wn_polygamma_args {
    size_t size_;
    int64_t n;
    wn_tensor *self;
    wn_tensor *out;
} wn_polygamma_args;
WN_API wn_tensor *wn_polygamma_x(const wn_polygamma_args *args);
#ifndef __cplusplus
#define WN_ARGS_polygamma_(text, a0, a1, ...) \
    &(wn_polygamma_args){.size_ = sizeof(wn_polygamma_args), .n = a0, .self = a1, __VA_ARGS__}
#define wn_polygamma(...) \
    wn_polygamma_x(WN_2_(WN_FEW_, WN_ARGS_polygamma_, __VA_ARGS__)("too few arguments: wn_polygamma(n, self, ...)", __VA_ARGS__, ))
#endif

/* _polygamma(Tensor self, float n) -> Tensor
 * polygamma for n >= 1. */
typedef struct wn_polygamma_of_args {
    size_t size_;
    wn_tensor *self;
    double n;
    wn_tensor *out;
} wn_polygamma_of_args;
WN_API wn_tensor *wn_polygamma_of_x(const wn_polygamma_of_args *args);
#ifndef __cplusplus
#define WN_ARGS_polygamma_of_(text, a0, a1, ...) \
    &(wn_polygamma_of_args){.size_ = sizeof(wn_polygamma_of_args), .self = a0, .n = a1, __VA_ARGS__}
#define wn_polygamma_of(...) \
    wn_polygamma_of_x(WN_2_(WN_FEW_, WN_ARGS_polygamma_of_, __VA_ARGS__)("too few arguments: wn_polygamma_of(self, n, ...)", __VA_ARGS__, ))
#endif

/* mvlgamma(Tensor self, int p) -> Tensor
 * The logarithm of the multivariate gamma function: p (p - 1) / 4 log(pi) + sum of lgamma(self - i / 2), i = 0 ..
 * p - 1. */
typedef struct wn_mvlgamma_args {
    size_t size_;
    wn_tensor *self;
    int64_t p;
    wn_tensor *out;
} wn_mvlgamma_args;
WN_API wn_tensor *wn_mvlgamma_x(const wn_mvlgamma_args *args);
WN_API wn_tensor *wn_mvlgamma_inplace_x(const wn_mvlgamma_args *args);
#ifndef __cplusplus
#define WN_ARGS_mvlgamma_(text, a0, a1, ...) \
    &(wn_mvlgamma_args){.size_ = sizeof(wn_mvlgamma_args), .self = a0, .p = a1, __VA_ARGS__}
#define wn_mvlgamma(...) \
    wn_mvlgamma_x(WN_2_(WN_FEW_, WN_ARGS_mvlgamma_, __VA_ARGS__)("too few arguments: wn_mvlgamma(self, p, ...)", __VA_ARGS__, ))
#define wn_mvlgamma_(...) \
    wn_mvlgamma_inplace_x(WN_2_(WN_FEW_, WN_ARGS_mvlgamma_, __VA_ARGS__)("too few arguments: wn_mvlgamma_(self, p, ...)", __VA_ARGS__, ))
#endif

/* igamma(Tensor self, Tensor other) -> Tensor
 * The regularised lower incomplete gamma function P(self, other). No derivative in self. */
typedef struct wn_igamma_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_igamma_args;
WN_API wn_tensor *wn_igamma_x(const wn_igamma_args *args);
WN_API wn_tensor *wn_igamma_inplace_x(const wn_igamma_args *args);
#ifndef __cplusplus
#define WN_ARGS_igamma_(text, a0, a1, ...) \
    &(wn_igamma_args){.size_ = sizeof(wn_igamma_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_igamma(...) \
    wn_igamma_x(WN_2_(WN_FEW_, WN_ARGS_igamma_, __VA_ARGS__)("too few arguments: wn_igamma(self, other, ...)", __VA_ARGS__, ))
#define wn_igamma_(...) \
    wn_igamma_inplace_x(WN_2_(WN_FEW_, WN_ARGS_igamma_, __VA_ARGS__)("too few arguments: wn_igamma_(self, other, ...)", __VA_ARGS__, ))
#endif

/* igammac(Tensor self, Tensor other) -> Tensor
 * The regularised upper incomplete gamma function, 1 - igamma. No derivative in self. */
typedef struct wn_igammac_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_igammac_args;
WN_API wn_tensor *wn_igammac_x(const wn_igammac_args *args);
WN_API wn_tensor *wn_igammac_inplace_x(const wn_igammac_args *args);
#ifndef __cplusplus
#define WN_ARGS_igammac_(text, a0, a1, ...) \
    &(wn_igammac_args){.size_ = sizeof(wn_igammac_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_igammac(...) \
    wn_igammac_x(WN_2_(WN_FEW_, WN_ARGS_igammac_, __VA_ARGS__)("too few arguments: wn_igammac(self, other, ...)", __VA_ARGS__, ))
#define wn_igammac_(...) \
    wn_igammac_inplace_x(WN_2_(WN_FEW_, WN_ARGS_igammac_, __VA_ARGS__)("too few arguments: wn_igammac_(self, other, ...)", __VA_ARGS__, ))
#endif

/* zeta(Tensor self, Tensor other) -> Tensor
 * Hurwitz' zeta function: the sum of (k + other)^-self for k = 0, 1, ... No derivative in self. */
typedef struct wn_zeta_args {
    size_t size_;
    wn_val self;
    wn_val other;
    wn_tensor *out;
} wn_zeta_args;
WN_API wn_tensor *wn_zeta_x(const wn_zeta_args *args);
#ifndef __cplusplus
#define WN_ARGS_zeta_(text, a0, a1, ...) \
    &(wn_zeta_args){.size_ = sizeof(wn_zeta_args), .self = WN_VAL(a0), .other = WN_VAL(a1), __VA_ARGS__}
#define wn_zeta(...) \
    wn_zeta_x(WN_2_(WN_FEW_, WN_ARGS_zeta_, __VA_ARGS__)("too few arguments: wn_zeta(self, other, ...)", __VA_ARGS__, ))
#endif

/* i0(Tensor self) -> Tensor
 * The modified Bessel function of the first kind of order 0. */
typedef struct wn_i0_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_i0_args;
WN_API wn_tensor *wn_i0_x(const wn_i0_args *args);
WN_API wn_tensor *wn_i0_inplace_x(const wn_i0_args *args);
#ifndef __cplusplus
#define wn_i0(...) \
    wn_i0_x(&(wn_i0_args){.size_ = sizeof(wn_i0_args), .self = __VA_ARGS__})
#define wn_i0_(...) \
    wn_i0_inplace_x(&(wn_i0_args){.size_ = sizeof(wn_i0_args), .self = __VA_ARGS__})
#endif

/* i0e(Tensor self) -> Tensor
 * exp(-|self|) i0(self). */
typedef struct wn_i0e_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_i0e_args;
WN_API wn_tensor *wn_i0e_x(const wn_i0e_args *args);
#ifndef __cplusplus
#define wn_i0e(...) \
    wn_i0e_x(&(wn_i0e_args){.size_ = sizeof(wn_i0e_args), .self = __VA_ARGS__})
#endif

/* i1(Tensor self) -> Tensor
 * The modified Bessel function of the first kind of order 1. */
typedef struct wn_i1_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_i1_args;
WN_API wn_tensor *wn_i1_x(const wn_i1_args *args);
#ifndef __cplusplus
#define wn_i1(...) \
    wn_i1_x(&(wn_i1_args){.size_ = sizeof(wn_i1_args), .self = __VA_ARGS__})
#endif

/* i1e(Tensor self) -> Tensor
 * exp(-|self|) i1(self). */
typedef struct wn_i1e_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_i1e_args;
WN_API wn_tensor *wn_i1e_x(const wn_i1e_args *args);
#ifndef __cplusplus
#define wn_i1e(...) \
    wn_i1e_x(&(wn_i1e_args){.size_ = sizeof(wn_i1e_args), .self = __VA_ARGS__})
#endif

/* ndtr(Tensor self) -> Tensor
 * The normal distribution function: the integral of exp(-t^2 / 2) / sqrt(2 pi) up to self. */
typedef struct wn_ndtr_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_ndtr_args;
WN_API wn_tensor *wn_ndtr_x(const wn_ndtr_args *args);
#ifndef __cplusplus
#define wn_ndtr(...) \
    wn_ndtr_x(&(wn_ndtr_args){.size_ = sizeof(wn_ndtr_args), .self = __VA_ARGS__})
#endif

/* log_ndtr(Tensor self) -> Tensor
 * log(ndtr(self)), accurate far to the left. */
typedef struct wn_log_ndtr_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_log_ndtr_args;
WN_API wn_tensor *wn_log_ndtr_x(const wn_log_ndtr_args *args);
#ifndef __cplusplus
#define wn_log_ndtr(...) \
    wn_log_ndtr_x(&(wn_log_ndtr_args){.size_ = sizeof(wn_log_ndtr_args), .self = __VA_ARGS__})
#endif

/* ndtri(Tensor self) -> Tensor
 * The inverse of ndtr. */
typedef struct wn_ndtri_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_ndtri_args;
WN_API wn_tensor *wn_ndtri_x(const wn_ndtri_args *args);
#ifndef __cplusplus
#define wn_ndtri(...) \
    wn_ndtri_x(&(wn_ndtri_args){.size_ = sizeof(wn_ndtri_args), .self = __VA_ARGS__})
#endif

/* erfcx(Tensor self) -> Tensor
 * exp(self^2) erfc(self). */
typedef struct wn_erfcx_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_erfcx_args;
WN_API wn_tensor *wn_erfcx_x(const wn_erfcx_args *args);
#ifndef __cplusplus
#define wn_erfcx(...) \
    wn_erfcx_x(&(wn_erfcx_args){.size_ = sizeof(wn_erfcx_args), .self = __VA_ARGS__})
#endif

/* entr(Tensor self) -> Tensor
 * -self log(self); 0 at 0, -infinity below. */
typedef struct wn_entr_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_entr_args;
WN_API wn_tensor *wn_entr_x(const wn_entr_args *args);
#ifndef __cplusplus
#define wn_entr(...) \
    wn_entr_x(&(wn_entr_args){.size_ = sizeof(wn_entr_args), .self = __VA_ARGS__})
#endif

/* modified_bessel_k0(Tensor self) -> Tensor
 * The modified Bessel function of the second kind of order 0. */
typedef struct wn_modified_bessel_k0_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_modified_bessel_k0_args;
WN_API wn_tensor *wn_modified_bessel_k0_x(const wn_modified_bessel_k0_args *args);
#ifndef __cplusplus
#define wn_modified_bessel_k0(...) \
    wn_modified_bessel_k0_x(&(wn_modified_bessel_k0_args){.size_ = sizeof(wn_modified_bessel_k0_args), .self = __VA_ARGS__})
#endif

/* modified_bessel_k1(Tensor self) -> Tensor
 * The modified Bessel function of the second kind of order 1. */
typedef struct wn_modified_bessel_k1_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_modified_bessel_k1_args;
WN_API wn_tensor *wn_modified_bessel_k1_x(const wn_modified_bessel_k1_args *args);
#ifndef __cplusplus
#define wn_modified_bessel_k1(...) \
    wn_modified_bessel_k1_x(&(wn_modified_bessel_k1_args){.size_ = sizeof(wn_modified_bessel_k1_args), .self = __VA_ARGS__})
#endif

/* scaled_modified_bessel_k0(Tensor x) -> Tensor
 * exp(x) modified_bessel_k0(x). */
typedef struct wn_scaled_modified_bessel_k0_args {
    size_t size_;
    wn_tensor *x;
    wn_tensor *out;
} wn_scaled_modified_bessel_k0_args;
WN_API wn_tensor *wn_scaled_modified_bessel_k0_x(const wn_scaled_modified_bessel_k0_args *args);
#ifndef __cplusplus
#define wn_scaled_modified_bessel_k0(...) \
    wn_scaled_modified_bessel_k0_x(&(wn_scaled_modified_bessel_k0_args){.size_ = sizeof(wn_scaled_modified_bessel_k0_args), .x = __VA_ARGS__})
#endif

/* scaled_modified_bessel_k1(Tensor x) -> Tensor
 * exp(x) modified_bessel_k1(x). */
typedef struct wn_scaled_modified_bessel_k1_args {
    size_t size_;
    wn_tensor *x;
    wn_tensor *out;
} wn_scaled_modified_bessel_k1_args;
WN_API wn_tensor *wn_scaled_modified_bessel_k1_x(const wn_scaled_modified_bessel_k1_args *args);
#ifndef __cplusplus
#define wn_scaled_modified_bessel_k1(...) \
    wn_scaled_modified_bessel_k1_x(&(wn_scaled_modified_bessel_k1_args){.size_ = sizeof(wn_scaled_modified_bessel_k1_args), .x = __VA_ARGS__})
#endif

/* modified_bessel_i0(Tensor self) -> Tensor
 * i0, under torch's other name. */
typedef struct wn_modified_bessel_i0_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_modified_bessel_i0_args;
WN_API wn_tensor *wn_modified_bessel_i0_x(const wn_modified_bessel_i0_args *args);
#ifndef __cplusplus
#define wn_modified_bessel_i0(...) \
    wn_modified_bessel_i0_x(&(wn_modified_bessel_i0_args){.size_ = sizeof(wn_modified_bessel_i0_args), .self = __VA_ARGS__})
#endif

/* modified_bessel_i1(Tensor self) -> Tensor
 * i1, under torch's other name. */
typedef struct wn_modified_bessel_i1_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_modified_bessel_i1_args;
WN_API wn_tensor *wn_modified_bessel_i1_x(const wn_modified_bessel_i1_args *args);
#ifndef __cplusplus
#define wn_modified_bessel_i1(...) \
    wn_modified_bessel_i1_x(&(wn_modified_bessel_i1_args){.size_ = sizeof(wn_modified_bessel_i1_args), .self = __VA_ARGS__})
#endif

/* bessel_j0(Tensor self) -> Tensor
 * The Bessel function of the first kind of order 0. */
typedef struct wn_bessel_j0_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_bessel_j0_args;
WN_API wn_tensor *wn_bessel_j0_x(const wn_bessel_j0_args *args);
#ifndef __cplusplus
#define wn_bessel_j0(...) \
    wn_bessel_j0_x(&(wn_bessel_j0_args){.size_ = sizeof(wn_bessel_j0_args), .self = __VA_ARGS__})
#endif

/* bessel_j1(Tensor self) -> Tensor
 * The Bessel function of the first kind of order 1. */
typedef struct wn_bessel_j1_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_bessel_j1_args;
WN_API wn_tensor *wn_bessel_j1_x(const wn_bessel_j1_args *args);
#ifndef __cplusplus
#define wn_bessel_j1(...) \
    wn_bessel_j1_x(&(wn_bessel_j1_args){.size_ = sizeof(wn_bessel_j1_args), .self = __VA_ARGS__})
#endif

/* bessel_y0(Tensor self) -> Tensor
 * The Bessel function of the second kind of order 0. */
typedef struct wn_bessel_y0_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_bessel_y0_args;
WN_API wn_tensor *wn_bessel_y0_x(const wn_bessel_y0_args *args);
#ifndef __cplusplus
#define wn_bessel_y0(...) \
    wn_bessel_y0_x(&(wn_bessel_y0_args){.size_ = sizeof(wn_bessel_y0_args), .self = __VA_ARGS__})
#endif

/* bessel_y1(Tensor self) -> Tensor
 * The Bessel function of the second kind of order 1. */
typedef struct wn_bessel_y1_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_bessel_y1_args;
WN_API wn_tensor *wn_bessel_y1_x(const wn_bessel_y1_args *args);
#ifndef __cplusplus
#define wn_bessel_y1(...) \
    wn_bessel_y1_x(&(wn_bessel_y1_args){.size_ = sizeof(wn_bessel_y1_args), .self = __VA_ARGS__})
#endif

/* spherical_bessel_j0(Tensor x) -> Tensor
 * sin(x) / x; 1 at 0. */
typedef struct wn_spherical_bessel_j0_args {
    size_t size_;
    wn_tensor *x;
    wn_tensor *out;
} wn_spherical_bessel_j0_args;
WN_API wn_tensor *wn_spherical_bessel_j0_x(const wn_spherical_bessel_j0_args *args);
#ifndef __cplusplus
#define wn_spherical_bessel_j0(...) \
    wn_spherical_bessel_j0_x(&(wn_spherical_bessel_j0_args){.size_ = sizeof(wn_spherical_bessel_j0_args), .x = __VA_ARGS__})
#endif

/* airy_ai(Tensor x) -> Tensor
 * Airy's function Ai. */
typedef struct wn_airy_ai_args {
    size_t size_;
    wn_tensor *x;
    wn_tensor *out;
} wn_airy_ai_args;
WN_API wn_tensor *wn_airy_ai_x(const wn_airy_ai_args *args);
#ifndef __cplusplus
#define wn_airy_ai(...) \
    wn_airy_ai_x(&(wn_airy_ai_args){.size_ = sizeof(wn_airy_ai_args), .x = __VA_ARGS__})
#endif

/* chebyshev_polynomial_t(Tensor x, Tensor n) -> Tensor
 * The Chebyshev polynomial of the first kind of degree n; 0 where n is negative. */
typedef struct wn_chebyshev_polynomial_t_args {
    size_t size_;
    wn_val x;
    wn_val n;
    wn_tensor *out;
} wn_chebyshev_polynomial_t_args;
WN_API wn_tensor *wn_chebyshev_polynomial_t_x(const wn_chebyshev_polynomial_t_args *args);
#ifndef __cplusplus
#define WN_ARGS_chebyshev_polynomial_t_(text, a0, a1, ...) \
    &(wn_chebyshev_polynomial_t_args){.size_ = sizeof(wn_chebyshev_polynomial_t_args), .x = WN_VAL(a0), .n = WN_VAL(a1), __VA_ARGS__}
#define wn_chebyshev_polynomial_t(...) \
    wn_chebyshev_polynomial_t_x(WN_2_(WN_FEW_, WN_ARGS_chebyshev_polynomial_t_, __VA_ARGS__)("too few arguments: wn_chebyshev_polynomial_t(x, n, ...)", __VA_ARGS__, ))
#endif

/* shifted_chebyshev_polynomial_t(Tensor x, Tensor n) -> Tensor
 * chebyshev_polynomial_t at 2x - 1. */
typedef struct wn_shifted_chebyshev_polynomial_t_args {
    size_t size_;
    wn_val x;
    wn_val n;
    wn_tensor *out;
} wn_shifted_chebyshev_polynomial_t_args;
WN_API wn_tensor *wn_shifted_chebyshev_polynomial_t_x(const wn_shifted_chebyshev_polynomial_t_args *args);
#ifndef __cplusplus
#define WN_ARGS_shifted_chebyshev_polynomial_t_(text, a0, a1, ...) \
    &(wn_shifted_chebyshev_polynomial_t_args){.size_ = sizeof(wn_shifted_chebyshev_polynomial_t_args), .x = WN_VAL(a0), .n = WN_VAL(a1), __VA_ARGS__}
#define wn_shifted_chebyshev_polynomial_t(...) \
    wn_shifted_chebyshev_polynomial_t_x(WN_2_(WN_FEW_, WN_ARGS_shifted_chebyshev_polynomial_t_, __VA_ARGS__)("too few arguments: wn_shifted_chebyshev_polynomial_t(x, n, ...)", __VA_ARGS__, ))
#endif

/* chebyshev_polynomial_u(Tensor x, Tensor n) -> Tensor
 * The Chebyshev polynomial of the second kind of degree n; 0 where n is negative. */
typedef struct wn_chebyshev_polynomial_u_args {
    size_t size_;
    wn_val x;
    wn_val n;
    wn_tensor *out;
} wn_chebyshev_polynomial_u_args;
WN_API wn_tensor *wn_chebyshev_polynomial_u_x(const wn_chebyshev_polynomial_u_args *args);
#ifndef __cplusplus
#define WN_ARGS_chebyshev_polynomial_u_(text, a0, a1, ...) \
    &(wn_chebyshev_polynomial_u_args){.size_ = sizeof(wn_chebyshev_polynomial_u_args), .x = WN_VAL(a0), .n = WN_VAL(a1), __VA_ARGS__}
#define wn_chebyshev_polynomial_u(...) \
    wn_chebyshev_polynomial_u_x(WN_2_(WN_FEW_, WN_ARGS_chebyshev_polynomial_u_, __VA_ARGS__)("too few arguments: wn_chebyshev_polynomial_u(x, n, ...)", __VA_ARGS__, ))
#endif

/* shifted_chebyshev_polynomial_u(Tensor x, Tensor n) -> Tensor
 * chebyshev_polynomial_u at 2x - 1. */
typedef struct wn_shifted_chebyshev_polynomial_u_args {
    size_t size_;
    wn_val x;
    wn_val n;
    wn_tensor *out;
} wn_shifted_chebyshev_polynomial_u_args;
WN_API wn_tensor *wn_shifted_chebyshev_polynomial_u_x(const wn_shifted_chebyshev_polynomial_u_args *args);
#ifndef __cplusplus
#define WN_ARGS_shifted_chebyshev_polynomial_u_(text, a0, a1, ...) \
    &(wn_shifted_chebyshev_polynomial_u_args){.size_ = sizeof(wn_shifted_chebyshev_polynomial_u_args), .x = WN_VAL(a0), .n = WN_VAL(a1), __VA_ARGS__}
#define wn_shifted_chebyshev_polynomial_u(...) \
    wn_shifted_chebyshev_polynomial_u_x(WN_2_(WN_FEW_, WN_ARGS_shifted_chebyshev_polynomial_u_, __VA_ARGS__)("too few arguments: wn_shifted_chebyshev_polynomial_u(x, n, ...)", __VA_ARGS__, ))
#endif

/* chebyshev_polynomial_v(Tensor x, Tensor n) -> Tensor
 * The Chebyshev polynomial of the third kind of degree n; 0 where n is negative. */
typedef struct wn_chebyshev_polynomial_v_args {
    size_t size_;
    wn_val x;
    wn_val n;
    wn_tensor *out;
} wn_chebyshev_polynomial_v_args;
WN_API wn_tensor *wn_chebyshev_polynomial_v_x(const wn_chebyshev_polynomial_v_args *args);
#ifndef __cplusplus
#define WN_ARGS_chebyshev_polynomial_v_(text, a0, a1, ...) \
    &(wn_chebyshev_polynomial_v_args){.size_ = sizeof(wn_chebyshev_polynomial_v_args), .x = WN_VAL(a0), .n = WN_VAL(a1), __VA_ARGS__}
#define wn_chebyshev_polynomial_v(...) \
    wn_chebyshev_polynomial_v_x(WN_2_(WN_FEW_, WN_ARGS_chebyshev_polynomial_v_, __VA_ARGS__)("too few arguments: wn_chebyshev_polynomial_v(x, n, ...)", __VA_ARGS__, ))
#endif

/* shifted_chebyshev_polynomial_v(Tensor x, Tensor n) -> Tensor
 * chebyshev_polynomial_v at 2x - 1. */
typedef struct wn_shifted_chebyshev_polynomial_v_args {
    size_t size_;
    wn_val x;
    wn_val n;
    wn_tensor *out;
} wn_shifted_chebyshev_polynomial_v_args;
WN_API wn_tensor *wn_shifted_chebyshev_polynomial_v_x(const wn_shifted_chebyshev_polynomial_v_args *args);
#ifndef __cplusplus
#define WN_ARGS_shifted_chebyshev_polynomial_v_(text, a0, a1, ...) \
    &(wn_shifted_chebyshev_polynomial_v_args){.size_ = sizeof(wn_shifted_chebyshev_polynomial_v_args), .x = WN_VAL(a0), .n = WN_VAL(a1), __VA_ARGS__}
#define wn_shifted_chebyshev_polynomial_v(...) \
    wn_shifted_chebyshev_polynomial_v_x(WN_2_(WN_FEW_, WN_ARGS_shifted_chebyshev_polynomial_v_, __VA_ARGS__)("too few arguments: wn_shifted_chebyshev_polynomial_v(x, n, ...)", __VA_ARGS__, ))
#endif

/* chebyshev_polynomial_w(Tensor x, Tensor n) -> Tensor
 * The Chebyshev polynomial of the fourth kind of degree n; 0 where n is negative. */
typedef struct wn_chebyshev_polynomial_w_args {
    size_t size_;
    wn_val x;
    wn_val n;
    wn_tensor *out;
} wn_chebyshev_polynomial_w_args;
WN_API wn_tensor *wn_chebyshev_polynomial_w_x(const wn_chebyshev_polynomial_w_args *args);
#ifndef __cplusplus
#define WN_ARGS_chebyshev_polynomial_w_(text, a0, a1, ...) \
    &(wn_chebyshev_polynomial_w_args){.size_ = sizeof(wn_chebyshev_polynomial_w_args), .x = WN_VAL(a0), .n = WN_VAL(a1), __VA_ARGS__}
#define wn_chebyshev_polynomial_w(...) \
    wn_chebyshev_polynomial_w_x(WN_2_(WN_FEW_, WN_ARGS_chebyshev_polynomial_w_, __VA_ARGS__)("too few arguments: wn_chebyshev_polynomial_w(x, n, ...)", __VA_ARGS__, ))
#endif

/* shifted_chebyshev_polynomial_w(Tensor x, Tensor n) -> Tensor
 * chebyshev_polynomial_w at 2x - 1. */
typedef struct wn_shifted_chebyshev_polynomial_w_args {
    size_t size_;
    wn_val x;
    wn_val n;
    wn_tensor *out;
} wn_shifted_chebyshev_polynomial_w_args;
WN_API wn_tensor *wn_shifted_chebyshev_polynomial_w_x(const wn_shifted_chebyshev_polynomial_w_args *args);
#ifndef __cplusplus
#define WN_ARGS_shifted_chebyshev_polynomial_w_(text, a0, a1, ...) \
    &(wn_shifted_chebyshev_polynomial_w_args){.size_ = sizeof(wn_shifted_chebyshev_polynomial_w_args), .x = WN_VAL(a0), .n = WN_VAL(a1), __VA_ARGS__}
#define wn_shifted_chebyshev_polynomial_w(...) \
    wn_shifted_chebyshev_polynomial_w_x(WN_2_(WN_FEW_, WN_ARGS_shifted_chebyshev_polynomial_w_, __VA_ARGS__)("too few arguments: wn_shifted_chebyshev_polynomial_w(x, n, ...)", __VA_ARGS__, ))
#endif

/* hermite_polynomial_h(Tensor x, Tensor n) -> Tensor
 * The physicists' Hermite polynomial of degree n; NaN above 512 (float32: 128). */
typedef struct wn_hermite_polynomial_h_args {
    size_t size_;
    wn_val x;
    wn_val n;
    wn_tensor *out;
} wn_hermite_polynomial_h_args;
WN_API wn_tensor *wn_hermite_polynomial_h_x(const wn_hermite_polynomial_h_args *args);
#ifndef __cplusplus
#define WN_ARGS_hermite_polynomial_h_(text, a0, a1, ...) \
    &(wn_hermite_polynomial_h_args){.size_ = sizeof(wn_hermite_polynomial_h_args), .x = WN_VAL(a0), .n = WN_VAL(a1), __VA_ARGS__}
#define wn_hermite_polynomial_h(...) \
    wn_hermite_polynomial_h_x(WN_2_(WN_FEW_, WN_ARGS_hermite_polynomial_h_, __VA_ARGS__)("too few arguments: wn_hermite_polynomial_h(x, n, ...)", __VA_ARGS__, ))
#endif

/* hermite_polynomial_he(Tensor x, Tensor n) -> Tensor
 * The probabilists' Hermite polynomial of degree n; NaN above 512 (float32: 128). */
typedef struct wn_hermite_polynomial_he_args {
    size_t size_;
    wn_val x;
    wn_val n;
    wn_tensor *out;
} wn_hermite_polynomial_he_args;
WN_API wn_tensor *wn_hermite_polynomial_he_x(const wn_hermite_polynomial_he_args *args);
#ifndef __cplusplus
#define WN_ARGS_hermite_polynomial_he_(text, a0, a1, ...) \
    &(wn_hermite_polynomial_he_args){.size_ = sizeof(wn_hermite_polynomial_he_args), .x = WN_VAL(a0), .n = WN_VAL(a1), __VA_ARGS__}
#define wn_hermite_polynomial_he(...) \
    wn_hermite_polynomial_he_x(WN_2_(WN_FEW_, WN_ARGS_hermite_polynomial_he_, __VA_ARGS__)("too few arguments: wn_hermite_polynomial_he(x, n, ...)", __VA_ARGS__, ))
#endif

/* laguerre_polynomial_l(Tensor x, Tensor n) -> Tensor
 * The Laguerre polynomial of degree n; NaN above 10^6. */
typedef struct wn_laguerre_polynomial_l_args {
    size_t size_;
    wn_val x;
    wn_val n;
    wn_tensor *out;
} wn_laguerre_polynomial_l_args;
WN_API wn_tensor *wn_laguerre_polynomial_l_x(const wn_laguerre_polynomial_l_args *args);
#ifndef __cplusplus
#define WN_ARGS_laguerre_polynomial_l_(text, a0, a1, ...) \
    &(wn_laguerre_polynomial_l_args){.size_ = sizeof(wn_laguerre_polynomial_l_args), .x = WN_VAL(a0), .n = WN_VAL(a1), __VA_ARGS__}
#define wn_laguerre_polynomial_l(...) \
    wn_laguerre_polynomial_l_x(WN_2_(WN_FEW_, WN_ARGS_laguerre_polynomial_l_, __VA_ARGS__)("too few arguments: wn_laguerre_polynomial_l(x, n, ...)", __VA_ARGS__, ))
#endif

/* legendre_polynomial_p(Tensor x, Tensor n) -> Tensor
 * The Legendre polynomial of degree n; NaN above 10^6. */
typedef struct wn_legendre_polynomial_p_args {
    size_t size_;
    wn_val x;
    wn_val n;
    wn_tensor *out;
} wn_legendre_polynomial_p_args;
WN_API wn_tensor *wn_legendre_polynomial_p_x(const wn_legendre_polynomial_p_args *args);
#ifndef __cplusplus
#define WN_ARGS_legendre_polynomial_p_(text, a0, a1, ...) \
    &(wn_legendre_polynomial_p_args){.size_ = sizeof(wn_legendre_polynomial_p_args), .x = WN_VAL(a0), .n = WN_VAL(a1), __VA_ARGS__}
#define wn_legendre_polynomial_p(...) \
    wn_legendre_polynomial_p_x(WN_2_(WN_FEW_, WN_ARGS_legendre_polynomial_p_, __VA_ARGS__)("too few arguments: wn_legendre_polynomial_p(x, n, ...)", __VA_ARGS__, ))
#endif

/* view(Tensor(a) self, int[] size) -> Tensor(a)
 * self with another shape, without copying; one size may be -1 (inferred). An error when strides do not allow it:
 * use reshape. */
typedef struct wn_view_args {
    size_t size_;
    wn_tensor *self;
    wn_dims size;
} wn_view_args;
WN_API wn_tensor *wn_view_x(const wn_view_args *args);
#ifndef __cplusplus
#define WN_ARGS_view_(text, a0, a1, ...) \
    &(wn_view_args){.size_ = sizeof(wn_view_args), .self = a0, .size = a1, __VA_ARGS__}
#define wn_view(...) \
    wn_view_x(WN_2_(WN_FEW_, WN_ARGS_view_, __VA_ARGS__)("too few arguments: wn_view(self, size, ...)", __VA_ARGS__, ))
#endif

/* view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)
 * The same memory read as another dtype; where element sizes differ, the last dimension (stride 1) shrinks or
 * grows. No gradient. */
typedef struct wn_view_dtype_args {
    size_t size_;
    wn_tensor *self;
    wn_dtype dtype;
} wn_view_dtype_args;
WN_API wn_tensor *wn_view_dtype_x(const wn_view_dtype_args *args);
#ifndef __cplusplus
#define WN_ARGS_view_dtype_(text, a0, a1, ...) \
    &(wn_view_dtype_args){.size_ = sizeof(wn_view_dtype_args), .self = a0, .dtype = a1, __VA_ARGS__}
#define wn_view_dtype(...) \
    wn_view_dtype_x(WN_2_(WN_FEW_, WN_ARGS_view_dtype_, __VA_ARGS__)("too few arguments: wn_view_dtype(self, dtype, ...)", __VA_ARGS__, ))
#endif

/* reshape(Tensor(a) self, int[] shape) -> Tensor(a)
 * view where strides allow it, else a copy. */
typedef struct wn_reshape_args {
    size_t size_;
    wn_tensor *self;
    wn_dims shape;
} wn_reshape_args;
WN_API wn_tensor *wn_reshape_x(const wn_reshape_args *args);
#ifndef __cplusplus
#define WN_ARGS_reshape_(text, a0, a1, ...) \
    &(wn_reshape_args){.size_ = sizeof(wn_reshape_args), .self = a0, .shape = a1, __VA_ARGS__}
#define wn_reshape(...) \
    wn_reshape_x(WN_2_(WN_FEW_, WN_ARGS_reshape_, __VA_ARGS__)("too few arguments: wn_reshape(self, shape, ...)", __VA_ARGS__, ))
#endif

/* flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)
 * Dimensions start_dim .. end_dim (included; default: to the last) merged into one. */
typedef struct wn_flatten_args {
    size_t size_;
    wn_tensor *self;
    int64_t start_dim;
    wn_val end_dim;
} wn_flatten_args;
WN_API wn_tensor *wn_flatten_x(const wn_flatten_args *args);
#ifndef __cplusplus
#define wn_flatten(...) \
    wn_flatten_x(&(wn_flatten_args){.size_ = sizeof(wn_flatten_args), .self = __VA_ARGS__})
#endif

/* unflatten.int(Tensor(a) self, int dim, int[] sizes) -> Tensor(a)
 * Dimension dim split into sizes; one may be -1. */
typedef struct wn_unflatten_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    wn_dims sizes;
} wn_unflatten_args;
WN_API wn_tensor *wn_unflatten_x(const wn_unflatten_args *args);
#ifndef __cplusplus
#define WN_ARGS_unflatten_(text, a0, a1, a2, ...) \
    &(wn_unflatten_args){.size_ = sizeof(wn_unflatten_args), .self = a0, .dim = a1, .sizes = a2, __VA_ARGS__}
#define wn_unflatten(...) \
    wn_unflatten_x(WN_3_(WN_FEW_, WN_ARGS_unflatten_, __VA_ARGS__)("too few arguments: wn_unflatten(self, dim, sizes, ...)", __VA_ARGS__, ))
#endif

/* permute(Tensor(a) self, int[] dims) -> Tensor(a)
 * Dimensions in the order dims. */
typedef struct wn_permute_args {
    size_t size_;
    wn_tensor *self;
    wn_dims dims;
} wn_permute_args;
WN_API wn_tensor *wn_permute_x(const wn_permute_args *args);
#ifndef __cplusplus
#define WN_ARGS_permute_(text, a0, a1, ...) \
    &(wn_permute_args){.size_ = sizeof(wn_permute_args), .self = a0, .dims = a1, __VA_ARGS__}
#define wn_permute(...) \
    wn_permute_x(WN_2_(WN_FEW_, WN_ARGS_permute_, __VA_ARGS__)("too few arguments: wn_permute(self, dims, ...)", __VA_ARGS__, ))
#endif

/* transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)
 * Dimensions dim0 and dim1 exchanged. */
typedef struct wn_transpose_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim0;
    int64_t dim1;
} wn_transpose_args;
WN_API wn_tensor *wn_transpose_x(const wn_transpose_args *args);
#ifndef __cplusplus
#define WN_ARGS_transpose_(text, a0, a1, a2, ...) \
    &(wn_transpose_args){.size_ = sizeof(wn_transpose_args), .self = a0, .dim0 = a1, .dim1 = a2, __VA_ARGS__}
#define wn_transpose(...) \
    wn_transpose_x(WN_3_(WN_FEW_, WN_ARGS_transpose_, __VA_ARGS__)("too few arguments: wn_transpose(self, dim0, dim1, ...)", __VA_ARGS__, ))
#endif

/* t(Tensor(a) self) -> Tensor(a)
 * The transpose of a matrix; tensors with fewer dimensions as they are. */
typedef struct wn_t_args {
    size_t size_;
    wn_tensor *self;
} wn_t_args;
WN_API wn_tensor *wn_t_x(const wn_t_args *args);
#ifndef __cplusplus
#define wn_t(...) \
    wn_t_x(&(wn_t_args){.size_ = sizeof(wn_t_args), .self = __VA_ARGS__})
#endif

/* mT(Tensor(a) self) -> Tensor(a)
 * The last two dimensions exchanged. */
typedef struct wn_mT_args {
    size_t size_;
    wn_tensor *self;
} wn_mT_args;
WN_API wn_tensor *wn_mT_x(const wn_mT_args *args);
#ifndef __cplusplus
#define wn_mT(...) \
    wn_mT_x(&(wn_mT_args){.size_ = sizeof(wn_mT_args), .self = __VA_ARGS__})
#endif

/* movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)
 * Dimension source moved to place destination, the others in order. */
typedef struct wn_movedim_args {
    size_t size_;
    wn_tensor *self;
    int64_t source;
    int64_t destination;
} wn_movedim_args;
WN_API wn_tensor *wn_movedim_x(const wn_movedim_args *args);
#ifndef __cplusplus
#define WN_ARGS_movedim_(text, a0, a1, a2, ...) \
    &(wn_movedim_args){.size_ = sizeof(wn_movedim_args), .self = a0, .source = a1, .destination = a2, __VA_ARGS__}
#define wn_movedim(...) \
    wn_movedim_x(WN_3_(WN_FEW_, WN_ARGS_movedim_, __VA_ARGS__)("too few arguments: wn_movedim(self, source, destination, ...)", __VA_ARGS__, ))
#endif

/* movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)
 * Dimensions source moved to places destination, the others in order. */
typedef struct wn_movedim_list_args {
    size_t size_;
    wn_tensor *self;
    wn_dims source;
    wn_dims destination;
} wn_movedim_list_args;
WN_API wn_tensor *wn_movedim_list_x(const wn_movedim_list_args *args);
#ifndef __cplusplus
#define WN_ARGS_movedim_list_(text, a0, a1, a2, ...) \
    &(wn_movedim_list_args){.size_ = sizeof(wn_movedim_list_args), .self = a0, .source = a1, .destination = a2, __VA_ARGS__}
#define wn_movedim_list(...) \
    wn_movedim_list_x(WN_3_(WN_FEW_, WN_ARGS_movedim_list_, __VA_ARGS__)("too few arguments: wn_movedim_list(self, source, destination, ...)", __VA_ARGS__, ))
#endif

/* expand(Tensor(a) self, int[] size) -> Tensor(a)
 * self broadcast to size (stride 0); -1 keeps a size. Its gradient is summed over the broadcast dimensions. */
typedef struct wn_expand_args {
    size_t size_;
    wn_tensor *self;
    wn_dims size;
} wn_expand_args;
WN_API wn_tensor *wn_expand_x(const wn_expand_args *args);
#ifndef __cplusplus
#define WN_ARGS_expand_(text, a0, a1, ...) \
    &(wn_expand_args){.size_ = sizeof(wn_expand_args), .self = a0, .size = a1, __VA_ARGS__}
#define wn_expand(...) \
    wn_expand_x(WN_2_(WN_FEW_, WN_ARGS_expand_, __VA_ARGS__)("too few arguments: wn_expand(self, size, ...)", __VA_ARGS__, ))
#endif

/* expand_as(Tensor(a) self, Tensor other) -> Tensor(a)
 * self broadcast to other's shape. */
typedef struct wn_expand_as_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *other;
} wn_expand_as_args;
WN_API wn_tensor *wn_expand_as_x(const wn_expand_as_args *args);
#ifndef __cplusplus
#define WN_ARGS_expand_as_(text, a0, a1, ...) \
    &(wn_expand_as_args){.size_ = sizeof(wn_expand_as_args), .self = a0, .other = a1, __VA_ARGS__}
#define wn_expand_as(...) \
    wn_expand_as_x(WN_2_(WN_FEW_, WN_ARGS_expand_as_, __VA_ARGS__)("too few arguments: wn_expand_as(self, other, ...)", __VA_ARGS__, ))
#endif

/* squeeze(Tensor(a) self) -> Tensor(a)
 * Without the dimensions of size 1. */
typedef struct wn_squeeze_args {
    size_t size_;
    wn_tensor *self;
} wn_squeeze_args;
WN_API wn_tensor *wn_squeeze_x(const wn_squeeze_args *args);
#ifndef __cplusplus
#define wn_squeeze(...) \
    wn_squeeze_x(&(wn_squeeze_args){.size_ = sizeof(wn_squeeze_args), .self = __VA_ARGS__})
#endif

/* squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)
 * Without dimension dim, if its size is 1. */
typedef struct wn_squeeze_dim_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
} wn_squeeze_dim_args;
WN_API wn_tensor *wn_squeeze_dim_x(const wn_squeeze_dim_args *args);
#ifndef __cplusplus
#define WN_ARGS_squeeze_dim_(text, a0, a1, ...) \
    &(wn_squeeze_dim_args){.size_ = sizeof(wn_squeeze_dim_args), .self = a0, .dim = a1, __VA_ARGS__}
#define wn_squeeze_dim(...) \
    wn_squeeze_dim_x(WN_2_(WN_FEW_, WN_ARGS_squeeze_dim_, __VA_ARGS__)("too few arguments: wn_squeeze_dim(self, dim, ...)", __VA_ARGS__, ))
#endif

/* squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)
 * Without those of the given dimensions whose size is 1. */
typedef struct wn_squeeze_dims_args {
    size_t size_;
    wn_tensor *self;
    wn_dims dims;
} wn_squeeze_dims_args;
WN_API wn_tensor *wn_squeeze_dims_x(const wn_squeeze_dims_args *args);
#ifndef __cplusplus
#define WN_ARGS_squeeze_dims_(text, a0, a1, ...) \
    &(wn_squeeze_dims_args){.size_ = sizeof(wn_squeeze_dims_args), .self = a0, .dims = a1, __VA_ARGS__}
#define wn_squeeze_dims(...) \
    wn_squeeze_dims_x(WN_2_(WN_FEW_, WN_ARGS_squeeze_dims_, __VA_ARGS__)("too few arguments: wn_squeeze_dims(self, dims, ...)", __VA_ARGS__, ))
#endif

/* unsqueeze(Tensor(a) self, int dim) -> Tensor(a)
 * With a dimension of size 1 inserted at place dim. */
typedef struct wn_unsqueeze_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
} wn_unsqueeze_args;
WN_API wn_tensor *wn_unsqueeze_x(const wn_unsqueeze_args *args);
#ifndef __cplusplus
#define WN_ARGS_unsqueeze_(text, a0, a1, ...) \
    &(wn_unsqueeze_args){.size_ = sizeof(wn_unsqueeze_args), .self = a0, .dim = a1, __VA_ARGS__}
#define wn_unsqueeze(...) \
    wn_unsqueeze_x(WN_2_(WN_FEW_, WN_ARGS_unsqueeze_, __VA_ARGS__)("too few arguments: wn_unsqueeze(self, dim, ...)", __VA_ARGS__, ))
#endif

/* select.int(Tensor(a) self, int dim, int index) -> Tensor(a)
 * self[..., index, ...] in dimension dim, which goes away. */
typedef struct wn_select_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    int64_t index;
} wn_select_args;
WN_API wn_tensor *wn_select_x(const wn_select_args *args);
#ifndef __cplusplus
#define WN_ARGS_select_(text, a0, a1, a2, ...) \
    &(wn_select_args){.size_ = sizeof(wn_select_args), .self = a0, .dim = a1, .index = a2, __VA_ARGS__}
#define wn_select(...) \
    wn_select_x(WN_3_(WN_FEW_, WN_ARGS_select_, __VA_ARGS__)("too few arguments: wn_select(self, dim, index, ...)", __VA_ARGS__, ))
#endif

/* slice.Tensor(Tensor(a) self, int dim, int? start=None, int? end=None, int step=1) -> Tensor(a)
 * self[start:end:step] in dimension dim, with Python's rules for negative and missing bounds; step > 0. */
typedef struct wn_slice_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    wn_val start;
    wn_val end;
    wn_val step;
} wn_slice_args;
WN_API wn_tensor *wn_slice_x(const wn_slice_args *args);
#ifndef __cplusplus
#define WN_ARGS_slice_(text, a0, a1, a2, a3, ...) \
    &(wn_slice_args){.size_ = sizeof(wn_slice_args), .self = a0, .dim = a1, .start = WN_VAL(a2), .end = WN_VAL(a3), __VA_ARGS__}
#define wn_slice(...) \
    wn_slice_x(WN_4_(WN_FEW_, WN_ARGS_slice_, __VA_ARGS__)("too few arguments: wn_slice(self, dim, start, end, ...)", __VA_ARGS__, ))
#endif

/* narrow(Tensor(a) self, int dim, int start, int length) -> Tensor(a)
 * self[start : start + length] in dimension dim; out of range is an error. */
typedef struct wn_narrow_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    int64_t start;
    int64_t length;
} wn_narrow_args;
WN_API wn_tensor *wn_narrow_x(const wn_narrow_args *args);
#ifndef __cplusplus
#define WN_ARGS_narrow_(text, a0, a1, a2, a3, ...) \
    &(wn_narrow_args){.size_ = sizeof(wn_narrow_args), .self = a0, .dim = a1, .start = a2, .length = a3, __VA_ARGS__}
#define wn_narrow(...) \
    wn_narrow_x(WN_4_(WN_FEW_, WN_ARGS_narrow_, __VA_ARGS__)("too few arguments: wn_narrow(self, dim, start, length, ...)", __VA_ARGS__, ))
#endif

/* narrow.Tensor(Tensor(a) self, int dim, Tensor start, int length) -> Tensor(a)
 * narrow from the position that a 0-d integer tensor holds. */
typedef struct wn_narrow_tensor_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    wn_tensor *start;
    int64_t length;
} wn_narrow_tensor_args;
WN_API wn_tensor *wn_narrow_tensor_x(const wn_narrow_tensor_args *args);
#ifndef __cplusplus
#define WN_ARGS_narrow_tensor_(text, a0, a1, a2, a3, ...) \
    &(wn_narrow_tensor_args){.size_ = sizeof(wn_narrow_tensor_args), .self = a0, .dim = a1, .start = a2, .length = a3, __VA_ARGS__}
#define wn_narrow_tensor(...) \
    wn_narrow_tensor_x(WN_4_(WN_FEW_, WN_ARGS_narrow_tensor_, __VA_ARGS__)("too few arguments: wn_narrow_tensor(self, dim, start, length, ...)", __VA_ARGS__, ))
#endif

/* diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)
 * The diagonal of dimensions dim1 and dim2, as the last dimension. */
typedef struct wn_diagonal_args {
    size_t size_;
    wn_tensor *self;
    int64_t offset;
    wn_val dim1;
    wn_val dim2;
} wn_diagonal_args;
WN_API wn_tensor *wn_diagonal_x(const wn_diagonal_args *args);
#ifndef __cplusplus
#define wn_diagonal(...) \
    wn_diagonal_x(&(wn_diagonal_args){.size_ = sizeof(wn_diagonal_args), .self = __VA_ARGS__})
#endif

/* as_strided(Tensor(a) self, int[] size, int[] stride, int? storage_offset=None) -> Tensor(a)
 * Any geometry on self's storage (offset and strides in elements, not negative); checked against its size. */
typedef struct wn_as_strided_args {
    size_t size_;
    wn_tensor *self;
    wn_dims size;
    wn_dims stride;
    wn_val storage_offset;
} wn_as_strided_args;
WN_API wn_tensor *wn_as_strided_x(const wn_as_strided_args *args);
#ifndef __cplusplus
#define WN_ARGS_as_strided_(text, a0, a1, a2, ...) \
    &(wn_as_strided_args){.size_ = sizeof(wn_as_strided_args), .self = a0, .size = a1, .stride = a2, __VA_ARGS__}
#define wn_as_strided(...) \
    wn_as_strided_x(WN_3_(WN_FEW_, WN_ARGS_as_strided_, __VA_ARGS__)("too few arguments: wn_as_strided(self, size, stride, ...)", __VA_ARGS__, ))
#endif

/* as_strided.view(Tensor(a) self, int[] size, int[] stride, int storage_offset, int[] self_stride, int self_offset) -> Tensor(a)
 * Behind as_strided: knows its input's geometry, which the gradient needs. */
typedef struct wn_as_strided_view_args {
    size_t size_;
    wn_tensor *self;
    wn_dims size;
    wn_dims stride;
    int64_t storage_offset;
    wn_dims self_stride;
    int64_t self_offset;
} wn_as_strided_view_args;
WN_API wn_tensor *wn_as_strided_view_x(const wn_as_strided_view_args *args);
#ifndef __cplusplus
#define WN_ARGS_as_strided_view_(text, a0, a1, a2, a3, a4, a5, ...) \
    &(wn_as_strided_view_args){.size_ = sizeof(wn_as_strided_view_args), .self = a0, .size = a1, .stride = a2, .storage_offset = a3, .self_stride = a4, .self_offset = a5, __VA_ARGS__}
#define wn_as_strided_view(...) \
    wn_as_strided_view_x(WN_6_(WN_FEW_, WN_ARGS_as_strided_view_, __VA_ARGS__)("too few arguments: wn_as_strided_view(self, size, stride, storage_offset, self_stride, self_offset, ...)", __VA_ARGS__, ))
#endif

/* detach(Tensor(a) self) -> Tensor(a)
 * The same data without history. */
typedef struct wn_detach_args {
    size_t size_;
    wn_tensor *self;
} wn_detach_args;
WN_API wn_tensor *wn_detach_x(const wn_detach_args *args);
#ifndef __cplusplus
#define wn_detach(...) \
    wn_detach_x(&(wn_detach_args){.size_ = sizeof(wn_detach_args), .self = __VA_ARGS__})
#endif

/* unbind.int(Tensor(a) self, int dim=0) -> Tensor(a)[]
 * All slices self[i] along dim. */
typedef struct wn_unbind_args {
    size_t size_;
    wn_tensor *self;
    wn_val dim;
} wn_unbind_args;
WN_API wn_list wn_unbind_x(const wn_unbind_args *args);
#ifndef __cplusplus
#define wn_unbind(...) \
    wn_unbind_x(&(wn_unbind_args){.size_ = sizeof(wn_unbind_args), .self = __VA_ARGS__})
#endif

/* split.Tensor(Tensor(a) self, int split_size, int dim=0) -> Tensor(a)[]
 * Pieces of split_size along dim; the last may be smaller. */
typedef struct wn_split_args {
    size_t size_;
    wn_tensor *self;
    int64_t split_size;
    wn_val dim;
} wn_split_args;
WN_API wn_list wn_split_x(const wn_split_args *args);
#ifndef __cplusplus
#define WN_ARGS_split_(text, a0, a1, ...) \
    &(wn_split_args){.size_ = sizeof(wn_split_args), .self = a0, .split_size = a1, __VA_ARGS__}
#define wn_split(...) \
    wn_split_x(WN_2_(WN_FEW_, WN_ARGS_split_, __VA_ARGS__)("too few arguments: wn_split(self, split_size, ...)", __VA_ARGS__, ))
#endif

/* split.sizes(Tensor(a) self, int[] split_sizes, int dim=0) -> Tensor(a)[]
 * Pieces of the given sizes along dim (at most 16); they must add up to its size. */
typedef struct wn_split_with_sizes_args {
    size_t size_;
    wn_tensor *self;
    wn_dims split_sizes;
    wn_val dim;
} wn_split_with_sizes_args;
WN_API wn_list wn_split_with_sizes_x(const wn_split_with_sizes_args *args);
#ifndef __cplusplus
#define WN_ARGS_split_with_sizes_(text, a0, a1, ...) \
    &(wn_split_with_sizes_args){.size_ = sizeof(wn_split_with_sizes_args), .self = a0, .split_sizes = a1, __VA_ARGS__}
#define wn_split_with_sizes(...) \
    wn_split_with_sizes_x(WN_2_(WN_FEW_, WN_ARGS_split_with_sizes_, __VA_ARGS__)("too few arguments: wn_split_with_sizes(self, split_sizes, ...)", __VA_ARGS__, ))
#endif

/* chunk(Tensor(a) self, int chunks, int dim=0) -> Tensor(a)[]
 * At most `chunks` pieces along dim, all of size ceil(size/chunks) but the last. */
typedef struct wn_chunk_args {
    size_t size_;
    wn_tensor *self;
    int64_t chunks;
    wn_val dim;
} wn_chunk_args;
WN_API wn_list wn_chunk_x(const wn_chunk_args *args);
#ifndef __cplusplus
#define WN_ARGS_chunk_(text, a0, a1, ...) \
    &(wn_chunk_args){.size_ = sizeof(wn_chunk_args), .self = a0, .chunks = a1, __VA_ARGS__}
#define wn_chunk(...) \
    wn_chunk_x(WN_2_(WN_FEW_, WN_ARGS_chunk_, __VA_ARGS__)("too few arguments: wn_chunk(self, chunks, ...)", __VA_ARGS__, ))
#endif

/* select_backward(Tensor grad_output, int[] input_sizes, int dim, int index) -> Tensor
 * Zeros of input_sizes with grad_output at `index` of dimension dim. */
typedef struct wn_select_backward_args {
    size_t size_;
    wn_tensor *grad_output;
    wn_dims input_sizes;
    int64_t dim;
    int64_t index;
    wn_tensor *out;
} wn_select_backward_args;
WN_API wn_tensor *wn_select_backward_x(const wn_select_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_select_backward_(text, a0, a1, a2, a3, ...) \
    &(wn_select_backward_args){.size_ = sizeof(wn_select_backward_args), .grad_output = a0, .input_sizes = a1, .dim = a2, .index = a3, __VA_ARGS__}
#define wn_select_backward(...) \
    wn_select_backward_x(WN_4_(WN_FEW_, WN_ARGS_select_backward_, __VA_ARGS__)("too few arguments: wn_select_backward(grad_output, input_sizes, dim, index, ...)", __VA_ARGS__, ))
#endif

/* slice_backward(Tensor grad_output, int[] input_sizes, int dim, int? start, int? end, int? step) -> Tensor
 * Zeros of input_sizes with grad_output in the slice. */
typedef struct wn_slice_backward_args {
    size_t size_;
    wn_tensor *grad_output;
    wn_dims input_sizes;
    int64_t dim;
    wn_val start;
    wn_val end;
    wn_val step;
    wn_tensor *out;
} wn_slice_backward_args;
WN_API wn_tensor *wn_slice_backward_x(const wn_slice_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_slice_backward_(text, a0, a1, a2, a3, a4, a5, ...) \
    &(wn_slice_backward_args){.size_ = sizeof(wn_slice_backward_args), .grad_output = a0, .input_sizes = a1, .dim = a2, .start = WN_VAL(a3), .end = WN_VAL(a4), .step = WN_VAL(a5), __VA_ARGS__}
#define wn_slice_backward(...) \
    wn_slice_backward_x(WN_6_(WN_FEW_, WN_ARGS_slice_backward_, __VA_ARGS__)("too few arguments: wn_slice_backward(grad_output, input_sizes, dim, start, end, step, ...)", __VA_ARGS__, ))
#endif

/* diagonal_backward(Tensor grad_output, int[] input_sizes, int offset, int dim1, int? dim2) -> Tensor
 * Zeros of input_sizes with grad_output on the diagonal. */
typedef struct wn_diagonal_backward_args {
    size_t size_;
    wn_tensor *grad_output;
    wn_dims input_sizes;
    int64_t offset;
    int64_t dim1;
    wn_val dim2;
    wn_tensor *out;
} wn_diagonal_backward_args;
WN_API wn_tensor *wn_diagonal_backward_x(const wn_diagonal_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_diagonal_backward_(text, a0, a1, a2, a3, a4, ...) \
    &(wn_diagonal_backward_args){.size_ = sizeof(wn_diagonal_backward_args), .grad_output = a0, .input_sizes = a1, .offset = a2, .dim1 = a3, .dim2 = WN_VAL(a4), __VA_ARGS__}
#define wn_diagonal_backward(...) \
    wn_diagonal_backward_x(WN_5_(WN_FEW_, WN_ARGS_diagonal_backward_, __VA_ARGS__)("too few arguments: wn_diagonal_backward(grad_output, input_sizes, offset, dim1, dim2, ...)", __VA_ARGS__, ))
#endif

/* cat(Tensor[] tensors, int dim=0) -> Tensor
 * The tensors joined along dim; other sizes must agree (1-d tensors of size 0 are skipped). */
typedef struct wn_cat_args {
    size_t size_;
    wn_list tensors;
    wn_val dim;
    wn_tensor *out;
} wn_cat_args;
WN_API wn_tensor *wn_cat_x(const wn_cat_args *args);
#ifndef __cplusplus
#define wn_cat(...) \
    wn_cat_x(&(wn_cat_args){.size_ = sizeof(wn_cat_args), .tensors = __VA_ARGS__})
#endif

/* stack(Tensor[] tensors, int dim=0) -> Tensor
 * The tensors, all of one shape, joined along a new dimension. */
typedef struct wn_stack_args {
    size_t size_;
    wn_list tensors;
    wn_val dim;
    wn_tensor *out;
} wn_stack_args;
WN_API wn_tensor *wn_stack_x(const wn_stack_args *args);
#ifndef __cplusplus
#define wn_stack(...) \
    wn_stack_x(&(wn_stack_args){.size_ = sizeof(wn_stack_args), .tensors = __VA_ARGS__})
#endif

/* flip(Tensor self, int[] dims) -> Tensor
 * Reversed along dims (a copy). */
typedef struct wn_flip_args {
    size_t size_;
    wn_tensor *self;
    wn_dims dims;
    wn_tensor *out;
} wn_flip_args;
WN_API wn_tensor *wn_flip_x(const wn_flip_args *args);
#ifndef __cplusplus
#define WN_ARGS_flip_(text, a0, a1, ...) \
    &(wn_flip_args){.size_ = sizeof(wn_flip_args), .self = a0, .dims = a1, __VA_ARGS__}
#define wn_flip(...) \
    wn_flip_x(WN_2_(WN_FEW_, WN_ARGS_flip_, __VA_ARGS__)("too few arguments: wn_flip(self, dims, ...)", __VA_ARGS__, ))
#endif

/* sum_to_size(Tensor self, int[] size) -> Tensor
 * Summed over the dimensions in which size is 1 or absent: the reverse of broadcasting. */
typedef struct wn_sum_to_size_args {
    size_t size_;
    wn_tensor *self;
    wn_dims size;
} wn_sum_to_size_args;
WN_API wn_tensor *wn_sum_to_size_x(const wn_sum_to_size_args *args);
#ifndef __cplusplus
#define WN_ARGS_sum_to_size_(text, a0, a1, ...) \
    &(wn_sum_to_size_args){.size_ = sizeof(wn_sum_to_size_args), .self = a0, .size = a1, __VA_ARGS__}
#define wn_sum_to_size(...) \
    wn_sum_to_size_x(WN_2_(WN_FEW_, WN_ARGS_sum_to_size_, __VA_ARGS__)("too few arguments: wn_sum_to_size(self, size, ...)", __VA_ARGS__, ))
#endif

/* diag(Tensor self, int diagonal=0) -> Tensor
 * Of a vector the square matrix with it on that diagonal (0: the main one); of a matrix a copy of the diagonal. */
typedef struct wn_diag_args {
    size_t size_;
    wn_tensor *self;
    int64_t diagonal;
    wn_tensor *out;
} wn_diag_args;
WN_API wn_tensor *wn_diag_x(const wn_diag_args *args);
#ifndef __cplusplus
#define wn_diag(...) \
    wn_diag_x(&(wn_diag_args){.size_ = sizeof(wn_diag_args), .self = __VA_ARGS__})
#endif

/* diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor
 * Zeros with self's last dimension on the diagonal of dimensions dim1 and dim2 of the result. */
typedef struct wn_diag_embed_args {
    size_t size_;
    wn_tensor *self;
    int64_t offset;
    wn_val dim1;
    wn_val dim2;
} wn_diag_embed_args;
WN_API wn_tensor *wn_diag_embed_x(const wn_diag_embed_args *args);
#ifndef __cplusplus
#define wn_diag_embed(...) \
    wn_diag_embed_x(&(wn_diag_embed_args){.size_ = sizeof(wn_diag_embed_args), .self = __VA_ARGS__})
#endif

/* diagflat(Tensor self, int offset=0) -> Tensor
 * diag of self, flattened. */
typedef struct wn_diagflat_args {
    size_t size_;
    wn_tensor *self;
    int64_t offset;
} wn_diagflat_args;
WN_API wn_tensor *wn_diagflat_x(const wn_diagflat_args *args);
#ifndef __cplusplus
#define wn_diagflat(...) \
    wn_diagflat_x(&(wn_diagflat_args){.size_ = sizeof(wn_diagflat_args), .self = __VA_ARGS__})
#endif

/* linalg_diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor(a)
 * diagonal of the last two dimensions. */
typedef struct wn_linalg_diagonal_args {
    size_t size_;
    wn_tensor *A;
    int64_t offset;
    wn_val dim1;
    wn_val dim2;
} wn_linalg_diagonal_args;
WN_API wn_tensor *wn_linalg_diagonal_x(const wn_linalg_diagonal_args *args);
#ifndef __cplusplus
#define wn_linalg_diagonal(...) \
    wn_linalg_diagonal_x(&(wn_linalg_diagonal_args){.size_ = sizeof(wn_linalg_diagonal_args), .A = __VA_ARGS__})
#endif

/* trace(Tensor self) -> Tensor
 * The sum of a matrix's main diagonal; integers give int64. */
typedef struct wn_trace_args {
    size_t size_;
    wn_tensor *self;
} wn_trace_args;
WN_API wn_tensor *wn_trace_x(const wn_trace_args *args);
#ifndef __cplusplus
#define wn_trace(...) \
    wn_trace_x(&(wn_trace_args){.size_ = sizeof(wn_trace_args), .self = __VA_ARGS__})
#endif

/* adjoint(Tensor(a) self) -> Tensor(a)
 * The last two dimensions exchanged; 0-d as it is (there are no complex numbers to conjugate). */
typedef struct wn_adjoint_args {
    size_t size_;
    wn_tensor *self;
} wn_adjoint_args;
WN_API wn_tensor *wn_adjoint_x(const wn_adjoint_args *args);
#ifndef __cplusplus
#define wn_adjoint(...) \
    wn_adjoint_x(&(wn_adjoint_args){.size_ = sizeof(wn_adjoint_args), .self = __VA_ARGS__})
#endif

/* ravel(Tensor(a) self) -> Tensor(a)
 * self in one dimension; a view if it is row-major, else a copy. */
typedef struct wn_ravel_args {
    size_t size_;
    wn_tensor *self;
} wn_ravel_args;
WN_API wn_tensor *wn_ravel_x(const wn_ravel_args *args);
#ifndef __cplusplus
#define wn_ravel(...) \
    wn_ravel_x(&(wn_ravel_args){.size_ = sizeof(wn_ravel_args), .self = __VA_ARGS__})
#endif

/* unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)
 * Windows of `size` elements along dimension, `step` apart, as a new last dimension. */
typedef struct wn_unfold_args {
    size_t size_;
    wn_tensor *self;
    int64_t dimension;
    int64_t size;
    int64_t step;
} wn_unfold_args;
WN_API wn_tensor *wn_unfold_x(const wn_unfold_args *args);
#ifndef __cplusplus
#define WN_ARGS_unfold_(text, a0, a1, a2, a3, ...) \
    &(wn_unfold_args){.size_ = sizeof(wn_unfold_args), .self = a0, .dimension = a1, .size = a2, .step = a3, __VA_ARGS__}
#define wn_unfold(...) \
    wn_unfold_x(WN_4_(WN_FEW_, WN_ARGS_unfold_, __VA_ARGS__)("too few arguments: wn_unfold(self, dimension, size, step, ...)", __VA_ARGS__, ))
#endif

/* unfold_backward(Tensor grad_in, int[] input_sizes, int dim, int size, int step) -> Tensor
 * Zeros of input_sizes with the windows added at their places. */
typedef struct wn_unfold_backward_args {
    size_t size_;
    wn_tensor *grad_in;
    wn_dims input_sizes;
    int64_t dim;
    int64_t size;
    int64_t step;
} wn_unfold_backward_args;
WN_API wn_tensor *wn_unfold_backward_x(const wn_unfold_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_unfold_backward_(text, a0, a1, a2, a3, a4, ...) \
    &(wn_unfold_backward_args){.size_ = sizeof(wn_unfold_backward_args), .grad_in = a0, .input_sizes = a1, .dim = a2, .size = a3, .step = a4, __VA_ARGS__}
#define wn_unfold_backward(...) \
    wn_unfold_backward_x(WN_5_(WN_FEW_, WN_ARGS_unfold_backward_, __VA_ARGS__)("too few arguments: wn_unfold_backward(grad_in, input_sizes, dim, size, step, ...)", __VA_ARGS__, ))
#endif

/* fliplr(Tensor self) -> Tensor
 * Reversed along dimension 1. */
typedef struct wn_fliplr_args {
    size_t size_;
    wn_tensor *self;
} wn_fliplr_args;
WN_API wn_tensor *wn_fliplr_x(const wn_fliplr_args *args);
#ifndef __cplusplus
#define wn_fliplr(...) \
    wn_fliplr_x(&(wn_fliplr_args){.size_ = sizeof(wn_fliplr_args), .self = __VA_ARGS__})
#endif

/* flipud(Tensor self) -> Tensor
 * Reversed along dimension 0. */
typedef struct wn_flipud_args {
    size_t size_;
    wn_tensor *self;
} wn_flipud_args;
WN_API wn_tensor *wn_flipud_x(const wn_flipud_args *args);
#ifndef __cplusplus
#define wn_flipud(...) \
    wn_flipud_x(&(wn_flipud_args){.size_ = sizeof(wn_flipud_args), .self = __VA_ARGS__})
#endif

/* roll(Tensor self, int[1] shifts, int[1] dims=[]) -> Tensor
 * Elements moved by shifts along dims; those that leave at one end come back at the other. Without dims: of the
 * flattened tensor. */
typedef struct wn_roll_args {
    size_t size_;
    wn_tensor *self;
    wn_dims shifts;
    wn_dims dims;
    wn_tensor *out;
} wn_roll_args;
WN_API wn_tensor *wn_roll_x(const wn_roll_args *args);
#ifndef __cplusplus
#define WN_ARGS_roll_(text, a0, a1, ...) \
    &(wn_roll_args){.size_ = sizeof(wn_roll_args), .self = a0, .shifts = a1, __VA_ARGS__}
#define wn_roll(...) \
    wn_roll_x(WN_2_(WN_FEW_, WN_ARGS_roll_, __VA_ARGS__)("too few arguments: wn_roll(self, shifts, ...)", __VA_ARGS__, ))
#endif

/* rot90(Tensor self, int k=1, int[] dims=[]) -> Tensor
 * Turned by k times 90 degrees in the plane of dims (default: 0 and 1), from the first towards the second. */
typedef struct wn_rot90_args {
    size_t size_;
    wn_tensor *self;
    wn_val k;
    wn_dims dims;
    wn_tensor *out;
} wn_rot90_args;
WN_API wn_tensor *wn_rot90_x(const wn_rot90_args *args);
#ifndef __cplusplus
#define wn_rot90(...) \
    wn_rot90_x(&(wn_rot90_args){.size_ = sizeof(wn_rot90_args), .self = __VA_ARGS__})
#endif

/* repeat(Tensor self, int[] repeats) -> Tensor
 * repeats[d] copies of self one after another along each dimension; more entries than self has dimensions add
 * leading ones. */
typedef struct wn_repeat_args {
    size_t size_;
    wn_tensor *self;
    wn_dims repeats;
} wn_repeat_args;
WN_API wn_tensor *wn_repeat_x(const wn_repeat_args *args);
#ifndef __cplusplus
#define WN_ARGS_repeat_(text, a0, a1, ...) \
    &(wn_repeat_args){.size_ = sizeof(wn_repeat_args), .self = a0, .repeats = a1, __VA_ARGS__}
#define wn_repeat(...) \
    wn_repeat_x(WN_2_(WN_FEW_, WN_ARGS_repeat_, __VA_ARGS__)("too few arguments: wn_repeat(self, repeats, ...)", __VA_ARGS__, ))
#endif

/* tile(Tensor self, int[] dims) -> Tensor
 * repeat, where missing leading entries of dims are 1. */
typedef struct wn_tile_args {
    size_t size_;
    wn_tensor *self;
    wn_dims dims;
} wn_tile_args;
WN_API wn_tensor *wn_tile_x(const wn_tile_args *args);
#ifndef __cplusplus
#define WN_ARGS_tile_(text, a0, a1, ...) \
    &(wn_tile_args){.size_ = sizeof(wn_tile_args), .self = a0, .dims = a1, __VA_ARGS__}
#define wn_tile(...) \
    wn_tile_x(WN_2_(WN_FEW_, WN_ARGS_tile_, __VA_ARGS__)("too few arguments: wn_tile(self, dims, ...)", __VA_ARGS__, ))
#endif

/* tensor_split.sections(Tensor(a) self, int sections, int dim=0) -> Tensor(a)[]
 * `sections` pieces along dim, the first size % sections of them larger by one. */
typedef struct wn_tensor_split_args {
    size_t size_;
    wn_tensor *self;
    int64_t sections;
    wn_val dim;
} wn_tensor_split_args;
WN_API wn_list wn_tensor_split_x(const wn_tensor_split_args *args);
#ifndef __cplusplus
#define WN_ARGS_tensor_split_(text, a0, a1, ...) \
    &(wn_tensor_split_args){.size_ = sizeof(wn_tensor_split_args), .self = a0, .sections = a1, __VA_ARGS__}
#define wn_tensor_split(...) \
    wn_tensor_split_x(WN_2_(WN_FEW_, WN_ARGS_tensor_split_, __VA_ARGS__)("too few arguments: wn_tensor_split(self, sections, ...)", __VA_ARGS__, ))
#endif

/* tensor_split.indices(Tensor(a) self, int[] indices, int dim=0) -> Tensor(a)[]
 * Pieces self[: i0], self[i0 : i1], ... along dim, with Python's rules for slices. */
typedef struct wn_tensor_split_at_args {
    size_t size_;
    wn_tensor *self;
    wn_dims indices;
    wn_val dim;
} wn_tensor_split_at_args;
WN_API wn_list wn_tensor_split_at_x(const wn_tensor_split_at_args *args);
#ifndef __cplusplus
#define WN_ARGS_tensor_split_at_(text, a0, a1, ...) \
    &(wn_tensor_split_at_args){.size_ = sizeof(wn_tensor_split_at_args), .self = a0, .indices = a1, __VA_ARGS__}
#define wn_tensor_split_at(...) \
    wn_tensor_split_at_x(WN_2_(WN_FEW_, WN_ARGS_tensor_split_at_, __VA_ARGS__)("too few arguments: wn_tensor_split_at(self, indices, ...)", __VA_ARGS__, ))
#endif

/* tensor_split.tensor_indices_or_sections(Tensor(a) self, Tensor tensor_indices_or_sections, int dim=0) -> Tensor(a)[]
 * tensor_split with sections from a 0-d, or indices from a 1-d int64 tensor. */
typedef struct wn_tensor_split_tensor_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *tensor_indices_or_sections;
    wn_val dim;
} wn_tensor_split_tensor_args;
WN_API wn_list wn_tensor_split_tensor_x(const wn_tensor_split_tensor_args *args);
#ifndef __cplusplus
#define WN_ARGS_tensor_split_tensor_(text, a0, a1, ...) \
    &(wn_tensor_split_tensor_args){.size_ = sizeof(wn_tensor_split_tensor_args), .self = a0, .tensor_indices_or_sections = a1, __VA_ARGS__}
#define wn_tensor_split_tensor(...) \
    wn_tensor_split_tensor_x(WN_2_(WN_FEW_, WN_ARGS_tensor_split_tensor_, __VA_ARGS__)("too few arguments: wn_tensor_split_tensor(self, tensor_indices_or_sections, ...)", __VA_ARGS__, ))
#endif

/* hsplit.int(Tensor(a) self, int sections) -> Tensor(a)[]
 * Equal pieces along dimension 1 (0 of a vector). */
typedef struct wn_hsplit_args {
    size_t size_;
    wn_tensor *self;
    int64_t sections;
} wn_hsplit_args;
WN_API wn_list wn_hsplit_x(const wn_hsplit_args *args);
#ifndef __cplusplus
#define WN_ARGS_hsplit_(text, a0, a1, ...) \
    &(wn_hsplit_args){.size_ = sizeof(wn_hsplit_args), .self = a0, .sections = a1, __VA_ARGS__}
#define wn_hsplit(...) \
    wn_hsplit_x(WN_2_(WN_FEW_, WN_ARGS_hsplit_, __VA_ARGS__)("too few arguments: wn_hsplit(self, sections, ...)", __VA_ARGS__, ))
#endif

/* hsplit.array(Tensor(a) self, int[] indices) -> Tensor(a)[]
 * tensor_split at indices along dimension 1 (0 of a vector). */
typedef struct wn_hsplit_at_args {
    size_t size_;
    wn_tensor *self;
    wn_dims indices;
} wn_hsplit_at_args;
WN_API wn_list wn_hsplit_at_x(const wn_hsplit_at_args *args);
#ifndef __cplusplus
#define WN_ARGS_hsplit_at_(text, a0, a1, ...) \
    &(wn_hsplit_at_args){.size_ = sizeof(wn_hsplit_at_args), .self = a0, .indices = a1, __VA_ARGS__}
#define wn_hsplit_at(...) \
    wn_hsplit_at_x(WN_2_(WN_FEW_, WN_ARGS_hsplit_at_, __VA_ARGS__)("too few arguments: wn_hsplit_at(self, indices, ...)", __VA_ARGS__, ))
#endif

/* vsplit.int(Tensor(a) self, int sections) -> Tensor(a)[]
 * Equal pieces along dimension 0. */
typedef wn_hsplit_args wn_vsplit_args;
WN_API wn_list wn_vsplit_x(const wn_vsplit_args *args);
#ifndef __cplusplus
#define WN_ARGS_vsplit_(text, a0, a1, ...) \
    &(wn_vsplit_args){.size_ = sizeof(wn_vsplit_args), .self = a0, .sections = a1, __VA_ARGS__}
#define wn_vsplit(...) \
    wn_vsplit_x(WN_2_(WN_FEW_, WN_ARGS_vsplit_, __VA_ARGS__)("too few arguments: wn_vsplit(self, sections, ...)", __VA_ARGS__, ))
#endif

/* vsplit.array(Tensor(a) self, int[] indices) -> Tensor(a)[]
 * tensor_split at indices along dimension 0. */
typedef wn_hsplit_at_args wn_vsplit_at_args;
WN_API wn_list wn_vsplit_at_x(const wn_vsplit_at_args *args);
#ifndef __cplusplus
#define WN_ARGS_vsplit_at_(text, a0, a1, ...) \
    &(wn_vsplit_at_args){.size_ = sizeof(wn_vsplit_at_args), .self = a0, .indices = a1, __VA_ARGS__}
#define wn_vsplit_at(...) \
    wn_vsplit_at_x(WN_2_(WN_FEW_, WN_ARGS_vsplit_at_, __VA_ARGS__)("too few arguments: wn_vsplit_at(self, indices, ...)", __VA_ARGS__, ))
#endif

/* dsplit.int(Tensor(a) self, int sections) -> Tensor(a)[]
 * Equal pieces along dimension 2. */
typedef wn_hsplit_args wn_dsplit_args;
WN_API wn_list wn_dsplit_x(const wn_dsplit_args *args);
#ifndef __cplusplus
#define WN_ARGS_dsplit_(text, a0, a1, ...) \
    &(wn_dsplit_args){.size_ = sizeof(wn_dsplit_args), .self = a0, .sections = a1, __VA_ARGS__}
#define wn_dsplit(...) \
    wn_dsplit_x(WN_2_(WN_FEW_, WN_ARGS_dsplit_, __VA_ARGS__)("too few arguments: wn_dsplit(self, sections, ...)", __VA_ARGS__, ))
#endif

/* dsplit.array(Tensor(a) self, int[] indices) -> Tensor(a)[]
 * tensor_split at indices along dimension 2. */
typedef wn_hsplit_at_args wn_dsplit_at_args;
WN_API wn_list wn_dsplit_at_x(const wn_dsplit_at_args *args);
#ifndef __cplusplus
#define WN_ARGS_dsplit_at_(text, a0, a1, ...) \
    &(wn_dsplit_at_args){.size_ = sizeof(wn_dsplit_at_args), .self = a0, .indices = a1, __VA_ARGS__}
#define wn_dsplit_at(...) \
    wn_dsplit_at_x(WN_2_(WN_FEW_, WN_ARGS_dsplit_at_, __VA_ARGS__)("too few arguments: wn_dsplit_at(self, indices, ...)", __VA_ARGS__, ))
#endif

/* empty_permuted(int[] size, int[] physical_layout, *, ScalarType? dtype=None) -> Tensor
 * empty, with the dimensions in memory in the order physical_layout, outermost first. */
typedef struct wn_empty_permuted_args {
    size_t size_;
    wn_dims size;
    wn_dims physical_layout;
    wn_dtype dtype;
    wn_device device;
} wn_empty_permuted_args;
WN_API wn_tensor *wn_empty_permuted_x(const wn_empty_permuted_args *args);
#ifndef __cplusplus
#define WN_ARGS_empty_permuted_(text, a0, a1, ...) \
    &(wn_empty_permuted_args){.size_ = sizeof(wn_empty_permuted_args), .size = a0, .physical_layout = a1, __VA_ARGS__}
#define wn_empty_permuted(...) \
    wn_empty_permuted_x(WN_2_(WN_FEW_, WN_ARGS_empty_permuted_, __VA_ARGS__)("too few arguments: wn_empty_permuted(size, physical_layout, ...)", __VA_ARGS__, ))
#endif

/* select_scatter(Tensor self, Tensor src, int dim, int index) -> Tensor
 * A copy of self with src in place of self.select(dim, index). */
typedef struct wn_select_scatter_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *src;
    int64_t dim;
    int64_t index;
    wn_tensor *out;
} wn_select_scatter_args;
WN_API wn_tensor *wn_select_scatter_x(const wn_select_scatter_args *args);
#ifndef __cplusplus
#define WN_ARGS_select_scatter_(text, a0, a1, a2, a3, ...) \
    &(wn_select_scatter_args){.size_ = sizeof(wn_select_scatter_args), .self = a0, .src = a1, .dim = a2, .index = a3, __VA_ARGS__}
#define wn_select_scatter(...) \
    wn_select_scatter_x(WN_4_(WN_FEW_, WN_ARGS_select_scatter_, __VA_ARGS__)("too few arguments: wn_select_scatter(self, src, dim, index, ...)", __VA_ARGS__, ))
#endif

/* slice_scatter(Tensor self, Tensor src, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor
 * A copy of self with src in place of self[start:end:step] along dim. */
typedef struct wn_slice_scatter_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *src;
    wn_val dim;
    wn_val start;
    wn_val end;
    wn_val step;
    wn_tensor *out;
} wn_slice_scatter_args;
WN_API wn_tensor *wn_slice_scatter_x(const wn_slice_scatter_args *args);
#ifndef __cplusplus
#define WN_ARGS_slice_scatter_(text, a0, a1, ...) \
    &(wn_slice_scatter_args){.size_ = sizeof(wn_slice_scatter_args), .self = a0, .src = a1, __VA_ARGS__}
#define wn_slice_scatter(...) \
    wn_slice_scatter_x(WN_2_(WN_FEW_, WN_ARGS_slice_scatter_, __VA_ARGS__)("too few arguments: wn_slice_scatter(self, src, ...)", __VA_ARGS__, ))
#endif

/* diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor
 * A copy of self with src in place of self.diagonal(offset, dim1, dim2). */
typedef struct wn_diagonal_scatter_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *src;
    int64_t offset;
    wn_val dim1;
    wn_val dim2;
    wn_tensor *out;
} wn_diagonal_scatter_args;
WN_API wn_tensor *wn_diagonal_scatter_x(const wn_diagonal_scatter_args *args);
#ifndef __cplusplus
#define WN_ARGS_diagonal_scatter_(text, a0, a1, ...) \
    &(wn_diagonal_scatter_args){.size_ = sizeof(wn_diagonal_scatter_args), .self = a0, .src = a1, __VA_ARGS__}
#define wn_diagonal_scatter(...) \
    wn_diagonal_scatter_x(WN_2_(WN_FEW_, WN_ARGS_diagonal_scatter_, __VA_ARGS__)("too few arguments: wn_diagonal_scatter(self, src, ...)", __VA_ARGS__, ))
#endif

/* as_strided_scatter(Tensor self, Tensor src, int[] size, int[] stride, int? storage_offset=None) -> Tensor
 * A copy of self's storage and geometry with src in place of as_strided(size, stride, storage_offset). */
typedef struct wn_as_strided_scatter_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *src;
    wn_dims size;
    wn_dims stride;
    wn_val storage_offset;
    wn_tensor *out;
} wn_as_strided_scatter_args;
WN_API wn_tensor *wn_as_strided_scatter_x(const wn_as_strided_scatter_args *args);
#ifndef __cplusplus
#define WN_ARGS_as_strided_scatter_(text, a0, a1, a2, a3, ...) \
    &(wn_as_strided_scatter_args){.size_ = sizeof(wn_as_strided_scatter_args), .self = a0, .src = a1, .size = a2, .stride = a3, __VA_ARGS__}
#define wn_as_strided_scatter(...) \
    wn_as_strided_scatter_x(WN_4_(WN_FEW_, WN_ARGS_as_strided_scatter_, __VA_ARGS__)("too few arguments: wn_as_strided_scatter(self, src, size, stride, ...)", __VA_ARGS__, ))
#endif

/* atleast_1d(Tensor(a) self) -> Tensor(a)
 * A 0-d tensor as [1], others as they are. */
typedef struct wn_atleast_1d_args {
    size_t size_;
    wn_tensor *self;
} wn_atleast_1d_args;
WN_API wn_tensor *wn_atleast_1d_x(const wn_atleast_1d_args *args);
#ifndef __cplusplus
#define wn_atleast_1d(...) \
    wn_atleast_1d_x(&(wn_atleast_1d_args){.size_ = sizeof(wn_atleast_1d_args), .self = __VA_ARGS__})
#endif

/* atleast_1d.Sequence(Tensor[] tensors) -> Tensor[]
 * atleast_1d of each. */
typedef struct wn_atleast_1d_list_args {
    size_t size_;
    wn_list tensors;
} wn_atleast_1d_list_args;
WN_API wn_list wn_atleast_1d_list_x(const wn_atleast_1d_list_args *args);
#ifndef __cplusplus
#define wn_atleast_1d_list(...) \
    wn_atleast_1d_list_x(&(wn_atleast_1d_list_args){.size_ = sizeof(wn_atleast_1d_list_args), .tensors = __VA_ARGS__})
#endif

/* atleast_2d(Tensor(a) self) -> Tensor(a)
 * 0-d as [1, 1], a vector as a row [1, n], others as they are. */
typedef wn_atleast_1d_args wn_atleast_2d_args;
WN_API wn_tensor *wn_atleast_2d_x(const wn_atleast_2d_args *args);
#ifndef __cplusplus
#define wn_atleast_2d(...) \
    wn_atleast_2d_x(&(wn_atleast_2d_args){.size_ = sizeof(wn_atleast_2d_args), .self = __VA_ARGS__})
#endif

/* atleast_2d.Sequence(Tensor[] tensors) -> Tensor[]
 * atleast_2d of each. */
typedef wn_atleast_1d_list_args wn_atleast_2d_list_args;
WN_API wn_list wn_atleast_2d_list_x(const wn_atleast_2d_list_args *args);
#ifndef __cplusplus
#define wn_atleast_2d_list(...) \
    wn_atleast_2d_list_x(&(wn_atleast_2d_list_args){.size_ = sizeof(wn_atleast_2d_list_args), .tensors = __VA_ARGS__})
#endif

/* atleast_3d(Tensor(a) self) -> Tensor(a)
 * 0-d as [1, 1, 1], a vector as [1, n, 1], a matrix as [n, m, 1], others as they are. */
typedef wn_atleast_1d_args wn_atleast_3d_args;
WN_API wn_tensor *wn_atleast_3d_x(const wn_atleast_3d_args *args);
#ifndef __cplusplus
#define wn_atleast_3d(...) \
    wn_atleast_3d_x(&(wn_atleast_3d_args){.size_ = sizeof(wn_atleast_3d_args), .self = __VA_ARGS__})
#endif

/* atleast_3d.Sequence(Tensor[] tensors) -> Tensor[]
 * atleast_3d of each. */
typedef wn_atleast_1d_list_args wn_atleast_3d_list_args;
WN_API wn_list wn_atleast_3d_list_x(const wn_atleast_3d_list_args *args);
#ifndef __cplusplus
#define wn_atleast_3d_list(...) \
    wn_atleast_3d_list_x(&(wn_atleast_3d_list_args){.size_ = sizeof(wn_atleast_3d_list_args), .tensors = __VA_ARGS__})
#endif

/* hstack(Tensor[] tensors) -> Tensor
 * Joined along dimension 1; vectors and 0-d tensors along dimension 0. */
typedef struct wn_hstack_args {
    size_t size_;
    wn_list tensors;
    wn_tensor *out;
} wn_hstack_args;
WN_API wn_tensor *wn_hstack_x(const wn_hstack_args *args);
#ifndef __cplusplus
#define wn_hstack(...) \
    wn_hstack_x(&(wn_hstack_args){.size_ = sizeof(wn_hstack_args), .tensors = __VA_ARGS__})
#endif

/* vstack(Tensor[] tensors) -> Tensor
 * Joined along dimension 0; vectors and 0-d tensors as rows. */
typedef wn_hstack_args wn_vstack_args;
WN_API wn_tensor *wn_vstack_x(const wn_vstack_args *args);
#ifndef __cplusplus
#define wn_vstack(...) \
    wn_vstack_x(&(wn_vstack_args){.size_ = sizeof(wn_vstack_args), .tensors = __VA_ARGS__})
#endif

/* dstack(Tensor[] tensors) -> Tensor
 * Joined along dimension 2, after atleast_3d. */
typedef wn_hstack_args wn_dstack_args;
WN_API wn_tensor *wn_dstack_x(const wn_dstack_args *args);
#ifndef __cplusplus
#define wn_dstack(...) \
    wn_dstack_x(&(wn_dstack_args){.size_ = sizeof(wn_dstack_args), .tensors = __VA_ARGS__})
#endif

/* column_stack(Tensor[] tensors) -> Tensor
 * Joined along dimension 1; vectors and 0-d tensors as columns. */
typedef wn_hstack_args wn_column_stack_args;
WN_API wn_tensor *wn_column_stack_x(const wn_column_stack_args *args);
#ifndef __cplusplus
#define wn_column_stack(...) \
    wn_column_stack_x(&(wn_column_stack_args){.size_ = sizeof(wn_column_stack_args), .tensors = __VA_ARGS__})
#endif

/* block_diag(Tensor[] tensors) -> Tensor
 * A matrix with the tensors (2-d; vectors are rows) one after another along its diagonal, zeros elsewhere. */
typedef struct wn_block_diag_args {
    size_t size_;
    wn_list tensors;
} wn_block_diag_args;
WN_API wn_tensor *wn_block_diag_x(const wn_block_diag_args *args);
#ifndef __cplusplus
#define wn_block_diag(...) \
    wn_block_diag_x(&(wn_block_diag_args){.size_ = sizeof(wn_block_diag_args), .tensors = __VA_ARGS__})
#endif

/* meshgrid(Tensor[] tensors, *, str indexing="ij") -> Tensor[]
 * Vectors (or 0-d tensors) broadcast against each other, the i-th along dimension i; indexing "xy" exchanges the
 * first two dimensions. Views. */
typedef struct wn_meshgrid_args {
    size_t size_;
    wn_list tensors;
    const char *indexing;
} wn_meshgrid_args;
WN_API wn_list wn_meshgrid_x(const wn_meshgrid_args *args);
#ifndef __cplusplus
#define wn_meshgrid(...) \
    wn_meshgrid_x(&(wn_meshgrid_args){.size_ = sizeof(wn_meshgrid_args), .tensors = __VA_ARGS__})
#endif

/* cartesian_prod(Tensor[] tensors) -> Tensor
 * All combinations of one element of each vector, as rows; of one vector itself. */
typedef struct wn_cartesian_prod_args {
    size_t size_;
    wn_list tensors;
} wn_cartesian_prod_args;
WN_API wn_tensor *wn_cartesian_prod_x(const wn_cartesian_prod_args *args);
#ifndef __cplusplus
#define wn_cartesian_prod(...) \
    wn_cartesian_prod_x(&(wn_cartesian_prod_args){.size_ = sizeof(wn_cartesian_prod_args), .tensors = __VA_ARGS__})
#endif

/* combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor
 * All r-element subsets of a vector (with repetition when with_replacement), in lexicographic order, as rows. */
typedef struct wn_combinations_args {
    size_t size_;
    wn_tensor *self;
    wn_val r;
    bool with_replacement;
} wn_combinations_args;
WN_API wn_tensor *wn_combinations_x(const wn_combinations_args *args);
#ifndef __cplusplus
#define wn_combinations(...) \
    wn_combinations_x(&(wn_combinations_args){.size_ = sizeof(wn_combinations_args), .self = __VA_ARGS__})
#endif

/* alias_copy(Tensor self) -> Tensor
 * A copy of self. */
typedef struct wn_alias_copy_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_alias_copy_args;
WN_API wn_tensor *wn_alias_copy_x(const wn_alias_copy_args *args);
#ifndef __cplusplus
#define wn_alias_copy(...) \
    wn_alias_copy_x(&(wn_alias_copy_args){.size_ = sizeof(wn_alias_copy_args), .self = __VA_ARGS__})
#endif

/* detach_copy(Tensor self) -> Tensor
 * A copy of self without history. */
typedef struct wn_detach_copy_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_detach_copy_args;
WN_API wn_tensor *wn_detach_copy_x(const wn_detach_copy_args *args);
#ifndef __cplusplus
#define wn_detach_copy(...) \
    wn_detach_copy_x(&(wn_detach_copy_args){.size_ = sizeof(wn_detach_copy_args), .self = __VA_ARGS__})
#endif

/* as_strided_copy(Tensor self, int[] size, int[] stride, int? storage_offset=None) -> Tensor
 * A copy of as_strided. */
typedef struct wn_as_strided_copy_args {
    size_t size_;
    wn_tensor *self;
    wn_dims size;
    wn_dims stride;
    wn_val storage_offset;
    wn_tensor *out;
} wn_as_strided_copy_args;
WN_API wn_tensor *wn_as_strided_copy_x(const wn_as_strided_copy_args *args);
#ifndef __cplusplus
#define WN_ARGS_as_strided_copy_(text, a0, a1, a2, ...) \
    &(wn_as_strided_copy_args){.size_ = sizeof(wn_as_strided_copy_args), .self = a0, .size = a1, .stride = a2, __VA_ARGS__}
#define wn_as_strided_copy(...) \
    wn_as_strided_copy_x(WN_3_(WN_FEW_, WN_ARGS_as_strided_copy_, __VA_ARGS__)("too few arguments: wn_as_strided_copy(self, size, stride, ...)", __VA_ARGS__, ))
#endif

/* diagonal_copy(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor
 * A copy of diagonal. */
typedef struct wn_diagonal_copy_args {
    size_t size_;
    wn_tensor *self;
    int64_t offset;
    wn_val dim1;
    wn_val dim2;
    wn_tensor *out;
} wn_diagonal_copy_args;
WN_API wn_tensor *wn_diagonal_copy_x(const wn_diagonal_copy_args *args);
#ifndef __cplusplus
#define wn_diagonal_copy(...) \
    wn_diagonal_copy_x(&(wn_diagonal_copy_args){.size_ = sizeof(wn_diagonal_copy_args), .self = __VA_ARGS__})
#endif

/* expand_copy(Tensor self, int[] size, *, bool implicit=False) -> Tensor
 * A copy of expand; implicit has no effect. */
typedef struct wn_expand_copy_args {
    size_t size_;
    wn_tensor *self;
    wn_dims size;
    bool implicit;
    wn_tensor *out;
} wn_expand_copy_args;
WN_API wn_tensor *wn_expand_copy_x(const wn_expand_copy_args *args);
#ifndef __cplusplus
#define WN_ARGS_expand_copy_(text, a0, a1, ...) \
    &(wn_expand_copy_args){.size_ = sizeof(wn_expand_copy_args), .self = a0, .size = a1, __VA_ARGS__}
#define wn_expand_copy(...) \
    wn_expand_copy_x(WN_2_(WN_FEW_, WN_ARGS_expand_copy_, __VA_ARGS__)("too few arguments: wn_expand_copy(self, size, ...)", __VA_ARGS__, ))
#endif

/* permute_copy(Tensor self, int[] dims) -> Tensor
 * A copy of permute. */
typedef struct wn_permute_copy_args {
    size_t size_;
    wn_tensor *self;
    wn_dims dims;
    wn_tensor *out;
} wn_permute_copy_args;
WN_API wn_tensor *wn_permute_copy_x(const wn_permute_copy_args *args);
#ifndef __cplusplus
#define WN_ARGS_permute_copy_(text, a0, a1, ...) \
    &(wn_permute_copy_args){.size_ = sizeof(wn_permute_copy_args), .self = a0, .dims = a1, __VA_ARGS__}
#define wn_permute_copy(...) \
    wn_permute_copy_x(WN_2_(WN_FEW_, WN_ARGS_permute_copy_, __VA_ARGS__)("too few arguments: wn_permute_copy(self, dims, ...)", __VA_ARGS__, ))
#endif

/* select_copy.int(Tensor self, int dim, int index) -> Tensor
 * A copy of select. */
typedef struct wn_select_copy_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    int64_t index;
    wn_tensor *out;
} wn_select_copy_args;
WN_API wn_tensor *wn_select_copy_x(const wn_select_copy_args *args);
#ifndef __cplusplus
#define WN_ARGS_select_copy_(text, a0, a1, a2, ...) \
    &(wn_select_copy_args){.size_ = sizeof(wn_select_copy_args), .self = a0, .dim = a1, .index = a2, __VA_ARGS__}
#define wn_select_copy(...) \
    wn_select_copy_x(WN_3_(WN_FEW_, WN_ARGS_select_copy_, __VA_ARGS__)("too few arguments: wn_select_copy(self, dim, index, ...)", __VA_ARGS__, ))
#endif

/* slice_copy.Tensor(Tensor self, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor
 * A copy of a slice. */
typedef struct wn_slice_copy_args {
    size_t size_;
    wn_tensor *self;
    wn_val dim;
    wn_val start;
    wn_val end;
    wn_val step;
    wn_tensor *out;
} wn_slice_copy_args;
WN_API wn_tensor *wn_slice_copy_x(const wn_slice_copy_args *args);
#ifndef __cplusplus
#define wn_slice_copy(...) \
    wn_slice_copy_x(&(wn_slice_copy_args){.size_ = sizeof(wn_slice_copy_args), .self = __VA_ARGS__})
#endif

/* narrow_copy(Tensor self, int dim, int start, int length) -> Tensor
 * A copy of narrow. */
typedef struct wn_narrow_copy_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    int64_t start;
    int64_t length;
    wn_tensor *out;
} wn_narrow_copy_args;
WN_API wn_tensor *wn_narrow_copy_x(const wn_narrow_copy_args *args);
#ifndef __cplusplus
#define WN_ARGS_narrow_copy_(text, a0, a1, a2, a3, ...) \
    &(wn_narrow_copy_args){.size_ = sizeof(wn_narrow_copy_args), .self = a0, .dim = a1, .start = a2, .length = a3, __VA_ARGS__}
#define wn_narrow_copy(...) \
    wn_narrow_copy_x(WN_4_(WN_FEW_, WN_ARGS_narrow_copy_, __VA_ARGS__)("too few arguments: wn_narrow_copy(self, dim, start, length, ...)", __VA_ARGS__, ))
#endif

/* squeeze_copy(Tensor self) -> Tensor
 * A copy of squeeze. */
typedef struct wn_squeeze_copy_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_squeeze_copy_args;
WN_API wn_tensor *wn_squeeze_copy_x(const wn_squeeze_copy_args *args);
#ifndef __cplusplus
#define wn_squeeze_copy(...) \
    wn_squeeze_copy_x(&(wn_squeeze_copy_args){.size_ = sizeof(wn_squeeze_copy_args), .self = __VA_ARGS__})
#endif

/* squeeze_copy.dim(Tensor self, int dim) -> Tensor
 * A copy of squeeze in one dimension. */
typedef struct wn_squeeze_copy_dim_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    wn_tensor *out;
} wn_squeeze_copy_dim_args;
WN_API wn_tensor *wn_squeeze_copy_dim_x(const wn_squeeze_copy_dim_args *args);
#ifndef __cplusplus
#define WN_ARGS_squeeze_copy_dim_(text, a0, a1, ...) \
    &(wn_squeeze_copy_dim_args){.size_ = sizeof(wn_squeeze_copy_dim_args), .self = a0, .dim = a1, __VA_ARGS__}
#define wn_squeeze_copy_dim(...) \
    wn_squeeze_copy_dim_x(WN_2_(WN_FEW_, WN_ARGS_squeeze_copy_dim_, __VA_ARGS__)("too few arguments: wn_squeeze_copy_dim(self, dim, ...)", __VA_ARGS__, ))
#endif

/* squeeze_copy.dims(Tensor self, int[] dim) -> Tensor
 * A copy of squeeze in some dimensions. */
typedef struct wn_squeeze_copy_dims_args {
    size_t size_;
    wn_tensor *self;
    wn_dims dims;
    wn_tensor *out;
} wn_squeeze_copy_dims_args;
WN_API wn_tensor *wn_squeeze_copy_dims_x(const wn_squeeze_copy_dims_args *args);
#ifndef __cplusplus
#define WN_ARGS_squeeze_copy_dims_(text, a0, a1, ...) \
    &(wn_squeeze_copy_dims_args){.size_ = sizeof(wn_squeeze_copy_dims_args), .self = a0, .dims = a1, __VA_ARGS__}
#define wn_squeeze_copy_dims(...) \
    wn_squeeze_copy_dims_x(WN_2_(WN_FEW_, WN_ARGS_squeeze_copy_dims_, __VA_ARGS__)("too few arguments: wn_squeeze_copy_dims(self, dims, ...)", __VA_ARGS__, ))
#endif

/* t_copy(Tensor self) -> Tensor
 * A copy of t. */
typedef struct wn_t_copy_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_t_copy_args;
WN_API wn_tensor *wn_t_copy_x(const wn_t_copy_args *args);
#ifndef __cplusplus
#define wn_t_copy(...) \
    wn_t_copy_x(&(wn_t_copy_args){.size_ = sizeof(wn_t_copy_args), .self = __VA_ARGS__})
#endif

/* transpose_copy.int(Tensor self, int dim0, int dim1) -> Tensor
 * A copy of transpose. */
typedef struct wn_transpose_copy_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim0;
    int64_t dim1;
    wn_tensor *out;
} wn_transpose_copy_args;
WN_API wn_tensor *wn_transpose_copy_x(const wn_transpose_copy_args *args);
#ifndef __cplusplus
#define WN_ARGS_transpose_copy_(text, a0, a1, a2, ...) \
    &(wn_transpose_copy_args){.size_ = sizeof(wn_transpose_copy_args), .self = a0, .dim0 = a1, .dim1 = a2, __VA_ARGS__}
#define wn_transpose_copy(...) \
    wn_transpose_copy_x(WN_3_(WN_FEW_, WN_ARGS_transpose_copy_, __VA_ARGS__)("too few arguments: wn_transpose_copy(self, dim0, dim1, ...)", __VA_ARGS__, ))
#endif

/* unsqueeze_copy(Tensor self, int dim) -> Tensor
 * A copy of unsqueeze. */
typedef struct wn_unsqueeze_copy_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    wn_tensor *out;
} wn_unsqueeze_copy_args;
WN_API wn_tensor *wn_unsqueeze_copy_x(const wn_unsqueeze_copy_args *args);
#ifndef __cplusplus
#define WN_ARGS_unsqueeze_copy_(text, a0, a1, ...) \
    &(wn_unsqueeze_copy_args){.size_ = sizeof(wn_unsqueeze_copy_args), .self = a0, .dim = a1, __VA_ARGS__}
#define wn_unsqueeze_copy(...) \
    wn_unsqueeze_copy_x(WN_2_(WN_FEW_, WN_ARGS_unsqueeze_copy_, __VA_ARGS__)("too few arguments: wn_unsqueeze_copy(self, dim, ...)", __VA_ARGS__, ))
#endif

/* unfold_copy(Tensor self, int dimension, int size, int step) -> Tensor
 * A copy of Tensor.unfold. */
typedef struct wn_unfold_copy_args {
    size_t size_;
    wn_tensor *self;
    int64_t dimension;
    int64_t size;
    int64_t step;
    wn_tensor *out;
} wn_unfold_copy_args;
WN_API wn_tensor *wn_unfold_copy_x(const wn_unfold_copy_args *args);
#ifndef __cplusplus
#define WN_ARGS_unfold_copy_(text, a0, a1, a2, a3, ...) \
    &(wn_unfold_copy_args){.size_ = sizeof(wn_unfold_copy_args), .self = a0, .dimension = a1, .size = a2, .step = a3, __VA_ARGS__}
#define wn_unfold_copy(...) \
    wn_unfold_copy_x(WN_4_(WN_FEW_, WN_ARGS_unfold_copy_, __VA_ARGS__)("too few arguments: wn_unfold_copy(self, dimension, size, step, ...)", __VA_ARGS__, ))
#endif

/* view_copy(Tensor self, int[] size) -> Tensor
 * A copy of view. */
typedef struct wn_view_copy_args {
    size_t size_;
    wn_tensor *self;
    wn_dims size;
    wn_tensor *out;
} wn_view_copy_args;
WN_API wn_tensor *wn_view_copy_x(const wn_view_copy_args *args);
#ifndef __cplusplus
#define WN_ARGS_view_copy_(text, a0, a1, ...) \
    &(wn_view_copy_args){.size_ = sizeof(wn_view_copy_args), .self = a0, .size = a1, __VA_ARGS__}
#define wn_view_copy(...) \
    wn_view_copy_x(WN_2_(WN_FEW_, WN_ARGS_view_copy_, __VA_ARGS__)("too few arguments: wn_view_copy(self, size, ...)", __VA_ARGS__, ))
#endif

/* view_copy.dtype(Tensor self, ScalarType dtype) -> Tensor
 * A copy of view(dtype). */
typedef struct wn_view_dtype_copy_args {
    size_t size_;
    wn_tensor *self;
    wn_dtype dtype;
    wn_tensor *out;
} wn_view_dtype_copy_args;
WN_API wn_tensor *wn_view_dtype_copy_x(const wn_view_dtype_copy_args *args);
#ifndef __cplusplus
#define WN_ARGS_view_dtype_copy_(text, a0, a1, ...) \
    &(wn_view_dtype_copy_args){.size_ = sizeof(wn_view_dtype_copy_args), .self = a0, .dtype = a1, __VA_ARGS__}
#define wn_view_dtype_copy(...) \
    wn_view_dtype_copy_x(WN_2_(WN_FEW_, WN_ARGS_view_dtype_copy_, __VA_ARGS__)("too few arguments: wn_view_dtype_copy(self, dtype, ...)", __VA_ARGS__, ))
#endif

/* unbind_copy.int(Tensor self, int dim=0) -> Tensor[]
 * Copies of all slices along dim. */
typedef struct wn_unbind_copy_args {
    size_t size_;
    wn_tensor *self;
    wn_val dim;
} wn_unbind_copy_args;
WN_API wn_list wn_unbind_copy_x(const wn_unbind_copy_args *args);
#ifndef __cplusplus
#define wn_unbind_copy(...) \
    wn_unbind_copy_x(&(wn_unbind_copy_args){.size_ = sizeof(wn_unbind_copy_args), .self = __VA_ARGS__})
#endif

/* split_copy.Tensor(Tensor self, int split_size, int dim=0) -> Tensor[]
 * Copies of the pieces of split. */
typedef struct wn_split_copy_args {
    size_t size_;
    wn_tensor *self;
    int64_t split_size;
    wn_val dim;
} wn_split_copy_args;
WN_API wn_list wn_split_copy_x(const wn_split_copy_args *args);
#ifndef __cplusplus
#define WN_ARGS_split_copy_(text, a0, a1, ...) \
    &(wn_split_copy_args){.size_ = sizeof(wn_split_copy_args), .self = a0, .split_size = a1, __VA_ARGS__}
#define wn_split_copy(...) \
    wn_split_copy_x(WN_2_(WN_FEW_, WN_ARGS_split_copy_, __VA_ARGS__)("too few arguments: wn_split_copy(self, split_size, ...)", __VA_ARGS__, ))
#endif

/* split_with_sizes_copy(Tensor self, int[] split_sizes, int dim=0) -> Tensor[]
 * Copies of pieces of the given sizes. */
typedef struct wn_split_with_sizes_copy_args {
    size_t size_;
    wn_tensor *self;
    wn_dims split_sizes;
    wn_val dim;
} wn_split_with_sizes_copy_args;
WN_API wn_list wn_split_with_sizes_copy_x(const wn_split_with_sizes_copy_args *args);
#ifndef __cplusplus
#define WN_ARGS_split_with_sizes_copy_(text, a0, a1, ...) \
    &(wn_split_with_sizes_copy_args){.size_ = sizeof(wn_split_with_sizes_copy_args), .self = a0, .split_sizes = a1, __VA_ARGS__}
#define wn_split_with_sizes_copy(...) \
    wn_split_with_sizes_copy_x(WN_2_(WN_FEW_, WN_ARGS_split_with_sizes_copy_, __VA_ARGS__)("too few arguments: wn_split_with_sizes_copy(self, split_sizes, ...)", __VA_ARGS__, ))
#endif

/* unsafe_split.Tensor(Tensor self, int split_size, int dim=0) -> Tensor[]
 * split (its pieces are views here, too). */
typedef struct wn_unsafe_split_args {
    size_t size_;
    wn_tensor *self;
    int64_t split_size;
    wn_val dim;
} wn_unsafe_split_args;
WN_API wn_list wn_unsafe_split_x(const wn_unsafe_split_args *args);
#ifndef __cplusplus
#define WN_ARGS_unsafe_split_(text, a0, a1, ...) \
    &(wn_unsafe_split_args){.size_ = sizeof(wn_unsafe_split_args), .self = a0, .split_size = a1, __VA_ARGS__}
#define wn_unsafe_split(...) \
    wn_unsafe_split_x(WN_2_(WN_FEW_, WN_ARGS_unsafe_split_, __VA_ARGS__)("too few arguments: wn_unsafe_split(self, split_size, ...)", __VA_ARGS__, ))
#endif

/* unsafe_split_with_sizes(Tensor self, int[] split_sizes, int dim=0) -> Tensor[]
 * split into pieces of the given sizes. */
typedef struct wn_unsafe_split_with_sizes_args {
    size_t size_;
    wn_tensor *self;
    wn_dims split_sizes;
    wn_val dim;
} wn_unsafe_split_with_sizes_args;
WN_API wn_list wn_unsafe_split_with_sizes_x(const wn_unsafe_split_with_sizes_args *args);
#ifndef __cplusplus
#define WN_ARGS_unsafe_split_with_sizes_(text, a0, a1, ...) \
    &(wn_unsafe_split_with_sizes_args){.size_ = sizeof(wn_unsafe_split_with_sizes_args), .self = a0, .split_sizes = a1, __VA_ARGS__}
#define wn_unsafe_split_with_sizes(...) \
    wn_unsafe_split_with_sizes_x(WN_2_(WN_FEW_, WN_ARGS_unsafe_split_with_sizes_, __VA_ARGS__)("too few arguments: wn_unsafe_split_with_sizes(self, split_sizes, ...)", __VA_ARGS__, ))
#endif

/* unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]
 * chunk. */
typedef struct wn_unsafe_chunk_args {
    size_t size_;
    wn_tensor *self;
    int64_t chunks;
    wn_val dim;
} wn_unsafe_chunk_args;
WN_API wn_list wn_unsafe_chunk_x(const wn_unsafe_chunk_args *args);
#ifndef __cplusplus
#define WN_ARGS_unsafe_chunk_(text, a0, a1, ...) \
    &(wn_unsafe_chunk_args){.size_ = sizeof(wn_unsafe_chunk_args), .self = a0, .chunks = a1, __VA_ARGS__}
#define wn_unsafe_chunk(...) \
    wn_unsafe_chunk_x(WN_2_(WN_FEW_, WN_ARGS_unsafe_chunk_, __VA_ARGS__)("too few arguments: wn_unsafe_chunk(self, chunks, ...)", __VA_ARGS__, ))
#endif

/* sum.dim_IntList(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor? where=None) -> Tensor
 * Sum over dim (default: all). Integers and bool give int64; f16 and bf16 add up in f32. Reductions take the
 * elements in the order of their addresses, under where= in row-major order: the same bits for any thread count,
 * and those of masked_select's elements. */
typedef struct wn_sum_args {
    size_t size_;
    wn_tensor *self;
    wn_dims dims;
    bool keepdim;
    wn_dtype dtype;
    wn_tensor *where;
    wn_tensor *out;
} wn_sum_args;
WN_API wn_tensor *wn_sum_x(const wn_sum_args *args);
#ifndef __cplusplus
#define wn_sum(...) \
    wn_sum_x(&(wn_sum_args){.size_ = sizeof(wn_sum_args), .self = __VA_ARGS__})
#endif

/* mean.dim(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor? where=None) -> Tensor
 * Sum over dim divided by the number of elements that count; NaN where that is 0. */
typedef struct wn_mean_args {
    size_t size_;
    wn_tensor *self;
    wn_dims dims;
    bool keepdim;
    wn_dtype dtype;
    wn_tensor *where;
    wn_tensor *out;
} wn_mean_args;
WN_API wn_tensor *wn_mean_x(const wn_mean_args *args);
#ifndef __cplusplus
#define wn_mean(...) \
    wn_mean_x(&(wn_mean_args){.size_ = sizeof(wn_mean_args), .self = __VA_ARGS__})
#endif

/* prod.dim_int(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor? where=None) -> Tensor
 * Product over dim (default: all). Its gradient is right at zeros. */
typedef wn_sum_args wn_prod_args;
WN_API wn_tensor *wn_prod_x(const wn_prod_args *args);
#ifndef __cplusplus
#define wn_prod(...) \
    wn_prod_x(&(wn_prod_args){.size_ = sizeof(wn_prod_args), .self = __VA_ARGS__})
#endif

/* amax(Tensor self, int[1]? dim=None, bool keepdim=False, *, Tensor? where=None) -> Tensor
 * Largest element over dim; NaN wins. Ties share the gradient evenly. Over nothing: -inf, an error for integers. */
typedef struct wn_amax_args {
    size_t size_;
    wn_tensor *self;
    wn_dims dims;
    bool keepdim;
    wn_tensor *where;
    wn_tensor *out;
} wn_amax_args;
WN_API wn_tensor *wn_amax_x(const wn_amax_args *args);
#ifndef __cplusplus
#define wn_amax(...) \
    wn_amax_x(&(wn_amax_args){.size_ = sizeof(wn_amax_args), .self = __VA_ARGS__})
#endif

/* amin(Tensor self, int[1]? dim=None, bool keepdim=False, *, Tensor? where=None) -> Tensor
 * Smallest element over dim; NaN wins. Ties share the gradient evenly. Over nothing: inf, an error for integers. */
typedef wn_amax_args wn_amin_args;
WN_API wn_tensor *wn_amin_x(const wn_amin_args *args);
#ifndef __cplusplus
#define wn_amin(...) \
    wn_amin_x(&(wn_amin_args){.size_ = sizeof(wn_amin_args), .self = __VA_ARGS__})
#endif

/* max(Tensor self, *, Tensor? where=None) -> Tensor
 * The largest element; NaN wins. Ties share the gradient evenly. */
typedef struct wn_max_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *where;
    wn_tensor *out;
} wn_max_args;
WN_API wn_tensor *wn_max_x(const wn_max_args *args);
#ifndef __cplusplus
#define wn_max(...) \
    wn_max_x(&(wn_max_args){.size_ = sizeof(wn_max_args), .self = __VA_ARGS__})
#endif

/* min(Tensor self, *, Tensor? where=None) -> Tensor
 * The smallest element; NaN wins. Ties share the gradient evenly. */
typedef wn_max_args wn_min_args;
WN_API wn_tensor *wn_min_x(const wn_min_args *args);
#ifndef __cplusplus
#define wn_min(...) \
    wn_min_x(&(wn_min_args){.size_ = sizeof(wn_min_args), .self = __VA_ARGS__})
#endif

/* max.other(Tensor self, Tensor other) -> Tensor
 * The larger of two elements: maximum. */
typedef struct wn_max_other_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *other;
    wn_tensor *out;
} wn_max_other_args;
WN_API wn_tensor *wn_max_other_x(const wn_max_other_args *args);
#ifndef __cplusplus
#define WN_ARGS_max_other_(text, a0, a1, ...) \
    &(wn_max_other_args){.size_ = sizeof(wn_max_other_args), .self = a0, .other = a1, __VA_ARGS__}
#define wn_max_other(...) \
    wn_max_other_x(WN_2_(WN_FEW_, WN_ARGS_max_other_, __VA_ARGS__)("too few arguments: wn_max_other(self, other, ...)", __VA_ARGS__, ))
#endif

/* max.dim(Tensor self, int dim, bool keepdim=False, *, Tensor? where=None) -> (Tensor values, Tensor indices)
 * Largest element along dim and its index (the first one; NaN wins). The gradient goes to that one. */
typedef struct wn_max_dim_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    bool keepdim;
    wn_tensor *where;
} wn_max_dim_args;
typedef struct wn_max_dim_out {
    wn_tensor *values, *indices;
} wn_max_dim_out;
WN_API wn_max_dim_out wn_max_dim_x(const wn_max_dim_args *args);
#ifndef __cplusplus
#define WN_ARGS_max_dim_(text, a0, a1, ...) \
    &(wn_max_dim_args){.size_ = sizeof(wn_max_dim_args), .self = a0, .dim = a1, __VA_ARGS__}
#define wn_max_dim(...) \
    wn_max_dim_x(WN_2_(WN_FEW_, WN_ARGS_max_dim_, __VA_ARGS__)("too few arguments: wn_max_dim(self, dim, ...)", __VA_ARGS__, ))
#endif

/* min.other(Tensor self, Tensor other) -> Tensor
 * The smaller of two elements: minimum. */
typedef struct wn_min_other_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *other;
    wn_tensor *out;
} wn_min_other_args;
WN_API wn_tensor *wn_min_other_x(const wn_min_other_args *args);
#ifndef __cplusplus
#define WN_ARGS_min_other_(text, a0, a1, ...) \
    &(wn_min_other_args){.size_ = sizeof(wn_min_other_args), .self = a0, .other = a1, __VA_ARGS__}
#define wn_min_other(...) \
    wn_min_other_x(WN_2_(WN_FEW_, WN_ARGS_min_other_, __VA_ARGS__)("too few arguments: wn_min_other(self, other, ...)", __VA_ARGS__, ))
#endif

/* min.dim(Tensor self, int dim, bool keepdim=False, *, Tensor? where=None) -> (Tensor values, Tensor indices)
 * Smallest element along dim and its index (the first one; NaN wins). The gradient goes to that one. */
typedef wn_max_dim_args wn_min_dim_args;
typedef struct wn_min_dim_out {
    wn_tensor *values, *indices;
} wn_min_dim_out;
WN_API wn_min_dim_out wn_min_dim_x(const wn_min_dim_args *args);
#ifndef __cplusplus
#define WN_ARGS_min_dim_(text, a0, a1, ...) \
    &(wn_min_dim_args){.size_ = sizeof(wn_min_dim_args), .self = a0, .dim = a1, __VA_ARGS__}
#define wn_min_dim(...) \
    wn_min_dim_x(WN_2_(WN_FEW_, WN_ARGS_min_dim_, __VA_ARGS__)("too few arguments: wn_min_dim(self, dim, ...)", __VA_ARGS__, ))
#endif

/* argmax(Tensor self, int? dim=None, bool keepdim=False, *, Tensor? where=None) -> Tensor
 * Index of the largest element along dim (default: of the flattened tensor); the first one, NaN wins. Over
 * nothing: an error. */
typedef struct wn_argmax_args {
    size_t size_;
    wn_tensor *self;
    wn_val dim;
    bool keepdim;
    wn_tensor *where;
    wn_tensor *out;
} wn_argmax_args;
WN_API wn_tensor *wn_argmax_x(const wn_argmax_args *args);
#ifndef __cplusplus
#define wn_argmax(...) \
    wn_argmax_x(&(wn_argmax_args){.size_ = sizeof(wn_argmax_args), .self = __VA_ARGS__})
#endif

/* argmin(Tensor self, int? dim=None, bool keepdim=False, *, Tensor? where=None) -> Tensor
 * Index of the smallest element along dim (default: of the flattened tensor); the first one, NaN wins. Over
 * nothing: an error. */
typedef wn_argmax_args wn_argmin_args;
WN_API wn_tensor *wn_argmin_x(const wn_argmin_args *args);
#ifndef __cplusplus
#define wn_argmin(...) \
    wn_argmin_x(&(wn_argmin_args){.size_ = sizeof(wn_argmin_args), .self = __VA_ARGS__})
#endif

/* any.dims(Tensor self, int[1]? dim=None, bool keepdim=False, *, Tensor? where=None) -> Tensor
 * Is any element over dim not 0? bool (uint8 for uint8, as in torch). Over nothing: false. */
typedef struct wn_any_args {
    size_t size_;
    wn_tensor *self;
    wn_dims dims;
    bool keepdim;
    wn_tensor *where;
    wn_tensor *out;
} wn_any_args;
WN_API wn_tensor *wn_any_x(const wn_any_args *args);
#ifndef __cplusplus
#define wn_any(...) \
    wn_any_x(&(wn_any_args){.size_ = sizeof(wn_any_args), .self = __VA_ARGS__})
#endif

/* all.dims(Tensor self, int[1]? dim=None, bool keepdim=False, *, Tensor? where=None) -> Tensor
 * Are all elements over dim not 0? bool (uint8 for uint8, as in torch). Over nothing: true. */
typedef wn_any_args wn_all_args;
WN_API wn_tensor *wn_all_x(const wn_all_args *args);
#ifndef __cplusplus
#define wn_all(...) \
    wn_all_x(&(wn_all_args){.size_ = sizeof(wn_all_args), .self = __VA_ARGS__})
#endif

/* count_nonzero.dim_IntList(Tensor self, int[1]? dim=None, *, Tensor? where=None) -> Tensor
 * How many elements over dim are not 0, as int64. */
typedef struct wn_count_nonzero_args {
    size_t size_;
    wn_tensor *self;
    wn_dims dims;
    wn_tensor *where;
    wn_tensor *out;
} wn_count_nonzero_args;
WN_API wn_tensor *wn_count_nonzero_x(const wn_count_nonzero_args *args);
#ifndef __cplusplus
#define wn_count_nonzero(...) \
    wn_count_nonzero_x(&(wn_count_nonzero_args){.size_ = sizeof(wn_count_nonzero_args), .self = __VA_ARGS__})
#endif

/* var.correction(Tensor self, int[1]? dim=None, bool? unbiased=None, bool keepdim=False, *, Scalar? correction=None, Tensor? where=None) -> Tensor
 * sum((x - mean)^2) / max(0, n - correction) over dim; correction 1 unless given (unbiased: true for 1, false for
 * 0). */
typedef struct wn_var_args {
    size_t size_;
    wn_tensor *self;
    wn_dims dims;
    wn_val unbiased;
    bool keepdim;
    wn_val correction;
    wn_tensor *where;
    wn_tensor *out;
} wn_var_args;
WN_API wn_tensor *wn_var_x(const wn_var_args *args);
#ifndef __cplusplus
#define wn_var(...) \
    wn_var_x(&(wn_var_args){.size_ = sizeof(wn_var_args), .self = __VA_ARGS__})
#endif

/* var.unbiased(Tensor self, bool unbiased) -> Tensor
 * The variance of all elements: var with unbiased alone. */
typedef struct wn_var_unbiased_args {
    size_t size_;
    wn_tensor *self;
    bool unbiased;
} wn_var_unbiased_args;
WN_API wn_tensor *wn_var_unbiased_x(const wn_var_unbiased_args *args);
#ifndef __cplusplus
#define WN_ARGS_var_unbiased_(text, a0, a1, ...) \
    &(wn_var_unbiased_args){.size_ = sizeof(wn_var_unbiased_args), .self = a0, .unbiased = a1, __VA_ARGS__}
#define wn_var_unbiased(...) \
    wn_var_unbiased_x(WN_2_(WN_FEW_, WN_ARGS_var_unbiased_, __VA_ARGS__)("too few arguments: wn_var_unbiased(self, unbiased, ...)", __VA_ARGS__, ))
#endif

/* std.correction(Tensor self, int[1]? dim=None, bool? unbiased=None, bool keepdim=False, *, Scalar? correction=None, Tensor? where=None) -> Tensor
 * Square root of var. Its gradient at 0 is 0. */
typedef wn_var_args wn_std_args;
WN_API wn_tensor *wn_std_x(const wn_std_args *args);
#ifndef __cplusplus
#define wn_std(...) \
    wn_std_x(&(wn_std_args){.size_ = sizeof(wn_std_args), .self = __VA_ARGS__})
#endif

/* std.unbiased(Tensor self, bool unbiased) -> Tensor
 * The standard deviation of all elements: std with unbiased alone. */
typedef struct wn_std_unbiased_args {
    size_t size_;
    wn_tensor *self;
    bool unbiased;
} wn_std_unbiased_args;
WN_API wn_tensor *wn_std_unbiased_x(const wn_std_unbiased_args *args);
#ifndef __cplusplus
#define WN_ARGS_std_unbiased_(text, a0, a1, ...) \
    &(wn_std_unbiased_args){.size_ = sizeof(wn_std_unbiased_args), .self = a0, .unbiased = a1, __VA_ARGS__}
#define wn_std_unbiased(...) \
    wn_std_unbiased_x(WN_2_(WN_FEW_, WN_ARGS_std_unbiased_, __VA_ARGS__)("too few arguments: wn_std_unbiased(self, unbiased, ...)", __VA_ARGS__, ))
#endif

/* var_mean.correction(Tensor self, int[1]? dim=None, bool? unbiased=None, bool keepdim=False, *, Scalar? correction=None, Tensor? where=None) -> (Tensor var, Tensor mean)
 * Variance and mean in one pass. */
typedef struct wn_var_mean_args {
    size_t size_;
    wn_tensor *self;
    wn_dims dims;
    wn_val unbiased;
    bool keepdim;
    wn_val correction;
    wn_tensor *where;
} wn_var_mean_args;
typedef struct wn_var_mean_out {
    wn_tensor *var, *mean;
} wn_var_mean_out;
WN_API wn_var_mean_out wn_var_mean_x(const wn_var_mean_args *args);
#ifndef __cplusplus
#define wn_var_mean(...) \
    wn_var_mean_x(&(wn_var_mean_args){.size_ = sizeof(wn_var_mean_args), .self = __VA_ARGS__})
#endif

/* var_mean.unbiased(Tensor self, bool unbiased) -> (Tensor var, Tensor mean)
 * Variance and mean of all elements. */
typedef struct wn_var_mean_unbiased_args {
    size_t size_;
    wn_tensor *self;
    bool unbiased;
} wn_var_mean_unbiased_args;
typedef struct wn_var_mean_unbiased_out {
    wn_tensor *var, *mean;
} wn_var_mean_unbiased_out;
WN_API wn_var_mean_unbiased_out wn_var_mean_unbiased_x(const wn_var_mean_unbiased_args *args);
#ifndef __cplusplus
#define WN_ARGS_var_mean_unbiased_(text, a0, a1, ...) \
    &(wn_var_mean_unbiased_args){.size_ = sizeof(wn_var_mean_unbiased_args), .self = a0, .unbiased = a1, __VA_ARGS__}
#define wn_var_mean_unbiased(...) \
    wn_var_mean_unbiased_x(WN_2_(WN_FEW_, WN_ARGS_var_mean_unbiased_, __VA_ARGS__)("too few arguments: wn_var_mean_unbiased(self, unbiased, ...)", __VA_ARGS__, ))
#endif

/* std_mean.correction(Tensor self, int[1]? dim=None, bool? unbiased=None, bool keepdim=False, *, Scalar? correction=None, Tensor? where=None) -> (Tensor std, Tensor mean)
 * Standard deviation and mean in one pass. */
typedef wn_var_mean_args wn_std_mean_args;
typedef struct wn_std_mean_out {
    wn_tensor *std, *mean;
} wn_std_mean_out;
WN_API wn_std_mean_out wn_std_mean_x(const wn_std_mean_args *args);
#ifndef __cplusplus
#define wn_std_mean(...) \
    wn_std_mean_x(&(wn_std_mean_args){.size_ = sizeof(wn_std_mean_args), .self = __VA_ARGS__})
#endif

/* std_mean.unbiased(Tensor self, bool unbiased) -> (Tensor std, Tensor mean)
 * Standard deviation and mean of all elements. */
typedef struct wn_std_mean_unbiased_args {
    size_t size_;
    wn_tensor *self;
    bool unbiased;
} wn_std_mean_unbiased_args;
typedef struct wn_std_mean_unbiased_out {
    wn_tensor *std, *mean;
} wn_std_mean_unbiased_out;
WN_API wn_std_mean_unbiased_out wn_std_mean_unbiased_x(const wn_std_mean_unbiased_args *args);
#ifndef __cplusplus
#define WN_ARGS_std_mean_unbiased_(text, a0, a1, ...) \
    &(wn_std_mean_unbiased_args){.size_ = sizeof(wn_std_mean_unbiased_args), .self = a0, .unbiased = a1, __VA_ARGS__}
#define wn_std_mean_unbiased(...) \
    wn_std_mean_unbiased_x(WN_2_(WN_FEW_, WN_ARGS_std_mean_unbiased_, __VA_ARGS__)("too few arguments: wn_std_mean_unbiased(self, unbiased, ...)", __VA_ARGS__, ))
#endif

/* linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor? where=None) -> Tensor
 * sum(|x|^ord)^(1/ord) over dim; ord may be inf, -inf, 0 (how many are not 0). The gradient at 0 is 0. */
typedef struct wn_vector_norm_args {
    size_t size_;
    wn_tensor *self;
    wn_val ord;
    wn_dims dims;
    bool keepdim;
    wn_dtype dtype;
    wn_tensor *where;
    wn_tensor *out;
} wn_vector_norm_args;
WN_API wn_tensor *wn_vector_norm_x(const wn_vector_norm_args *args);
#ifndef __cplusplus
#define wn_vector_norm(...) \
    wn_vector_norm_x(&(wn_vector_norm_args){.size_ = sizeof(wn_vector_norm_args), .self = __VA_ARGS__})
#endif

/* norm.ScalarOpt_dim(Tensor self, Scalar? p=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor? where=None) -> Tensor
 * vector_norm of order p (2 unless given). */
typedef struct wn_norm_args {
    size_t size_;
    wn_tensor *self;
    wn_val p;
    wn_dims dims;
    bool keepdim;
    wn_dtype dtype;
    wn_tensor *where;
    wn_tensor *out;
} wn_norm_args;
WN_API wn_tensor *wn_norm_x(const wn_norm_args *args);
#ifndef __cplusplus
#define wn_norm(...) \
    wn_norm_x(&(wn_norm_args){.size_ = sizeof(wn_norm_args), .self = __VA_ARGS__})
#endif

/* logsumexp(Tensor self, int[1] dim, bool keepdim=False, *, Tensor? where=None) -> Tensor
 * log(sum(exp(x))) over dim without overflow; over nothing: -inf. */
typedef struct wn_logsumexp_args {
    size_t size_;
    wn_tensor *self;
    wn_dims dims;
    bool keepdim;
    wn_tensor *where;
    wn_tensor *out;
} wn_logsumexp_args;
WN_API wn_tensor *wn_logsumexp_x(const wn_logsumexp_args *args);
#ifndef __cplusplus
#define WN_ARGS_logsumexp_(text, a0, a1, ...) \
    &(wn_logsumexp_args){.size_ = sizeof(wn_logsumexp_args), .self = a0, .dims = a1, __VA_ARGS__}
#define wn_logsumexp(...) \
    wn_logsumexp_x(WN_2_(WN_FEW_, WN_ARGS_logsumexp_, __VA_ARGS__)("too few arguments: wn_logsumexp(self, dims, ...)", __VA_ARGS__, ))
#endif

/* nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor
 * Sum over dim of the elements that are not NaN. */
typedef struct wn_nansum_args {
    size_t size_;
    wn_tensor *self;
    wn_dims dims;
    bool keepdim;
    wn_dtype dtype;
    wn_tensor *out;
} wn_nansum_args;
WN_API wn_tensor *wn_nansum_x(const wn_nansum_args *args);
#ifndef __cplusplus
#define wn_nansum(...) \
    wn_nansum_x(&(wn_nansum_args){.size_ = sizeof(wn_nansum_args), .self = __VA_ARGS__})
#endif

/* nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor
 * Mean over dim of the elements that are not NaN; NaN where there are none. */
typedef struct wn_nanmean_args {
    size_t size_;
    wn_tensor *self;
    wn_dims dims;
    bool keepdim;
    wn_dtype dtype;
    wn_tensor *out;
} wn_nanmean_args;
WN_API wn_tensor *wn_nanmean_x(const wn_nanmean_args *args);
#ifndef __cplusplus
#define wn_nanmean(...) \
    wn_nanmean_x(&(wn_nanmean_args){.size_ = sizeof(wn_nanmean_args), .self = __VA_ARGS__})
#endif

/* aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)
 * The smallest and the largest element along dim (default: of all); NaN wins. Ties share the gradient evenly. */
typedef struct wn_aminmax_args {
    size_t size_;
    wn_tensor *self;
    wn_val dim;
    bool keepdim;
} wn_aminmax_args;
typedef struct wn_aminmax_out {
    wn_tensor *min, *max;
} wn_aminmax_out;
WN_API wn_aminmax_out wn_aminmax_x(const wn_aminmax_args *args);
#ifndef __cplusplus
#define wn_aminmax(...) \
    wn_aminmax_x(&(wn_aminmax_args){.size_ = sizeof(wn_aminmax_args), .self = __VA_ARGS__})
#endif

/* cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)
 * The largest element so far along dim and where it is (of equal ones the last); NaN wins. The gradient goes to
 * those elements. */
typedef struct wn_cummax_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
} wn_cummax_args;
typedef struct wn_cummax_out {
    wn_tensor *values, *indices;
} wn_cummax_out;
WN_API wn_cummax_out wn_cummax_x(const wn_cummax_args *args);
#ifndef __cplusplus
#define WN_ARGS_cummax_(text, a0, a1, ...) \
    &(wn_cummax_args){.size_ = sizeof(wn_cummax_args), .self = a0, .dim = a1, __VA_ARGS__}
#define wn_cummax(...) \
    wn_cummax_x(WN_2_(WN_FEW_, WN_ARGS_cummax_, __VA_ARGS__)("too few arguments: wn_cummax(self, dim, ...)", __VA_ARGS__, ))
#endif

/* cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)
 * The smallest element so far along dim and where it is (of equal ones the last); NaN wins. */
typedef wn_cummax_args wn_cummin_args;
typedef struct wn_cummin_out {
    wn_tensor *values, *indices;
} wn_cummin_out;
WN_API wn_cummin_out wn_cummin_x(const wn_cummin_args *args);
#ifndef __cplusplus
#define WN_ARGS_cummin_(text, a0, a1, ...) \
    &(wn_cummin_args){.size_ = sizeof(wn_cummin_args), .self = a0, .dim = a1, __VA_ARGS__}
#define wn_cummin(...) \
    wn_cummin_x(WN_2_(WN_FEW_, WN_ARGS_cummin_, __VA_ARGS__)("too few arguments: wn_cummin(self, dim, ...)", __VA_ARGS__, ))
#endif

/* logcumsumexp(Tensor self, int dim) -> Tensor
 * log of the running sum of exp(self) along dim, without overflow; in f64 inside. */
typedef struct wn_logcumsumexp_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    wn_tensor *out;
} wn_logcumsumexp_args;
WN_API wn_tensor *wn_logcumsumexp_x(const wn_logcumsumexp_args *args);
#ifndef __cplusplus
#define WN_ARGS_logcumsumexp_(text, a0, a1, ...) \
    &(wn_logcumsumexp_args){.size_ = sizeof(wn_logcumsumexp_args), .self = a0, .dim = a1, __VA_ARGS__}
#define wn_logcumsumexp(...) \
    wn_logcumsumexp_x(WN_2_(WN_FEW_, WN_ARGS_logcumsumexp_, __VA_ARGS__)("too few arguments: wn_logcumsumexp(self, dim, ...)", __VA_ARGS__, ))
#endif

/* diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> Tensor
 * The n-th differences x[i+1] - x[i] along dim, of prepend, self and append put together; of bool: xor. */
typedef struct wn_diff_args {
    size_t size_;
    wn_tensor *self;
    wn_val n;
    wn_val dim;
    wn_tensor *prepend;
    wn_tensor *append;
    wn_tensor *out;
} wn_diff_args;
WN_API wn_tensor *wn_diff_x(const wn_diff_args *args);
#ifndef __cplusplus
#define wn_diff(...) \
    wn_diff_x(&(wn_diff_args){.size_ = sizeof(wn_diff_args), .self = __VA_ARGS__})
#endif

/* cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor
 * Covariances of the rows of self (variables; columns are observations, weighted by fweights * aweights): sum w (x
 * - mean)(y - mean) / max(0, sum w - correction * sum(w aweights) / sum w). */
typedef struct wn_cov_args {
    size_t size_;
    wn_tensor *self;
    wn_val correction;
    wn_tensor *fweights;
    wn_tensor *aweights;
} wn_cov_args;
WN_API wn_tensor *wn_cov_x(const wn_cov_args *args);
#ifndef __cplusplus
#define wn_cov(...) \
    wn_cov_x(&(wn_cov_args){.size_ = sizeof(wn_cov_args), .self = __VA_ARGS__})
#endif

/* corrcoef(Tensor self) -> Tensor
 * cov(self)[i][j] / sqrt(cov[i][i] cov[j][j]), kept within [-1, 1]. */
typedef struct wn_corrcoef_args {
    size_t size_;
    wn_tensor *self;
} wn_corrcoef_args;
WN_API wn_tensor *wn_corrcoef_x(const wn_corrcoef_args *args);
#ifndef __cplusplus
#define wn_corrcoef(...) \
    wn_corrcoef_x(&(wn_corrcoef_args){.size_ = sizeof(wn_corrcoef_args), .self = __VA_ARGS__})
#endif

/* dist(Tensor self, Tensor other, Scalar p=2) -> Tensor
 * The p-norm of self - other. */
typedef struct wn_dist_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *other;
    wn_val p;
    wn_tensor *out;
} wn_dist_args;
WN_API wn_tensor *wn_dist_x(const wn_dist_args *args);
#ifndef __cplusplus
#define WN_ARGS_dist_(text, a0, a1, ...) \
    &(wn_dist_args){.size_ = sizeof(wn_dist_args), .self = a0, .other = a1, __VA_ARGS__}
#define wn_dist(...) \
    wn_dist_x(WN_2_(WN_FEW_, WN_ARGS_dist_, __VA_ARGS__)("too few arguments: wn_dist(self, other, ...)", __VA_ARGS__, ))
#endif

/* renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor
 * self with each slice along dim whose p-norm is above maxnorm scaled by maxnorm / (norm + 1e-7). */
typedef struct wn_renorm_args {
    size_t size_;
    wn_tensor *self;
    wn_val p;
    int64_t dim;
    wn_val maxnorm;
    wn_tensor *out;
} wn_renorm_args;
WN_API wn_tensor *wn_renorm_x(const wn_renorm_args *args);
WN_API wn_tensor *wn_renorm_inplace_x(const wn_renorm_args *args);
#ifndef __cplusplus
#define WN_ARGS_renorm_(text, a0, a1, a2, a3, ...) \
    &(wn_renorm_args){.size_ = sizeof(wn_renorm_args), .self = a0, .p = WN_VAL(a1), .dim = a2, .maxnorm = WN_VAL(a3), __VA_ARGS__}
#define wn_renorm(...) \
    wn_renorm_x(WN_4_(WN_FEW_, WN_ARGS_renorm_, __VA_ARGS__)("too few arguments: wn_renorm(self, p, dim, maxnorm, ...)", __VA_ARGS__, ))
#define wn_renorm_(...) \
    wn_renorm_inplace_x(WN_4_(WN_FEW_, WN_ARGS_renorm_, __VA_ARGS__)("too few arguments: wn_renorm_(self, p, dim, maxnorm, ...)", __VA_ARGS__, ))
#endif

/* trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor
 * The integral of y over the points x along dim by the trapezoidal rule: sum (x[i+1] - x[i]) (y[i+1] + y[i]) / 2. */
typedef struct wn_trapezoid_at_args {
    size_t size_;
    wn_tensor *y;
    wn_tensor *x;
    wn_val dim;
} wn_trapezoid_at_args;
WN_API wn_tensor *wn_trapezoid_at_x(const wn_trapezoid_at_args *args);
#ifndef __cplusplus
#define WN_ARGS_trapezoid_at_(text, a0, a1, ...) \
    &(wn_trapezoid_at_args){.size_ = sizeof(wn_trapezoid_at_args), .y = a0, .x = a1, __VA_ARGS__}
#define wn_trapezoid_at(...) \
    wn_trapezoid_at_x(WN_2_(WN_FEW_, WN_ARGS_trapezoid_at_, __VA_ARGS__)("too few arguments: wn_trapezoid_at(y, x, ...)", __VA_ARGS__, ))
#endif

/* trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor
 * The integral of y along dim by the trapezoidal rule, points being dx apart: dx (sum y - (first + last) / 2). */
typedef struct wn_trapezoid_args {
    size_t size_;
    wn_tensor *y;
    wn_val dx;
    wn_val dim;
} wn_trapezoid_args;
WN_API wn_tensor *wn_trapezoid_x(const wn_trapezoid_args *args);
#ifndef __cplusplus
#define wn_trapezoid(...) \
    wn_trapezoid_x(&(wn_trapezoid_args){.size_ = sizeof(wn_trapezoid_args), .y = __VA_ARGS__})
#endif

/* cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor
 * The running integral of y over the points x along dim by the trapezoidal rule. */
typedef struct wn_cumulative_trapezoid_at_args {
    size_t size_;
    wn_tensor *y;
    wn_tensor *x;
    wn_val dim;
} wn_cumulative_trapezoid_at_args;
WN_API wn_tensor *wn_cumulative_trapezoid_at_x(const wn_cumulative_trapezoid_at_args *args);
#ifndef __cplusplus
#define WN_ARGS_cumulative_trapezoid_at_(text, a0, a1, ...) \
    &(wn_cumulative_trapezoid_at_args){.size_ = sizeof(wn_cumulative_trapezoid_at_args), .y = a0, .x = a1, __VA_ARGS__}
#define wn_cumulative_trapezoid_at(...) \
    wn_cumulative_trapezoid_at_x(WN_2_(WN_FEW_, WN_ARGS_cumulative_trapezoid_at_, __VA_ARGS__)("too few arguments: wn_cumulative_trapezoid_at(y, x, ...)", __VA_ARGS__, ))
#endif

/* cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor
 * The running integral of y along dim by the trapezoidal rule, points being dx apart. */
typedef struct wn_cumulative_trapezoid_args {
    size_t size_;
    wn_tensor *y;
    wn_val dx;
    wn_val dim;
} wn_cumulative_trapezoid_args;
WN_API wn_tensor *wn_cumulative_trapezoid_x(const wn_cumulative_trapezoid_args *args);
#ifndef __cplusplus
#define wn_cumulative_trapezoid(...) \
    wn_cumulative_trapezoid_x(&(wn_cumulative_trapezoid_args){.size_ = sizeof(wn_cumulative_trapezoid_args), .y = __VA_ARGS__})
#endif

/* _gradient_along(Tensor self, int dim, Scalar spacing=1, int edge_order=1) -> Tensor
 * Derivative along dim by central differences, points being `spacing` apart; one-sided differences of order
 * edge_order (1, 2) at both ends. */
typedef struct wn_gradient_along_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    wn_val spacing;
    wn_val edge_order;
} wn_gradient_along_args;
WN_API wn_tensor *wn_gradient_along_x(const wn_gradient_along_args *args);
#ifndef __cplusplus
#define WN_ARGS_gradient_along_(text, a0, a1, ...) \
    &(wn_gradient_along_args){.size_ = sizeof(wn_gradient_along_args), .self = a0, .dim = a1, __VA_ARGS__}
#define wn_gradient_along(...) \
    wn_gradient_along_x(WN_2_(WN_FEW_, WN_ARGS_gradient_along_, __VA_ARGS__)("too few arguments: wn_gradient_along(self, dim, ...)", __VA_ARGS__, ))
#endif

/* _gradient_at(Tensor self, int dim, Tensor points, int edge_order=1) -> Tensor
 * Derivative along dim by differences of second order at the 1-d points; one-sided differences of order edge_order
 * (1, 2) at both ends. */
typedef struct wn_gradient_at_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    wn_tensor *points;
    wn_val edge_order;
} wn_gradient_at_args;
WN_API wn_tensor *wn_gradient_at_x(const wn_gradient_at_args *args);
#ifndef __cplusplus
#define WN_ARGS_gradient_at_(text, a0, a1, a2, ...) \
    &(wn_gradient_at_args){.size_ = sizeof(wn_gradient_at_args), .self = a0, .dim = a1, .points = a2, __VA_ARGS__}
#define wn_gradient_at(...) \
    wn_gradient_at_x(WN_3_(WN_FEW_, WN_ARGS_gradient_at_, __VA_ARGS__)("too few arguments: wn_gradient_at(self, dim, points, ...)", __VA_ARGS__, ))
#endif

/* nonzero_static(Tensor self, *, int size, int fill_value=-1) -> Tensor
 * The first `size` rows of nonzero; rows of fill_value where there are fewer. */
typedef struct wn_nonzero_static_args {
    size_t size_;
    wn_tensor *self;
    int64_t size;
    wn_val fill_value;
    wn_tensor *out;
} wn_nonzero_static_args;
WN_API wn_tensor *wn_nonzero_static_x(const wn_nonzero_static_args *args);
#ifndef __cplusplus
#define wn_nonzero_static(...) \
    wn_nonzero_static_x(&(wn_nonzero_static_args){.size_ = sizeof(wn_nonzero_static_args), .self = __VA_ARGS__})
#endif

/* cumsum(Tensor self, int dim, *, ScalarType? dtype=None, Tensor? where=None) -> Tensor
 * Running sum along dim. Elements that where= leaves out add nothing. Integers and bool give int64; floats add up
 * in f64. */
typedef struct wn_cumsum_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    wn_dtype dtype;
    wn_tensor *where;
    wn_tensor *out;
} wn_cumsum_args;
WN_API wn_tensor *wn_cumsum_x(const wn_cumsum_args *args);
WN_API wn_tensor *wn_cumsum_inplace_x(const wn_cumsum_args *args);
#ifndef __cplusplus
#define WN_ARGS_cumsum_(text, a0, a1, ...) \
    &(wn_cumsum_args){.size_ = sizeof(wn_cumsum_args), .self = a0, .dim = a1, __VA_ARGS__}
#define wn_cumsum(...) \
    wn_cumsum_x(WN_2_(WN_FEW_, WN_ARGS_cumsum_, __VA_ARGS__)("too few arguments: wn_cumsum(self, dim, ...)", __VA_ARGS__, ))
#define wn_cumsum_(...) \
    wn_cumsum_inplace_x(WN_2_(WN_FEW_, WN_ARGS_cumsum_, __VA_ARGS__)("too few arguments: wn_cumsum_(self, dim, ...)", __VA_ARGS__, ))
#endif

/* cumprod(Tensor self, int dim, *, ScalarType? dtype=None, Tensor? where=None) -> Tensor
 * Running product along dim. Elements that where= leaves out are passed over. Its gradient is right at zeros. */
typedef wn_cumsum_args wn_cumprod_args;
WN_API wn_tensor *wn_cumprod_x(const wn_cumprod_args *args);
WN_API wn_tensor *wn_cumprod_inplace_x(const wn_cumprod_args *args);
#ifndef __cplusplus
#define WN_ARGS_cumprod_(text, a0, a1, ...) \
    &(wn_cumprod_args){.size_ = sizeof(wn_cumprod_args), .self = a0, .dim = a1, __VA_ARGS__}
#define wn_cumprod(...) \
    wn_cumprod_x(WN_2_(WN_FEW_, WN_ARGS_cumprod_, __VA_ARGS__)("too few arguments: wn_cumprod(self, dim, ...)", __VA_ARGS__, ))
#define wn_cumprod_(...) \
    wn_cumprod_inplace_x(WN_2_(WN_FEW_, WN_ARGS_cumprod_, __VA_ARGS__)("too few arguments: wn_cumprod_(self, dim, ...)", __VA_ARGS__, ))
#endif

/* linear_scan(Tensor decay, Tensor input, int dim, *, bool reverse=False) -> Tensor
 * h[i] = decay[i] * h[i-1] + input[i] along dim, h[-1] = 0 (reverse: from the end). Same shapes, one floating
 * dtype. */
typedef struct wn_linear_scan_args {
    size_t size_;
    wn_tensor *decay;
    wn_tensor *input;
    int64_t dim;
    bool reverse;
    wn_tensor *out;
} wn_linear_scan_args;
WN_API wn_tensor *wn_linear_scan_x(const wn_linear_scan_args *args);
#ifndef __cplusplus
#define WN_ARGS_linear_scan_(text, a0, a1, a2, ...) \
    &(wn_linear_scan_args){.size_ = sizeof(wn_linear_scan_args), .decay = a0, .input = a1, .dim = a2, __VA_ARGS__}
#define wn_linear_scan(...) \
    wn_linear_scan_x(WN_3_(WN_FEW_, WN_ARGS_linear_scan_, __VA_ARGS__)("too few arguments: wn_linear_scan(decay, input, dim, ...)", __VA_ARGS__, ))
#endif

/* softmax.int(Tensor self, int dim, ScalarType? dtype=None, *, Tensor? where=None) -> Tensor
 * exp(x) / sum(exp(x)) along dim; 0 where where= leaves elements out. */
typedef struct wn_softmax_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    wn_dtype dtype;
    wn_tensor *where;
    wn_tensor *out;
} wn_softmax_args;
WN_API wn_tensor *wn_softmax_x(const wn_softmax_args *args);
#ifndef __cplusplus
#define WN_ARGS_softmax_(text, a0, a1, ...) \
    &(wn_softmax_args){.size_ = sizeof(wn_softmax_args), .self = a0, .dim = a1, __VA_ARGS__}
#define wn_softmax(...) \
    wn_softmax_x(WN_2_(WN_FEW_, WN_ARGS_softmax_, __VA_ARGS__)("too few arguments: wn_softmax(self, dim, ...)", __VA_ARGS__, ))
#endif

/* log_softmax.int(Tensor self, int dim, ScalarType? dtype=None, *, Tensor? where=None) -> Tensor
 * x - log(sum(exp(x))) along dim; -inf where where= leaves elements out. */
typedef wn_softmax_args wn_log_softmax_args;
WN_API wn_tensor *wn_log_softmax_x(const wn_log_softmax_args *args);
#ifndef __cplusplus
#define WN_ARGS_log_softmax_(text, a0, a1, ...) \
    &(wn_log_softmax_args){.size_ = sizeof(wn_log_softmax_args), .self = a0, .dim = a1, __VA_ARGS__}
#define wn_log_softmax(...) \
    wn_log_softmax_x(WN_2_(WN_FEW_, WN_ARGS_log_softmax_, __VA_ARGS__)("too few arguments: wn_log_softmax(self, dim, ...)", __VA_ARGS__, ))
#endif

/* softmax_backward(Tensor grad_output, Tensor output, int dim, *, Tensor? where=None) -> Tensor
 * y * (g - sum(g * y)) along dim: what softmax's gradient runs when nobody differentiates it again. */
typedef struct wn_softmax_backward_args {
    size_t size_;
    wn_tensor *grad_output;
    wn_tensor *output;
    int64_t dim;
    wn_tensor *where;
    wn_tensor *out;
} wn_softmax_backward_args;
WN_API wn_tensor *wn_softmax_backward_x(const wn_softmax_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_softmax_backward_(text, a0, a1, a2, ...) \
    &(wn_softmax_backward_args){.size_ = sizeof(wn_softmax_backward_args), .grad_output = a0, .output = a1, .dim = a2, __VA_ARGS__}
#define wn_softmax_backward(...) \
    wn_softmax_backward_x(WN_3_(WN_FEW_, WN_ARGS_softmax_backward_, __VA_ARGS__)("too few arguments: wn_softmax_backward(grad_output, output, dim, ...)", __VA_ARGS__, ))
#endif

/* log_softmax_backward(Tensor grad_output, Tensor output, int dim, *, Tensor? where=None) -> Tensor
 * g - exp(y) * sum(g) along dim: what log_softmax's gradient runs when nobody differentiates it again. */
typedef wn_softmax_backward_args wn_log_softmax_backward_args;
WN_API wn_tensor *wn_log_softmax_backward_x(const wn_log_softmax_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_log_softmax_backward_(text, a0, a1, a2, ...) \
    &(wn_log_softmax_backward_args){.size_ = sizeof(wn_log_softmax_backward_args), .grad_output = a0, .output = a1, .dim = a2, __VA_ARGS__}
#define wn_log_softmax_backward(...) \
    wn_log_softmax_backward_x(WN_3_(WN_FEW_, WN_ARGS_log_softmax_backward_, __VA_ARGS__)("too few arguments: wn_log_softmax_backward(grad_output, output, dim, ...)", __VA_ARGS__, ))
#endif

/* layer_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, *, Tensor? where=None) -> Tensor
 * (x - mean) / sqrt(var + eps) * weight + bias, over the trailing dimensions normalized_shape. */
typedef struct wn_layer_norm_args {
    size_t size_;
    wn_tensor *input;
    wn_dims normalized_shape;
    wn_tensor *weight;
    wn_tensor *bias;
    wn_val eps;
    wn_tensor *where;
} wn_layer_norm_args;
WN_API wn_tensor *wn_layer_norm_x(const wn_layer_norm_args *args);
#ifndef __cplusplus
#define WN_ARGS_layer_norm_(text, a0, a1, ...) \
    &(wn_layer_norm_args){.size_ = sizeof(wn_layer_norm_args), .input = a0, .normalized_shape = a1, __VA_ARGS__}
#define wn_layer_norm(...) \
    wn_layer_norm_x(WN_2_(WN_FEW_, WN_ARGS_layer_norm_, __VA_ARGS__)("too few arguments: wn_layer_norm(input, normalized_shape, ...)", __VA_ARGS__, ))
#endif

/* native_layer_norm(Tensor input, int[] normalized_shape, Tensor? weight, Tensor? bias, float eps) -> (Tensor out, Tensor mean, Tensor rstd)
 * layer_norm with its statistics (which are not differentiable). */
typedef struct wn_native_layer_norm_args {
    size_t size_;
    wn_tensor *input;
    wn_dims normalized_shape;
    wn_tensor *weight;
    wn_tensor *bias;
    double eps;
} wn_native_layer_norm_args;
typedef struct wn_native_layer_norm_out {
    wn_tensor *out, *mean, *rstd;
} wn_native_layer_norm_out;
WN_API wn_native_layer_norm_out wn_native_layer_norm_x(const wn_native_layer_norm_args *args);
#ifndef __cplusplus
#define WN_ARGS_native_layer_norm_(text, a0, a1, a2, a3, a4, ...) \
    &(wn_native_layer_norm_args){.size_ = sizeof(wn_native_layer_norm_args), .input = a0, .normalized_shape = a1, .weight = a2, .bias = a3, .eps = a4, __VA_ARGS__}
#define wn_native_layer_norm(...) \
    wn_native_layer_norm_x(WN_5_(WN_FEW_, WN_ARGS_native_layer_norm_, __VA_ARGS__)("too few arguments: wn_native_layer_norm(input, normalized_shape, weight, bias, eps, ...)", __VA_ARGS__, ))
#endif

/* native_layer_norm_backward(Tensor grad_out, Tensor input, int[] normalized_shape, Tensor mean, Tensor rstd, Tensor? weight, bool need_input, bool need_weight, bool need_bias) -> (Tensor grad_input, Tensor grad_weight, Tensor grad_bias)
 * Gradients of layer_norm in one pass; those not needed have no elements. */
typedef struct wn_native_layer_norm_backward_args {
    size_t size_;
    wn_tensor *grad_out;
    wn_tensor *input;
    wn_dims normalized_shape;
    wn_tensor *mean;
    wn_tensor *rstd;
    wn_tensor *weight;
    bool need_input;
    bool need_weight;
    bool need_bias;
} wn_native_layer_norm_backward_args;
typedef struct wn_native_layer_norm_backward_out {
    wn_tensor *grad_input, *grad_weight, *grad_bias;
} wn_native_layer_norm_backward_out;
WN_API wn_native_layer_norm_backward_out wn_native_layer_norm_backward_x(const wn_native_layer_norm_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_native_layer_norm_backward_(text, a0, a1, a2, a3, a4, a5, a6, a7, a8, ...) \
    &(wn_native_layer_norm_backward_args){.size_ = sizeof(wn_native_layer_norm_backward_args), .grad_out = a0, .input = a1, .normalized_shape = a2, .mean = a3, .rstd = a4, .weight = a5, .need_input = a6, .need_weight = a7, .need_bias = a8, __VA_ARGS__}
#define wn_native_layer_norm_backward(...) \
    wn_native_layer_norm_backward_x(WN_9_(WN_FEW_, WN_ARGS_native_layer_norm_backward_, __VA_ARGS__)("too few arguments: wn_native_layer_norm_backward(grad_out, input, normalized_shape, mean, rstd, weight, need_input, need_weight, need_bias, ...)", __VA_ARGS__, ))
#endif

/* group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-05) -> Tensor
 * layer_norm over each of num_groups groups of channels (dimension 1) and all that follows; weight and bias by
 * channel. */
typedef struct wn_group_norm_args {
    size_t size_;
    wn_tensor *input;
    int64_t num_groups;
    wn_tensor *weight;
    wn_tensor *bias;
    wn_val eps;
} wn_group_norm_args;
WN_API wn_tensor *wn_group_norm_x(const wn_group_norm_args *args);
#ifndef __cplusplus
#define WN_ARGS_group_norm_(text, a0, a1, ...) \
    &(wn_group_norm_args){.size_ = sizeof(wn_group_norm_args), .input = a0, .num_groups = a1, __VA_ARGS__}
#define wn_group_norm(...) \
    wn_group_norm_x(WN_2_(WN_FEW_, WN_ARGS_group_norm_, __VA_ARGS__)("too few arguments: wn_group_norm(input, num_groups, ...)", __VA_ARGS__, ))
#endif

/* native_group_norm(Tensor input, Tensor? weight, Tensor? bias, int num_groups, float eps) -> (Tensor out, Tensor mean, Tensor rstd)
 * group_norm with its statistics by image and group (which are not differentiable). */
typedef struct wn_native_group_norm_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *weight;
    wn_tensor *bias;
    int64_t num_groups;
    double eps;
} wn_native_group_norm_args;
typedef struct wn_native_group_norm_out {
    wn_tensor *out, *mean, *rstd;
} wn_native_group_norm_out;
WN_API wn_native_group_norm_out wn_native_group_norm_x(const wn_native_group_norm_args *args);
#ifndef __cplusplus
#define WN_ARGS_native_group_norm_(text, a0, a1, a2, a3, a4, ...) \
    &(wn_native_group_norm_args){.size_ = sizeof(wn_native_group_norm_args), .input = a0, .weight = a1, .bias = a2, .num_groups = a3, .eps = a4, __VA_ARGS__}
#define wn_native_group_norm(...) \
    wn_native_group_norm_x(WN_5_(WN_FEW_, WN_ARGS_native_group_norm_, __VA_ARGS__)("too few arguments: wn_native_group_norm(input, weight, bias, num_groups, eps, ...)", __VA_ARGS__, ))
#endif

/* native_group_norm_backward(Tensor grad_out, Tensor input, int num_groups, Tensor mean, Tensor rstd, Tensor? weight, bool need_input, bool need_weight, bool need_bias) -> (Tensor grad_input, Tensor grad_weight, Tensor grad_bias)
 * Gradients of group_norm in one pass; those not needed have no elements. */
typedef struct wn_native_group_norm_backward_args {
    size_t size_;
    wn_tensor *grad_out;
    wn_tensor *input;
    int64_t num_groups;
    wn_tensor *mean;
    wn_tensor *rstd;
    wn_tensor *weight;
    bool need_input;
    bool need_weight;
    bool need_bias;
} wn_native_group_norm_backward_args;
typedef struct wn_native_group_norm_backward_out {
    wn_tensor *grad_input, *grad_weight, *grad_bias;
} wn_native_group_norm_backward_out;
WN_API wn_native_group_norm_backward_out wn_native_group_norm_backward_x(const wn_native_group_norm_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_native_group_norm_backward_(text, a0, a1, a2, a3, a4, a5, a6, a7, a8, ...) \
    &(wn_native_group_norm_backward_args){.size_ = sizeof(wn_native_group_norm_backward_args), .grad_out = a0, .input = a1, .num_groups = a2, .mean = a3, .rstd = a4, .weight = a5, .need_input = a6, .need_weight = a7, .need_bias = a8, __VA_ARGS__}
#define wn_native_group_norm_backward(...) \
    wn_native_group_norm_backward_x(WN_9_(WN_FEW_, WN_ARGS_native_group_norm_backward_, __VA_ARGS__)("too few arguments: wn_native_group_norm_backward(grad_out, input, num_groups, mean, rstd, weight, need_input, need_weight, need_bias, ...)", __VA_ARGS__, ))
#endif

/* rms_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, float? eps=None, *, Tensor? where=None) -> Tensor
 * x / sqrt(mean(x^2) + eps) * weight over the trailing dimensions normalized_shape; eps: the dtype's epsilon
 * unless given. */
typedef struct wn_rms_norm_args {
    size_t size_;
    wn_tensor *input;
    wn_dims normalized_shape;
    wn_tensor *weight;
    wn_val eps;
    wn_tensor *where;
} wn_rms_norm_args;
WN_API wn_tensor *wn_rms_norm_x(const wn_rms_norm_args *args);
#ifndef __cplusplus
#define WN_ARGS_rms_norm_(text, a0, a1, ...) \
    &(wn_rms_norm_args){.size_ = sizeof(wn_rms_norm_args), .input = a0, .normalized_shape = a1, __VA_ARGS__}
#define wn_rms_norm(...) \
    wn_rms_norm_x(WN_2_(WN_FEW_, WN_ARGS_rms_norm_, __VA_ARGS__)("too few arguments: wn_rms_norm(input, normalized_shape, ...)", __VA_ARGS__, ))
#endif

/* batch_norm(Tensor input, Tensor? weight=None, Tensor? bias=None, Tensor(a!)? running_mean=None, Tensor(b!)? running_var=None, bool training=False, float momentum=0.1, float eps=1e-05, *, Tensor? where=None) -> Tensor
 * (x - mean) / sqrt(var + eps) * weight + bias by channel (dimension 1): of the batch in training, which also
 * moves the running statistics, else of the running ones. A channel in which where= leaves nothing gives 0 and
 * keeps its statistics. */
typedef struct wn_batch_norm_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *weight;
    wn_tensor *bias;
    wn_tensor *running_mean;
    wn_tensor *running_var;
    bool training;
    wn_val momentum;
    wn_val eps;
    wn_tensor *where;
} wn_batch_norm_args;
WN_API wn_tensor *wn_batch_norm_x(const wn_batch_norm_args *args);
#ifndef __cplusplus
#define wn_batch_norm(...) \
    wn_batch_norm_x(&(wn_batch_norm_args){.size_ = sizeof(wn_batch_norm_args), .input = __VA_ARGS__})
#endif

/* native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!)? running_mean, Tensor(b!)? running_var, bool training, float momentum, float eps) -> (Tensor out, Tensor save_mean, Tensor save_invstd)
 * batch_norm with the statistics it used. */
typedef struct wn_native_batch_norm_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *weight;
    wn_tensor *bias;
    wn_tensor *running_mean;
    wn_tensor *running_var;
    bool training;
    double momentum;
    double eps;
} wn_native_batch_norm_args;
typedef struct wn_native_batch_norm_out {
    wn_tensor *out, *save_mean, *save_invstd;
} wn_native_batch_norm_out;
WN_API wn_native_batch_norm_out wn_native_batch_norm_x(const wn_native_batch_norm_args *args);
#ifndef __cplusplus
#define WN_ARGS_native_batch_norm_(text, a0, a1, a2, a3, a4, a5, a6, a7, ...) \
    &(wn_native_batch_norm_args){.size_ = sizeof(wn_native_batch_norm_args), .input = a0, .weight = a1, .bias = a2, .running_mean = a3, .running_var = a4, .training = a5, .momentum = a6, .eps = a7, __VA_ARGS__}
#define wn_native_batch_norm(...) \
    wn_native_batch_norm_x(WN_8_(WN_FEW_, WN_ARGS_native_batch_norm_, __VA_ARGS__)("too few arguments: wn_native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, ...)", __VA_ARGS__, ))
#endif

/* native_batch_norm_backward(Tensor grad_out, Tensor input, Tensor save_mean, Tensor save_invstd, Tensor? weight, bool training, bool need_input) -> (Tensor grad_input, Tensor grad_weight, Tensor grad_bias)
 * Gradients of batch_norm. */
typedef struct wn_native_batch_norm_backward_args {
    size_t size_;
    wn_tensor *grad_out;
    wn_tensor *input;
    wn_tensor *save_mean;
    wn_tensor *save_invstd;
    wn_tensor *weight;
    bool training;
    bool need_input;
} wn_native_batch_norm_backward_args;
typedef struct wn_native_batch_norm_backward_out {
    wn_tensor *grad_input, *grad_weight, *grad_bias;
} wn_native_batch_norm_backward_out;
WN_API wn_native_batch_norm_backward_out wn_native_batch_norm_backward_x(const wn_native_batch_norm_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_native_batch_norm_backward_(text, a0, a1, a2, a3, a4, a5, a6, ...) \
    &(wn_native_batch_norm_backward_args){.size_ = sizeof(wn_native_batch_norm_backward_args), .grad_out = a0, .input = a1, .save_mean = a2, .save_invstd = a3, .weight = a4, .training = a5, .need_input = a6, __VA_ARGS__}
#define wn_native_batch_norm_backward(...) \
    wn_native_batch_norm_backward_x(WN_7_(WN_FEW_, WN_ARGS_native_batch_norm_backward_, __VA_ARGS__)("too few arguments: wn_native_batch_norm_backward(grad_out, input, save_mean, save_invstd, weight, training, need_input, ...)", __VA_ARGS__, ))
#endif

/* sort(Tensor self, int dim=-1, bool descending=False, *, bool stable=False) -> (Tensor values, Tensor indices)
 * self in order along dim, and where each element came from. Always stable. */
typedef struct wn_sort_args {
    size_t size_;
    wn_tensor *self;
    wn_val dim;
    bool descending;
    bool stable;
} wn_sort_args;
typedef struct wn_sort_out {
    wn_tensor *values, *indices;
} wn_sort_out;
WN_API wn_sort_out wn_sort_x(const wn_sort_args *args);
#ifndef __cplusplus
#define wn_sort(...) \
    wn_sort_x(&(wn_sort_args){.size_ = sizeof(wn_sort_args), .self = __VA_ARGS__})
#endif

/* argsort(Tensor self, int dim=-1, bool descending=False, *, bool stable=False) -> Tensor
 * The indices that put self in order along dim. */
typedef struct wn_argsort_args {
    size_t size_;
    wn_tensor *self;
    wn_val dim;
    bool descending;
    bool stable;
    wn_tensor *out;
} wn_argsort_args;
WN_API wn_tensor *wn_argsort_x(const wn_argsort_args *args);
#ifndef __cplusplus
#define wn_argsort(...) \
    wn_argsort_x(&(wn_argsort_args){.size_ = sizeof(wn_argsort_args), .self = __VA_ARGS__})
#endif

/* topk(Tensor self, int k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor indices)
 * The k largest (smallest) elements along dim, in order, with their indices; of equal ones the first. */
typedef struct wn_topk_args {
    size_t size_;
    wn_tensor *self;
    int64_t k;
    wn_val dim;
    wn_switch largest;
    wn_switch sorted;
} wn_topk_args;
typedef struct wn_topk_out {
    wn_tensor *values, *indices;
} wn_topk_out;
WN_API wn_topk_out wn_topk_x(const wn_topk_args *args);
#ifndef __cplusplus
#define WN_ARGS_topk_(text, a0, a1, ...) \
    &(wn_topk_args){.size_ = sizeof(wn_topk_args), .self = a0, .k = a1, __VA_ARGS__}
#define wn_topk(...) \
    wn_topk_x(WN_2_(WN_FEW_, WN_ARGS_topk_, __VA_ARGS__)("too few arguments: wn_topk(self, k, ...)", __VA_ARGS__, ))
#endif

/* msort(Tensor self) -> Tensor
 * self in ascending order along its first dimension; stable. */
typedef struct wn_msort_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_msort_args;
WN_API wn_tensor *wn_msort_x(const wn_msort_args *args);
#ifndef __cplusplus
#define wn_msort(...) \
    wn_msort_x(&(wn_msort_args){.size_ = sizeof(wn_msort_args), .self = __VA_ARGS__})
#endif

/* median(Tensor self) -> Tensor
 * The lower median of all elements: number (n + 1) / 2 in ascending order; NaN if any element is. Elements equal
 * to it share the gradient evenly. */
typedef struct wn_median_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_median_args;
WN_API wn_tensor *wn_median_x(const wn_median_args *args);
#ifndef __cplusplus
#define wn_median(...) \
    wn_median_x(&(wn_median_args){.size_ = sizeof(wn_median_args), .self = __VA_ARGS__})
#endif

/* median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)
 * The lower median along dim and where it is; the first NaN if there is one. The gradient goes to that element. */
typedef struct wn_median_dim_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    bool keepdim;
} wn_median_dim_args;
typedef struct wn_median_dim_out {
    wn_tensor *values, *indices;
} wn_median_dim_out;
WN_API wn_median_dim_out wn_median_dim_x(const wn_median_dim_args *args);
#ifndef __cplusplus
#define WN_ARGS_median_dim_(text, a0, a1, ...) \
    &(wn_median_dim_args){.size_ = sizeof(wn_median_dim_args), .self = a0, .dim = a1, __VA_ARGS__}
#define wn_median_dim(...) \
    wn_median_dim_x(WN_2_(WN_FEW_, WN_ARGS_median_dim_, __VA_ARGS__)("too few arguments: wn_median_dim(self, dim, ...)", __VA_ARGS__, ))
#endif

/* nanmedian(Tensor self) -> Tensor
 * The lower median of the elements that are not NaN; NaN if there are none. */
typedef wn_median_args wn_nanmedian_args;
WN_API wn_tensor *wn_nanmedian_x(const wn_nanmedian_args *args);
#ifndef __cplusplus
#define wn_nanmedian(...) \
    wn_nanmedian_x(&(wn_nanmedian_args){.size_ = sizeof(wn_nanmedian_args), .self = __VA_ARGS__})
#endif

/* nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)
 * The lower median along dim of the elements that are not NaN, and where it is. */
typedef wn_median_dim_args wn_nanmedian_dim_args;
typedef struct wn_nanmedian_dim_out {
    wn_tensor *values, *indices;
} wn_nanmedian_dim_out;
WN_API wn_nanmedian_dim_out wn_nanmedian_dim_x(const wn_nanmedian_dim_args *args);
#ifndef __cplusplus
#define WN_ARGS_nanmedian_dim_(text, a0, a1, ...) \
    &(wn_nanmedian_dim_args){.size_ = sizeof(wn_nanmedian_dim_args), .self = a0, .dim = a1, __VA_ARGS__}
#define wn_nanmedian_dim(...) \
    wn_nanmedian_dim_x(WN_2_(WN_FEW_, WN_ARGS_nanmedian_dim_, __VA_ARGS__)("too few arguments: wn_nanmedian_dim(self, dim, ...)", __VA_ARGS__, ))
#endif

/* kthvalue(Tensor self, int k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)
 * The k-th smallest element along dim (k = 1: the smallest) and where it is: sort's element k - 1, of equal ones,
 * too. */
typedef struct wn_kthvalue_args {
    size_t size_;
    wn_tensor *self;
    int64_t k;
    wn_val dim;
    bool keepdim;
} wn_kthvalue_args;
typedef struct wn_kthvalue_out {
    wn_tensor *values, *indices;
} wn_kthvalue_out;
WN_API wn_kthvalue_out wn_kthvalue_x(const wn_kthvalue_args *args);
#ifndef __cplusplus
#define WN_ARGS_kthvalue_(text, a0, a1, ...) \
    &(wn_kthvalue_args){.size_ = sizeof(wn_kthvalue_args), .self = a0, .k = a1, __VA_ARGS__}
#define wn_kthvalue(...) \
    wn_kthvalue_x(WN_2_(WN_FEW_, WN_ARGS_kthvalue_, __VA_ARGS__)("too few arguments: wn_kthvalue(self, k, ...)", __VA_ARGS__, ))
#endif

/* mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)
 * The most frequent element along dim (of several the smallest) and its last place. Each NaN is an element of its
 * own. */
typedef struct wn_mode_args {
    size_t size_;
    wn_tensor *self;
    wn_val dim;
    bool keepdim;
} wn_mode_args;
typedef struct wn_mode_out {
    wn_tensor *values, *indices;
} wn_mode_out;
WN_API wn_mode_out wn_mode_x(const wn_mode_args *args);
#ifndef __cplusplus
#define wn_mode(...) \
    wn_mode_x(&(wn_mode_args){.size_ = sizeof(wn_mode_args), .self = __VA_ARGS__})
#endif

/* quantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor
 * Quantiles q (0-d, or 1-d: they become the first dimension) along dim (default: of all elements): element q (n -
 * 1) in ascending order; between two: linear, lower, higher, midpoint, nearest. NaN if any element is. */
typedef struct wn_quantile_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *q;
    wn_val dim;
    bool keepdim;
    const char *interpolation;
    wn_tensor *out;
} wn_quantile_args;
WN_API wn_tensor *wn_quantile_x(const wn_quantile_args *args);
#ifndef __cplusplus
#define WN_ARGS_quantile_(text, a0, a1, ...) \
    &(wn_quantile_args){.size_ = sizeof(wn_quantile_args), .self = a0, .q = a1, __VA_ARGS__}
#define wn_quantile(...) \
    wn_quantile_x(WN_2_(WN_FEW_, WN_ARGS_quantile_, __VA_ARGS__)("too few arguments: wn_quantile(self, q, ...)", __VA_ARGS__, ))
#endif

/* quantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor
 * quantile for one number. */
typedef struct wn_quantile_at_args {
    size_t size_;
    wn_tensor *self;
    double q;
    wn_val dim;
    bool keepdim;
    const char *interpolation;
    wn_tensor *out;
} wn_quantile_at_args;
WN_API wn_tensor *wn_quantile_at_x(const wn_quantile_at_args *args);
#ifndef __cplusplus
#define WN_ARGS_quantile_at_(text, a0, a1, ...) \
    &(wn_quantile_at_args){.size_ = sizeof(wn_quantile_at_args), .self = a0, .q = a1, __VA_ARGS__}
#define wn_quantile_at(...) \
    wn_quantile_at_x(WN_2_(WN_FEW_, WN_ARGS_quantile_at_, __VA_ARGS__)("too few arguments: wn_quantile_at(self, q, ...)", __VA_ARGS__, ))
#endif

/* nanquantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor
 * quantile of the elements that are not NaN; NaN where there are none. */
typedef wn_quantile_args wn_nanquantile_args;
WN_API wn_tensor *wn_nanquantile_x(const wn_nanquantile_args *args);
#ifndef __cplusplus
#define WN_ARGS_nanquantile_(text, a0, a1, ...) \
    &(wn_nanquantile_args){.size_ = sizeof(wn_nanquantile_args), .self = a0, .q = a1, __VA_ARGS__}
#define wn_nanquantile(...) \
    wn_nanquantile_x(WN_2_(WN_FEW_, WN_ARGS_nanquantile_, __VA_ARGS__)("too few arguments: wn_nanquantile(self, q, ...)", __VA_ARGS__, ))
#endif

/* nanquantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor
 * nanquantile for one number. */
typedef wn_quantile_at_args wn_nanquantile_at_args;
WN_API wn_tensor *wn_nanquantile_at_x(const wn_nanquantile_at_args *args);
#ifndef __cplusplus
#define WN_ARGS_nanquantile_at_(text, a0, a1, ...) \
    &(wn_nanquantile_at_args){.size_ = sizeof(wn_nanquantile_at_args), .self = a0, .q = a1, __VA_ARGS__}
#define wn_nanquantile_at(...) \
    wn_nanquantile_at_x(WN_2_(WN_FEW_, WN_ARGS_nanquantile_at_, __VA_ARGS__)("too few arguments: wn_nanquantile_at(self, q, ...)", __VA_ARGS__, ))
#endif

/* _unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor output, Tensor inverse, Tensor counts)
 * The distinct elements in ascending order (always), 1-d; where each element of self went; how often each is
 * there. What was not asked for is empty. Each NaN is distinct. */
typedef struct wn_unique_args {
    size_t size_;
    wn_tensor *self;
    wn_switch sorted;
    bool return_inverse;
    bool return_counts;
} wn_unique_args;
typedef struct wn_unique_out {
    wn_tensor *output, *inverse, *counts;
} wn_unique_out;
WN_API wn_unique_out wn_unique_x(const wn_unique_args *args);
#ifndef __cplusplus
#define wn_unique(...) \
    wn_unique_x(&(wn_unique_args){.size_ = sizeof(wn_unique_args), .self = __VA_ARGS__})
#endif

/* unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor output, Tensor inverse, Tensor counts)
 * The distinct slices of self along dim in lexicographic order, where each slice went, how often each is there. */
typedef struct wn_unique_dim_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    wn_switch sorted;
    bool return_inverse;
    bool return_counts;
} wn_unique_dim_args;
typedef struct wn_unique_dim_out {
    wn_tensor *output, *inverse, *counts;
} wn_unique_dim_out;
WN_API wn_unique_dim_out wn_unique_dim_x(const wn_unique_dim_args *args);
#ifndef __cplusplus
#define WN_ARGS_unique_dim_(text, a0, a1, ...) \
    &(wn_unique_dim_args){.size_ = sizeof(wn_unique_dim_args), .self = a0, .dim = a1, __VA_ARGS__}
#define wn_unique_dim(...) \
    wn_unique_dim_x(WN_2_(WN_FEW_, WN_ARGS_unique_dim_, __VA_ARGS__)("too few arguments: wn_unique_dim(self, dim, ...)", __VA_ARGS__, ))
#endif

/* unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None) -> (Tensor output, Tensor inverse, Tensor counts)
 * self (flattened, or its slices along dim) without those that equal the one before; where each went; how many
 * each stands for. */
typedef struct wn_unique_consecutive_args {
    size_t size_;
    wn_tensor *self;
    bool return_inverse;
    bool return_counts;
    wn_val dim;
} wn_unique_consecutive_args;
typedef struct wn_unique_consecutive_out {
    wn_tensor *output, *inverse, *counts;
} wn_unique_consecutive_out;
WN_API wn_unique_consecutive_out wn_unique_consecutive_x(const wn_unique_consecutive_args *args);
#ifndef __cplusplus
#define wn_unique_consecutive(...) \
    wn_unique_consecutive_x(&(wn_unique_consecutive_args){.size_ = sizeof(wn_unique_consecutive_args), .self = __VA_ARGS__})
#endif

/* searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor
 * For each element v of self the first place in the (last dimension's) ascending sequence whose element is >= v
 * (right: > v). Sequences are 1-d, or have self's leading dimensions. sorter: the order that sorts them. */
typedef struct wn_searchsorted_args {
    size_t size_;
    wn_tensor *sorted_sequence;
    wn_tensor *self;
    bool out_int32;
    bool right;
    const char *side;
    wn_tensor *sorter;
    wn_tensor *out;
} wn_searchsorted_args;
WN_API wn_tensor *wn_searchsorted_x(const wn_searchsorted_args *args);
#ifndef __cplusplus
#define WN_ARGS_searchsorted_(text, a0, a1, ...) \
    &(wn_searchsorted_args){.size_ = sizeof(wn_searchsorted_args), .sorted_sequence = a0, .self = a1, __VA_ARGS__}
#define wn_searchsorted(...) \
    wn_searchsorted_x(WN_2_(WN_FEW_, WN_ARGS_searchsorted_, __VA_ARGS__)("too few arguments: wn_searchsorted(sorted_sequence, self, ...)", __VA_ARGS__, ))
#endif

/* searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor
 * searchsorted for one number in a 1-d sequence. */
typedef struct wn_searchsorted_number_args {
    size_t size_;
    wn_tensor *sorted_sequence;
    wn_val self;
    bool out_int32;
    bool right;
    const char *side;
    wn_tensor *sorter;
    wn_tensor *out;
} wn_searchsorted_number_args;
WN_API wn_tensor *wn_searchsorted_number_x(const wn_searchsorted_number_args *args);
#ifndef __cplusplus
#define WN_ARGS_searchsorted_number_(text, a0, a1, ...) \
    &(wn_searchsorted_number_args){.size_ = sizeof(wn_searchsorted_number_args), .sorted_sequence = a0, .self = WN_VAL(a1), __VA_ARGS__}
#define wn_searchsorted_number(...) \
    wn_searchsorted_number_x(WN_2_(WN_FEW_, WN_ARGS_searchsorted_number_, __VA_ARGS__)("too few arguments: wn_searchsorted_number(sorted_sequence, self, ...)", __VA_ARGS__, ))
#endif

/* bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor
 * The bucket of each element between ascending boundaries: boundaries[i-1] < x <= boundaries[i] (right:
 * boundaries[i-1] <= x < boundaries[i]). */
typedef struct wn_bucketize_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *boundaries;
    bool out_int32;
    bool right;
    wn_tensor *out;
} wn_bucketize_args;
WN_API wn_tensor *wn_bucketize_x(const wn_bucketize_args *args);
#ifndef __cplusplus
#define WN_ARGS_bucketize_(text, a0, a1, ...) \
    &(wn_bucketize_args){.size_ = sizeof(wn_bucketize_args), .self = a0, .boundaries = a1, __VA_ARGS__}
#define wn_bucketize(...) \
    wn_bucketize_x(WN_2_(WN_FEW_, WN_ARGS_bucketize_, __VA_ARGS__)("too few arguments: wn_bucketize(self, boundaries, ...)", __VA_ARGS__, ))
#endif

/* bucketize.Scalar(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor
 * bucketize for one number. */
typedef struct wn_bucketize_number_args {
    size_t size_;
    wn_val self;
    wn_tensor *boundaries;
    bool out_int32;
    bool right;
    wn_tensor *out;
} wn_bucketize_number_args;
WN_API wn_tensor *wn_bucketize_number_x(const wn_bucketize_number_args *args);
#ifndef __cplusplus
#define WN_ARGS_bucketize_number_(text, a0, a1, ...) \
    &(wn_bucketize_number_args){.size_ = sizeof(wn_bucketize_number_args), .self = WN_VAL(a0), .boundaries = a1, __VA_ARGS__}
#define wn_bucketize_number(...) \
    wn_bucketize_number_x(WN_2_(WN_FEW_, WN_ARGS_bucketize_number_, __VA_ARGS__)("too few arguments: wn_bucketize_number(self, boundaries, ...)", __VA_ARGS__, ))
#endif

/* isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor
 * Is the element among test_elements? (invert: is it not?) NaN never is. assume_unique changes nothing. */
typedef struct wn_isin_args {
    size_t size_;
    wn_tensor *elements;
    wn_tensor *test_elements;
    bool assume_unique;
    bool invert;
    wn_tensor *out;
} wn_isin_args;
WN_API wn_tensor *wn_isin_x(const wn_isin_args *args);
#ifndef __cplusplus
#define WN_ARGS_isin_(text, a0, a1, ...) \
    &(wn_isin_args){.size_ = sizeof(wn_isin_args), .elements = a0, .test_elements = a1, __VA_ARGS__}
#define wn_isin(...) \
    wn_isin_x(WN_2_(WN_FEW_, WN_ARGS_isin_, __VA_ARGS__)("too few arguments: wn_isin(elements, test_elements, ...)", __VA_ARGS__, ))
#endif

/* isin.Tensor_Scalar(Tensor elements, Scalar test_element, *, bool assume_unique=False, bool invert=False) -> Tensor
 * Does the element equal the number? (invert: does it not?) */
typedef struct wn_isin_number_args {
    size_t size_;
    wn_tensor *elements;
    wn_val test_element;
    bool assume_unique;
    bool invert;
    wn_tensor *out;
} wn_isin_number_args;
WN_API wn_tensor *wn_isin_number_x(const wn_isin_number_args *args);
#ifndef __cplusplus
#define WN_ARGS_isin_number_(text, a0, a1, ...) \
    &(wn_isin_number_args){.size_ = sizeof(wn_isin_number_args), .elements = a0, .test_element = WN_VAL(a1), __VA_ARGS__}
#define wn_isin_number(...) \
    wn_isin_number_x(WN_2_(WN_FEW_, WN_ARGS_isin_number_, __VA_ARGS__)("too few arguments: wn_isin_number(elements, test_element, ...)", __VA_ARGS__, ))
#endif

/* isin.Scalar_Tensor(Scalar element, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor
 * Is the number among test_elements? 0-d bool. */
typedef struct wn_isin_of_number_args {
    size_t size_;
    wn_val element;
    wn_tensor *test_elements;
    bool assume_unique;
    bool invert;
    wn_tensor *out;
} wn_isin_of_number_args;
WN_API wn_tensor *wn_isin_of_number_x(const wn_isin_of_number_args *args);
#ifndef __cplusplus
#define WN_ARGS_isin_of_number_(text, a0, a1, ...) \
    &(wn_isin_of_number_args){.size_ = sizeof(wn_isin_of_number_args), .element = WN_VAL(a0), .test_elements = a1, __VA_ARGS__}
#define wn_isin_of_number(...) \
    wn_isin_of_number_x(WN_2_(WN_FEW_, WN_ARGS_isin_of_number_, __VA_ARGS__)("too few arguments: wn_isin_of_number(element, test_elements, ...)", __VA_ARGS__, ))
#endif

/* bincount(Tensor self, Tensor? weights=None, int minlength=0) -> Tensor
 * How often each number 0, 1, ... is in the 1-d self of non-negative integers, int64; with weights the sum of
 * their weights (float32 stays, others become float64). At least minlength numbers. */
typedef struct wn_bincount_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *weights;
    int64_t minlength;
} wn_bincount_args;
WN_API wn_tensor *wn_bincount_x(const wn_bincount_args *args);
#ifndef __cplusplus
#define wn_bincount(...) \
    wn_bincount_x(&(wn_bincount_args){.size_ = sizeof(wn_bincount_args), .self = __VA_ARGS__})
#endif

/* histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor
 * How many elements lie in each of `bins` equal parts of [min, max], in self's dtype; both 0: of what self spans.
 * Elements outside, and NaN, are not counted. */
typedef struct wn_histc_args {
    size_t size_;
    wn_tensor *self;
    wn_val bins;
    wn_val min;
    wn_val max;
    wn_tensor *out;
} wn_histc_args;
WN_API wn_tensor *wn_histc_x(const wn_histc_args *args);
#ifndef __cplusplus
#define wn_histc(...) \
    wn_histc_x(&(wn_histc_args){.size_ = sizeof(wn_histc_args), .self = __VA_ARGS__})
#endif

/* histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges)
 * How many elements (the sum of whose weights) lie in each bin [bins[i], bins[i+1]), the last one closed; density:
 * divided by the total and the bin's width. */
typedef struct wn_histogram_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *bins;
    wn_tensor *weight;
    bool density;
} wn_histogram_args;
typedef struct wn_histogram_out {
    wn_tensor *hist, *bin_edges;
} wn_histogram_out;
WN_API wn_histogram_out wn_histogram_x(const wn_histogram_args *args);
#ifndef __cplusplus
#define WN_ARGS_histogram_(text, a0, a1, ...) \
    &(wn_histogram_args){.size_ = sizeof(wn_histogram_args), .self = a0, .bins = a1, __VA_ARGS__}
#define wn_histogram(...) \
    wn_histogram_x(WN_2_(WN_FEW_, WN_ARGS_histogram_, __VA_ARGS__)("too few arguments: wn_histogram(self, bins, ...)", __VA_ARGS__, ))
#endif

/* _histogram_count(Tensor self, int bins=100, Scalar? low=None, Scalar? high=None, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges)
 * histogram over `bins` equal bins of [low, high]; by default of what self spans. */
typedef struct wn_histogram_count_args {
    size_t size_;
    wn_tensor *self;
    wn_val bins;
    wn_val low;
    wn_val high;
    wn_tensor *weight;
    bool density;
} wn_histogram_count_args;
typedef struct wn_histogram_count_out {
    wn_tensor *hist, *bin_edges;
} wn_histogram_count_out;
WN_API wn_histogram_count_out wn_histogram_count_x(const wn_histogram_count_args *args);
#ifndef __cplusplus
#define wn_histogram_count(...) \
    wn_histogram_count_x(&(wn_histogram_count_args){.size_ = sizeof(wn_histogram_count_args), .self = __VA_ARGS__})
#endif

/* _histogram_cells(Tensor self, Tensor[] bins, Tensor? weight=None, bool equal=False) -> Tensor
 * Counts (or sums of weights) of the rows of self [..., d] in the cells of d ascending sequences of edges. equal:
 * the edges are equally spaced. */
typedef struct wn_histogram_cells_args {
    size_t size_;
    wn_tensor *self;
    wn_list bins;
    wn_tensor *weight;
    bool equal;
} wn_histogram_cells_args;
WN_API wn_tensor *wn_histogram_cells_x(const wn_histogram_cells_args *args);
#ifndef __cplusplus
#define WN_ARGS_histogram_cells_(text, a0, a1, ...) \
    &(wn_histogram_cells_args){.size_ = sizeof(wn_histogram_cells_args), .self = a0, .bins = a1, __VA_ARGS__}
#define wn_histogram_cells(...) \
    wn_histogram_cells_x(WN_2_(WN_FEW_, WN_ARGS_histogram_cells_, __VA_ARGS__)("too few arguments: wn_histogram_cells(self, bins, ...)", __VA_ARGS__, ))
#endif

/* index_select(Tensor self, int dim, Tensor index) -> Tensor
 * Slices of self along dim at the positions of the 1-d integer tensor index. */
typedef struct wn_index_select_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    wn_tensor *index;
    wn_tensor *out;
} wn_index_select_args;
WN_API wn_tensor *wn_index_select_x(const wn_index_select_args *args);
#ifndef __cplusplus
#define WN_ARGS_index_select_(text, a0, a1, a2, ...) \
    &(wn_index_select_args){.size_ = sizeof(wn_index_select_args), .self = a0, .dim = a1, .index = a2, __VA_ARGS__}
#define wn_index_select(...) \
    wn_index_select_x(WN_3_(WN_FEW_, WN_ARGS_index_select_, __VA_ARGS__)("too few arguments: wn_index_select(self, dim, index, ...)", __VA_ARGS__, ))
#endif

/* index_select_backward(Tensor grad, int[] self_sizes, int dim, Tensor index) -> Tensor
 * Zeros of self_sizes with grad's slices added at index. */
typedef struct wn_index_select_backward_args {
    size_t size_;
    wn_tensor *grad;
    wn_dims self_sizes;
    int64_t dim;
    wn_tensor *index;
    wn_tensor *out;
} wn_index_select_backward_args;
WN_API wn_tensor *wn_index_select_backward_x(const wn_index_select_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_index_select_backward_(text, a0, a1, a2, a3, ...) \
    &(wn_index_select_backward_args){.size_ = sizeof(wn_index_select_backward_args), .grad = a0, .self_sizes = a1, .dim = a2, .index = a3, __VA_ARGS__}
#define wn_index_select_backward(...) \
    wn_index_select_backward_x(WN_4_(WN_FEW_, WN_ARGS_index_select_backward_, __VA_ARGS__)("too few arguments: wn_index_select_backward(grad, self_sizes, dim, index, ...)", __VA_ARGS__, ))
#endif

/* index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor
 * self with alpha * source's slices added at the positions index along dim; repeats add up, in order. */
typedef struct wn_index_add_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    wn_tensor *index;
    wn_tensor *source;
    wn_val alpha;
    wn_tensor *out;
} wn_index_add_args;
WN_API wn_tensor *wn_index_add_x(const wn_index_add_args *args);
WN_API wn_tensor *wn_index_add_inplace_x(const wn_index_add_args *args);
#ifndef __cplusplus
#define WN_ARGS_index_add_(text, a0, a1, a2, a3, ...) \
    &(wn_index_add_args){.size_ = sizeof(wn_index_add_args), .self = a0, .dim = a1, .index = a2, .source = a3, __VA_ARGS__}
#define wn_index_add(...) \
    wn_index_add_x(WN_4_(WN_FEW_, WN_ARGS_index_add_, __VA_ARGS__)("too few arguments: wn_index_add(self, dim, index, source, ...)", __VA_ARGS__, ))
#define wn_index_add_(...) \
    wn_index_add_inplace_x(WN_4_(WN_FEW_, WN_ARGS_index_add_, __VA_ARGS__)("too few arguments: wn_index_add_(self, dim, index, source, ...)", __VA_ARGS__, ))
#endif

/* index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor
 * self with source's slices copied to the positions index along dim; of repeats the last wins. */
typedef struct wn_index_copy_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    wn_tensor *index;
    wn_tensor *source;
    wn_tensor *out;
} wn_index_copy_args;
WN_API wn_tensor *wn_index_copy_x(const wn_index_copy_args *args);
WN_API wn_tensor *wn_index_copy_inplace_x(const wn_index_copy_args *args);
#ifndef __cplusplus
#define WN_ARGS_index_copy_(text, a0, a1, a2, a3, ...) \
    &(wn_index_copy_args){.size_ = sizeof(wn_index_copy_args), .self = a0, .dim = a1, .index = a2, .source = a3, __VA_ARGS__}
#define wn_index_copy(...) \
    wn_index_copy_x(WN_4_(WN_FEW_, WN_ARGS_index_copy_, __VA_ARGS__)("too few arguments: wn_index_copy(self, dim, index, source, ...)", __VA_ARGS__, ))
#define wn_index_copy_(...) \
    wn_index_copy_inplace_x(WN_4_(WN_FEW_, WN_ARGS_index_copy_, __VA_ARGS__)("too few arguments: wn_index_copy_(self, dim, index, source, ...)", __VA_ARGS__, ))
#endif

/* index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor
 * index_fill with the value of a 0-d tensor. */
typedef struct wn_index_fill_tensor_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    wn_tensor *index;
    wn_tensor *value;
    wn_tensor *out;
} wn_index_fill_tensor_args;
WN_API wn_tensor *wn_index_fill_tensor_x(const wn_index_fill_tensor_args *args);
WN_API wn_tensor *wn_index_fill_tensor_inplace_x(const wn_index_fill_tensor_args *args);
#ifndef __cplusplus
#define WN_ARGS_index_fill_tensor_(text, a0, a1, a2, a3, ...) \
    &(wn_index_fill_tensor_args){.size_ = sizeof(wn_index_fill_tensor_args), .self = a0, .dim = a1, .index = a2, .value = a3, __VA_ARGS__}
#define wn_index_fill_tensor(...) \
    wn_index_fill_tensor_x(WN_4_(WN_FEW_, WN_ARGS_index_fill_tensor_, __VA_ARGS__)("too few arguments: wn_index_fill_tensor(self, dim, index, value, ...)", __VA_ARGS__, ))
#define wn_index_fill_tensor_(...) \
    wn_index_fill_tensor_inplace_x(WN_4_(WN_FEW_, WN_ARGS_index_fill_tensor_, __VA_ARGS__)("too few arguments: wn_index_fill_tensor_(self, dim, index, value, ...)", __VA_ARGS__, ))
#endif

/* index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor
 * self with its slices at the positions index along dim set to a number. */
typedef struct wn_index_fill_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    wn_tensor *index;
    wn_val value;
    wn_tensor *out;
} wn_index_fill_args;
WN_API wn_tensor *wn_index_fill_x(const wn_index_fill_args *args);
WN_API wn_tensor *wn_index_fill_inplace_x(const wn_index_fill_args *args);
#ifndef __cplusplus
#define WN_ARGS_index_fill_(text, a0, a1, a2, a3, ...) \
    &(wn_index_fill_args){.size_ = sizeof(wn_index_fill_args), .self = a0, .dim = a1, .index = a2, .value = WN_VAL(a3), __VA_ARGS__}
#define wn_index_fill(...) \
    wn_index_fill_x(WN_4_(WN_FEW_, WN_ARGS_index_fill_, __VA_ARGS__)("too few arguments: wn_index_fill(self, dim, index, value, ...)", __VA_ARGS__, ))
#define wn_index_fill_(...) \
    wn_index_fill_inplace_x(WN_4_(WN_FEW_, WN_ARGS_index_fill_, __VA_ARGS__)("too few arguments: wn_index_fill_(self, dim, index, value, ...)", __VA_ARGS__, ))
#endif

/* gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor
 * out[i][j][k] = self[index[i][j][k]][j][k] for dim = 0, and so on; index has self's number of dimensions.
 * sparse_grad is accepted: gradients are always dense. */
typedef struct wn_gather_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    wn_tensor *index;
    bool sparse_grad;
    wn_tensor *out;
} wn_gather_args;
WN_API wn_tensor *wn_gather_x(const wn_gather_args *args);
#ifndef __cplusplus
#define WN_ARGS_gather_(text, a0, a1, a2, ...) \
    &(wn_gather_args){.size_ = sizeof(wn_gather_args), .self = a0, .dim = a1, .index = a2, __VA_ARGS__}
#define wn_gather(...) \
    wn_gather_x(WN_3_(WN_FEW_, WN_ARGS_gather_, __VA_ARGS__)("too few arguments: wn_gather(self, dim, index, ...)", __VA_ARGS__, ))
#endif

/* gather_backward(Tensor grad, int[] self_sizes, int dim, Tensor index) -> Tensor
 * Zeros of self_sizes with grad scattered and added by index. */
typedef struct wn_gather_backward_args {
    size_t size_;
    wn_tensor *grad;
    wn_dims self_sizes;
    int64_t dim;
    wn_tensor *index;
    wn_tensor *out;
} wn_gather_backward_args;
WN_API wn_tensor *wn_gather_backward_x(const wn_gather_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_gather_backward_(text, a0, a1, a2, a3, ...) \
    &(wn_gather_backward_args){.size_ = sizeof(wn_gather_backward_args), .grad = a0, .self_sizes = a1, .dim = a2, .index = a3, __VA_ARGS__}
#define wn_gather_backward(...) \
    wn_gather_backward_x(WN_4_(WN_FEW_, WN_ARGS_gather_backward_, __VA_ARGS__)("too few arguments: wn_gather_backward(grad, self_sizes, dim, index, ...)", __VA_ARGS__, ))
#endif

/* scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor
 * self with out[index[i][j]][j] = src[i][j] for dim = 0; of repeats the last in row-major order wins. */
typedef struct wn_scatter_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    wn_tensor *index;
    wn_tensor *src;
    wn_tensor *out;
} wn_scatter_args;
WN_API wn_tensor *wn_scatter_x(const wn_scatter_args *args);
WN_API wn_tensor *wn_scatter_inplace_x(const wn_scatter_args *args);
#ifndef __cplusplus
#define WN_ARGS_scatter_(text, a0, a1, a2, a3, ...) \
    &(wn_scatter_args){.size_ = sizeof(wn_scatter_args), .self = a0, .dim = a1, .index = a2, .src = a3, __VA_ARGS__}
#define wn_scatter(...) \
    wn_scatter_x(WN_4_(WN_FEW_, WN_ARGS_scatter_, __VA_ARGS__)("too few arguments: wn_scatter(self, dim, index, src, ...)", __VA_ARGS__, ))
#define wn_scatter_(...) \
    wn_scatter_inplace_x(WN_4_(WN_FEW_, WN_ARGS_scatter_, __VA_ARGS__)("too few arguments: wn_scatter_(self, dim, index, src, ...)", __VA_ARGS__, ))
#endif

/* scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor
 * scatter of a number. */
typedef struct wn_scatter_value_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    wn_tensor *index;
    wn_val value;
    wn_tensor *out;
} wn_scatter_value_args;
WN_API wn_tensor *wn_scatter_value_x(const wn_scatter_value_args *args);
WN_API wn_tensor *wn_scatter_value_inplace_x(const wn_scatter_value_args *args);
#ifndef __cplusplus
#define WN_ARGS_scatter_value_(text, a0, a1, a2, a3, ...) \
    &(wn_scatter_value_args){.size_ = sizeof(wn_scatter_value_args), .self = a0, .dim = a1, .index = a2, .value = WN_VAL(a3), __VA_ARGS__}
#define wn_scatter_value(...) \
    wn_scatter_value_x(WN_4_(WN_FEW_, WN_ARGS_scatter_value_, __VA_ARGS__)("too few arguments: wn_scatter_value(self, dim, index, value, ...)", __VA_ARGS__, ))
#define wn_scatter_value_(...) \
    wn_scatter_value_inplace_x(WN_4_(WN_FEW_, WN_ARGS_scatter_value_, __VA_ARGS__)("too few arguments: wn_scatter_value_(self, dim, index, value, ...)", __VA_ARGS__, ))
#endif

/* scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor
 * scatter that adds src to what is there (reduce is "add"), or multiplies it by src ("multiply"). */
typedef struct wn_scatter_reducing_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    wn_tensor *index;
    wn_tensor *src;
    const char *reduce;
    wn_tensor *out;
} wn_scatter_reducing_args;
WN_API wn_tensor *wn_scatter_reducing_x(const wn_scatter_reducing_args *args);
WN_API wn_tensor *wn_scatter_reducing_inplace_x(const wn_scatter_reducing_args *args);
#ifndef __cplusplus
#define WN_ARGS_scatter_reducing_(text, a0, a1, a2, a3, ...) \
    &(wn_scatter_reducing_args){.size_ = sizeof(wn_scatter_reducing_args), .self = a0, .dim = a1, .index = a2, .src = a3, __VA_ARGS__}
#define wn_scatter_reducing(...) \
    wn_scatter_reducing_x(WN_4_(WN_FEW_, WN_ARGS_scatter_reducing_, __VA_ARGS__)("too few arguments: wn_scatter_reducing(self, dim, index, src, ...)", __VA_ARGS__, ))
#define wn_scatter_reducing_(...) \
    wn_scatter_reducing_inplace_x(WN_4_(WN_FEW_, WN_ARGS_scatter_reducing_, __VA_ARGS__)("too few arguments: wn_scatter_reducing_(self, dim, index, src, ...)", __VA_ARGS__, ))
#endif

/* scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor
 * scatter.reduce with a number. */
typedef struct wn_scatter_value_reducing_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    wn_tensor *index;
    wn_val value;
    const char *reduce;
    wn_tensor *out;
} wn_scatter_value_reducing_args;
WN_API wn_tensor *wn_scatter_value_reducing_x(const wn_scatter_value_reducing_args *args);
WN_API wn_tensor *wn_scatter_value_reducing_inplace_x(const wn_scatter_value_reducing_args *args);
#ifndef __cplusplus
#define WN_ARGS_scatter_value_reducing_(text, a0, a1, a2, a3, ...) \
    &(wn_scatter_value_reducing_args){.size_ = sizeof(wn_scatter_value_reducing_args), .self = a0, .dim = a1, .index = a2, .value = WN_VAL(a3), __VA_ARGS__}
#define wn_scatter_value_reducing(...) \
    wn_scatter_value_reducing_x(WN_4_(WN_FEW_, WN_ARGS_scatter_value_reducing_, __VA_ARGS__)("too few arguments: wn_scatter_value_reducing(self, dim, index, value, ...)", __VA_ARGS__, ))
#define wn_scatter_value_reducing_(...) \
    wn_scatter_value_reducing_inplace_x(WN_4_(WN_FEW_, WN_ARGS_scatter_value_reducing_, __VA_ARGS__)("too few arguments: wn_scatter_value_reducing_(self, dim, index, value, ...)", __VA_ARGS__, ))
#endif

/* _scatter_multiply(Tensor self, int dim, Tensor index, Tensor src) -> Tensor
 * self with out[index[i][j]][j] *= src[i][j] for dim = 0, in row-major order. No derivative: an error where one is
 * wanted. */
typedef struct wn_scatter_multiply_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    wn_tensor *index;
    wn_tensor *src;
    wn_tensor *out;
} wn_scatter_multiply_args;
WN_API wn_tensor *wn_scatter_multiply_x(const wn_scatter_multiply_args *args);
WN_API wn_tensor *wn_scatter_multiply_inplace_x(const wn_scatter_multiply_args *args);
#ifndef __cplusplus
#define WN_ARGS_scatter_multiply_(text, a0, a1, a2, a3, ...) \
    &(wn_scatter_multiply_args){.size_ = sizeof(wn_scatter_multiply_args), .self = a0, .dim = a1, .index = a2, .src = a3, __VA_ARGS__}
#define wn_scatter_multiply(...) \
    wn_scatter_multiply_x(WN_4_(WN_FEW_, WN_ARGS_scatter_multiply_, __VA_ARGS__)("too few arguments: wn_scatter_multiply(self, dim, index, src, ...)", __VA_ARGS__, ))
#define wn_scatter_multiply_(...) \
    wn_scatter_multiply_inplace_x(WN_4_(WN_FEW_, WN_ARGS_scatter_multiply_, __VA_ARGS__)("too few arguments: wn_scatter_multiply_(self, dim, index, src, ...)", __VA_ARGS__, ))
#endif

/* scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor
 * self with out[index[i][j]][j] += src[i][j] for dim = 0, in row-major order: the same bits for any thread count. */
typedef wn_scatter_args wn_scatter_add_args;
WN_API wn_tensor *wn_scatter_add_x(const wn_scatter_add_args *args);
WN_API wn_tensor *wn_scatter_add_inplace_x(const wn_scatter_add_args *args);
#ifndef __cplusplus
#define WN_ARGS_scatter_add_(text, a0, a1, a2, a3, ...) \
    &(wn_scatter_add_args){.size_ = sizeof(wn_scatter_add_args), .self = a0, .dim = a1, .index = a2, .src = a3, __VA_ARGS__}
#define wn_scatter_add(...) \
    wn_scatter_add_x(WN_4_(WN_FEW_, WN_ARGS_scatter_add_, __VA_ARGS__)("too few arguments: wn_scatter_add(self, dim, index, src, ...)", __VA_ARGS__, ))
#define wn_scatter_add_(...) \
    wn_scatter_add_inplace_x(WN_4_(WN_FEW_, WN_ARGS_scatter_add_, __VA_ARGS__)("too few arguments: wn_scatter_add_(self, dim, index, src, ...)", __VA_ARGS__, ))
#endif

/* embedding(Tensor weight, Tensor indices, int padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False) -> Tensor
 * Rows of weight [n, d] at indices (any shape): [..., d]. The row padding_idx (default: none) gets no gradient;
 * scale_grad_by_freq divides a row's gradient by how often it is looked up. sparse is accepted: gradients are
 * always dense. */
typedef struct wn_embedding_args {
    size_t size_;
    wn_tensor *weight;
    wn_tensor *indices;
    wn_val padding_idx;
    bool scale_grad_by_freq;
    bool sparse;
    wn_tensor *out;
} wn_embedding_args;
WN_API wn_tensor *wn_embedding_x(const wn_embedding_args *args);
#ifndef __cplusplus
#define WN_ARGS_embedding_(text, a0, a1, ...) \
    &(wn_embedding_args){.size_ = sizeof(wn_embedding_args), .weight = a0, .indices = a1, __VA_ARGS__}
#define wn_embedding(...) \
    wn_embedding_x(WN_2_(WN_FEW_, WN_ARGS_embedding_, __VA_ARGS__)("too few arguments: wn_embedding(weight, indices, ...)", __VA_ARGS__, ))
#endif

/* embedding_backward(Tensor grad, Tensor indices, int[] weight_sizes, int padding_idx=-1, bool scale_grad_by_freq=False) -> Tensor
 * Zeros of weight_sizes with grad's rows added at indices. */
typedef struct wn_embedding_backward_args {
    size_t size_;
    wn_tensor *grad;
    wn_tensor *indices;
    wn_dims weight_sizes;
    wn_val padding_idx;
    bool scale_grad_by_freq;
    wn_tensor *out;
} wn_embedding_backward_args;
WN_API wn_tensor *wn_embedding_backward_x(const wn_embedding_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_embedding_backward_(text, a0, a1, a2, a3, ...) \
    &(wn_embedding_backward_args){.size_ = sizeof(wn_embedding_backward_args), .grad = a0, .indices = a1, .weight_sizes = a2, .padding_idx = WN_VAL(a3), __VA_ARGS__}
#define wn_embedding_backward(...) \
    wn_embedding_backward_x(WN_4_(WN_FEW_, WN_ARGS_embedding_backward_, __VA_ARGS__)("too few arguments: wn_embedding_backward(grad, indices, weight_sizes, padding_idx, ...)", __VA_ARGS__, ))
#endif

/* embedding_double_backward(Tensor grad, Tensor indices, int padding_idx=-1, bool scale_grad_by_freq=False) -> Tensor
 * embedding's rows, with those of padding_idx zero. */
typedef struct wn_embedding_double_backward_args {
    size_t size_;
    wn_tensor *grad;
    wn_tensor *indices;
    wn_val padding_idx;
    bool scale_grad_by_freq;
    wn_tensor *out;
} wn_embedding_double_backward_args;
WN_API wn_tensor *wn_embedding_double_backward_x(const wn_embedding_double_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_embedding_double_backward_(text, a0, a1, a2, ...) \
    &(wn_embedding_double_backward_args){.size_ = sizeof(wn_embedding_double_backward_args), .grad = a0, .indices = a1, .padding_idx = WN_VAL(a2), __VA_ARGS__}
#define wn_embedding_double_backward(...) \
    wn_embedding_double_backward_x(WN_3_(WN_FEW_, WN_ARGS_embedding_double_backward_, __VA_ARGS__)("too few arguments: wn_embedding_double_backward(grad, indices, padding_idx, ...)", __VA_ARGS__, ))
#endif

/* embedding_renorm_(Tensor(a!) self, Tensor indices, float max_norm, float norm_type) -> Tensor(a!)
 * Scales each row of self [n, d] that indices name to norm max_norm if its norm (of order norm_type) is larger. */
typedef struct wn_embedding_renorm_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *indices;
    double max_norm;
    double norm_type;
} wn_embedding_renorm_args;
WN_API wn_tensor *wn_embedding_renorm_inplace_x(const wn_embedding_renorm_args *args);
#ifndef __cplusplus
#define WN_ARGS_embedding_renorm_(text, a0, a1, a2, a3, ...) \
    &(wn_embedding_renorm_args){.size_ = sizeof(wn_embedding_renorm_args), .self = a0, .indices = a1, .max_norm = a2, .norm_type = a3, __VA_ARGS__}
#define wn_embedding_renorm_(...) \
    wn_embedding_renorm_inplace_x(WN_4_(WN_FEW_, WN_ARGS_embedding_renorm_, __VA_ARGS__)("too few arguments: wn_embedding_renorm_(self, indices, max_norm, norm_type, ...)", __VA_ARGS__, ))
#endif

/* masked_select(Tensor self, Tensor mask) -> Tensor
 * x[mask]: the elements where mask is true, in row-major order, 1-d. self and mask broadcast. */
typedef struct wn_masked_select_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *mask;
    wn_tensor *out;
} wn_masked_select_args;
WN_API wn_tensor *wn_masked_select_x(const wn_masked_select_args *args);
#ifndef __cplusplus
#define WN_ARGS_masked_select_(text, a0, a1, ...) \
    &(wn_masked_select_args){.size_ = sizeof(wn_masked_select_args), .self = a0, .mask = a1, __VA_ARGS__}
#define wn_masked_select(...) \
    wn_masked_select_x(WN_2_(WN_FEW_, WN_ARGS_masked_select_, __VA_ARGS__)("too few arguments: wn_masked_select(self, mask, ...)", __VA_ARGS__, ))
#endif

/* masked_select_backward(Tensor grad, Tensor mask, int[] self_sizes) -> Tensor
 * grad's elements at their places, zero elsewhere. */
typedef struct wn_masked_select_backward_args {
    size_t size_;
    wn_tensor *grad;
    wn_tensor *mask;
    wn_dims self_sizes;
    wn_tensor *out;
} wn_masked_select_backward_args;
WN_API wn_tensor *wn_masked_select_backward_x(const wn_masked_select_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_masked_select_backward_(text, a0, a1, a2, ...) \
    &(wn_masked_select_backward_args){.size_ = sizeof(wn_masked_select_backward_args), .grad = a0, .mask = a1, .self_sizes = a2, __VA_ARGS__}
#define wn_masked_select_backward(...) \
    wn_masked_select_backward_x(WN_3_(WN_FEW_, WN_ARGS_masked_select_backward_, __VA_ARGS__)("too few arguments: wn_masked_select_backward(grad, mask, self_sizes, ...)", __VA_ARGS__, ))
#endif

/* masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor
 * self with the elements where mask is true taken from source, in order. Too few source elements are an error. */
typedef struct wn_masked_scatter_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *mask;
    wn_tensor *source;
    wn_tensor *out;
} wn_masked_scatter_args;
WN_API wn_tensor *wn_masked_scatter_x(const wn_masked_scatter_args *args);
WN_API wn_tensor *wn_masked_scatter_inplace_x(const wn_masked_scatter_args *args);
#ifndef __cplusplus
#define WN_ARGS_masked_scatter_(text, a0, a1, a2, ...) \
    &(wn_masked_scatter_args){.size_ = sizeof(wn_masked_scatter_args), .self = a0, .mask = a1, .source = a2, __VA_ARGS__}
#define wn_masked_scatter(...) \
    wn_masked_scatter_x(WN_3_(WN_FEW_, WN_ARGS_masked_scatter_, __VA_ARGS__)("too few arguments: wn_masked_scatter(self, mask, source, ...)", __VA_ARGS__, ))
#define wn_masked_scatter_(...) \
    wn_masked_scatter_inplace_x(WN_3_(WN_FEW_, WN_ARGS_masked_scatter_, __VA_ARGS__)("too few arguments: wn_masked_scatter_(self, mask, source, ...)", __VA_ARGS__, ))
#endif

/* nonzero(Tensor self) -> Tensor
 * Positions of the elements that are not 0, row-major: int64 [count, ndim]. */
typedef struct wn_nonzero_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_nonzero_args;
WN_API wn_tensor *wn_nonzero_x(const wn_nonzero_args *args);
#ifndef __cplusplus
#define wn_nonzero(...) \
    wn_nonzero_x(&(wn_nonzero_args){.size_ = sizeof(wn_nonzero_args), .self = __VA_ARGS__})
#endif

/* one_hot(Tensor self, int num_classes=-1) -> Tensor
 * int64 [..., num_classes] with a 1 at each index; default: the largest index + 1. */
typedef struct wn_one_hot_args {
    size_t size_;
    wn_tensor *self;
    wn_val num_classes;
    wn_tensor *out;
} wn_one_hot_args;
WN_API wn_tensor *wn_one_hot_x(const wn_one_hot_args *args);
#ifndef __cplusplus
#define wn_one_hot(...) \
    wn_one_hot_x(&(wn_one_hot_args){.size_ = sizeof(wn_one_hot_args), .self = __VA_ARGS__})
#endif

/* tril(Tensor self, int diagonal=0) -> Tensor
 * The part of the last two dimensions on and below the diagonal, zero above. */
typedef struct wn_tril_args {
    size_t size_;
    wn_tensor *self;
    int64_t diagonal;
    wn_tensor *out;
} wn_tril_args;
WN_API wn_tensor *wn_tril_x(const wn_tril_args *args);
WN_API wn_tensor *wn_tril_inplace_x(const wn_tril_args *args);
#ifndef __cplusplus
#define wn_tril(...) \
    wn_tril_x(&(wn_tril_args){.size_ = sizeof(wn_tril_args), .self = __VA_ARGS__})
#define wn_tril_(...) \
    wn_tril_inplace_x(&(wn_tril_args){.size_ = sizeof(wn_tril_args), .self = __VA_ARGS__})
#endif

/* triu(Tensor self, int diagonal=0) -> Tensor
 * The part on and above the diagonal, zero below. */
typedef wn_tril_args wn_triu_args;
WN_API wn_tensor *wn_triu_x(const wn_triu_args *args);
WN_API wn_tensor *wn_triu_inplace_x(const wn_triu_args *args);
#ifndef __cplusplus
#define wn_triu(...) \
    wn_triu_x(&(wn_triu_args){.size_ = sizeof(wn_triu_args), .self = __VA_ARGS__})
#define wn_triu_(...) \
    wn_triu_inplace_x(&(wn_triu_args){.size_ = sizeof(wn_triu_args), .self = __VA_ARGS__})
#endif

/* index.Tensor(Tensor self, Tensor?[] indices) -> Tensor
 * self[indices[0], indices[1], ...]: NULL takes a dimension whole; int64 and int32 tensors, negative ones counting
 * from the end, pick along one dimension; bool and uint8 masks pick along as many as they have. The indices
 * broadcast together; their dimensions stand where they stood, or first when others lie between. */
typedef struct wn_index_args {
    size_t size_;
    wn_tensor *self;
    wn_list indices;
    wn_tensor *out;
} wn_index_args;
WN_API wn_tensor *wn_index_x(const wn_index_args *args);
#ifndef __cplusplus
#define WN_ARGS_index_(text, a0, a1, ...) \
    &(wn_index_args){.size_ = sizeof(wn_index_args), .self = a0, .indices = a1, __VA_ARGS__}
#define wn_index(...) \
    wn_index_x(WN_2_(WN_FEW_, WN_ARGS_index_, __VA_ARGS__)("too few arguments: wn_index(self, indices, ...)", __VA_ARGS__, ))
#endif

/* index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor
 * self with self[indices...] = values, which broadcast to index's result; of repeated places the last in row-major
 * order wins. accumulate: values are added, repeats add up, with the same bits for any thread count. */
typedef struct wn_index_put_args {
    size_t size_;
    wn_tensor *self;
    wn_list indices;
    wn_tensor *values;
    bool accumulate;
    wn_tensor *out;
} wn_index_put_args;
WN_API wn_tensor *wn_index_put_x(const wn_index_put_args *args);
WN_API wn_tensor *wn_index_put_inplace_x(const wn_index_put_args *args);
#ifndef __cplusplus
#define WN_ARGS_index_put_(text, a0, a1, a2, ...) \
    &(wn_index_put_args){.size_ = sizeof(wn_index_put_args), .self = a0, .indices = a1, .values = a2, __VA_ARGS__}
#define wn_index_put(...) \
    wn_index_put_x(WN_3_(WN_FEW_, WN_ARGS_index_put_, __VA_ARGS__)("too few arguments: wn_index_put(self, indices, values, ...)", __VA_ARGS__, ))
#define wn_index_put_(...) \
    wn_index_put_inplace_x(WN_3_(WN_FEW_, WN_ARGS_index_put_, __VA_ARGS__)("too few arguments: wn_index_put_(self, indices, values, ...)", __VA_ARGS__, ))
#endif

/* index_backward(Tensor grad, int[] self_sizes, Tensor?[] indices) -> Tensor
 * Zeros of self_sizes with grad added at the indices. */
typedef struct wn_index_backward_args {
    size_t size_;
    wn_tensor *grad;
    wn_dims self_sizes;
    wn_list indices;
    wn_tensor *out;
} wn_index_backward_args;
WN_API wn_tensor *wn_index_backward_x(const wn_index_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_index_backward_(text, a0, a1, a2, ...) \
    &(wn_index_backward_args){.size_ = sizeof(wn_index_backward_args), .grad = a0, .self_sizes = a1, .indices = a2, __VA_ARGS__}
#define wn_index_backward(...) \
    wn_index_backward_x(WN_3_(WN_FEW_, WN_ARGS_index_backward_, __VA_ARGS__)("too few arguments: wn_index_backward(grad, self_sizes, indices, ...)", __VA_ARGS__, ))
#endif

/* take(Tensor self, Tensor index) -> Tensor
 * out[...] = self.flatten()[index[...]], of index's shape; negative positions count from the end. */
typedef struct wn_take_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *index;
    wn_tensor *out;
} wn_take_args;
WN_API wn_tensor *wn_take_x(const wn_take_args *args);
#ifndef __cplusplus
#define WN_ARGS_take_(text, a0, a1, ...) \
    &(wn_take_args){.size_ = sizeof(wn_take_args), .self = a0, .index = a1, __VA_ARGS__}
#define wn_take(...) \
    wn_take_x(WN_2_(WN_FEW_, WN_ARGS_take_, __VA_ARGS__)("too few arguments: wn_take(self, index, ...)", __VA_ARGS__, ))
#endif

/* take_backward(Tensor grad, int[] self_sizes, Tensor index) -> Tensor
 * Zeros of self_sizes with grad added at the positions index. */
typedef struct wn_take_backward_args {
    size_t size_;
    wn_tensor *grad;
    wn_dims self_sizes;
    wn_tensor *index;
    wn_tensor *out;
} wn_take_backward_args;
WN_API wn_tensor *wn_take_backward_x(const wn_take_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_take_backward_(text, a0, a1, a2, ...) \
    &(wn_take_backward_args){.size_ = sizeof(wn_take_backward_args), .grad = a0, .self_sizes = a1, .index = a2, __VA_ARGS__}
#define wn_take_backward(...) \
    wn_take_backward_x(WN_3_(WN_FEW_, WN_ARGS_take_backward_, __VA_ARGS__)("too few arguments: wn_take_backward(grad, self_sizes, index, ...)", __VA_ARGS__, ))
#endif

/* put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor
 * self with self.flatten()[index[i]] = source.flatten()[i]; of repeats the last wins. accumulate: sources are
 * added, repeats add up, with the same bits for any thread count. */
typedef struct wn_put_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *index;
    wn_tensor *source;
    bool accumulate;
    wn_tensor *out;
} wn_put_args;
WN_API wn_tensor *wn_put_x(const wn_put_args *args);
WN_API wn_tensor *wn_put_inplace_x(const wn_put_args *args);
#ifndef __cplusplus
#define WN_ARGS_put_(text, a0, a1, a2, ...) \
    &(wn_put_args){.size_ = sizeof(wn_put_args), .self = a0, .index = a1, .source = a2, __VA_ARGS__}
#define wn_put(...) \
    wn_put_x(WN_3_(WN_FEW_, WN_ARGS_put_, __VA_ARGS__)("too few arguments: wn_put(self, index, source, ...)", __VA_ARGS__, ))
#define wn_put_(...) \
    wn_put_inplace_x(WN_3_(WN_FEW_, WN_ARGS_put_, __VA_ARGS__)("too few arguments: wn_put_(self, index, source, ...)", __VA_ARGS__, ))
#endif

/* take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor
 * gather along dim, with self and indices broadcast in the other dimensions; negative indices count from the end.
 * Without dim: of both flattened. */
typedef struct wn_take_along_dim_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *indices;
    wn_val dim;
    wn_tensor *out;
} wn_take_along_dim_args;
WN_API wn_tensor *wn_take_along_dim_x(const wn_take_along_dim_args *args);
#ifndef __cplusplus
#define WN_ARGS_take_along_dim_(text, a0, a1, ...) \
    &(wn_take_along_dim_args){.size_ = sizeof(wn_take_along_dim_args), .self = a0, .indices = a1, __VA_ARGS__}
#define wn_take_along_dim(...) \
    wn_take_along_dim_x(WN_2_(WN_FEW_, WN_ARGS_take_along_dim_, __VA_ARGS__)("too few arguments: wn_take_along_dim(self, indices, ...)", __VA_ARGS__, ))
#endif

/* argwhere(Tensor self) -> Tensor
 * nonzero: positions of the elements that are not 0, int64 [count, ndim]. */
typedef struct wn_argwhere_args {
    size_t size_;
    wn_tensor *self;
} wn_argwhere_args;
WN_API wn_tensor *wn_argwhere_x(const wn_argwhere_args *args);
#ifndef __cplusplus
#define wn_argwhere(...) \
    wn_argwhere_x(&(wn_argwhere_args){.size_ = sizeof(wn_argwhere_args), .self = __VA_ARGS__})
#endif

/* triu_indices(int row, int col, int offset=0, *, ScalarType? dtype=None) -> Tensor
 * [2, n]: rows and columns of the elements of a row x col matrix on and above the diagonal `offset`, in row-major
 * order; int64 or int32. */
typedef struct wn_triu_indices_args {
    size_t size_;
    int64_t row;
    int64_t col;
    int64_t offset;
    wn_dtype dtype;
    wn_device device;
} wn_triu_indices_args;
WN_API wn_tensor *wn_triu_indices_x(const wn_triu_indices_args *args);
#ifndef __cplusplus
#define WN_ARGS_triu_indices_(text, a0, a1, ...) \
    &(wn_triu_indices_args){.size_ = sizeof(wn_triu_indices_args), .row = a0, .col = a1, __VA_ARGS__}
#define wn_triu_indices(...) \
    wn_triu_indices_x(WN_2_(WN_FEW_, WN_ARGS_triu_indices_, __VA_ARGS__)("too few arguments: wn_triu_indices(row, col, ...)", __VA_ARGS__, ))
#endif

/* tril_indices(int row, int col, int offset=0, *, ScalarType? dtype=None) -> Tensor
 * [2, n]: the same on and below the diagonal. */
typedef wn_triu_indices_args wn_tril_indices_args;
WN_API wn_tensor *wn_tril_indices_x(const wn_tril_indices_args *args);
#ifndef __cplusplus
#define WN_ARGS_tril_indices_(text, a0, a1, ...) \
    &(wn_tril_indices_args){.size_ = sizeof(wn_tril_indices_args), .row = a0, .col = a1, __VA_ARGS__}
#define wn_tril_indices(...) \
    wn_tril_indices_x(WN_2_(WN_FEW_, WN_ARGS_tril_indices_, __VA_ARGS__)("too few arguments: wn_tril_indices(row, col, ...)", __VA_ARGS__, ))
#endif

/* unravel_index(Tensor indices, int[1] shape) -> Tensor[]
 * Positions in a flattened tensor of that shape as one index tensor for each dimension. */
typedef struct wn_unravel_index_args {
    size_t size_;
    wn_tensor *indices;
    wn_dims shape;
} wn_unravel_index_args;
WN_API wn_list wn_unravel_index_x(const wn_unravel_index_args *args);
#ifndef __cplusplus
#define WN_ARGS_unravel_index_(text, a0, a1, ...) \
    &(wn_unravel_index_args){.size_ = sizeof(wn_unravel_index_args), .indices = a0, .shape = a1, __VA_ARGS__}
#define wn_unravel_index(...) \
    wn_unravel_index_x(WN_2_(WN_FEW_, WN_ARGS_unravel_index_, __VA_ARGS__)("too few arguments: wn_unravel_index(indices, shape, ...)", __VA_ARGS__, ))
#endif

/* repeat_interleave.Tensor(Tensor repeats, *, int? output_size=None) -> Tensor
 * 0 repeats[0] times, 1 repeats[1] times, and so on. output_size, when given, must be their sum. */
typedef struct wn_repeat_interleave_positions_args {
    size_t size_;
    wn_tensor *repeats;
    wn_val output_size;
    wn_tensor *out;
} wn_repeat_interleave_positions_args;
WN_API wn_tensor *wn_repeat_interleave_positions_x(const wn_repeat_interleave_positions_args *args);
#ifndef __cplusplus
#define wn_repeat_interleave_positions(...) \
    wn_repeat_interleave_positions_x(&(wn_repeat_interleave_positions_args){.size_ = sizeof(wn_repeat_interleave_positions_args), .repeats = __VA_ARGS__})
#endif

/* repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, int? output_size=None) -> Tensor
 * Slice i of self along dim (default: element i of the flattened tensor) repeats[i] times. */
typedef struct wn_repeat_interleave_each_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *repeats;
    wn_val dim;
    wn_val output_size;
} wn_repeat_interleave_each_args;
WN_API wn_tensor *wn_repeat_interleave_each_x(const wn_repeat_interleave_each_args *args);
#ifndef __cplusplus
#define WN_ARGS_repeat_interleave_each_(text, a0, a1, ...) \
    &(wn_repeat_interleave_each_args){.size_ = sizeof(wn_repeat_interleave_each_args), .self = a0, .repeats = a1, __VA_ARGS__}
#define wn_repeat_interleave_each(...) \
    wn_repeat_interleave_each_x(WN_2_(WN_FEW_, WN_ARGS_repeat_interleave_each_, __VA_ARGS__)("too few arguments: wn_repeat_interleave_each(self, repeats, ...)", __VA_ARGS__, ))
#endif

/* repeat_interleave.self_int(Tensor self, int repeats, int? dim=None, *, int? output_size=None) -> Tensor
 * Each slice along dim (default: each element of the flattened tensor) `repeats` times in a row. */
typedef struct wn_repeat_interleave_args {
    size_t size_;
    wn_tensor *self;
    int64_t repeats;
    wn_val dim;
    wn_val output_size;
} wn_repeat_interleave_args;
WN_API wn_tensor *wn_repeat_interleave_x(const wn_repeat_interleave_args *args);
#ifndef __cplusplus
#define WN_ARGS_repeat_interleave_(text, a0, a1, ...) \
    &(wn_repeat_interleave_args){.size_ = sizeof(wn_repeat_interleave_args), .self = a0, .repeats = a1, __VA_ARGS__}
#define wn_repeat_interleave(...) \
    wn_repeat_interleave_x(WN_2_(WN_FEW_, WN_ARGS_repeat_interleave_, __VA_ARGS__)("too few arguments: wn_repeat_interleave(self, repeats, ...)", __VA_ARGS__, ))
#endif

/* fill.Scalar(Tensor self, Scalar value) -> Tensor
 * self with all elements value. */
typedef struct wn_filled_args {
    size_t size_;
    wn_tensor *self;
    wn_val value;
} wn_filled_args;
WN_API wn_tensor *wn_filled_x(const wn_filled_args *args);
#ifndef __cplusplus
#define WN_ARGS_filled_(text, a0, a1, ...) \
    &(wn_filled_args){.size_ = sizeof(wn_filled_args), .self = a0, .value = WN_VAL(a1), __VA_ARGS__}
#define wn_filled(...) \
    wn_filled_x(WN_2_(WN_FEW_, WN_ARGS_filled_, __VA_ARGS__)("too few arguments: wn_filled(self, value, ...)", __VA_ARGS__, ))
#endif

/* fill.Tensor(Tensor self, Tensor value) -> Tensor
 * self with all elements the value of a 0-d tensor. */
typedef struct wn_filled_tensor_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *value;
} wn_filled_tensor_args;
WN_API wn_tensor *wn_filled_tensor_x(const wn_filled_tensor_args *args);
#ifndef __cplusplus
#define WN_ARGS_filled_tensor_(text, a0, a1, ...) \
    &(wn_filled_tensor_args){.size_ = sizeof(wn_filled_tensor_args), .self = a0, .value = a1, __VA_ARGS__}
#define wn_filled_tensor(...) \
    wn_filled_tensor_x(WN_2_(WN_FEW_, WN_ARGS_filled_tensor_, __VA_ARGS__)("too few arguments: wn_filled_tensor(self, value, ...)", __VA_ARGS__, ))
#endif

/* scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True) -> Tensor
 * self with out[index[i][j]][j] = reduce of all src[i][j] that fall there (dim = 0), and of self's own element
 * unless include_self is off; reduce: sum, prod, mean (integers: rounded down), amin, amax (NaN wins). In order
 * along dim: the same bits for any thread count. Ties of amin and amax share the gradient evenly. */
typedef struct wn_scatter_reduce_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    wn_tensor *index;
    wn_tensor *src;
    const char *reduce;
    wn_switch include_self;
    wn_tensor *out;
} wn_scatter_reduce_args;
WN_API wn_tensor *wn_scatter_reduce_x(const wn_scatter_reduce_args *args);
WN_API wn_tensor *wn_scatter_reduce_inplace_x(const wn_scatter_reduce_args *args);
#ifndef __cplusplus
#define WN_ARGS_scatter_reduce_(text, a0, a1, a2, a3, a4, ...) \
    &(wn_scatter_reduce_args){.size_ = sizeof(wn_scatter_reduce_args), .self = a0, .dim = a1, .index = a2, .src = a3, .reduce = a4, __VA_ARGS__}
#define wn_scatter_reduce(...) \
    wn_scatter_reduce_x(WN_5_(WN_FEW_, WN_ARGS_scatter_reduce_, __VA_ARGS__)("too few arguments: wn_scatter_reduce(self, dim, index, src, reduce, ...)", __VA_ARGS__, ))
#define wn_scatter_reduce_(...) \
    wn_scatter_reduce_inplace_x(WN_5_(WN_FEW_, WN_ARGS_scatter_reduce_, __VA_ARGS__)("too few arguments: wn_scatter_reduce_(self, dim, index, src, reduce, ...)", __VA_ARGS__, ))
#endif

/* _scatter_sum(Tensor self, int dim, Tensor index, Tensor src, bool mean, bool include_self) -> Tensor
 * scatter_reduce with reduce sum or mean. */
typedef struct wn_scatter_sum_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    wn_tensor *index;
    wn_tensor *src;
    bool mean;
    bool include_self;
    wn_tensor *out;
} wn_scatter_sum_args;
WN_API wn_tensor *wn_scatter_sum_x(const wn_scatter_sum_args *args);
WN_API wn_tensor *wn_scatter_sum_inplace_x(const wn_scatter_sum_args *args);
#ifndef __cplusplus
#define WN_ARGS_scatter_sum_(text, a0, a1, a2, a3, a4, a5, ...) \
    &(wn_scatter_sum_args){.size_ = sizeof(wn_scatter_sum_args), .self = a0, .dim = a1, .index = a2, .src = a3, .mean = a4, .include_self = a5, __VA_ARGS__}
#define wn_scatter_sum(...) \
    wn_scatter_sum_x(WN_6_(WN_FEW_, WN_ARGS_scatter_sum_, __VA_ARGS__)("too few arguments: wn_scatter_sum(self, dim, index, src, mean, include_self, ...)", __VA_ARGS__, ))
#define wn_scatter_sum_(...) \
    wn_scatter_sum_inplace_x(WN_6_(WN_FEW_, WN_ARGS_scatter_sum_, __VA_ARGS__)("too few arguments: wn_scatter_sum_(self, dim, index, src, mean, include_self, ...)", __VA_ARGS__, ))
#endif

/* _scatter_fold(Tensor self, int dim, Tensor index, Tensor src, str reduce, bool include_self) -> Tensor
 * scatter_reduce with reduce prod, amin or amax. */
typedef struct wn_scatter_fold_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    wn_tensor *index;
    wn_tensor *src;
    const char *reduce;
    bool include_self;
    wn_tensor *out;
} wn_scatter_fold_args;
WN_API wn_tensor *wn_scatter_fold_x(const wn_scatter_fold_args *args);
WN_API wn_tensor *wn_scatter_fold_inplace_x(const wn_scatter_fold_args *args);
#ifndef __cplusplus
#define WN_ARGS_scatter_fold_(text, a0, a1, a2, a3, a4, a5, ...) \
    &(wn_scatter_fold_args){.size_ = sizeof(wn_scatter_fold_args), .self = a0, .dim = a1, .index = a2, .src = a3, .reduce = a4, .include_self = a5, __VA_ARGS__}
#define wn_scatter_fold(...) \
    wn_scatter_fold_x(WN_6_(WN_FEW_, WN_ARGS_scatter_fold_, __VA_ARGS__)("too few arguments: wn_scatter_fold(self, dim, index, src, reduce, include_self, ...)", __VA_ARGS__, ))
#define wn_scatter_fold_(...) \
    wn_scatter_fold_inplace_x(WN_6_(WN_FEW_, WN_ARGS_scatter_fold_, __VA_ARGS__)("too few arguments: wn_scatter_fold_(self, dim, index, src, reduce, include_self, ...)", __VA_ARGS__, ))
#endif

/* _no_second_derivative(Tensor self) -> Tensor
 * A copy of a gradient whose own derivative is an error. */
typedef struct wn_no_second_derivative_args {
    size_t size_;
    wn_tensor *self;
} wn_no_second_derivative_args;
WN_API wn_tensor *wn_no_second_derivative_x(const wn_no_second_derivative_args *args);
#ifndef __cplusplus
#define wn_no_second_derivative(...) \
    wn_no_second_derivative_x(&(wn_no_second_derivative_args){.size_ = sizeof(wn_no_second_derivative_args), .self = __VA_ARGS__})
#endif

/* index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> Tensor
 * self with source's slices multiplied in, averaged ... at the positions of the vector index along dim; reduce:
 * prod, mean, amin, amax, as in scatter_reduce. */
typedef struct wn_index_reduce_args {
    size_t size_;
    wn_tensor *self;
    int64_t dim;
    wn_tensor *index;
    wn_tensor *source;
    const char *reduce;
    wn_switch include_self;
    wn_tensor *out;
} wn_index_reduce_args;
WN_API wn_tensor *wn_index_reduce_x(const wn_index_reduce_args *args);
WN_API wn_tensor *wn_index_reduce_inplace_x(const wn_index_reduce_args *args);
#ifndef __cplusplus
#define WN_ARGS_index_reduce_(text, a0, a1, a2, a3, a4, ...) \
    &(wn_index_reduce_args){.size_ = sizeof(wn_index_reduce_args), .self = a0, .dim = a1, .index = a2, .source = a3, .reduce = a4, __VA_ARGS__}
#define wn_index_reduce(...) \
    wn_index_reduce_x(WN_5_(WN_FEW_, WN_ARGS_index_reduce_, __VA_ARGS__)("too few arguments: wn_index_reduce(self, dim, index, source, reduce, ...)", __VA_ARGS__, ))
#define wn_index_reduce_(...) \
    wn_index_reduce_inplace_x(WN_5_(WN_FEW_, WN_ARGS_index_reduce_, __VA_ARGS__)("too few arguments: wn_index_reduce_(self, dim, index, source, reduce, ...)", __VA_ARGS__, ))
#endif

/* segment_reduce(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None, Tensor? offsets=None, int axis=0, bool unsafe=False, Scalar? initial=None) -> Tensor
 * Sum, mean, max, min or prod of data's segments along axis: of the given lengths (which add up to its size), or
 * from each of offsets to the next. Empty segments give initial, or 0, NaN, -inf, inf, 1. */
typedef struct wn_segment_reduce_args {
    size_t size_;
    wn_tensor *data;
    const char *reduce;
    wn_tensor *lengths;
    wn_tensor *indices;
    wn_tensor *offsets;
    int64_t axis;
    bool unsafe;
    wn_val initial;
} wn_segment_reduce_args;
WN_API wn_tensor *wn_segment_reduce_x(const wn_segment_reduce_args *args);
#ifndef __cplusplus
#define WN_ARGS_segment_reduce_(text, a0, a1, ...) \
    &(wn_segment_reduce_args){.size_ = sizeof(wn_segment_reduce_args), .data = a0, .reduce = a1, __VA_ARGS__}
#define wn_segment_reduce(...) \
    wn_segment_reduce_x(WN_2_(WN_FEW_, WN_ARGS_segment_reduce_, __VA_ARGS__)("too few arguments: wn_segment_reduce(data, reduce, ...)", __VA_ARGS__, ))
#endif

/* _segment_reduce(Tensor data, str reduce, Tensor offsets, int axis, Scalar? initial) -> Tensor
 * segment_reduce of segments from each offset to the next (int64, row-major, within data). */
typedef struct wn_segment_fold_args {
    size_t size_;
    wn_tensor *data;
    const char *reduce;
    wn_tensor *offsets;
    int64_t axis;
    wn_val initial;
} wn_segment_fold_args;
WN_API wn_tensor *wn_segment_fold_x(const wn_segment_fold_args *args);
#ifndef __cplusplus
#define WN_ARGS_segment_fold_(text, a0, a1, a2, a3, a4, ...) \
    &(wn_segment_fold_args){.size_ = sizeof(wn_segment_fold_args), .data = a0, .reduce = a1, .offsets = a2, .axis = a3, .initial = WN_VAL(a4), __VA_ARGS__}
#define wn_segment_fold(...) \
    wn_segment_fold_x(WN_5_(WN_FEW_, WN_ARGS_segment_fold_, __VA_ARGS__)("too few arguments: wn_segment_fold(data, reduce, offsets, axis, initial, ...)", __VA_ARGS__, ))
#endif

/* matmul(Tensor self, Tensor other) -> Tensor
 * The matrix product of the last two dimensions, the others broadcast: out[..., i, j] = sum_k self[..., i, k] *
 * other[..., k, j]. A 1-d operand is a row (first) or a column (second) whose dimension goes away. */
typedef struct wn_matmul_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *other;
    wn_tensor *out;
} wn_matmul_args;
WN_API wn_tensor *wn_matmul_x(const wn_matmul_args *args);
#ifndef __cplusplus
#define WN_ARGS_matmul_(text, a0, a1, ...) \
    &(wn_matmul_args){.size_ = sizeof(wn_matmul_args), .self = a0, .other = a1, __VA_ARGS__}
#define wn_matmul(...) \
    wn_matmul_x(WN_2_(WN_FEW_, WN_ARGS_matmul_, __VA_ARGS__)("too few arguments: wn_matmul(self, other, ...)", __VA_ARGS__, ))
#endif

/* matmul_grad(Tensor grad, Tensor other, int[] sizes, bool second) -> Tensor
 * The gradient of matmul in the operand of shape `sizes` (the second one or the first), given the other. */
typedef struct wn_matmul_grad_args {
    size_t size_;
    wn_tensor *grad;
    wn_tensor *other;
    wn_dims sizes;
    bool second;
} wn_matmul_grad_args;
WN_API wn_tensor *wn_matmul_grad_x(const wn_matmul_grad_args *args);
#ifndef __cplusplus
#define WN_ARGS_matmul_grad_(text, a0, a1, a2, a3, ...) \
    &(wn_matmul_grad_args){.size_ = sizeof(wn_matmul_grad_args), .grad = a0, .other = a1, .sizes = a2, .second = a3, __VA_ARGS__}
#define wn_matmul_grad(...) \
    wn_matmul_grad_x(WN_4_(WN_FEW_, WN_ARGS_matmul_grad_, __VA_ARGS__)("too few arguments: wn_matmul_grad(grad, other, sizes, second, ...)", __VA_ARGS__, ))
#endif

/* mm(Tensor self, Tensor mat2) -> Tensor
 * The product of two matrices. */
typedef struct wn_mm_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *mat2;
    wn_tensor *out;
} wn_mm_args;
WN_API wn_tensor *wn_mm_x(const wn_mm_args *args);
#ifndef __cplusplus
#define WN_ARGS_mm_(text, a0, a1, ...) \
    &(wn_mm_args){.size_ = sizeof(wn_mm_args), .self = a0, .mat2 = a1, __VA_ARGS__}
#define wn_mm(...) \
    wn_mm_x(WN_2_(WN_FEW_, WN_ARGS_mm_, __VA_ARGS__)("too few arguments: wn_mm(self, mat2, ...)", __VA_ARGS__, ))
#endif

/* bmm(Tensor self, Tensor mat2) -> Tensor
 * The products of the matrices in two batches [b, n, m] and [b, m, p]. */
typedef struct wn_bmm_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *mat2;
    wn_tensor *out;
} wn_bmm_args;
WN_API wn_tensor *wn_bmm_x(const wn_bmm_args *args);
#ifndef __cplusplus
#define WN_ARGS_bmm_(text, a0, a1, ...) \
    &(wn_bmm_args){.size_ = sizeof(wn_bmm_args), .self = a0, .mat2 = a1, __VA_ARGS__}
#define wn_bmm(...) \
    wn_bmm_x(WN_2_(WN_FEW_, WN_ARGS_bmm_, __VA_ARGS__)("too few arguments: wn_bmm(self, mat2, ...)", __VA_ARGS__, ))
#endif

/* mv(Tensor self, Tensor vec) -> Tensor
 * Matrix times vector. */
typedef struct wn_mv_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *vec;
    wn_tensor *out;
} wn_mv_args;
WN_API wn_tensor *wn_mv_x(const wn_mv_args *args);
#ifndef __cplusplus
#define WN_ARGS_mv_(text, a0, a1, ...) \
    &(wn_mv_args){.size_ = sizeof(wn_mv_args), .self = a0, .vec = a1, __VA_ARGS__}
#define wn_mv(...) \
    wn_mv_x(WN_2_(WN_FEW_, WN_ARGS_mv_, __VA_ARGS__)("too few arguments: wn_mv(self, vec, ...)", __VA_ARGS__, ))
#endif

/* dot(Tensor self, Tensor tensor) -> Tensor
 * sum_i self[i] * tensor[i]. */
typedef struct wn_dot_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *tensor;
    wn_tensor *out;
} wn_dot_args;
WN_API wn_tensor *wn_dot_x(const wn_dot_args *args);
#ifndef __cplusplus
#define WN_ARGS_dot_(text, a0, a1, ...) \
    &(wn_dot_args){.size_ = sizeof(wn_dot_args), .self = a0, .tensor = a1, __VA_ARGS__}
#define wn_dot(...) \
    wn_dot_x(WN_2_(WN_FEW_, WN_ARGS_dot_, __VA_ARGS__)("too few arguments: wn_dot(self, tensor, ...)", __VA_ARGS__, ))
#endif

/* outer(Tensor self, Tensor vec2) -> Tensor
 * out[i, j] = self[i] * vec2[j]. */
typedef struct wn_outer_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *vec2;
    wn_tensor *out;
} wn_outer_args;
WN_API wn_tensor *wn_outer_x(const wn_outer_args *args);
#ifndef __cplusplus
#define WN_ARGS_outer_(text, a0, a1, ...) \
    &(wn_outer_args){.size_ = sizeof(wn_outer_args), .self = a0, .vec2 = a1, __VA_ARGS__}
#define wn_outer(...) \
    wn_outer_x(WN_2_(WN_FEW_, WN_ARGS_outer_, __VA_ARGS__)("too few arguments: wn_outer(self, vec2, ...)", __VA_ARGS__, ))
#endif

/* addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor
 * beta * self + alpha * mat1 @ mat2 in one pass; self broadcasts. beta = 0: self is not read. */
typedef struct wn_addmm_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *mat1;
    wn_tensor *mat2;
    wn_val beta;
    wn_val alpha;
    wn_tensor *out;
} wn_addmm_args;
WN_API wn_tensor *wn_addmm_x(const wn_addmm_args *args);
WN_API wn_tensor *wn_addmm_inplace_x(const wn_addmm_args *args);
#ifndef __cplusplus
#define WN_ARGS_addmm_(text, a0, a1, a2, ...) \
    &(wn_addmm_args){.size_ = sizeof(wn_addmm_args), .self = a0, .mat1 = a1, .mat2 = a2, __VA_ARGS__}
#define wn_addmm(...) \
    wn_addmm_x(WN_3_(WN_FEW_, WN_ARGS_addmm_, __VA_ARGS__)("too few arguments: wn_addmm(self, mat1, mat2, ...)", __VA_ARGS__, ))
#define wn_addmm_(...) \
    wn_addmm_inplace_x(WN_3_(WN_FEW_, WN_ARGS_addmm_, __VA_ARGS__)("too few arguments: wn_addmm_(self, mat1, mat2, ...)", __VA_ARGS__, ))
#endif

/* addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor
 * beta * self + alpha * mat @ vec. */
typedef struct wn_addmv_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *mat;
    wn_tensor *vec;
    wn_val beta;
    wn_val alpha;
    wn_tensor *out;
} wn_addmv_args;
WN_API wn_tensor *wn_addmv_x(const wn_addmv_args *args);
WN_API wn_tensor *wn_addmv_inplace_x(const wn_addmv_args *args);
#ifndef __cplusplus
#define WN_ARGS_addmv_(text, a0, a1, a2, ...) \
    &(wn_addmv_args){.size_ = sizeof(wn_addmv_args), .self = a0, .mat = a1, .vec = a2, __VA_ARGS__}
#define wn_addmv(...) \
    wn_addmv_x(WN_3_(WN_FEW_, WN_ARGS_addmv_, __VA_ARGS__)("too few arguments: wn_addmv(self, mat, vec, ...)", __VA_ARGS__, ))
#define wn_addmv_(...) \
    wn_addmv_inplace_x(WN_3_(WN_FEW_, WN_ARGS_addmv_, __VA_ARGS__)("too few arguments: wn_addmv_(self, mat, vec, ...)", __VA_ARGS__, ))
#endif

/* baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor
 * beta * self + alpha * bmm(batch1, batch2); self broadcasts. */
typedef struct wn_baddbmm_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *batch1;
    wn_tensor *batch2;
    wn_val beta;
    wn_val alpha;
    wn_tensor *out;
} wn_baddbmm_args;
WN_API wn_tensor *wn_baddbmm_x(const wn_baddbmm_args *args);
WN_API wn_tensor *wn_baddbmm_inplace_x(const wn_baddbmm_args *args);
#ifndef __cplusplus
#define WN_ARGS_baddbmm_(text, a0, a1, a2, ...) \
    &(wn_baddbmm_args){.size_ = sizeof(wn_baddbmm_args), .self = a0, .batch1 = a1, .batch2 = a2, __VA_ARGS__}
#define wn_baddbmm(...) \
    wn_baddbmm_x(WN_3_(WN_FEW_, WN_ARGS_baddbmm_, __VA_ARGS__)("too few arguments: wn_baddbmm(self, batch1, batch2, ...)", __VA_ARGS__, ))
#define wn_baddbmm_(...) \
    wn_baddbmm_inplace_x(WN_3_(WN_FEW_, WN_ARGS_baddbmm_, __VA_ARGS__)("too few arguments: wn_baddbmm_(self, batch1, batch2, ...)", __VA_ARGS__, ))
#endif

/* linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor
 * input @ weight^T + bias in one pass; weight [out, in] (or [in]), input [..., in]. */
typedef struct wn_linear_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *weight;
    wn_tensor *bias;
    wn_tensor *out;
} wn_linear_args;
WN_API wn_tensor *wn_linear_x(const wn_linear_args *args);
#ifndef __cplusplus
#define WN_ARGS_linear_(text, a0, a1, ...) \
    &(wn_linear_args){.size_ = sizeof(wn_linear_args), .input = a0, .weight = a1, __VA_ARGS__}
#define wn_linear(...) \
    wn_linear_x(WN_2_(WN_FEW_, WN_ARGS_linear_, __VA_ARGS__)("too few arguments: wn_linear(input, weight, ...)", __VA_ARGS__, ))
#endif

/* linear_input_grad(Tensor grad, Tensor weight) -> Tensor
 * grad @ weight. */
typedef struct wn_linear_input_grad_args {
    size_t size_;
    wn_tensor *grad;
    wn_tensor *weight;
} wn_linear_input_grad_args;
WN_API wn_tensor *wn_linear_input_grad_x(const wn_linear_input_grad_args *args);
#ifndef __cplusplus
#define WN_ARGS_linear_input_grad_(text, a0, a1, ...) \
    &(wn_linear_input_grad_args){.size_ = sizeof(wn_linear_input_grad_args), .grad = a0, .weight = a1, __VA_ARGS__}
#define wn_linear_input_grad(...) \
    wn_linear_input_grad_x(WN_2_(WN_FEW_, WN_ARGS_linear_input_grad_, __VA_ARGS__)("too few arguments: wn_linear_input_grad(grad, weight, ...)", __VA_ARGS__, ))
#endif

/* linear_weight_grad(Tensor grad, Tensor input) -> Tensor
 * grad^T @ input, summed over all leading dimensions. */
typedef struct wn_linear_weight_grad_args {
    size_t size_;
    wn_tensor *grad;
    wn_tensor *input;
} wn_linear_weight_grad_args;
WN_API wn_tensor *wn_linear_weight_grad_x(const wn_linear_weight_grad_args *args);
#ifndef __cplusplus
#define WN_ARGS_linear_weight_grad_(text, a0, a1, ...) \
    &(wn_linear_weight_grad_args){.size_ = sizeof(wn_linear_weight_grad_args), .grad = a0, .input = a1, __VA_ARGS__}
#define wn_linear_weight_grad(...) \
    wn_linear_weight_grad_x(WN_2_(WN_FEW_, WN_ARGS_linear_weight_grad_, __VA_ARGS__)("too few arguments: wn_linear_weight_grad(grad, input, ...)", __VA_ARGS__, ))
#endif

/* einsum(str equation, Tensor[] tensors) -> Tensor
 * Sums of products in index notation: wn_einsum("bik,bkj->bij", a, b). A repeated label is a diagonal, "..."
 * stands for broadcast dimensions, a missing output means the labels that occur once, in order. Several operands
 * are contracted pair by pair in the cheapest order. */
typedef struct wn_einsum_args {
    size_t size_;
    const char *equation;
    wn_list tensors;
} wn_einsum_args;
WN_API wn_tensor *wn_einsum_x(const wn_einsum_args *args);
#ifndef __cplusplus
#define wn_einsum(a0, ...) \
    wn_einsum_x(&(wn_einsum_args){.size_ = sizeof(wn_einsum_args), .equation = a0, .tensors = WN_LIST(__VA_ARGS__)})
#endif

/* contract(Tensor self, Tensor other, int[] self_labels, int[] other_labels, int[] labels) -> Tensor
 * The sum of products over the labels that `labels` lacks: one number in [0, 96) for each dimension; every label
 * is in two of the three lists at least. What einsum and the gradients of products are made of. */
typedef struct wn_contract_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *other;
    wn_dims self_labels;
    wn_dims other_labels;
    wn_dims labels;
} wn_contract_args;
WN_API wn_tensor *wn_contract_x(const wn_contract_args *args);
#ifndef __cplusplus
#define WN_ARGS_contract_(text, a0, a1, a2, a3, a4, ...) \
    &(wn_contract_args){.size_ = sizeof(wn_contract_args), .self = a0, .other = a1, .self_labels = a2, .other_labels = a3, .labels = a4, __VA_ARGS__}
#define wn_contract(...) \
    wn_contract_x(WN_5_(WN_FEW_, WN_ARGS_contract_, __VA_ARGS__)("too few arguments: wn_contract(self, other, self_labels, other_labels, labels, ...)", __VA_ARGS__, ))
#endif

/* tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor
 * The product summed over dims_self of self and dims_other of other; what is left of self comes first. */
typedef struct wn_tensordot_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *other;
    wn_dims dims_self;
    wn_dims dims_other;
    wn_tensor *out;
} wn_tensordot_args;
WN_API wn_tensor *wn_tensordot_x(const wn_tensordot_args *args);
#ifndef __cplusplus
#define WN_ARGS_tensordot_(text, a0, a1, a2, a3, ...) \
    &(wn_tensordot_args){.size_ = sizeof(wn_tensordot_args), .self = a0, .other = a1, .dims_self = a2, .dims_other = a3, __VA_ARGS__}
#define wn_tensordot(...) \
    wn_tensordot_x(WN_4_(WN_FEW_, WN_ARGS_tensordot_, __VA_ARGS__)("too few arguments: wn_tensordot(self, other, dims_self, dims_other, ...)", __VA_ARGS__, ))
#endif

/* inner(Tensor self, Tensor other) -> Tensor
 * out[i..., j...] = sum_k self[i..., k] * other[j..., k]; with a 0-d operand the product. */
typedef struct wn_inner_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *other;
    wn_tensor *out;
} wn_inner_args;
WN_API wn_tensor *wn_inner_x(const wn_inner_args *args);
#ifndef __cplusplus
#define WN_ARGS_inner_(text, a0, a1, ...) \
    &(wn_inner_args){.size_ = sizeof(wn_inner_args), .self = a0, .other = a1, __VA_ARGS__}
#define wn_inner(...) \
    wn_inner_x(WN_2_(WN_FEW_, WN_ARGS_inner_, __VA_ARGS__)("too few arguments: wn_inner(self, other, ...)", __VA_ARGS__, ))
#endif

/* vdot(Tensor self, Tensor other) -> Tensor
 * sum_i self[i] * other[i], of vectors (nothing is complex here). */
typedef struct wn_vdot_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *other;
    wn_tensor *out;
} wn_vdot_args;
WN_API wn_tensor *wn_vdot_x(const wn_vdot_args *args);
#ifndef __cplusplus
#define WN_ARGS_vdot_(text, a0, a1, ...) \
    &(wn_vdot_args){.size_ = sizeof(wn_vdot_args), .self = a0, .other = a1, __VA_ARGS__}
#define wn_vdot(...) \
    wn_vdot_x(WN_2_(WN_FEW_, WN_ARGS_vdot_, __VA_ARGS__)("too few arguments: wn_vdot(self, other, ...)", __VA_ARGS__, ))
#endif

/* addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor
 * beta * self + alpha * sum_b batch1[b] @ batch2[b]; self broadcasts. beta = 0: self is not read. */
typedef struct wn_addbmm_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *batch1;
    wn_tensor *batch2;
    wn_val beta;
    wn_val alpha;
    wn_tensor *out;
} wn_addbmm_args;
WN_API wn_tensor *wn_addbmm_x(const wn_addbmm_args *args);
WN_API wn_tensor *wn_addbmm_inplace_x(const wn_addbmm_args *args);
#ifndef __cplusplus
#define WN_ARGS_addbmm_(text, a0, a1, a2, ...) \
    &(wn_addbmm_args){.size_ = sizeof(wn_addbmm_args), .self = a0, .batch1 = a1, .batch2 = a2, __VA_ARGS__}
#define wn_addbmm(...) \
    wn_addbmm_x(WN_3_(WN_FEW_, WN_ARGS_addbmm_, __VA_ARGS__)("too few arguments: wn_addbmm(self, batch1, batch2, ...)", __VA_ARGS__, ))
#define wn_addbmm_(...) \
    wn_addbmm_inplace_x(WN_3_(WN_FEW_, WN_ARGS_addbmm_, __VA_ARGS__)("too few arguments: wn_addbmm_(self, batch1, batch2, ...)", __VA_ARGS__, ))
#endif

/* addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor
 * beta * self + alpha * outer(vec1, vec2); self broadcasts. beta = 0: self is not read. bool: or of ands. */
typedef struct wn_addr_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *vec1;
    wn_tensor *vec2;
    wn_val beta;
    wn_val alpha;
    wn_tensor *out;
} wn_addr_args;
WN_API wn_tensor *wn_addr_x(const wn_addr_args *args);
WN_API wn_tensor *wn_addr_inplace_x(const wn_addr_args *args);
#ifndef __cplusplus
#define WN_ARGS_addr_(text, a0, a1, a2, ...) \
    &(wn_addr_args){.size_ = sizeof(wn_addr_args), .self = a0, .vec1 = a1, .vec2 = a2, __VA_ARGS__}
#define wn_addr(...) \
    wn_addr_x(WN_3_(WN_FEW_, WN_ARGS_addr_, __VA_ARGS__)("too few arguments: wn_addr(self, vec1, vec2, ...)", __VA_ARGS__, ))
#define wn_addr_(...) \
    wn_addr_inplace_x(WN_3_(WN_FEW_, WN_ARGS_addr_, __VA_ARGS__)("too few arguments: wn_addr_(self, vec1, vec2, ...)", __VA_ARGS__, ))
#endif

/* cross(Tensor self, Tensor other, int? dim=None) -> Tensor
 * The cross product along dim (default: the first one of length 3). */
typedef struct wn_cross_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *other;
    wn_val dim;
    wn_tensor *out;
} wn_cross_args;
WN_API wn_tensor *wn_cross_x(const wn_cross_args *args);
#ifndef __cplusplus
#define WN_ARGS_cross_(text, a0, a1, ...) \
    &(wn_cross_args){.size_ = sizeof(wn_cross_args), .self = a0, .other = a1, __VA_ARGS__}
#define wn_cross(...) \
    wn_cross_x(WN_2_(WN_FEW_, WN_ARGS_cross_, __VA_ARGS__)("too few arguments: wn_cross(self, other, ...)", __VA_ARGS__, ))
#endif

/* linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor
 * The cross product along dim, which has length 3: out_i = self_(i+1) * other_(i+2) - self_(i+2) * other_(i+1). */
typedef struct wn_linalg_cross_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *other;
    wn_val dim;
    wn_tensor *out;
} wn_linalg_cross_args;
WN_API wn_tensor *wn_linalg_cross_x(const wn_linalg_cross_args *args);
#ifndef __cplusplus
#define WN_ARGS_linalg_cross_(text, a0, a1, ...) \
    &(wn_linalg_cross_args){.size_ = sizeof(wn_linalg_cross_args), .self = a0, .other = a1, __VA_ARGS__}
#define wn_linalg_cross(...) \
    wn_linalg_cross_x(WN_2_(WN_FEW_, WN_ARGS_linalg_cross_, __VA_ARGS__)("too few arguments: wn_linalg_cross(self, other, ...)", __VA_ARGS__, ))
#endif

/* linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor
 * sum(x * y) over dim; the others broadcast. */
typedef struct wn_linalg_vecdot_args {
    size_t size_;
    wn_tensor *x;
    wn_tensor *y;
    wn_val dim;
    wn_tensor *out;
} wn_linalg_vecdot_args;
WN_API wn_tensor *wn_linalg_vecdot_x(const wn_linalg_vecdot_args *args);
#ifndef __cplusplus
#define WN_ARGS_linalg_vecdot_(text, a0, a1, ...) \
    &(wn_linalg_vecdot_args){.size_ = sizeof(wn_linalg_vecdot_args), .x = a0, .y = a1, __VA_ARGS__}
#define wn_linalg_vecdot(...) \
    wn_linalg_vecdot_x(WN_2_(WN_FEW_, WN_ARGS_linalg_vecdot_, __VA_ARGS__)("too few arguments: wn_linalg_vecdot(x, y, ...)", __VA_ARGS__, ))
#endif

/* kron(Tensor self, Tensor other) -> Tensor
 * Kronecker's product: every element of self times all of other, side by side. */
typedef struct wn_kron_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *other;
    wn_tensor *out;
} wn_kron_args;
WN_API wn_tensor *wn_kron_x(const wn_kron_args *args);
#ifndef __cplusplus
#define WN_ARGS_kron_(text, a0, a1, ...) \
    &(wn_kron_args){.size_ = sizeof(wn_kron_args), .self = a0, .other = a1, __VA_ARGS__}
#define wn_kron(...) \
    wn_kron_x(WN_2_(WN_FEW_, WN_ARGS_kron_, __VA_ARGS__)("too few arguments: wn_kron(self, other, ...)", __VA_ARGS__, ))
#endif

/* cdist(Tensor x1, Tensor x2, float p=2.0, int? compute_mode=None) -> Tensor
 * out[..., i, j] = (sum_k |x1[..., i, k] - x2[..., j, k]|^p)^(1/p); p 0 counts, inf is the largest. compute_mode
 * 0: euclidean distances of more than 25 rows come from a matrix product; 1: they all do; 2: none. The gradient at
 * distance 0 is 0. */
typedef struct wn_cdist_args {
    size_t size_;
    wn_tensor *x1;
    wn_tensor *x2;
    wn_val p;
    wn_val compute_mode;
} wn_cdist_args;
WN_API wn_tensor *wn_cdist_x(const wn_cdist_args *args);
#ifndef __cplusplus
#define WN_ARGS_cdist_(text, a0, a1, ...) \
    &(wn_cdist_args){.size_ = sizeof(wn_cdist_args), .x1 = a0, .x2 = a1, __VA_ARGS__}
#define wn_cdist(...) \
    wn_cdist_x(WN_2_(WN_FEW_, WN_ARGS_cdist_, __VA_ARGS__)("too few arguments: wn_cdist(x1, x2, ...)", __VA_ARGS__, ))
#endif

/* _cdist_forward(Tensor x1, Tensor x2, float p, bool by_product) -> Tensor
 * cdist of operands of one batch shape. */
typedef struct wn_cdist_forward_args {
    size_t size_;
    wn_tensor *x1;
    wn_tensor *x2;
    double p;
    bool by_product;
} wn_cdist_forward_args;
WN_API wn_tensor *wn_cdist_forward_x(const wn_cdist_forward_args *args);
#ifndef __cplusplus
#define WN_ARGS_cdist_forward_(text, a0, a1, a2, a3, ...) \
    &(wn_cdist_forward_args){.size_ = sizeof(wn_cdist_forward_args), .x1 = a0, .x2 = a1, .p = a2, .by_product = a3, __VA_ARGS__}
#define wn_cdist_forward(...) \
    wn_cdist_forward_x(WN_4_(WN_FEW_, WN_ARGS_cdist_forward_, __VA_ARGS__)("too few arguments: wn_cdist_forward(x1, x2, p, by_product, ...)", __VA_ARGS__, ))
#endif

/* _cdist_backward(Tensor grad, Tensor x1, Tensor x2, float p, Tensor cdist) -> Tensor
 * The gradient of cdist in x1, in one pass. Has no derivative: for a second one cdist's gradient is made of other
 * rows. */
typedef struct wn_cdist_backward_args {
    size_t size_;
    wn_tensor *grad;
    wn_tensor *x1;
    wn_tensor *x2;
    double p;
    wn_tensor *cdist;
} wn_cdist_backward_args;
WN_API wn_tensor *wn_cdist_backward_x(const wn_cdist_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_cdist_backward_(text, a0, a1, a2, a3, a4, ...) \
    &(wn_cdist_backward_args){.size_ = sizeof(wn_cdist_backward_args), .grad = a0, .x1 = a1, .x2 = a2, .p = a3, .cdist = a4, __VA_ARGS__}
#define wn_cdist_backward(...) \
    wn_cdist_backward_x(WN_5_(WN_FEW_, WN_ARGS_cdist_backward_, __VA_ARGS__)("too few arguments: wn_cdist_backward(grad, x1, x2, p, cdist, ...)", __VA_ARGS__, ))
#endif

/* chain_matmul(Tensor[] matrices) -> Tensor
 * The product of matrices in the cheapest order. */
typedef struct wn_chain_matmul_args {
    size_t size_;
    wn_list matrices;
    wn_tensor *out;
} wn_chain_matmul_args;
WN_API wn_tensor *wn_chain_matmul_x(const wn_chain_matmul_args *args);
#ifndef __cplusplus
#define wn_chain_matmul(...) \
    wn_chain_matmul_x(&(wn_chain_matmul_args){.size_ = sizeof(wn_chain_matmul_args), .matrices = WN_LIST(__VA_ARGS__)})
#endif

/* vander(Tensor x, int? N=None, bool increasing=False) -> Tensor
 * Powers of the vector x as columns: x^(N-1) ... x^0, or x^0 ... x^(N-1) when increasing. */
typedef struct wn_vander_args {
    size_t size_;
    wn_tensor *x;
    wn_val N;
    bool increasing;
} wn_vander_args;
WN_API wn_tensor *wn_vander_x(const wn_vander_args *args);
#ifndef __cplusplus
#define wn_vander(...) \
    wn_vander_x(&(wn_vander_args){.size_ = sizeof(wn_vander_args), .x = __VA_ARGS__})
#endif

/* linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) -> (Tensor L, Tensor info)
 * L with self = L L^T (upper: U with self = U^T U) of symmetric positive-definite matrices, of which one triangle
 * is read. info: 0, or the order of the first minor that is not positive. */
typedef struct wn_linalg_cholesky_ex_args {
    size_t size_;
    wn_tensor *self;
    wn_switch upper;
    bool check_errors;
} wn_linalg_cholesky_ex_args;
typedef struct wn_linalg_cholesky_ex_out {
    wn_tensor *L, *info;
} wn_linalg_cholesky_ex_out;
WN_API wn_linalg_cholesky_ex_out wn_linalg_cholesky_ex_x(const wn_linalg_cholesky_ex_args *args);
#ifndef __cplusplus
#define wn_linalg_cholesky_ex(...) \
    wn_linalg_cholesky_ex_x(&(wn_linalg_cholesky_ex_args){.size_ = sizeof(wn_linalg_cholesky_ex_args), .self = __VA_ARGS__})
#endif

/* linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor
 * cholesky_ex, with an error where info is not 0. */
typedef struct wn_linalg_cholesky_args {
    size_t size_;
    wn_tensor *self;
    wn_switch upper;
    wn_tensor *out;
} wn_linalg_cholesky_args;
WN_API wn_tensor *wn_linalg_cholesky_x(const wn_linalg_cholesky_args *args);
#ifndef __cplusplus
#define wn_linalg_cholesky(...) \
    wn_linalg_cholesky_x(&(wn_linalg_cholesky_args){.size_ = sizeof(wn_linalg_cholesky_args), .self = __VA_ARGS__})
#endif

/* cholesky(Tensor self, bool upper=False) -> Tensor
 * linalg_cholesky's older name. */
typedef struct wn_cholesky_args {
    size_t size_;
    wn_tensor *self;
    wn_switch upper;
    wn_tensor *out;
} wn_cholesky_args;
WN_API wn_tensor *wn_cholesky_x(const wn_cholesky_args *args);
#ifndef __cplusplus
#define wn_cholesky(...) \
    wn_cholesky_x(&(wn_cholesky_args){.size_ = sizeof(wn_cholesky_args), .self = __VA_ARGS__})
#endif

/* cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor
 * X with (L L^T) X = self, L = input2 (upper: (U^T U) X = self). */
typedef struct wn_cholesky_solve_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *input2;
    wn_switch upper;
    wn_tensor *out;
} wn_cholesky_solve_args;
WN_API wn_tensor *wn_cholesky_solve_x(const wn_cholesky_solve_args *args);
#ifndef __cplusplus
#define WN_ARGS_cholesky_solve_(text, a0, a1, ...) \
    &(wn_cholesky_solve_args){.size_ = sizeof(wn_cholesky_solve_args), .self = a0, .input2 = a1, __VA_ARGS__}
#define wn_cholesky_solve(...) \
    wn_cholesky_solve_x(WN_2_(WN_FEW_, WN_ARGS_cholesky_solve_, __VA_ARGS__)("too few arguments: wn_cholesky_solve(self, input2, ...)", __VA_ARGS__, ))
#endif

/* cholesky_inverse(Tensor self, bool upper=False) -> Tensor
 * (L L^T)^-1, L = self (upper: (U^T U)^-1). */
typedef struct wn_cholesky_inverse_args {
    size_t size_;
    wn_tensor *self;
    wn_switch upper;
    wn_tensor *out;
} wn_cholesky_inverse_args;
WN_API wn_tensor *wn_cholesky_inverse_x(const wn_cholesky_inverse_args *args);
#ifndef __cplusplus
#define wn_cholesky_inverse(...) \
    wn_cholesky_inverse_x(&(wn_cholesky_inverse_args){.size_ = sizeof(wn_cholesky_inverse_args), .self = __VA_ARGS__})
#endif

/* _linalg_solve_triangular(Tensor A, Tensor B, bool upper, bool unitriangular) -> Tensor
 * X with A X = B, A's triangle alone being read (unitriangular: ones on its diagonal). Batches broadcast. */
typedef struct wn_solve_triangular_left_args {
    size_t size_;
    wn_tensor *A;
    wn_tensor *B;
    bool upper;
    bool unitriangular;
} wn_solve_triangular_left_args;
WN_API wn_tensor *wn_solve_triangular_left_x(const wn_solve_triangular_left_args *args);
#ifndef __cplusplus
#define WN_ARGS_solve_triangular_left_(text, a0, a1, a2, a3, ...) \
    &(wn_solve_triangular_left_args){.size_ = sizeof(wn_solve_triangular_left_args), .A = a0, .B = a1, .upper = a2, .unitriangular = a3, __VA_ARGS__}
#define wn_solve_triangular_left(...) \
    wn_solve_triangular_left_x(WN_4_(WN_FEW_, WN_ARGS_solve_triangular_left_, __VA_ARGS__)("too few arguments: wn_solve_triangular_left(A, B, upper, unitriangular, ...)", __VA_ARGS__, ))
#endif

/* linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool unitriangular=False) -> Tensor
 * X with self X = B (left off: X self = B), self being triangular. */
typedef struct wn_linalg_solve_triangular_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *B;
    bool upper;
    wn_switch left;
    bool unitriangular;
    wn_tensor *out;
} wn_linalg_solve_triangular_args;
WN_API wn_tensor *wn_linalg_solve_triangular_x(const wn_linalg_solve_triangular_args *args);
#ifndef __cplusplus
#define WN_ARGS_linalg_solve_triangular_(text, a0, a1, a2, ...) \
    &(wn_linalg_solve_triangular_args){.size_ = sizeof(wn_linalg_solve_triangular_args), .self = a0, .B = a1, .upper = a2, __VA_ARGS__}
#define wn_linalg_solve_triangular(...) \
    wn_linalg_solve_triangular_x(WN_3_(WN_FEW_, WN_ARGS_linalg_solve_triangular_, __VA_ARGS__)("too few arguments: wn_linalg_solve_triangular(self, B, upper, ...)", __VA_ARGS__, ))
#endif

/* triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False) -> (Tensor solution, Tensor cloned_coefficient)
 * X with A X = self (transpose: A^T X = self), A being triangular; and a copy of A. */
typedef struct wn_triangular_solve_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *A;
    wn_switch upper;
    bool transpose;
    bool unitriangular;
} wn_triangular_solve_args;
typedef struct wn_triangular_solve_out {
    wn_tensor *solution, *cloned_coefficient;
} wn_triangular_solve_out;
WN_API wn_triangular_solve_out wn_triangular_solve_x(const wn_triangular_solve_args *args);
#ifndef __cplusplus
#define WN_ARGS_triangular_solve_(text, a0, a1, ...) \
    &(wn_triangular_solve_args){.size_ = sizeof(wn_triangular_solve_args), .self = a0, .A = a1, __VA_ARGS__}
#define wn_triangular_solve(...) \
    wn_triangular_solve_x(WN_2_(WN_FEW_, WN_ARGS_triangular_solve_, __VA_ARGS__)("too few arguments: wn_triangular_solve(self, A, ...)", __VA_ARGS__, ))
#endif

/* linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> (Tensor LU, Tensor pivots, Tensor info)
 * L below the diagonal (ones on it not stored) and U of A = P L U; pivots[i] is the row, from 1, that row i was
 * exchanged with. info: 0, or which pivot is 0. */
typedef struct wn_linalg_lu_factor_ex_args {
    size_t size_;
    wn_tensor *A;
    wn_switch pivot;
    bool check_errors;
} wn_linalg_lu_factor_ex_args;
typedef struct wn_linalg_lu_factor_ex_out {
    wn_tensor *LU, *pivots, *info;
} wn_linalg_lu_factor_ex_out;
WN_API wn_linalg_lu_factor_ex_out wn_linalg_lu_factor_ex_x(const wn_linalg_lu_factor_ex_args *args);
#ifndef __cplusplus
#define wn_linalg_lu_factor_ex(...) \
    wn_linalg_lu_factor_ex_x(&(wn_linalg_lu_factor_ex_args){.size_ = sizeof(wn_linalg_lu_factor_ex_args), .A = __VA_ARGS__})
#endif

/* linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots)
 * lu_factor_ex, with an error where info is not 0. */
typedef struct wn_linalg_lu_factor_args {
    size_t size_;
    wn_tensor *A;
    wn_switch pivot;
} wn_linalg_lu_factor_args;
typedef struct wn_linalg_lu_factor_out {
    wn_tensor *LU, *pivots;
} wn_linalg_lu_factor_out;
WN_API wn_linalg_lu_factor_out wn_linalg_lu_factor_x(const wn_linalg_lu_factor_args *args);
#ifndef __cplusplus
#define wn_linalg_lu_factor(...) \
    wn_linalg_lu_factor_x(&(wn_linalg_lu_factor_args){.size_ = sizeof(wn_linalg_lu_factor_args), .A = __VA_ARGS__})
#endif

/* linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)
 * A = P L U with a permutation P, L with ones on its diagonal and U upper triangular. */
typedef struct wn_linalg_lu_args {
    size_t size_;
    wn_tensor *A;
    wn_switch pivot;
} wn_linalg_lu_args;
typedef struct wn_linalg_lu_out {
    wn_tensor *P, *L, *U;
} wn_linalg_lu_out;
WN_API wn_linalg_lu_out wn_linalg_lu_x(const wn_linalg_lu_args *args);
#ifndef __cplusplus
#define wn_linalg_lu(...) \
    wn_linalg_lu_x(&(wn_linalg_lu_args){.size_ = sizeof(wn_linalg_lu_args), .A = __VA_ARGS__})
#endif

/* _lu_permutation(Tensor pivots, int n, *, ScalarType? dtype=None) -> Tensor
 * P [n, n] of an LU factorisation from its pivots. */
typedef struct wn_lu_permutation_args {
    size_t size_;
    wn_tensor *pivots;
    int64_t n;
    wn_dtype dtype;
} wn_lu_permutation_args;
WN_API wn_tensor *wn_lu_permutation_x(const wn_lu_permutation_args *args);
#ifndef __cplusplus
#define WN_ARGS_lu_permutation_(text, a0, a1, ...) \
    &(wn_lu_permutation_args){.size_ = sizeof(wn_lu_permutation_args), .pivots = a0, .n = a1, __VA_ARGS__}
#define wn_lu_permutation(...) \
    wn_lu_permutation_x(WN_2_(WN_FEW_, WN_ARGS_lu_permutation_, __VA_ARGS__)("too few arguments: wn_lu_permutation(pivots, n, ...)", __VA_ARGS__, ))
#endif

/* lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True) -> (Tensor P, Tensor L, Tensor U)
 * P, L and U from what lu_factor gives. */
typedef struct wn_lu_unpack_args {
    size_t size_;
    wn_tensor *LU_data;
    wn_tensor *LU_pivots;
    wn_switch unpack_data;
    wn_switch unpack_pivots;
} wn_lu_unpack_args;
typedef struct wn_lu_unpack_out {
    wn_tensor *P, *L, *U;
} wn_lu_unpack_out;
WN_API wn_lu_unpack_out wn_lu_unpack_x(const wn_lu_unpack_args *args);
#ifndef __cplusplus
#define WN_ARGS_lu_unpack_(text, a0, a1, ...) \
    &(wn_lu_unpack_args){.size_ = sizeof(wn_lu_unpack_args), .LU_data = a0, .LU_pivots = a1, __VA_ARGS__}
#define wn_lu_unpack(...) \
    wn_lu_unpack_x(WN_2_(WN_FEW_, WN_ARGS_lu_unpack_, __VA_ARGS__)("too few arguments: wn_lu_unpack(LU_data, LU_pivots, ...)", __VA_ARGS__, ))
#endif

/* _linalg_solve_ex(Tensor A, Tensor B) -> (Tensor result, Tensor LU, Tensor pivots, Tensor info)
 * X with A X = B, and the factors. */
typedef struct wn_solve_factoring_args {
    size_t size_;
    wn_tensor *A;
    wn_tensor *B;
} wn_solve_factoring_args;
typedef struct wn_solve_factoring_out {
    wn_tensor *result, *LU, *pivots, *info;
} wn_solve_factoring_out;
WN_API wn_solve_factoring_out wn_solve_factoring_x(const wn_solve_factoring_args *args);
#ifndef __cplusplus
#define WN_ARGS_solve_factoring_(text, a0, a1, ...) \
    &(wn_solve_factoring_args){.size_ = sizeof(wn_solve_factoring_args), .A = a0, .B = a1, __VA_ARGS__}
#define wn_solve_factoring(...) \
    wn_solve_factoring_x(WN_2_(WN_FEW_, WN_ARGS_solve_factoring_, __VA_ARGS__)("too few arguments: wn_solve_factoring(A, B, ...)", __VA_ARGS__, ))
#endif

/* linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor result, Tensor info)
 * linalg_solve; info: 0, or which pivot is 0. */
typedef struct wn_linalg_solve_ex_args {
    size_t size_;
    wn_tensor *A;
    wn_tensor *B;
    wn_switch left;
    bool check_errors;
} wn_linalg_solve_ex_args;
typedef struct wn_linalg_solve_ex_out {
    wn_tensor *result, *info;
} wn_linalg_solve_ex_out;
WN_API wn_linalg_solve_ex_out wn_linalg_solve_ex_x(const wn_linalg_solve_ex_args *args);
#ifndef __cplusplus
#define WN_ARGS_linalg_solve_ex_(text, a0, a1, ...) \
    &(wn_linalg_solve_ex_args){.size_ = sizeof(wn_linalg_solve_ex_args), .A = a0, .B = a1, __VA_ARGS__}
#define wn_linalg_solve_ex(...) \
    wn_linalg_solve_ex_x(WN_2_(WN_FEW_, WN_ARGS_linalg_solve_ex_, __VA_ARGS__)("too few arguments: wn_linalg_solve_ex(A, B, ...)", __VA_ARGS__, ))
#endif

/* linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor
 * X with A X = B (left off: X A = B). B is a batch of vectors when it is 1-d or of A's shape without the last
 * dimension. */
typedef struct wn_linalg_solve_args {
    size_t size_;
    wn_tensor *A;
    wn_tensor *B;
    wn_switch left;
    wn_tensor *out;
} wn_linalg_solve_args;
WN_API wn_tensor *wn_linalg_solve_x(const wn_linalg_solve_args *args);
#ifndef __cplusplus
#define WN_ARGS_linalg_solve_(text, a0, a1, ...) \
    &(wn_linalg_solve_args){.size_ = sizeof(wn_linalg_solve_args), .A = a0, .B = a1, __VA_ARGS__}
#define wn_linalg_solve(...) \
    wn_linalg_solve_x(WN_2_(WN_FEW_, WN_ARGS_linalg_solve_, __VA_ARGS__)("too few arguments: wn_linalg_solve(A, B, ...)", __VA_ARGS__, ))
#endif

/* _linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, bool adjoint) -> Tensor
 * X with A X = B (adjoint: A^T X = B) given A's factors. Has no derivative: linalg_lu_solve is made of other rows
 * when one is wanted. */
typedef struct wn_lu_solve_left_args {
    size_t size_;
    wn_tensor *LU;
    wn_tensor *pivots;
    wn_tensor *B;
    bool adjoint;
} wn_lu_solve_left_args;
WN_API wn_tensor *wn_lu_solve_left_x(const wn_lu_solve_left_args *args);
#ifndef __cplusplus
#define WN_ARGS_lu_solve_left_(text, a0, a1, a2, a3, ...) \
    &(wn_lu_solve_left_args){.size_ = sizeof(wn_lu_solve_left_args), .LU = a0, .pivots = a1, .B = a2, .adjoint = a3, __VA_ARGS__}
#define wn_lu_solve_left(...) \
    wn_lu_solve_left_x(WN_4_(WN_FEW_, WN_ARGS_lu_solve_left_, __VA_ARGS__)("too few arguments: wn_lu_solve_left(LU, pivots, B, adjoint, ...)", __VA_ARGS__, ))
#endif

/* linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False) -> Tensor
 * X with A X = B (left off: X A = B; adjoint: A^T for A) given A's factors. */
typedef struct wn_linalg_lu_solve_args {
    size_t size_;
    wn_tensor *LU;
    wn_tensor *pivots;
    wn_tensor *B;
    wn_switch left;
    bool adjoint;
    wn_tensor *out;
} wn_linalg_lu_solve_args;
WN_API wn_tensor *wn_linalg_lu_solve_x(const wn_linalg_lu_solve_args *args);
#ifndef __cplusplus
#define WN_ARGS_linalg_lu_solve_(text, a0, a1, a2, ...) \
    &(wn_linalg_lu_solve_args){.size_ = sizeof(wn_linalg_lu_solve_args), .LU = a0, .pivots = a1, .B = a2, __VA_ARGS__}
#define wn_linalg_lu_solve(...) \
    wn_linalg_lu_solve_x(WN_3_(WN_FEW_, WN_ARGS_linalg_lu_solve_, __VA_ARGS__)("too few arguments: wn_linalg_lu_solve(LU, pivots, B, ...)", __VA_ARGS__, ))
#endif

/* lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor
 * X with A X = self, given A's factors. */
typedef struct wn_lu_solve_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *LU_data;
    wn_tensor *LU_pivots;
    wn_tensor *out;
} wn_lu_solve_args;
WN_API wn_tensor *wn_lu_solve_x(const wn_lu_solve_args *args);
#ifndef __cplusplus
#define WN_ARGS_lu_solve_(text, a0, a1, a2, ...) \
    &(wn_lu_solve_args){.size_ = sizeof(wn_lu_solve_args), .self = a0, .LU_data = a1, .LU_pivots = a2, __VA_ARGS__}
#define wn_lu_solve(...) \
    wn_lu_solve_x(WN_3_(WN_FEW_, WN_ARGS_lu_solve_, __VA_ARGS__)("too few arguments: wn_lu_solve(self, LU_data, LU_pivots, ...)", __VA_ARGS__, ))
#endif

/* linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)
 * A^-1; info: 0, or which pivot is 0. */
typedef struct wn_linalg_inv_ex_args {
    size_t size_;
    wn_tensor *A;
    bool check_errors;
} wn_linalg_inv_ex_args;
typedef struct wn_linalg_inv_ex_out {
    wn_tensor *inverse, *info;
} wn_linalg_inv_ex_out;
WN_API wn_linalg_inv_ex_out wn_linalg_inv_ex_x(const wn_linalg_inv_ex_args *args);
#ifndef __cplusplus
#define wn_linalg_inv_ex(...) \
    wn_linalg_inv_ex_x(&(wn_linalg_inv_ex_args){.size_ = sizeof(wn_linalg_inv_ex_args), .A = __VA_ARGS__})
#endif

/* linalg_inv(Tensor A) -> Tensor
 * A^-1, with an error where A is singular. */
typedef struct wn_linalg_inv_args {
    size_t size_;
    wn_tensor *A;
    wn_tensor *out;
} wn_linalg_inv_args;
WN_API wn_tensor *wn_linalg_inv_x(const wn_linalg_inv_args *args);
#ifndef __cplusplus
#define wn_linalg_inv(...) \
    wn_linalg_inv_x(&(wn_linalg_inv_args){.size_ = sizeof(wn_linalg_inv_args), .A = __VA_ARGS__})
#endif

/* inverse(Tensor self) -> Tensor
 * linalg_inv's older name. */
typedef struct wn_inverse_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *out;
} wn_inverse_args;
WN_API wn_tensor *wn_inverse_x(const wn_inverse_args *args);
#ifndef __cplusplus
#define wn_inverse(...) \
    wn_inverse_x(&(wn_inverse_args){.size_ = sizeof(wn_inverse_args), .self = __VA_ARGS__})
#endif

/* _linalg_det(Tensor A) -> (Tensor result, Tensor LU, Tensor pivots)
 * The determinant, and the factors. */
typedef struct wn_det_factoring_args {
    size_t size_;
    wn_tensor *A;
} wn_det_factoring_args;
typedef struct wn_det_factoring_out {
    wn_tensor *result, *LU, *pivots;
} wn_det_factoring_out;
WN_API wn_det_factoring_out wn_det_factoring_x(const wn_det_factoring_args *args);
#ifndef __cplusplus
#define wn_det_factoring(...) \
    wn_det_factoring_x(&(wn_det_factoring_args){.size_ = sizeof(wn_det_factoring_args), .A = __VA_ARGS__})
#endif

/* linalg_det(Tensor A) -> Tensor
 * The determinant. */
typedef struct wn_linalg_det_args {
    size_t size_;
    wn_tensor *A;
    wn_tensor *out;
} wn_linalg_det_args;
WN_API wn_tensor *wn_linalg_det_x(const wn_linalg_det_args *args);
#ifndef __cplusplus
#define wn_linalg_det(...) \
    wn_linalg_det_x(&(wn_linalg_det_args){.size_ = sizeof(wn_linalg_det_args), .A = __VA_ARGS__})
#endif

/* det(Tensor self) -> Tensor
 * The determinant. */
typedef struct wn_det_args {
    size_t size_;
    wn_tensor *self;
} wn_det_args;
WN_API wn_tensor *wn_det_x(const wn_det_args *args);
#ifndef __cplusplus
#define wn_det(...) \
    wn_det_x(&(wn_det_args){.size_ = sizeof(wn_det_args), .self = __VA_ARGS__})
#endif

/* _linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet, Tensor LU, Tensor pivots)
 * slogdet, and the factors. */
typedef wn_det_factoring_args wn_slogdet_factoring_args;
typedef struct wn_slogdet_factoring_out {
    wn_tensor *sign, *logabsdet, *LU, *pivots;
} wn_slogdet_factoring_out;
WN_API wn_slogdet_factoring_out wn_slogdet_factoring_x(const wn_slogdet_factoring_args *args);
#ifndef __cplusplus
#define wn_slogdet_factoring(...) \
    wn_slogdet_factoring_x(&(wn_slogdet_factoring_args){.size_ = sizeof(wn_slogdet_factoring_args), .A = __VA_ARGS__})
#endif

/* linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)
 * The sign of the determinant (-1, 0, 1) and the logarithm of its absolute value. */
typedef struct wn_linalg_slogdet_args {
    size_t size_;
    wn_tensor *A;
} wn_linalg_slogdet_args;
typedef struct wn_linalg_slogdet_out {
    wn_tensor *sign, *logabsdet;
} wn_linalg_slogdet_out;
WN_API wn_linalg_slogdet_out wn_linalg_slogdet_x(const wn_linalg_slogdet_args *args);
#ifndef __cplusplus
#define wn_linalg_slogdet(...) \
    wn_linalg_slogdet_x(&(wn_linalg_slogdet_args){.size_ = sizeof(wn_linalg_slogdet_args), .A = __VA_ARGS__})
#endif

/* slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet)
 * linalg_slogdet. */
typedef struct wn_slogdet_args {
    size_t size_;
    wn_tensor *self;
} wn_slogdet_args;
typedef struct wn_slogdet_out {
    wn_tensor *sign, *logabsdet;
} wn_slogdet_out;
WN_API wn_slogdet_out wn_slogdet_x(const wn_slogdet_args *args);
#ifndef __cplusplus
#define wn_slogdet(...) \
    wn_slogdet_x(&(wn_slogdet_args){.size_ = sizeof(wn_slogdet_args), .self = __VA_ARGS__})
#endif

/* logdet(Tensor self) -> Tensor
 * The logarithm of the determinant; NaN where that is negative. */
typedef struct wn_logdet_args {
    size_t size_;
    wn_tensor *self;
} wn_logdet_args;
WN_API wn_tensor *wn_logdet_x(const wn_logdet_args *args);
#ifndef __cplusplus
#define wn_logdet(...) \
    wn_logdet_x(&(wn_logdet_args){.size_ = sizeof(wn_logdet_args), .self = __VA_ARGS__})
#endif

/* linalg_qr(Tensor A, str mode="reduced") -> (Tensor Q, Tensor R)
 * A = Q R with orthonormal columns of Q and R upper triangular. mode "reduced": Q [m, min(m, n)], "complete": Q
 * [m, m], "r": no Q. */
typedef struct wn_linalg_qr_args {
    size_t size_;
    wn_tensor *A;
    const char *mode;
} wn_linalg_qr_args;
typedef struct wn_linalg_qr_out {
    wn_tensor *Q, *R;
} wn_linalg_qr_out;
WN_API wn_linalg_qr_out wn_linalg_qr_x(const wn_linalg_qr_args *args);
#ifndef __cplusplus
#define wn_linalg_qr(...) \
    wn_linalg_qr_x(&(wn_linalg_qr_args){.size_ = sizeof(wn_linalg_qr_args), .A = __VA_ARGS__})
#endif

/* qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R)
 * linalg_qr, reduced (some) or complete. */
typedef struct wn_qr_args {
    size_t size_;
    wn_tensor *self;
    wn_switch some;
} wn_qr_args;
typedef struct wn_qr_out {
    wn_tensor *Q, *R;
} wn_qr_out;
WN_API wn_qr_out wn_qr_x(const wn_qr_args *args);
#ifndef __cplusplus
#define wn_qr(...) \
    wn_qr_x(&(wn_qr_args){.size_ = sizeof(wn_qr_args), .self = __VA_ARGS__})
#endif

/* geqrf(Tensor self) -> (Tensor a, Tensor tau)
 * QR's raw form: R above the diagonal of a, below it the vectors v_i (their leading 1 not stored) of the
 * reflectors I - tau_i v_i v_i^T. */
typedef struct wn_geqrf_args {
    size_t size_;
    wn_tensor *self;
} wn_geqrf_args;
typedef struct wn_geqrf_out {
    wn_tensor *a, *tau;
} wn_geqrf_out;
WN_API wn_geqrf_out wn_geqrf_x(const wn_geqrf_args *args);
#ifndef __cplusplus
#define wn_geqrf(...) \
    wn_geqrf_x(&(wn_geqrf_args){.size_ = sizeof(wn_geqrf_args), .self = __VA_ARGS__})
#endif

/* _reflectors_product(Tensor input, Tensor tau) -> Tensor
 * householder_product by LAPACK, without a derivative. */
typedef struct wn_reflectors_product_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *tau;
} wn_reflectors_product_args;
WN_API wn_tensor *wn_reflectors_product_x(const wn_reflectors_product_args *args);
#ifndef __cplusplus
#define WN_ARGS_reflectors_product_(text, a0, a1, ...) \
    &(wn_reflectors_product_args){.size_ = sizeof(wn_reflectors_product_args), .input = a0, .tau = a1, __VA_ARGS__}
#define wn_reflectors_product(...) \
    wn_reflectors_product_x(WN_2_(WN_FEW_, WN_ARGS_reflectors_product_, __VA_ARGS__)("too few arguments: wn_reflectors_product(input, tau, ...)", __VA_ARGS__, ))
#endif

/* linalg_householder_product(Tensor input, Tensor tau) -> Tensor
 * The first columns of the product of the reflectors I - tau_i v_i v_i^T, v_i being column i of input below its
 * diagonal. */
typedef struct wn_linalg_householder_product_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *tau;
    wn_tensor *out;
} wn_linalg_householder_product_args;
WN_API wn_tensor *wn_linalg_householder_product_x(const wn_linalg_householder_product_args *args);
#ifndef __cplusplus
#define WN_ARGS_linalg_householder_product_(text, a0, a1, ...) \
    &(wn_linalg_householder_product_args){.size_ = sizeof(wn_linalg_householder_product_args), .input = a0, .tau = a1, __VA_ARGS__}
#define wn_linalg_householder_product(...) \
    wn_linalg_householder_product_x(WN_2_(WN_FEW_, WN_ARGS_linalg_householder_product_, __VA_ARGS__)("too few arguments: wn_linalg_householder_product(input, tau, ...)", __VA_ARGS__, ))
#endif

/* orgqr(Tensor self, Tensor input2) -> Tensor
 * linalg_householder_product's older name. */
typedef struct wn_orgqr_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *input2;
    wn_tensor *out;
} wn_orgqr_args;
WN_API wn_tensor *wn_orgqr_x(const wn_orgqr_args *args);
#ifndef __cplusplus
#define WN_ARGS_orgqr_(text, a0, a1, ...) \
    &(wn_orgqr_args){.size_ = sizeof(wn_orgqr_args), .self = a0, .input2 = a1, __VA_ARGS__}
#define wn_orgqr(...) \
    wn_orgqr_x(WN_2_(WN_FEW_, WN_ARGS_orgqr_, __VA_ARGS__)("too few arguments: wn_orgqr(self, input2, ...)", __VA_ARGS__, ))
#endif

/* _reflectors_apply(Tensor input, Tensor tau, Tensor other, bool transpose) -> Tensor
 * ormqr from the left by LAPACK, without a derivative. */
typedef struct wn_reflectors_apply_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *tau;
    wn_tensor *other;
    bool transpose;
} wn_reflectors_apply_args;
WN_API wn_tensor *wn_reflectors_apply_x(const wn_reflectors_apply_args *args);
#ifndef __cplusplus
#define WN_ARGS_reflectors_apply_(text, a0, a1, a2, a3, ...) \
    &(wn_reflectors_apply_args){.size_ = sizeof(wn_reflectors_apply_args), .input = a0, .tau = a1, .other = a2, .transpose = a3, __VA_ARGS__}
#define wn_reflectors_apply(...) \
    wn_reflectors_apply_x(WN_4_(WN_FEW_, WN_ARGS_reflectors_apply_, __VA_ARGS__)("too few arguments: wn_reflectors_apply(input, tau, other, transpose, ...)", __VA_ARGS__, ))
#endif

/* ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) -> Tensor
 * Q C (left off: C Q; transpose: Q^T for Q), Q being the product of the reflectors in self with factors input2, C
 * = input3. */
typedef struct wn_ormqr_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *input2;
    wn_tensor *input3;
    wn_switch left;
    bool transpose;
    wn_tensor *out;
} wn_ormqr_args;
WN_API wn_tensor *wn_ormqr_x(const wn_ormqr_args *args);
#ifndef __cplusplus
#define WN_ARGS_ormqr_(text, a0, a1, a2, ...) \
    &(wn_ormqr_args){.size_ = sizeof(wn_ormqr_args), .self = a0, .input2 = a1, .input3 = a2, __VA_ARGS__}
#define wn_ormqr(...) \
    wn_ormqr_x(WN_3_(WN_FEW_, WN_ARGS_ormqr_, __VA_ARGS__)("too few arguments: wn_ormqr(self, input2, input3, ...)", __VA_ARGS__, ))
#endif

/* _linalg_eigh(Tensor A, str UPLO="L", bool compute_v=False) -> (Tensor eigenvalues, Tensor eigenvectors)
 * linalg_eigh, the vectors on demand. */
typedef struct wn_eigh_vectors_args {
    size_t size_;
    wn_tensor *A;
    const char *UPLO;
    bool compute_v;
} wn_eigh_vectors_args;
typedef struct wn_eigh_vectors_out {
    wn_tensor *eigenvalues, *eigenvectors;
} wn_eigh_vectors_out;
WN_API wn_eigh_vectors_out wn_eigh_vectors_x(const wn_eigh_vectors_args *args);
#ifndef __cplusplus
#define wn_eigh_vectors(...) \
    wn_eigh_vectors_x(&(wn_eigh_vectors_args){.size_ = sizeof(wn_eigh_vectors_args), .A = __VA_ARGS__})
#endif

/* linalg_eigh(Tensor self, str UPLO="L") -> (Tensor eigenvalues, Tensor eigenvectors)
 * Eigenvalues, ascending, and orthonormal eigenvectors (columns) of symmetric matrices, of which the triangle UPLO
 * is read. */
typedef struct wn_linalg_eigh_args {
    size_t size_;
    wn_tensor *self;
    const char *UPLO;
} wn_linalg_eigh_args;
typedef struct wn_linalg_eigh_out {
    wn_tensor *eigenvalues, *eigenvectors;
} wn_linalg_eigh_out;
WN_API wn_linalg_eigh_out wn_linalg_eigh_x(const wn_linalg_eigh_args *args);
#ifndef __cplusplus
#define wn_linalg_eigh(...) \
    wn_linalg_eigh_x(&(wn_linalg_eigh_args){.size_ = sizeof(wn_linalg_eigh_args), .self = __VA_ARGS__})
#endif

/* linalg_eigvalsh(Tensor self, str UPLO="L") -> Tensor
 * The eigenvalues of symmetric matrices, ascending. */
typedef struct wn_linalg_eigvalsh_args {
    size_t size_;
    wn_tensor *self;
    const char *UPLO;
    wn_tensor *out;
} wn_linalg_eigvalsh_args;
WN_API wn_tensor *wn_linalg_eigvalsh_x(const wn_linalg_eigvalsh_args *args);
#ifndef __cplusplus
#define wn_linalg_eigvalsh(...) \
    wn_linalg_eigvalsh_x(&(wn_linalg_eigvalsh_args){.size_ = sizeof(wn_linalg_eigvalsh_args), .self = __VA_ARGS__})
#endif

/* _linalg_svd(Tensor A, bool full_matrices, bool compute_uv) -> (Tensor U, Tensor S, Tensor Vh)
 * linalg_svd, the vectors on demand. */
typedef struct wn_svd_vectors_args {
    size_t size_;
    wn_tensor *A;
    bool full_matrices;
    bool compute_uv;
} wn_svd_vectors_args;
typedef struct wn_svd_vectors_out {
    wn_tensor *U, *S, *Vh;
} wn_svd_vectors_out;
WN_API wn_svd_vectors_out wn_svd_vectors_x(const wn_svd_vectors_args *args);
#ifndef __cplusplus
#define WN_ARGS_svd_vectors_(text, a0, a1, a2, ...) \
    &(wn_svd_vectors_args){.size_ = sizeof(wn_svd_vectors_args), .A = a0, .full_matrices = a1, .compute_uv = a2, __VA_ARGS__}
#define wn_svd_vectors(...) \
    wn_svd_vectors_x(WN_3_(WN_FEW_, WN_ARGS_svd_vectors_, __VA_ARGS__)("too few arguments: wn_svd_vectors(A, full_matrices, compute_uv, ...)", __VA_ARGS__, ))
#endif

/* linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)
 * A = U diag(S) Vh with orthonormal columns of U and rows of Vh, S descending. full_matrices off: only as many as
 * there are singular values. */
typedef struct wn_linalg_svd_args {
    size_t size_;
    wn_tensor *A;
    wn_switch full_matrices;
    const char *driver;
} wn_linalg_svd_args;
typedef struct wn_linalg_svd_out {
    wn_tensor *U, *S, *Vh;
} wn_linalg_svd_out;
WN_API wn_linalg_svd_out wn_linalg_svd_x(const wn_linalg_svd_args *args);
#ifndef __cplusplus
#define wn_linalg_svd(...) \
    wn_linalg_svd_x(&(wn_linalg_svd_args){.size_ = sizeof(wn_linalg_svd_args), .A = __VA_ARGS__})
#endif

/* linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor
 * The singular values, descending. */
typedef struct wn_linalg_svdvals_args {
    size_t size_;
    wn_tensor *A;
    const char *driver;
    wn_tensor *out;
} wn_linalg_svdvals_args;
WN_API wn_tensor *wn_linalg_svdvals_x(const wn_linalg_svdvals_args *args);
#ifndef __cplusplus
#define wn_linalg_svdvals(...) \
    wn_linalg_svdvals_x(&(wn_linalg_svdvals_args){.size_ = sizeof(wn_linalg_svdvals_args), .A = __VA_ARGS__})
#endif

/* svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)
 * linalg_svd with V for Vh = V^T; some: not the full matrices; compute_uv off: zeros for U and V. */
typedef struct wn_svd_args {
    size_t size_;
    wn_tensor *self;
    wn_switch some;
    wn_switch compute_uv;
} wn_svd_args;
typedef struct wn_svd_out {
    wn_tensor *U, *S, *V;
} wn_svd_out;
WN_API wn_svd_out wn_svd_x(const wn_svd_args *args);
#ifndef __cplusplus
#define wn_svd(...) \
    wn_svd_x(&(wn_svd_args){.size_ = sizeof(wn_svd_args), .self = __VA_ARGS__})
#endif

/* _linalg_lstsq(Tensor self, Tensor b, float? rcond=None, str? driver=None) -> (Tensor solution, Tensor rank, Tensor singular_values)
 * linalg_lstsq for matrices b, without residuals. */
typedef struct wn_lstsq_driver_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *b;
    wn_val rcond;
    const char *driver;
} wn_lstsq_driver_args;
typedef struct wn_lstsq_driver_out {
    wn_tensor *solution, *rank, *singular_values;
} wn_lstsq_driver_out;
WN_API wn_lstsq_driver_out wn_lstsq_driver_x(const wn_lstsq_driver_args *args);
#ifndef __cplusplus
#define WN_ARGS_lstsq_driver_(text, a0, a1, ...) \
    &(wn_lstsq_driver_args){.size_ = sizeof(wn_lstsq_driver_args), .self = a0, .b = a1, __VA_ARGS__}
#define wn_lstsq_driver(...) \
    wn_lstsq_driver_x(WN_2_(WN_FEW_, WN_ARGS_lstsq_driver_, __VA_ARGS__)("too few arguments: wn_lstsq_driver(self, b, ...)", __VA_ARGS__, ))
#endif

/* linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> (Tensor solution, Tensor residuals, Tensor rank, Tensor singular_values)
 * X that minimises |self X - b|, of the smallest norm where there are many. driver: "gelsy" (the default), "gels",
 * "gelsd" or "gelss"; what a driver does not compute is empty. */
typedef struct wn_linalg_lstsq_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *b;
    wn_val rcond;
    const char *driver;
} wn_linalg_lstsq_args;
typedef struct wn_linalg_lstsq_out {
    wn_tensor *solution, *residuals, *rank, *singular_values;
} wn_linalg_lstsq_out;
WN_API wn_linalg_lstsq_out wn_linalg_lstsq_x(const wn_linalg_lstsq_args *args);
#ifndef __cplusplus
#define WN_ARGS_linalg_lstsq_(text, a0, a1, ...) \
    &(wn_linalg_lstsq_args){.size_ = sizeof(wn_linalg_lstsq_args), .self = a0, .b = a1, __VA_ARGS__}
#define wn_linalg_lstsq(...) \
    wn_linalg_lstsq_x(WN_2_(WN_FEW_, WN_ARGS_linalg_lstsq_, __VA_ARGS__)("too few arguments: wn_linalg_lstsq(self, b, ...)", __VA_ARGS__, ))
#endif

/* _pinv_grad(Tensor grad, Tensor pinv, Tensor self) -> Tensor
 * The gradient of the pseudo-inverse of self. */
typedef struct wn_pinv_grad_args {
    size_t size_;
    wn_tensor *grad;
    wn_tensor *pinv;
    wn_tensor *self;
} wn_pinv_grad_args;
WN_API wn_tensor *wn_pinv_grad_x(const wn_pinv_grad_args *args);
#ifndef __cplusplus
#define WN_ARGS_pinv_grad_(text, a0, a1, a2, ...) \
    &(wn_pinv_grad_args){.size_ = sizeof(wn_pinv_grad_args), .grad = a0, .pinv = a1, .self = a2, __VA_ARGS__}
#define wn_pinv_grad(...) \
    wn_pinv_grad_x(WN_3_(WN_FEW_, WN_ARGS_pinv_grad_, __VA_ARGS__)("too few arguments: wn_pinv_grad(grad, pinv, self, ...)", __VA_ARGS__, ))
#endif

/* _linalg_pinv(Tensor self, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor
 * linalg_pinv; the tolerances may be tensors. */
typedef struct wn_pinv_cut_args {
    size_t size_;
    wn_tensor *self;
    wn_val atol;
    wn_val rtol;
    bool hermitian;
} wn_pinv_cut_args;
WN_API wn_tensor *wn_pinv_cut_x(const wn_pinv_cut_args *args);
#ifndef __cplusplus
#define wn_pinv_cut(...) \
    wn_pinv_cut_x(&(wn_pinv_cut_args){.size_ = sizeof(wn_pinv_cut_args), .self = __VA_ARGS__})
#endif

/* linalg_pinv.atol_rtol(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor
 * The pseudo-inverse: singular values (eigenvalues, when hermitian) up to max(atol, rtol * the largest) count as
 * 0. rtol: eps * max(m, n) unless given, 0 when atol is. */
typedef struct wn_linalg_pinv_args {
    size_t size_;
    wn_tensor *self;
    wn_val atol;
    wn_val rtol;
    bool hermitian;
    wn_tensor *out;
} wn_linalg_pinv_args;
WN_API wn_tensor *wn_linalg_pinv_x(const wn_linalg_pinv_args *args);
#ifndef __cplusplus
#define wn_linalg_pinv(...) \
    wn_linalg_pinv_x(&(wn_linalg_pinv_args){.size_ = sizeof(wn_linalg_pinv_args), .self = __VA_ARGS__})
#endif

/* linalg_pinv.rcond(Tensor self, Tensor rcond, bool hermitian=False) -> Tensor
 * linalg_pinv with rtol = rcond. */
typedef struct wn_linalg_pinv_rcond_args {
    size_t size_;
    wn_tensor *self;
    wn_val rcond;
    bool hermitian;
    wn_tensor *out;
} wn_linalg_pinv_rcond_args;
WN_API wn_tensor *wn_linalg_pinv_rcond_x(const wn_linalg_pinv_rcond_args *args);
#ifndef __cplusplus
#define WN_ARGS_linalg_pinv_rcond_(text, a0, a1, ...) \
    &(wn_linalg_pinv_rcond_args){.size_ = sizeof(wn_linalg_pinv_rcond_args), .self = a0, .rcond = WN_VAL(a1), __VA_ARGS__}
#define wn_linalg_pinv_rcond(...) \
    wn_linalg_pinv_rcond_x(WN_2_(WN_FEW_, WN_ARGS_linalg_pinv_rcond_, __VA_ARGS__)("too few arguments: wn_linalg_pinv_rcond(self, rcond, ...)", __VA_ARGS__, ))
#endif

/* pinverse(Tensor self, float rcond=1e-15) -> Tensor
 * linalg_pinv with rtol = rcond. */
typedef struct wn_pinverse_args {
    size_t size_;
    wn_tensor *self;
    wn_val rcond;
} wn_pinverse_args;
WN_API wn_tensor *wn_pinverse_x(const wn_pinverse_args *args);
#ifndef __cplusplus
#define wn_pinverse(...) \
    wn_pinverse_x(&(wn_pinverse_args){.size_ = sizeof(wn_pinverse_args), .self = __VA_ARGS__})
#endif

/* linalg_matrix_rank.atol_rtol(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor
 * How many singular values are above max(atol, rtol * the largest); the tolerances are linalg_pinv's. */
typedef struct wn_linalg_matrix_rank_args {
    size_t size_;
    wn_tensor *self;
    wn_val atol;
    wn_val rtol;
    bool hermitian;
    wn_tensor *out;
} wn_linalg_matrix_rank_args;
WN_API wn_tensor *wn_linalg_matrix_rank_x(const wn_linalg_matrix_rank_args *args);
#ifndef __cplusplus
#define wn_linalg_matrix_rank(...) \
    wn_linalg_matrix_rank_x(&(wn_linalg_matrix_rank_args){.size_ = sizeof(wn_linalg_matrix_rank_args), .self = __VA_ARGS__})
#endif

/* linalg_matrix_rank.tol(Tensor self, Tensor tol, bool hermitian=False) -> Tensor
 * How many singular values are above tol. */
typedef struct wn_linalg_matrix_rank_tol_args {
    size_t size_;
    wn_tensor *self;
    wn_val tol;
    bool hermitian;
    wn_tensor *out;
} wn_linalg_matrix_rank_tol_args;
WN_API wn_tensor *wn_linalg_matrix_rank_tol_x(const wn_linalg_matrix_rank_tol_args *args);
#ifndef __cplusplus
#define WN_ARGS_linalg_matrix_rank_tol_(text, a0, a1, ...) \
    &(wn_linalg_matrix_rank_tol_args){.size_ = sizeof(wn_linalg_matrix_rank_tol_args), .self = a0, .tol = WN_VAL(a1), __VA_ARGS__}
#define wn_linalg_matrix_rank_tol(...) \
    wn_linalg_matrix_rank_tol_x(WN_2_(WN_FEW_, WN_ARGS_linalg_matrix_rank_tol_, __VA_ARGS__)("too few arguments: wn_linalg_matrix_rank_tol(self, tol, ...)", __VA_ARGS__, ))
#endif

/* linalg_cond(Tensor self, Scalar? p=None) -> Tensor
 * norm(self) * norm(self^-1) in the matrix norm p (2, -2, 1, -1, inf, -inf; default 2); inf for singular matrices. */
typedef struct wn_linalg_cond_args {
    size_t size_;
    wn_tensor *self;
    wn_val p;
    wn_tensor *out;
} wn_linalg_cond_args;
WN_API wn_tensor *wn_linalg_cond_x(const wn_linalg_cond_args *args);
#ifndef __cplusplus
#define WN_ARGS_linalg_cond_(text, a0, a1, ...) \
    &(wn_linalg_cond_args){.size_ = sizeof(wn_linalg_cond_args), .self = a0, .p = WN_VAL(a1), __VA_ARGS__}
#define wn_linalg_cond(...) \
    wn_linalg_cond_x(WN_2_(WN_FEW_, WN_ARGS_linalg_cond_, __VA_ARGS__)("too few arguments: wn_linalg_cond(self, p, ...)", __VA_ARGS__, ))
#endif

/* linalg_cond.p_str(Tensor self, str p) -> Tensor
 * linalg_cond in the norm "fro" or "nuc". */
typedef struct wn_linalg_cond_named_args {
    size_t size_;
    wn_tensor *self;
    const char *p;
    wn_tensor *out;
} wn_linalg_cond_named_args;
WN_API wn_tensor *wn_linalg_cond_named_x(const wn_linalg_cond_named_args *args);
#ifndef __cplusplus
#define WN_ARGS_linalg_cond_named_(text, a0, a1, ...) \
    &(wn_linalg_cond_named_args){.size_ = sizeof(wn_linalg_cond_named_args), .self = a0, .p = a1, __VA_ARGS__}
#define wn_linalg_cond_named(...) \
    wn_linalg_cond_named_x(WN_2_(WN_FEW_, WN_ARGS_linalg_cond_named_, __VA_ARGS__)("too few arguments: wn_linalg_cond_named(self, p, ...)", __VA_ARGS__, ))
#endif

/* linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor
 * ord 1: the largest sum of a column's absolute values, inf: of a row's, 2: the largest singular value; negative:
 * the least of them. */
typedef struct wn_linalg_matrix_norm_args {
    size_t size_;
    wn_tensor *self;
    wn_val ord;
    wn_dims dims;
    bool keepdim;
    wn_dtype dtype;
    wn_tensor *out;
} wn_linalg_matrix_norm_args;
WN_API wn_tensor *wn_linalg_matrix_norm_x(const wn_linalg_matrix_norm_args *args);
#ifndef __cplusplus
#define WN_ARGS_linalg_matrix_norm_(text, a0, a1, ...) \
    &(wn_linalg_matrix_norm_args){.size_ = sizeof(wn_linalg_matrix_norm_args), .self = a0, .ord = WN_VAL(a1), __VA_ARGS__}
#define wn_linalg_matrix_norm(...) \
    wn_linalg_matrix_norm_x(WN_2_(WN_FEW_, WN_ARGS_linalg_matrix_norm_, __VA_ARGS__)("too few arguments: wn_linalg_matrix_norm(self, ord, ...)", __VA_ARGS__, ))
#endif

/* linalg_matrix_norm.str_ord(Tensor self, str ord="fro", int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor
 * "fro": the root of the sum of squares, "nuc": the sum of the singular values. */
typedef struct wn_linalg_matrix_norm_named_args {
    size_t size_;
    wn_tensor *self;
    const char *ord;
    wn_dims dims;
    bool keepdim;
    wn_dtype dtype;
    wn_tensor *out;
} wn_linalg_matrix_norm_named_args;
WN_API wn_tensor *wn_linalg_matrix_norm_named_x(const wn_linalg_matrix_norm_named_args *args);
#ifndef __cplusplus
#define wn_linalg_matrix_norm_named(...) \
    wn_linalg_matrix_norm_named_x(&(wn_linalg_matrix_norm_named_args){.size_ = sizeof(wn_linalg_matrix_norm_named_args), .self = __VA_ARGS__})
#endif

/* linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor
 * A matrix norm where ord is given and two dimensions are (or there are just two), else vector_norm; without ord
 * that of all elements, of order 2. */
typedef struct wn_linalg_norm_args {
    size_t size_;
    wn_tensor *self;
    wn_val ord;
    wn_dims dims;
    bool keepdim;
    wn_dtype dtype;
    wn_tensor *out;
} wn_linalg_norm_args;
WN_API wn_tensor *wn_linalg_norm_x(const wn_linalg_norm_args *args);
#ifndef __cplusplus
#define wn_linalg_norm(...) \
    wn_linalg_norm_x(&(wn_linalg_norm_args){.size_ = sizeof(wn_linalg_norm_args), .self = __VA_ARGS__})
#endif

/* linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor
 * The matrix norm "fro" or "nuc". */
typedef struct wn_linalg_norm_named_args {
    size_t size_;
    wn_tensor *self;
    const char *ord;
    wn_dims dims;
    bool keepdim;
    wn_dtype dtype;
    wn_tensor *out;
} wn_linalg_norm_named_args;
WN_API wn_tensor *wn_linalg_norm_named_x(const wn_linalg_norm_named_args *args);
#ifndef __cplusplus
#define WN_ARGS_linalg_norm_named_(text, a0, a1, ...) \
    &(wn_linalg_norm_named_args){.size_ = sizeof(wn_linalg_norm_named_args), .self = a0, .ord = a1, __VA_ARGS__}
#define wn_linalg_norm_named(...) \
    wn_linalg_norm_named_x(WN_2_(WN_FEW_, WN_ARGS_linalg_norm_named_, __VA_ARGS__)("too few arguments: wn_linalg_norm_named(self, ord, ...)", __VA_ARGS__, ))
#endif

/* nuclear_norm(Tensor self, int[2]? dim=None, bool keepdim=False) -> Tensor
 * The sum of the singular values. */
typedef struct wn_nuclear_norm_args {
    size_t size_;
    wn_tensor *self;
    wn_dims dims;
    bool keepdim;
    wn_tensor *out;
} wn_nuclear_norm_args;
WN_API wn_tensor *wn_nuclear_norm_x(const wn_nuclear_norm_args *args);
#ifndef __cplusplus
#define wn_nuclear_norm(...) \
    wn_nuclear_norm_x(&(wn_nuclear_norm_args){.size_ = sizeof(wn_nuclear_norm_args), .self = __VA_ARGS__})
#endif

/* linalg_matrix_power(Tensor self, int n) -> Tensor
 * self^n by squaring; n negative: of the inverse, 0: the identity. */
typedef struct wn_linalg_matrix_power_args {
    size_t size_;
    wn_tensor *self;
    int64_t n;
    wn_tensor *out;
} wn_linalg_matrix_power_args;
WN_API wn_tensor *wn_linalg_matrix_power_x(const wn_linalg_matrix_power_args *args);
#ifndef __cplusplus
#define WN_ARGS_linalg_matrix_power_(text, a0, a1, ...) \
    &(wn_linalg_matrix_power_args){.size_ = sizeof(wn_linalg_matrix_power_args), .self = a0, .n = a1, __VA_ARGS__}
#define wn_linalg_matrix_power(...) \
    wn_linalg_matrix_power_x(WN_2_(WN_FEW_, WN_ARGS_linalg_matrix_power_, __VA_ARGS__)("too few arguments: wn_linalg_matrix_power(self, n, ...)", __VA_ARGS__, ))
#endif

/* matrix_power(Tensor self, int n) -> Tensor
 * linalg_matrix_power. */
typedef struct wn_matrix_power_args {
    size_t size_;
    wn_tensor *self;
    int64_t n;
    wn_tensor *out;
} wn_matrix_power_args;
WN_API wn_tensor *wn_matrix_power_x(const wn_matrix_power_args *args);
#ifndef __cplusplus
#define WN_ARGS_matrix_power_(text, a0, a1, ...) \
    &(wn_matrix_power_args){.size_ = sizeof(wn_matrix_power_args), .self = a0, .n = a1, __VA_ARGS__}
#define wn_matrix_power(...) \
    wn_matrix_power_x(WN_2_(WN_FEW_, WN_ARGS_matrix_power_, __VA_ARGS__)("too few arguments: wn_matrix_power(self, n, ...)", __VA_ARGS__, ))
#endif

/* linalg_matrix_exp(Tensor self) -> Tensor
 * sum_k self^k / k!. */
typedef struct wn_linalg_matrix_exp_args {
    size_t size_;
    wn_tensor *self;
} wn_linalg_matrix_exp_args;
WN_API wn_tensor *wn_linalg_matrix_exp_x(const wn_linalg_matrix_exp_args *args);
#ifndef __cplusplus
#define wn_linalg_matrix_exp(...) \
    wn_linalg_matrix_exp_x(&(wn_linalg_matrix_exp_args){.size_ = sizeof(wn_linalg_matrix_exp_args), .self = __VA_ARGS__})
#endif

/* matrix_exp(Tensor self) -> Tensor
 * linalg_matrix_exp. */
typedef struct wn_matrix_exp_args {
    size_t size_;
    wn_tensor *self;
} wn_matrix_exp_args;
WN_API wn_tensor *wn_matrix_exp_x(const wn_matrix_exp_args *args);
#ifndef __cplusplus
#define wn_matrix_exp(...) \
    wn_matrix_exp_x(&(wn_matrix_exp_args){.size_ = sizeof(wn_matrix_exp_args), .self = __VA_ARGS__})
#endif

/* linalg_multi_dot(Tensor[] tensors) -> Tensor
 * The product of matrices in the cheapest order; the first and the last may be vectors. */
typedef struct wn_linalg_multi_dot_args {
    size_t size_;
    wn_list tensors;
    wn_tensor *out;
} wn_linalg_multi_dot_args;
WN_API wn_tensor *wn_linalg_multi_dot_x(const wn_linalg_multi_dot_args *args);
#ifndef __cplusplus
#define wn_linalg_multi_dot(...) \
    wn_linalg_multi_dot_x(&(wn_linalg_multi_dot_args){.size_ = sizeof(wn_linalg_multi_dot_args), .tensors = __VA_ARGS__})
#endif

/* linalg_tensorinv(Tensor self, int ind=2) -> Tensor
 * The inverse with respect to tensordot over ind dimensions: that of self as a matrix of its first ind dimensions
 * by the others. */
typedef struct wn_linalg_tensorinv_args {
    size_t size_;
    wn_tensor *self;
    wn_val ind;
    wn_tensor *out;
} wn_linalg_tensorinv_args;
WN_API wn_tensor *wn_linalg_tensorinv_x(const wn_linalg_tensorinv_args *args);
#ifndef __cplusplus
#define wn_linalg_tensorinv(...) \
    wn_linalg_tensorinv_x(&(wn_linalg_tensorinv_args){.size_ = sizeof(wn_linalg_tensorinv_args), .self = __VA_ARGS__})
#endif

/* linalg_tensorsolve(Tensor self, Tensor other, int[]? dims=None) -> Tensor
 * X with tensordot(self, X, X.ndim) = other; dims of self are moved to the end first. */
typedef struct wn_linalg_tensorsolve_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *other;
    wn_dims dims;
    wn_tensor *out;
} wn_linalg_tensorsolve_args;
WN_API wn_tensor *wn_linalg_tensorsolve_x(const wn_linalg_tensorsolve_args *args);
#ifndef __cplusplus
#define WN_ARGS_linalg_tensorsolve_(text, a0, a1, ...) \
    &(wn_linalg_tensorsolve_args){.size_ = sizeof(wn_linalg_tensorsolve_args), .self = a0, .other = a1, __VA_ARGS__}
#define wn_linalg_tensorsolve(...) \
    wn_linalg_tensorsolve_x(WN_2_(WN_FEW_, WN_ARGS_linalg_tensorsolve_, __VA_ARGS__)("too few arguments: wn_linalg_tensorsolve(self, other, ...)", __VA_ARGS__, ))
#endif

/* linalg_vander(Tensor x, *, int? N=None) -> Tensor
 * out[..., i, j] = x[..., i]^j, j < N (default: as many as x has). */
typedef struct wn_linalg_vander_args {
    size_t size_;
    wn_tensor *x;
    wn_val N;
} wn_linalg_vander_args;
WN_API wn_tensor *wn_linalg_vander_x(const wn_linalg_vander_args *args);
#ifndef __cplusplus
#define wn_linalg_vander(...) \
    wn_linalg_vander_x(&(wn_linalg_vander_args){.size_ = sizeof(wn_linalg_vander_args), .x = __VA_ARGS__})
#endif

/* linalg_ldl_factor_ex(Tensor self, *, bool hermitian=False, bool check_errors=False) -> (Tensor LD, Tensor pivots, Tensor info)
 * The LDL^T factorisation of symmetric matrices, of which the lower triangle is read, as LAPACK packs it. */
typedef struct wn_linalg_ldl_factor_ex_args {
    size_t size_;
    wn_tensor *self;
    bool hermitian;
    bool check_errors;
} wn_linalg_ldl_factor_ex_args;
typedef struct wn_linalg_ldl_factor_ex_out {
    wn_tensor *LD, *pivots, *info;
} wn_linalg_ldl_factor_ex_out;
WN_API wn_linalg_ldl_factor_ex_out wn_linalg_ldl_factor_ex_x(const wn_linalg_ldl_factor_ex_args *args);
#ifndef __cplusplus
#define wn_linalg_ldl_factor_ex(...) \
    wn_linalg_ldl_factor_ex_x(&(wn_linalg_ldl_factor_ex_args){.size_ = sizeof(wn_linalg_ldl_factor_ex_args), .self = __VA_ARGS__})
#endif

/* linalg_ldl_factor(Tensor self, *, bool hermitian=False) -> (Tensor LD, Tensor pivots)
 * ldl_factor_ex, with an error where info is not 0. */
typedef struct wn_linalg_ldl_factor_args {
    size_t size_;
    wn_tensor *self;
    bool hermitian;
} wn_linalg_ldl_factor_args;
typedef struct wn_linalg_ldl_factor_out {
    wn_tensor *LD, *pivots;
} wn_linalg_ldl_factor_out;
WN_API wn_linalg_ldl_factor_out wn_linalg_ldl_factor_x(const wn_linalg_ldl_factor_args *args);
#ifndef __cplusplus
#define wn_linalg_ldl_factor(...) \
    wn_linalg_ldl_factor_x(&(wn_linalg_ldl_factor_args){.size_ = sizeof(wn_linalg_ldl_factor_args), .self = __VA_ARGS__})
#endif

/* linalg_ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False) -> Tensor
 * X with A X = B, given A's LDL^T factors. */
typedef struct wn_linalg_ldl_solve_args {
    size_t size_;
    wn_tensor *LD;
    wn_tensor *pivots;
    wn_tensor *B;
    bool hermitian;
    wn_tensor *out;
} wn_linalg_ldl_solve_args;
WN_API wn_tensor *wn_linalg_ldl_solve_x(const wn_linalg_ldl_solve_args *args);
#ifndef __cplusplus
#define WN_ARGS_linalg_ldl_solve_(text, a0, a1, a2, ...) \
    &(wn_linalg_ldl_solve_args){.size_ = sizeof(wn_linalg_ldl_solve_args), .LD = a0, .pivots = a1, .B = a2, __VA_ARGS__}
#define wn_linalg_ldl_solve(...) \
    wn_linalg_ldl_solve_x(WN_3_(WN_FEW_, WN_ARGS_linalg_ldl_solve_, __VA_ARGS__)("too few arguments: wn_linalg_ldl_solve(LD, pivots, B, ...)", __VA_ARGS__, ))
#endif

/* conv1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, int[1] padding=0, int[1] dilation=1, int groups=1) -> Tensor
 * The cross-correlation of input [(N,) C, L] with weight [O, C/groups, k], plus bias [O]. */
typedef struct wn_conv1d_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *weight;
    wn_tensor *bias;
    wn_dims stride;
    wn_dims padding;
    wn_dims dilation;
    wn_val groups;
} wn_conv1d_args;
WN_API wn_tensor *wn_conv1d_x(const wn_conv1d_args *args);
#ifndef __cplusplus
#define WN_ARGS_conv1d_(text, a0, a1, ...) \
    &(wn_conv1d_args){.size_ = sizeof(wn_conv1d_args), .input = a0, .weight = a1, __VA_ARGS__}
#define wn_conv1d(...) \
    wn_conv1d_x(WN_2_(WN_FEW_, WN_ARGS_conv1d_, __VA_ARGS__)("too few arguments: wn_conv1d(input, weight, ...)", __VA_ARGS__, ))
#endif

/* conv2d(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2] padding=0, int[2] dilation=1, int groups=1) -> Tensor
 * The cross-correlation of input [(N,) C, H, W] with weight [O, C/groups, kh, kw], plus bias [O]. stride, padding,
 * dilation: one number or one for each dimension. */
typedef wn_conv1d_args wn_conv2d_args;
WN_API wn_tensor *wn_conv2d_x(const wn_conv2d_args *args);
#ifndef __cplusplus
#define WN_ARGS_conv2d_(text, a0, a1, ...) \
    &(wn_conv2d_args){.size_ = sizeof(wn_conv2d_args), .input = a0, .weight = a1, __VA_ARGS__}
#define wn_conv2d(...) \
    wn_conv2d_x(WN_2_(WN_FEW_, WN_ARGS_conv2d_, __VA_ARGS__)("too few arguments: wn_conv2d(input, weight, ...)", __VA_ARGS__, ))
#endif

/* conv3d(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, int[3] padding=0, int[3] dilation=1, int groups=1) -> Tensor
 * The cross-correlation of input [(N,) C, D, H, W] with weight [O, C/groups, kd, kh, kw], plus bias [O]. */
typedef wn_conv1d_args wn_conv3d_args;
WN_API wn_tensor *wn_conv3d_x(const wn_conv3d_args *args);
#ifndef __cplusplus
#define WN_ARGS_conv3d_(text, a0, a1, ...) \
    &(wn_conv3d_args){.size_ = sizeof(wn_conv3d_args), .input = a0, .weight = a1, __VA_ARGS__}
#define wn_conv3d(...) \
    wn_conv3d_x(WN_2_(WN_FEW_, WN_ARGS_conv3d_, __VA_ARGS__)("too few arguments: wn_conv3d(input, weight, ...)", __VA_ARGS__, ))
#endif

/* conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, str padding="valid", int[1] dilation=1, int groups=1) -> Tensor
 * conv1d with padding by name: "valid" (none), or "same": the output has the input's size (stride 1; an odd zero
 * goes behind). */
typedef struct wn_conv1d_padding_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *weight;
    wn_tensor *bias;
    wn_dims stride;
    const char *padding;
    wn_dims dilation;
    wn_val groups;
} wn_conv1d_padding_args;
WN_API wn_tensor *wn_conv1d_padding_x(const wn_conv1d_padding_args *args);
#ifndef __cplusplus
#define WN_ARGS_conv1d_padding_(text, a0, a1, ...) \
    &(wn_conv1d_padding_args){.size_ = sizeof(wn_conv1d_padding_args), .input = a0, .weight = a1, __VA_ARGS__}
#define wn_conv1d_padding(...) \
    wn_conv1d_padding_x(WN_2_(WN_FEW_, WN_ARGS_conv1d_padding_, __VA_ARGS__)("too few arguments: wn_conv1d_padding(input, weight, ...)", __VA_ARGS__, ))
#endif

/* conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, str padding="valid", int[2] dilation=1, int groups=1) -> Tensor
 * conv2d with padding by name: "valid" (none), or "same": the output has the input's size (stride 1; an odd zero
 * goes behind). */
typedef wn_conv1d_padding_args wn_conv2d_padding_args;
WN_API wn_tensor *wn_conv2d_padding_x(const wn_conv2d_padding_args *args);
#ifndef __cplusplus
#define WN_ARGS_conv2d_padding_(text, a0, a1, ...) \
    &(wn_conv2d_padding_args){.size_ = sizeof(wn_conv2d_padding_args), .input = a0, .weight = a1, __VA_ARGS__}
#define wn_conv2d_padding(...) \
    wn_conv2d_padding_x(WN_2_(WN_FEW_, WN_ARGS_conv2d_padding_, __VA_ARGS__)("too few arguments: wn_conv2d_padding(input, weight, ...)", __VA_ARGS__, ))
#endif

/* conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, str padding="valid", int[3] dilation=1, int groups=1) -> Tensor
 * conv3d with padding by name: "valid" (none), or "same": the output has the input's size (stride 1; an odd zero
 * goes behind). */
typedef wn_conv1d_padding_args wn_conv3d_padding_args;
WN_API wn_tensor *wn_conv3d_padding_x(const wn_conv3d_padding_args *args);
#ifndef __cplusplus
#define WN_ARGS_conv3d_padding_(text, a0, a1, ...) \
    &(wn_conv3d_padding_args){.size_ = sizeof(wn_conv3d_padding_args), .input = a0, .weight = a1, __VA_ARGS__}
#define wn_conv3d_padding(...) \
    wn_conv3d_padding_x(WN_2_(WN_FEW_, WN_ARGS_conv3d_padding_, __VA_ARGS__)("too few arguments: wn_conv3d_padding(input, weight, ...)", __VA_ARGS__, ))
#endif

/* conv_input_grad(Tensor grad, Tensor weight, int[] input_size, int[] stride, int[] padding, int[] dilation, int groups=1) -> Tensor
 * The gradient of a convolution in its input (a transposed convolution). */
typedef struct wn_conv_input_grad_args {
    size_t size_;
    wn_tensor *grad;
    wn_tensor *weight;
    wn_dims input_size;
    wn_dims stride;
    wn_dims padding;
    wn_dims dilation;
    wn_val groups;
} wn_conv_input_grad_args;
WN_API wn_tensor *wn_conv_input_grad_x(const wn_conv_input_grad_args *args);
#ifndef __cplusplus
#define WN_ARGS_conv_input_grad_(text, a0, a1, a2, a3, a4, a5, a6, ...) \
    &(wn_conv_input_grad_args){.size_ = sizeof(wn_conv_input_grad_args), .grad = a0, .weight = a1, .input_size = a2, .stride = a3, .padding = a4, .dilation = a5, .groups = WN_VAL(a6), __VA_ARGS__}
#define wn_conv_input_grad(...) \
    wn_conv_input_grad_x(WN_7_(WN_FEW_, WN_ARGS_conv_input_grad_, __VA_ARGS__)("too few arguments: wn_conv_input_grad(grad, weight, input_size, stride, padding, dilation, groups, ...)", __VA_ARGS__, ))
#endif

/* conv_weight_grad(Tensor grad, Tensor input, int[] weight_size, int[] stride, int[] padding, int[] dilation, int groups=1) -> Tensor
 * The gradient of a convolution in its weight. */
typedef struct wn_conv_weight_grad_args {
    size_t size_;
    wn_tensor *grad;
    wn_tensor *input;
    wn_dims weight_size;
    wn_dims stride;
    wn_dims padding;
    wn_dims dilation;
    wn_val groups;
} wn_conv_weight_grad_args;
WN_API wn_tensor *wn_conv_weight_grad_x(const wn_conv_weight_grad_args *args);
#ifndef __cplusplus
#define WN_ARGS_conv_weight_grad_(text, a0, a1, a2, a3, a4, a5, a6, ...) \
    &(wn_conv_weight_grad_args){.size_ = sizeof(wn_conv_weight_grad_args), .grad = a0, .input = a1, .weight_size = a2, .stride = a3, .padding = a4, .dilation = a5, .groups = WN_VAL(a6), __VA_ARGS__}
#define wn_conv_weight_grad(...) \
    wn_conv_weight_grad_x(WN_7_(WN_FEW_, WN_ARGS_conv_weight_grad_, __VA_ARGS__)("too few arguments: wn_conv_weight_grad(grad, input, weight_size, stride, padding, dilation, groups, ...)", __VA_ARGS__, ))
#endif

/* conv_bias_grad(Tensor grad, int weight_dims) -> Tensor
 * The gradient of a convolution over weight_dims spatial dimensions in its bias: the sum over all but the
 * channels. */
typedef struct wn_conv_bias_grad_args {
    size_t size_;
    wn_tensor *grad;
    int64_t weight_dims;
} wn_conv_bias_grad_args;
WN_API wn_tensor *wn_conv_bias_grad_x(const wn_conv_bias_grad_args *args);
#ifndef __cplusplus
#define WN_ARGS_conv_bias_grad_(text, a0, a1, ...) \
    &(wn_conv_bias_grad_args){.size_ = sizeof(wn_conv_bias_grad_args), .grad = a0, .weight_dims = a1, __VA_ARGS__}
#define wn_conv_bias_grad(...) \
    wn_conv_bias_grad_x(WN_2_(WN_FEW_, WN_ARGS_conv_bias_grad_, __VA_ARGS__)("too few arguments: wn_conv_bias_grad(grad, weight_dims, ...)", __VA_ARGS__, ))
#endif

/* conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, int[1] stride=1, int[1] padding=0, int[1] output_padding=0, int groups=1, int[1] dilation=1) -> Tensor
 * As conv_transpose2d, over one dimension. */
typedef struct wn_conv_transpose1d_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *weight;
    wn_tensor *bias;
    wn_dims stride;
    wn_dims padding;
    wn_dims output_padding;
    wn_val groups;
    wn_dims dilation;
} wn_conv_transpose1d_args;
WN_API wn_tensor *wn_conv_transpose1d_x(const wn_conv_transpose1d_args *args);
#ifndef __cplusplus
#define WN_ARGS_conv_transpose1d_(text, a0, a1, ...) \
    &(wn_conv_transpose1d_args){.size_ = sizeof(wn_conv_transpose1d_args), .input = a0, .weight = a1, __VA_ARGS__}
#define wn_conv_transpose1d(...) \
    wn_conv_transpose1d_x(WN_2_(WN_FEW_, WN_ARGS_conv_transpose1d_, __VA_ARGS__)("too few arguments: wn_conv_transpose1d(input, weight, ...)", __VA_ARGS__, ))
#endif

/* conv_transpose2d(Tensor input, Tensor weight, Tensor? bias=None, int[2] stride=1, int[2] padding=0, int[2] output_padding=0, int groups=1, int[2] dilation=1) -> Tensor
 * The transposed convolution of input [(N,) C, H, W] with weight [C, O/groups, kh, kw]: the gradient of conv2d in
 * its input, plus bias [O]. */
typedef wn_conv_transpose1d_args wn_conv_transpose2d_args;
WN_API wn_tensor *wn_conv_transpose2d_x(const wn_conv_transpose2d_args *args);
#ifndef __cplusplus
#define WN_ARGS_conv_transpose2d_(text, a0, a1, ...) \
    &(wn_conv_transpose2d_args){.size_ = sizeof(wn_conv_transpose2d_args), .input = a0, .weight = a1, __VA_ARGS__}
#define wn_conv_transpose2d(...) \
    wn_conv_transpose2d_x(WN_2_(WN_FEW_, WN_ARGS_conv_transpose2d_, __VA_ARGS__)("too few arguments: wn_conv_transpose2d(input, weight, ...)", __VA_ARGS__, ))
#endif

/* conv_transpose3d(Tensor input, Tensor weight, Tensor? bias=None, int[3] stride=1, int[3] padding=0, int[3] output_padding=0, int groups=1, int[3] dilation=1) -> Tensor
 * As conv_transpose2d, over three dimensions. */
typedef wn_conv_transpose1d_args wn_conv_transpose3d_args;
WN_API wn_tensor *wn_conv_transpose3d_x(const wn_conv_transpose3d_args *args);
#ifndef __cplusplus
#define WN_ARGS_conv_transpose3d_(text, a0, a1, ...) \
    &(wn_conv_transpose3d_args){.size_ = sizeof(wn_conv_transpose3d_args), .input = a0, .weight = a1, __VA_ARGS__}
#define wn_conv_transpose3d(...) \
    wn_conv_transpose3d_x(WN_2_(WN_FEW_, WN_ARGS_conv_transpose3d_, __VA_ARGS__)("too few arguments: wn_conv_transpose3d(input, weight, ...)", __VA_ARGS__, ))
#endif

/* max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor
 * The maximum over windows of [(N,) C, H, W]; stride defaults to kernel_size. NaN passes on. Of equal elements the
 * first gets the gradient. */
typedef struct wn_max_pool2d_args {
    size_t size_;
    wn_tensor *self;
    wn_dims kernel_size;
    wn_dims stride;
    wn_dims padding;
    wn_dims dilation;
    bool ceil_mode;
} wn_max_pool2d_args;
WN_API wn_tensor *wn_max_pool2d_x(const wn_max_pool2d_args *args);
#ifndef __cplusplus
#define WN_ARGS_max_pool2d_(text, a0, a1, ...) \
    &(wn_max_pool2d_args){.size_ = sizeof(wn_max_pool2d_args), .self = a0, .kernel_size = a1, __VA_ARGS__}
#define wn_max_pool2d(...) \
    wn_max_pool2d_x(WN_2_(WN_FEW_, WN_ARGS_max_pool2d_, __VA_ARGS__)("too few arguments: wn_max_pool2d(self, kernel_size, ...)", __VA_ARGS__, ))
#endif

/* max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor result, Tensor indices)
 * max_pool2d and where each maximum lies: y * W + x, int64. */
typedef struct wn_max_pool2d_with_indices_args {
    size_t size_;
    wn_tensor *self;
    wn_dims kernel_size;
    wn_dims stride;
    wn_dims padding;
    wn_dims dilation;
    bool ceil_mode;
} wn_max_pool2d_with_indices_args;
typedef struct wn_max_pool2d_with_indices_out {
    wn_tensor *result, *indices;
} wn_max_pool2d_with_indices_out;
WN_API wn_max_pool2d_with_indices_out wn_max_pool2d_with_indices_x(const wn_max_pool2d_with_indices_args *args);
#ifndef __cplusplus
#define WN_ARGS_max_pool2d_with_indices_(text, a0, a1, ...) \
    &(wn_max_pool2d_with_indices_args){.size_ = sizeof(wn_max_pool2d_with_indices_args), .self = a0, .kernel_size = a1, __VA_ARGS__}
#define wn_max_pool2d_with_indices(...) \
    wn_max_pool2d_with_indices_x(WN_2_(WN_FEW_, WN_ARGS_max_pool2d_with_indices_, __VA_ARGS__)("too few arguments: wn_max_pool2d_with_indices(self, kernel_size, ...)", __VA_ARGS__, ))
#endif

/* max_pool2d_places(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor result, Tensor places)
 * Behind max_pool2d: places holds the number of each maximum within its window, in one byte where that is enough. */
typedef wn_max_pool2d_with_indices_args wn_max_pool2d_places_args;
typedef struct wn_max_pool2d_places_out {
    wn_tensor *result, *places;
} wn_max_pool2d_places_out;
WN_API wn_max_pool2d_places_out wn_max_pool2d_places_x(const wn_max_pool2d_places_args *args);
#ifndef __cplusplus
#define WN_ARGS_max_pool2d_places_(text, a0, a1, ...) \
    &(wn_max_pool2d_places_args){.size_ = sizeof(wn_max_pool2d_places_args), .self = a0, .kernel_size = a1, __VA_ARGS__}
#define wn_max_pool2d_places(...) \
    wn_max_pool2d_places_x(WN_2_(WN_FEW_, WN_ARGS_max_pool2d_places_, __VA_ARGS__)("too few arguments: wn_max_pool2d_places(self, kernel_size, ...)", __VA_ARGS__, ))
#endif

/* max_pool2d_backward(Tensor grad, Tensor places, int[] self_size, int[2] kernel_size, int[2] stride, int[2] padding, int[2] dilation) -> Tensor
 * Each element of grad at the place of its maximum, zero elsewhere. places: of max_pool2d_places, or int64
 * indices. */
typedef struct wn_max_pool2d_backward_args {
    size_t size_;
    wn_tensor *grad;
    wn_tensor *places;
    wn_dims self_size;
    wn_dims kernel_size;
    wn_dims stride;
    wn_dims padding;
    wn_dims dilation;
} wn_max_pool2d_backward_args;
WN_API wn_tensor *wn_max_pool2d_backward_x(const wn_max_pool2d_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_max_pool2d_backward_(text, a0, a1, a2, a3, a4, a5, a6, ...) \
    &(wn_max_pool2d_backward_args){.size_ = sizeof(wn_max_pool2d_backward_args), .grad = a0, .places = a1, .self_size = a2, .kernel_size = a3, .stride = a4, .padding = a5, .dilation = a6, __VA_ARGS__}
#define wn_max_pool2d_backward(...) \
    wn_max_pool2d_backward_x(WN_7_(WN_FEW_, WN_ARGS_max_pool2d_backward_, __VA_ARGS__)("too few arguments: wn_max_pool2d_backward(grad, places, self_size, kernel_size, stride, padding, dilation, ...)", __VA_ARGS__, ))
#endif

/* max_pool2d_take(Tensor self, Tensor places, int[2] kernel_size, int[2] stride, int[2] padding, int[2] dilation) -> Tensor
 * The elements of self at the places of the maxima. */
typedef struct wn_max_pool2d_take_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *places;
    wn_dims kernel_size;
    wn_dims stride;
    wn_dims padding;
    wn_dims dilation;
} wn_max_pool2d_take_args;
WN_API wn_tensor *wn_max_pool2d_take_x(const wn_max_pool2d_take_args *args);
#ifndef __cplusplus
#define WN_ARGS_max_pool2d_take_(text, a0, a1, a2, a3, a4, a5, ...) \
    &(wn_max_pool2d_take_args){.size_ = sizeof(wn_max_pool2d_take_args), .self = a0, .places = a1, .kernel_size = a2, .stride = a3, .padding = a4, .dilation = a5, __VA_ARGS__}
#define wn_max_pool2d_take(...) \
    wn_max_pool2d_take_x(WN_6_(WN_FEW_, WN_ARGS_max_pool2d_take_, __VA_ARGS__)("too few arguments: wn_max_pool2d_take(self, places, kernel_size, stride, padding, dilation, ...)", __VA_ARGS__, ))
#endif

/* avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor
 * The mean over windows of [(N,) C, H, W]; stride defaults to kernel_size. Padding counts unless count_include_pad
 * is off; divisor_override replaces the count. */
typedef struct wn_avg_pool2d_args {
    size_t size_;
    wn_tensor *self;
    wn_dims kernel_size;
    wn_dims stride;
    wn_dims padding;
    bool ceil_mode;
    wn_switch count_include_pad;
    wn_val divisor_override;
    wn_tensor *out;
} wn_avg_pool2d_args;
WN_API wn_tensor *wn_avg_pool2d_x(const wn_avg_pool2d_args *args);
#ifndef __cplusplus
#define WN_ARGS_avg_pool2d_(text, a0, a1, ...) \
    &(wn_avg_pool2d_args){.size_ = sizeof(wn_avg_pool2d_args), .self = a0, .kernel_size = a1, __VA_ARGS__}
#define wn_avg_pool2d(...) \
    wn_avg_pool2d_x(WN_2_(WN_FEW_, WN_ARGS_avg_pool2d_, __VA_ARGS__)("too few arguments: wn_avg_pool2d(self, kernel_size, ...)", __VA_ARGS__, ))
#endif

/* avg_pool2d_backward(Tensor grad, int[] self_size, int[2] kernel_size, int[2] stride, int[2] padding, bool ceil_mode, bool count_include_pad=True, int? divisor_override=None) -> Tensor
 * The gradient of avg_pool2d. */
typedef struct wn_avg_pool2d_backward_args {
    size_t size_;
    wn_tensor *grad;
    wn_dims self_size;
    wn_dims kernel_size;
    wn_dims stride;
    wn_dims padding;
    bool ceil_mode;
    wn_switch count_include_pad;
    wn_val divisor_override;
} wn_avg_pool2d_backward_args;
WN_API wn_tensor *wn_avg_pool2d_backward_x(const wn_avg_pool2d_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_avg_pool2d_backward_(text, a0, a1, a2, a3, a4, a5, ...) \
    &(wn_avg_pool2d_backward_args){.size_ = sizeof(wn_avg_pool2d_backward_args), .grad = a0, .self_size = a1, .kernel_size = a2, .stride = a3, .padding = a4, .ceil_mode = a5, __VA_ARGS__}
#define wn_avg_pool2d_backward(...) \
    wn_avg_pool2d_backward_x(WN_6_(WN_FEW_, WN_ARGS_avg_pool2d_backward_, __VA_ARGS__)("too few arguments: wn_avg_pool2d_backward(grad, self_size, kernel_size, stride, padding, ceil_mode, ...)", __VA_ARGS__, ))
#endif

/* adaptive_avg_pool2d(Tensor self, int[2] output_size) -> Tensor
 * The means over output_size windows that cover [(N,) C, H, W]: window i of n over size s is [floor(i*s/n),
 * ceil((i+1)*s/n)). */
typedef struct wn_adaptive_avg_pool2d_args {
    size_t size_;
    wn_tensor *self;
    wn_dims output_size;
} wn_adaptive_avg_pool2d_args;
WN_API wn_tensor *wn_adaptive_avg_pool2d_x(const wn_adaptive_avg_pool2d_args *args);
#ifndef __cplusplus
#define WN_ARGS_adaptive_avg_pool2d_(text, a0, a1, ...) \
    &(wn_adaptive_avg_pool2d_args){.size_ = sizeof(wn_adaptive_avg_pool2d_args), .self = a0, .output_size = a1, __VA_ARGS__}
#define wn_adaptive_avg_pool2d(...) \
    wn_adaptive_avg_pool2d_x(WN_2_(WN_FEW_, WN_ARGS_adaptive_avg_pool2d_, __VA_ARGS__)("too few arguments: wn_adaptive_avg_pool2d(self, output_size, ...)", __VA_ARGS__, ))
#endif

/* adaptive_avg_pool2d.windows(Tensor self, int[2] output_size) -> Tensor
 * Behind adaptive_avg_pool2d. */
typedef struct wn_adaptive_avg_pool2d_windows_args {
    size_t size_;
    wn_tensor *self;
    wn_dims output_size;
} wn_adaptive_avg_pool2d_windows_args;
WN_API wn_tensor *wn_adaptive_avg_pool2d_windows_x(const wn_adaptive_avg_pool2d_windows_args *args);
#ifndef __cplusplus
#define WN_ARGS_adaptive_avg_pool2d_windows_(text, a0, a1, ...) \
    &(wn_adaptive_avg_pool2d_windows_args){.size_ = sizeof(wn_adaptive_avg_pool2d_windows_args), .self = a0, .output_size = a1, __VA_ARGS__}
#define wn_adaptive_avg_pool2d_windows(...) \
    wn_adaptive_avg_pool2d_windows_x(WN_2_(WN_FEW_, WN_ARGS_adaptive_avg_pool2d_windows_, __VA_ARGS__)("too few arguments: wn_adaptive_avg_pool2d_windows(self, output_size, ...)", __VA_ARGS__, ))
#endif

/* adaptive_avg_pool2d_backward(Tensor grad, int[] self_size) -> Tensor
 * The gradient of adaptive_avg_pool2d. */
typedef struct wn_adaptive_avg_pool2d_backward_args {
    size_t size_;
    wn_tensor *grad;
    wn_dims self_size;
} wn_adaptive_avg_pool2d_backward_args;
WN_API wn_tensor *wn_adaptive_avg_pool2d_backward_x(const wn_adaptive_avg_pool2d_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_adaptive_avg_pool2d_backward_(text, a0, a1, ...) \
    &(wn_adaptive_avg_pool2d_backward_args){.size_ = sizeof(wn_adaptive_avg_pool2d_backward_args), .grad = a0, .self_size = a1, __VA_ARGS__}
#define wn_adaptive_avg_pool2d_backward(...) \
    wn_adaptive_avg_pool2d_backward_x(WN_2_(WN_FEW_, WN_ARGS_adaptive_avg_pool2d_backward_, __VA_ARGS__)("too few arguments: wn_adaptive_avg_pool2d_backward(grad, self_size, ...)", __VA_ARGS__, ))
#endif

/* avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, bool ceil_mode=False, bool count_include_pad=True) -> Tensor
 * The mean over windows of [(N,) C, L]; stride defaults to kernel_size. Padding counts unless count_include_pad is
 * off. */
typedef struct wn_avg_pool1d_args {
    size_t size_;
    wn_tensor *self;
    wn_dims kernel_size;
    wn_dims stride;
    wn_dims padding;
    bool ceil_mode;
    wn_switch count_include_pad;
} wn_avg_pool1d_args;
WN_API wn_tensor *wn_avg_pool1d_x(const wn_avg_pool1d_args *args);
#ifndef __cplusplus
#define WN_ARGS_avg_pool1d_(text, a0, a1, ...) \
    &(wn_avg_pool1d_args){.size_ = sizeof(wn_avg_pool1d_args), .self = a0, .kernel_size = a1, __VA_ARGS__}
#define wn_avg_pool1d(...) \
    wn_avg_pool1d_x(WN_2_(WN_FEW_, WN_ARGS_avg_pool1d_, __VA_ARGS__)("too few arguments: wn_avg_pool1d(self, kernel_size, ...)", __VA_ARGS__, ))
#endif

/* avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor
 * The mean over windows of [(N,) C, D, H, W]; stride defaults to kernel_size. Padding counts unless
 * count_include_pad is off; divisor_override replaces the count. */
typedef struct wn_avg_pool3d_args {
    size_t size_;
    wn_tensor *self;
    wn_dims kernel_size;
    wn_dims stride;
    wn_dims padding;
    bool ceil_mode;
    wn_switch count_include_pad;
    wn_val divisor_override;
    wn_tensor *out;
} wn_avg_pool3d_args;
WN_API wn_tensor *wn_avg_pool3d_x(const wn_avg_pool3d_args *args);
#ifndef __cplusplus
#define WN_ARGS_avg_pool3d_(text, a0, a1, ...) \
    &(wn_avg_pool3d_args){.size_ = sizeof(wn_avg_pool3d_args), .self = a0, .kernel_size = a1, __VA_ARGS__}
#define wn_avg_pool3d(...) \
    wn_avg_pool3d_x(WN_2_(WN_FEW_, WN_ARGS_avg_pool3d_, __VA_ARGS__)("too few arguments: wn_avg_pool3d(self, kernel_size, ...)", __VA_ARGS__, ))
#endif

/* avg_pool_backward(Tensor grad, int[] self_size, int[] kernel_size, int[] stride, int[] padding, bool ceil_mode, bool count_include_pad=True, int? divisor_override=None) -> Tensor
 * The gradient of avg_pool1d or avg_pool3d, as many dimensions as kernel_size has. */
typedef struct wn_avg_pool_backward_args {
    size_t size_;
    wn_tensor *grad;
    wn_dims self_size;
    wn_dims kernel_size;
    wn_dims stride;
    wn_dims padding;
    bool ceil_mode;
    wn_switch count_include_pad;
    wn_val divisor_override;
} wn_avg_pool_backward_args;
WN_API wn_tensor *wn_avg_pool_backward_x(const wn_avg_pool_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_avg_pool_backward_(text, a0, a1, a2, a3, a4, a5, ...) \
    &(wn_avg_pool_backward_args){.size_ = sizeof(wn_avg_pool_backward_args), .grad = a0, .self_size = a1, .kernel_size = a2, .stride = a3, .padding = a4, .ceil_mode = a5, __VA_ARGS__}
#define wn_avg_pool_backward(...) \
    wn_avg_pool_backward_x(WN_6_(WN_FEW_, WN_ARGS_avg_pool_backward_, __VA_ARGS__)("too few arguments: wn_avg_pool_backward(grad, self_size, kernel_size, stride, padding, ceil_mode, ...)", __VA_ARGS__, ))
#endif

/* adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor
 * The means over output_size windows that cover [(N,) C, L]: window i of n over size s is [floor(i*s/n),
 * ceil((i+1)*s/n)). */
typedef struct wn_adaptive_avg_pool1d_args {
    size_t size_;
    wn_tensor *self;
    wn_dims output_size;
} wn_adaptive_avg_pool1d_args;
WN_API wn_tensor *wn_adaptive_avg_pool1d_x(const wn_adaptive_avg_pool1d_args *args);
#ifndef __cplusplus
#define WN_ARGS_adaptive_avg_pool1d_(text, a0, a1, ...) \
    &(wn_adaptive_avg_pool1d_args){.size_ = sizeof(wn_adaptive_avg_pool1d_args), .self = a0, .output_size = a1, __VA_ARGS__}
#define wn_adaptive_avg_pool1d(...) \
    wn_adaptive_avg_pool1d_x(WN_2_(WN_FEW_, WN_ARGS_adaptive_avg_pool1d_, __VA_ARGS__)("too few arguments: wn_adaptive_avg_pool1d(self, output_size, ...)", __VA_ARGS__, ))
#endif

/* adaptive_avg_pool3d(Tensor self, int[3] output_size) -> Tensor
 * The means over output_size windows that cover [(N,) C, D, H, W]. */
typedef wn_adaptive_avg_pool1d_args wn_adaptive_avg_pool3d_args;
WN_API wn_tensor *wn_adaptive_avg_pool3d_x(const wn_adaptive_avg_pool3d_args *args);
#ifndef __cplusplus
#define WN_ARGS_adaptive_avg_pool3d_(text, a0, a1, ...) \
    &(wn_adaptive_avg_pool3d_args){.size_ = sizeof(wn_adaptive_avg_pool3d_args), .self = a0, .output_size = a1, __VA_ARGS__}
#define wn_adaptive_avg_pool3d(...) \
    wn_adaptive_avg_pool3d_x(WN_2_(WN_FEW_, WN_ARGS_adaptive_avg_pool3d_, __VA_ARGS__)("too few arguments: wn_adaptive_avg_pool3d(self, output_size, ...)", __VA_ARGS__, ))
#endif

/* adaptive_avg_pool_backward(Tensor grad, int[] self_size, int dims) -> Tensor
 * The gradient of adaptive averages over the last dims dimensions. */
typedef struct wn_adaptive_avg_pool_backward_args {
    size_t size_;
    wn_tensor *grad;
    wn_dims self_size;
    int64_t dims;
} wn_adaptive_avg_pool_backward_args;
WN_API wn_tensor *wn_adaptive_avg_pool_backward_x(const wn_adaptive_avg_pool_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_adaptive_avg_pool_backward_(text, a0, a1, a2, ...) \
    &(wn_adaptive_avg_pool_backward_args){.size_ = sizeof(wn_adaptive_avg_pool_backward_args), .grad = a0, .self_size = a1, .dims = a2, __VA_ARGS__}
#define wn_adaptive_avg_pool_backward(...) \
    wn_adaptive_avg_pool_backward_x(WN_3_(WN_FEW_, WN_ARGS_adaptive_avg_pool_backward_, __VA_ARGS__)("too few arguments: wn_adaptive_avg_pool_backward(grad, self_size, dims, ...)", __VA_ARGS__, ))
#endif

/* max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, int[1] dilation=1, bool ceil_mode=False) -> Tensor
 * The maximum over windows of [(N,) C, L]; stride defaults to kernel_size. NaN passes on. */
typedef struct wn_max_pool1d_args {
    size_t size_;
    wn_tensor *self;
    wn_dims kernel_size;
    wn_dims stride;
    wn_dims padding;
    wn_dims dilation;
    bool ceil_mode;
} wn_max_pool1d_args;
WN_API wn_tensor *wn_max_pool1d_x(const wn_max_pool1d_args *args);
#ifndef __cplusplus
#define WN_ARGS_max_pool1d_(text, a0, a1, ...) \
    &(wn_max_pool1d_args){.size_ = sizeof(wn_max_pool1d_args), .self = a0, .kernel_size = a1, __VA_ARGS__}
#define wn_max_pool1d(...) \
    wn_max_pool1d_x(WN_2_(WN_FEW_, WN_ARGS_max_pool1d_, __VA_ARGS__)("too few arguments: wn_max_pool1d(self, kernel_size, ...)", __VA_ARGS__, ))
#endif

/* max_pool1d_with_indices(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, int[1] dilation=1, bool ceil_mode=False) -> (Tensor result, Tensor indices)
 * max_pool1d and where each maximum lies, int64. */
typedef wn_max_pool1d_args wn_max_pool1d_with_indices_args;
typedef struct wn_max_pool1d_with_indices_out {
    wn_tensor *result, *indices;
} wn_max_pool1d_with_indices_out;
WN_API wn_max_pool1d_with_indices_out wn_max_pool1d_with_indices_x(const wn_max_pool1d_with_indices_args *args);
#ifndef __cplusplus
#define WN_ARGS_max_pool1d_with_indices_(text, a0, a1, ...) \
    &(wn_max_pool1d_with_indices_args){.size_ = sizeof(wn_max_pool1d_with_indices_args), .self = a0, .kernel_size = a1, __VA_ARGS__}
#define wn_max_pool1d_with_indices(...) \
    wn_max_pool1d_with_indices_x(WN_2_(WN_FEW_, WN_ARGS_max_pool1d_with_indices_, __VA_ARGS__)("too few arguments: wn_max_pool1d_with_indices(self, kernel_size, ...)", __VA_ARGS__, ))
#endif

/* max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> Tensor
 * The maximum over windows of [(N,) C, D, H, W]; stride defaults to kernel_size. NaN passes on. */
typedef struct wn_max_pool3d_args {
    size_t size_;
    wn_tensor *self;
    wn_dims kernel_size;
    wn_dims stride;
    wn_dims padding;
    wn_dims dilation;
    bool ceil_mode;
} wn_max_pool3d_args;
WN_API wn_tensor *wn_max_pool3d_x(const wn_max_pool3d_args *args);
#ifndef __cplusplus
#define WN_ARGS_max_pool3d_(text, a0, a1, ...) \
    &(wn_max_pool3d_args){.size_ = sizeof(wn_max_pool3d_args), .self = a0, .kernel_size = a1, __VA_ARGS__}
#define wn_max_pool3d(...) \
    wn_max_pool3d_x(WN_2_(WN_FEW_, WN_ARGS_max_pool3d_, __VA_ARGS__)("too few arguments: wn_max_pool3d(self, kernel_size, ...)", __VA_ARGS__, ))
#endif

/* max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> (Tensor result, Tensor indices)
 * max_pool3d and where each maximum lies: (z * H + y) * W + x, int64. */
typedef struct wn_max_pool3d_with_indices_args {
    size_t size_;
    wn_tensor *self;
    wn_dims kernel_size;
    wn_dims stride;
    wn_dims padding;
    wn_dims dilation;
    bool ceil_mode;
} wn_max_pool3d_with_indices_args;
typedef struct wn_max_pool3d_with_indices_out {
    wn_tensor *result, *indices;
} wn_max_pool3d_with_indices_out;
WN_API wn_max_pool3d_with_indices_out wn_max_pool3d_with_indices_x(const wn_max_pool3d_with_indices_args *args);
#ifndef __cplusplus
#define WN_ARGS_max_pool3d_with_indices_(text, a0, a1, ...) \
    &(wn_max_pool3d_with_indices_args){.size_ = sizeof(wn_max_pool3d_with_indices_args), .self = a0, .kernel_size = a1, __VA_ARGS__}
#define wn_max_pool3d_with_indices(...) \
    wn_max_pool3d_with_indices_x(WN_2_(WN_FEW_, WN_ARGS_max_pool3d_with_indices_, __VA_ARGS__)("too few arguments: wn_max_pool3d_with_indices(self, kernel_size, ...)", __VA_ARGS__, ))
#endif

/* adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor result, Tensor indices)
 * The maxima over output_size windows that cover [(N,) C, L] (those of adaptive_avg_pool1d), and where they lie. */
typedef struct wn_adaptive_max_pool1d_args {
    size_t size_;
    wn_tensor *self;
    wn_dims output_size;
} wn_adaptive_max_pool1d_args;
typedef struct wn_adaptive_max_pool1d_out {
    wn_tensor *result, *indices;
} wn_adaptive_max_pool1d_out;
WN_API wn_adaptive_max_pool1d_out wn_adaptive_max_pool1d_x(const wn_adaptive_max_pool1d_args *args);
#ifndef __cplusplus
#define WN_ARGS_adaptive_max_pool1d_(text, a0, a1, ...) \
    &(wn_adaptive_max_pool1d_args){.size_ = sizeof(wn_adaptive_max_pool1d_args), .self = a0, .output_size = a1, __VA_ARGS__}
#define wn_adaptive_max_pool1d(...) \
    wn_adaptive_max_pool1d_x(WN_2_(WN_FEW_, WN_ARGS_adaptive_max_pool1d_, __VA_ARGS__)("too few arguments: wn_adaptive_max_pool1d(self, output_size, ...)", __VA_ARGS__, ))
#endif

/* adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor result, Tensor indices)
 * The maxima over output_size windows that cover [(N,) C, H, W], and where they lie: y * W + x. */
typedef wn_adaptive_max_pool1d_args wn_adaptive_max_pool2d_args;
typedef struct wn_adaptive_max_pool2d_out {
    wn_tensor *result, *indices;
} wn_adaptive_max_pool2d_out;
WN_API wn_adaptive_max_pool2d_out wn_adaptive_max_pool2d_x(const wn_adaptive_max_pool2d_args *args);
#ifndef __cplusplus
#define WN_ARGS_adaptive_max_pool2d_(text, a0, a1, ...) \
    &(wn_adaptive_max_pool2d_args){.size_ = sizeof(wn_adaptive_max_pool2d_args), .self = a0, .output_size = a1, __VA_ARGS__}
#define wn_adaptive_max_pool2d(...) \
    wn_adaptive_max_pool2d_x(WN_2_(WN_FEW_, WN_ARGS_adaptive_max_pool2d_, __VA_ARGS__)("too few arguments: wn_adaptive_max_pool2d(self, output_size, ...)", __VA_ARGS__, ))
#endif

/* adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor result, Tensor indices)
 * The maxima over output_size windows that cover [(N,) C, D, H, W], and where they lie: (z * H + y) * W + x. */
typedef wn_adaptive_max_pool1d_args wn_adaptive_max_pool3d_args;
typedef struct wn_adaptive_max_pool3d_out {
    wn_tensor *result, *indices;
} wn_adaptive_max_pool3d_out;
WN_API wn_adaptive_max_pool3d_out wn_adaptive_max_pool3d_x(const wn_adaptive_max_pool3d_args *args);
#ifndef __cplusplus
#define WN_ARGS_adaptive_max_pool3d_(text, a0, a1, ...) \
    &(wn_adaptive_max_pool3d_args){.size_ = sizeof(wn_adaptive_max_pool3d_args), .self = a0, .output_size = a1, __VA_ARGS__}
#define wn_adaptive_max_pool3d(...) \
    wn_adaptive_max_pool3d_x(WN_2_(WN_FEW_, WN_ARGS_adaptive_max_pool3d_, __VA_ARGS__)("too few arguments: wn_adaptive_max_pool3d(self, output_size, ...)", __VA_ARGS__, ))
#endif

/* fractional_max_pool2d(Tensor self, int[2] kernel_size, int[2] output_size, Tensor _random_samples) -> (Tensor result, Tensor indices)
 * The maxima of windows of kernel_size in [(N,) C, H, W] that begin at pseudo-random places; _random_samples [N,
 * C, 2] in [0, 1): of x, then of y. And where they lie. */
typedef struct wn_fractional_max_pool2d_args {
    size_t size_;
    wn_tensor *self;
    wn_dims kernel_size;
    wn_dims output_size;
    wn_tensor *_random_samples;
} wn_fractional_max_pool2d_args;
typedef struct wn_fractional_max_pool2d_out {
    wn_tensor *result, *indices;
} wn_fractional_max_pool2d_out;
WN_API wn_fractional_max_pool2d_out wn_fractional_max_pool2d_x(const wn_fractional_max_pool2d_args *args);
#ifndef __cplusplus
#define WN_ARGS_fractional_max_pool2d_(text, a0, a1, a2, a3, ...) \
    &(wn_fractional_max_pool2d_args){.size_ = sizeof(wn_fractional_max_pool2d_args), .self = a0, .kernel_size = a1, .output_size = a2, ._random_samples = a3, __VA_ARGS__}
#define wn_fractional_max_pool2d(...) \
    wn_fractional_max_pool2d_x(WN_4_(WN_FEW_, WN_ARGS_fractional_max_pool2d_, __VA_ARGS__)("too few arguments: wn_fractional_max_pool2d(self, kernel_size, output_size, _random_samples, ...)", __VA_ARGS__, ))
#endif

/* fractional_max_pool3d(Tensor self, int[3] kernel_size, int[3] output_size, Tensor _random_samples) -> (Tensor result, Tensor indices)
 * The maxima of windows of kernel_size in [(N,) C, D, H, W] that begin at pseudo-random places; _random_samples
 * [N, C, 3] in [0, 1): of z, y, x. And where they lie. */
typedef wn_fractional_max_pool2d_args wn_fractional_max_pool3d_args;
typedef struct wn_fractional_max_pool3d_out {
    wn_tensor *result, *indices;
} wn_fractional_max_pool3d_out;
WN_API wn_fractional_max_pool3d_out wn_fractional_max_pool3d_x(const wn_fractional_max_pool3d_args *args);
#ifndef __cplusplus
#define WN_ARGS_fractional_max_pool3d_(text, a0, a1, a2, a3, ...) \
    &(wn_fractional_max_pool3d_args){.size_ = sizeof(wn_fractional_max_pool3d_args), .self = a0, .kernel_size = a1, .output_size = a2, ._random_samples = a3, __VA_ARGS__}
#define wn_fractional_max_pool3d(...) \
    wn_fractional_max_pool3d_x(WN_4_(WN_FEW_, WN_ARGS_fractional_max_pool3d_, __VA_ARGS__)("too few arguments: wn_fractional_max_pool3d(self, kernel_size, output_size, _random_samples, ...)", __VA_ARGS__, ))
#endif

/* plane_put(Tensor self, Tensor indices, int[] size) -> Tensor
 * Zeros with `size` in place of self's last dimensions, as many as size has, and each element of self added at its
 * index among them: the gradient of maximum pooling. */
typedef struct wn_plane_put_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *indices;
    wn_dims size;
} wn_plane_put_args;
WN_API wn_tensor *wn_plane_put_x(const wn_plane_put_args *args);
#ifndef __cplusplus
#define WN_ARGS_plane_put_(text, a0, a1, a2, ...) \
    &(wn_plane_put_args){.size_ = sizeof(wn_plane_put_args), .self = a0, .indices = a1, .size = a2, __VA_ARGS__}
#define wn_plane_put(...) \
    wn_plane_put_x(WN_3_(WN_FEW_, WN_ARGS_plane_put_, __VA_ARGS__)("too few arguments: wn_plane_put(self, indices, size, ...)", __VA_ARGS__, ))
#endif

/* plane_take(Tensor self, Tensor indices, int[] size) -> Tensor
 * The elements of self, whose last dimensions are `size`, at indices among those dimensions. */
typedef struct wn_plane_take_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *indices;
    wn_dims size;
} wn_plane_take_args;
WN_API wn_tensor *wn_plane_take_x(const wn_plane_take_args *args);
#ifndef __cplusplus
#define WN_ARGS_plane_take_(text, a0, a1, a2, ...) \
    &(wn_plane_take_args){.size_ = sizeof(wn_plane_take_args), .self = a0, .indices = a1, .size = a2, __VA_ARGS__}
#define wn_plane_take(...) \
    wn_plane_take_x(WN_3_(WN_FEW_, WN_ARGS_plane_take_, __VA_ARGS__)("too few arguments: wn_plane_take(self, indices, size, ...)", __VA_ARGS__, ))
#endif

/* max_unpool1d(Tensor self, Tensor indices, int[1] output_size) -> Tensor
 * Zeros of [(N,) C, output_size] with each element of self at its index: the inverse of max_pool1d. Of equal
 * indices the last counts. */
typedef struct wn_max_unpool1d_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *indices;
    wn_dims output_size;
} wn_max_unpool1d_args;
WN_API wn_tensor *wn_max_unpool1d_x(const wn_max_unpool1d_args *args);
#ifndef __cplusplus
#define WN_ARGS_max_unpool1d_(text, a0, a1, a2, ...) \
    &(wn_max_unpool1d_args){.size_ = sizeof(wn_max_unpool1d_args), .self = a0, .indices = a1, .output_size = a2, __VA_ARGS__}
#define wn_max_unpool1d(...) \
    wn_max_unpool1d_x(WN_3_(WN_FEW_, WN_ARGS_max_unpool1d_, __VA_ARGS__)("too few arguments: wn_max_unpool1d(self, indices, output_size, ...)", __VA_ARGS__, ))
#endif

/* max_unpool2d(Tensor self, Tensor indices, int[2] output_size) -> Tensor
 * Zeros of [(N,) C, output_size] with each element of self at its index y * W + x: the inverse of max_pool2d. Of
 * equal indices the last counts. */
typedef wn_max_unpool1d_args wn_max_unpool2d_args;
WN_API wn_tensor *wn_max_unpool2d_x(const wn_max_unpool2d_args *args);
#ifndef __cplusplus
#define WN_ARGS_max_unpool2d_(text, a0, a1, a2, ...) \
    &(wn_max_unpool2d_args){.size_ = sizeof(wn_max_unpool2d_args), .self = a0, .indices = a1, .output_size = a2, __VA_ARGS__}
#define wn_max_unpool2d(...) \
    wn_max_unpool2d_x(WN_3_(WN_FEW_, WN_ARGS_max_unpool2d_, __VA_ARGS__)("too few arguments: wn_max_unpool2d(self, indices, output_size, ...)", __VA_ARGS__, ))
#endif

/* max_unpool3d(Tensor self, Tensor indices, int[3] output_size) -> Tensor
 * Zeros of [(N,) C, output_size] with each element of self at its index (z * H + y) * W + x: the inverse of
 * max_pool3d. Of equal indices the last counts. */
typedef wn_max_unpool1d_args wn_max_unpool3d_args;
WN_API wn_tensor *wn_max_unpool3d_x(const wn_max_unpool3d_args *args);
#ifndef __cplusplus
#define WN_ARGS_max_unpool3d_(text, a0, a1, a2, ...) \
    &(wn_max_unpool3d_args){.size_ = sizeof(wn_max_unpool3d_args), .self = a0, .indices = a1, .output_size = a2, __VA_ARGS__}
#define wn_max_unpool3d(...) \
    wn_max_unpool3d_x(WN_3_(WN_FEW_, WN_ARGS_max_unpool3d_, __VA_ARGS__)("too few arguments: wn_max_unpool3d(self, indices, output_size, ...)", __VA_ARGS__, ))
#endif

/* lp_pool1d(Tensor self, float norm_type, int[1] kernel_size, int[1] stride=[], bool ceil_mode=False) -> Tensor
 * (sum of x^p over windows)^(1/p) of [(N,) C, L]; the root of a negative sum counts as that of 0, and p = +-inf is
 * the maximum (minimum) of |x|. */
typedef struct wn_lp_pool1d_args {
    size_t size_;
    wn_tensor *self;
    double norm_type;
    wn_dims kernel_size;
    wn_dims stride;
    bool ceil_mode;
} wn_lp_pool1d_args;
WN_API wn_tensor *wn_lp_pool1d_x(const wn_lp_pool1d_args *args);
#ifndef __cplusplus
#define WN_ARGS_lp_pool1d_(text, a0, a1, a2, ...) \
    &(wn_lp_pool1d_args){.size_ = sizeof(wn_lp_pool1d_args), .self = a0, .norm_type = a1, .kernel_size = a2, __VA_ARGS__}
#define wn_lp_pool1d(...) \
    wn_lp_pool1d_x(WN_3_(WN_FEW_, WN_ARGS_lp_pool1d_, __VA_ARGS__)("too few arguments: wn_lp_pool1d(self, norm_type, kernel_size, ...)", __VA_ARGS__, ))
#endif

/* lp_pool2d(Tensor self, float norm_type, int[2] kernel_size, int[2] stride=[], bool ceil_mode=False) -> Tensor
 * (sum of x^p over windows)^(1/p) of [(N,) C, H, W]; as lp_pool1d. */
typedef wn_lp_pool1d_args wn_lp_pool2d_args;
WN_API wn_tensor *wn_lp_pool2d_x(const wn_lp_pool2d_args *args);
#ifndef __cplusplus
#define WN_ARGS_lp_pool2d_(text, a0, a1, a2, ...) \
    &(wn_lp_pool2d_args){.size_ = sizeof(wn_lp_pool2d_args), .self = a0, .norm_type = a1, .kernel_size = a2, __VA_ARGS__}
#define wn_lp_pool2d(...) \
    wn_lp_pool2d_x(WN_3_(WN_FEW_, WN_ARGS_lp_pool2d_, __VA_ARGS__)("too few arguments: wn_lp_pool2d(self, norm_type, kernel_size, ...)", __VA_ARGS__, ))
#endif

/* lp_pool3d(Tensor self, float norm_type, int[3] kernel_size, int[3] stride=[], bool ceil_mode=False) -> Tensor
 * (sum of x^p over windows)^(1/p) of [(N,) C, D, H, W]; as lp_pool1d. */
typedef wn_lp_pool1d_args wn_lp_pool3d_args;
WN_API wn_tensor *wn_lp_pool3d_x(const wn_lp_pool3d_args *args);
#ifndef __cplusplus
#define WN_ARGS_lp_pool3d_(text, a0, a1, a2, ...) \
    &(wn_lp_pool3d_args){.size_ = sizeof(wn_lp_pool3d_args), .self = a0, .norm_type = a1, .kernel_size = a2, __VA_ARGS__}
#define wn_lp_pool3d(...) \
    wn_lp_pool3d_x(WN_3_(WN_FEW_, WN_ARGS_lp_pool3d_, __VA_ARGS__)("too few arguments: wn_lp_pool3d(self, norm_type, kernel_size, ...)", __VA_ARGS__, ))
#endif

/* pad(Tensor self, int[] pad, str mode="constant", Scalar? value=None) -> Tensor
 * self with pad[0] elements before and pad[1] behind its last dimension, pad[2] and pad[3] for the one before it,
 * and so on; negative numbers take away. mode: "constant" (value, default 0), "reflect" (mirrored, without the
 * edge), "replicate" (the edge), "circular" (the other end). */
typedef struct wn_pad_args {
    size_t size_;
    wn_tensor *self;
    wn_dims pad;
    const char *mode;
    wn_val value;
} wn_pad_args;
WN_API wn_tensor *wn_pad_x(const wn_pad_args *args);
#ifndef __cplusplus
#define WN_ARGS_pad_(text, a0, a1, ...) \
    &(wn_pad_args){.size_ = sizeof(wn_pad_args), .self = a0, .pad = a1, __VA_ARGS__}
#define wn_pad(...) \
    wn_pad_x(WN_2_(WN_FEW_, WN_ARGS_pad_, __VA_ARGS__)("too few arguments: wn_pad(self, pad, ...)", __VA_ARGS__, ))
#endif

/* pad_backward(Tensor grad, int[] self_size, int[] pad, str mode) -> Tensor
 * The gradient of pad: each element is the sum of grad where pad puts it. */
typedef struct wn_pad_backward_args {
    size_t size_;
    wn_tensor *grad;
    wn_dims self_size;
    wn_dims pad;
    const char *mode;
} wn_pad_backward_args;
WN_API wn_tensor *wn_pad_backward_x(const wn_pad_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_pad_backward_(text, a0, a1, a2, a3, ...) \
    &(wn_pad_backward_args){.size_ = sizeof(wn_pad_backward_args), .grad = a0, .self_size = a1, .pad = a2, .mode = a3, __VA_ARGS__}
#define wn_pad_backward(...) \
    wn_pad_backward_x(WN_4_(WN_FEW_, WN_ARGS_pad_backward_, __VA_ARGS__)("too few arguments: wn_pad_backward(grad, self_size, pad, mode, ...)", __VA_ARGS__, ))
#endif

/* pixel_shuffle(Tensor self, int upscale_factor) -> Tensor
 * [*, C*r*r, H, W] as [*, C, H*r, W*r]: channels become places within r x r blocks. */
typedef struct wn_pixel_shuffle_args {
    size_t size_;
    wn_tensor *self;
    int64_t upscale_factor;
} wn_pixel_shuffle_args;
WN_API wn_tensor *wn_pixel_shuffle_x(const wn_pixel_shuffle_args *args);
#ifndef __cplusplus
#define WN_ARGS_pixel_shuffle_(text, a0, a1, ...) \
    &(wn_pixel_shuffle_args){.size_ = sizeof(wn_pixel_shuffle_args), .self = a0, .upscale_factor = a1, __VA_ARGS__}
#define wn_pixel_shuffle(...) \
    wn_pixel_shuffle_x(WN_2_(WN_FEW_, WN_ARGS_pixel_shuffle_, __VA_ARGS__)("too few arguments: wn_pixel_shuffle(self, upscale_factor, ...)", __VA_ARGS__, ))
#endif

/* pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor
 * [*, C, H*r, W*r] as [*, C*r*r, H, W]: the inverse of pixel_shuffle. */
typedef struct wn_pixel_unshuffle_args {
    size_t size_;
    wn_tensor *self;
    int64_t downscale_factor;
} wn_pixel_unshuffle_args;
WN_API wn_tensor *wn_pixel_unshuffle_x(const wn_pixel_unshuffle_args *args);
#ifndef __cplusplus
#define WN_ARGS_pixel_unshuffle_(text, a0, a1, ...) \
    &(wn_pixel_unshuffle_args){.size_ = sizeof(wn_pixel_unshuffle_args), .self = a0, .downscale_factor = a1, __VA_ARGS__}
#define wn_pixel_unshuffle(...) \
    wn_pixel_unshuffle_x(WN_2_(WN_FEW_, WN_ARGS_pixel_unshuffle_, __VA_ARGS__)("too few arguments: wn_pixel_unshuffle(self, downscale_factor, ...)", __VA_ARGS__, ))
#endif

/* channel_shuffle(Tensor self, int groups) -> Tensor
 * The channels (dimension 1), seen as a matrix of groups rows, transposed. */
typedef struct wn_channel_shuffle_args {
    size_t size_;
    wn_tensor *self;
    int64_t groups;
} wn_channel_shuffle_args;
WN_API wn_tensor *wn_channel_shuffle_x(const wn_channel_shuffle_args *args);
#ifndef __cplusplus
#define WN_ARGS_channel_shuffle_(text, a0, a1, ...) \
    &(wn_channel_shuffle_args){.size_ = sizeof(wn_channel_shuffle_args), .self = a0, .groups = a1, __VA_ARGS__}
#define wn_channel_shuffle(...) \
    wn_channel_shuffle_x(WN_2_(WN_FEW_, WN_ARGS_channel_shuffle_, __VA_ARGS__)("too few arguments: wn_channel_shuffle(self, groups, ...)", __VA_ARGS__, ))
#endif

/* native_channel_shuffle(Tensor self, int groups) -> Tensor
 * channel_shuffle. */
typedef wn_channel_shuffle_args wn_native_channel_shuffle_args;
WN_API wn_tensor *wn_native_channel_shuffle_x(const wn_native_channel_shuffle_args *args);
#ifndef __cplusplus
#define WN_ARGS_native_channel_shuffle_(text, a0, a1, ...) \
    &(wn_native_channel_shuffle_args){.size_ = sizeof(wn_native_channel_shuffle_args), .self = a0, .groups = a1, __VA_ARGS__}
#define wn_native_channel_shuffle(...) \
    wn_native_channel_shuffle_x(WN_2_(WN_FEW_, WN_ARGS_native_channel_shuffle_, __VA_ARGS__)("too few arguments: wn_native_channel_shuffle(self, groups, ...)", __VA_ARGS__, ))
#endif

/* im2col(Tensor self, int[2] kernel_size, int[2] dilation=1, int[2] padding=0, int[2] stride=1) -> Tensor
 * The windows of [(N,) C, H, W] as columns: [(N,) C * kh * kw, L] (nn.functional.unfold). */
typedef struct wn_im2col_args {
    size_t size_;
    wn_tensor *self;
    wn_dims kernel_size;
    wn_dims dilation;
    wn_dims padding;
    wn_dims stride;
    wn_tensor *out;
} wn_im2col_args;
WN_API wn_tensor *wn_im2col_x(const wn_im2col_args *args);
#ifndef __cplusplus
#define WN_ARGS_im2col_(text, a0, a1, ...) \
    &(wn_im2col_args){.size_ = sizeof(wn_im2col_args), .self = a0, .kernel_size = a1, __VA_ARGS__}
#define wn_im2col(...) \
    wn_im2col_x(WN_2_(WN_FEW_, WN_ARGS_im2col_, __VA_ARGS__)("too few arguments: wn_im2col(self, kernel_size, ...)", __VA_ARGS__, ))
#endif

/* col2im(Tensor self, int[2] output_size, int[2] kernel_size, int[2] dilation=1, int[2] padding=0, int[2] stride=1) -> Tensor
 * The sum of columns [(N,) C * kh * kw, L] at their windows' places in [(N,) C, output_size] (nn.functional.fold). */
typedef struct wn_col2im_args {
    size_t size_;
    wn_tensor *self;
    wn_dims output_size;
    wn_dims kernel_size;
    wn_dims dilation;
    wn_dims padding;
    wn_dims stride;
    wn_tensor *out;
} wn_col2im_args;
WN_API wn_tensor *wn_col2im_x(const wn_col2im_args *args);
#ifndef __cplusplus
#define WN_ARGS_col2im_(text, a0, a1, a2, ...) \
    &(wn_col2im_args){.size_ = sizeof(wn_col2im_args), .self = a0, .output_size = a1, .kernel_size = a2, __VA_ARGS__}
#define wn_col2im(...) \
    wn_col2im_x(WN_3_(WN_FEW_, WN_ARGS_col2im_, __VA_ARGS__)("too few arguments: wn_col2im(self, output_size, kernel_size, ...)", __VA_ARGS__, ))
#endif

/* constant_pad_nd(Tensor self, int[] pad, Scalar value=0) -> Tensor
 * pad with a constant. */
typedef struct wn_constant_pad_nd_args {
    size_t size_;
    wn_tensor *self;
    wn_dims pad;
    wn_val value;
} wn_constant_pad_nd_args;
WN_API wn_tensor *wn_constant_pad_nd_x(const wn_constant_pad_nd_args *args);
#ifndef __cplusplus
#define WN_ARGS_constant_pad_nd_(text, a0, a1, ...) \
    &(wn_constant_pad_nd_args){.size_ = sizeof(wn_constant_pad_nd_args), .self = a0, .pad = a1, __VA_ARGS__}
#define wn_constant_pad_nd(...) \
    wn_constant_pad_nd_x(WN_2_(WN_FEW_, WN_ARGS_constant_pad_nd_, __VA_ARGS__)("too few arguments: wn_constant_pad_nd(self, pad, ...)", __VA_ARGS__, ))
#endif

/* instance_norm(Tensor input, Tensor? weight=None, Tensor? bias=None, Tensor(a!)? running_mean=None, Tensor(b!)? running_var=None, bool use_input_stats=True, float momentum=0.1, float eps=1e-05, bool cudnn_enabled=True) -> Tensor
 * batch_norm over each channel of each image of [N, C, ...]; running statistics move by the mean over the images.
 * cudnn_enabled is accepted and means nothing. */
typedef struct wn_instance_norm_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *weight;
    wn_tensor *bias;
    wn_tensor *running_mean;
    wn_tensor *running_var;
    wn_switch use_input_stats;
    wn_val momentum;
    wn_val eps;
    wn_switch cudnn_enabled;
} wn_instance_norm_args;
WN_API wn_tensor *wn_instance_norm_x(const wn_instance_norm_args *args);
#ifndef __cplusplus
#define wn_instance_norm(...) \
    wn_instance_norm_x(&(wn_instance_norm_args){.size_ = sizeof(wn_instance_norm_args), .input = __VA_ARGS__})
#endif

/* local_response_norm(Tensor input, int size, float alpha=0.0001, float beta=0.75, float k=1.0) -> Tensor
 * x / (k + alpha * mean of x^2 over `size` neighbouring channels, zeros beyond the ends)^beta. */
typedef struct wn_local_response_norm_args {
    size_t size_;
    wn_tensor *input;
    int64_t size;
    wn_val alpha;
    wn_val beta;
    wn_val k;
} wn_local_response_norm_args;
WN_API wn_tensor *wn_local_response_norm_x(const wn_local_response_norm_args *args);
#ifndef __cplusplus
#define WN_ARGS_local_response_norm_(text, a0, a1, ...) \
    &(wn_local_response_norm_args){.size_ = sizeof(wn_local_response_norm_args), .input = a0, .size = a1, __VA_ARGS__}
#define wn_local_response_norm(...) \
    wn_local_response_norm_x(WN_2_(WN_FEW_, WN_ARGS_local_response_norm_, __VA_ARGS__)("too few arguments: wn_local_response_norm(input, size, ...)", __VA_ARGS__, ))
#endif

/* feature_dropout(Tensor input, float p, bool train) -> Tensor
 * dropout of whole channels: the first two dimensions decide together. */
typedef struct wn_feature_dropout_args {
    size_t size_;
    wn_tensor *input;
    double p;
    bool train;
    wn_tensor *out;
} wn_feature_dropout_args;
WN_API wn_tensor *wn_feature_dropout_x(const wn_feature_dropout_args *args);
WN_API wn_tensor *wn_feature_dropout_inplace_x(const wn_feature_dropout_args *args);
#ifndef __cplusplus
#define WN_ARGS_feature_dropout_(text, a0, a1, a2, ...) \
    &(wn_feature_dropout_args){.size_ = sizeof(wn_feature_dropout_args), .input = a0, .p = a1, .train = a2, __VA_ARGS__}
#define wn_feature_dropout(...) \
    wn_feature_dropout_x(WN_3_(WN_FEW_, WN_ARGS_feature_dropout_, __VA_ARGS__)("too few arguments: wn_feature_dropout(input, p, train, ...)", __VA_ARGS__, ))
#define wn_feature_dropout_(...) \
    wn_feature_dropout_inplace_x(WN_3_(WN_FEW_, WN_ARGS_feature_dropout_, __VA_ARGS__)("too few arguments: wn_feature_dropout_(input, p, train, ...)", __VA_ARGS__, ))
#endif

/* alpha_dropout(Tensor input, float p, bool train) -> Tensor
 * When train is true, elements become -1.7580993408473766 with probability p, and all is scaled and shifted so
 * that mean 0 and variance 1 stay (for selu). */
typedef struct wn_alpha_dropout_args {
    size_t size_;
    wn_tensor *input;
    double p;
    bool train;
    wn_tensor *out;
} wn_alpha_dropout_args;
WN_API wn_tensor *wn_alpha_dropout_x(const wn_alpha_dropout_args *args);
WN_API wn_tensor *wn_alpha_dropout_inplace_x(const wn_alpha_dropout_args *args);
#ifndef __cplusplus
#define WN_ARGS_alpha_dropout_(text, a0, a1, a2, ...) \
    &(wn_alpha_dropout_args){.size_ = sizeof(wn_alpha_dropout_args), .input = a0, .p = a1, .train = a2, __VA_ARGS__}
#define wn_alpha_dropout(...) \
    wn_alpha_dropout_x(WN_3_(WN_FEW_, WN_ARGS_alpha_dropout_, __VA_ARGS__)("too few arguments: wn_alpha_dropout(input, p, train, ...)", __VA_ARGS__, ))
#define wn_alpha_dropout_(...) \
    wn_alpha_dropout_inplace_x(WN_3_(WN_FEW_, WN_ARGS_alpha_dropout_, __VA_ARGS__)("too few arguments: wn_alpha_dropout_(input, p, train, ...)", __VA_ARGS__, ))
#endif

/* feature_alpha_dropout(Tensor input, float p, bool train) -> Tensor
 * alpha_dropout of whole channels. */
typedef wn_alpha_dropout_args wn_feature_alpha_dropout_args;
WN_API wn_tensor *wn_feature_alpha_dropout_x(const wn_feature_alpha_dropout_args *args);
WN_API wn_tensor *wn_feature_alpha_dropout_inplace_x(const wn_feature_alpha_dropout_args *args);
#ifndef __cplusplus
#define WN_ARGS_feature_alpha_dropout_(text, a0, a1, a2, ...) \
    &(wn_feature_alpha_dropout_args){.size_ = sizeof(wn_feature_alpha_dropout_args), .input = a0, .p = a1, .train = a2, __VA_ARGS__}
#define wn_feature_alpha_dropout(...) \
    wn_feature_alpha_dropout_x(WN_3_(WN_FEW_, WN_ARGS_feature_alpha_dropout_, __VA_ARGS__)("too few arguments: wn_feature_alpha_dropout(input, p, train, ...)", __VA_ARGS__, ))
#define wn_feature_alpha_dropout_(...) \
    wn_feature_alpha_dropout_inplace_x(WN_3_(WN_FEW_, WN_ARGS_feature_alpha_dropout_, __VA_ARGS__)("too few arguments: wn_feature_alpha_dropout_(input, p, train, ...)", __VA_ARGS__, ))
#endif

/* bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor
 * y[..., o] = sum over i, j of input1[..., i] * weight[o, i, j] * input2[..., j], plus bias [O]. */
typedef struct wn_bilinear_args {
    size_t size_;
    wn_tensor *input1;
    wn_tensor *input2;
    wn_tensor *weight;
    wn_tensor *bias;
} wn_bilinear_args;
WN_API wn_tensor *wn_bilinear_x(const wn_bilinear_args *args);
#ifndef __cplusplus
#define WN_ARGS_bilinear_(text, a0, a1, a2, ...) \
    &(wn_bilinear_args){.size_ = sizeof(wn_bilinear_args), .input1 = a0, .input2 = a1, .weight = a2, __VA_ARGS__}
#define wn_bilinear(...) \
    wn_bilinear_x(WN_3_(WN_FEW_, WN_ARGS_bilinear_, __VA_ARGS__)("too few arguments: wn_bilinear(input1, input2, weight, ...)", __VA_ARGS__, ))
#endif

/* conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor
 * The cross-correlation of self [time, batch, C] with weight [k, C, O] along time, plus bias [O]. */
typedef struct wn_conv_tbc_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *weight;
    wn_tensor *bias;
    int64_t pad;
} wn_conv_tbc_args;
WN_API wn_tensor *wn_conv_tbc_x(const wn_conv_tbc_args *args);
#ifndef __cplusplus
#define WN_ARGS_conv_tbc_(text, a0, a1, a2, ...) \
    &(wn_conv_tbc_args){.size_ = sizeof(wn_conv_tbc_args), .self = a0, .weight = a1, .bias = a2, __VA_ARGS__}
#define wn_conv_tbc(...) \
    wn_conv_tbc_x(WN_3_(WN_FEW_, WN_ARGS_conv_tbc_, __VA_ARGS__)("too few arguments: wn_conv_tbc(self, weight, bias, ...)", __VA_ARGS__, ))
#endif

/* interpolate(Tensor input, int[] size=[], float? scale_factor=None, str mode="nearest", bool align_corners=False, bool recompute_scale_factor=False, bool antialias=False) -> Tensor
 * [N, C, ...] resized to size, or to floor(its size * scale_factor). mode: "nearest", "nearest-exact", "linear"
 * (of 3 dimensions), "bilinear", "bicubic" (4), "trilinear" (5), "area", and with antialias "lanczos".
 * align_corners: the centres of the corner elements stay where they are, else the corners of the whole. */
typedef struct wn_interpolate_args {
    size_t size_;
    wn_tensor *input;
    wn_dims size;
    wn_val scale_factor;
    const char *mode;
    bool align_corners;
    bool recompute_scale_factor;
    bool antialias;
} wn_interpolate_args;
WN_API wn_tensor *wn_interpolate_x(const wn_interpolate_args *args);
#ifndef __cplusplus
#define wn_interpolate(...) \
    wn_interpolate_x(&(wn_interpolate_args){.size_ = sizeof(wn_interpolate_args), .input = __VA_ARGS__})
#endif

/* resample(Tensor self, int[] size, str mode, bool align_corners=False, bool antialias=False, float? scale_d=None, float? scale_h=None, float? scale_w=None) -> Tensor
 * Behind interpolate: [N, C, ...] as [N, C, size]. The scales, where given, replace the ratio of the sizes. */
typedef struct wn_resample_args {
    size_t size_;
    wn_tensor *self;
    wn_dims size;
    const char *mode;
    bool align_corners;
    bool antialias;
    wn_val scale_d;
    wn_val scale_h;
    wn_val scale_w;
} wn_resample_args;
WN_API wn_tensor *wn_resample_x(const wn_resample_args *args);
#ifndef __cplusplus
#define WN_ARGS_resample_(text, a0, a1, a2, ...) \
    &(wn_resample_args){.size_ = sizeof(wn_resample_args), .self = a0, .size = a1, .mode = a2, __VA_ARGS__}
#define wn_resample(...) \
    wn_resample_x(WN_3_(WN_FEW_, WN_ARGS_resample_, __VA_ARGS__)("too few arguments: wn_resample(self, size, mode, ...)", __VA_ARGS__, ))
#endif

/* resample_backward(Tensor grad, int[] self_size, str mode, bool align_corners=False, bool antialias=False, float? scale_d=None, float? scale_h=None, float? scale_w=None) -> Tensor
 * The gradient of resample: the transposed map. */
typedef struct wn_resample_backward_args {
    size_t size_;
    wn_tensor *grad;
    wn_dims self_size;
    const char *mode;
    bool align_corners;
    bool antialias;
    wn_val scale_d;
    wn_val scale_h;
    wn_val scale_w;
} wn_resample_backward_args;
WN_API wn_tensor *wn_resample_backward_x(const wn_resample_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_resample_backward_(text, a0, a1, a2, ...) \
    &(wn_resample_backward_args){.size_ = sizeof(wn_resample_backward_args), .grad = a0, .self_size = a1, .mode = a2, __VA_ARGS__}
#define wn_resample_backward(...) \
    wn_resample_backward_x(WN_3_(WN_FEW_, WN_ARGS_resample_backward_, __VA_ARGS__)("too few arguments: wn_resample_backward(grad, self_size, mode, ...)", __VA_ARGS__, ))
#endif

/* grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor
 * [N, C, (D,) H, W] sampled at grid [N, (D',) H', W', 2 or 3] of places (x, y, z) in [-1, 1]. interpolation_mode
 * 0: linear, 1: nearest, 2: cubic; padding_mode 0: zeros outside, 1: the border's values, 2: mirrored. */
typedef struct wn_grid_sampler_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *grid;
    int64_t interpolation_mode;
    int64_t padding_mode;
    bool align_corners;
} wn_grid_sampler_args;
WN_API wn_tensor *wn_grid_sampler_x(const wn_grid_sampler_args *args);
#ifndef __cplusplus
#define WN_ARGS_grid_sampler_(text, a0, a1, a2, a3, a4, ...) \
    &(wn_grid_sampler_args){.size_ = sizeof(wn_grid_sampler_args), .input = a0, .grid = a1, .interpolation_mode = a2, .padding_mode = a3, .align_corners = a4, __VA_ARGS__}
#define wn_grid_sampler(...) \
    wn_grid_sampler_x(WN_5_(WN_FEW_, WN_ARGS_grid_sampler_, __VA_ARGS__)("too few arguments: wn_grid_sampler(input, grid, interpolation_mode, padding_mode, align_corners, ...)", __VA_ARGS__, ))
#endif

/* grid_sampler_2d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor
 * grid_sampler of [N, C, H, W]. */
typedef struct wn_grid_sampler_2d_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *grid;
    int64_t interpolation_mode;
    int64_t padding_mode;
    bool align_corners;
} wn_grid_sampler_2d_args;
WN_API wn_tensor *wn_grid_sampler_2d_x(const wn_grid_sampler_2d_args *args);
#ifndef __cplusplus
#define WN_ARGS_grid_sampler_2d_(text, a0, a1, a2, a3, a4, ...) \
    &(wn_grid_sampler_2d_args){.size_ = sizeof(wn_grid_sampler_2d_args), .input = a0, .grid = a1, .interpolation_mode = a2, .padding_mode = a3, .align_corners = a4, __VA_ARGS__}
#define wn_grid_sampler_2d(...) \
    wn_grid_sampler_2d_x(WN_5_(WN_FEW_, WN_ARGS_grid_sampler_2d_, __VA_ARGS__)("too few arguments: wn_grid_sampler_2d(input, grid, interpolation_mode, padding_mode, align_corners, ...)", __VA_ARGS__, ))
#endif

/* grid_sampler_3d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor
 * grid_sampler of [N, C, D, H, W]. */
typedef wn_grid_sampler_2d_args wn_grid_sampler_3d_args;
WN_API wn_tensor *wn_grid_sampler_3d_x(const wn_grid_sampler_3d_args *args);
#ifndef __cplusplus
#define WN_ARGS_grid_sampler_3d_(text, a0, a1, a2, a3, a4, ...) \
    &(wn_grid_sampler_3d_args){.size_ = sizeof(wn_grid_sampler_3d_args), .input = a0, .grid = a1, .interpolation_mode = a2, .padding_mode = a3, .align_corners = a4, __VA_ARGS__}
#define wn_grid_sampler_3d(...) \
    wn_grid_sampler_3d_x(WN_5_(WN_FEW_, WN_ARGS_grid_sampler_3d_, __VA_ARGS__)("too few arguments: wn_grid_sampler_3d(input, grid, interpolation_mode, padding_mode, align_corners, ...)", __VA_ARGS__, ))
#endif

/* grid_sampler_input_grad(Tensor grad, Tensor grid, int[] input_size, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor
 * The gradient of grid_sampler in its input: each element of grad added at the places it was made from, by their
 * weights. */
typedef struct wn_grid_sampler_input_grad_args {
    size_t size_;
    wn_tensor *grad;
    wn_tensor *grid;
    wn_dims input_size;
    int64_t interpolation_mode;
    int64_t padding_mode;
    bool align_corners;
} wn_grid_sampler_input_grad_args;
WN_API wn_tensor *wn_grid_sampler_input_grad_x(const wn_grid_sampler_input_grad_args *args);
#ifndef __cplusplus
#define WN_ARGS_grid_sampler_input_grad_(text, a0, a1, a2, a3, a4, a5, ...) \
    &(wn_grid_sampler_input_grad_args){.size_ = sizeof(wn_grid_sampler_input_grad_args), .grad = a0, .grid = a1, .input_size = a2, .interpolation_mode = a3, .padding_mode = a4, .align_corners = a5, __VA_ARGS__}
#define wn_grid_sampler_input_grad(...) \
    wn_grid_sampler_input_grad_x(WN_6_(WN_FEW_, WN_ARGS_grid_sampler_input_grad_, __VA_ARGS__)("too few arguments: wn_grid_sampler_input_grad(grad, grid, input_size, interpolation_mode, padding_mode, align_corners, ...)", __VA_ARGS__, ))
#endif

/* grid_sampler_grid_grad(Tensor grad, Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor
 * The gradient of grid_sampler in its grid. */
typedef struct wn_grid_sampler_grid_grad_args {
    size_t size_;
    wn_tensor *grad;
    wn_tensor *input;
    wn_tensor *grid;
    int64_t interpolation_mode;
    int64_t padding_mode;
    bool align_corners;
} wn_grid_sampler_grid_grad_args;
WN_API wn_tensor *wn_grid_sampler_grid_grad_x(const wn_grid_sampler_grid_grad_args *args);
#ifndef __cplusplus
#define WN_ARGS_grid_sampler_grid_grad_(text, a0, a1, a2, a3, a4, a5, ...) \
    &(wn_grid_sampler_grid_grad_args){.size_ = sizeof(wn_grid_sampler_grid_grad_args), .grad = a0, .input = a1, .grid = a2, .interpolation_mode = a3, .padding_mode = a4, .align_corners = a5, __VA_ARGS__}
#define wn_grid_sampler_grid_grad(...) \
    wn_grid_sampler_grid_grad_x(WN_6_(WN_FEW_, WN_ARGS_grid_sampler_grid_grad_, __VA_ARGS__)("too few arguments: wn_grid_sampler_grid_grad(grad, input, grid, interpolation_mode, padding_mode, align_corners, ...)", __VA_ARGS__, ))
#endif

/* grid_sampler_along(Tensor input, Tensor grid, Tensor along, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor
 * How grid_sampler's result changes as the grid moves along `along`. */
typedef struct wn_grid_sampler_along_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *grid;
    wn_tensor *along;
    int64_t interpolation_mode;
    int64_t padding_mode;
    bool align_corners;
} wn_grid_sampler_along_args;
WN_API wn_tensor *wn_grid_sampler_along_x(const wn_grid_sampler_along_args *args);
#ifndef __cplusplus
#define WN_ARGS_grid_sampler_along_(text, a0, a1, a2, a3, a4, a5, ...) \
    &(wn_grid_sampler_along_args){.size_ = sizeof(wn_grid_sampler_along_args), .input = a0, .grid = a1, .along = a2, .interpolation_mode = a3, .padding_mode = a4, .align_corners = a5, __VA_ARGS__}
#define wn_grid_sampler_along(...) \
    wn_grid_sampler_along_x(WN_6_(WN_FEW_, WN_ARGS_grid_sampler_along_, __VA_ARGS__)("too few arguments: wn_grid_sampler_along(input, grid, along, interpolation_mode, padding_mode, align_corners, ...)", __VA_ARGS__, ))
#endif

/* grid_sampler_input_grad_along(Tensor grad, Tensor grid, Tensor along, int[] input_size, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor
 * How grid_sampler_input_grad changes as the grid moves along `along`. */
typedef struct wn_grid_sampler_input_grad_along_args {
    size_t size_;
    wn_tensor *grad;
    wn_tensor *grid;
    wn_tensor *along;
    wn_dims input_size;
    int64_t interpolation_mode;
    int64_t padding_mode;
    bool align_corners;
} wn_grid_sampler_input_grad_along_args;
WN_API wn_tensor *wn_grid_sampler_input_grad_along_x(const wn_grid_sampler_input_grad_along_args *args);
#ifndef __cplusplus
#define WN_ARGS_grid_sampler_input_grad_along_(text, a0, a1, a2, a3, a4, a5, a6, ...) \
    &(wn_grid_sampler_input_grad_along_args){.size_ = sizeof(wn_grid_sampler_input_grad_along_args), .grad = a0, .grid = a1, .along = a2, .input_size = a3, .interpolation_mode = a4, .padding_mode = a5, .align_corners = a6, __VA_ARGS__}
#define wn_grid_sampler_input_grad_along(...) \
    wn_grid_sampler_input_grad_along_x(WN_7_(WN_FEW_, WN_ARGS_grid_sampler_input_grad_along_, __VA_ARGS__)("too few arguments: wn_grid_sampler_input_grad_along(grad, grid, along, input_size, interpolation_mode, padding_mode, align_corners, ...)", __VA_ARGS__, ))
#endif

/* grid_sampler_grid_grad_along(Tensor grad, Tensor input, Tensor grid, Tensor along, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor
 * How grid_sampler_grid_grad changes as the grid moves along `along`. */
typedef struct wn_grid_sampler_grid_grad_along_args {
    size_t size_;
    wn_tensor *grad;
    wn_tensor *input;
    wn_tensor *grid;
    wn_tensor *along;
    int64_t interpolation_mode;
    int64_t padding_mode;
    bool align_corners;
} wn_grid_sampler_grid_grad_along_args;
WN_API wn_tensor *wn_grid_sampler_grid_grad_along_x(const wn_grid_sampler_grid_grad_along_args *args);
#ifndef __cplusplus
#define WN_ARGS_grid_sampler_grid_grad_along_(text, a0, a1, a2, a3, a4, a5, a6, ...) \
    &(wn_grid_sampler_grid_grad_along_args){.size_ = sizeof(wn_grid_sampler_grid_grad_along_args), .grad = a0, .input = a1, .grid = a2, .along = a3, .interpolation_mode = a4, .padding_mode = a5, .align_corners = a6, __VA_ARGS__}
#define wn_grid_sampler_grid_grad_along(...) \
    wn_grid_sampler_grid_grad_along_x(WN_7_(WN_FEW_, WN_ARGS_grid_sampler_grid_grad_along_, __VA_ARGS__)("too few arguments: wn_grid_sampler_grid_grad_along(grad, input, grid, along, interpolation_mode, padding_mode, align_corners, ...)", __VA_ARGS__, ))
#endif

/* affine_grid_generator(Tensor theta, int[] size, bool align_corners) -> Tensor
 * The grid for grid_sampler that theta [N, 2, 3] or [N, 3, 4] makes of the centres of elements of an output of
 * `size`: theta @ (x, y, (z,) 1). */
typedef struct wn_affine_grid_generator_args {
    size_t size_;
    wn_tensor *theta;
    wn_dims size;
    bool align_corners;
} wn_affine_grid_generator_args;
WN_API wn_tensor *wn_affine_grid_generator_x(const wn_affine_grid_generator_args *args);
#ifndef __cplusplus
#define WN_ARGS_affine_grid_generator_(text, a0, a1, a2, ...) \
    &(wn_affine_grid_generator_args){.size_ = sizeof(wn_affine_grid_generator_args), .theta = a0, .size = a1, .align_corners = a2, __VA_ARGS__}
#define wn_affine_grid_generator(...) \
    wn_affine_grid_generator_x(WN_3_(WN_FEW_, WN_ARGS_affine_grid_generator_, __VA_ARGS__)("too few arguments: wn_affine_grid_generator(theta, size, align_corners, ...)", __VA_ARGS__, ))
#endif

/* affine_grid_generator_backward(Tensor grad, int[] size, bool align_corners) -> Tensor
 * The gradient of affine_grid_generator: the sum of grad * (x, y, (z,) 1) over the places. */
typedef struct wn_affine_grid_generator_backward_args {
    size_t size_;
    wn_tensor *grad;
    wn_dims size;
    bool align_corners;
} wn_affine_grid_generator_backward_args;
WN_API wn_tensor *wn_affine_grid_generator_backward_x(const wn_affine_grid_generator_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_affine_grid_generator_backward_(text, a0, a1, a2, ...) \
    &(wn_affine_grid_generator_backward_args){.size_ = sizeof(wn_affine_grid_generator_backward_args), .grad = a0, .size = a1, .align_corners = a2, __VA_ARGS__}
#define wn_affine_grid_generator_backward(...) \
    wn_affine_grid_generator_backward_x(WN_3_(WN_FEW_, WN_ARGS_affine_grid_generator_backward_, __VA_ARGS__)("too few arguments: wn_affine_grid_generator_backward(grad, size, align_corners, ...)", __VA_ARGS__, ))
#endif

/* embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int? padding_idx=None) -> (Tensor output, Tensor offset2bag, Tensor bag_size, Tensor max_indices)
 * Rows of weight [n, d] at indices [m], combined in bags that begin at offsets: mode 0 their sum (times
 * per_sample_weights), 1 the mean, 2 the maximum. include_last_offset: the last offset is the end. Indices equal
 * to padding_idx count for nothing. offset2bag: the bag of each index; bag_size: how many count; max_indices:
 * which row each maximum is of. */
typedef struct wn_embedding_bag_args {
    size_t size_;
    wn_tensor *weight;
    wn_tensor *indices;
    wn_tensor *offsets;
    bool scale_grad_by_freq;
    int64_t mode;
    bool sparse;
    wn_tensor *per_sample_weights;
    bool include_last_offset;
    wn_val padding_idx;
} wn_embedding_bag_args;
typedef struct wn_embedding_bag_out {
    wn_tensor *output, *offset2bag, *bag_size, *max_indices;
} wn_embedding_bag_out;
WN_API wn_embedding_bag_out wn_embedding_bag_x(const wn_embedding_bag_args *args);
#ifndef __cplusplus
#define WN_ARGS_embedding_bag_(text, a0, a1, a2, ...) \
    &(wn_embedding_bag_args){.size_ = sizeof(wn_embedding_bag_args), .weight = a0, .indices = a1, .offsets = a2, __VA_ARGS__}
#define wn_embedding_bag(...) \
    wn_embedding_bag_x(WN_3_(WN_FEW_, WN_ARGS_embedding_bag_, __VA_ARGS__)("too few arguments: wn_embedding_bag(weight, indices, offsets, ...)", __VA_ARGS__, ))
#endif

/* embedding_bag_weight_grad(Tensor grad, Tensor indices, Tensor offset2bag, Tensor bag_size, Tensor max_indices, int num_weights, bool scale_grad_by_freq, int mode, Tensor? per_sample_weights=None, int? padding_idx=None) -> Tensor
 * The gradient of embedding_bag in its weight, dense: each row the sum over its indices, in their order. */
typedef struct wn_embedding_bag_weight_grad_args {
    size_t size_;
    wn_tensor *grad;
    wn_tensor *indices;
    wn_tensor *offset2bag;
    wn_tensor *bag_size;
    wn_tensor *max_indices;
    int64_t num_weights;
    bool scale_grad_by_freq;
    int64_t mode;
    wn_tensor *per_sample_weights;
    wn_val padding_idx;
} wn_embedding_bag_weight_grad_args;
WN_API wn_tensor *wn_embedding_bag_weight_grad_x(const wn_embedding_bag_weight_grad_args *args);
#ifndef __cplusplus
#define WN_ARGS_embedding_bag_weight_grad_(text, a0, a1, a2, a3, a4, a5, a6, a7, ...) \
    &(wn_embedding_bag_weight_grad_args){.size_ = sizeof(wn_embedding_bag_weight_grad_args), .grad = a0, .indices = a1, .offset2bag = a2, .bag_size = a3, .max_indices = a4, .num_weights = a5, .scale_grad_by_freq = a6, .mode = a7, __VA_ARGS__}
#define wn_embedding_bag_weight_grad(...) \
    wn_embedding_bag_weight_grad_x(WN_8_(WN_FEW_, WN_ARGS_embedding_bag_weight_grad_, __VA_ARGS__)("too few arguments: wn_embedding_bag_weight_grad(grad, indices, offset2bag, bag_size, max_indices, num_weights, scale_grad_by_freq, mode, ...)", __VA_ARGS__, ))
#endif

/* embedding_bag_samples_grad(Tensor grad, Tensor weight, Tensor indices, Tensor offset2bag, int? padding_idx=None) -> Tensor
 * The gradient of embedding_bag in per_sample_weights: for each index the product of grad's row with weight's. */
typedef struct wn_embedding_bag_samples_grad_args {
    size_t size_;
    wn_tensor *grad;
    wn_tensor *weight;
    wn_tensor *indices;
    wn_tensor *offset2bag;
    wn_val padding_idx;
} wn_embedding_bag_samples_grad_args;
WN_API wn_tensor *wn_embedding_bag_samples_grad_x(const wn_embedding_bag_samples_grad_args *args);
#ifndef __cplusplus
#define WN_ARGS_embedding_bag_samples_grad_(text, a0, a1, a2, a3, ...) \
    &(wn_embedding_bag_samples_grad_args){.size_ = sizeof(wn_embedding_bag_samples_grad_args), .grad = a0, .weight = a1, .indices = a2, .offset2bag = a3, __VA_ARGS__}
#define wn_embedding_bag_samples_grad(...) \
    wn_embedding_bag_samples_grad_x(WN_4_(WN_FEW_, WN_ARGS_embedding_bag_samples_grad_, __VA_ARGS__)("too few arguments: wn_embedding_bag_samples_grad(grad, weight, indices, offset2bag, ...)", __VA_ARGS__, ))
#endif

/* cross_entropy(Tensor input, Tensor target, Tensor? weight=None, int ignore_index=-100, str reduction="mean", float label_smoothing=0.0) -> Tensor
 * -weight[t] * log_softmax(input)[t], input [N, C, ...] or [C], target [N, ...] of class indices (int64 or uint8)
 * or of input's shape with class probabilities. mean divides by the sum of the weights that count: NaN when all
 * targets are ignored, as in PyTorch (sum gives 0). */
typedef struct wn_cross_entropy_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *target;
    wn_tensor *weight;
    wn_val ignore_index;
    const char *reduction;
    double label_smoothing;
} wn_cross_entropy_args;
WN_API wn_tensor *wn_cross_entropy_x(const wn_cross_entropy_args *args);
#ifndef __cplusplus
#define WN_ARGS_cross_entropy_(text, a0, a1, ...) \
    &(wn_cross_entropy_args){.size_ = sizeof(wn_cross_entropy_args), .input = a0, .target = a1, __VA_ARGS__}
#define wn_cross_entropy(...) \
    wn_cross_entropy_x(WN_2_(WN_FEW_, WN_ARGS_cross_entropy_, __VA_ARGS__)("too few arguments: wn_cross_entropy(input, target, ...)", __VA_ARGS__, ))
#endif

/* cross_entropy_forward(Tensor input, Tensor target, Tensor? weight, int reduction, int ignore_index, float label_smoothing) -> (Tensor result, Tensor lse, Tensor total)
 * Behind cross_entropy: log-softmax and loss in one pass; lse: log(sum(exp(input))) of each position, total: what
 * mean divides by. reduction: 0 none, 1 mean, 2 sum. */
typedef struct wn_cross_entropy_forward_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *target;
    wn_tensor *weight;
    int64_t reduction;
    int64_t ignore_index;
    double label_smoothing;
} wn_cross_entropy_forward_args;
typedef struct wn_cross_entropy_forward_out {
    wn_tensor *result, *lse, *total;
} wn_cross_entropy_forward_out;
WN_API wn_cross_entropy_forward_out wn_cross_entropy_forward_x(const wn_cross_entropy_forward_args *args);
#ifndef __cplusplus
#define WN_ARGS_cross_entropy_forward_(text, a0, a1, a2, a3, a4, a5, ...) \
    &(wn_cross_entropy_forward_args){.size_ = sizeof(wn_cross_entropy_forward_args), .input = a0, .target = a1, .weight = a2, .reduction = a3, .ignore_index = a4, .label_smoothing = a5, __VA_ARGS__}
#define wn_cross_entropy_forward(...) \
    wn_cross_entropy_forward_x(WN_6_(WN_FEW_, WN_ARGS_cross_entropy_forward_, __VA_ARGS__)("too few arguments: wn_cross_entropy_forward(input, target, weight, reduction, ignore_index, label_smoothing, ...)", __VA_ARGS__, ))
#endif

/* cross_entropy_backward(Tensor grad, Tensor input, Tensor target, Tensor? weight, Tensor lse, Tensor total, int reduction, int ignore_index, float label_smoothing) -> Tensor
 * The gradient of cross_entropy in one pass, (softmax - target distribution) * grad / total; zero where targets
 * are ignored. Used when nobody differentiates it again. */
typedef struct wn_cross_entropy_backward_args {
    size_t size_;
    wn_tensor *grad;
    wn_tensor *input;
    wn_tensor *target;
    wn_tensor *weight;
    wn_tensor *lse;
    wn_tensor *total;
    int64_t reduction;
    int64_t ignore_index;
    double label_smoothing;
} wn_cross_entropy_backward_args;
WN_API wn_tensor *wn_cross_entropy_backward_x(const wn_cross_entropy_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_cross_entropy_backward_(text, a0, a1, a2, a3, a4, a5, a6, a7, a8, ...) \
    &(wn_cross_entropy_backward_args){.size_ = sizeof(wn_cross_entropy_backward_args), .grad = a0, .input = a1, .target = a2, .weight = a3, .lse = a4, .total = a5, .reduction = a6, .ignore_index = a7, .label_smoothing = a8, __VA_ARGS__}
#define wn_cross_entropy_backward(...) \
    wn_cross_entropy_backward_x(WN_9_(WN_FEW_, WN_ARGS_cross_entropy_backward_, __VA_ARGS__)("too few arguments: wn_cross_entropy_backward(grad, input, target, weight, lse, total, reduction, ignore_index, label_smoothing, ...)", __VA_ARGS__, ))
#endif

/* nll_loss(Tensor input, Tensor target, Tensor? weight=None, int ignore_index=-100, str reduction="mean") -> Tensor
 * -weight[t] * input[t]: cross_entropy of logarithms of probabilities. */
typedef struct wn_nll_loss_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *target;
    wn_tensor *weight;
    wn_val ignore_index;
    const char *reduction;
} wn_nll_loss_args;
WN_API wn_tensor *wn_nll_loss_x(const wn_nll_loss_args *args);
#ifndef __cplusplus
#define WN_ARGS_nll_loss_(text, a0, a1, ...) \
    &(wn_nll_loss_args){.size_ = sizeof(wn_nll_loss_args), .input = a0, .target = a1, __VA_ARGS__}
#define wn_nll_loss(...) \
    wn_nll_loss_x(WN_2_(WN_FEW_, WN_ARGS_nll_loss_, __VA_ARGS__)("too few arguments: wn_nll_loss(input, target, ...)", __VA_ARGS__, ))
#endif

/* nll_loss_forward(Tensor input, Tensor target, Tensor? weight, int reduction, int ignore_index) -> (Tensor result, Tensor total)
 * Behind nll_loss. reduction: 0 none, 1 mean, 2 sum. */
typedef struct wn_nll_loss_forward_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *target;
    wn_tensor *weight;
    int64_t reduction;
    int64_t ignore_index;
} wn_nll_loss_forward_args;
typedef struct wn_nll_loss_forward_out {
    wn_tensor *result, *total;
} wn_nll_loss_forward_out;
WN_API wn_nll_loss_forward_out wn_nll_loss_forward_x(const wn_nll_loss_forward_args *args);
#ifndef __cplusplus
#define WN_ARGS_nll_loss_forward_(text, a0, a1, a2, a3, a4, ...) \
    &(wn_nll_loss_forward_args){.size_ = sizeof(wn_nll_loss_forward_args), .input = a0, .target = a1, .weight = a2, .reduction = a3, .ignore_index = a4, __VA_ARGS__}
#define wn_nll_loss_forward(...) \
    wn_nll_loss_forward_x(WN_5_(WN_FEW_, WN_ARGS_nll_loss_forward_, __VA_ARGS__)("too few arguments: wn_nll_loss_forward(input, target, weight, reduction, ignore_index, ...)", __VA_ARGS__, ))
#endif

/* class_targets(Tensor grad, Tensor target, Tensor? weight, int[] size, int ignore_index, float label_smoothing, float scale) -> Tensor
 * scale * grad times the target distribution of shape `size` [N, C, ...]: weight[t] at the target, smoothed; zero
 * where the target is ignored. grad has target's shape. */
typedef struct wn_class_targets_args {
    size_t size_;
    wn_tensor *grad;
    wn_tensor *target;
    wn_tensor *weight;
    wn_dims size;
    int64_t ignore_index;
    double label_smoothing;
    double scale;
} wn_class_targets_args;
WN_API wn_tensor *wn_class_targets_x(const wn_class_targets_args *args);
#ifndef __cplusplus
#define WN_ARGS_class_targets_(text, a0, a1, a2, a3, a4, a5, a6, ...) \
    &(wn_class_targets_args){.size_ = sizeof(wn_class_targets_args), .grad = a0, .target = a1, .weight = a2, .size = a3, .ignore_index = a4, .label_smoothing = a5, .scale = a6, __VA_ARGS__}
#define wn_class_targets(...) \
    wn_class_targets_x(WN_7_(WN_FEW_, WN_ARGS_class_targets_, __VA_ARGS__)("too few arguments: wn_class_targets(grad, target, weight, size, ignore_index, label_smoothing, scale, ...)", __VA_ARGS__, ))
#endif

/* mse_loss(Tensor input, Tensor target, str reduction="mean", Tensor? weight=None) -> Tensor
 * (input - target)^2; mean with a weight is the weighted mean. */
typedef struct wn_mse_loss_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *target;
    const char *reduction;
    wn_tensor *weight;
} wn_mse_loss_args;
WN_API wn_tensor *wn_mse_loss_x(const wn_mse_loss_args *args);
#ifndef __cplusplus
#define WN_ARGS_mse_loss_(text, a0, a1, ...) \
    &(wn_mse_loss_args){.size_ = sizeof(wn_mse_loss_args), .input = a0, .target = a1, __VA_ARGS__}
#define wn_mse_loss(...) \
    wn_mse_loss_x(WN_2_(WN_FEW_, WN_ARGS_mse_loss_, __VA_ARGS__)("too few arguments: wn_mse_loss(input, target, ...)", __VA_ARGS__, ))
#endif

/* l1_loss(Tensor input, Tensor target, str reduction="mean", Tensor? weight=None) -> Tensor
 * |input - target|; mean with a weight is the weighted mean. */
typedef wn_mse_loss_args wn_l1_loss_args;
WN_API wn_tensor *wn_l1_loss_x(const wn_l1_loss_args *args);
#ifndef __cplusplus
#define WN_ARGS_l1_loss_(text, a0, a1, ...) \
    &(wn_l1_loss_args){.size_ = sizeof(wn_l1_loss_args), .input = a0, .target = a1, __VA_ARGS__}
#define wn_l1_loss(...) \
    wn_l1_loss_x(WN_2_(WN_FEW_, WN_ARGS_l1_loss_, __VA_ARGS__)("too few arguments: wn_l1_loss(input, target, ...)", __VA_ARGS__, ))
#endif

/* binary_cross_entropy_with_logits(Tensor input, Tensor target, Tensor? weight=None, str reduction="mean", Tensor? pos_weight=None) -> Tensor
 * -weight * (pos_weight * target * log(sigmoid(input)) + (1 - target) * log(1 - sigmoid(input))), without
 * overflow. */
typedef struct wn_binary_cross_entropy_with_logits_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *target;
    wn_tensor *weight;
    const char *reduction;
    wn_tensor *pos_weight;
} wn_binary_cross_entropy_with_logits_args;
WN_API wn_tensor *wn_binary_cross_entropy_with_logits_x(const wn_binary_cross_entropy_with_logits_args *args);
#ifndef __cplusplus
#define WN_ARGS_binary_cross_entropy_with_logits_(text, a0, a1, ...) \
    &(wn_binary_cross_entropy_with_logits_args){.size_ = sizeof(wn_binary_cross_entropy_with_logits_args), .input = a0, .target = a1, __VA_ARGS__}
#define wn_binary_cross_entropy_with_logits(...) \
    wn_binary_cross_entropy_with_logits_x(WN_2_(WN_FEW_, WN_ARGS_binary_cross_entropy_with_logits_, __VA_ARGS__)("too few arguments: wn_binary_cross_entropy_with_logits(input, target, ...)", __VA_ARGS__, ))
#endif

/* smooth_l1_loss(Tensor input, Tensor target, str reduction="mean", float beta=1.0) -> Tensor
 * z^2 / (2 beta) where |z| < beta, |z| - beta/2 elsewhere, z = input - target. beta 0: |z|. */
typedef struct wn_smooth_l1_loss_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *target;
    const char *reduction;
    wn_val beta;
} wn_smooth_l1_loss_args;
WN_API wn_tensor *wn_smooth_l1_loss_x(const wn_smooth_l1_loss_args *args);
#ifndef __cplusplus
#define WN_ARGS_smooth_l1_loss_(text, a0, a1, ...) \
    &(wn_smooth_l1_loss_args){.size_ = sizeof(wn_smooth_l1_loss_args), .input = a0, .target = a1, __VA_ARGS__}
#define wn_smooth_l1_loss(...) \
    wn_smooth_l1_loss_x(WN_2_(WN_FEW_, WN_ARGS_smooth_l1_loss_, __VA_ARGS__)("too few arguments: wn_smooth_l1_loss(input, target, ...)", __VA_ARGS__, ))
#endif

/* _smooth_l1(Tensor self, Tensor target, Scalar beta) -> Tensor
 * Behind smooth_l1_loss. */
typedef struct wn_smooth_l1_each_args {
    size_t size_;
    wn_val self;
    wn_val target;
    wn_val beta;
    wn_tensor *out;
} wn_smooth_l1_each_args;
WN_API wn_tensor *wn_smooth_l1_each_x(const wn_smooth_l1_each_args *args);
#ifndef __cplusplus
#define WN_ARGS_smooth_l1_each_(text, a0, a1, a2, ...) \
    &(wn_smooth_l1_each_args){.size_ = sizeof(wn_smooth_l1_each_args), .self = WN_VAL(a0), .target = WN_VAL(a1), .beta = WN_VAL(a2), __VA_ARGS__}
#define wn_smooth_l1_each(...) \
    wn_smooth_l1_each_x(WN_3_(WN_FEW_, WN_ARGS_smooth_l1_each_, __VA_ARGS__)("too few arguments: wn_smooth_l1_each(self, target, beta, ...)", __VA_ARGS__, ))
#endif

/* _smooth_l1_backward(Tensor grad_output, Tensor self, Tensor target, Scalar beta) -> Tensor
 * grad_output times the slope of smooth_l1_loss: z / beta in [-beta, beta], the sign of z elsewhere. */
typedef struct wn_smooth_l1_backward_args {
    size_t size_;
    wn_val grad_output;
    wn_val self;
    wn_val target;
    wn_val beta;
    wn_tensor *out;
} wn_smooth_l1_backward_args;
WN_API wn_tensor *wn_smooth_l1_backward_x(const wn_smooth_l1_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_smooth_l1_backward_(text, a0, a1, a2, a3, ...) \
    &(wn_smooth_l1_backward_args){.size_ = sizeof(wn_smooth_l1_backward_args), .grad_output = WN_VAL(a0), .self = WN_VAL(a1), .target = WN_VAL(a2), .beta = WN_VAL(a3), __VA_ARGS__}
#define wn_smooth_l1_backward(...) \
    wn_smooth_l1_backward_x(WN_4_(WN_FEW_, WN_ARGS_smooth_l1_backward_, __VA_ARGS__)("too few arguments: wn_smooth_l1_backward(grad_output, self, target, beta, ...)", __VA_ARGS__, ))
#endif

/* huber_loss(Tensor input, Tensor target, str reduction="mean", float delta=1.0, Tensor? weight=None) -> Tensor
 * z^2 / 2 where |z| < delta, delta * (|z| - delta/2) elsewhere, z = input - target; times weight. */
typedef struct wn_huber_loss_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *target;
    const char *reduction;
    wn_val delta;
    wn_tensor *weight;
} wn_huber_loss_args;
WN_API wn_tensor *wn_huber_loss_x(const wn_huber_loss_args *args);
#ifndef __cplusplus
#define WN_ARGS_huber_loss_(text, a0, a1, ...) \
    &(wn_huber_loss_args){.size_ = sizeof(wn_huber_loss_args), .input = a0, .target = a1, __VA_ARGS__}
#define wn_huber_loss(...) \
    wn_huber_loss_x(WN_2_(WN_FEW_, WN_ARGS_huber_loss_, __VA_ARGS__)("too few arguments: wn_huber_loss(input, target, ...)", __VA_ARGS__, ))
#endif

/* _huber(Tensor self, Tensor target, Scalar delta) -> Tensor
 * Behind huber_loss. */
typedef struct wn_huber_each_args {
    size_t size_;
    wn_val self;
    wn_val target;
    wn_val delta;
    wn_tensor *out;
} wn_huber_each_args;
WN_API wn_tensor *wn_huber_each_x(const wn_huber_each_args *args);
#ifndef __cplusplus
#define WN_ARGS_huber_each_(text, a0, a1, a2, ...) \
    &(wn_huber_each_args){.size_ = sizeof(wn_huber_each_args), .self = WN_VAL(a0), .target = WN_VAL(a1), .delta = WN_VAL(a2), __VA_ARGS__}
#define wn_huber_each(...) \
    wn_huber_each_x(WN_3_(WN_FEW_, WN_ARGS_huber_each_, __VA_ARGS__)("too few arguments: wn_huber_each(self, target, delta, ...)", __VA_ARGS__, ))
#endif

/* _huber_backward(Tensor grad_output, Tensor self, Tensor target, Scalar delta) -> Tensor
 * grad_output times the slope of huber_loss: z, cut to [-delta, delta]. */
typedef struct wn_huber_backward_args {
    size_t size_;
    wn_val grad_output;
    wn_val self;
    wn_val target;
    wn_val delta;
    wn_tensor *out;
} wn_huber_backward_args;
WN_API wn_tensor *wn_huber_backward_x(const wn_huber_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_huber_backward_(text, a0, a1, a2, a3, ...) \
    &(wn_huber_backward_args){.size_ = sizeof(wn_huber_backward_args), .grad_output = WN_VAL(a0), .self = WN_VAL(a1), .target = WN_VAL(a2), .delta = WN_VAL(a3), __VA_ARGS__}
#define wn_huber_backward(...) \
    wn_huber_backward_x(WN_4_(WN_FEW_, WN_ARGS_huber_backward_, __VA_ARGS__)("too few arguments: wn_huber_backward(grad_output, self, target, delta, ...)", __VA_ARGS__, ))
#endif

/* binary_cross_entropy(Tensor input, Tensor target, Tensor? weight=None, str reduction="mean") -> Tensor
 * -weight * (target * log(input) + (1 - target) * log(1 - input)), the logarithms not below -100; input in [0, 1]. */
typedef struct wn_binary_cross_entropy_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *target;
    wn_tensor *weight;
    const char *reduction;
} wn_binary_cross_entropy_args;
WN_API wn_tensor *wn_binary_cross_entropy_x(const wn_binary_cross_entropy_args *args);
#ifndef __cplusplus
#define WN_ARGS_binary_cross_entropy_(text, a0, a1, ...) \
    &(wn_binary_cross_entropy_args){.size_ = sizeof(wn_binary_cross_entropy_args), .input = a0, .target = a1, __VA_ARGS__}
#define wn_binary_cross_entropy(...) \
    wn_binary_cross_entropy_x(WN_2_(WN_FEW_, WN_ARGS_binary_cross_entropy_, __VA_ARGS__)("too few arguments: wn_binary_cross_entropy(input, target, ...)", __VA_ARGS__, ))
#endif

/* _binary_cross_entropy(Tensor self, Tensor target) -> Tensor
 * Behind binary_cross_entropy. */
typedef struct wn_binary_cross_entropy_each_args {
    size_t size_;
    wn_val self;
    wn_val target;
    wn_tensor *out;
} wn_binary_cross_entropy_each_args;
WN_API wn_tensor *wn_binary_cross_entropy_each_x(const wn_binary_cross_entropy_each_args *args);
#ifndef __cplusplus
#define WN_ARGS_binary_cross_entropy_each_(text, a0, a1, ...) \
    &(wn_binary_cross_entropy_each_args){.size_ = sizeof(wn_binary_cross_entropy_each_args), .self = WN_VAL(a0), .target = WN_VAL(a1), __VA_ARGS__}
#define wn_binary_cross_entropy_each(...) \
    wn_binary_cross_entropy_each_x(WN_2_(WN_FEW_, WN_ARGS_binary_cross_entropy_each_, __VA_ARGS__)("too few arguments: wn_binary_cross_entropy_each(self, target, ...)", __VA_ARGS__, ))
#endif

/* _binary_cross_entropy_backward(Tensor grad_output, Tensor self, Tensor target) -> Tensor
 * grad_output * (self - target) / (self * (1 - self)), the denominator not below 1e-12. */
typedef struct wn_binary_cross_entropy_backward_args {
    size_t size_;
    wn_val grad_output;
    wn_val self;
    wn_val target;
    wn_tensor *out;
} wn_binary_cross_entropy_backward_args;
WN_API wn_tensor *wn_binary_cross_entropy_backward_x(const wn_binary_cross_entropy_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_binary_cross_entropy_backward_(text, a0, a1, a2, ...) \
    &(wn_binary_cross_entropy_backward_args){.size_ = sizeof(wn_binary_cross_entropy_backward_args), .grad_output = WN_VAL(a0), .self = WN_VAL(a1), .target = WN_VAL(a2), __VA_ARGS__}
#define wn_binary_cross_entropy_backward(...) \
    wn_binary_cross_entropy_backward_x(WN_3_(WN_FEW_, WN_ARGS_binary_cross_entropy_backward_, __VA_ARGS__)("too few arguments: wn_binary_cross_entropy_backward(grad_output, self, target, ...)", __VA_ARGS__, ))
#endif

/* kl_div(Tensor input, Tensor target, str reduction="mean", bool log_target=False) -> Tensor
 * target * (log(target) - input), target 0 counting as 0; log_target: exp(target) * (target - input). reduction
 * "batchmean": the sum divided by input's first size. */
typedef struct wn_kl_div_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *target;
    const char *reduction;
    bool log_target;
} wn_kl_div_args;
WN_API wn_tensor *wn_kl_div_x(const wn_kl_div_args *args);
#ifndef __cplusplus
#define WN_ARGS_kl_div_(text, a0, a1, ...) \
    &(wn_kl_div_args){.size_ = sizeof(wn_kl_div_args), .input = a0, .target = a1, __VA_ARGS__}
#define wn_kl_div(...) \
    wn_kl_div_x(WN_2_(WN_FEW_, WN_ARGS_kl_div_, __VA_ARGS__)("too few arguments: wn_kl_div(input, target, ...)", __VA_ARGS__, ))
#endif

/* _kl_div(Tensor self, Tensor target) -> Tensor
 * Behind kl_div. */
typedef struct wn_kl_div_each_args {
    size_t size_;
    wn_val self;
    wn_val target;
    wn_tensor *out;
} wn_kl_div_each_args;
WN_API wn_tensor *wn_kl_div_each_x(const wn_kl_div_each_args *args);
#ifndef __cplusplus
#define WN_ARGS_kl_div_each_(text, a0, a1, ...) \
    &(wn_kl_div_each_args){.size_ = sizeof(wn_kl_div_each_args), .self = WN_VAL(a0), .target = WN_VAL(a1), __VA_ARGS__}
#define wn_kl_div_each(...) \
    wn_kl_div_each_x(WN_2_(WN_FEW_, WN_ARGS_kl_div_each_, __VA_ARGS__)("too few arguments: wn_kl_div_each(self, target, ...)", __VA_ARGS__, ))
#endif

/* _kl_div_log(Tensor self, Tensor target) -> Tensor
 * Behind kl_div of a logarithm. */
typedef struct wn_kl_div_log_each_args {
    size_t size_;
    wn_val self;
    wn_val target;
    wn_tensor *out;
} wn_kl_div_log_each_args;
WN_API wn_tensor *wn_kl_div_log_each_x(const wn_kl_div_log_each_args *args);
#ifndef __cplusplus
#define WN_ARGS_kl_div_log_each_(text, a0, a1, ...) \
    &(wn_kl_div_log_each_args){.size_ = sizeof(wn_kl_div_log_each_args), .self = WN_VAL(a0), .target = WN_VAL(a1), __VA_ARGS__}
#define wn_kl_div_log_each(...) \
    wn_kl_div_log_each_x(WN_2_(WN_FEW_, WN_ARGS_kl_div_log_each_, __VA_ARGS__)("too few arguments: wn_kl_div_log_each(self, target, ...)", __VA_ARGS__, ))
#endif

/* soft_margin_loss(Tensor input, Tensor target, str reduction="mean") -> Tensor
 * log(1 + exp(-target * input)), without overflow. */
typedef struct wn_soft_margin_loss_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *target;
    const char *reduction;
} wn_soft_margin_loss_args;
WN_API wn_tensor *wn_soft_margin_loss_x(const wn_soft_margin_loss_args *args);
#ifndef __cplusplus
#define WN_ARGS_soft_margin_loss_(text, a0, a1, ...) \
    &(wn_soft_margin_loss_args){.size_ = sizeof(wn_soft_margin_loss_args), .input = a0, .target = a1, __VA_ARGS__}
#define wn_soft_margin_loss(...) \
    wn_soft_margin_loss_x(WN_2_(WN_FEW_, WN_ARGS_soft_margin_loss_, __VA_ARGS__)("too few arguments: wn_soft_margin_loss(input, target, ...)", __VA_ARGS__, ))
#endif

/* _soft_margin(Tensor self, Tensor target) -> Tensor
 * Behind soft_margin_loss. */
typedef struct wn_soft_margin_each_args {
    size_t size_;
    wn_val self;
    wn_val target;
    wn_tensor *out;
} wn_soft_margin_each_args;
WN_API wn_tensor *wn_soft_margin_each_x(const wn_soft_margin_each_args *args);
#ifndef __cplusplus
#define WN_ARGS_soft_margin_each_(text, a0, a1, ...) \
    &(wn_soft_margin_each_args){.size_ = sizeof(wn_soft_margin_each_args), .self = WN_VAL(a0), .target = WN_VAL(a1), __VA_ARGS__}
#define wn_soft_margin_each(...) \
    wn_soft_margin_each_x(WN_2_(WN_FEW_, WN_ARGS_soft_margin_each_, __VA_ARGS__)("too few arguments: wn_soft_margin_each(self, target, ...)", __VA_ARGS__, ))
#endif

/* poisson_nll_loss(Tensor input, Tensor target, bool log_input=True, bool full=False, float eps=1e-08, str reduction="mean") -> Tensor
 * exp(input) - target * input (log_input), or input - target * log(input + eps); full: + Stirling's target *
 * log(target) - target + log(2 pi target) / 2 where target > 1. */
typedef struct wn_poisson_nll_loss_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *target;
    wn_switch log_input;
    bool full;
    wn_val eps;
    const char *reduction;
} wn_poisson_nll_loss_args;
WN_API wn_tensor *wn_poisson_nll_loss_x(const wn_poisson_nll_loss_args *args);
#ifndef __cplusplus
#define WN_ARGS_poisson_nll_loss_(text, a0, a1, ...) \
    &(wn_poisson_nll_loss_args){.size_ = sizeof(wn_poisson_nll_loss_args), .input = a0, .target = a1, __VA_ARGS__}
#define wn_poisson_nll_loss(...) \
    wn_poisson_nll_loss_x(WN_2_(WN_FEW_, WN_ARGS_poisson_nll_loss_, __VA_ARGS__)("too few arguments: wn_poisson_nll_loss(input, target, ...)", __VA_ARGS__, ))
#endif

/* gaussian_nll_loss(Tensor input, Tensor target, Tensor var, bool full=False, float eps=1e-06, str reduction="mean") -> Tensor
 * (log(var) + (input - target)^2 / var) / 2, var not below eps (in value, not in its gradient); full: + log(2 pi)
 * / 2. var has input's shape, or 1 (or nothing) for its last size. */
typedef struct wn_gaussian_nll_loss_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *target;
    wn_tensor *var;
    bool full;
    wn_val eps;
    const char *reduction;
} wn_gaussian_nll_loss_args;
WN_API wn_tensor *wn_gaussian_nll_loss_x(const wn_gaussian_nll_loss_args *args);
#ifndef __cplusplus
#define WN_ARGS_gaussian_nll_loss_(text, a0, a1, a2, ...) \
    &(wn_gaussian_nll_loss_args){.size_ = sizeof(wn_gaussian_nll_loss_args), .input = a0, .target = a1, .var = a2, __VA_ARGS__}
#define wn_gaussian_nll_loss(...) \
    wn_gaussian_nll_loss_x(WN_3_(WN_FEW_, WN_ARGS_gaussian_nll_loss_, __VA_ARGS__)("too few arguments: wn_gaussian_nll_loss(input, target, var, ...)", __VA_ARGS__, ))
#endif

/* hinge_embedding_loss(Tensor input, Tensor target, float margin=1.0, str reduction="mean") -> Tensor
 * input where target is 1, max(0, margin - input) where it is -1, their sum elsewhere. */
typedef struct wn_hinge_embedding_loss_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *target;
    wn_val margin;
    const char *reduction;
} wn_hinge_embedding_loss_args;
WN_API wn_tensor *wn_hinge_embedding_loss_x(const wn_hinge_embedding_loss_args *args);
#ifndef __cplusplus
#define WN_ARGS_hinge_embedding_loss_(text, a0, a1, ...) \
    &(wn_hinge_embedding_loss_args){.size_ = sizeof(wn_hinge_embedding_loss_args), .input = a0, .target = a1, __VA_ARGS__}
#define wn_hinge_embedding_loss(...) \
    wn_hinge_embedding_loss_x(WN_2_(WN_FEW_, WN_ARGS_hinge_embedding_loss_, __VA_ARGS__)("too few arguments: wn_hinge_embedding_loss(input, target, ...)", __VA_ARGS__, ))
#endif

/* margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, str reduction="mean") -> Tensor
 * max(0, -target * (input1 - input2) + margin). */
typedef struct wn_margin_ranking_loss_args {
    size_t size_;
    wn_tensor *input1;
    wn_tensor *input2;
    wn_tensor *target;
    wn_val margin;
    const char *reduction;
} wn_margin_ranking_loss_args;
WN_API wn_tensor *wn_margin_ranking_loss_x(const wn_margin_ranking_loss_args *args);
#ifndef __cplusplus
#define WN_ARGS_margin_ranking_loss_(text, a0, a1, a2, ...) \
    &(wn_margin_ranking_loss_args){.size_ = sizeof(wn_margin_ranking_loss_args), .input1 = a0, .input2 = a1, .target = a2, __VA_ARGS__}
#define wn_margin_ranking_loss(...) \
    wn_margin_ranking_loss_x(WN_3_(WN_FEW_, WN_ARGS_margin_ranking_loss_, __VA_ARGS__)("too few arguments: wn_margin_ranking_loss(input1, input2, target, ...)", __VA_ARGS__, ))
#endif

/* cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, str reduction="mean") -> Tensor
 * 1 - cos(input1, input2) where target is 1, max(0, cos - margin) where it is -1, 0 elsewhere; inputs [N, D] or
 * [D]. */
typedef struct wn_cosine_embedding_loss_args {
    size_t size_;
    wn_tensor *input1;
    wn_tensor *input2;
    wn_tensor *target;
    wn_val margin;
    const char *reduction;
} wn_cosine_embedding_loss_args;
WN_API wn_tensor *wn_cosine_embedding_loss_x(const wn_cosine_embedding_loss_args *args);
#ifndef __cplusplus
#define WN_ARGS_cosine_embedding_loss_(text, a0, a1, a2, ...) \
    &(wn_cosine_embedding_loss_args){.size_ = sizeof(wn_cosine_embedding_loss_args), .input1 = a0, .input2 = a1, .target = a2, __VA_ARGS__}
#define wn_cosine_embedding_loss(...) \
    wn_cosine_embedding_loss_x(WN_3_(WN_FEW_, WN_ARGS_cosine_embedding_loss_, __VA_ARGS__)("too few arguments: wn_cosine_embedding_loss(input1, input2, target, ...)", __VA_ARGS__, ))
#endif

/* triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1.0, float p=2, float eps=1e-06, bool swap=False, str reduction="mean") -> Tensor
 * max(0, margin + d(anchor, positive) - d(anchor, negative)), d being pairwise_distance; swap: the nearer of
 * anchor and positive stands for the anchor in the second. */
typedef struct wn_triplet_margin_loss_args {
    size_t size_;
    wn_tensor *anchor;
    wn_tensor *positive;
    wn_tensor *negative;
    wn_val margin;
    wn_val p;
    wn_val eps;
    bool swap;
    const char *reduction;
} wn_triplet_margin_loss_args;
WN_API wn_tensor *wn_triplet_margin_loss_x(const wn_triplet_margin_loss_args *args);
#ifndef __cplusplus
#define WN_ARGS_triplet_margin_loss_(text, a0, a1, a2, ...) \
    &(wn_triplet_margin_loss_args){.size_ = sizeof(wn_triplet_margin_loss_args), .anchor = a0, .positive = a1, .negative = a2, __VA_ARGS__}
#define wn_triplet_margin_loss(...) \
    wn_triplet_margin_loss_x(WN_3_(WN_FEW_, WN_ARGS_triplet_margin_loss_, __VA_ARGS__)("too few arguments: wn_triplet_margin_loss(anchor, positive, negative, ...)", __VA_ARGS__, ))
#endif

/* multilabel_soft_margin_loss(Tensor input, Tensor target, Tensor? weight=None, str reduction="mean") -> Tensor
 * The mean over the last dimension of -weight * (target * log(sigmoid(input)) + (1 - target) *
 * log(sigmoid(-input))). */
typedef struct wn_multilabel_soft_margin_loss_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *target;
    wn_tensor *weight;
    const char *reduction;
} wn_multilabel_soft_margin_loss_args;
WN_API wn_tensor *wn_multilabel_soft_margin_loss_x(const wn_multilabel_soft_margin_loss_args *args);
#ifndef __cplusplus
#define WN_ARGS_multilabel_soft_margin_loss_(text, a0, a1, ...) \
    &(wn_multilabel_soft_margin_loss_args){.size_ = sizeof(wn_multilabel_soft_margin_loss_args), .input = a0, .target = a1, __VA_ARGS__}
#define wn_multilabel_soft_margin_loss(...) \
    wn_multilabel_soft_margin_loss_x(WN_2_(WN_FEW_, WN_ARGS_multilabel_soft_margin_loss_, __VA_ARGS__)("too few arguments: wn_multilabel_soft_margin_loss(input, target, ...)", __VA_ARGS__, ))
#endif

/* multi_margin_loss(Tensor input, Tensor target, Scalar p=1, Scalar margin=1, Tensor? weight=None, str reduction="mean") -> Tensor
 * The sum over classes c other than t = target of weight[t] * max(0, margin - input[t] + input[c])^p, divided by
 * the number of classes; input [N, C] or [C], p 1 or 2. */
typedef struct wn_multi_margin_loss_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *target;
    wn_val p;
    wn_val margin;
    wn_tensor *weight;
    const char *reduction;
} wn_multi_margin_loss_args;
WN_API wn_tensor *wn_multi_margin_loss_x(const wn_multi_margin_loss_args *args);
#ifndef __cplusplus
#define WN_ARGS_multi_margin_loss_(text, a0, a1, ...) \
    &(wn_multi_margin_loss_args){.size_ = sizeof(wn_multi_margin_loss_args), .input = a0, .target = a1, __VA_ARGS__}
#define wn_multi_margin_loss(...) \
    wn_multi_margin_loss_x(WN_2_(WN_FEW_, WN_ARGS_multi_margin_loss_, __VA_ARGS__)("too few arguments: wn_multi_margin_loss(input, target, ...)", __VA_ARGS__, ))
#endif

/* multilabel_margin_loss(Tensor input, Tensor target, str reduction="mean") -> Tensor
 * The sum over the classes t in a row of target (up to its first -1) and c not in it of max(0, 1 - input[t] +
 * input[c]), divided by the number of classes; input and target [N, C] or [C]. */
typedef struct wn_multilabel_margin_loss_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *target;
    const char *reduction;
} wn_multilabel_margin_loss_args;
WN_API wn_tensor *wn_multilabel_margin_loss_x(const wn_multilabel_margin_loss_args *args);
#ifndef __cplusplus
#define WN_ARGS_multilabel_margin_loss_(text, a0, a1, ...) \
    &(wn_multilabel_margin_loss_args){.size_ = sizeof(wn_multilabel_margin_loss_args), .input = a0, .target = a1, __VA_ARGS__}
#define wn_multilabel_margin_loss(...) \
    wn_multilabel_margin_loss_x(WN_2_(WN_FEW_, WN_ARGS_multilabel_margin_loss_, __VA_ARGS__)("too few arguments: wn_multilabel_margin_loss(input, target, ...)", __VA_ARGS__, ))
#endif

/* multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) -> (Tensor output, Tensor is_target)
 * Behind multilabel_margin_loss. is_target: 1 for the classes in the row of target. reduction: 0 none, 1 mean, 2
 * sum. */
typedef struct wn_multilabel_margin_loss_forward_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *target;
    int64_t reduction;
} wn_multilabel_margin_loss_forward_args;
typedef struct wn_multilabel_margin_loss_forward_out {
    wn_tensor *output, *is_target;
} wn_multilabel_margin_loss_forward_out;
WN_API wn_multilabel_margin_loss_forward_out wn_multilabel_margin_loss_forward_x(const wn_multilabel_margin_loss_forward_args *args);
#ifndef __cplusplus
#define WN_ARGS_multilabel_margin_loss_forward_(text, a0, a1, a2, ...) \
    &(wn_multilabel_margin_loss_forward_args){.size_ = sizeof(wn_multilabel_margin_loss_forward_args), .self = a0, .target = a1, .reduction = a2, __VA_ARGS__}
#define wn_multilabel_margin_loss_forward(...) \
    wn_multilabel_margin_loss_forward_x(WN_3_(WN_FEW_, WN_ARGS_multilabel_margin_loss_forward_, __VA_ARGS__)("too few arguments: wn_multilabel_margin_loss_forward(self, target, reduction, ...)", __VA_ARGS__, ))
#endif

/* multilabel_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, Tensor is_target) -> Tensor
 * The gradient of multilabel_margin_loss. */
typedef struct wn_multilabel_margin_loss_backward_args {
    size_t size_;
    wn_tensor *grad_output;
    wn_tensor *self;
    wn_tensor *target;
    int64_t reduction;
    wn_tensor *is_target;
} wn_multilabel_margin_loss_backward_args;
WN_API wn_tensor *wn_multilabel_margin_loss_backward_x(const wn_multilabel_margin_loss_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_multilabel_margin_loss_backward_(text, a0, a1, a2, a3, a4, ...) \
    &(wn_multilabel_margin_loss_backward_args){.size_ = sizeof(wn_multilabel_margin_loss_backward_args), .grad_output = a0, .self = a1, .target = a2, .reduction = a3, .is_target = a4, __VA_ARGS__}
#define wn_multilabel_margin_loss_backward(...) \
    wn_multilabel_margin_loss_backward_x(WN_5_(WN_FEW_, WN_ARGS_multilabel_margin_loss_backward_, __VA_ARGS__)("too few arguments: wn_multilabel_margin_loss_backward(grad_output, self, target, reduction, is_target, ...)", __VA_ARGS__, ))
#endif

/* ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank=0, str reduction="mean", bool zero_infinity=False) -> Tensor
 * -log of the probability of all alignments of targets [N, S] (or joined end to end) with log_probs [T, N, C];
 * mean: of the losses divided by the targets' lengths. zero_infinity: what is impossible counts as 0. */
typedef struct wn_ctc_loss_args {
    size_t size_;
    wn_tensor *log_probs;
    wn_tensor *targets;
    wn_tensor *input_lengths;
    wn_tensor *target_lengths;
    int64_t blank;
    const char *reduction;
    bool zero_infinity;
} wn_ctc_loss_args;
WN_API wn_tensor *wn_ctc_loss_x(const wn_ctc_loss_args *args);
#ifndef __cplusplus
#define WN_ARGS_ctc_loss_(text, a0, a1, a2, a3, ...) \
    &(wn_ctc_loss_args){.size_ = sizeof(wn_ctc_loss_args), .log_probs = a0, .targets = a1, .input_lengths = a2, .target_lengths = a3, __VA_ARGS__}
#define wn_ctc_loss(...) \
    wn_ctc_loss_x(WN_4_(WN_FEW_, WN_ARGS_ctc_loss_, __VA_ARGS__)("too few arguments: wn_ctc_loss(log_probs, targets, input_lengths, target_lengths, ...)", __VA_ARGS__, ))
#endif

/* _ctc_loss(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank=0, bool zero_infinity=False) -> (Tensor neg_log_likelihood, Tensor log_alpha)
 * Behind ctc_loss: log_alpha[n, t, s] is the log probability of all ways to have s of the 2 * length + 1 symbols
 * (blanks between) behind step t. */
typedef struct wn_ctc_loss_forward_args {
    size_t size_;
    wn_tensor *log_probs;
    wn_tensor *targets;
    wn_tensor *input_lengths;
    wn_tensor *target_lengths;
    int64_t blank;
    bool zero_infinity;
} wn_ctc_loss_forward_args;
typedef struct wn_ctc_loss_forward_out {
    wn_tensor *neg_log_likelihood, *log_alpha;
} wn_ctc_loss_forward_out;
WN_API wn_ctc_loss_forward_out wn_ctc_loss_forward_x(const wn_ctc_loss_forward_args *args);
#ifndef __cplusplus
#define WN_ARGS_ctc_loss_forward_(text, a0, a1, a2, a3, ...) \
    &(wn_ctc_loss_forward_args){.size_ = sizeof(wn_ctc_loss_forward_args), .log_probs = a0, .targets = a1, .input_lengths = a2, .target_lengths = a3, __VA_ARGS__}
#define wn_ctc_loss_forward(...) \
    wn_ctc_loss_forward_x(WN_4_(WN_FEW_, WN_ARGS_ctc_loss_forward_, __VA_ARGS__)("too few arguments: wn_ctc_loss_forward(log_probs, targets, input_lengths, target_lengths, ...)", __VA_ARGS__, ))
#endif

/* _ctc_loss_backward(Tensor grad, Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, Tensor neg_log_likelihood, Tensor log_alpha, int blank, bool zero_infinity=False) -> Tensor
 * The gradient of ctc_loss: exp(log_probs) minus the probability that a path passes, times grad. */
typedef struct wn_ctc_loss_backward_args {
    size_t size_;
    wn_tensor *grad;
    wn_tensor *log_probs;
    wn_tensor *targets;
    wn_tensor *input_lengths;
    wn_tensor *target_lengths;
    wn_tensor *neg_log_likelihood;
    wn_tensor *log_alpha;
    int64_t blank;
    bool zero_infinity;
} wn_ctc_loss_backward_args;
WN_API wn_tensor *wn_ctc_loss_backward_x(const wn_ctc_loss_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_ctc_loss_backward_(text, a0, a1, a2, a3, a4, a5, a6, a7, ...) \
    &(wn_ctc_loss_backward_args){.size_ = sizeof(wn_ctc_loss_backward_args), .grad = a0, .log_probs = a1, .targets = a2, .input_lengths = a3, .target_lengths = a4, .neg_log_likelihood = a5, .log_alpha = a6, .blank = a7, __VA_ARGS__}
#define wn_ctc_loss_backward(...) \
    wn_ctc_loss_backward_x(WN_8_(WN_FEW_, WN_ARGS_ctc_loss_backward_, __VA_ARGS__)("too few arguments: wn_ctc_loss_backward(grad, log_probs, targets, input_lengths, target_lengths, neg_log_likelihood, log_alpha, blank, ...)", __VA_ARGS__, ))
#endif

/* cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor
 * sum(x1 * x2) / (max(|x1|, eps) * max(|x2|, eps)) along dim, x1 and x2 broadcast. */
typedef struct wn_cosine_similarity_args {
    size_t size_;
    wn_tensor *x1;
    wn_tensor *x2;
    wn_val dim;
    wn_val eps;
} wn_cosine_similarity_args;
WN_API wn_tensor *wn_cosine_similarity_x(const wn_cosine_similarity_args *args);
#ifndef __cplusplus
#define WN_ARGS_cosine_similarity_(text, a0, a1, ...) \
    &(wn_cosine_similarity_args){.size_ = sizeof(wn_cosine_similarity_args), .x1 = a0, .x2 = a1, __VA_ARGS__}
#define wn_cosine_similarity(...) \
    wn_cosine_similarity_x(WN_2_(WN_FEW_, WN_ARGS_cosine_similarity_, __VA_ARGS__)("too few arguments: wn_cosine_similarity(x1, x2, ...)", __VA_ARGS__, ))
#endif

/* pairwise_distance(Tensor x1, Tensor x2, float p=2, float eps=1e-06, bool keepdim=False) -> Tensor
 * The p-norm of x1 - x2 + eps over the last dimension. */
typedef struct wn_pairwise_distance_args {
    size_t size_;
    wn_tensor *x1;
    wn_tensor *x2;
    wn_val p;
    wn_val eps;
    bool keepdim;
} wn_pairwise_distance_args;
WN_API wn_tensor *wn_pairwise_distance_x(const wn_pairwise_distance_args *args);
#ifndef __cplusplus
#define WN_ARGS_pairwise_distance_(text, a0, a1, ...) \
    &(wn_pairwise_distance_args){.size_ = sizeof(wn_pairwise_distance_args), .x1 = a0, .x2 = a1, __VA_ARGS__}
#define wn_pairwise_distance(...) \
    wn_pairwise_distance_x(WN_2_(WN_FEW_, WN_ARGS_pairwise_distance_, __VA_ARGS__)("too few arguments: wn_pairwise_distance(x1, x2, ...)", __VA_ARGS__, ))
#endif

/* normalize(Tensor input, float p=2, int dim=1, float eps=1e-12) -> Tensor
 * input / max(|input|_p, eps), the norm taken along dim. */
typedef struct wn_normalize_args {
    size_t size_;
    wn_tensor *input;
    wn_val p;
    wn_val dim;
    wn_val eps;
    wn_tensor *out;
} wn_normalize_args;
WN_API wn_tensor *wn_normalize_x(const wn_normalize_args *args);
#ifndef __cplusplus
#define wn_normalize(...) \
    wn_normalize_x(&(wn_normalize_args){.size_ = sizeof(wn_normalize_args), .input = __VA_ARGS__})
#endif

/* pdist(Tensor self, float p=2) -> Tensor
 * The p-norms of the differences of all pairs of rows i < j of self [N, M], in the order (0,1), (0,2) ... (1,2)
 * ... */
typedef struct wn_pdist_args {
    size_t size_;
    wn_tensor *self;
    wn_val p;
} wn_pdist_args;
WN_API wn_tensor *wn_pdist_x(const wn_pdist_args *args);
#ifndef __cplusplus
#define wn_pdist(...) \
    wn_pdist_x(&(wn_pdist_args){.size_ = sizeof(wn_pdist_args), .self = __VA_ARGS__})
#endif

/* _pdist_backward(Tensor grad, Tensor self, float p, Tensor pdist) -> Tensor
 * The gradient of pdist. */
typedef struct wn_pdist_backward_args {
    size_t size_;
    wn_tensor *grad;
    wn_tensor *self;
    double p;
    wn_tensor *pdist;
} wn_pdist_backward_args;
WN_API wn_tensor *wn_pdist_backward_x(const wn_pdist_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_pdist_backward_(text, a0, a1, a2, a3, ...) \
    &(wn_pdist_backward_args){.size_ = sizeof(wn_pdist_backward_args), .grad = a0, .self = a1, .p = a2, .pdist = a3, __VA_ARGS__}
#define wn_pdist_backward(...) \
    wn_pdist_backward_x(WN_4_(WN_FEW_, WN_ARGS_pdist_backward_, __VA_ARGS__)("too few arguments: wn_pdist_backward(grad, self, p, pdist, ...)", __VA_ARGS__, ))
#endif

/* scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0.0, bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> Tensor
 * softmax(scale * query @ key^T + attn_mask) @ value over the last two dimensions, [..., L, E], [..., S, E], [...,
 * S, V]; scale: 1 / sqrt(E). A bool mask says which keys count; is_causal: only keys up to the query's place. A
 * row in which no key counts gives 0. enable_gqa: heads (dimension -3) of key and value serve several of query. */
typedef struct wn_scaled_dot_product_attention_args {
    size_t size_;
    wn_tensor *query;
    wn_tensor *key;
    wn_tensor *value;
    wn_tensor *attn_mask;
    double dropout_p;
    bool is_causal;
    wn_val scale;
    bool enable_gqa;
} wn_scaled_dot_product_attention_args;
WN_API wn_tensor *wn_scaled_dot_product_attention_x(const wn_scaled_dot_product_attention_args *args);
#ifndef __cplusplus
#define WN_ARGS_scaled_dot_product_attention_(text, a0, a1, a2, ...) \
    &(wn_scaled_dot_product_attention_args){.size_ = sizeof(wn_scaled_dot_product_attention_args), .query = a0, .key = a1, .value = a2, __VA_ARGS__}
#define wn_scaled_dot_product_attention(...) \
    wn_scaled_dot_product_attention_x(WN_3_(WN_FEW_, WN_ARGS_scaled_dot_product_attention_, __VA_ARGS__)("too few arguments: wn_scaled_dot_product_attention(query, key, value, ...)", __VA_ARGS__, ))
#endif

/* attention_forward(Tensor query, Tensor key, Tensor value, Tensor? attn_mask, bool is_causal, float scale) -> (Tensor output, Tensor logsumexp)
 * Behind scaled_dot_product_attention, with equal leading dimensions: one pass over blocks of keys for each block
 * of queries. logsumexp of each row of scores. */
typedef struct wn_attention_forward_args {
    size_t size_;
    wn_tensor *query;
    wn_tensor *key;
    wn_tensor *value;
    wn_tensor *attn_mask;
    bool is_causal;
    double scale;
} wn_attention_forward_args;
typedef struct wn_attention_forward_out {
    wn_tensor *output, *logsumexp;
} wn_attention_forward_out;
WN_API wn_attention_forward_out wn_attention_forward_x(const wn_attention_forward_args *args);
#ifndef __cplusplus
#define WN_ARGS_attention_forward_(text, a0, a1, a2, a3, a4, a5, ...) \
    &(wn_attention_forward_args){.size_ = sizeof(wn_attention_forward_args), .query = a0, .key = a1, .value = a2, .attn_mask = a3, .is_causal = a4, .scale = a5, __VA_ARGS__}
#define wn_attention_forward(...) \
    wn_attention_forward_x(WN_6_(WN_FEW_, WN_ARGS_attention_forward_, __VA_ARGS__)("too few arguments: wn_attention_forward(query, key, value, attn_mask, is_causal, scale, ...)", __VA_ARGS__, ))
#endif

/* attention_backward(Tensor grad, Tensor query, Tensor key, Tensor value, Tensor? attn_mask, Tensor output, Tensor logsumexp, bool is_causal, float scale) -> (Tensor grad_query, Tensor grad_key, Tensor grad_value)
 * The gradients of attention, the scores made again block by block. */
typedef struct wn_attention_backward_args {
    size_t size_;
    wn_tensor *grad;
    wn_tensor *query;
    wn_tensor *key;
    wn_tensor *value;
    wn_tensor *attn_mask;
    wn_tensor *output;
    wn_tensor *logsumexp;
    bool is_causal;
    double scale;
} wn_attention_backward_args;
typedef struct wn_attention_backward_out {
    wn_tensor *grad_query, *grad_key, *grad_value;
} wn_attention_backward_out;
WN_API wn_attention_backward_out wn_attention_backward_x(const wn_attention_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_attention_backward_(text, a0, a1, a2, a3, a4, a5, a6, a7, a8, ...) \
    &(wn_attention_backward_args){.size_ = sizeof(wn_attention_backward_args), .grad = a0, .query = a1, .key = a2, .value = a3, .attn_mask = a4, .output = a5, .logsumexp = a6, .is_causal = a7, .scale = a8, __VA_ARGS__}
#define wn_attention_backward(...) \
    wn_attention_backward_x(WN_9_(WN_FEW_, WN_ARGS_attention_backward_, __VA_ARGS__)("too few arguments: wn_attention_backward(grad, query, key, value, attn_mask, output, logsumexp, is_causal, scale, ...)", __VA_ARGS__, ))
#endif

/* attention_composed(Tensor query, Tensor key, Tensor value, Tensor? attn_mask, float dropout_p, bool is_causal, float scale) -> (Tensor output, Tensor weights)
 * Attention and its weights (dropout included), with equal leading dimensions. */
typedef struct wn_attention_composed_args {
    size_t size_;
    wn_tensor *query;
    wn_tensor *key;
    wn_tensor *value;
    wn_tensor *attn_mask;
    double dropout_p;
    bool is_causal;
    double scale;
} wn_attention_composed_args;
typedef struct wn_attention_composed_out {
    wn_tensor *output, *weights;
} wn_attention_composed_out;
WN_API wn_attention_composed_out wn_attention_composed_x(const wn_attention_composed_args *args);
#ifndef __cplusplus
#define WN_ARGS_attention_composed_(text, a0, a1, a2, a3, a4, a5, a6, ...) \
    &(wn_attention_composed_args){.size_ = sizeof(wn_attention_composed_args), .query = a0, .key = a1, .value = a2, .attn_mask = a3, .dropout_p = a4, .is_causal = a5, .scale = a6, __VA_ARGS__}
#define wn_attention_composed(...) \
    wn_attention_composed_x(WN_7_(WN_FEW_, WN_ARGS_attention_composed_, __VA_ARGS__)("too few arguments: wn_attention_composed(query, key, value, attn_mask, dropout_p, is_causal, scale, ...)", __VA_ARGS__, ))
#endif

/* product_where(Tensor self, Tensor other, Tensor where) -> Tensor
 * self @ other of the terms self[.., i, k] * other[.., k, j] with where[.., i, k]: the others are not there,
 * whatever they hold. */
typedef struct wn_product_where_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *other;
    wn_tensor *where;
} wn_product_where_args;
WN_API wn_tensor *wn_product_where_x(const wn_product_where_args *args);
#ifndef __cplusplus
#define WN_ARGS_product_where_(text, a0, a1, a2, ...) \
    &(wn_product_where_args){.size_ = sizeof(wn_product_where_args), .self = a0, .other = a1, .where = a2, __VA_ARGS__}
#define wn_product_where(...) \
    wn_product_where_x(WN_3_(WN_FEW_, WN_ARGS_product_where_, __VA_ARGS__)("too few arguments: wn_product_where(self, other, where, ...)", __VA_ARGS__, ))
#endif

/* scores_where(Tensor self, Tensor other, Tensor where) -> Tensor
 * self @ other^T where `where` is true, 0 elsewhere; the gradients are product_where. */
typedef struct wn_scores_where_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *other;
    wn_tensor *where;
} wn_scores_where_args;
WN_API wn_tensor *wn_scores_where_x(const wn_scores_where_args *args);
#ifndef __cplusplus
#define WN_ARGS_scores_where_(text, a0, a1, a2, ...) \
    &(wn_scores_where_args){.size_ = sizeof(wn_scores_where_args), .self = a0, .other = a1, .where = a2, __VA_ARGS__}
#define wn_scores_where(...) \
    wn_scores_where_x(WN_3_(WN_FEW_, WN_ARGS_scores_where_, __VA_ARGS__)("too few arguments: wn_scores_where(self, other, where, ...)", __VA_ARGS__, ))
#endif

/* lstm.input(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor output, Tensor h_n, Tensor c_n)
 * Long short-term memory over input [T, N, I] ([N, T, I]: batch_first), hx = {h, c} of [layers * directions, N, H]
 * (h: [.., P] where params hold projections). i, f, o = sigmoid, g = tanh of W_ih x + b_ih + W_hh h + b_hh; c = f
 * c + i g; h = o tanh(c). params: for each layer and direction w_ih, w_hh, b_ih, b_hh (has_biases), w_hr. dropout
 * between layers. */
typedef struct wn_lstm_args {
    size_t size_;
    wn_tensor *input;
    wn_list hx;
    wn_list params;
    bool has_biases;
    int64_t num_layers;
    double dropout;
    bool train;
    bool bidirectional;
    bool batch_first;
} wn_lstm_args;
typedef struct wn_lstm_out {
    wn_tensor *output, *h_n, *c_n;
} wn_lstm_out;
WN_API wn_lstm_out wn_lstm_x(const wn_lstm_args *args);
#ifndef __cplusplus
#define WN_ARGS_lstm_(text, a0, a1, a2, a3, a4, a5, a6, a7, a8, ...) \
    &(wn_lstm_args){.size_ = sizeof(wn_lstm_args), .input = a0, .hx = a1, .params = a2, .has_biases = a3, .num_layers = a4, .dropout = a5, .train = a6, .bidirectional = a7, .batch_first = a8, __VA_ARGS__}
#define wn_lstm(...) \
    wn_lstm_x(WN_9_(WN_FEW_, WN_ARGS_lstm_, __VA_ARGS__)("too few arguments: wn_lstm(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first, ...)", __VA_ARGS__, ))
#endif

/* lstm.data(Tensor data, Tensor batch_sizes, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor output, Tensor h_n, Tensor c_n)
 * lstm over a packed batch: data [sum of batch_sizes, I] holds batch_sizes[t] rows of step t, longest sequences
 * first; only these are computed. */
typedef struct wn_lstm_packed_args {
    size_t size_;
    wn_tensor *data;
    wn_tensor *batch_sizes;
    wn_list hx;
    wn_list params;
    bool has_biases;
    int64_t num_layers;
    double dropout;
    bool train;
    bool bidirectional;
} wn_lstm_packed_args;
typedef struct wn_lstm_packed_out {
    wn_tensor *output, *h_n, *c_n;
} wn_lstm_packed_out;
WN_API wn_lstm_packed_out wn_lstm_packed_x(const wn_lstm_packed_args *args);
#ifndef __cplusplus
#define WN_ARGS_lstm_packed_(text, a0, a1, a2, a3, a4, a5, a6, a7, a8, ...) \
    &(wn_lstm_packed_args){.size_ = sizeof(wn_lstm_packed_args), .data = a0, .batch_sizes = a1, .hx = a2, .params = a3, .has_biases = a4, .num_layers = a5, .dropout = a6, .train = a7, .bidirectional = a8, __VA_ARGS__}
#define wn_lstm_packed(...) \
    wn_lstm_packed_x(WN_9_(WN_FEW_, WN_ARGS_lstm_packed_, __VA_ARGS__)("too few arguments: wn_lstm_packed(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional, ...)", __VA_ARGS__, ))
#endif

/* gru.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor output, Tensor h_n)
 * Gated recurrent units over input [T, N, I] ([N, T, I]: batch_first), hx [layers * directions, N, H]: r, z =
 * sigmoid(W_ih x + b_ih + W_hh h + b_hh), n = tanh(W_in x + b_in + r (W_hn h + b_hn)), h = (1 - z) n + z h. params
 * as for lstm. */
typedef struct wn_gru_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *hx;
    wn_list params;
    bool has_biases;
    int64_t num_layers;
    double dropout;
    bool train;
    bool bidirectional;
    bool batch_first;
} wn_gru_args;
typedef struct wn_gru_out {
    wn_tensor *output, *h_n;
} wn_gru_out;
WN_API wn_gru_out wn_gru_x(const wn_gru_args *args);
#ifndef __cplusplus
#define WN_ARGS_gru_(text, a0, a1, a2, a3, a4, a5, a6, a7, a8, ...) \
    &(wn_gru_args){.size_ = sizeof(wn_gru_args), .input = a0, .hx = a1, .params = a2, .has_biases = a3, .num_layers = a4, .dropout = a5, .train = a6, .bidirectional = a7, .batch_first = a8, __VA_ARGS__}
#define wn_gru(...) \
    wn_gru_x(WN_9_(WN_FEW_, WN_ARGS_gru_, __VA_ARGS__)("too few arguments: wn_gru(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first, ...)", __VA_ARGS__, ))
#endif

/* gru.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor output, Tensor h_n)
 * gru over a packed batch: data [sum of batch_sizes, I] holds batch_sizes[t] rows of step t, longest sequences
 * first; only these are computed. */
typedef struct wn_gru_packed_args {
    size_t size_;
    wn_tensor *data;
    wn_tensor *batch_sizes;
    wn_tensor *hx;
    wn_list params;
    bool has_biases;
    int64_t num_layers;
    double dropout;
    bool train;
    bool bidirectional;
} wn_gru_packed_args;
typedef struct wn_gru_packed_out {
    wn_tensor *output, *h_n;
} wn_gru_packed_out;
WN_API wn_gru_packed_out wn_gru_packed_x(const wn_gru_packed_args *args);
#ifndef __cplusplus
#define WN_ARGS_gru_packed_(text, a0, a1, a2, a3, a4, a5, a6, a7, a8, ...) \
    &(wn_gru_packed_args){.size_ = sizeof(wn_gru_packed_args), .data = a0, .batch_sizes = a1, .hx = a2, .params = a3, .has_biases = a4, .num_layers = a5, .dropout = a6, .train = a7, .bidirectional = a8, __VA_ARGS__}
#define wn_gru_packed(...) \
    wn_gru_packed_x(WN_9_(WN_FEW_, WN_ARGS_gru_packed_, __VA_ARGS__)("too few arguments: wn_gru_packed(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional, ...)", __VA_ARGS__, ))
#endif

/* rnn_tanh.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor output, Tensor h_n)
 * h = tanh(W_ih x + b_ih + W_hh h + b_hh) over input [T, N, I] ([N, T, I]: batch_first), hx [layers * directions,
 * N, H]. params as for lstm. */
typedef wn_gru_args wn_rnn_tanh_args;
typedef struct wn_rnn_tanh_out {
    wn_tensor *output, *h_n;
} wn_rnn_tanh_out;
WN_API wn_rnn_tanh_out wn_rnn_tanh_x(const wn_rnn_tanh_args *args);
#ifndef __cplusplus
#define WN_ARGS_rnn_tanh_(text, a0, a1, a2, a3, a4, a5, a6, a7, a8, ...) \
    &(wn_rnn_tanh_args){.size_ = sizeof(wn_rnn_tanh_args), .input = a0, .hx = a1, .params = a2, .has_biases = a3, .num_layers = a4, .dropout = a5, .train = a6, .bidirectional = a7, .batch_first = a8, __VA_ARGS__}
#define wn_rnn_tanh(...) \
    wn_rnn_tanh_x(WN_9_(WN_FEW_, WN_ARGS_rnn_tanh_, __VA_ARGS__)("too few arguments: wn_rnn_tanh(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first, ...)", __VA_ARGS__, ))
#endif

/* rnn_tanh.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor output, Tensor h_n)
 * rnn_tanh over a packed batch: data [sum of batch_sizes, I] holds batch_sizes[t] rows of step t, longest
 * sequences first; only these are computed. */
typedef wn_gru_packed_args wn_rnn_tanh_packed_args;
typedef struct wn_rnn_tanh_packed_out {
    wn_tensor *output, *h_n;
} wn_rnn_tanh_packed_out;
WN_API wn_rnn_tanh_packed_out wn_rnn_tanh_packed_x(const wn_rnn_tanh_packed_args *args);
#ifndef __cplusplus
#define WN_ARGS_rnn_tanh_packed_(text, a0, a1, a2, a3, a4, a5, a6, a7, a8, ...) \
    &(wn_rnn_tanh_packed_args){.size_ = sizeof(wn_rnn_tanh_packed_args), .data = a0, .batch_sizes = a1, .hx = a2, .params = a3, .has_biases = a4, .num_layers = a5, .dropout = a6, .train = a7, .bidirectional = a8, __VA_ARGS__}
#define wn_rnn_tanh_packed(...) \
    wn_rnn_tanh_packed_x(WN_9_(WN_FEW_, WN_ARGS_rnn_tanh_packed_, __VA_ARGS__)("too few arguments: wn_rnn_tanh_packed(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional, ...)", __VA_ARGS__, ))
#endif

/* rnn_relu.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor output, Tensor h_n)
 * h = max(0, W_ih x + b_ih + W_hh h + b_hh) over input [T, N, I] ([N, T, I]: batch_first), hx [layers *
 * directions, N, H]. params as for lstm. */
typedef wn_gru_args wn_rnn_relu_args;
typedef struct wn_rnn_relu_out {
    wn_tensor *output, *h_n;
} wn_rnn_relu_out;
WN_API wn_rnn_relu_out wn_rnn_relu_x(const wn_rnn_relu_args *args);
#ifndef __cplusplus
#define WN_ARGS_rnn_relu_(text, a0, a1, a2, a3, a4, a5, a6, a7, a8, ...) \
    &(wn_rnn_relu_args){.size_ = sizeof(wn_rnn_relu_args), .input = a0, .hx = a1, .params = a2, .has_biases = a3, .num_layers = a4, .dropout = a5, .train = a6, .bidirectional = a7, .batch_first = a8, __VA_ARGS__}
#define wn_rnn_relu(...) \
    wn_rnn_relu_x(WN_9_(WN_FEW_, WN_ARGS_rnn_relu_, __VA_ARGS__)("too few arguments: wn_rnn_relu(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first, ...)", __VA_ARGS__, ))
#endif

/* rnn_relu.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor output, Tensor h_n)
 * rnn_relu over a packed batch: data [sum of batch_sizes, I] holds batch_sizes[t] rows of step t, longest
 * sequences first; only these are computed. */
typedef wn_gru_packed_args wn_rnn_relu_packed_args;
typedef struct wn_rnn_relu_packed_out {
    wn_tensor *output, *h_n;
} wn_rnn_relu_packed_out;
WN_API wn_rnn_relu_packed_out wn_rnn_relu_packed_x(const wn_rnn_relu_packed_args *args);
#ifndef __cplusplus
#define WN_ARGS_rnn_relu_packed_(text, a0, a1, a2, a3, a4, a5, a6, a7, a8, ...) \
    &(wn_rnn_relu_packed_args){.size_ = sizeof(wn_rnn_relu_packed_args), .data = a0, .batch_sizes = a1, .hx = a2, .params = a3, .has_biases = a4, .num_layers = a5, .dropout = a6, .train = a7, .bidirectional = a8, __VA_ARGS__}
#define wn_rnn_relu_packed(...) \
    wn_rnn_relu_packed_x(WN_9_(WN_FEW_, WN_ARGS_rnn_relu_packed_, __VA_ARGS__)("too few arguments: wn_rnn_relu_packed(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional, ...)", __VA_ARGS__, ))
#endif

/* lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> (Tensor h, Tensor c)
 * One step of lstm: (h, c) from input [N, I] and hx = {h, c}. */
typedef struct wn_lstm_cell_args {
    size_t size_;
    wn_tensor *input;
    wn_list hx;
    wn_tensor *w_ih;
    wn_tensor *w_hh;
    wn_tensor *b_ih;
    wn_tensor *b_hh;
} wn_lstm_cell_args;
typedef struct wn_lstm_cell_out {
    wn_tensor *h, *c;
} wn_lstm_cell_out;
WN_API wn_lstm_cell_out wn_lstm_cell_x(const wn_lstm_cell_args *args);
#ifndef __cplusplus
#define WN_ARGS_lstm_cell_(text, a0, a1, a2, a3, ...) \
    &(wn_lstm_cell_args){.size_ = sizeof(wn_lstm_cell_args), .input = a0, .hx = a1, .w_ih = a2, .w_hh = a3, __VA_ARGS__}
#define wn_lstm_cell(...) \
    wn_lstm_cell_x(WN_4_(WN_FEW_, WN_ARGS_lstm_cell_, __VA_ARGS__)("too few arguments: wn_lstm_cell(input, hx, w_ih, w_hh, ...)", __VA_ARGS__, ))
#endif

/* gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor
 * One step of gru. */
typedef struct wn_gru_cell_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *hx;
    wn_tensor *w_ih;
    wn_tensor *w_hh;
    wn_tensor *b_ih;
    wn_tensor *b_hh;
} wn_gru_cell_args;
WN_API wn_tensor *wn_gru_cell_x(const wn_gru_cell_args *args);
#ifndef __cplusplus
#define WN_ARGS_gru_cell_(text, a0, a1, a2, a3, ...) \
    &(wn_gru_cell_args){.size_ = sizeof(wn_gru_cell_args), .input = a0, .hx = a1, .w_ih = a2, .w_hh = a3, __VA_ARGS__}
#define wn_gru_cell(...) \
    wn_gru_cell_x(WN_4_(WN_FEW_, WN_ARGS_gru_cell_, __VA_ARGS__)("too few arguments: wn_gru_cell(input, hx, w_ih, w_hh, ...)", __VA_ARGS__, ))
#endif

/* rnn_tanh_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor
 * One step of rnn_tanh. */
typedef wn_gru_cell_args wn_rnn_tanh_cell_args;
WN_API wn_tensor *wn_rnn_tanh_cell_x(const wn_rnn_tanh_cell_args *args);
#ifndef __cplusplus
#define WN_ARGS_rnn_tanh_cell_(text, a0, a1, a2, a3, ...) \
    &(wn_rnn_tanh_cell_args){.size_ = sizeof(wn_rnn_tanh_cell_args), .input = a0, .hx = a1, .w_ih = a2, .w_hh = a3, __VA_ARGS__}
#define wn_rnn_tanh_cell(...) \
    wn_rnn_tanh_cell_x(WN_4_(WN_FEW_, WN_ARGS_rnn_tanh_cell_, __VA_ARGS__)("too few arguments: wn_rnn_tanh_cell(input, hx, w_ih, w_hh, ...)", __VA_ARGS__, ))
#endif

/* rnn_relu_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor
 * One step of rnn_relu. */
typedef wn_gru_cell_args wn_rnn_relu_cell_args;
WN_API wn_tensor *wn_rnn_relu_cell_x(const wn_rnn_relu_cell_args *args);
#ifndef __cplusplus
#define WN_ARGS_rnn_relu_cell_(text, a0, a1, a2, a3, ...) \
    &(wn_rnn_relu_cell_args){.size_ = sizeof(wn_rnn_relu_cell_args), .input = a0, .hx = a1, .w_ih = a2, .w_hh = a3, __VA_ARGS__}
#define wn_rnn_relu_cell(...) \
    wn_rnn_relu_cell_x(WN_4_(WN_FEW_, WN_ARGS_rnn_relu_cell_, __VA_ARGS__)("too few arguments: wn_rnn_relu_cell(input, hx, w_ih, w_hh, ...)", __VA_ARGS__, ))
#endif

/* _rnn_layer(Tensor gates, Tensor hx, Tensor? cx, Tensor w_hh, Tensor? b_hh, Tensor? w_hr, Tensor? batch_sizes, bool reverse, int kind) -> (Tensor output, Tensor h_n, Tensor c_n, Tensor saved)
 * One layer in one direction behind lstm, gru, rnn_relu and rnn_tanh (kind 3, 2, 1, 0): gates [steps of all
 * sequences, G * H] is what the input contributes, for all steps at once. saved: what the gradient needs (gates
 * behind their functions, cells). */
typedef struct wn_rnn_layer_args {
    size_t size_;
    wn_tensor *gates;
    wn_tensor *hx;
    wn_tensor *cx;
    wn_tensor *w_hh;
    wn_tensor *b_hh;
    wn_tensor *w_hr;
    wn_tensor *batch_sizes;
    bool reverse;
    int64_t kind;
} wn_rnn_layer_args;
typedef struct wn_rnn_layer_out {
    wn_tensor *output, *h_n, *c_n, *saved;
} wn_rnn_layer_out;
WN_API wn_rnn_layer_out wn_rnn_layer_x(const wn_rnn_layer_args *args);
#ifndef __cplusplus
#define WN_ARGS_rnn_layer_(text, a0, a1, a2, a3, a4, a5, a6, a7, a8, ...) \
    &(wn_rnn_layer_args){.size_ = sizeof(wn_rnn_layer_args), .gates = a0, .hx = a1, .cx = a2, .w_hh = a3, .b_hh = a4, .w_hr = a5, .batch_sizes = a6, .reverse = a7, .kind = a8, __VA_ARGS__}
#define wn_rnn_layer(...) \
    wn_rnn_layer_x(WN_9_(WN_FEW_, WN_ARGS_rnn_layer_, __VA_ARGS__)("too few arguments: wn_rnn_layer(gates, hx, cx, w_hh, b_hh, w_hr, batch_sizes, reverse, kind, ...)", __VA_ARGS__, ))
#endif

/* _rnn_layer_backward(Tensor? grad_output, Tensor? grad_h, Tensor? grad_c, Tensor output, Tensor saved, Tensor hx, Tensor? cx, Tensor w_hh, Tensor? w_hr, Tensor? batch_sizes, bool reverse, int kind) -> Tensor[]
 * The gradients of a layer in gates, hx, cx, w_hh, b_hh (gru) and w_hr in one sweep against its direction; those
 * of weights as one product at the end. What the kind does not have has no elements. */
typedef struct wn_rnn_layer_backward_args {
    size_t size_;
    wn_tensor *grad_output;
    wn_tensor *grad_h;
    wn_tensor *grad_c;
    wn_tensor *output;
    wn_tensor *saved;
    wn_tensor *hx;
    wn_tensor *cx;
    wn_tensor *w_hh;
    wn_tensor *w_hr;
    wn_tensor *batch_sizes;
    bool reverse;
    int64_t kind;
} wn_rnn_layer_backward_args;
WN_API wn_list wn_rnn_layer_backward_x(const wn_rnn_layer_backward_args *args);
#ifndef __cplusplus
#define WN_ARGS_rnn_layer_backward_(text, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, ...) \
    &(wn_rnn_layer_backward_args){.size_ = sizeof(wn_rnn_layer_backward_args), .grad_output = a0, .grad_h = a1, .grad_c = a2, .output = a3, .saved = a4, .hx = a5, .cx = a6, .w_hh = a7, .w_hr = a8, .batch_sizes = a9, .reverse = a10, .kind = a11, __VA_ARGS__}
#define wn_rnn_layer_backward(...) \
    wn_rnn_layer_backward_x(WN_12_(WN_FEW_, WN_ARGS_rnn_layer_backward_, __VA_ARGS__)("too few arguments: wn_rnn_layer_backward(grad_output, grad_h, grad_c, output, saved, hx, cx, w_hh, w_hr, batch_sizes, reverse, kind, ...)", __VA_ARGS__, ))
#endif

/* _pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first) -> (Tensor data, Tensor batch_sizes)
 * The elements that count of sequences [T, N, ...] of decreasing lengths, step by step, and how many sequences
 * each step has. */
typedef struct wn_pack_padded_sequence_args {
    size_t size_;
    wn_tensor *input;
    wn_tensor *lengths;
    bool batch_first;
} wn_pack_padded_sequence_args;
typedef struct wn_pack_padded_sequence_out {
    wn_tensor *data, *batch_sizes;
} wn_pack_padded_sequence_out;
WN_API wn_pack_padded_sequence_out wn_pack_padded_sequence_x(const wn_pack_padded_sequence_args *args);
#ifndef __cplusplus
#define WN_ARGS_pack_padded_sequence_(text, a0, a1, a2, ...) \
    &(wn_pack_padded_sequence_args){.size_ = sizeof(wn_pack_padded_sequence_args), .input = a0, .lengths = a1, .batch_first = a2, __VA_ARGS__}
#define wn_pack_padded_sequence(...) \
    wn_pack_padded_sequence_x(WN_3_(WN_FEW_, WN_ARGS_pack_padded_sequence_, __VA_ARGS__)("too few arguments: wn_pack_padded_sequence(input, lengths, batch_first, ...)", __VA_ARGS__, ))
#endif

/* _pad_packed_sequence(Tensor data, Tensor batch_sizes, bool batch_first, Scalar padding_value, int total_length) -> (Tensor output, Tensor lengths)
 * The reverse of _pack_padded_sequence: [T, N, ...], at least total_length steps, padding_value where a sequence
 * has ended; the lengths. */
typedef struct wn_pad_packed_sequence_args {
    size_t size_;
    wn_tensor *data;
    wn_tensor *batch_sizes;
    bool batch_first;
    wn_val padding_value;
    int64_t total_length;
} wn_pad_packed_sequence_args;
typedef struct wn_pad_packed_sequence_out {
    wn_tensor *output, *lengths;
} wn_pad_packed_sequence_out;
WN_API wn_pad_packed_sequence_out wn_pad_packed_sequence_x(const wn_pad_packed_sequence_args *args);
#ifndef __cplusplus
#define WN_ARGS_pad_packed_sequence_(text, a0, a1, a2, a3, a4, ...) \
    &(wn_pad_packed_sequence_args){.size_ = sizeof(wn_pad_packed_sequence_args), .data = a0, .batch_sizes = a1, .batch_first = a2, .padding_value = WN_VAL(a3), .total_length = a4, __VA_ARGS__}
#define wn_pad_packed_sequence(...) \
    wn_pad_packed_sequence_x(WN_5_(WN_FEW_, WN_ARGS_pad_packed_sequence_, __VA_ARGS__)("too few arguments: wn_pad_packed_sequence(data, batch_sizes, batch_first, padding_value, total_length, ...)", __VA_ARGS__, ))
#endif

/* rand(int[] size, *, ScalarType? dtype=None, Generator? generator=None) -> Tensor
 * Uniform in [0, 1). */
typedef struct wn_rand_args {
    size_t size_;
    wn_dims size;
    wn_dtype dtype;
    wn_generator *generator;
    wn_device device;
    wn_tensor *out;
} wn_rand_args;
WN_API wn_tensor *wn_rand_x(const wn_rand_args *args);
#ifndef __cplusplus
#define wn_rand(...) \
    wn_rand_x(&(wn_rand_args){.size_ = sizeof(wn_rand_args), .size = __VA_ARGS__})
#endif

/* randn(int[] size, *, ScalarType? dtype=None, Generator? generator=None) -> Tensor
 * Normal with mean 0 and variance 1. */
typedef wn_rand_args wn_randn_args;
WN_API wn_tensor *wn_randn_x(const wn_randn_args *args);
#ifndef __cplusplus
#define wn_randn(...) \
    wn_randn_x(&(wn_randn_args){.size_ = sizeof(wn_randn_args), .size = __VA_ARGS__})
#endif

/* randint.high(int high, int[] size, *, ScalarType? dtype=None, Generator? generator=None) -> Tensor
 * Integers uniform in [0, high). dtype: int64. */
typedef struct wn_randint_below_args {
    size_t size_;
    int64_t high;
    wn_dims size;
    wn_dtype dtype;
    wn_generator *generator;
    wn_device device;
    wn_tensor *out;
} wn_randint_below_args;
WN_API wn_tensor *wn_randint_below_x(const wn_randint_below_args *args);
#ifndef __cplusplus
#define WN_ARGS_randint_below_(text, a0, a1, ...) \
    &(wn_randint_below_args){.size_ = sizeof(wn_randint_below_args), .high = a0, .size = a1, __VA_ARGS__}
#define wn_randint_below(...) \
    wn_randint_below_x(WN_2_(WN_FEW_, WN_ARGS_randint_below_, __VA_ARGS__)("too few arguments: wn_randint_below(high, size, ...)", __VA_ARGS__, ))
#endif

/* randint.low(int low, int high, int[] size, *, ScalarType? dtype=None, Generator? generator=None) -> Tensor
 * Integers uniform in [low, high). dtype: int64. */
/* With fewer arguments, and no options, it is wn_randint_below. */
typedef struct wn_randint_args {
    size_t size_;
    int64_t low;
    int64_t high;
    wn_dims size;
    wn_dtype dtype;
    wn_generator *generator;
    wn_device device;
    wn_tensor *out;
} wn_randint_args;
WN_API wn_tensor *wn_randint_x(const wn_randint_args *args);
#ifndef __cplusplus
#define WN_ARGS_randint_(text, a0, a1, a2, ...) \
    &(wn_randint_args){.size_ = sizeof(wn_randint_args), .low = a0, .high = a1, .size = a2, __VA_ARGS__}
#define WN_ALL_randint_(...) \
    wn_randint_x(WN_ARGS_randint_("", __VA_ARGS__, ))
#define wn_randint(...) \
    WN_3_(wn_randint_below, WN_ALL_randint_, __VA_ARGS__)(__VA_ARGS__)
#endif

/* randperm(int n, *, ScalarType? dtype=None, Generator? generator=None) -> Tensor
 * A random permutation of 0 .. n-1, int64. */
typedef struct wn_randperm_args {
    size_t size_;
    int64_t n;
    wn_dtype dtype;
    wn_generator *generator;
    wn_device device;
    wn_tensor *out;
} wn_randperm_args;
WN_API wn_tensor *wn_randperm_x(const wn_randperm_args *args);
#ifndef __cplusplus
#define wn_randperm(...) \
    wn_randperm_x(&(wn_randperm_args){.size_ = sizeof(wn_randperm_args), .n = __VA_ARGS__})
#endif

/* rand_like(Tensor self, *, ScalarType? dtype=None, Generator? generator=None) -> Tensor
 * rand with self's shape and dtype. */
typedef struct wn_rand_like_args {
    size_t size_;
    wn_tensor *self;
    wn_dtype dtype;
    wn_generator *generator;
    wn_device device;
} wn_rand_like_args;
WN_API wn_tensor *wn_rand_like_x(const wn_rand_like_args *args);
#ifndef __cplusplus
#define wn_rand_like(...) \
    wn_rand_like_x(&(wn_rand_like_args){.size_ = sizeof(wn_rand_like_args), .self = __VA_ARGS__})
#endif

/* randn_like(Tensor self, *, ScalarType? dtype=None, Generator? generator=None) -> Tensor
 * randn with self's shape and dtype. */
typedef wn_rand_like_args wn_randn_like_args;
WN_API wn_tensor *wn_randn_like_x(const wn_randn_like_args *args);
#ifndef __cplusplus
#define wn_randn_like(...) \
    wn_randn_like_x(&(wn_randn_like_args){.size_ = sizeof(wn_randn_like_args), .self = __VA_ARGS__})
#endif

/* uniform_(Tensor(a!) self, float from=0, float to=1, *, Generator? generator=None) -> Tensor(a!)
 * Elements uniform in [from, to). */
typedef struct wn_uniform_args {
    size_t size_;
    wn_tensor *self;
    double from;
    wn_val to;
    wn_generator *generator;
} wn_uniform_args;
WN_API wn_tensor *wn_uniform_inplace_x(const wn_uniform_args *args);
#ifndef __cplusplus
#define WN_ARGS_uniform_(text, a0, a1, a2, ...) \
    &(wn_uniform_args){.size_ = sizeof(wn_uniform_args), .self = a0, .from = a1, .to = WN_VAL(a2), __VA_ARGS__}
#define wn_uniform_(...) \
    wn_uniform_inplace_x(WN_3_(WN_FEW_, WN_ARGS_uniform_, __VA_ARGS__)("too few arguments: wn_uniform_(self, from, to, ...)", __VA_ARGS__, ))
#endif

/* normal_(Tensor(a!) self, float mean=0, float std=1, *, Generator? generator=None) -> Tensor(a!)
 * Elements normal with the given mean and standard deviation. */
typedef struct wn_normal_args {
    size_t size_;
    wn_tensor *self;
    double mean;
    wn_val std;
    wn_generator *generator;
} wn_normal_args;
WN_API wn_tensor *wn_normal_inplace_x(const wn_normal_args *args);
#ifndef __cplusplus
#define WN_ARGS_normal_(text, a0, a1, a2, ...) \
    &(wn_normal_args){.size_ = sizeof(wn_normal_args), .self = a0, .mean = a1, .std = WN_VAL(a2), __VA_ARGS__}
#define wn_normal_(...) \
    wn_normal_inplace_x(WN_3_(WN_FEW_, WN_ARGS_normal_, __VA_ARGS__)("too few arguments: wn_normal_(self, mean, std, ...)", __VA_ARGS__, ))
#endif

/* exponential_(Tensor(a!) self, float lambd=1, *, Generator? generator=None) -> Tensor(a!)
 * Elements with density lambd * exp(-lambd * x). */
typedef struct wn_exponential_args {
    size_t size_;
    wn_tensor *self;
    wn_val lambd;
    wn_generator *generator;
} wn_exponential_args;
WN_API wn_tensor *wn_exponential_inplace_x(const wn_exponential_args *args);
#ifndef __cplusplus
#define WN_ARGS_exponential_(text, a0, a1, ...) \
    &(wn_exponential_args){.size_ = sizeof(wn_exponential_args), .self = a0, .lambd = WN_VAL(a1), __VA_ARGS__}
#define wn_exponential_(...) \
    wn_exponential_inplace_x(WN_2_(WN_FEW_, WN_ARGS_exponential_, __VA_ARGS__)("too few arguments: wn_exponential_(self, lambd, ...)", __VA_ARGS__, ))
#endif

/* random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> Tensor(a!)
 * Integers uniform in [from, to); without to up to the largest that the dtype holds, for floats up to 2^digits. */
typedef struct wn_random_args {
    size_t size_;
    wn_tensor *self;
    int64_t from;
    wn_val to;
    wn_generator *generator;
} wn_random_args;
WN_API wn_tensor *wn_random_inplace_x(const wn_random_args *args);
#ifndef __cplusplus
#define WN_ARGS_random_(text, a0, a1, a2, ...) \
    &(wn_random_args){.size_ = sizeof(wn_random_args), .self = a0, .from = a1, .to = WN_VAL(a2), __VA_ARGS__}
#define wn_random_(...) \
    wn_random_inplace_x(WN_3_(WN_FEW_, WN_ARGS_random_, __VA_ARGS__)("too few arguments: wn_random_(self, from, to, ...)", __VA_ARGS__, ))
#endif

/* random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor(a!)
 * Integers uniform in [0, to). */
typedef struct wn_random_below_args {
    size_t size_;
    wn_tensor *self;
    int64_t to;
    wn_generator *generator;
} wn_random_below_args;
WN_API wn_tensor *wn_random_below_inplace_x(const wn_random_below_args *args);
#ifndef __cplusplus
#define WN_ARGS_random_below_(text, a0, a1, ...) \
    &(wn_random_below_args){.size_ = sizeof(wn_random_below_args), .self = a0, .to = a1, __VA_ARGS__}
#define wn_random_below_(...) \
    wn_random_below_inplace_x(WN_2_(WN_FEW_, WN_ARGS_random_below_, __VA_ARGS__)("too few arguments: wn_random_below_(self, to, ...)", __VA_ARGS__, ))
#endif

/* random_(Tensor(a!) self, *, Generator? generator=None) -> Tensor(a!)
 * Integers uniform in what the dtype holds: [0, its maximum]; for floats [0, 2^digits], all of them exact. */
typedef struct wn_random_all_args {
    size_t size_;
    wn_tensor *self;
    wn_generator *generator;
} wn_random_all_args;
WN_API wn_tensor *wn_random_all_inplace_x(const wn_random_all_args *args);
#ifndef __cplusplus
#define wn_random_all_(...) \
    wn_random_all_inplace_x(&(wn_random_all_args){.size_ = sizeof(wn_random_all_args), .self = __VA_ARGS__})
#endif

/* bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> Tensor(a!)
 * 1 with probability p[i], else 0; p broadcasts to self. */
typedef struct wn_bernoulli_each_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *p;
    wn_generator *generator;
} wn_bernoulli_each_args;
WN_API wn_tensor *wn_bernoulli_each_inplace_x(const wn_bernoulli_each_args *args);
#ifndef __cplusplus
#define WN_ARGS_bernoulli_each_(text, a0, a1, ...) \
    &(wn_bernoulli_each_args){.size_ = sizeof(wn_bernoulli_each_args), .self = a0, .p = a1, __VA_ARGS__}
#define wn_bernoulli_each_(...) \
    wn_bernoulli_each_inplace_x(WN_2_(WN_FEW_, WN_ARGS_bernoulli_each_, __VA_ARGS__)("too few arguments: wn_bernoulli_each_(self, p, ...)", __VA_ARGS__, ))
#endif

/* bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) -> Tensor(a!)
 * 1 with probability p, else 0. */
typedef struct wn_bernoulli_p_args {
    size_t size_;
    wn_tensor *self;
    wn_val p;
    wn_generator *generator;
} wn_bernoulli_p_args;
WN_API wn_tensor *wn_bernoulli_p_inplace_x(const wn_bernoulli_p_args *args);
#ifndef __cplusplus
#define WN_ARGS_bernoulli_p_(text, a0, a1, ...) \
    &(wn_bernoulli_p_args){.size_ = sizeof(wn_bernoulli_p_args), .self = a0, .p = WN_VAL(a1), __VA_ARGS__}
#define wn_bernoulli_p_(...) \
    wn_bernoulli_p_inplace_x(WN_2_(WN_FEW_, WN_ARGS_bernoulli_p_, __VA_ARGS__)("too few arguments: wn_bernoulli_p_(self, p, ...)", __VA_ARGS__, ))
#endif

/* bernoulli(Tensor self, *, Generator? generator=None) -> Tensor
 * 1 with probability self[i], else 0. */
typedef struct wn_bernoulli_args {
    size_t size_;
    wn_tensor *self;
    wn_generator *generator;
    wn_tensor *out;
} wn_bernoulli_args;
WN_API wn_tensor *wn_bernoulli_x(const wn_bernoulli_args *args);
#ifndef __cplusplus
#define wn_bernoulli(...) \
    wn_bernoulli_x(&(wn_bernoulli_args){.size_ = sizeof(wn_bernoulli_args), .self = __VA_ARGS__})
#endif

/* bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor
 * A tensor like self: 1 with probability p, else 0. */
typedef struct wn_bernoulli_like_args {
    size_t size_;
    wn_tensor *self;
    double p;
    wn_generator *generator;
} wn_bernoulli_like_args;
WN_API wn_tensor *wn_bernoulli_like_x(const wn_bernoulli_like_args *args);
#ifndef __cplusplus
#define WN_ARGS_bernoulli_like_(text, a0, a1, ...) \
    &(wn_bernoulli_like_args){.size_ = sizeof(wn_bernoulli_like_args), .self = a0, .p = a1, __VA_ARGS__}
#define wn_bernoulli_like(...) \
    wn_bernoulli_like_x(WN_2_(WN_FEW_, WN_ARGS_bernoulli_like_, __VA_ARGS__)("too few arguments: wn_bernoulli_like(self, p, ...)", __VA_ARGS__, ))
#endif

/* _masked_scale(Tensor self, Tensor mask, Scalar scale) -> Tensor
 * self * scale where mask is true, 0 elsewhere (whatever self holds there). */
typedef struct wn_masked_scale_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *mask;
    wn_val scale;
    wn_tensor *out;
} wn_masked_scale_args;
WN_API wn_tensor *wn_masked_scale_x(const wn_masked_scale_args *args);
#ifndef __cplusplus
#define WN_ARGS_masked_scale_(text, a0, a1, a2, ...) \
    &(wn_masked_scale_args){.size_ = sizeof(wn_masked_scale_args), .self = a0, .mask = a1, .scale = WN_VAL(a2), __VA_ARGS__}
#define wn_masked_scale(...) \
    wn_masked_scale_x(WN_3_(WN_FEW_, WN_ARGS_masked_scale_, __VA_ARGS__)("too few arguments: wn_masked_scale(self, mask, scale, ...)", __VA_ARGS__, ))
#endif

/* dropout(Tensor input, float p, bool train) -> Tensor
 * When train is true, each element is zeroed with probability p and the others are scaled by 1 / (1 - p); else
 * input itself. */
typedef struct wn_dropout_args {
    size_t size_;
    wn_tensor *input;
    double p;
    bool train;
    wn_tensor *out;
} wn_dropout_args;
WN_API wn_tensor *wn_dropout_x(const wn_dropout_args *args);
WN_API wn_tensor *wn_dropout_inplace_x(const wn_dropout_args *args);
#ifndef __cplusplus
#define WN_ARGS_dropout_(text, a0, a1, a2, ...) \
    &(wn_dropout_args){.size_ = sizeof(wn_dropout_args), .input = a0, .p = a1, .train = a2, __VA_ARGS__}
#define wn_dropout(...) \
    wn_dropout_x(WN_3_(WN_FEW_, WN_ARGS_dropout_, __VA_ARGS__)("too few arguments: wn_dropout(input, p, train, ...)", __VA_ARGS__, ))
#define wn_dropout_(...) \
    wn_dropout_inplace_x(WN_3_(WN_FEW_, WN_ARGS_dropout_, __VA_ARGS__)("too few arguments: wn_dropout_(input, p, train, ...)", __VA_ARGS__, ))
#endif

/* _trunc_normal_(Tensor(a!) self, float mean, float std, float low, float high, *, Generator? generator=None) -> Tensor(a!)
 * Normal with that mean and standard deviation, within [low, high]; the initialisers of C and of Python call it. */
typedef struct wn_trunc_normal_args {
    size_t size_;
    wn_tensor *self;
    double mean;
    double std;
    double low;
    double high;
    wn_generator *generator;
} wn_trunc_normal_args;
WN_API wn_tensor *wn_trunc_normal_inplace_x(const wn_trunc_normal_args *args);
#ifndef __cplusplus
#define WN_ARGS_trunc_normal_(text, a0, a1, a2, a3, a4, ...) \
    &(wn_trunc_normal_args){.size_ = sizeof(wn_trunc_normal_args), .self = a0, .mean = a1, .std = a2, .low = a3, .high = a4, __VA_ARGS__}
#define wn_trunc_normal_(...) \
    wn_trunc_normal_inplace_x(WN_5_(WN_FEW_, WN_ARGS_trunc_normal_, __VA_ARGS__)("too few arguments: wn_trunc_normal_(self, mean, std, low, high, ...)", __VA_ARGS__, ))
#endif

/* cauchy_(Tensor(a!) self, float median=0, float sigma=1, *, Generator? generator=None) -> Tensor(a!)
 * Elements with density sigma / (pi ((x - median)^2 + sigma^2)). */
typedef struct wn_cauchy_args {
    size_t size_;
    wn_tensor *self;
    double median;
    wn_val sigma;
    wn_generator *generator;
} wn_cauchy_args;
WN_API wn_tensor *wn_cauchy_inplace_x(const wn_cauchy_args *args);
#ifndef __cplusplus
#define WN_ARGS_cauchy_(text, a0, a1, a2, ...) \
    &(wn_cauchy_args){.size_ = sizeof(wn_cauchy_args), .self = a0, .median = a1, .sigma = WN_VAL(a2), __VA_ARGS__}
#define wn_cauchy_(...) \
    wn_cauchy_inplace_x(WN_3_(WN_FEW_, WN_ARGS_cauchy_, __VA_ARGS__)("too few arguments: wn_cauchy_(self, median, sigma, ...)", __VA_ARGS__, ))
#endif

/* geometric_(Tensor(a!) self, float p, *, Generator? generator=None) -> Tensor(a!)
 * Numbers of trials up to the first success: k = 1, 2, ... with probability (1 - p)^(k-1) p. */
typedef struct wn_geometric_args {
    size_t size_;
    wn_tensor *self;
    double p;
    wn_generator *generator;
} wn_geometric_args;
WN_API wn_tensor *wn_geometric_inplace_x(const wn_geometric_args *args);
#ifndef __cplusplus
#define WN_ARGS_geometric_(text, a0, a1, ...) \
    &(wn_geometric_args){.size_ = sizeof(wn_geometric_args), .self = a0, .p = a1, __VA_ARGS__}
#define wn_geometric_(...) \
    wn_geometric_inplace_x(WN_2_(WN_FEW_, WN_ARGS_geometric_, __VA_ARGS__)("too few arguments: wn_geometric_(self, p, ...)", __VA_ARGS__, ))
#endif

/* log_normal_(Tensor(a!) self, float mean=1, float std=2, *, Generator? generator=None) -> Tensor(a!)
 * exp of numbers that are normal with the given mean and standard deviation. */
typedef struct wn_log_normal_args {
    size_t size_;
    wn_tensor *self;
    wn_val mean;
    wn_val std;
    wn_generator *generator;
} wn_log_normal_args;
WN_API wn_tensor *wn_log_normal_inplace_x(const wn_log_normal_args *args);
#ifndef __cplusplus
#define WN_ARGS_log_normal_(text, a0, a1, a2, ...) \
    &(wn_log_normal_args){.size_ = sizeof(wn_log_normal_args), .self = a0, .mean = WN_VAL(a1), .std = WN_VAL(a2), __VA_ARGS__}
#define wn_log_normal_(...) \
    wn_log_normal_inplace_x(WN_3_(WN_FEW_, WN_ARGS_log_normal_, __VA_ARGS__)("too few arguments: wn_log_normal_(self, mean, std, ...)", __VA_ARGS__, ))
#endif

/* randint_like(Tensor self, int high, *, ScalarType? dtype=None, Generator? generator=None) -> Tensor
 * Integers uniform in [0, high), with self's shape and dtype. */
typedef struct wn_randint_like_below_args {
    size_t size_;
    wn_tensor *self;
    int64_t high;
    wn_dtype dtype;
    wn_generator *generator;
    wn_device device;
} wn_randint_like_below_args;
WN_API wn_tensor *wn_randint_like_below_x(const wn_randint_like_below_args *args);
#ifndef __cplusplus
#define WN_ARGS_randint_like_below_(text, a0, a1, ...) \
    &(wn_randint_like_below_args){.size_ = sizeof(wn_randint_like_below_args), .self = a0, .high = a1, __VA_ARGS__}
#define wn_randint_like_below(...) \
    wn_randint_like_below_x(WN_2_(WN_FEW_, WN_ARGS_randint_like_below_, __VA_ARGS__)("too few arguments: wn_randint_like_below(self, high, ...)", __VA_ARGS__, ))
#endif

/* randint_like.low_dtype(Tensor self, int low, int high, *, ScalarType? dtype=None, Generator? generator=None) -> Tensor
 * Integers uniform in [low, high), with self's shape and dtype. */
/* With fewer arguments, and no options, it is wn_randint_like_below. */
typedef struct wn_randint_like_args {
    size_t size_;
    wn_tensor *self;
    int64_t low;
    int64_t high;
    wn_dtype dtype;
    wn_generator *generator;
    wn_device device;
} wn_randint_like_args;
WN_API wn_tensor *wn_randint_like_x(const wn_randint_like_args *args);
#ifndef __cplusplus
#define WN_ARGS_randint_like_(text, a0, a1, a2, ...) \
    &(wn_randint_like_args){.size_ = sizeof(wn_randint_like_args), .self = a0, .low = a1, .high = a2, __VA_ARGS__}
#define WN_ALL_randint_like_(...) \
    wn_randint_like_x(WN_ARGS_randint_like_("", __VA_ARGS__, ))
#define wn_randint_like(...) \
    WN_3_(wn_randint_like_below, WN_ALL_randint_like_, __VA_ARGS__)(__VA_ARGS__)
#endif

/* multinomial(Tensor self, int num_samples, bool replacement=False, *, Generator? generator=None) -> Tensor
 * num_samples indices for self, or for each row of it, i with a probability in proportion to self[i]; without
 * replacement all different. */
typedef struct wn_multinomial_args {
    size_t size_;
    wn_tensor *self;
    int64_t num_samples;
    bool replacement;
    wn_generator *generator;
    wn_tensor *out;
} wn_multinomial_args;
WN_API wn_tensor *wn_multinomial_x(const wn_multinomial_args *args);
#ifndef __cplusplus
#define WN_ARGS_multinomial_(text, a0, a1, ...) \
    &(wn_multinomial_args){.size_ = sizeof(wn_multinomial_args), .self = a0, .num_samples = a1, __VA_ARGS__}
#define wn_multinomial(...) \
    wn_multinomial_x(WN_2_(WN_FEW_, WN_ARGS_multinomial_, __VA_ARGS__)("too few arguments: wn_multinomial(self, num_samples, ...)", __VA_ARGS__, ))
#endif

/* _multinomial_again(Tensor self, int num_samples, *, Generator? generator=None) -> Tensor
 * multinomial with replacement, for each row of the 2-d self: the first place whose running sum reaches a uniform
 * number. */
typedef struct wn_multinomial_again_args {
    size_t size_;
    wn_tensor *self;
    int64_t num_samples;
    wn_generator *generator;
} wn_multinomial_again_args;
WN_API wn_tensor *wn_multinomial_again_x(const wn_multinomial_again_args *args);
#ifndef __cplusplus
#define WN_ARGS_multinomial_again_(text, a0, a1, ...) \
    &(wn_multinomial_again_args){.size_ = sizeof(wn_multinomial_again_args), .self = a0, .num_samples = a1, __VA_ARGS__}
#define wn_multinomial_again(...) \
    wn_multinomial_again_x(WN_2_(WN_FEW_, WN_ARGS_multinomial_again_, __VA_ARGS__)("too few arguments: wn_multinomial_again(self, num_samples, ...)", __VA_ARGS__, ))
#endif

/* _fused_sgd_(Tensor(a!)[] self, Tensor[] grads, Tensor(b!)[] momentum_buffer_list, *, float lr=0, float momentum=0, float dampening=0, float weight_decay=0, bool nesterov=False, bool maximize=False, bool is_first_step=False) -> ()
 * d = +-grad + weight_decay*p; with momentum: buf = first ? d : momentum*buf + (1-dampening)*d, d = nesterov ? d +
 * momentum*buf : buf; p -= lr*d. momentum_buffer_list is empty without momentum. */
typedef struct wn_fused_sgd_args {
    size_t size_;
    wn_list self;
    wn_list grads;
    wn_list momentum_buffer_list;
    double lr;
    wn_val momentum;
    double dampening;
    double weight_decay;
    bool nesterov;
    bool maximize;
    bool is_first_step;
} wn_fused_sgd_args;
WN_API wn_status wn_fused_sgd_x(const wn_fused_sgd_args *args);
#ifndef __cplusplus
#define WN_ARGS_fused_sgd_(text, a0, a1, a2, ...) \
    &(wn_fused_sgd_args){.size_ = sizeof(wn_fused_sgd_args), .self = a0, .grads = a1, .momentum_buffer_list = a2, __VA_ARGS__}
#define wn_fused_sgd(...) \
    wn_fused_sgd_x(WN_3_(WN_FEW_, WN_ARGS_fused_sgd_, __VA_ARGS__)("too few arguments: wn_fused_sgd(self, grads, momentum_buffer_list, ...)", __VA_ARGS__, ))
#endif

/* _fused_adam_(Tensor(a!)[] self, Tensor[] grads, Tensor(b!)[] exp_avgs, Tensor(c!)[] exp_avg_sqs, Tensor(d!)[] max_exp_avg_sqs, *, int step=0, float lr=0, float beta1=0, float beta2=0, float weight_decay=0, float eps=0, bool amsgrad=False, bool maximize=False, bool decoupled=False) -> ()
 * Adam (Kingma and Ba 2015), decoupled: AdamW (Loshchilov and Hutter 2019). g = +-grad; decoupled: p *= 1 -
 * lr*weight_decay, else g += weight_decay*p; m = beta1*m + (1-beta1)*g; v = beta2*v + (1-beta2)*g*g; p -=
 * lr/(1-beta1^step) * m / (sqrt(v or its running maximum)/sqrt(1-beta2^step) + eps). step counts from 1. */
typedef struct wn_fused_adam_args {
    size_t size_;
    wn_list self;
    wn_list grads;
    wn_list exp_avgs;
    wn_list exp_avg_sqs;
    wn_list max_exp_avg_sqs;
    wn_val step;
    double lr;
    double beta1;
    double beta2;
    double weight_decay;
    wn_val eps;
    bool amsgrad;
    bool maximize;
    bool decoupled;
} wn_fused_adam_args;
WN_API wn_status wn_fused_adam_x(const wn_fused_adam_args *args);
#ifndef __cplusplus
#define WN_ARGS_fused_adam_(text, a0, a1, a2, a3, a4, ...) \
    &(wn_fused_adam_args){.size_ = sizeof(wn_fused_adam_args), .self = a0, .grads = a1, .exp_avgs = a2, .exp_avg_sqs = a3, .max_exp_avg_sqs = a4, __VA_ARGS__}
#define wn_fused_adam(...) \
    wn_fused_adam_x(WN_5_(WN_FEW_, WN_ARGS_fused_adam_, __VA_ARGS__)("too few arguments: wn_fused_adam(self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, ...)", __VA_ARGS__, ))
#endif

/* _fused_rmsprop_(Tensor(a!) self, Tensor grad, Tensor(b!) square_avg, Tensor(c!)? momentum_buffer, Tensor(d!)? grad_avg, *, float lr=0, float rho=0, float eps=0, float momentum=0, float weight_decay=0, bool maximize=False) -> Tensor(a!)
 * RMSprop (Hinton 2012). g = +-grad + weight_decay*p; v = rho*v + (1-rho)*g*g, less the square of grad_avg, the
 * mean of g, where that is given; p -= lr * g/(sqrt(v) + eps), which momentum_buffer, where that is given,
 * averages by momentum first. */
typedef struct wn_fused_rmsprop_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *grad;
    wn_tensor *square_avg;
    wn_tensor *momentum_buffer;
    wn_tensor *grad_avg;
    double lr;
    double rho;
    wn_val eps;
    wn_val momentum;
    double weight_decay;
    bool maximize;
} wn_fused_rmsprop_args;
WN_API wn_tensor *wn_fused_rmsprop_inplace_x(const wn_fused_rmsprop_args *args);
#ifndef __cplusplus
#define WN_ARGS_fused_rmsprop_(text, a0, a1, a2, a3, a4, ...) \
    &(wn_fused_rmsprop_args){.size_ = sizeof(wn_fused_rmsprop_args), .self = a0, .grad = a1, .square_avg = a2, .momentum_buffer = a3, .grad_avg = a4, __VA_ARGS__}
#define wn_fused_rmsprop_(...) \
    wn_fused_rmsprop_inplace_x(WN_5_(WN_FEW_, WN_ARGS_fused_rmsprop_, __VA_ARGS__)("too few arguments: wn_fused_rmsprop_(self, grad, square_avg, momentum_buffer, grad_avg, ...)", __VA_ARGS__, ))
#endif

/* _fused_adagrad_(Tensor(a!) self, Tensor grad, Tensor(b!) state_sum, *, int step=0, float lr=0, float lr_decay=0, float eps=0, float weight_decay=0, bool maximize=False) -> Tensor(a!)
 * Adagrad (Duchi, Hazan, Singer 2011). g = +-grad + weight_decay*p; s += g*g; p -= lr/(1 + (step-1)*lr_decay) *
 * g/(sqrt(s) + eps). step counts from 1. */
typedef struct wn_fused_adagrad_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *grad;
    wn_tensor *state_sum;
    wn_val step;
    double lr;
    double lr_decay;
    wn_val eps;
    double weight_decay;
    bool maximize;
} wn_fused_adagrad_args;
WN_API wn_tensor *wn_fused_adagrad_inplace_x(const wn_fused_adagrad_args *args);
#ifndef __cplusplus
#define WN_ARGS_fused_adagrad_(text, a0, a1, a2, ...) \
    &(wn_fused_adagrad_args){.size_ = sizeof(wn_fused_adagrad_args), .self = a0, .grad = a1, .state_sum = a2, __VA_ARGS__}
#define wn_fused_adagrad_(...) \
    wn_fused_adagrad_inplace_x(WN_3_(WN_FEW_, WN_ARGS_fused_adagrad_, __VA_ARGS__)("too few arguments: wn_fused_adagrad_(self, grad, state_sum, ...)", __VA_ARGS__, ))
#endif

/* _fused_adadelta_(Tensor(a!) self, Tensor grad, Tensor(b!) square_avg, Tensor(c!) acc_delta, *, float lr=0, float rho=0, float eps=0, float weight_decay=0, bool maximize=False) -> Tensor(a!)
 * Adadelta (Zeiler 2012). g = +-grad + weight_decay*p; v = rho*v + (1-rho)*g*g; d = sqrt(u + eps)/sqrt(v + eps) *
 * g; u = rho*u + (1-rho)*d*d; p -= lr*d. */
typedef struct wn_fused_adadelta_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *grad;
    wn_tensor *square_avg;
    wn_tensor *acc_delta;
    double lr;
    double rho;
    wn_val eps;
    double weight_decay;
    bool maximize;
} wn_fused_adadelta_args;
WN_API wn_tensor *wn_fused_adadelta_inplace_x(const wn_fused_adadelta_args *args);
#ifndef __cplusplus
#define WN_ARGS_fused_adadelta_(text, a0, a1, a2, a3, ...) \
    &(wn_fused_adadelta_args){.size_ = sizeof(wn_fused_adadelta_args), .self = a0, .grad = a1, .square_avg = a2, .acc_delta = a3, __VA_ARGS__}
#define wn_fused_adadelta_(...) \
    wn_fused_adadelta_inplace_x(WN_4_(WN_FEW_, WN_ARGS_fused_adadelta_, __VA_ARGS__)("too few arguments: wn_fused_adadelta_(self, grad, square_avg, acc_delta, ...)", __VA_ARGS__, ))
#endif

/* _fused_adamax_(Tensor(a!) self, Tensor grad, Tensor(b!) exp_avg, Tensor(c!) exp_inf, *, int step=0, float lr=0, float beta1=0, float beta2=0, float eps=0, float weight_decay=0, bool maximize=False) -> Tensor(a!)
 * Adamax (Kingma and Ba 2015). g = +-grad + weight_decay*p; m = beta1*m + (1-beta1)*g; u = max(beta2*u, |g| +
 * eps); p -= lr/(1-beta1^step) * m/u. step counts from 1. */
typedef struct wn_fused_adamax_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *grad;
    wn_tensor *exp_avg;
    wn_tensor *exp_inf;
    wn_val step;
    double lr;
    double beta1;
    double beta2;
    wn_val eps;
    double weight_decay;
    bool maximize;
} wn_fused_adamax_args;
WN_API wn_tensor *wn_fused_adamax_inplace_x(const wn_fused_adamax_args *args);
#ifndef __cplusplus
#define WN_ARGS_fused_adamax_(text, a0, a1, a2, a3, ...) \
    &(wn_fused_adamax_args){.size_ = sizeof(wn_fused_adamax_args), .self = a0, .grad = a1, .exp_avg = a2, .exp_inf = a3, __VA_ARGS__}
#define wn_fused_adamax_(...) \
    wn_fused_adamax_inplace_x(WN_4_(WN_FEW_, WN_ARGS_fused_adamax_, __VA_ARGS__)("too few arguments: wn_fused_adamax_(self, grad, exp_avg, exp_inf, ...)", __VA_ARGS__, ))
#endif

/* _fused_nadam_(Tensor(a!) self, Tensor grad, Tensor(b!) exp_avg, Tensor(c!) exp_avg_sq, *, int step=0, float mu_product=0, float lr=0, float beta1=0, float beta2=0, float eps=0, float momentum_decay=0, float weight_decay=0, bool maximize=False, bool decoupled=False) -> Tensor(a!)
 * NAdam (Dozat 2016): Adam with Nesterov's momentum, mu_t = beta1*(1 - .96^(t*momentum_decay)/2), whose product up
 * to this step is mu_product. step counts from 1. Weight decay is Adam's, or AdamW's where it is decoupled. */
typedef struct wn_fused_nadam_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *grad;
    wn_tensor *exp_avg;
    wn_tensor *exp_avg_sq;
    wn_val step;
    double mu_product;
    double lr;
    double beta1;
    double beta2;
    wn_val eps;
    double momentum_decay;
    double weight_decay;
    bool maximize;
    bool decoupled;
} wn_fused_nadam_args;
WN_API wn_tensor *wn_fused_nadam_inplace_x(const wn_fused_nadam_args *args);
#ifndef __cplusplus
#define WN_ARGS_fused_nadam_(text, a0, a1, a2, a3, ...) \
    &(wn_fused_nadam_args){.size_ = sizeof(wn_fused_nadam_args), .self = a0, .grad = a1, .exp_avg = a2, .exp_avg_sq = a3, __VA_ARGS__}
#define wn_fused_nadam_(...) \
    wn_fused_nadam_inplace_x(WN_4_(WN_FEW_, WN_ARGS_fused_nadam_, __VA_ARGS__)("too few arguments: wn_fused_nadam_(self, grad, exp_avg, exp_avg_sq, ...)", __VA_ARGS__, ))
#endif

/* _fused_radam_(Tensor(a!) self, Tensor grad, Tensor(b!) exp_avg, Tensor(c!) exp_avg_sq, *, int step=0, float lr=0, float beta1=0, float beta2=0, float eps=0, float weight_decay=0, bool maximize=False, bool decoupled=False) -> Tensor(a!)
 * RAdam (Liu et al. 2020): Adam whose adaptive step begins when the variance of its second moment is small enough.
 * step counts from 1. Weight decay is Adam's, or AdamW's where it is decoupled. */
typedef struct wn_fused_radam_args {
    size_t size_;
    wn_tensor *self;
    wn_tensor *grad;
    wn_tensor *exp_avg;
    wn_tensor *exp_avg_sq;
    wn_val step;
    double lr;
    double beta1;
    double beta2;
    wn_val eps;
    double weight_decay;
    bool maximize;
    bool decoupled;
} wn_fused_radam_args;
WN_API wn_tensor *wn_fused_radam_inplace_x(const wn_fused_radam_args *args);
#ifndef __cplusplus
#define WN_ARGS_fused_radam_(text, a0, a1, a2, a3, ...) \
    &(wn_fused_radam_args){.size_ = sizeof(wn_fused_radam_args), .self = a0, .grad = a1, .exp_avg = a2, .exp_avg_sq = a3, __VA_ARGS__}
#define wn_fused_radam_(...) \
    wn_fused_radam_inplace_x(WN_4_(WN_FEW_, WN_ARGS_fused_radam_, __VA_ARGS__)("too few arguments: wn_fused_radam_(self, grad, exp_avg, exp_avg_sq, ...)", __VA_ARGS__, ))
#endif

/* END GENERATED */

#ifdef __cplusplus
}
#endif
#endif
