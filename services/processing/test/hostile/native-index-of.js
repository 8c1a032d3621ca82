// indexOf over an array of 2^32 holes.
// ends: took longer than 0.2 s
return new Array(4294967294).indexOf(1)
