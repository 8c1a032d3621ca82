// A function of Math.
// gives: 0
var seen = Math.random === 5 ? 1 : 0; Math.random = 5; Math.floor = 5; return seen
