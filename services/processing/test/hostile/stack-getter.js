// Recursion through a getter.
// ends: stack
var o = { get a() { return this.a } }; return o.a
