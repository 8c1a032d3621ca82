// A text of gigabytes.
// ends: too long|invalid|out of memory
return 'abc'.repeat(1 << 30).length
