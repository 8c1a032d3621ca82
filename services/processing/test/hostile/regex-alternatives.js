// Another one, with alternatives.
// ends: took longer than 0.2 s
return /^(a|a|a|a)*$/.test('a'.repeat(40) + 'b') ? 1 : 0
