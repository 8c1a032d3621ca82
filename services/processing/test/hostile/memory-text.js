// A text that doubles.
// ends: too long|out of memory
var s = 'x'; for (;;) s += s
