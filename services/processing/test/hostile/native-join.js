// join of an array of holes.
// ends: took longer than 0.2 s|too long|out of memory
return new Array(4294967294).join('').length
