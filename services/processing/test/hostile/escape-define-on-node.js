// A property that is defined on a reference.
// ends: .
Object.defineProperty(THIS, 'currentValue', { value: 5 }); return 1
