// A property of every object.
// gives: 0
var seen = ({}).leak ? 1 : 0; Object.prototype.leak = 1; ({}).__proto__.leak = 1; ({}).constructor.prototype.leak = 1; return seen
