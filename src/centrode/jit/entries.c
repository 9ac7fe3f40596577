/* Calls packed kernels from Python: arguments to eight-byte words, machine code, result to Python.

   What centrode.jit.pack.Entry does by ctypes, a tenth of the time (an array costs ctypes three microseconds, a record
   sixty). Made ahead of time with the pack (tools/build_pack.py), for every Python from 3.11 on: the limited API.

   A program says what the arguments are, a letter for each:
     d float64   q int64   ? boolean   D complex128   a array (its number of dimensions follows)   r record
     ( n ...     a tuple of n
   Arrays and records take one thing each from a tuple: their dtype. What is given back is said the same way, with
     v nothing   e a member of an enumeration   n n ... a named tuple; the last two take their class. */

#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

typedef int (*Kernel)(void *result, const int64_t *words);

typedef struct {
    PyObject_HEAD
    Kernel kernel;
    PyObject *takes, *taken, *gives, *given, *refuse; /* programs, their things, who says what is wrong */
    Py_ssize_t words, size;
} Entry;

static PyObject *dtype_name;

static int wrong(const char *what) {
    PyErr_SetString(PyExc_TypeError, what);
    return -1;
}

static int same_dtype(PyObject *value, PyObject *wanted) {
    PyObject *own = PyObject_GenericGetAttr(value, dtype_name); /* a record's own way to its fields is slow */
    if (own == NULL) return -1;
    int same = own == wanted ? 1 : PyObject_RichCompareBool(own, wanted, Py_EQ);
    Py_DECREF(own);
    return same;
}

static int put_array(PyObject *value, int dimensions, PyObject *dtype, int64_t **words) {
    static const char other[] = "an array of another type, shape or order, or one that cannot be written to";
    Py_buffer view;
    int same = same_dtype(value, dtype);
    if (same != 1) return same == 0 ? wrong(other) : -1;
    if (PyObject_GetBuffer(value, &view, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) != 0) return wrong(other);
    int fits = view.ndim == dimensions;
    if (fits) {
        int64_t *at = *words, count = 1;
        for (int k = 0; k < dimensions; k++) {
            count *= view.shape[k];
            at[5 + k] = view.shape[k];
            at[5 + dimensions + k] = view.strides[k];
        }
        at[0] = at[1] = 0; /* nobody counts references */
        at[2] = count, at[3] = view.itemsize, at[4] = (int64_t)(intptr_t)view.buf;
        *words = at + 5 + 2 * dimensions;
    }
    PyBuffer_Release(&view); /* the caller holds the array */
    return fits ? 0 : wrong(other);
}

static int put_record(PyObject *value, PyObject *dtype, int64_t **words) {
    Py_buffer view;
    int same = same_dtype(value, dtype);
    if (same != 1) return same == 0 ? wrong("a record of another type") : -1;
    if (PyObject_GetBuffer(value, &view, PyBUF_SIMPLE) != 0) return -1;
    *(*words)++ = (int64_t)(intptr_t)view.buf;
    PyBuffer_Release(&view);
    return 0;
}

static int put_double(PyObject *value, int64_t **words) {
    double number = PyFloat_AsDouble(value);
    if (number == -1.0 && PyErr_Occurred()) return -1;
    memcpy((*words)++, &number, sizeof number);
    return 0;
}

static int put_part(PyObject *value, const char *part, int64_t **words) {
    PyObject *number = PyObject_GetAttrString(value, part);
    if (number == NULL) return -1;
    int failed = put_double(number, words);
    Py_DECREF(number);
    return failed;
}

static int put(PyObject *value, const char **program, PyObject *things, Py_ssize_t *thing, int64_t **words) {
    switch (*(*program)++) {
    case 'd': return put_double(value, words);
    case 'q': {
        PyObject *whole = PyNumber_Index(value);
        if (whole == NULL) return -1;
        *(*words)++ = PyLong_AsLongLong(whole);
        Py_DECREF(whole);
        return (*words)[-1] == -1 && PyErr_Occurred() ? -1 : 0;
    }
    case '?': {
        int truth = PyObject_IsTrue(value);
        *(*words)++ = truth;
        return truth < 0 ? -1 : 0;
    }
    case 'D': return put_part(value, "real", words) || put_part(value, "imag", words) ? -1 : 0;
    case 'a': {
        int dimensions = *(*program)++;
        return put_array(value, dimensions, PyTuple_GetItem(things, (*thing)++), words);
    }
    case 'r': return put_record(value, PyTuple_GetItem(things, (*thing)++), words);
    case '(': {
        Py_ssize_t count = (unsigned char)*(*program)++;
        Py_ssize_t length = PySequence_Size(value);
        if (length < 0) return -1;
        if (length != count) return wrong("a tuple of another length");
        for (Py_ssize_t k = 0; k < count; k++) {
            PyObject *item = PySequence_GetItem(value, k);
            if (item == NULL) return -1;
            int failed = put(item, program, things, thing, words);
            Py_DECREF(item);
            if (failed) return -1;
        }
        return 0;
    }
    }
    return wrong("a program of another layout");
}

static const char *aligned(const char *at, const char *first, Py_ssize_t to) {
    return first + (at - first + to - 1) / to * to;
}

