// A generator without an end, spread into arguments.
// ends: took longer than 0.2 s|out of memory
function* all() { for (;;) yield 1; } return Math.max(...all())
