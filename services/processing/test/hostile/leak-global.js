// Variables that nobody declares.
// gives: 0
var seen = typeof leak === 'undefined' ? 0 : 1; leak = 1; return seen + leak - 1
