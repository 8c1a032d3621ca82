import { endText, heartbeatText, openingText, partText, RESTARTING } from './server-sent-events.ts';

const message = { event: '', data: Buffer.from('{"a":1}'), cursor: '7', subject: '', isGone: false };

test('messages with their type and id; a part whose last message has none shows its place behind it', () => {
  expect(partText({ messages: [message], cursor: '7', hasMore: false })).toBe('id: 7\ndata: {"a":1}\n\n');
  const [first, last] = [
    { ...message, event: 'node', cursor: '' },
    { ...message, event: 'removed', cursor: '' },
  ];
  expect(partText({ messages: [first, last], cursor: '9', hasMore: false })).toBe(
    'event: node\ndata: {"a":1}\n\nevent: removed\ndata: {"a":1}\n\nid: 9\n\n',
  );
  expect(partText({ messages: [], cursor: '9', hasMore: false })).toBe('');
});

test('the beginning, heartbeats and the end of a stream', () => {
  expect(openingText('5')).toBe('retry: 1000\nid: 5\n\n');
  expect(openingText('')).toBe('retry: 1000\n\n');
  expect(heartbeatText(undefined)).toBe(': heartbeat\n\n');
  expect(heartbeatText('5')).toBe(': heartbeat\nid: 5\n\n');
  expect(endText(RESTARTING, 0.5)).toMatch(/^event: end\nretry: 3000\ndata: \{"reason":"STOPPING",.*\}\n\n$/);
});
