// Helpers of the kernel.
// gives: 5
WeakMap.prototype.get = function () { return function () { return 9 } }; Map.prototype.get = null; RegExp.prototype.exec = null; RegExp.prototype.test = null; Reflect.apply = null; return THIS.units === 'm' ? 5 : 6
