# cython: boundscheck=False
"""Pairwise distances; np.ndarray in a docstring is no reference."""
import numpy as np   ## import numpy as np
cimport numpy as cnp   ## cimport numpy as cnp
from numpy cimport ndarray, float64_t as real   ## from numpy cimport ndarray, float64_t as real
from libc.math cimport sqrt

cnp.import_array()   ## cnp


def pairwise(cnp.ndarray[real, ndim=2] x):   ## cnp
    cdef Py_ssize_t i, j, n = x.shape[0]
    cdef double[:, ::1] out = np.empty((n, n))   ## double[:, ::1] out
    cdef real total   ## real
    row = x[:] if n else None
    for i in range(n):
        for j in range(n):
            out[i, j] = sqrt(x[i, j])  # np.sqrt would be slow
    text = "np.asarray"
    self.np.unrelated()
    return np.asarray(out)   ## np


cdef double total(const double[:] values) nogil:   ## double[:] values
    return values[0]


def view(size_t n, double *data):
    return <double[:n]> data   ## <double[:n]>
