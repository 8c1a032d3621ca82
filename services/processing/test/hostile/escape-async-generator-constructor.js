// The constructor of async generators.
// ends: code is not made of texts here
return Object.getPrototypeOf(async function* () {}).constructor('yield 1')()
