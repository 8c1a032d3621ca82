// Endless generators, spread into arguments and caught: interrupts end there.
// ends: took longer than 0.2 s
function* all() { for (;;) yield 1; } for (;;) { try { Math.max(...all()) } catch (e) {} }
