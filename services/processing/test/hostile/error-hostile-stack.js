// An error with a stack of its own.
// ends: mine
var e = new Error('mine'); Object.defineProperty(e, 'stack', { get: function () { throw 'other' } }); throw e
