// A property of the program itself.
// gives: 0
var seen = arguments.callee.leak ? 1 : 0; arguments.callee.leak = 1; arguments.callee.prototype.leak = 1; return seen
