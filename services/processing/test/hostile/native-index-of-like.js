// indexOf over what says that it is long.
// ends: took longer than 0.2 s
return Array.prototype.indexOf.call({ length: 9007199254740991 }, 1)
