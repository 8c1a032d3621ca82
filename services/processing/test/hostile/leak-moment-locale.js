// The language of moments, which lies behind a function.
// gives: 0
var l = require('moment').localeData(); var seen = (l._leak === 1 ? 1 : 0) + (l._longDateFormat.LT === 'x' ? 2 : 0) + (l.ordinal === 5 ? 4 : 0); l._leak = 1; l._longDateFormat.LT = 'x'; l.ordinal = 5; Object.getPrototypeOf(l).leak = 1; return seen + (({}).leak === 1 ? 8 : 0)
