def fac: if . <= 1 then 1 else . * (. - 1 | fac) end;
def path_of($p): getpath($p) // "none";
[.people[] | select(.age > 20) | {name, age, up: (.name | ascii_upcase), tags: (.tags | sort | unique)}]
  | group_by(.age % 3) as $groups
  | {
      groups: [$groups[] | map(.name)],
      ages: [.[].age] | {min: min, max: max, sum: add, mean: (add / length)},
      fac: [range(1; 8) | fac],
      text: ("a,b,,c" | split(",") | join("-")),
      number: [1e3, 0.1, -2.5e-7, 123456789012, 3.0, 1.7976931348623157e308],
      paths: ([paths(type == "number")] | length),
      reduced: (reduce range(0; 20) as $i ({}; .["k\($i % 7)"] += $i)),
      each: [foreach range(0; 5) as $i (0; . + $i; [$i, .])],
      caught: (try error("x") catch "caught \(.)"),
      deep: ([[1, [2, [3]]]] | flatten),
      entries: ({a: 1, b: 2} | to_entries | map(.value += 1) | from_entries),
      slices: ([range(10)] | .[2:5], .[-2:]),
      limited: [limit(3; repeat(1))],
      json: ("[1,{\"a\":\"\\u00e9\\n\"}]" | fromjson | tojson),
      label: [label $out | range(0; 10) | if . > 3 then break $out else . end],
      base: ("hello" | @base64, @uri "x=\("a b")", @html "<\("&")>", @sh "echo \("it's")"),
      none: ({} | path_of(["q", "r"])),
      assigned: ({a: [1, 2, 3]} | .a[1] |= . * 10 | .b.c = 5 | del(.a[0])),
      order: ([3, "a", null, true, {"z": 1}, [1]] | sort),
      until: (1 | until(. > 100; . * 3))
    }
