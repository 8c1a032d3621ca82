// JSON that is nested deeply.
// ends: stack|took longer than 0.2 s
return JSON.parse('['.repeat(100000) + ']'.repeat(100000)).length
