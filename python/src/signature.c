/* The operation table as Python functions: rows of one name are the overloads of one function, tried in the table's order.
 * _C.functions(place) gives the dictionary of functions for torch, nn.functional, linalg and special; methods of Tensor (with
 * their in-place forms) become a method table.
 *
 * A method gets no data of its own from Python, so each has a function of its own (stub_0, stub_1, ...): a few
 * instructions that know its number. Calls are as fast as with hand-written functions, and no generator is needed.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#include "wnpy.h"

enum { MOST = 1024, OURS = 256 };
static Function *all_methods[MOST], *all_functions[MOST];
static int n_methods, n_functions;
static PyMethodDef method_defs[MOST + 1], function_defs[MOST + 1];
static uint32_t function_places[MOST];

#define STUB(i)                                                                                                        \
    static PyObject *method_##i(PyObject *s, PyObject *const *a, Py_ssize_t n, PyObject *k) {                          \
        return wnpy_call(all_methods[0x##i], s, a, n, k);                                                              \
    }                                                                                                                  \
    static PyObject *function_##i(PyObject *s, PyObject *const *a, Py_ssize_t n, PyObject *k) {                        \
        return (void)s, wnpy_call(all_functions[0x##i], NULL, a, n, k);                                                \
    }
#define STUBS(h)                                                                                                       \
    STUB(h##0) STUB(h##1) STUB(h##2) STUB(h##3) STUB(h##4) STUB(h##5) STUB(h##6) STUB(h##7)                            \
    STUB(h##8) STUB(h##9) STUB(h##a) STUB(h##b) STUB(h##c) STUB(h##d) STUB(h##e) STUB(h##f)
#define STUBS2(h)                                                                                                      \
    STUBS(h##0) STUBS(h##1) STUBS(h##2) STUBS(h##3) STUBS(h##4) STUBS(h##5) STUBS(h##6) STUBS(h##7)                    \
    STUBS(h##8) STUBS(h##9) STUBS(h##a) STUBS(h##b) STUBS(h##c) STUBS(h##d) STUBS(h##e) STUBS(h##f)
STUBS2(0) STUBS2(1) STUBS2(2) STUBS2(3)
#define NAME(kind, i) (PyCFunction)(void (*)(void))kind##_##i,
#define NAMES(k, h)                                                                                                    \
    NAME(k, h##0) NAME(k, h##1) NAME(k, h##2) NAME(k, h##3) NAME(k, h##4) NAME(k, h##5) NAME(k, h##6) NAME(k, h##7)    \
    NAME(k, h##8) NAME(k, h##9) NAME(k, h##a) NAME(k, h##b) NAME(k, h##c) NAME(k, h##d) NAME(k, h##e) NAME(k, h##f)
#define NAMES2(k, h)                                                                                                   \
    NAMES(k, h##0) NAMES(k, h##1) NAMES(k, h##2) NAMES(k, h##3) NAMES(k, h##4) NAMES(k, h##5) NAMES(k, h##6)           \
    NAMES(k, h##7) NAMES(k, h##8) NAMES(k, h##9) NAMES(k, h##a) NAMES(k, h##b) NAMES(k, h##c) NAMES(k, h##d)           \
    NAMES(k, h##e) NAMES(k, h##f)
static const PyCFunction method_stubs[MOST] = {NAMES2(method, 0) NAMES2(method, 1) NAMES2(method, 2) NAMES2(method, 3)};
static const PyCFunction function_stubs[MOST] = {NAMES2(function, 0) NAMES2(function, 1) NAMES2(function, 2) NAMES2(function, 3)};

/* ------------------------------------------------------------------ one row */

static const char *numpy_name(const char *name) {
    return !strcmp(name, "dim") ? "axis" : !strcmp(name, "keepdim") ? "keepdims" : !strcmp(name, "input") ? "x" : !strcmp(name, "other") ? "x2" : NULL;
}

