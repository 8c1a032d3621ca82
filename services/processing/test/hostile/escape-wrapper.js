// What is around the program.
// gives: 1
return typeof thrown_ === 'function' ? thrown_(5, 1) : 1
