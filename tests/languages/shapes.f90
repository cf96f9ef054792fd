! Each subroutine prints what the test asks ktrace for, value by value.
module shapes
  implicit none
  type :: point
    real(8) :: x
    integer :: tag(2:4)
    logical :: on
    character(len=6) :: name
  end type
  type :: holder
    integer :: before
    integer, allocatable :: inside(:)
  end type
contains
  subroutine fixed(a, m, n, flag, word, p, small, big)
    integer, intent(in) :: a(5), m(2,3), n
    logical, intent(in) :: flag
    character(len=4), intent(in) :: word
    type(point), intent(in) :: p
    integer(1), intent(in) :: small
    integer(8), intent(in) :: big
    integer :: loc(-2:2), i
    do i = -2, 2
      loc(i) = 10 * i + n
    end do
    write(*, '(*(g0, 1x))') 'fixed', a, m(1,:), m(2,:), n, flag, word, p%x, p%tag, p%on, p%name, small, big, &
      loc, a(1), a(5), m(1,2), m(2,3), m(2,:), loc(-2), loc(2), loc(-1), loc(0), p%tag(4), p%name(1:1) ! fixed
  end subroutine
  subroutine shaped(a, s, h)
    integer, intent(in) :: a(:)
    character(len=*), intent(in) :: s
    type(holder), intent(in) :: h
    integer :: auto(size(a))
    auto = a + 1
    write(*, '(*(g0, 1x))') 'shaped', auto(1), auto(3), h%before, s, a, h%inside ! shaped
  end subroutine
end module
program main
  use shapes
  implicit none
  type(holder) :: h
  integer :: i
  allocate(h%inside(2))
  h%inside = 5
  do i = 1, 3
    h%before = -i
    call fixed([1*i,2,3,4,5], reshape([11,21,12,22,13,23*i],[2,3]), i, i==2, 'abcd', &
      point(1.5d0*i, [7,8,9*i], i/=2, 'hello'), -3_1, 123456789012_8)
    call shaped([5,6,7*i], 'text', h)
  end do
end program
