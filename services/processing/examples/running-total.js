// Rain since the hydrological year began (mm), from the rain of each record (mm).
//
// Process parameter (Number, mm). THIS.currentValue is the newest result, so that the total goes on from it. The hydrological year begins on
// 1 October, 00:00 in the zone of the source.

var rain = NUMBER('Rain').currentValue;
if (rain === undefined || rain < 0) return;

function hydrologicalYear(time) {
  var local = T(time);
  return local.month() >= 9 ? local.year() + 1 : local.year(); // months count from 0
}

var isSameYear = THIS.currentTime !== undefined && hydrologicalYear(THIS.currentTime) === hydrologicalYear(NOW);
return (isSameYear ? THIS.currentValue : 0) + rain;
