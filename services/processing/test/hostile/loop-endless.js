// An endless loop.
// ends: took longer than 0.2 s
for (;;);
