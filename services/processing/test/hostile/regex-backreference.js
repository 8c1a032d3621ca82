// Another one, with a reference to a group.
// ends: took longer than 0.2 s
return /^(.+)\1+$/.test('ab'.repeat(20000) + 'c') ? 1 : 0