static bool describe(Param *p, const wn_field *f, bool method) {
    const char *name = !method && !strcmp(f->torch, "self") ? "input" : f->torch, *alias = numpy_name(name);
    size_t n = strlen(f->type);
    *p = (Param){.name = PyUnicode_InternFromString(name), .type = f->type, .kind = f->kind, .optional = f->type[n - 1] == '?',
                 .required = !f->fallback, .keyword_only = f->keyword_only, .offset = f->offset};
    p->number = f->or_number;
    if (alias) p->alias = PyUnicode_InternFromString(alias);
    /* In int[2], int[1]? and the like, one number stands for all. */
    const char *bracket = strstr(f->type, "int[");
    p->single = bracket && bracket[4] != ']';
    p->base = !strncmp(f->type, "int", 3) ? 'i' : !strncmp(f->type, "float", 5) ? 'f' : !strncmp(f->type, "bool", 4) ? 'b' : 'n';
    return p->name && (!alias || p->alias);
}

/* The names of "-> (Tensor values, Tensor indices)" as a named tuple type. */
static PyTypeObject *result_type(const wn_op *op, int n) {
    static PyStructSequence_Field fields[WN_MAX_RESULTS + 1];
    static char text[160];
    const char *arrow = strstr(wn_op_signature(op), "-> (");
    if (!arrow) return NULL;
    char *name = PyMem_Malloc(96); /* not freed, like the type */
    if (!name) return NULL;
    snprintf(name, 96, "torch.return_types.%s", wn_op_name(op));
    snprintf(text, sizeof text, "%s", arrow + 4);
    char *rest = text;
    for (int i = 0; i < n; i++) {
        char *end = rest + strcspn(rest, ",)"), last = *end;
        *end = 0;
        char *space = strrchr(rest, ' ');
        fields[i] = (PyStructSequence_Field){PyMem_Malloc(64), NULL};
        if (!fields[i].name) return NULL;
        snprintf((char *)fields[i].name, 64, "%.63s", space ? space + 1 : rest);
        rest = last ? end + 1 : end;
    }
    fields[n] = (PyStructSequence_Field){NULL, NULL};
    return PyStructSequence_NewType(&(PyStructSequence_Desc){name, wn_op_signature(op), fields, n});
}

static Signature *make_signature(const wn_op *op, bool method, bool inplace) {
    int n;
    const wn_field *f = wn_op_fields(op, &n);
    Signature *s = PyMem_Calloc(1, sizeof *s);
    if (!s || !(s->p = PyMem_Calloc((size_t)n + 1, sizeof *s->p))) return NULL;
    s->op = op;
    s->size = wn_op_args_size(op);
    s->nresults = wn_op_results(op);
    s->creates = wn_op_creates(op);
    s->out_offset = wn_op_has_out(op) && !inplace ? s->size - sizeof(wn_tensor *) : 0;
    for (int i = 0; i < n; i++) {
        if (!strcmp(f[i].torch, "out")) continue;
        if (!describe(&s->p[s->n], &f[i], method)) return NULL;
        s->npos += !f[i].keyword_only;
        s->n++;
    }
    s->wants_tensor = wn_op_traits(op) & WN_WANTS_TENSOR;
    int first = method ? 1 : 0;
    s->loose_dims = s->npos == first + 1 && s->p[first].kind == WN_K_DIMS;
    if (!inplace && wn_op_traits(op) & WN_NAMES_RESULTS && !(s->result_type = result_type(op, s->nresults))) return NULL;
    return s;
}

/* ------------------------------------------------------------------ names */

static const char *python_name(const wn_op *op) {
    const char *name = wn_op_name(op);
    return !strncmp(name, "linalg_", 7) || !strncmp(name, "special_", 8) ? strchr(name, '_') + 1 : name;
}

static bool inplace_only(const wn_op *op) { /* "copy_", "uniform_": the row itself is the form that changes its argument */
    const char *name = wn_op_name(op);
    return name[strlen(name) - 1] == '_' && wn_op_has_inplace(op); /* "_fused_sgd_" changes lists: a plain call */
}

