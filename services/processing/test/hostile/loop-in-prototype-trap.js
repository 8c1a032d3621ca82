// instanceof asks the proxy for its prototype.
// ends: took longer than 0.2 s
return new Proxy({}, { getPrototypeOf: function () { for (;;); } })
