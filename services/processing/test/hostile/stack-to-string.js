// toString that calls itself.
// ends: stack
var o = { toString: function () { return '' + o } }; return '' + o
