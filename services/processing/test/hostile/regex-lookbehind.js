// Groups that look back.
// gives: 0
return /(?<=^(a+)+)b/.test('a'.repeat(40) + 'c') ? 1 : 0
