// JSON of the kernel.
// gives: 5
JSON.stringify = function () { return '{}' }; JSON.parse = null; Array.prototype.toJSON = function () { return 1 }; String.prototype.toJSON = function () { return 'x' }; Number.prototype.toJSON = function () { return 9 }; return 5
