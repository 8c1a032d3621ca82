// Recursion through a reviver.
// ends: stack
function f(k, v) { JSON.parse('[1]', f); return v } return JSON.parse('[1]', f).length
