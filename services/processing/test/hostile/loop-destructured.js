// An endless iterator whose end never returns, taken apart.
// ends: took longer than 0.2 s
var it = { [Symbol.iterator]: function () { return this }, next: function () { return { value: 1, done: false } }, return: function () { for (;;); } }; var [a, b] = it; return 1
