// A regular expression of groups in groups.
// ends: captures|stack|capture
return new RegExp('('.repeat(50000) + ')'.repeat(50000)).test('a') ? 1 : 0
