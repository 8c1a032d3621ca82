// A million lines of console.
// ends: took longer than 0.2 s
for (var i = 0; i < 1000000; i += 1) console.log('x'.repeat(1000), i); return 1
