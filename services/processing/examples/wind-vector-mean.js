// Hourly vector mean of the wind: speed (m/s) and direction (degrees, where it comes from).
//
// Processor, run mode ALL_INPUTS. Directions cannot be averaged as numbers: 350° and 10° make 0°, not 180°. So the components are summed,
// in outputs of the processor that serve as its memory, and the mean is written when the first record of the next hour comes.

var speed = NUMBER('Wind speed').currentValue;
var direction = NUMBER('Wind direction').currentValue;

var east = NUMBER('Sum east');
var north = NUMBER('Sum north');
var count = NUMBER('Count');
var HOUR = 3600000;

function hourOf(time) {
  return Math.floor(time / HOUR);
}

var sums = { east: east.currentValue || 0, north: north.currentValue || 0, count: count.currentValue || 0 };

if (count.currentTime !== undefined && hourOf(count.currentTime) !== hourOf(NOW)) {
  if (sums.count > 0) {
    var u = sums.east / sums.count;
    var v = sums.north / sums.count;
    var meanSpeed = NUMBER('Mean wind speed');
    var meanDirection = NUMBER('Mean wind direction');
    // The mean is that of the hour which has ended.
    meanSpeed.currentTime = meanDirection.currentTime = hourOf(count.currentTime) * HOUR;
    meanSpeed.currentValue = Math.sqrt(u * u + v * v);
    meanDirection.currentValue = ((Math.atan2(-u, -v) * 180) / Math.PI + 360) % 360;
  }
  sums = { east: 0, north: 0, count: 0 };
}

if (speed !== undefined && direction !== undefined) {
  var angle = (direction * Math.PI) / 180;
  // The wind blows to where it does not come from.
  sums.east -= speed * Math.sin(angle);
  sums.north -= speed * Math.cos(angle);
  sums.count += 1;
}
east.currentValue = sums.east;
north.currentValue = sums.north;
count.currentValue = sums.count;
