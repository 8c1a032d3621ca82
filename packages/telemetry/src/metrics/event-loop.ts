import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, Histogram } from 'prom-client';
import type { Logger } from '../logger.ts';
import { workMeanwhile } from '../work-in-progress.ts';
import type { Metric } from './registry.ts';

/** A delay is so exact. A timer of the runtime that nothing is called for costs a thousandth of a core with it. */
const PRECISION_MS = 20;
const LOOK_EVERY_MS = 200;
/** The log shows delays from here on. */
const LONG_MS = 500;
/** At least this much time lies between two lines of the log, whatever the second line reports. */
const QUIET_MS = 10_000;
/** The longest delay is that of the last minute, or somewhat more, for as many who ask, as often as they do. */
const PART_MS = 10_000;
const PARTS = 7;
const BUCKETS = [0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 2, 5, 10];

/** Returns the longest delay since the last time it was asked, ms. */
type LongestDelay = () => number;

/**
 * Measures how long the event loop of a process keeps everybody waiting. The runtime's own percentiles count delays, so
 * that one of ten seconds among hundreds of short ones is not seen, and begin anew whenever somebody asks. Here each
 * fifth of a second counts once, also those that have gone by in a long delay: a share of the counts is a share of the
 * time.
 */
export class EventLoopDelays {
  readonly #longest: LongestDelay;
  readonly #histogram = new Histogram({
    name: 'catchment_event_loop_delay_seconds',
    help: 'Longest delay of the event loop in each fifth of a second; each fifth that a longer one lasts counts. Meanwhile the process answers nobody.',
    buckets: BUCKETS,
    registers: [],
  });
  readonly #parts: number[] = Array.from({ length: PARTS }, () => 0);
  #part = 0;
  #lookedMs: number;
  #onDelay: ((delayMs: number) => void) | undefined;

  constructor(longest: LongestDelay, nowMs: number) {
    this.#longest = longest;
    this.#lookedMs = nowMs;
  }

  /** The last minute's longest delay. */
  get longestSeconds(): number {
    return Math.max(...this.#parts) / 1_000;
  }

  /** Looks at the event loop. Call it every fifth of a second, as often as the event loop lets it. */
  look(nowMs: number): void {
    const delayMs = this.#longest();
    const fifths = Math.max(1, Math.round((nowMs - this.#lookedMs) / LOOK_EVERY_MS));
    for (let n = 0; n < fifths; n += 1) this.#histogram.observe(delayMs / 1_000);
    this.#enter(Math.floor(nowMs / PART_MS));
    const at = this.#part % PARTS;
    this.#parts[at] = Math.max(this.#parts[at] ?? 0, delayMs);
    this.#lookedMs = nowMs;
    this.#onDelay?.(delayMs);
  }

  /** Sets the function that is called for each delay. */
  onDelay(listener: (delayMs: number) => void): void {
    this.#onDelay = listener;
  }

  #enter(part: number): void {
    const first = Math.max(this.#part + 1, part - PARTS + 1);
    for (let passed = first; passed <= part; passed += 1) this.#parts[passed % PARTS] = 0;
    this.#part = part;
  }

  metrics(): Metric[] {
    const name = 'catchment_event_loop_longest_delay_seconds';
    const help = 'Longest delay of the event loop in the last minute.';
    const gauge = new Gauge({ name, help, registers: [] });
    const read = async () => {
      gauge.set(this.longestSeconds);
      return gauge.get();
    };
    const { name: histogramName, help: histogramHelp } = this.#histogram as unknown as { name: string; help: string };
    const ofHistogram = { name: histogramName, help: histogramHelp, type: 'histogram', labels: [] } as const;
    return [
      { name, help, type: 'gauge', labels: [], read },
      { ...ofHistogram, read: () => this.#histogram.get() },
    ];
  }
}

let known: EventLoopDelays | undefined;

/** Returns those of this process; it begins to watch with the first question. */
export function eventLoopDelays(): EventLoopDelays {
  if (known) return known;
  const monitor = monitorEventLoopDelay({ resolution: PRECISION_MS });
  monitor.enable();
  const longest = () => {
    // It records the time between two calls of its timer, and nothing before the second one.
    const ms = monitor.count > 0 ? monitor.max / 1e6 - PRECISION_MS : 0;
    monitor.reset();
    return Math.max(0, ms);
  };
  const delays = new EventLoopDelays(longest, performance.now());
  setInterval(() => delays.look(performance.now()), LOOK_EVERY_MS).unref();
  known = delays;
  return delays;
}

/**
 * A line for a delay of half a second or more, with the calls and messages that were in work meanwhile: one of them, or what it has
 * begun, has computed that long, or the process had no processor. Ten seconds have one line at most; it counts those before it that had none.
 */
export function logLongDelays(
  delays: Pick<EventLoopDelays, 'onDelay'>,
  log: Pick<Logger, 'warn'>,
  now: () => number = () => performance.now(),
): void {
  let quietUntilMs = Number.NEGATIVE_INFINITY;
  let unlogged = 0;
  delays.onDelay((delayMs) => {
    const work = workMeanwhile();
    if (delayMs < LONG_MS) return;
    if (now() < quietUntilMs) {
      unlogged += 1;
      return;
    }
    log.warn({ delayMs: Math.round(delayMs), ...work, ...(unlogged > 0 && { unlogged }) }, 'event loop was held up');
    quietUntilMs = now() + QUIET_MS;
    unlogged = 0;
  });
}
