package Work is
   type Color is (Red, Green, Blue);
   for Color use (Red => 1, Green => 10, Blue => 200);
   type Small is range 10 .. 25;
   subtype Digit is Integer range 0 .. 9;
   type Byte is mod 256;
   type Temp is delta 0.25 range -100.0 .. 100.0;
   type Row is array (3 .. 6) of Integer;
   type Grid is array (1 .. 2, 1 .. 3) of Short_Integer;
   type Bits is array (0 .. 11) of Boolean;
   pragma Pack (Bits);
   type Rec is record
      A : Small;
      D : Digit;
      E : Boolean;
      F : Byte;
      H : Row;
      N : String (1 .. 5);
   end record;
   type Packed is record
      A : Small;
      B : Small;
      E : Boolean;
      K : Bits;
   end record;
   for Packed use record
      A at 0 range 0 .. 3;
      B at 0 range 4 .. 7;
      E at 1 range 0 .. 0;
      K at 1 range 1 .. 12;
   end record;
   type Kind is (Circle, Square);
   type Shape (K : Kind := Circle) is record
      Id : Integer;
      case K is
         when Circle => Radius : Float;
         when Square => Side : Integer;
      end case;
   end record;
   type Buf (Len : Natural) is record
      First : Integer;
      One : String (1 .. Len);
      Two : String (1 .. Len);
   end record;
   procedure Scalars (C : Color; S : Small; D : Digit; B : Byte; Ok : Boolean; Ch : Character; T : Temp);
   procedure Objects (R : Rec; G : Grid; P : Packed; S : Shape; B : Buf);
end Work;
