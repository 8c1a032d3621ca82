// apply with a million arguments.
// ends: too many|out of memory|took longer than 0.2 s
return Math.max.apply(null, new Array(100000000))
