// A generator without an end.
// ends: took longer than 0.2 s
function* all() { for (;;) yield 1; } for (const one of all()); return 1
