// Modules of Node.
// ends: require: there are moment and everpolate
return require('fs')
