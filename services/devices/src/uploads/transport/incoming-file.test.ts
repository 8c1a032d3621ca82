import { setImmediate } from 'node:timers/promises';
import { EarlyRoom, IncomingFile } from './incoming-file.ts';

const PART = 32 * 1024;

function incoming(room = new EarlyRoom(1)) {
  let isPaused = false;
  const pause = () => {
    isPaused = true;
  };
  const resume = () => {
    isPaused = false;
  };
  const file = new IncomingFile('file-1', '/a.csv', { room, pause, resume });
  return { file, isPaused: () => isPaused };
}

/** The number of the part stands in all of its bytes. */
const part = (index: number) => Buffer.alloc(PART, index % 251);
const write = (file: IncomingFile, index: number) =>
  file.write(index * PART, part(index)).then(
    () => 'answered',
    (error: Error) => error.message,
  );
async function read(file: IncomingFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of file.bytes) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
/** Returns the answer if it comes without waiting for anything else. */
const answered = async (answer: Promise<string>) => Promise.race([answer, setImmediate('waits')]);

test('256 parts of 32 KiB of which the first one comes last make a file, and each is answered', async () => {
  const { file } = incoming();
  const bytes = read(file);
  const answers = Array.from({ length: 256 }, (_, index) => write(file, 255 - index));
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['answered']));
  file.finish();
  expect((await bytes).equals(Buffer.concat(Array.from({ length: 256 }, (_, index) => part(index))))).toBe(true);
});

test('behind a gap 2 MiB are answered at once, and what comes beyond when the gap is filled: a client runs no further ahead than it may', async () => {
  const { file } = incoming();
  const bytes = read(file);
  // The client has 64 requests under way, and its first part is late.
  let isNext = 1;
  const waiting: Promise<string>[] = [];
  while (waiting.length < 63) {
    const answer = write(file, isNext);
    isNext += 1;
    if ((await answered(answer)) === 'waits') waiting.push(answer);
  }
  expect(isNext * PART).toBeLessThanOrEqual(2 * 1024 * 1024 + 64 * PART);
  expect(await write(file, 0)).toBe('answered');
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['answered']));
  file.finish();
  expect((await bytes).length).toBe(isNext * PART);
});

test('more than 10 MiB behind a gap, a part that came already and one twice are refused', async () => {
  const { file } = incoming();
  const bytes = read(file);
  const answers = Array.from({ length: 321 }, (_, index) => write(file, index + 1));
  expect(await answers[320]).toMatch('in order');
  expect(await write(file, 5)).toMatch('in order');
  expect(await write(file, 0)).toBe('answered');
  expect(await write(file, 0)).toMatch('in order');
  file.finish();
  expect((await bytes).length).toBe(321 * PART);
});

test('a file with a gap is not taken, and those that wait for an answer get one', async () => {
  const { file } = incoming();
  const bytes = read(file).catch((error: Error) => error.message);
  const answers = Array.from({ length: 80 }, (_, index) => write(file, index + 1));
  file.finish();
  expect(await bytes).toMatch('a part of the file is missing');
  file.over();
  expect(await answers.at(-1)).toMatch('did not arrive');
});

test('a client that finds no room for early parts is not read until there is some', async () => {
  const room = new EarlyRoom(1);
  const [first, second, third] = [incoming(room), incoming(room), incoming(room)];
  for (const { file } of [first, second, third]) void write(file, 1);
  expect([first, second, third].map(({ isPaused }) => isPaused())).toEqual([false, true, true]);
  second.file.over();
  expect(await write(first.file, 0)).toBe('answered');
  expect([first, second, third].map(({ isPaused }) => isPaused())).toEqual([false, false, false]);
  third.file.over();
  const { file, isPaused } = incoming(room);
  void write(file, 1);
  expect(isPaused()).toBe(false);
});

test('a client is not read while much of its file waits to be stored', async () => {
  const { file, isPaused } = incoming();
  const answers = Array.from({ length: 64 }, (_, index) => write(file, index));
  expect(isPaused()).toBe(true);
  const bytes = read(file);
  await Promise.all(answers);
  expect(isPaused()).toBe(false);
  file.finish();
  expect((await bytes).length).toBe(64 * PART);
});
