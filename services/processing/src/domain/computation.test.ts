import { type Standing, stateOf } from './computation.ts';

const WELL: Standing = {
  digest: 'new',
  checkedDigest: 'new',
  isValid: true,
  isEnabled: true,
  isSuspended: false,
  isComputedAnew: false,
  failure: '',
};

test.each([
  ['runs', WELL, 'new', 'RUNNING'],
  ['is none of a node without a program', undefined, undefined, 'NONE'],
  ['is being checked while nobody has heard of it', undefined, 'new', 'CHECKING'],
  ['is being checked after it was saved', { ...WELL, digest: 'old', checkedDigest: 'old' }, 'new', 'CHECKING'],
  ['is being checked until its validation is over', { ...WELL, checkedDigest: 'old' }, 'new', 'CHECKING'],
  ['is refused where it is not valid, enabled or not', { ...WELL, isValid: false, isEnabled: false }, 'new', 'REFUSED'],
  ['is disabled with its source or account', { ...WELL, isEnabled: false, isSuspended: true }, 'new', 'DISABLED'],
  ['is suspended, whatever has failed', { ...WELL, isSuspended: true, failure: 'x' }, 'new', 'SUSPENDED'],
  ['is computed anew', { ...WELL, isComputedAnew: true }, 'new', 'COMPUTING'],
  ['fails when its last run has', { ...WELL, failure: 'x (line 1)' }, 'new', 'FAILING'],
] as const)('a program %s', (_what, program, wanted, expected) => {
  expect(stateOf(program, wanted)).toBe(expected);
});
