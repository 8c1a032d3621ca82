// A comparator that never returns.
// ends: took longer than 0.2 s
return [3, 1, 2].sort(function () { for (;;); }).length
