// A symbol.
// ends: the value must be a number
return Symbol.iterator
