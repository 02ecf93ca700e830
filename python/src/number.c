/* Operators: a + b, 2 - x, a @ b, a += b. Each is a row, or a function of winnow/_operators.py where torch's operator
 * is no row.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "wnpy.h"

typedef struct Binary { /* a row with operands self and other, looked up once */
    const char *row, *method;
    const char *reflected; /* Tensor's method for 2 - x; NULL: x + 2 does as well */
    const wn_op *op;
    size_t size;
    uint16_t a, b;
    bool a_value, b_value; /* may the operand be a number? */
    PyObject *callable;
} Binary;

static bool ready(Binary *r) {
    if (r->op) return true;
    r->op = wn_op_find(r->row);
    int n;
    const wn_field *f = r->op ? wn_op_fields(r->op, &n) : NULL;
    if (!f || wn_op_args_size(r->op) > 256) return PyErr_Format(PyExc_SystemError, "number.c: the row %s is missing or too large", r->row), false;
    r->size = wn_op_args_size(r->op);
    r->a = f[0].offset;
    r->b = f[1].offset;
    r->a_value = f[0].kind == WN_K_VALUE;
    r->b_value = f[1].kind == WN_K_VALUE;
    r->callable = PyObject_GetAttrString((PyObject *)wnpy_Tensor, r->method);
    if (!r->callable) return r->op = NULL, false;
    return true;
}

/* For x + array: the array's memory as a tensor, an owned object. NULL without an exception: o is no array. */
static PyObject *from_array(PyObject *o) {
    if (PyUnicode_Check(o) || PyTuple_Check(o) || PyList_Check(o) || o == Py_None || !PyObject_HasAttrString(o, "__array_interface__") ||
        !PyObject_HasAttrString(o, "ndim"))
        return NULL;
    return wnpy_as_index(o);
}

/* Puts an operand into its field: 1 taken, 0 not an operand for us, -1 exception. */
static inline int operand(PyObject *o, char *slot, bool value, int64_t *elements) {
    if (wnpy_is_tensor(o)) {
        wn_tensor *t = wnpy_handle(o);
        wnpy_count(elements, t);
        if (value) *(wn_val *)(void *)slot = wn_val_of_tensor(t);
        else *(wn_tensor **)(void *)slot = t;
        return 1;
    }
    return value ? wnpy_to_number(o, (wn_val *)(void *)slot) : 0;
}

/* Does a subclass or mode take over? Tensor's methods ask them: x += y is add_, 2 - x is __rsub__. */
static bool taken_over(const Binary *r, PyObject *x, PyObject *y, bool inplace, PyObject **result, PyTypeObject **subclass) {
    bool turned = !wnpy_is_tensor(x);
    PyObject *both[2] = {turned ? y : x, turned ? x : y}, *name = NULL, *method;
    if (inplace) name = PyUnicode_FromFormat("%s_", r->method);
    else if (turned && r->reflected) name = PyUnicode_FromString(r->reflected);
    method = name ? PyObject_GetAttr((PyObject *)wnpy_Tensor, name) : Py_NewRef(r->callable);
    Py_XDECREF(name);
    if (!method) return *result = NULL, true;
    bool asked = wnpy_overridden(method, both, 2, NULL, result, subclass);
    Py_DECREF(method);
    return asked;
}

