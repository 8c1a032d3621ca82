// A wait that never ends.
// ends: not defined
return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
