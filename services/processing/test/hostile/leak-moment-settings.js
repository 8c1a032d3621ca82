// Settings of moment for all its users.
// gives: 0
var m = require('moment'); var seen = m.relativeTimeThreshold('s') === 45 ? 0 : 1; var tries = [function () { m.relativeTimeThreshold('s', 3) }, function () { m.updateLocale('en', {}) }, function () { m.locale('de') }, function () { m.duration.fn.leak = 1 }, function () { m.momentProperties.push('leak') }, function () { m.parseTwoDigitYear = 5 }]; for (var t of tries) { try { t() } catch (e) {} } return seen + (m.duration(1).leak ? 2 : 0) + (m.momentProperties.length > 20 ? 4 : 0) + (m.parseTwoDigitYear === 5 ? 8 : 0)
