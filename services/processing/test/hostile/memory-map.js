// A map without an end.
// ends: out of memory|took longer than 0.2 s
var m = new Map(); for (var i = 0; ; i += 1) m.set(i, { i: i })
