// An object with the prototype of a date.
// ends: .
return { time: Object.create(Date.prototype), value: 1 }
