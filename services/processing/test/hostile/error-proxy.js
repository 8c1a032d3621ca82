// A proxy as an error.
// ends: .
throw new Proxy({}, { get: function () { throw 'again' }, getPrototypeOf: function () { throw 'again' } })
