// An object that is called a number.
// ends: the result is an object
return Object.setPrototypeOf({}, Number.prototype)
