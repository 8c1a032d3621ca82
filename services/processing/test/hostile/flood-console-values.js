// A line of a million values.
// gives: 1
console.log.apply(null, new Array(50000).fill('xxxxxxxxxxxxxxxx')); return 1
