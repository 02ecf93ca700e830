/* Generator objects. The default generator is the one with g == NULL.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "wnpy.h"

typedef struct GeneratorObject {
    PyObject_HEAD
    wn_generator *g; /* NULL: the default generator */
    PyObject *weak;
} GeneratorObject;
static PyTypeObject *generator_type;
static PyObject *default_generator;
#define G(self) (((GeneratorObject *)(self))->g)

static PyObject *new_generator(PyTypeObject *type, bool own) {
    GeneratorObject *o = (GeneratorObject *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (o && own && !(o->g = wn_generator_new(67280421310721))) { /* torch's default seed */
        Py_DECREF(o);
        return PyErr_NoMemory();
    }
    return (PyObject *)o;
}
static PyObject *generator_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"device", NULL};
    PyObject *device = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:Generator", names, &device)) return NULL;
    PyObject *name = device && device != Py_None ? PyObject_Str(device) : NULL;
    const char *text = name ? PyUnicode_AsUTF8AndSize(name, NULL) : "cpu";
    if (!text || strncmp(text, "cpu", 3)) {
        if (text) PyErr_Format(PyExc_RuntimeError, "Generator: device '%s' is not available: winnow computes on the CPU", text);
        Py_XDECREF(name);
        return NULL;
    }
    Py_XDECREF(name);
    return new_generator(type, true);
}
static void generator_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    wn_generator_free(G(self));
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

int wnpy_to_generator(PyObject *o, wn_generator **g) {
    if (!PyObject_TypeCheck(o, generator_type)) return 0;
    *g = G(o);
    return 1;
}

static bool seed_of(PyObject *o, uint64_t *seed) {
    PyObject *i = PyNumber_Index(o);
    if (!i) return false;
    *seed = PyLong_AsUnsignedLongLong(i);
    if (PyErr_Occurred()) {
        PyErr_Clear();
        *seed = (uint64_t)PyLong_AsLongLong(i);
        if (PyErr_Occurred()) {
            PyErr_Clear();
            PyErr_Format(PyExc_RuntimeError, "Overflow when unpacking long: a seed lies in [-0x8000_0000_0000_0000, 0xffff_ffff_ffff_ffff], got %R", i);
            Py_DECREF(i);
            return false;
        }
    }
    Py_DECREF(i);
    return true;
}

static PyObject *manual_seed(PyObject *self, PyObject *arg) {
    uint64_t seed;
    if (!seed_of(arg, &seed)) return NULL;
    wn_generator_seed(G(self), seed);
    return Py_NewRef(self);
}
static PyObject *initial_seed(PyObject *self, PyObject *unused) {
    return (void)unused, PyLong_FromUnsignedLongLong(wn_generator_initial_seed(G(self)));
}
static PyObject *get_state(PyObject *self, PyObject *unused) { /* bytes, of which winnow/random.py makes a tensor */
    (void)unused;
    size_t n = wn_generator_state(G(self), NULL, 0);
    PyObject *b = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)n);
    if (b) wn_generator_state(G(self), PyBytes_AsString(b), n);
    return b;
}
static PyObject *set_state(PyObject *self, PyObject *bytes) {
    char *p;
    Py_ssize_t n;
    if (PyBytes_AsStringAndSize(bytes, &p, &n)) return NULL;
    if (wn_generator_set_state(G(self), p, (size_t)n)) return wnpy_raise();
    return Py_NewRef(self);
}

bool wnpy_random_init(PyObject *module) {
    static PyMethodDef methods[] = {{"manual_seed", manual_seed, METH_O, "manual_seed(seed) -> self"},
                                    {"initial_seed", initial_seed, METH_NOARGS, "The seed it was given last."},
                                    {"_get_state", get_state, METH_NOARGS, NULL},
                                    {"_set_state", set_state, METH_O, NULL},
                                    {NULL, NULL, 0, NULL}};
    static PyType_Slot slots[] = {{Py_tp_new, generator_new}, {Py_tp_dealloc, generator_dealloc}, {Py_tp_methods, methods},
                                  {Py_tp_doc, "Generator(device='cpu')\n--\n\nA stream of random numbers."}, {0, NULL}};
    static PyType_Spec spec = {"torch.Generator", sizeof(GeneratorObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    generator_type = (PyTypeObject *)PyType_FromSpec(&spec);
    default_generator = generator_type ? new_generator(generator_type, false) : NULL;
    return default_generator && PyModule_AddObjectRef(module, "Generator", (PyObject *)generator_type) == 0 &&
           PyModule_AddObjectRef(module, "default_generator", default_generator) == 0;
}
