// The prototype of a reference to a node.
// ends: name cannot be assigned
var p = Object.getPrototypeOf(THIS); p.name = 'other'; return 1
