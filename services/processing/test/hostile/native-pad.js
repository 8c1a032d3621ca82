// padStart to gigabytes.
// ends: invalid string length
return 'abc'.padStart(1 << 30, 'x').length
