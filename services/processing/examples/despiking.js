// A level without spikes: what changes faster than the river can is left out.
//
// Process parameter (Number, m). Compares each record with the last that was accepted, which is THIS. The longer that was ago, the more may
// have changed, so that a real step is accepted after a while.

var STEP = 0.05; // m that may change at any time
var RATE = 0.02; // m a minute besides

var level = NUMBER('Raw level').currentValue;
if (level === undefined) return;

// Out of the range of the sensor, whatever was before.
if (level < -0.5 || level > 10) return { quality: 'Bad - No Data' };

if (THIS.currentValue !== undefined) {
  var minutes = (NOW - THIS.currentTime) / 60000;
  if (Math.abs(level - THIS.currentValue) > STEP + RATE * minutes) return { quality: 'Bad - No Data' };
}
return level;
