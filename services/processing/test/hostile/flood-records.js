// A million records of one run.
// ends: a run makes at most 100 records
// processor
for (var i = 0; i < 1000000; i += 1) { NUMBER('Out').currentTime = i; NUMBER('Out').currentValue = i }
