// defineProperty of an intrinsic.
// ends: .
Object.defineProperty(Array.prototype, 'map', { value: 1 }); return 1
