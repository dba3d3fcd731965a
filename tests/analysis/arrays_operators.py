import numpy as np

f = np.zeros((2, 3))
g = np.ones(3, np.float32)
i = np.arange(3)

r = f + 1  #? array float64 2d
r = 1 - f  #? array float64 2d
r = f * g  #? array float64 2d
r = g + g  #? array float32 1d
r = i / 2  #? array float64 1d
r = f > 0  #? array bool 2d
r = ~(f > 0)  #? array bool 2d
r = -i  #? array int64 1d
r = f @ g  #? array float64
r = f.T  #? array float64 2d
r = f[0]  #? array float64 1d
r = f[0, 1]  #? array float64 0d
r = f[:, 1:]  #? array float64 2d
r = f[None]  #? array float64 3d
r = f[..., 0]  #? array float64 1d
r = f[i > 0]  #? array float64
r = f.shape  #? shape
r = f.shape[0]  #? scalar
r = f.ndim  #? scalar
r = f.dtype  #? dtype
r = f.sum()  #? array float64 0d
r = f.sum(axis=0)  #? array float64 1d
r = f.sum(axis=0, keepdims=True)  #? array float64
r = np.sum(f, 1)  #? array float64 1d
r = np.mean(i)  #? array float64 0d
r = np.argmax(f, axis=1)  #? array int64 1d
r = f.sum(1)  #? array float64 1d
r = f.astype(np.int32)  #? array int32 2d
r = f.astype(kind)  #? array 2d
r = f.reshape(-1)  #? array float64 1d
r = f.reshape(3, 2)  #? array float64 2d
r = f.ravel()  #? array float64 1d
r = f.tolist()  #? list
r = np.sqrt(i)  #? array float64 1d
r = np.sqrt(2)  #? array 0d
r = np.where(f > 0)  #? tuple
r = np.linalg.svd(f)  #? tuple
r = f if x else g  #? array
r = f if x else None  #? array float64 2d likely
r = not f  #? scalar
r = unknown + 1  #? unknown
r = unknown + f  #? array likely
r = "a" + "b"  #? str
r = [1] + [2]  #? list
r = f.nothing  #? unknown
r = f.nothing()  #? unknown
