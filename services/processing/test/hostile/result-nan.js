// NaN, Infinity.
// ends: the value is NaN
return { value: 0 / 0 }
