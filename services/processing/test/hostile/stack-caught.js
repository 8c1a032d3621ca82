// A function that calls itself, and catches the end of the stack.
// gives: 1
function f() { try { return f() } catch (e) { return 5 } } f(); return 1
