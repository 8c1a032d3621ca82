// Nothing.
// ends: null
throw null
