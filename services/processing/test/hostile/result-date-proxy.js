// A proxy around a date, which says another time each time.
// ends: not a Date object
var n = 0; var d = new Proxy(new Date(NOW), { get: function (t, key) { n += 1; return key === 'getTime' ? function () { return NOW + n * 1000 } : t[key] } }); return { time: d, value: 1 }
