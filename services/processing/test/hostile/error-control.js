// A message with control characters.
// ends: a
throw 'a\u0000\ud800\u2028b'
