import { readMessage } from './written-message.ts';

const MESSAGE = { users: ['ann@example.org'], message: 'Come to the weir' };

test('what is left out has its usual value', () => {
  expect(readMessage(MESSAGE)).toEqual({
    users: ['ann@example.org'],
    groups: [],
    subject: '',
    message: 'Come to the weir',
    channels: ['email'],
  });
});

test('everything that may be said is read', () => {
  const given = { groups: ['Crew'], subject: 'Flood', message: ' One\nTwo ', channels: ['sms', 'email', 'sms'] };
  expect(readMessage(given)).toEqual({
    users: [],
    groups: ['Crew'],
    subject: 'Flood',
    message: 'One\nTwo',
    channels: ['sms', 'email'],
  });
});

test.each([
  ['nobody', { users: [] }, 'users: or groups must name somebody'],
  ['no list of users', { users: 'ann@example.org' }, 'users: must be an array'],
  ['a user that is no text', { users: [{ user: 'ann@example.org' }] }, 'users[0]: must be a text'],
  ['too many users', { users: Array.from({ length: 1_001 }, () => 'a') }, 'users: must have at most 1000'],
  ['a group without a name', { groups: [''] }, 'groups[0]: must be a text'],
  ['no message', { message: undefined }, 'message: is required'],
  ['an empty message', { message: '  ' }, 'message'],
  ['a long message', { message: 'a'.repeat(501) }, 'message'],
  ['a control character in the message', { message: 'a\u0007' }, 'message'],
  ['a subject of two lines', { subject: 'a\nb' }, 'subject'],
  ['a long subject', { subject: 'a'.repeat(101) }, 'subject'],
  ['no channel', { channels: [] }, 'channels: must have at least 1'],
  ['another channel', { channels: ['email', 'voice'] }, 'channels[1]: must be one of email, sms'],
])('refuses %s', (_what, change, problem) => {
  expect(() => readMessage({ ...MESSAGE, ...change })).toThrow(problem);
});
