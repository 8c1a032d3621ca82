// The constructor of the constructor of an array.
// ends: code is not made of texts here
return [].constructor.constructor('return 1')()