/* Adds a row to the function of its name in the list, making that if need be. */
static bool add(Function **list, PyMethodDef *defs, const PyCFunction *stubs, int *n, const wn_op *op, uint32_t places, bool method, bool inplace) {
    char name[80];
    snprintf(name, sizeof name, "%s%s", python_name(op), inplace ? "_" : "");
    Function *f = NULL;
    for (int i = 0; i < *n && !f; i++)
        if (!strcmp(list[i]->name, name) && (method || (function_places[i] & places))) {
            f = list[i];
            if (!method) function_places[i] |= places;
        }
    if (!f) {
        if (*n == MOST) return PyErr_SetString(PyExc_SystemError, "signature.c: more functions than stubs"), false;
        char *own = PyMem_Malloc(strlen(name) + 1);
        if (!own || !(f = PyMem_Calloc(1, sizeof *f))) return PyErr_NoMemory(), false;
        strcpy(own, name);
        *f = (Function){.name = own, .inplace = inplace || inplace_only(op), .method = method};
        list[*n] = f;
        if (!method) function_places[*n] = places;
        defs[*n] = (PyMethodDef){own, stubs[*n], METH_FASTCALL | METH_KEYWORDS, NULL};
        ++*n;
    }
    if (f->n == (int)(sizeof f->sig / sizeof *f->sig)) return PyErr_SetString(PyExc_SystemError, "signature.c: too many overloads"), false;
    return (f->sig[f->n++] = make_signature(op, method, inplace)) != NULL;
}

/* Sorts overloads that differ in one operand: a tensor comes first, since max(x, t) is not max(x, dim). */
static void order(Function *f) {
    for (int i = 1; i < f->n; i++)
        for (int k = i; k > 0 && f->sig[k]->n > 1 && f->sig[k]->p[1].required && f->sig[k]->p[1].kind == WN_K_TENSOR && f->sig[k - 1]->n > 1 &&
                        f->sig[k - 1]->p[1].kind == WN_K_INT;
             k--) {
            Signature *s = f->sig[k];
            f->sig[k] = f->sig[k - 1];
            f->sig[k - 1] = s;
        }
}

/* Completes a list's functions when they have all their overloads. */
static bool finish(Function **list, PyMethodDef *defs, int n) {
    for (int i = 0; i < n; i++) {
        order(list[i]);
        if (!(defs[i].ml_doc = wnpy_document(list[i]))) return false;
    }
    return true;
}

bool wnpy_signatures_init(PyObject *module) {
    (void)module;
    for (int i = 0; i < wn_op_count(); i++) {
        const wn_op *op = wn_op_at(i);
        uint32_t at = wn_op_places(op);
        if (at & WN_IN_TENSOR && !add(all_methods, method_defs, method_stubs, &n_methods, op, at, true, false)) return false;
        if (at & WN_IN_TENSOR && wn_op_has_inplace(op) && !inplace_only(op) &&
            !add(all_methods, method_defs, method_stubs, &n_methods, op, at, true, true))
            return false;
        at = at ? at & ~(uint32_t)WN_IN_TENSOR : OURS; /* not in torch: our own adapters use it */
        if (at && !add(all_functions, function_defs, function_stubs, &n_functions, op, at, false, false)) return false;
        if (at & (WN_IN_TORCH | WN_IN_NN) && wn_op_has_inplace(op) && !inplace_only(op) &&
            !add(all_functions, function_defs, function_stubs, &n_functions, op, at, false, true))
            return false;
    }
    return finish(all_methods, method_defs, n_methods) && finish(all_functions, function_defs, n_functions);
}

PyMethodDef *wnpy_methods(int *n) {
    *n = n_methods;
    return method_defs;
}

