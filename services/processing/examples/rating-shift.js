// Discharge (m³/s) of a weir from its level (m), with a shift of the rating.
//
// Process parameter (Number, m³/s). Gaugings showed that gravel had built up in front of the control since the winter flood: the level for
// a discharge is higher by the shift. The shift grew between two gaugings and is taken as linear in time between them (Rantz et al. 1982).

var everpolate = require('everpolate');

var level = NUMBER('Level').currentValue;
if (level === undefined) return;

// Gaugings: when, and by how much the rating is off (m).
var times = [T('2024-01-03T12:00:00Z'), T('2024-01-24T09:30:00Z'), T('2024-02-14T10:15:00Z')].map(Number);
var shifts = [0, 0.085, 0.062];

// No shift before the first gauging, the last one's after the last.
var at = Math.min(Math.max(NOW, times[0]), times[2]);
var shift = everpolate.linear(at, times, shifts)[0];

// Two segments: section control below 0.80 m, channel control above. Q = C (h - e)^n
var head = level - shift;
var segment = head < 0.8 ? { c: 9.2, e: 0.12, n: 2.1 } : { c: 7.417, e: 0.04, n: 1.72 };
if (head <= segment.e) return 0; // below the crest: no flow

var discharge = segment.c * Math.pow(head - segment.e, segment.n);
// Beyond the highest gauging the rating is an extrapolation.
return head > 2.4 ? { value: discharge, quality: 'Uncertain - Subnormal' } : discharge;
