// A chain of prototypes without an end.
// gives: 1
var o = {}; for (var i = 0; i < 200000; i += 1) o = Object.create(o); return o.x === undefined ? 1 : 0
