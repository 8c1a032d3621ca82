// The memory of WebAssembly.
// gives: 1
return typeof WebAssembly + typeof SharedArrayBuffer + typeof Atomics === "undefinedundefinedundefined" ? 1 : 0
