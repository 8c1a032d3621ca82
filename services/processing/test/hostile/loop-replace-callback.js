// A callback of replace that never returns.
// ends: took longer than 0.2 s
return 'aaa'.replace(/a/g, function () { for (;;); }).length
