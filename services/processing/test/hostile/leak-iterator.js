// The iterator of every array.
// gives: 5
[][Symbol.iterator]().__proto__.next = function () { return { done: true } }; Array.prototype[Symbol.iterator] = null; return 5