static PyObject *binary(Binary *r, PyObject *x, PyObject *y, bool inplace) {
    if (!ready(r)) return NULL;
    PyTypeObject *subclass = NULL;
    if (wnpy_modes || (!wnpy_is_exact(x) && !PyFloat_CheckExact(x) && !PyLong_CheckExact(x)) ||
        (!wnpy_is_exact(y) && !PyFloat_CheckExact(y) && !PyLong_CheckExact(y))) {
        PyObject *result;
        if (taken_over(r, x, y, inplace, &result, &subclass)) return result;
    }
    _Alignas(16) char args[256];
    memset(args, 0, r->size);
    *(size_t *)(void *)args = r->size;
    int64_t elements = 0;
    int ok = operand(x, args + r->a, r->a_value, &elements);
    if (ok == 1) ok = operand(y, args + r->b, r->b_value, &elements);
    if (ok < 0) return NULL;
    if (!ok) {
        const bool left = !wnpy_is_tensor(x) && r->reflected && !strcmp(r->reflected, "__rdiv__"); /* array / tensor; torch refuses others */
        PyObject *array = wnpy_is_tensor(x) ? from_array(y) : left ? from_array(x) : NULL, *result = NULL;
        if (array) result = left ? binary(r, array, y, false) : binary(r, x, array, inplace);
        else if (!PyErr_Occurred()) Py_RETURN_NOTIMPLEMENTED;
        Py_XDECREF(array);
        return result;
    }
    wn_outs outs;
    if (!wnpy_run_raw(r->op, args, inplace, elements, &outs)) return NULL;
    PyObject *result = wnpy_wrap(outs.v[0]);
    return result && subclass ? wnpy_as_subclass(result, subclass) : result;
}

static PyObject *unary(const char *row, PyObject *x) {
    const wn_op *op = wn_op_find(row);
    if (!op) return PyErr_Format(PyExc_SystemError, "number.c: no row %s", row);
    PyTypeObject *subclass = NULL;
    if (wnpy_modes || !wnpy_is_exact(x)) {
        PyObject *method = PyObject_GetAttrString((PyObject *)wnpy_Tensor, row), *result;
        if (!method) return NULL;
        int asked = wnpy_overridden(method, &x, 1, NULL, &result, &subclass);
        Py_DECREF(method);
        if (asked) return result;
    }
    wn_neg_args a = {.size_ = sizeof a, .self = wnpy_handle(x)}; /* every unary row has this args struct */
    PyObject *r = wnpy_run(op, &a, false, wn_numel(a.self));
    return r && subclass ? wnpy_as_subclass(r, subclass) : r;
}

