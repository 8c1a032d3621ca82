// A value that is a number when it is looked at, and a text when it is stored.
// gives: 1
var n = 0; return { get value() { n += 1; return n === 1 ? 1 : 'x' } }
