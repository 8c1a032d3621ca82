// A text of 10 MB as a value.
// ends: the value must be a number
return 'x'.repeat(10000000)
