! SPDX-License-Identifier: GPL-2.0-only
! Loops: gfortran says that the nop behind one is of the last statement in it. It says how often each marked line is passed.
program loops
  implicit none
  integer :: i, j, n, total, list(3)
  total = 0
  list = [3, 1, 2]
  do n = 1, 3
    do i = 1, n ! outer
      do j = 1, 2 ! inner
        total = total + i * j ! body
      end do
    end do
    call skip(n)
    total = total + sum(list(:n)) + maxval(list(:n)) ! twice
  end do
  ! n is 1, 2 and 3
  write(*, '(a,i0)') 'outer ', 2 + 3 + 4
  write(*, '(a,i0)') 'inner ', (1 + 2 + 3) * 3
  write(*, '(a,i0)') 'body ', (1 + 2 + 3) * 2
  write(*, '(a,i0)') 'test ', (1 + 2 + 3) * 2
  write(*, '(a,i0)') 'rest ', 1 + 2 + 3
contains
  subroutine skip(n)
    integer, intent(in) :: n
    integer :: i, j
    do i = 1, n
      do j = 1, 2
        if (j == 2) cycle ! test
        total = total + j ! rest
      end do
    end do
  end subroutine
end program
