// The pieces of a template.
// gives: 1
function tag(s) { var seen = Object.isFrozen(s); return seen ? 1 : 0 } return tag`a${1}b`
