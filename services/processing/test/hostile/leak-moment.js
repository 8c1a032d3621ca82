// The prototype of moments.
// gives: 0
var m = require('moment'); var seen = m.fn.leak ? 1 : 0; m.fn.leak = 1; m.fn.format = function () { return 'x' }; m.now = function () { return 5 }; m.defaultZone = 5; return seen + (m.now() === 5 ? 0 : 0)
