// A function as an error.
// ends: .
throw function () { for (;;); }
