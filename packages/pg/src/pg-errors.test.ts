import { mapPgError } from './pg-errors.ts';

test.each([
  ['a session that a full disk lets not begin', 'FATAL', 'XX000', 'unavailable'],
  ['a server that ends', 'PANIC', 'XX000', 'unavailable'],
  ['a statement that fails by a bug', 'ERROR', 'XX000', 'internal'],
  ['a login that is wrong', 'FATAL', '28P01', 'internal'],
])('%s (%s %s) is %s', (_what, severity, code, kind) => {
  const error = Object.assign(new Error('could not write init file'), { severity, code });
  expect(mapPgError(error).kind).toBe(kind);
});
