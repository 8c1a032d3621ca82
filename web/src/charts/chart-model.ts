import type { ChartData } from '@catchment/dashboard-view';
import { batch, type ReadonlySignal, signal } from '@preact/signals';
import { type Get, withArguments } from '../live/requests.ts';
import { isWhole, type Window } from './chart-window.ts';

/** A movement asks when it rests for so long. */
const REST_MS = 150;
/** Answers that are kept for the way back. */
const MOST_KEPT = 8;

export type ChartModel = {
  readonly data: ReadonlySignal<ChartData | undefined>;
  /** What the chart's period is; undefined until it is known. */
  readonly bounds: ReadonlySignal<Window | undefined>;
  /** What is to be seen; undefined: all of the period, which moves on with it. */
  readonly window: ReadonlySignal<Window | undefined>;
  readonly isLoading: ReadonlySignal<boolean>;
  readonly hasFailed: ReadonlySignal<boolean>;
  readonly show: (window: Window) => void;
  /** Asks again, for example as there is news or as the chart has another width. */
  readonly load: (what: { readonly revision: string; readonly width: number }) => void;
  readonly close: () => void;
};

/** What a chart shows of its series; each window is asked for at the chart's own resolution, so that no peak is hidden. */
export function chartModel(dataUrl: string, get: Get): ChartModel {
  const data = signal<ChartData>();
  const bounds = signal<Window>();
  const window = signal<Window>();
  const isLoading = signal(false);
  const hasFailed = signal(false);
  const kept = new Map<string, ChartData>();
  let asked = { revision: '', width: 0 };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let request = new AbortController();

  const addressOf = (shown: Window | undefined): string =>
    withArguments(dataUrl, {
      ...(shown && {
        start: new Date(Math.floor(shown.start)).toISOString(),
        end: new Date(Math.ceil(shown.end)).toISOString(),
      }),
      width: asked.width,
    });

  async function ask(): Promise<void> {
    clearTimeout(timer);
    request.abort();
    const own = new AbortController();
    request = own;
    const shown = window.peek();
    const address = addressOf(shown);
    const known = kept.get(address);
    if (known) return take(known, shown);
    isLoading.value = true;
    try {
      const answer = await get<ChartData>(address, own.signal);
      if (own.signal.aborted) return;
      kept.set(address, answer);
      if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
      take(answer, shown);
    } catch {
      if (own.signal.aborted) return;
      batch(() => {
        isLoading.value = false;
        hasFailed.value = true;
      });
    }
  }

  function take(answer: ChartData, shown: Window | undefined): void {
    batch(() => {
      data.value = answer;
      if (shown === undefined) bounds.value = { start: answer.start, end: answer.end };
      isLoading.value = false;
      hasFailed.value = false;
    });
  }

  return {
    data,
    bounds,
    window,
    isLoading,
    hasFailed,
    show: (wanted) => {
      const whole = bounds.peek();
      if (whole === undefined) return;
      window.value = isWhole(wanted, whole) ? undefined : wanted;
      clearTimeout(timer);
      if (kept.has(addressOf(window.peek()))) void ask();
      else timer = setTimeout(ask, REST_MS);
    },
    load: (what) => {
      if (what.revision !== asked.revision) kept.clear();
      if (what.revision === asked.revision && what.width === asked.width && !hasFailed.peek()) return;
      asked = what;
      void ask();
    },
    close: () => {
      clearTimeout(timer);
      request.abort();
    },
  };
}
