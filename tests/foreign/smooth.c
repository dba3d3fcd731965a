/* A smoothing filter for one-dimensional arrays.
 * PyArray_DATA in a comment is no reference. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION   //# NPY_NO_DEPRECATED_API
#include <numpy/arrayobject.h>   //# #include <numpy/arrayobject.h>
#include "numpy/ufuncobject.h"   //# #include "numpy/ufuncobject.h"
#include <math.h>

static const char *doc = "Calls PyArray_FROM_OTF on its argument";  // NPY_DOUBLE is only named here

static PyObject *
smooth_filter(PyObject *self, PyObject *args)
{
    PyObject *arg = NULL;
    PyArrayObject *in = NULL, *out = NULL;   //# PyArrayObject
    npy_intp i, n;   //# npy_intp
    char quote = '"'; /* "PyArray_DIM" */

    if (!PyArg_ParseTuple(args, "O:PyArray_filter", &arg)) {
        return NULL;
    }
    in = (PyArrayObject *)PyArray_FROM_OTF(arg, NPY_DOUBLE, NPY_ARRAY_IN_ARRAY);   //# PyArrayObject
    if (in == NULL) {
        return NULL;
    }
    n = PyArray_DIM(in, 0);   //# PyArray_DIM
    out = (PyArrayObject *)PyArray_SimpleNew(1, &n, NPY_DOUBLE);   //# PyArrayObject
    for (i = 1; i < n - 1; i++) {
        const double *x = (const double *)
            PyArray_GETPTR1(in, i);   //# PyArray_GETPTR1
        *(double *)PyArray_GETPTR1(out, i) = (x[-1] + x[0] + x[1]) / 3.0;   //# PyArray_GETPTR1
    }
    /*
    PyArray_INCREF(out);
    */
    Py_DECREF(in);
    return (PyObject *)out;
}

PyMODINIT_FUNC
PyInit__smooth(void)
{
    import_array();   //# import_array
    return NULL;
}
