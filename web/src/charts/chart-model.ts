import type { ChartData } from '@catchment/dashboard-view';
import { batch, type ReadonlySignal, signal } from '@preact/signals';
import { type Get, withArguments } from '../live/requests.ts';
import { byKey, isWhole, reachOf, type Window, within } from './chart-window.ts';

/** A movement asks once it has rested this long. */
const REST_MS = 150;
/** This many answers are kept for the way back. */
const MOST_KEPT = 8;

export type ChartModel<D extends ChartData = ChartData> = {
  readonly data: ReadonlySignal<D | undefined>;
  /** The chart has this period; undefined until it is known. */
  readonly bounds: ReadonlySignal<Window | undefined>;
  /** Sets the period, where it is known from elsewhere. */
  readonly bound: (period: Window) => void;
  /** This part is seen; undefined for all of the period, which moves on with it. */
  readonly window: ReadonlySignal<Window | undefined>;
  readonly isLoading: ReadonlySignal<boolean>;
  readonly hasFailed: ReadonlySignal<boolean>;
  /** Shows the nearest range that the period allows. */
  readonly show: (window: Window) => void;
  /** Shows everything again, or a part from elsewhere, such as the address. */
  readonly set: (window: Window | undefined) => void;
  /** Does what a key does. @returns whether it does something */
  readonly press: (key: string) => boolean;
  /** Asks again, for example as there is news or as the chart has another width. */
  readonly load: (what: { readonly revision: string; readonly width: number }) => void;
  readonly close: () => void;
};

/** Reads what a chart shows of a window, or of the whole period, at a width in pixels. */
export type ReadWindow<D extends ChartData> = (
  shown: Window | undefined,
  width: number,
  signal: AbortSignal,
) => Promise<D>;

/** Models the chart of an address that answers `ChartData`. */
export const chartModel = (dataUrl: string, get: Get, first?: Window): ChartModel =>
  windowModel(
    (shown, width, signal) =>
      get(
        withArguments(dataUrl, {
          ...(shown && {
            start: new Date(Math.floor(shown.start)).toISOString(),
            end: new Date(Math.ceil(shown.end)).toISOString(),
          }),
          width,
        }),
        signal,
      ),
    first,
  );

/**
 * Models what a chart shows of its series. Each window is asked for at the chart's own resolution, so that no peak is hidden.
 * @param first what is to be seen at first; undefined: everything
 */
export function windowModel<D extends ChartData>(read: ReadWindow<D>, first?: Window): ChartModel<D> {
  const data = signal<D>();
  const bounds = signal<Window>();
  const window = signal(first);
  const isLoading = signal(false);
  const hasFailed = signal(false);
  const kept = new Map<string, D>();
  let asked = { revision: '', width: 0 };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let request = new AbortController();

  const keyOf = (shown: Window | undefined): string =>
    `${shown ? `${Math.floor(shown.start)}/${Math.ceil(shown.end)}` : 'whole'} ${asked.width}`;

  async function ask(): Promise<void> {
    clearTimeout(timer);
    request.abort();
    const controller = new AbortController();
    request = controller;
    const shown = window.peek();
    const known = kept.get(keyOf(shown));
    if (known && (shown === undefined || bounds.peek())) return take(known, shown);
    isLoading.value = true;
    try {
      // A part alone does not show the range to come back to.
      const whole =
        shown !== undefined && bounds.peek() === undefined ? await answerOf(undefined, controller.signal) : undefined;
      const answer = await answerOf(shown, controller.signal);
      if (controller.signal.aborted) return;
      if (whole) bounds.value = { start: whole.start, end: whole.end };
      take(answer, shown);
    } catch (error) {
      if (controller.signal.aborted) return;
      if (shown !== undefined && (error as { status?: number }).status === 400) return set(undefined);
      batch(() => {
        isLoading.value = false;
        hasFailed.value = true;
      });
    }
  }

  async function answerOf(shown: Window | undefined, signal: AbortSignal): Promise<D> {
    const key = keyOf(shown);
    const answer = kept.get(key) ?? (await read(shown, asked.width, signal));
    if (!signal.aborted) kept.set(key, answer);
    if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
    return answer;
  }

  function take(answer: D, shown: Window | undefined): void {
    batch(() => {
      data.value = answer;
      if (shown === undefined) bounds.value = { start: answer.start, end: answer.end };
      isLoading.value = false;
      hasFailed.value = false;
    });
  }

  const set = (wanted: Window | undefined) => {
    window.value = wanted;
    clearTimeout(timer);
    // A chart without a size yet asks once it has one.
    if (asked.width > 0) void ask();
  };

  const moveTo = (wanted: Window, whole: Window) => {
    window.value = isWhole(wanted, whole) ? undefined : wanted;
    clearTimeout(timer);
    if (kept.has(keyOf(window.peek()))) void ask();
    else timer = setTimeout(ask, REST_MS);
  };
  /** Finds the part that is seen, and where it may move. */
  const place = () => {
    const whole = bounds.peek();
    if (whole === undefined) return undefined;
    const at = window.peek() ?? whole;
    return { whole, at, reach: reachOf(at, whole) };
  };

  return {
    data,
    bounds,
    bound: (period) => {
      bounds.value = period;
    },
    window,
    isLoading,
    hasFailed,
    show: (wanted) => {
      const known = place();
      if (known) moveTo(within(wanted, known.reach), known.whole);
    },
    set,
    press: (key) => {
      const known = place();
      const moved = known && byKey(key, known.at, known.reach);
      if (moved) moveTo(moved, known.whole);
      return moved !== undefined;
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
