// References read a million times.
// ends: took longer than 0.2 s
var n = 0; for (;;) n += THIS.units.length
