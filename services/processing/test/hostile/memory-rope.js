// 10 MB texts, a thousand of them.
// ends: out of memory|took longer than 0.2 s
var all = []; for (var i = 0; i < 1000; i += 1) all.push('x'.repeat(10000000) + i); return 1
