// A property of the global object.
// gives: 0
var seen = globalThis.leak ? 1 : 0; globalThis.leak = 1; return seen
