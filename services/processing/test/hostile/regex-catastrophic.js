// A regular expression that explodes.
// ends: took longer than 0.2 s
return /^(a+)+$/.test('a'.repeat(40) + 'b') ? 1 : 0
