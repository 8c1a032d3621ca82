// What depends on the collection of garbage.
// ends: not defined
return new WeakRef({}).deref() ? 1 : 0
