// An async function that never awaits.
// ends: took longer than 0.2 s
(async function () { for (;;); })(); return 1
