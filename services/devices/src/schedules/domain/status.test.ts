import { follows, STATUSES, type Status, type StatusEvent, stepTo, TRANSITIONS, toTheEnd } from './status.ts';

/** The table repeats docs/reference/sources.md#status by status, then by event. */
const NEXT: Readonly<Record<Status, Partial<Record<StatusEvent, Status>>>> = {
  REST: {
    disabled: 'DISABLED',
    due: 'QUEUED',
    acquire: 'QUEUED',
    pending: 'QUEUED',
    'device connected': 'QUEUED',
    'push accepted': 'PROCESSING',
    'remote client connected': 'REMOTE',
    'schedule changed': 'REST',
  },
  FAILED: {
    disabled: 'DISABLED',
    due: 'QUEUED',
    acquire: 'QUEUED',
    pending: 'QUEUED',
    'device connected': 'QUEUED',
    'push accepted': 'PROCESSING',
    'remote client connected': 'REMOTE',
  },
  DISABLED: { disabled: 'DISABLED', enabled: 'REST' },
  QUEUED: { disabled: 'DISABLED', free: 'CONNECTING', restarted: 'REST' },
  CONNECTING: {
    disabled: 'DISABLED',
    'connected to configure': 'CONFIGURING',
    'connected to control': 'CONTROLLING',
    connected: 'DOWNLOADING',
    'failed with retries left': 'RETRYING',
    failed: 'FAILED',
    restarted: 'REST',
  },
  CONFIGURING: {
    disabled: 'DISABLED',
    'configured with controls left': 'CONTROLLING',
    configured: 'DOWNLOADING',
    'failed with retries left': 'RETRYING',
    failed: 'FAILED',
    restarted: 'REST',
  },
  CONTROLLING: {
    disabled: 'DISABLED',
    controlled: 'DOWNLOADING',
    'controlled alone': 'REST',
    'failed with retries left': 'RETRYING',
    failed: 'FAILED',
    restarted: 'REST',
  },
  DOWNLOADING: {
    disabled: 'DISABLED',
    received: 'PROCESSING',
    'nothing new': 'REST',
    'failed with retries left': 'RETRYING',
    failed: 'FAILED',
    restarted: 'REST',
  },
  RETRYING: { disabled: 'DISABLED', 'delay over': 'QUEUED', acquire: 'QUEUED', restarted: 'REST' },
  PROCESSING: { disabled: 'DISABLED', stored: 'REST', 'internal failure': 'FAILED', restarted: 'REST' },
  REMOTE: { disabled: 'DISABLED', 'remote client gone': 'REST', restarted: 'REST' },
};
const EVENTS = [...new Set(TRANSITIONS.map(([, event]) => event))];

test.each(STATUSES)('what follows %s is what the reference says, and nothing else happens to it', (status) => {
  const found = EVENTS.map((event) => [event, follows(status, event)]).filter(([, next]) => next);
  expect(Object.fromEntries(found)).toEqual(NEXT[status]);
});

test('a pair of status and event stands in the table once', () => {
  const pairs = TRANSITIONS.flatMap(([from, event]) => from.map((status) => `${status} ${event}`));
  expect(new Set(pairs).size).toBe(pairs.length);
});

test.each([
  ['CONNECTING', 'CONFIGURING', 'connected to configure'],
  ['CONNECTING', 'DOWNLOADING', 'connected'],
  ['CONFIGURING', 'CONTROLLING', 'configured with controls left'],
  ['CONTROLLING', 'DOWNLOADING', 'controlled'],
  ['DOWNLOADING', 'PROCESSING', 'received'],
] as const)('a session steps from %s to %s', (from, to, event) => {
  expect(stepTo(from, to)).toBe(event);
});
test.each([
  ['DOWNLOADING', 'CONTROLLING'],
  ['CONNECTING', 'PROCESSING'],
  ['QUEUED', 'DOWNLOADING'],
] as const)('no session steps from %s to %s', (from, to) => {
  expect(() => stepTo(from, to)).toThrow('no session goes');
});

function walked(from: Status, end: Parameters<typeof toTheEnd>[1]): Status[] {
  const path: Status[] = [];
  for (const event of toTheEnd(from, end)) path.push(follows(path.at(-1) ?? from, event) ?? from);
  return path;
}
test.each([
  ['DOWNLOADING', true, false, true, ['REST']],
  ['DOWNLOADING', true, true, true, ['PROCESSING', 'REST']],
  ['DOWNLOADING', true, true, false, ['PROCESSING']],
  ['CONNECTING', true, false, true, ['DOWNLOADING', 'REST']],
  ['CONNECTING', false, false, true, ['CONTROLLING', 'REST']],
  ['CONTROLLING', false, false, true, ['REST']],
  ['CONTROLLING', true, true, true, ['DOWNLOADING', 'PROCESSING', 'REST']],
  ['CONFIGURING', false, false, true, ['DOWNLOADING', 'REST']],
  ['PROCESSING', true, true, true, ['REST']],
] as const)(
  'a session that went well in %s ends (collects %s, received %s, stored %s)',
  (from, collects, received, isStored, path) => {
    expect(walked(from, { collects, received, isStored })).toEqual(path);
  },
);
