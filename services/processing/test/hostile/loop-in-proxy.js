// A result that is a proxy whose traps never return.
// ends: took longer than 0.2 s
return new Proxy({}, { has: function () { for (;;); }, get: function () { for (;;); } })
