// NOW, by the arguments.
// gives: 1
arguments[0] = 5; var f = function () { return NOW }; return f() === 5 ? 1 : 2
