import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@catchment/testkit';
import { type Api, MODEL } from '../api.ts';

const FIRST_MS = Date.UTC(2024, 0, 1);
const EVERY_MS = 250;
const ARRIVAL_MS = 60_000;

type StateEvent = { readonly _id: string; readonly eventTime: string; readonly message: string };

/**
 * The parameter is written 0 and 1 in turn, so that each record changes its state and gives one event. A write that is refused is sent
 * again until it is answered 202, as a careful logger does.
 */
export class Switch {
  readonly #api: Api;
  readonly #id: string;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  /** Records that were answered 202. */
  written = 0;

  private constructor(api: Api, id: string) {
    this.#api = api;
    this.#id = id;
    this.#running = this.#write();
  }

  static async start(api: Api): Promise<Switch> {
    const { sourceId } = await api.createSite();
    const { _id } = await api.create({
      _class: `${MODEL}.point.NumberPoint`,
      name: 'Switch',
      parentId: sourceId,
      statesType: 'DISCRETE',
      states: [
        { name: 'OFF', threshold: 0 },
        { name: 'ON', threshold: 1, isAlarm: true },
      ],
    });
    return new Switch(api, _id);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Writes the next record now. @returns how long it took until its node shows it, ms */
  async shownAfterMs(limitMs: number): Promise<number> {
    const beganMs = performance.now();
    const wanted = FIRST_MS + (this.written + 1) * 1_000;
    await until(async () => Date.parse((await this.#api.get(`/nodes/${this.#id}`)).json.currentTime) >= wanted, {
      deadlineMs: limitMs,
      everyMs: 50,
      what: 'a new record is shown on its node',
    });
    return performance.now() - beganMs;
  }

  /** Describes the records that do not have exactly one event. The call waits for the last event. */
  async faults(): Promise<string[]> {
    const expected = Array.from({ length: this.written }, (_, n) => new Date(FIRST_MS + n * 1_000).toISOString());
    let events: StateEvent[] = [];
    await until(
      async () => {
        const path = `/nodes/${this.#id}/events?filter=eventType($eq:STATE)&limit=10000`;
        events = (await this.#api.get(path)).json;
        return events.length >= expected.length;
      },
      { deadlineMs: ARRIVAL_MS, everyMs: 500 },
    ).catch(() => {});
    const byTime = Map.groupBy(events, ({ eventTime }) => eventTime);
    return [
      ...expected.filter((time) => !byTime.has(time)).map((time) => `no event of ${time}`),
      ...[...byTime]
        .filter(([, found]) => found.length > 1)
        .map(([time, found]) => `${found.length} events of ${time}`),
    ];
  }

  async #write(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const record = {
        value: this.written % 2,
        timestamp: new Date(FIRST_MS + this.written * 1_000).toISOString(),
      };
      const isAnswered = await this.#api.put(`/nodes/${this.#id}/historic/now`, record).then(
        ({ status }) => status === 202,
        () => false,
      );
      if (isAnswered) this.written += 1;
      await delay(EVERY_MS, undefined, { signal }).catch(() => {});
    }
  }
}
