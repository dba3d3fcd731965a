      SUBROUTINE SCALE(X, N)
C     SCALES X
Cf2py intent(inout) x !# Cf2py
cf2py intent(hide) n !# cf2py
      INTEGER N
      REAL*8 X(N)
      END
