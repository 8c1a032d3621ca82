// copyWithin of an array-like.
// ends: took longer than 0.2 s
return Array.prototype.copyWithin.call({ length: 9007199254740991 }, 1, 0).length
