// Rain of the hydrological day so far (mm), which begins at 09:00 local time.
//
// Process parameter (Number, mm). A gauge is read at 09:00: a record of 09:00 sharp is the last one of the day before. T() follows daylight
// saving time, so two days of the year have 23 and 25 hours. (A total of whole days alone is `Rain;TOTAL;D+9H;1D`, without a program.)

var rain = NUMBER('Rain').currentValue;
if (rain === undefined) return;

function dayOf(time) {
  // One millisecond earlier, so that 09:00 sharp counts for the day that ends.
  var local = T(time - 1);
  if (local.hour() < 9) local.subtract(1, 'day');
  return local.format('YYYY-MM-DD');
}

var isSameDay = THIS.currentTime !== undefined && dayOf(THIS.currentTime) === dayOf(NOW);
return (isSameDay ? THIS.currentValue : 0) + rain;
