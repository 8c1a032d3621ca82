// Timers and other hosts.
// gives: 1
return [typeof setTimeout, typeof setInterval, typeof queueMicrotask, typeof performance, typeof navigator, typeof WeakRef, typeof FinalizationRegistry].join() === Array(7).fill('undefined').join() ? 1 : 0
