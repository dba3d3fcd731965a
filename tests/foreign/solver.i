%module solver
%{
#define SWIG_FILE_WITH_INIT
#include "solver.h"
%}
%include "numpy.i"   //# %include "numpy.i"
%init %{
import_array();   //# import_array
%}
// %apply (double* IN_ARRAY1, int DIM1) {(double* unused, int m)};
%apply (double* IN_ARRAY1, int DIM1) {(double* rhs, int n)};   //# IN_ARRAY1
%apply (double* INPLACE_ARRAY2, int DIM1, int DIM2) {(double* state, int rows, int columns)};   //# INPLACE_ARRAY2
%apply (double* ARGOUT_ARRAY1, int DIM1) {(double* out, int n)};   //# ARGOUT_ARRAY1
%numpy_typemaps(long double, NPY_LONGDOUBLE, int)   //# %numpy_typemaps
%include "solver.h"
