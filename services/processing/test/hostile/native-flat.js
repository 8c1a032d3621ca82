// flat of what is nested deeply.
// ends: stack|took longer than 0.2 s
var a = []; for (var i = 0; i < 100000; i += 1) a = [a]; return a.flat(Infinity).length
