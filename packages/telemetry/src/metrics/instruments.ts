import { Counter, Gauge, Histogram } from 'prom-client';
import { asCurrentService } from '../services.ts';
import { currentSampledTrace } from '../tracing.ts';
import { PerService } from './per-service.ts';
import { metricsAreOff, register, type Values } from './registry.ts';
import { Sources } from './sources.ts';

/** Values by label; each name must be one of the instrument's. Few values each: never ids, accounts or paths. */
export type Labels<Name extends string> = Readonly<Partial<Record<Name, string | number>>>;

export type Definition<Name extends string> = {
  /** The name in Prometheus: base units, counters end in `_total`. */
  readonly name: string;
  /** One sentence; it is also the metric's line in docs/operations/metrics.md. */
  readonly help: string;
  readonly labels?: readonly Name[];
};

/** The reading is true now: a number, or a number for each set of labels; nothing while it is not known. */
export type Reading<Name extends string> =
  | number
  | undefined
  | readonly (readonly [labels: Labels<Name>, value: number])[];

const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

const NOTHING: Values = { values: [] };

/**
 * Makes a number that only grows, for each service of the process its own. A series that is shown before its first count (`known`, or
 * `add(labels, 0)`) shows it as a rise.
 */
export function counter<Name extends string = never>(
  definition: Definition<Name> & {
    /** Series that are shown from the start, by the service in whose folder the metric is defined; by others, after their first count. */
    readonly known?: readonly Labels<Name>[];
  },
) {
  const { name, help, labels = [], known = [] } = definition;
  const parts = new PerService(() => {
    const counter = new Counter<Name>({ name, help, labelNames: labels, registers: [] });
    for (const at of known) counter.inc(at, 0);
    return counter;
  });
  register({ name, help, type: 'counter', labels, read: async (slot = 0) => parts.of(slot)?.get() ?? NOTHING });
  return {
    add(at: Labels<Name>, by = 1): void {
      if (!metricsAreOff()) parts.current().inc(at, by);
    },
  };
}

/** Makes a number that rises and falls: either set by the code, or asked of its sources at each scrape. */
export function gauge<Name extends string = never>(definition: Definition<Name>) {
  const { name, help, labels = [] } = definition;
  const parts = new PerService(() => new GaugePart(definition));
  register({ name, help, type: 'gauge', labels, read: async (slot = 0) => parts.of(slot)?.read() ?? NOTHING });
  return {
    set(at: Labels<Name>, value: number): void {
      if (!metricsAreOff()) parts.current().own.set(at, value);
    },
    add(at: Labels<Name>, by: number): void {
      if (!metricsAreOff()) parts.current().own.inc(at, by);
    },
    /**
     * Asks `source` at each scrape of the service that registers it, for a moment only. One that fails or is late leaves its samples
     * out, and the others stay.
     * @returns ends it
     */
    from(source: () => Reading<Name> | Promise<Reading<Name>>): () => void {
      return parts.current().sources.add(asCurrentService(source));
    },
  };
}

/** A gauge of one service. */
class GaugePart<Name extends string> {
  readonly own: Gauge<Name>;
  readonly sources = new Sources<Reading<Name>>();
  readonly #hasLabels: boolean;

  constructor({ name, help, labels = [] }: Definition<Name>) {
    this.own = new Gauge<Name>({ name, help, labelNames: labels, registers: [] });
    this.#hasLabels = labels.length > 0;
    this.#forget();
  }

  async read(): Promise<Values> {
    const readings = await this.sources.ask();
    if (readings) {
      this.#forget();
      for (const reading of readings) {
        if (typeof reading === 'number') this.own.set(reading);
        else for (const [at, value] of reading ?? []) this.own.set(at, value);
      }
    }
    return this.own.get();
  }

  /** There is no sample without a value; the library would show 0 where there are no labels. */
  #forget(): void {
    this.own.reset();
    if (!this.#hasLabels) this.own.remove();
  }
}

/** Counts how often values came, by size; those of a sampled trace leave its id as an exemplar. */
export function histogram<Name extends string = never>(
  definition: Definition<Name> & {
    /** Upper bounds, ascending. Default: durations in seconds, as OpenTelemetry has them. */
    readonly buckets?: readonly number[];
  },
) {
  const { name, help, labels = [], buckets = DURATION_BUCKETS } = definition;
  const settings = { name, help, labelNames: labels, buckets: [...buckets], registers: [], enableExemplars: true };
  const parts = new PerService(() => new Histogram<Name>(settings));
  register({ name, help, type: 'histogram', labels, read: async (slot = 0) => parts.of(slot)?.get() ?? NOTHING });
  return {
    observe(at: Labels<Name>, value: number): void {
      if (metricsAreOff()) return;
      const exemplarLabels = currentSampledTrace();
      // The library's type has the labels of exemplars among those of the series, which they are not.
      parts.current().observe({ labels: at, value, ...(exemplarLabels && { exemplarLabels }) } as never);
    },
  };
}
