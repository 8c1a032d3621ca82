import type { SessionProgress } from '../../acquisition/index.ts';
import type { CollectionMemory, Pointer } from '../domain/collection-memory.ts';
import type { LoggerColumn } from '../domain/logger-columns.ts';
import { loggerDocuments, recordBytes, type TimedRecord } from '../domain/logger-document.ts';

/** Limits of one write. */
const RECORDS_MAX = 2_000;
const BYTES_MAX = 1024 * 1024;

/** The records of this table are taken. */
type Taking = {
  readonly name: string;
  readonly columns: readonly LoggerColumn[];
  /** Converts a time of the logger's clock to Unix ms. */
  readonly instantOf: (localMs: number) => number;
};

/**
 * Writes records of a session in parts, and remembers how far it came after each. One part is held back, so that the status
 * PROCESSING begins when nothing more can go wrong with the line.
 */
export class RecordParts {
  readonly #progress: SessionProgress;
  #memory: CollectionMemory;
  #taking: Taking | undefined;
  #records: TimedRecord[] = [];
  #bytes = 0;
  #pointer: Pointer | undefined;
  #taken = 0;

  constructor(progress: SessionProgress, memory: CollectionMemory) {
    this.#progress = progress;
    this.#memory = memory;
  }

  /** The session has taken this many records so far. */
  get taken(): number {
    return this.#taken;
  }

  async take(table: Taking, record: TimedRecord, pointer: Pointer): Promise<void> {
    const isFull = this.#records.length === RECORDS_MAX || this.#bytes >= BYTES_MAX;
    if (isFull || this.#taking?.name !== table.name) await this.flush();
    this.#taking = table;
    this.#records.push(record);
    this.#bytes += recordBytes(table.columns, record);
    this.#pointer = pointer;
    this.#taken++;
  }

  /** Everything came. */
  async end(): Promise<void> {
    if (this.#taken === 0) {
      await this.#progress.remember(this.#memory);
      return;
    }
    await this.#progress.step('PROCESSING');
    await this.flush();
  }

  /** Writes what was taken. */
  async flush(): Promise<void> {
    const [table, pointer] = [this.#taking, this.#pointer];
    if (!table || !pointer) return;
    const [first, ...more] = loggerDocuments(table.columns, this.#records, table.instantOf);
    if (first) await this.#progress.write(first, this.#records.length, table.name);
    for (const document of more) await this.#progress.write(document, 0, table.name);
    this.#memory = { ...this.#memory, pointers: { ...this.#memory.pointers, [table.name]: pointer } };
    await this.#progress.remember(this.#memory);
    this.#records = [];
    this.#bytes = 0;
    this.#taking = undefined;
    this.#pointer = undefined;
  }
}
