import { connection, heard, onWake, watchConnection } from './connection.ts';

beforeAll(() => {
  vi.useFakeTimers();
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('document', { visibilityState: 'visible', addEventListener: () => {} });
  watchConnection();
});
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('an open stream that says nothing for long, as after a sleep, is not believed: the page says so, and opens its streams anew', async () => {
  let woken = 0;
  onWake(() => {
    woken += 1;
  });
  let say: (text: string) => void = () => {};
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      say = (text) => controller.enqueue(new TextEncoder().encode(text));
    },
  });
  const reader = heard(new Response(body), () => {}).body!.getReader();
  expect(connection.value.kind).toBe('live');
  const sinceMs = Date.now();
  // The clock of a device goes on while it sleeps, timers do not.
  vi.setSystemTime(sinceMs + 86_400_000);
  await vi.advanceTimersByTimeAsync(5_000);
  expect([connection.value, woken]).toEqual([{ kind: 'away', sinceMs }, 1]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(woken).toBe(1);
  say(': heartbeat\n\n');
  await reader.read();
  expect(connection.value.kind).toBe('live');
});
