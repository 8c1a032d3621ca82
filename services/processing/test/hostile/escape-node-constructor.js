// The constructor of what the kernel gives.
// ends: code is not made of texts here|undefined|not a function
return THIS.constructor.constructor('return 1')()
