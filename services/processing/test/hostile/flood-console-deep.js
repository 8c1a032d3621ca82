// An object that is nested deeply, printed.
// gives: 1
var a = {}; for (var i = 0; i < 1500; i += 1) a = { a: a }; console.log(a); return 1
