// The texts of the kernel in a stack.
// gives: 0
try { Q('nothing') } catch (e) { return /node_modules|\/work|file:/.test(e.stack) ? 1 : 0 }
