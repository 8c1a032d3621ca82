import { beginWork, workMeanwhile } from '../work-in-progress.ts';
import { EventLoopDelays, logLongDelays } from './event-loop.ts';

const FIFTH_MS = 200;

/** Looks that find the given delays, each as late as its delay makes it. */
function watched(...delaysMs: number[]) {
  const left = [...delaysMs];
  const delays = new EventLoopDelays(() => left.shift() ?? 0, 0);
  let nowMs = 0;
  const look = () => {
    nowMs += Math.max(FIFTH_MS, left[0] ?? 0);
    delays.look(nowMs);
  };
  return { delays, look, lookAll: () => delaysMs.forEach(look), wait: (ms: number) => (nowMs += ms) };
}

async function counts(delays: EventLoopDelays): Promise<Record<string, number>> {
  const [, histogram] = delays.metrics();
  const { values = [] } = (await histogram?.read()) ?? {};
  const buckets = values as readonly { metricName?: string; labels: { le?: number | string }; value: number }[];
  return Object.fromEntries(
    buckets.map(({ metricName, labels, value }) => [`${metricName} ${labels.le ?? ''}`, value]),
  );
}

const BUCKET = 'catchment_event_loop_delay_seconds_bucket';

test.each<[what: string, delaysMs: number[], all: number, upToHalf: number]>([
  ['nothing holds it up', [0, 1, 3, 2], 4, 4],
  ['a delay of a fifth of a second is one of them', [0, 200, 0], 3, 3],
  ['a long delay counts for each fifth of a second that it lasts', [0, 3_000, 0], 17, 2],
  ['so it has its share of the time', [600, 600, 600, 600], 12, 0],
])('delays by time: %s', async (_what, delaysMs, all, upToHalf) => {
  const { delays, lookAll } = watched(...delaysMs);
  lookAll();
  expect(await counts(delays)).toMatchObject({ [`${BUCKET} 0.5`]: upToHalf, [`${BUCKET} +Inf`]: all });
});

test('the longest delay is that of the last minute, whoever asks how often, and forgotten after somewhat more', () => {
  const { delays, look, wait } = watched(0, 750, 10);
  look();
  look();
  look();
  expect([delays.longestSeconds, delays.longestSeconds]).toEqual([0.75, 0.75]);
  wait(59_000);
  look();
  expect(delays.longestSeconds).toBe(0.75);
  wait(12_000);
  look();
  expect(delays.longestSeconds).toBe(0);
});

test('after a pause of hours nothing of before is left', () => {
  const { delays, look, wait } = watched(750, 0);
  look();
  wait(3 * 3_600_000);
  look();
  expect(delays.longestSeconds).toBe(0);
});

describe('lines about long delays', () => {
  function logged() {
    const lines: object[] = [];
    const reported: { report: (delayMs: number) => void } = { report: () => undefined };
    let nowMs = 0;
    const log = { warn: (line: object) => lines.push(line) };
    logLongDelays({ onDelay: (report) => Object.assign(reported, { report }) }, log as never, () => nowMs);
    return {
      lines,
      delay: (delayMs: number, afterMs = 0) => {
        nowMs += afterMs;
        reported.report(delayMs);
      },
    };
  }

  test('name what was in work, also what has ended in the same turn', () => {
    const { lines, delay } = logged();
    delay(0);
    delay(0);
    const ended = beginWork('historic.v1.Historic/Read');
    const goesOn = beginWork('writer handle');
    ended();
    delay(812.4);
    goesOn();
    expect(lines).toEqual([
      {
        delayMs: 812,
        work: [
          { name: 'historic.v1.Historic/Read', requestId: undefined },
          { name: 'writer handle', requestId: undefined },
        ],
        more: 0,
      },
    ]);
  });

  test('begin at half a second', () => {
    const { lines, delay } = logged();
    delay(499);
    expect(lines).toHaveLength(0);
    delay(500);
    expect(lines).toHaveLength(1);
  });

  test('are at most one in ten seconds, and the next one counts those that had none', () => {
    const { lines, delay } = logged();
    for (let n = 0; n < 5; n += 1) delay(600, 1_000);
    expect(lines).toHaveLength(1);
    delay(700, 9_000);
    expect(lines.slice(1)).toEqual([expect.objectContaining({ delayMs: 700, unlogged: 4 })]);
  });

  test('show few of many, and how many more there were', () => {
    const ends = Array.from({ length: 100 }, (_, n) => beginWork(`call ${n}`));
    const { work, more } = workMeanwhile();
    expect([work.length, more]).toEqual([8, 92]);
    for (const end of ends) end();
    // Work that has ended is forgotten but for a few entries.
    expect(workMeanwhile().more).toBeLessThan(32);
    workMeanwhile();
    expect(workMeanwhile()).toEqual({ work: [], more: 0 });
  });
});
