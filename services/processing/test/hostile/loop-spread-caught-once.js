// An endless generator, spread into arguments and caught once.
// ends: took longer than 0.2 s
function* all() { for (;;) yield 1; } try { Math.max(...all()) } catch (e) {} return 1
