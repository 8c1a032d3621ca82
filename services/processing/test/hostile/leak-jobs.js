// A job of a promise for the next run.
// gives: 1
Promise.resolve().then(function () { throw 'mine' }); (async function () { await null; for (;;); })(); return 1
