// Reflect.construct of a function.
// ends: Function is not a constructor
return Reflect.construct(Function, ['return 1'])()
