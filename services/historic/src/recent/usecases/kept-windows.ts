import { counter, gauge } from '@catchment/telemetry';
import type { StoredColumn } from '../../records/index.ts';
import type { PackedWindow } from '../domain/packed-window.ts';

const evicted = counter({
  name: 'catchment_recent_records_evicted_total',
  help: 'Series whose recent records were dropped because the memory for them (RECENT_RECORDS_MIB) was full.',
  known: [{}],
});
const memory = gauge({
  name: 'catchment_recent_records_bytes',
  help: 'Memory of recent records, at most RECENT_RECORDS_MIB.',
});

/** The window was read in this span of the log. */
export type Entry = { readonly window: PackedWindow; readonly span: number };

/** A window takes at most this part of the budget. */
const MOST_OF_BUDGET = 1 / 8;
/** A record of numbers takes about this many bytes. */
export const RECORD_BYTES = 16;
/** A window has at most this many records. */
const MOST_RECORDS = 100_000;

/** Keeps windows by series, within a budget of bytes; those that were read longest ago go first. */
export class KeptWindows {
  readonly #budgetBytes: number;
  /** The series that was read last comes last. */
  readonly #windows = new Map<string, Entry>();
  readonly close: () => void;
  #bytes = 0;

  constructor(budgetBytes: number) {
    this.#budgetBytes = budgetBytes;
    this.close = memory.from(() => this.#bytes);
  }

  get bytes(): number {
    return this.#bytes;
  }

  get count(): number {
    return this.#windows.size;
  }

  /** Most bytes of a window. */
  get mostBytes(): number {
    return this.#budgetBytes * MOST_OF_BUDGET;
  }

  /** A window has at most this many records when it is read. */
  get mostRecords(): number {
    return Math.min(MOST_RECORDS, Math.floor(this.mostBytes / RECORD_BYTES / 2));
  }

  get(nodeId: string): Entry | undefined {
    return this.#windows.get(nodeId);
  }

  /** The window of a series was read now. */
  touch(nodeId: string, entry: Entry): void {
    this.#windows.delete(nodeId);
    this.#windows.set(nodeId, entry);
  }

  keep(nodeId: string, entry: Entry): void {
    this.drop(nodeId);
    this.#windows.set(nodeId, entry);
    this.#bytes += entry.window.bytes;
    this.#evict();
  }

  /** Joins what was read for a window that is kept. */
  extend({ window }: Entry, more: PackedWindow): void {
    const before = window.bytes;
    window.extend(more);
    this.#bytes += window.bytes - before;
  }

  /**
   * Takes over what the store has taken.
   * @param knownSpan the span that is under way, as far as this replica knows
   */
  merge(column: StoredColumn, knownSpan: number | undefined): void {
    const entry = this.#windows.get(column.nodeId);
    if (!entry) return;
    const { window, span } = entry;
    const before = window.bytes;
    const isKnown = span === knownSpan && window.merge(column);
    this.#bytes += window.bytes - before;
    if (isKnown && window.bytes > this.mostBytes) {
      const large = window.bytes;
      window.dropOlder();
      this.#bytes += window.bytes - large;
    }
    // Texts may be of any length.
    if (!isKnown || window.bytes > this.mostBytes) this.drop(column.nodeId);
    this.#evict();
  }

  drop(nodeId: string): void {
    const entry = this.#windows.get(nodeId);
    if (!entry) return;
    this.#windows.delete(nodeId);
    this.#bytes -= entry.window.bytes;
  }

  dropAll(): void {
    this.#windows.clear();
    this.#bytes = 0;
  }

  #evict(): void {
    for (const [nodeId] of this.#windows) {
      if (this.#bytes <= this.#budgetBytes) return;
      this.drop(nodeId);
      evicted.add({});
    }
  }
}
