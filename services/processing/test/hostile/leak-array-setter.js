// A setter of indexes of every array.
// ends: .
Object.defineProperty(Object.prototype, '0', { set: function () { throw 'mine' }, get: function () { return 7 } }); return 1
