// A value that throws when it is read.
// ends: the value must be a number
// processor
NUMBER('Out').currentValue = 1; NUMBER('Out').currentValue = { valueOf: function () { throw 'mine' } }
