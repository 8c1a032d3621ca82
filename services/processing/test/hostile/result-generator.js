// A generator.
// ends: the result is an object
return (function* () { yield 1 })()
