// Recursion through built-in functions.
// ends: stack
function f() { return [1].map(f) } return f()
