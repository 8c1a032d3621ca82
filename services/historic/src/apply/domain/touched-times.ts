/** Both ends are inclusive. */
export type SeriesTimes = { readonly nodeId: string; readonly fromMs: number; readonly toMs: number };

export const wholeSeries = (nodeId: string): SeriesTimes => ({ nodeId, fromMs: -Infinity, toMs: Infinity });

/**
 * Keeps the least range of each series that holds all times which writes touch. Writes that come in the order of time, or against it, stay
 * apart.
 */
export class TouchedTimes {
  readonly #ranges = new Map<string, SeriesTimes>();

  add(times: SeriesTimes): void {
    const known = this.#ranges.get(times.nodeId);
    this.#ranges.set(
      times.nodeId,
      known
        ? { ...known, fromMs: Math.min(known.fromMs, times.fromMs), toMs: Math.max(known.toMs, times.toMs) }
        : times,
    );
  }

  /** Returns whether some of these times may have been touched. */
  meets({ nodeId, fromMs, toMs }: SeriesTimes): boolean {
    const known = this.#ranges.get(nodeId);
    return known !== undefined && known.fromMs <= toMs && fromMs <= known.toMs;
  }

  clear(): void {
    this.#ranges.clear();
  }
}
