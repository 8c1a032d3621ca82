import { scoutConfigOf } from '../../registry/domain/scout-config.ts';
import { idleLimitMs, isLineLate, MESSAGE_MAX_BYTES, ModemDialogue, pipeLines } from './modem-dialogue.ts';

const CONFIG = scoutConfigOf({}, { host: 'example.org', port: 7_000 });
const device = (configRevision: number, confirmedRevision: number, config: typeof CONFIG | null = CONFIG) => ({
  config,
  configRevision,
  confirmedRevision,
});
const NOW_MS = Date.UTC(2026, 0, 2);
const WELCOME = {
  type: 'welcome',
  time: '2026-01-02T00:00:00.000Z',
  ackedSeq: 7,
  statusIntervalSeconds: CONFIG.schedule.statusIntervalSeconds,
  maxMessageBytes: MESSAGE_MAX_BYTES,
};
const config = (revision: number) => ({ type: 'config', revision, config: CONFIG });

/** What happens on a connection, and what the modem is sent then; of an answer, whether it counts. */
type Step = readonly [happens: (dialogue: ModemDialogue) => unknown, expected: unknown];
const welcomed = (served: ReturnType<typeof device>, ...lines: object[]): Step => [
  (dialogue) => [...dialogue.welcome(served, 7, NOW_MS)],
  lines,
];
const changed = (served: ReturnType<typeof device>, ...lines: object[]): Step => [
  (dialogue) => [...dialogue.pendingConfig(served)],
  lines,
];
const answered = (revision: number, counts: boolean): Step => [(dialogue) => dialogue.takesAnswer(revision), counts];
const refused = (seq: number | undefined, line: object, isLast = false): Step => [
  (dialogue) => dialogue.refused(seq, 'must be UTF-8'),
  { line, isLast },
];
const BAD = { type: 'error', code: 'BAD_MESSAGE', message: 'must be UTF-8' };

test.each<readonly [string, readonly Step[]]>([
  ['a modem that has its configuration is welcomed alone', [welcomed(device(3, 3), WELCOME)]],
  ['one that has not is sent it behind the welcome', [welcomed(device(3, 2), WELCOME, config(3))]],
  [
    'a device without configuration has the usual time between statuses',
    [welcomed(device(1, 0, null), { ...WELCOME, statusIntervalSeconds: 600 })],
  ],
  [
    'a configuration is sent once for each revision',
    [welcomed(device(3, 2), WELCOME, config(3)), changed(device(3, 2)), changed(device(4, 2), config(4))],
  ],
  ['a confirmed configuration is not sent', [welcomed(device(3, 2), WELCOME, config(3)), changed(device(3, 3))]],
  [
    'the first answer to a configuration counts',
    [welcomed(device(3, 2), WELCOME, config(3)), answered(3, true), answered(3, false)],
  ],
  [
    'an answer to a revision that was not sent last does not count',
    [changed(device(3, 2), config(3)), changed(device(4, 2), config(4)), answered(3, false), answered(4, true)],
  ],
  ['what was never sent is not answered', [welcomed(device(3, 3), WELCOME), answered(3, false)]],
  [
    'messages with a number are refused by it, however many',
    Array.from({ length: 12 }, (_, n) => refused(n + 1, { type: 'nack', seq: n + 1, message: 'must be UTF-8' })),
  ],
  [
    'the tenth message without a number is the last',
    [
      ...Array.from({ length: 9 }, () => refused(undefined, BAD)),
      refused(undefined, { ...BAD, message: 'must be UTF-8: too often' }, true),
    ],
  ],
])('%s', (_what, steps) => {
  const dialogue = new ModemDialogue();
  for (const [happens, expected] of steps) expect(happens(dialogue)).toEqual(expected);
});

test.each([
  ['three statuses', 600, 1_800_000],
  ['ten seconds at the least', 1, 10_000],
])('a silent modem is kept for %s', (_what, statusIntervalSeconds, limitMs) => {
  const schedule = { ...CONFIG.schedule, statusIntervalSeconds };
  expect(idleLimitMs({ config: { ...CONFIG, schedule } })).toBe(limitMs);
});

test('a message may take a quarter of an hour', () => {
  expect([900_000, 900_001].map((nowMs) => isLineLate(0, nowMs))).toEqual([false, true]);
});

test('bytes for what is behind the modem go in lines of 16 KiB', () => {
  const bytes = Buffer.alloc(40_000, 'pipe');
  const lines = [...pipeLines(bytes)].map(({ type, data }) => [type, Buffer.from(String(data), 'base64')] as const);
  expect(lines.map(([type, data]) => [type, data.length])).toEqual([
    ['pipe', 16_384],
    ['pipe', 16_384],
    ['pipe', 7_232],
  ]);
  expect(Buffer.concat(lines.map(([, data]) => data))).toEqual(bytes);
});
