import numpy as np

m = np.ma.masked_less([1, 2], 0)  # ? array masked
a = m + 1  # ? array masked
a = m > 1  # ? array masked
a = m[1:]  # ? array masked
a = np.sqrt(m)  # ? array masked
a = np.sum(m, axis=0)  # ? array masked
a = m.mean(0)  # ? array masked
a = m.filled(0)  # ? unknown
a = np.asarray(m)  # ? array
a = np.ma.getdata(m)  # ? array
a = np.argsort(m)  # ? array
d = np.array(["2020-01-01"], dtype="datetime64[D]")  # ? array datetime
a = np.diff(d)  # ? array datetime
a = d > d[0]  # ? array bool
t = np.zeros(3, [("x", float)])  # ? array structured
a = t["x"]  # ? array
a = t[0]  # ? array structured
s = np.array([1, 2], dtype="U3")  # ? array str
a = np.unique(s)  # ? array str 1d
a = np.isin(s, s)  # ? array
q = np.asmatrix([[1, 2]])  # ? array matrix 2d
a = q * q  # ? array matrix 2d
a = np.linalg.inv(q)  # ? array matrix 2d
o = np.empty(3, dtype=object)  # ? array 1d
a = np.genfromtxt("x.csv", usemask=True)  # ? array masked
a = np.where(m > 1, m, 0)  # ? array masked
