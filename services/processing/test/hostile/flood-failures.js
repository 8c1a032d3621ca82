// A failure of each run.
// ends: mine
throw 'mine ' + NOW
