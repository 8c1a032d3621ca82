// An array in an array in an array.
// ends: stack|took longer than 0.2 s
var a = []; for (var i = 0; i < 100000; i += 1) a = [a]; return JSON.stringify(a).length
