// A power of huge integers.
// ends: took longer than 0.2 s|BigInt|too large|out of memory
return Number((7n ** 3000000n) % 10n)
