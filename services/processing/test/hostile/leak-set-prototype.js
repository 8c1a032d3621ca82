// Another prototype of an intrinsic.
// ends: .
Object.setPrototypeOf(Array.prototype, { leak: 1 }); return 1
