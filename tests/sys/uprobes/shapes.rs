// SPDX-License-Identifier: GPL-2.0-only
// Functions of every kind of name, that print what they were given; ktrace must find them by the same
// names and see the same.
fn black_box<T>(value: T) -> T {
    let mut held = value;
    unsafe { std::ptr::read_volatile(&mut held as *mut T as *mut u8) };
    held
}

mod shapes {
    use super::black_box;

    pub mod deep {
        #[inline(never)]
        pub fn plain(count: i32, wide: u64, flag: bool, tiny: i8) -> i64 {
            println!("plain {} {} {} {}", count, wide, flag as u8, tiny);
            super::black_box(i64::from(count) * 2 + wide as i64)
        }
    }

    pub struct Square {
        pub side: u32,
        pub name: &'static str,
    }

    impl Square {
        #[inline(never)]
        pub fn grow(&self, by: u32) -> u32 {
            println!("grow {} {} {}", by, self.side, self.name.len());
            black_box(self.side + by)
        }
    }

    pub trait Area {
        fn area(&self, scale: u32) -> u32;
    }

    impl Area for Square {
        #[inline(never)]
        fn area(&self, scale: u32) -> u32 {
            println!("area {} {}", scale, self.side);
            black_box(self.side * self.side * scale)
        }
    }

    #[inline(never)]
    pub fn generic<T: std::fmt::Display + Copy>(value: T, round: u16) -> T {
        println!("generic {} {}", value, round);
        black_box(value)
    }
}

#[derive(Clone, Copy)]
#[repr(u8)]
pub enum Color {
    Red = 1,
    Green = 5,
}

#[inline(never)]
fn chosen(color: Color, maybe: Option<u32>, text: &str, pair: (i16, i32)) -> usize {
    println!("chosen {} {} {} {} {}", color as u8, maybe.unwrap_or(77), text, pair.0, pair.1);
    black_box(text.len())
}

#[inline(never)]
fn call(each: &dyn Fn(u32) -> u32, with: u32) -> u32 {
    black_box(each(with))
}

fn main() {
    use shapes::Area;
    let mut sum = 0;

    for round in 0..7u32 {
        let square = shapes::Square { side: round * 3, name: if round & 1 == 1 { "odd" } else { "even" } };
        sum += shapes::deep::plain(round as i32 - 3, u64::MAX - u64::from(round), round & 1 == 0, -(round as i8));
        sum += i64::from(square.grow(round) + square.area(round + 1));
        sum += i64::from(shapes::generic(round as i32 - 9, round as u16));
        sum += i64::from(shapes::generic(round as u8, 1000));
        let color = if round & 2 == 2 { Color::Red } else { Color::Green };
        let maybe = if round & 1 == 1 { Some(round * 11) } else { None };
        sum += chosen(color, maybe, &"some text"[round as usize..], (round as i16 * -5, 70000)) as i64;
        sum += i64::from(call(&|v| { println!("closure {} {}", v, round); v ^ round }, round + 40));
    }
    black_box(sum);
}
