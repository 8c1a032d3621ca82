// The constructor of the kernel, by the function that calls.
// ends: code is not made of texts here|invalid|TypeError
return T.constructor('return 1')() + (function f() { return f.caller })()
