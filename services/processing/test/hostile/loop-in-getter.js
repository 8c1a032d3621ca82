// A getter of the result never returns.
// ends: took longer than 0.2 s
return { get value() { for (;;); } }