static PyObject *get(const char **program, PyObject *things, Py_ssize_t *thing, const char **at, const char *first) {
    char kind = *(*program)++;
    double number;
    int64_t whole;
    switch (kind) {
    case 'v': Py_RETURN_NONE;
    case 'd':
        *at = aligned(*at, first, 8);
        memcpy(&number, *at, 8), *at += 8;
        return PyFloat_FromDouble(number);
    case 'q':
    case 'e': {
        *at = aligned(*at, first, 8);
        memcpy(&whole, *at, 8), *at += 8;
        if (kind == 'q') return PyLong_FromLongLong(whole);
        return PyObject_CallFunction(PyTuple_GetItem(things, (*thing)++), "L", (long long)whole);
    }
    case '?': return PyBool_FromLong(*(*at)++);
    case '(':
    case 'n': {
        PyObject *named = kind == 'n' ? PyTuple_GetItem(things, (*thing)++) : NULL;
        Py_ssize_t count = (unsigned char)*(*program)++;
        PyObject *made = PyTuple_New(count);
        for (Py_ssize_t k = 0; made != NULL && k < count; k++) {
            PyObject *item = get(program, things, thing, at, first);
            if (item == NULL || PyTuple_SetItem(made, k, item) != 0) {
                Py_DECREF(made);
                return NULL;
            }
        }
        if (made == NULL || named == NULL) return made;
        PyObject *whole_thing = PyObject_CallObject(named, made);
        Py_DECREF(made);
        return whole_thing;
    }
    }
    wrong("a program of another layout");
    return NULL;
}

static PyObject *entry_call(PyObject *object, PyObject *arguments, PyObject *names) {
    Entry *self = (Entry *)object;
    int64_t words[self->words + 1], result[self->size / 8 + 2];
    int64_t *at = words;
    const char *program = PyBytes_AsString(self->takes), *end = program + PyBytes_Size(self->takes);
    Py_ssize_t count = PyTuple_Size(arguments), thing = 0, k = 0;
    int failed = names != NULL && PyDict_Size(names) > 0 ? wrong("arguments by name") : 0;
    for (; !failed && k < count; k++) {
        failed = program == end ? wrong("too many arguments")
                                : put(PyTuple_GetItem(arguments, k), &program, self->taken, &thing, &at);
    }
    if (!failed && program != end) failed = wrong("too few arguments");
    if (failed) {
        PyObject *kind, *error, *trace, *said;
        PyErr_Fetch(&kind, &error, &trace);
        PyErr_NormalizeException(&kind, &error, &trace);
        said = PyObject_CallFunctionObjArgs(self->refuse, arguments, error, NULL); /* raises */
        Py_XDECREF(said), Py_XDECREF(kind), Py_XDECREF(error), Py_XDECREF(trace);
        return NULL;
    }
    int status;
    Py_BEGIN_ALLOW_THREADS
    status = self->kernel(result, words);
    Py_END_ALLOW_THREADS
    if (status != 0) {
        PyErr_SetString(PyExc_RuntimeError, "a packed kernel failed");
        return NULL;
    }
    const char *returns = PyBytes_AsString(self->gives), *from = (const char *)result;
    thing = 0;
    return get(&returns, self->given, &thing, &from, from);
}

static PyObject *entry_new(PyTypeObject *type, PyObject *arguments, PyObject *names) {
    unsigned long long address;
    PyObject *takes, *taken, *gives, *given, *refuse;
    Py_ssize_t words, size;
    (void)names;
    if (!PyArg_ParseTuple(arguments, "KSOSOnnO", &address, &takes, &taken, &gives, &given, &words, &size, &refuse))
        return NULL;
    allocfunc make = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Entry *self = (Entry *)make(type, 0);
    if (self == NULL) return NULL;
    self->kernel = (Kernel)(uintptr_t)address;
    self->words = words, self->size = size;
    Py_INCREF(takes), Py_INCREF(taken), Py_INCREF(gives), Py_INCREF(given), Py_INCREF(refuse);
    self->takes = takes, self->taken = taken, self->gives = gives, self->given = given, self->refuse = refuse;
    return (PyObject *)self;
}

static void entry_free(PyObject *object) {
    Entry *self = (Entry *)object;
    PyTypeObject *type = Py_TYPE(object);
    Py_XDECREF(self->takes), Py_XDECREF(self->taken), Py_XDECREF(self->gives), Py_XDECREF(self->given);
    Py_XDECREF(self->refuse);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyType_Slot slots[] = {
    {Py_tp_new, entry_new}, {Py_tp_call, entry_call}, {Py_tp_dealloc, entry_free}, {0, NULL},
};
static PyType_Spec spec = {"centrode.jit.entries.Entry", sizeof(Entry), 0, Py_TPFLAGS_DEFAULT, slots};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "entries", NULL, -1, NULL, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_entries(void) {
    PyObject *made = PyModule_Create(&module), *type = PyType_FromSpec(&spec);
    dtype_name = PyUnicode_InternFromString("dtype");
    if (made == NULL || type == NULL || dtype_name == NULL || PyModule_AddObjectRef(made, "Entry", type) != 0) {
        Py_XDECREF(made), Py_XDECREF(type);
        return NULL;
    }
    Py_DECREF(type);
    return made;
}
