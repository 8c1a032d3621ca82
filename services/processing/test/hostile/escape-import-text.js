// import() by a function that is made of a text.
// ends: Function is not a constructor
return new (function () {}).constructor("return import('fs')")()
