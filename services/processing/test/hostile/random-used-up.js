// Numbers that one run draws and the next one should miss.
// gives: 1
var x = (Math.abs(NOW) % 4294967291) + 1; x ^= x << 13; x ^= x >>> 17; x ^= x << 5; var first = Math.random() * 4294967296; for (var i = 0; i < 1000; i++) Math.random(); return first === x >>> 0 ? 1 : 0
