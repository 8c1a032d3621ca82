// A node that is no output.
// ends: cannot be assigned
// processor
THIS.currentValue = 5
