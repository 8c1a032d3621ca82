// A text that is normalised again and again.
// ends: took longer than 0.2 s|out of memory
var s = '\u1E9B\u0323'.repeat(200000); for (;;) s = s.normalize('NFKD').normalize('NFC')
