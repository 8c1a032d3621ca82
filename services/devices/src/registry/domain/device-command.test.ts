import { commandMessage, readCommand } from './device-command.ts';

const SOFTWARE = { version: '2.2.0', url: 'https://example.com/app.bin', sha256: 'a'.repeat(64) };

test.each([
  ['a command without arguments', { command: 'REBOOT', url: 5 }, { name: 'REBOOT', arguments: {} }],
  ['its name in any letter case', { command: 'set_clock' }, { name: 'SET_CLOCK', arguments: {} }],
  [
    'software with its component',
    { command: 'UPDATE_SOFTWARE', component: 'FIRMWARE', ...SOFTWARE },
    { name: 'UPDATE_SOFTWARE', arguments: { component: 'FIRMWARE', ...SOFTWARE } },
  ],
])('%s', (_what, body, expected) => {
  expect(readCommand(body)).toEqual(expected);
});

test.each([
  [{}, 'command: must be one of REBOOT'],
  [{ command: 'DANCE' }, 'command: must be one of REBOOT'],
  [{ command: 'UPDATE_SOFTWARE', ...SOFTWARE, url: undefined }, 'url: is required'],
  [{ command: 'UPDATE_SOFTWARE', ...SOFTWARE, url: 'file:///etc/passwd' }, 'url: must be an http'],
  [{ command: 'UPDATE_SOFTWARE', ...SOFTWARE, sha256: 'x' }, 'sha256: must be 64'],
])('%j is refused by the name of its attribute', (body, message) => {
  expect(() => readCommand(body)).toThrow(message);
});

test('the clock is set to the time at which the command is sent', () => {
  const command = {
    commandId: 'a'.repeat(24),
    deviceId: '',
    name: 'SET_CLOCK',
    arguments: {},
    username: '',
    createdMs: 0,
  } as const;
  expect(commandMessage(command, Date.UTC(2026, 0, 2))).toMatchObject({
    name: 'SET_CLOCK',
    time: '2026-01-02T00:00:00.000Z',
  });
});
