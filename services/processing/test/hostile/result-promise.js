// A promise that never settles.
// ends: a promise is no result: it never settles
return new Promise(function () {})
