// A value that names itself as something else.
// ends: the value must be a number, not an object
var seen = 0; var v = {}; Object.defineProperty(v, Symbol.toStringTag, { get: function () { seen += 1; return 'Number' } }); v.constructor = Number; return { value: v }
