// An error that forges its line.
// ends: mine
var e = new Error('mine'); e.stack = 'at x (program:999999)'; throw e
