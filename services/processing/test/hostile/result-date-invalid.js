// A date that is none.
// ends: time must be a time
return { time: new Date(NaN), value: 1 }
