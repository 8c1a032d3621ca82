// An attribute of a node.
// gives: 0
var seen = LOCATION.currentValue[0] === 99 ? 1 : 0; LOCATION.currentValue[0] = 99; return seen
