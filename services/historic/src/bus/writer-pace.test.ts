import { WriterPace } from './writer-pace.ts';

/** Whether a wait is over once all that is already due has run. */
async function isOver(wait: Promise<void>): Promise<boolean> {
  let over = false;
  void wait.then(() => {
    over = true;
  });
  await new Promise(setImmediate);
  return over;
}

test('a flush waits until the writer has stored the message before', async () => {
  const pace = new WriterPace(() => 1_000);
  const wait = pace.wait(0, 7, 1_000);
  pace.applied(0, 6);
  expect(await isOver(wait)).toBe(false);
  pace.applied(1, 7);
  expect(await isOver(wait)).toBe(false);
  pace.applied(0, 7);
  expect(await isOver(wait)).toBe(true);
});

test.each([
  ['nothing was published yet', 0, Number.NEGATIVE_INFINITY],
  ['the writer was faster than the acknowledgement', 5, 1_000],
  ['the last message is long ago', 9, 900],
])('there is no wait when %s', async (_what, sequence, sinceMs) => {
  const pace = new WriterPace(() => 1_000);
  pace.applied(0, 5);
  expect(await isOver(pace.wait(0, sequence, sinceMs))).toBe(true);
});

test('a writer that is elsewhere, or stuck, holds a flush up for a moment only', async () => {
  await expect(new WriterPace().wait(0, 7, performance.now())).resolves.toBeUndefined();
});
