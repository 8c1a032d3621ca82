// A sort of half a million numbers.
// ends: took longer than 0.2 s
var a = []; for (var i = 0; i < 500000; i += 1) a.push((i * 7919) % 500009); return a.sort().length
