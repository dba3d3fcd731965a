# numpy is not imported here
cdef class Counter:
    cdef int[:] buffer

    def total(self, int[:] values):
        return len(values)
