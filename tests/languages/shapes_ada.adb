with Work; use Work;
procedure Shapes_Ada is
   R : Rec := (12, 7, True, 200, (30, 40, 50, 60), "hello");
   P : constant Packed := (13, 20, True, (2 | 5 => True, others => False));
   S : constant Shape := (Square, 77, 8);
   B : constant Buf := (4, 11, "abcd", "efgh");
begin
   for I in 1 .. 3 loop
      Scalars (Color'Val (I mod 3), Small (10 + I), I, Byte (250 + I), I = 2, 'q', Temp (I) + 0.25);
      R.H (3) := 30 + I;
      Objects (R, ((1, 2, 3), (4, 5, Short_Integer (-I))), P, S, B);
   end loop;
end Shapes_Ada;
