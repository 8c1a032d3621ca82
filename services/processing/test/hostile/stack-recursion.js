// A function that calls itself.
// ends: stack
function f() { return f() + 1 } return f()
