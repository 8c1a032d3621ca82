// A zone for all moments.
// gives: 0
var m = require('moment'); var seen = m.defaultZone === null ? 0 : 1; try { m.tz.setDefault('Asia/Tokyo') } catch (e) {} try { m.tz.add('X|A|0|0|') } catch (e) {} m.defaultZone = { name: 'x' }; return seen + (m.tz.zone('X') ? 2 : 0)