#define BINARY(name, full, its, turned)                                                                              \
    static Binary row_##name = {.row = full, .method = its, .reflected = turned};                                    \
    static PyObject *name(PyObject *x, PyObject *y) { return binary(&row_##name, x, y, false); }
#define BINARY2(name, full, its, turned)                                                                             \
    BINARY(name, full, its, turned)                                                                                  \
    static PyObject *i##name(PyObject *x, PyObject *y) { return binary(&row_##name, x, y, true); }
BINARY2(add, "add.Tensor", "add", NULL)
BINARY2(sub, "sub.Tensor", "sub", "__rsub__")
BINARY2(mul, "mul.Tensor", "mul", NULL)
BINARY2(divide, "div.Tensor", "div", "__rdiv__")
BINARY2(floor_divide, "floor_divide", "floor_divide", "__rfloordiv__")
BINARY2(rem, "remainder.Tensor", "remainder", "__rmod__")
BINARY2(and, "bitwise_and", "bitwise_and", NULL)
BINARY2(or, "bitwise_or", "bitwise_or", NULL)
BINARY2(xor, "bitwise_xor", "bitwise_xor", NULL)
BINARY2(left_shift, "bitwise_left_shift", "bitwise_left_shift", "__rlshift__")
BINARY2(right_shift, "bitwise_right_shift", "bitwise_right_shift", "__rrshift__")
BINARY2(power2, "pow.Tensor_Tensor", "pow", "__rpow__")
BINARY(mat, "matmul", "matmul", "__rmatmul__")
BINARY(equal, "eq", "eq", NULL)
BINARY(not_equal, "ne", "ne", NULL)
BINARY(less, "lt", "lt", NULL)
BINARY(less_equal, "le", "le", NULL)
BINARY(greater, "gt", "gt", NULL)
BINARY(greater_equal, "ge", "ge", NULL)

static PyObject *power(PyObject *x, PyObject *y, PyObject *mod) {
    if (mod != Py_None) Py_RETURN_NOTIMPLEMENTED;
    return power2(x, y);
}
static PyObject *ipower(PyObject *x, PyObject *y, PyObject *mod) { return (void)mod, ipower2(x, y); }

static PyObject *negative(PyObject *x) { return unary("neg", x); }
static PyObject *positive(PyObject *x) { return Py_NewRef(x); }
static PyObject *absolute(PyObject *x) { return unary("abs", x); }
static PyObject *invert(PyObject *x) {
    if (wn_dtype_of(wnpy_handle(x)) <= WN_BF16)
        return PyErr_Format(PyExc_TypeError, "~ (operator.invert) is only implemented on integer and Boolean-type tensors");
    return unary("bitwise_not", x);
}

static PyObject *compare(PyObject *x, PyObject *y, int op) {
    switch (op) {
    case Py_EQ: return equal(x, y);
    case Py_NE: return not_equal(x, y);
    case Py_LT: return less(x, y);
    case Py_LE: return less_equal(x, y);
    case Py_GT: return greater(x, y);
    default: return greater_equal(x, y);
    }
}

/* ------------------------------------------------------------------ one element as a number */

static bool one_element(PyObject *x) {
    if (wn_numel(wnpy_handle(x)) == 1) return true;
    PyErr_SetString(PyExc_ValueError, "only one element tensors can be converted to Python scalars");
    return false;
}
static int truth(PyObject *x) {
    wn_tensor *t = wnpy_handle(x);
    int64_t n = wn_numel(t);
    if (n != 1) {
        PyErr_Format(PyExc_RuntimeError, n ? "Boolean value of Tensor with more than one value is ambiguous" : "Boolean value of Tensor with no values is ambiguous");
        return -1;
    }
    PyObject *v = wnpy_item(x, NULL);
    int yes = v ? PyObject_IsTrue(v) : -1;
    Py_XDECREF(v);
    return yes;
}
static PyObject *to_float(PyObject *x) {
    PyObject *v = one_element(x) ? wnpy_item(x, NULL) : NULL;
    if (!v || PyFloat_CheckExact(v)) return v;
    Py_SETREF(v, PyNumber_Float(v));
    return v;
}
static PyObject *to_int(PyObject *x) {
    PyObject *v = one_element(x) ? wnpy_item(x, NULL) : NULL;
    if (v) Py_SETREF(v, PyNumber_Long(v));
    return v;
}
static PyObject *to_index(PyObject *x) {
    wn_dtype d = wn_dtype_of(wnpy_handle(x));
    if (wn_numel(wnpy_handle(x)) != 1 || d < WN_I8) {
        PyErr_SetString(PyExc_TypeError, "only integer tensors of a single element can be converted to an index");
        return NULL;
    }
    return to_int(x);
}

PyType_Slot wnpy_number_slots[] = {{Py_nb_add, add},
                                   {Py_nb_subtract, sub},
                                   {Py_nb_multiply, mul},
                                   {Py_nb_true_divide, divide},
                                   {Py_nb_floor_divide, floor_divide},
                                   {Py_nb_remainder, rem},
                                   {Py_nb_power, power},
                                   {Py_nb_and, and},
                                   {Py_nb_or, or},
                                   {Py_nb_xor, xor},
                                   {Py_nb_lshift, left_shift},
                                   {Py_nb_rshift, right_shift},
                                   {Py_nb_matrix_multiply, mat},
                                   {Py_nb_inplace_add, iadd},
                                   {Py_nb_inplace_subtract, isub},
                                   {Py_nb_inplace_multiply, imul},
                                   {Py_nb_inplace_true_divide, idivide},
                                   {Py_nb_inplace_floor_divide, ifloor_divide},
                                   {Py_nb_inplace_remainder, irem},
                                   {Py_nb_inplace_power, ipower},
                                   {Py_nb_inplace_and, iand},
                                   {Py_nb_inplace_or, ior},
                                   {Py_nb_inplace_xor, ixor},
                                   {Py_nb_inplace_lshift, ileft_shift},
                                   {Py_nb_inplace_rshift, iright_shift},
                                   {Py_nb_negative, negative},
                                   {Py_nb_positive, positive},
                                   {Py_nb_absolute, absolute},
                                   {Py_nb_invert, invert},
                                   {Py_nb_bool, truth},
                                   {Py_nb_float, to_float},
                                   {Py_nb_int, to_int},
                                   {Py_nb_index, to_index},
                                   {Py_tp_richcompare, compare},
                                   {0, NULL}};
