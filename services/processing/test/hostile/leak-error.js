// Errors of the kernel.
// ends: there is no quality code the text 'nothing'
Error.prototype.message = 'mine'; Error.prototype.toString = function () { return 'mine' }; Error.stackTraceLimit = 0; Q('nothing')
