// An error that is its own cause.
// ends: mine
var e = new Error('mine'); e.cause = e; e.toJSON = function () { return e }; throw e
