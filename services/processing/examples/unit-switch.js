// One series in metres of a gauge whose sensor was replaced, twice.
//
// Process parameter (Number, m). The old float gauge gave feet. Its successor gave centimetres, on a stake that stood 12.4 cm too high until
// it was set anew. Times are those of the technician's notes: local.

var level = NUMBER('Level').currentValue;
if (level === undefined) return;

var CHANGES = [
  { until: T('2023-06-21T14:30:00'), toMetres: function (feet) { return feet * 0.3048; } },
  { until: T('2023-11-08T10:00:00'), toMetres: function (cm) { return (cm - 12.4) / 100; } },
];

for (var i = 0; i < CHANGES.length; i += 1) {
  if (NOW < CHANGES[i].until) return CHANGES[i].toMetres(level);
}
return level / 100;
