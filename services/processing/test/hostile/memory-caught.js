// Memory that is used up, caught, and used up again.
// ends: out of memory|took longer than 0.2 s
for (;;) { try { var all = []; for (;;) all.push(new Array(1000).fill(1)) } catch (e) {} }
