// An output that is assigned while it is assigned.
// ends: the value must be a number
// processor
NUMBER('Out').currentValue = { get value() { NUMBER('Out').currentValue = 1 } }
