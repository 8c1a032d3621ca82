// The console of the next run.
// gives: 0
var seen = console.log === 5 ? 1 : 0; console.log = 5; try { Object.defineProperty(console, 'log', { value: 5 }) } catch (e) {} return seen
