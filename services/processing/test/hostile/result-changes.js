// A value that is another one each time that it is asked.
// gives: 1
var n = 0; return { get value() { n += 1; return n === 1 ? 1 : 'x'.repeat(100000000) } }
