import numpy as np

a = np.zeros(3)  #? array float64 1d
a = np.zeros((2, 3))  #? array float64 2d
a = np.zeros((2, 3), np.float32)  #? array float32 2d
a = np.zeros((2, 3), dtype="f4")  #? array float32 2d
a = np.zeros(n)  #? array float64
a = np.full(3, 1)  #? array int64 1d
a = np.eye(3)  #? array float64 2d
a = np.linspace(0, 1, 5)  #? array float64 1d
a = np.arange(3)  #? array int64 1d
a = np.arange(0.0, 3.0)  #? array float64 1d
a = np.arange(n)  #? array 1d
a = np.array([1, 2])  #? array int64 1d
a = np.array([[1.0, 2], [3, 4]])  #? array float64 2d
a = np.array([1, x])  #? array
a = np.asarray(x)  #? array
a = np.asarray(x, dtype=float)  #? array float64
a = np.asarray(x, dtype=kind)  #? array
a = np.zeros_like(np.ones((2, 2), int))  #? array int64 2d
a = np.random.rand(3)  #? array float64 1d
a = np.random.default_rng(0)  #? rng
a = np.random.default_rng(0).normal(size=3)  #? array 1d
a = np.ma.array([1])  #? array masked
a = np.load("a.npy")  #? unknown
a = np.shape(x)  #? shape
a = np.float32  #? dtype
a = np.pi  #? scalar
a = "text"  #? str
a = None  #? none
a = [1, 2]  #? list
a = (1, 2)  #? tuple
a = {}  #? dict
a = 1.5  #? scalar
a = unknown  #? unknown
a = np.mgrid[0:3, 0:4]  #? array 3d
a = np.mgrid[0:3]  #? array
b, c = np.mgrid[0:3, 0:4]
a = c  #? array 2d
