// The function that calls the program.
// ends: .
var f = function () { return f.caller || f['arguments'] }; var g = f() || f.caller; if (g) return 1; throw new Error('there is none')