/* The module where pickle looks for a function. */
static const char *module_of(uint32_t places) {
    if (places & WN_IN_TORCH) return "torch";
    return places & WN_IN_NN ? "torch.nn.functional" : places & WN_IN_LINALG ? "torch.linalg" : places & WN_IN_SPECIAL ? "torch.special" : "torch";
}
/* functions(place) -> {name: function} */
static PyObject *functions(PyObject *self, PyObject *arg) {
    (void)self;
    uint32_t place = (uint32_t)PyLong_AsUnsignedLong(arg);
    PyObject *dict = PyErr_Occurred() ? NULL : PyDict_New();
    for (int i = 0; dict && i < n_functions; i++) {
        if (!(function_places[i] & place)) continue;
        PyObject *f = (PyObject *)all_functions[i]->callable;
        if (!f) {
            PyObject *module = PyUnicode_InternFromString(module_of(function_places[i]));
            all_functions[i]->callable = f = module ? PyCFunction_NewEx(&function_defs[i], NULL, module) : NULL;
            Py_XDECREF(module);
        }
        if (!f || PyDict_SetItemString(dict, all_functions[i]->name, f)) Py_CLEAR(dict);
    }
    return dict;
}
/* _link(): gives methods their own descriptors, which __torch_function__ is called with */
static PyObject *link_methods(PyObject *self, PyObject *unused) {
    (void)self, (void)unused;
    for (int i = 0; i < n_methods; i++) {
        all_methods[i]->callable = PyObject_GetAttrString((PyObject *)wnpy_Tensor, all_methods[i]->name);
        if (!all_methods[i]->callable) return NULL;
    }
    Py_RETURN_NONE;
}

/* _result_types() -> the named tuple types, so that Python can give them their text */
static PyObject *result_types(PyObject *self, PyObject *unused) {
    (void)self, (void)unused;
    PyObject *list = PyList_New(0);
    for (int k = 0; k < 2; k++)
        for (int i = 0; list && i < (k ? n_functions : n_methods); i++) {
            const Function *f = k ? all_functions[i] : all_methods[i];
            for (int j = 0; list && j < f->n; j++)
                if (f->sig[j]->result_type && PyList_Append(list, (PyObject *)f->sig[j]->result_type)) Py_CLEAR(list);
        }
    return list;
}

/* [(name, type, default or None, keyword only, may it be a number), ...] of an overload; a method's first is self */
static PyObject *parameters(const Signature *s) {
    int n;
    const wn_field *f = wn_op_fields(s->op, &n);
    PyObject *list = PyList_New(0);
    for (int i = 0, k = 0; list && i < n; i++) {
        if (!strcmp(f[i].torch, "out")) continue;
        if (s->creates && f[i].kind == WN_K_DEVICE) { /* torch's signatures do not have it either */
            k++;
            continue;
        }
        PyObject *one = Py_BuildValue("(OsziO)", s->p[k].name, f[i].type, f[i].fallback, (int)f[i].keyword_only, f[i].or_number ? Py_True : Py_False);
        if (!one || PyList_Append(list, one)) Py_CLEAR(list);
        Py_XDECREF(one);
        k++;
    }
    return list;
}

/* [(row, parameters, whether it is a factory, whether dims may be loose), ...] */
static PyObject *overloads(const Function *f) {
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < f->n; i++) {
        const Signature *s = f->sig[i];
        PyObject *one = Py_BuildValue("(sNii)", wn_op_signature(s->op), parameters(s), (int)s->creates, (int)s->loose_dims);
        if (!one || PyList_Append(list, one)) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

/* _signatures(place) -> {name: (in place, overloads)} of the functions there; of Tensor's methods for WN_IN_TENSOR */
static PyObject *signatures(PyObject *self, PyObject *arg) {
    (void)self;
    uint32_t place = (uint32_t)PyLong_AsUnsignedLong(arg);
    PyObject *dict = PyErr_Occurred() ? NULL : PyDict_New();
    bool method = place == WN_IN_TENSOR;
    for (int i = 0; dict && i < (method ? n_methods : n_functions); i++) {
        const Function *f = method ? all_methods[i] : all_functions[i];
        if (!method && !(function_places[i] & place)) continue;
        PyObject *value = Py_BuildValue("(iN)", (int)f->inplace, overloads(f));
        if (!value || PyDict_SetItemString(dict, f->name, value)) Py_CLEAR(dict);
        Py_XDECREF(value);
    }
    return dict;
}

bool wnpy_call_init(PyObject *module) {
    static PyMethodDef own[] = {{"functions", functions, METH_O, "functions(place) -> {name: function}"},
                                {"_link", link_methods, METH_NOARGS, NULL},
                                {"_signatures", signatures, METH_O, "_signatures(place) -> {name: (in place, overloads)}, for stubs"},
                                {"_result_types", result_types, METH_NOARGS, NULL},
                                {NULL, NULL, 0, NULL}};
    return PyModule_AddFunctions(module, own) == 0;
}
