// What makes the stacks of errors.
// gives: 0
var seen = Error.prepareStackTrace ? 1 : 0; Error.prepareStackTrace = function () { return 'program:7' }; Error.stackTraceLimit = 0; return seen
