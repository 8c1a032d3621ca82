// A module named like a property of every object.
// ends: require: there are moment and everpolate
return require('constructor')
