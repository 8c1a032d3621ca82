// A function bound a hundred thousand times.
// ends: stack|out of memory|took longer than 0.2 s
var f = function () { return 1 }; for (var i = 0; i < 100000; i += 1) f = f.bind(null); return f()
