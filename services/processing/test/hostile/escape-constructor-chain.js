// The constructor of a function, by its chain.
// ends: code is not made of texts here
return (function () {}).constructor('return this')()
