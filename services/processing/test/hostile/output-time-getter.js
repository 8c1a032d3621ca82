// A time that is another one each time.
// ends: currentTime must be a time
// processor
var n = 0; NUMBER('Out').currentTime = { valueOf: function () { n += 1; return n } }
