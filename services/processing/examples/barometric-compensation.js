// Water level (m above datum) from an unvented pressure sensor: its absolute pressure less that of the air.
//
// Process parameter (Number, m) with three inputs: absolute pressure of the logger (kPa), air pressure of the nearest barometer (hPa), water
// temperature (°C). Secondary inputs INTERPOLATED: the barometer keeps another schedule.

var everpolate = require('everpolate');

var SENSOR_ELEVATION = 141.372; // m above datum, surveyed
var GRAVITY = 9.8115; // m/s² at 51° north

// Density of water (kg/m³) by temperature (°C).
var DEGREES = [0, 5, 10, 15, 20, 25, 30];
var DENSITIES = [999.84, 999.97, 999.7, 999.1, 998.21, 997.05, 995.65];

var absolute = NUMBER('Pressure').currentValue;
var air = NUMBER('/Basin/Weather/Station/Air pressure').currentValue;
var temperature = NUMBER('Water temperature').currentValue;
if (absolute === undefined || air === undefined) return;

// Without a temperature that of a spring day: the error is below 1 mm in a metre.
if (temperature === undefined) temperature = 10;
temperature = Math.min(Math.max(temperature, 0), 30);

var water = absolute * 1000 - air * 100; // Pa
if (water < 0) return { quality: 'Bad - No Data' }; // the sensor is in the air

var density = everpolate.linear(temperature, DEGREES, DENSITIES)[0];
return SENSOR_ELEVATION + water / (density * GRAVITY);
