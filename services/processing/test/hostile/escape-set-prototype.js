// Another prototype of a reference.
// ends: .
Object.setPrototypeOf(THIS, { name: 'other' }); return 1
