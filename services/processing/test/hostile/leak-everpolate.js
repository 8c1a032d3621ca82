// A function of everpolate.
// gives: 0
var e = require('everpolate'); var seen = e.linear === 5 ? 1 : 0; e.linear = 5; return seen
