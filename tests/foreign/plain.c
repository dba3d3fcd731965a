/* numpy is only mentioned: PyArray_DATA. */
#include <stdio.h>
#include "my_numpy_like.h"

int main(void)
{
    puts("numpy/arrayobject.h");  // npy_intp
    return MY_NPY_FLAG + mynpy_count;
}
