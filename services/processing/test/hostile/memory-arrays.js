// Arrays without an end.
// ends: out of memory|took longer than 0.2 s
var all = []; for (;;) all.push(new Array(1000).fill(1))
