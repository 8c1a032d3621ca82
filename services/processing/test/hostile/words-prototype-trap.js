// The kernel asks a proxy what it is, and its trap throws.
// ends: mine
return new Proxy({}, { has: function () { return true }, getPrototypeOf: function () { throw new Error('mine') } })
