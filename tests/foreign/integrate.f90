subroutine integrate(u, n, dt)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: u(n)
  real(8), intent(in) :: dt
  !f2py intent(inplace) u !# !f2py
  !f2py integer intent(hide), depend(u) :: n = shape(u, 0) !# !f2py
  ! numpy calls this with f2py
  u = u + dt
end subroutine integrate
