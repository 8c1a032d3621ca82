// eval as a property of the global object.
// ends: not a function
return globalThis['ev' + 'al']('1')
