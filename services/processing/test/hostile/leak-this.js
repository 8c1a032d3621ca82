// A property of this.
// gives: 0
var seen = this.leak ? 1 : 0; this.leak = 1; (function () { this.leak = 1 })(); return seen + ((function () { return this.leak })() ? 1 : 0)
