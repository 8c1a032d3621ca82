// A message of 10 MB.
// ends: ^x{500}$
throw new Error('x'.repeat(10000000))
