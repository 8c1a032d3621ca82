// A name of a module that changes.
// ends: require: there are moment and everpolate
var n = 0; return require({ toString: function () { n += 1; return n === 1 ? 'moment' : 'fs' } })
