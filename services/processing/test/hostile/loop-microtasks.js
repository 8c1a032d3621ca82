// Jobs that make jobs: none is ever done.
// gives: 1
function again() { Promise.resolve().then(again) } again(); for (var i = 0; i < 1000; i += 1) again(); return 1
