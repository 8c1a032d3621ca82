import { Gathering } from './gathering.ts';

const FULL = 16;

/** A reader of batches every 100 ms at most, under a clock that is turned by hand. */
function fixture() {
  let nowMs = 0;
  let held = 0;
  const sleeping: { untilMs: number; wake: () => void }[] = [];
  const gathering = new Gathering(100, () => held >= FULL, {
    now: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        sleeping.push({ untilMs: nowMs + ms, wake: resolve });
        signal.addEventListener('abort', () => resolve());
      }),
  });
  return {
    stopped: new AbortController(),
    take: () => {
      held = 0;
    },
    arrive: (count: number) => {
      for (let n = 0; n < count; n += 1) {
        held += 1;
        gathering.arrived();
      }
    },
    pass: (ms: number) => {
      nowMs += ms;
      for (const { untilMs, wake } of sleeping) if (untilMs <= nowMs) wake();
    },
    /** Returns whether the next batch begins without further time or messages. */
    begin: (signal: AbortSignal) => {
      const state = { begun: false };
      void gathering.wait(signal).then(() => {
        state.begun = true;
      });
      return async () => {
        await new Promise(setImmediate);
        return state.begun;
      };
    },
  };
}

async function afterOneBatch() {
  const f = fixture();
  f.arrive(1);
  const first = f.begin(f.stopped.signal);
  expect(await first()).toBe(true);
  f.take();
  return f;
}

test('a quiet reader begins at once, a busy one lets messages gather until the time is over', async () => {
  const f = await afterOneBatch();
  f.arrive(3);
  const begun = f.begin(f.stopped.signal);
  f.pass(99);
  expect(await begun()).toBe(false);
  f.pass(1);
  expect(await begun()).toBe(true);
});

test('a batch that becomes full while it gathers begins at once', async () => {
  const f = await afterOneBatch();
  f.arrive(FULL - 1);
  const begun = f.begin(f.stopped.signal);
  f.pass(10);
  expect(await begun()).toBe(false);
  f.arrive(1);
  expect(await begun()).toBe(true);
});

test('one that is full already does not wait, and one whose reader stops neither', async () => {
  const f = await afterOneBatch();
  f.arrive(FULL);
  expect(await f.begin(f.stopped.signal)()).toBe(true);
  f.take();
  const begun = f.begin(f.stopped.signal);
  f.stopped.abort();
  expect(await begun()).toBe(true);
});
