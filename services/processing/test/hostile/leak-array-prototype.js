// A method of every array.
// gives: 0
var seen = [].push === 5 ? 1 : 0; Array.prototype.push = 5; return seen
