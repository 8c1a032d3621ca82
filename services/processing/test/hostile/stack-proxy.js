// A proxy of a proxy of a proxy.
// ends: stack|took longer than 0.2 s
var p = {}; for (var i = 0; i < 100000; i += 1) p = new Proxy(p, {}); return p.x === undefined ? 1 : 0
