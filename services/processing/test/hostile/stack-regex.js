// Recursion of a regular expression.
// ends: out of memory|took longer than 0.2 s|stack|
return /(?:a|b)*c/.test('ab'.repeat(5000000)) ? 1 : 0
