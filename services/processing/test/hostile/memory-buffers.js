// Buffers, a thousand of them.
// ends: out of memory|took longer than 0.2 s
var all = []; for (var i = 0; i < 1000; i += 1) all.push(new ArrayBuffer(8388608)); return 1
