// The constructor of generators.
// ends: code is not made of texts here
return Object.getPrototypeOf(function* () {}).constructor('yield 1')().next().value
