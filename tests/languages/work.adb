with Ada.Text_IO; use Ada.Text_IO;
package body Work is
   function Img (N : Integer) return String is (N'Image);
   procedure Scalars (C : Color; S : Small; D : Digit; B : Byte; Ok : Boolean; Ch : Character; T : Temp) is
   begin
      Put_Line ("scalars " & "work__" & (case C is when Red => "red", when Green => "green", when Blue => "blue")
         & S'Image & D'Image & B'Image & " " & Ok'Image & " " & Ch); -- scalars
   end Scalars;
   procedure Objects (R : Rec; G : Grid; P : Packed; S : Shape; B : Buf) is
   begin
      Put_Line ("objects" & R.A'Image & R.D'Image & " " & R.E'Image & R.F'Image & Img (R.H (3)) & Img (R.H (4))
         & Img (R.H (5)) & Img (R.H (6)) & " " & R.N & G (1, 1)'Image & G (1, 2)'Image & G (1, 3)'Image
         & G (2, 1)'Image & G (2, 2)'Image & " " & G (2, 3)'Image & Img (R.H (3)) & Img (R.H (6))
         & " " & G (2, 3)'Image
         & G (1, 1)'Image & " " & P.E'Image & Img (S.Id) & Img (B.First)); -- objects
   end Objects;
end Work;
