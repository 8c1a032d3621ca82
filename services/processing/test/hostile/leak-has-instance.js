// instanceof of the kernel.
// ends: .
Object.defineProperty(Promise, Symbol.hasInstance, { value: function () { return true } }); return 5
