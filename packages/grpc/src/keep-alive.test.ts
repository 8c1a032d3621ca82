import { EventEmitter } from 'node:events';
import type { Http2Session } from 'node:http2';
import { vi } from 'vitest';
import { keepAlive } from './keep-alive.ts';

const LIMITS = { lookMs: 1_000, pingAfterLooks: 10, giveUpAfterLooks: 20 };

class FakeSession extends EventEmitter {
  closed = false;
  destroyed = false;
  readonly pings: (() => void)[] = [];

  ping(answered: () => void): boolean {
    this.pings.push(answered);
    return true;
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

const watched = (limits = LIMITS) => {
  const session = new FakeSession();
  keepAlive(session as unknown as Http2Session, limits, () => session.destroy());
  return session;
};

describe('looks', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('a peer that answers every ping is kept', () => {
    const session = watched();
    for (let n = 1; n <= 10; n += 1) {
      vi.advanceTimersByTime(10_000);
      expect(session.pings).toHaveLength(n);
      session.pings.at(-1)?.();
    }
    expect(session.destroyed).toBe(false);
  });

  test('a peer that does not answer is given up after the limit', () => {
    const session = watched();
    vi.advanceTimersByTime(10_000 + 19_000);
    expect(session.destroyed).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect({ destroyed: session.destroyed, pings: session.pings.length }).toEqual({ destroyed: true, pings: 1 });
  });

  test.each([
    ['before a ping', 5_000],
    ['while a ping is not answered', 15_000],
  ])('a connection that is being left %s is neither pinged nor cut: its calls may end', (_what, afterMs) => {
    const session = watched();
    vi.advanceTimersByTime(afterMs);
    const pings = session.pings.length;
    session.closed = true;
    vi.advanceTimersByTime(600_000);
    expect({ destroyed: session.destroyed, pings: session.pings.length }).toEqual({ destroyed: false, pings });
  });
});

test('a process that stood still reads the answer that has come before it gives up', async () => {
  const session = watched({ lookMs: 10, pingAfterLooks: 1, giveUpAfterLooks: 5 });
  while (session.pings.length === 0) await new Promise(setImmediate);
  const held = performance.now();
  while (performance.now() - held < 200);
  // Timers run before arrived bytes are read.
  await new Promise((resolve) => setTimeout(resolve));
  session.pings[0]?.();
  expect(session.destroyed).toBe(false);
  session.destroy();
});
