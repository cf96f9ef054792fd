-- Deterministic: no pointer is a key, no time is asked.
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
print(fib(12))
local words = {}
for w in ("the quick brown fox jumps over the lazy dog and runs away from it"):gmatch("%a+") do
	words[#words + 1] = w:upper()
end
table.sort(words)
print(table.concat(words, " "), #words)
local t = {}
for i = 1, 60 do t["k" .. i] = i * i end
local sum = 0
for i = 1, 60 do sum = sum + t["k" .. i]; t["k" .. i] = nil end
print(sum, next(t))
print(string.format("%5.2f|%-8s|%08x|%q", 3.14159, "left", 48879, 'a "quoted"\nline'))
local Account = {}
Account.__index = Account
Account.__add = function(a, b) return Account.new(a.balance + b.balance) end
function Account.new(b) return setmetatable({balance = b}, Account) end
function Account:deposit(v) self.balance = self.balance + v return self end
local a = Account.new(10):deposit(5) + Account.new(7)
print(a.balance)
local co = coroutine.wrap(function(...)
	for i, v in ipairs({...}) do coroutine.yield(i, v) end
	return "done"
end)
print(co("x", "y")) print(co()) print(co())
print(pcall(function() error(7) end))
print(select(2, pcall(error, "message", 0)))
print(select("#", table.unpack({1, 2, nil, 4}, 1, 4)))
local f = load("local x <const> = ...; do goto done end ::done:: return x * 2")
print(f and f(21))
print(load("x = = 1"))
print((("hello world"):gsub("o", {o = "0"})), ("a,b,,c"):find(",", 1, true), ("x"):rep(5, "-"))
print(10 // 3, 10 % 3, -7 // 2, 2 ^ 10, 7 / 2, 1 << 4, 0xff ~ 0x0f, "10" + 5, 3 | 4, ~0)
print(math.floor(3.7), math.max(1, 9, 4), math.tointeger(5.0), string.byte("A"), ("%d"):format(3))
for i = 10, 1, -3 do io.write(i, " ") end
print()
local i = 0
repeat i = i + 1 until i * i > 50
while i > 0 do i = i - 2 if i == 3 then break end end
print(i, utf8.char(228, 8364), utf8.len("äöü"), #"äöü")
local big = {}
for j = 1, 300 do big[j] = (j * 7919) % 1009 end
table.sort(big, function(x, y) return x > y end)
print(big[1], big[150], big[300])
for k = 1, 40 do local s = {} for j = 1, 20 do s[j] = {j, tostring(j)} end end
collectgarbage()
print(collectgarbage("count") > 0, string.pack("<i4", 100):byte(1), table.remove(words), #words)
local function v(...) local a, b = ... return b, a, ... end
print(v(1, 2, 3))
