// Dew point from air temperature (°C) and relative humidity (%).
//
// Process parameter (Number, °C) beside the two sensors. Run mode ALL_INPUTS, secondary inputs INTERPOLATED.
// Magnus formula over water with the constants of Sonntag (1990), good from -45 to +60 °C.

var A = 17.62;
var B = 243.12; // °C

var temperature = NUMBER('Air temperature').currentValue;
var humidity = NUMBER('Relative humidity').currentValue;

// Nothing to compute while a sensor is silent.
if (temperature === undefined || humidity === undefined) return;

// Sensors drift above saturation; a humidity of zero has no dew point.
humidity = Math.min(humidity, 100);
if (humidity <= 0) return { quality: 'Bad - No Data' };

var gamma = Math.log(humidity / 100) + (A * temperature) / (B + temperature);
return (B * gamma) / (A - gamma);
