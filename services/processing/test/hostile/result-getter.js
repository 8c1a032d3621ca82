// A getter that throws.
// ends: mine
return { get value() { throw 'mine' } }
