import { EventRecorded } from '@catchment/contracts/events';
import { KeyChanged } from '@catchment/contracts/nodes-messages';
import { accountEvent, keysDeleted, nodeEvent } from './messages.ts';

const CAUSE = { timeMs: 1_700_000_000_000, username: 'Ada' };
const NODE = { nodeId: 'n', ownerId: 'o', workspaceId: 'w', class: 'location.Location' };

test.each([
  ['an account', accountEvent('o', 'SECURITY', 'Signed in', CAUSE), { nodeId: '', workspaceId: '', nodeClass: '' }],
  [
    'a node',
    nodeEvent(NODE, 'Signed in', CAUSE, 'SECURITY'),
    { nodeId: 'n', workspaceId: 'w', nodeClass: 'location.Location' },
  ],
])('an event of %s names its cause, and no alarm', (_what, { subject, data }, about) => {
  expect(subject).toBe('events.event.recorded.v1');
  expect(EventRecorded.decode(data)).toMatchObject({
    ...about,
    ...CAUSE,
    ownerId: 'o',
    level: 'INFO',
    eventType: 'SECURITY',
    message: 'Signed in',
    alarmState: 'NONE',
  });
});

test('what happens at a node is configuration, unless it is said otherwise', () => {
  expect(EventRecorded.decode(nodeEvent(NODE, 'Moved', CAUSE).data).eventType).toBe('CONFIGURATION');
});

test('each deleted key is forgotten by the services, and has an event that does not show it', () => {
  const key = (label: string) => ({ ownerId: 'o', label, email: 'ada@example.org', sha256: Buffer.from(label) });
  const messages = keysDeleted([key('field'), key('lab')], CAUSE);
  expect(messages.map(({ subject }) => subject)).toEqual([
    'nodes.key.changed.v1',
    'events.event.recorded.v1',
    'nodes.key.changed.v1',
    'events.event.recorded.v1',
  ]);
  expect(Buffer.from(KeyChanged.decode(messages[2]!.data).keySha256).toString()).toBe('lab');
  expect(EventRecorded.decode(messages[3]!.data).message).toBe("Deleted API key 'lab' of ada@example.org");
});
