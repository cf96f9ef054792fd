{ Free Pascal knows no location lists: optimised, a variable has one register for all of its function, which has others in
  it as well. The program prints its own values. }
program work;
{$mode objfpc}
type
  Rec = record a: Integer; b: Double; end;
  PRec = ^Rec;
var
  total: Int64;
  r: Rec;
  j, v: Integer;

procedure Sum(n: SmallInt; p: PRec; const list: array of Integer; flag: Boolean; w: Word; tiny: Byte; var sent: Integer);
var
  i, all: Integer;
begin
  all := 0;
  for i := Low(list) to High(list) do
    all := all + list[i];
  total := total + all;
  WriteLn('sum ', w, ' ', tiny, ' ', n, ' ', p^.a, ' ', flag, ' ', all); { summed }
  sent := sent + n;
end;

begin
  v := 5;
  for j := 1 to 3 do begin
    r.a := j;
    r.b := j / 4;
    Sum(-j, @r, [j, 2, 3], j > 1, 65535 - j, 255 - j, v);
  end;
end.
