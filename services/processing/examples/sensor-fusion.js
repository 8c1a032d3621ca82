// The best level of three sensors (m): radar, pressure and bubbler.
//
// Process parameter (Number, m), three inputs, run mode ANY_INPUT: a sensor that is silent shall not stop the result. Good values that agree
// are weighted by the inverse of their variances; one that is off the median is left out.

var sensors = [
  { node: NUMBER('Radar'), deviation: 0.003 },
  { node: NUMBER('Pressure level'), deviation: 0.01 },
  { node: NUMBER('Bubbler'), deviation: 0.005 },
];
var TOLERANCE = 0.05; // m from the median
var MAX_AGE = 30 * 60000; // ms

var usable = sensors.filter(function (sensor) {
  var quality = sensor.node.currentQuality;
  var isGood = quality === undefined || quality >= 192 || quality === Q('Good - Entry Inserted');
  return sensor.node.currentValue !== undefined && isGood && NOW - sensor.node.currentTime <= MAX_AGE;
});
if (usable.length === 0) return { quality: 'Bad - No Data' };

var values = usable
  .map(function (sensor) { return sensor.node.currentValue; })
  .sort(function (a, b) { return a - b; });
var middle = Math.floor(values.length / 2);
var median = values.length % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;

var agreeing = usable.filter(function (sensor) {
  return Math.abs(sensor.node.currentValue - median) <= TOLERANCE;
});
// Two that disagree: nobody knows which is right, so the better sensor is taken, and marked.
if (agreeing.length === 0) {
  usable.sort(function (a, b) { return a.deviation - b.deviation; });
  return { value: usable[0].node.currentValue, quality: 'Uncertain - Subnormal' };
}

var sum = 0;
var weights = 0;
agreeing.forEach(function (sensor) {
  var weight = 1 / (sensor.deviation * sensor.deviation);
  sum += weight * sensor.node;
  weights += weight;
});
var level = sum / weights;
return agreeing.length === 1 ? { value: level, quality: 'Uncertain - Subnormal' } : level;
