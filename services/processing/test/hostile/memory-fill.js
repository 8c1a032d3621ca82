// An array of 2^32 entries, filled.
// ends: out of memory|took longer than 0.2 s
return new Array(4294967295).fill(1).length
