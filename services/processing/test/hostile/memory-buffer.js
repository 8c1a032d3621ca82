// A buffer of gigabytes.
// ends: invalid|out of memory
return new ArrayBuffer(4294967296).byteLength
