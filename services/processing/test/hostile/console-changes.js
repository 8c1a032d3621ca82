// A value whose text changes between the look and the line.
// gives: 1
var n = 0; console.log({ toJSON: function () { n += 1; if (n > 1) throw new Error('twice'); return 'x' } }, { toJSON: function () { throw new Error('mine') } }, new Proxy({}, { get: function () { throw new Error('mine') } })); return n
