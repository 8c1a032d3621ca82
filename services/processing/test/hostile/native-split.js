// A text of a million pieces, again and again.
// ends: took longer than 0.2 s|out of memory
var s = 'a,'.repeat(1000000); for (;;) s.split(',').join(',')
