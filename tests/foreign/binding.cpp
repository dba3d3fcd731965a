#include <pybind11/pybind11.h>
#include <pybind11/numpy.h>   //# #include <pybind11/numpy.h>

namespace py = pybind11;

const char *text = R"doc(
    py::array_t<double> in a raw string
    // " not a comment
)doc";

py::array_t<double> twice(py::array_t<double, py::array::c_style> x) {   //# py::array_t
    auto buffer = x.request();
    return x;
}
