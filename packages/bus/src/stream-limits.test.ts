import { envReader } from '@catchment/config';
import { streamMaxBytes } from './stream-limits.ts';

const MIB = 1024 * 1024;
const read = (env: Record<string, string>) => {
  const reader = envReader(env);
  const limits = streamMaxBytes(reader);
  reader.done();
  return limits;
};

test.each([
  ['nothing', {}, {}],
  ['an empty one', { STREAM_INGEST_MIB: '' }, {}],
  ['the least', { STREAM_DOMAIN_MIB: '64' }, { DOMAIN: 64 * MIB }],
  [
    'several',
    { STREAM_INGEST_MIB: '8192', STREAM_DEADLETTER_MIB: '1048576' },
    { INGEST: 8192 * MIB, DEADLETTER: 1_048_576 * MIB },
  ],
])('limits by settings: %s', (_what, env, limits) => {
  expect(read(env)).toEqual(limits);
});

test.each(['63', '1048577', '-1', '0', '1.5', 'much'])('a limit of %s MiB is refused by name', (value) => {
  expect(() => read({ STREAM_NOTIFICATIONS_MIB: value })).toThrow(
    'STREAM_NOTIFICATIONS_MIB must be a whole number from 64 to 1048576',
  );
});
