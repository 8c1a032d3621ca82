// Vapour pressure deficit (kPa) from air temperature (°C) and relative humidity (%).
//
// Process parameter (Number, kPa). FAO Irrigation and Drainage Paper 56, equations 11 and 19: what the air could still take up, which is
// what drives evaporation from leaves.

var temperature = NUMBER('Air temperature').currentValue;
var humidity = NUMBER('Relative humidity').currentValue;
if (temperature === undefined || humidity === undefined) return;

function saturation(celsius) {
  return 0.6108 * Math.exp((17.27 * celsius) / (celsius + 237.3));
}

var deficit = saturation(temperature) * (1 - humidity / 100);
return Math.max(deficit, 0); // air above saturation has no deficit
