// The constructor of async functions.
// ends: code is not made of texts here
return (async function () {}).constructor('return 1')()
