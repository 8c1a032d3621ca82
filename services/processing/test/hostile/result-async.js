// An async program.
// ends: a promise is no result: it never settles
return (async function () { return await 1 })()
