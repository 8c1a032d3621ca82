// A date with a method of its own.
// gives: 1
var d = new Date(0); d.getTime = d.valueOf = function () { for (;;); }; return { time: d, value: 1 }
