// Functions that keep each other.
// ends: out of memory|took longer than 0.2 s
var f = null; for (;;) f = (function (g) { return function () { return g } })(f)
