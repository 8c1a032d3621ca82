import { tooLarge } from '@catchment/errors';
import type { RecordSet, StoredRecord } from '../../records/index.ts';

export type AnswerLimits = { readonly maxRecords: number; readonly maxBytes: number };

/** All columns of an answer share its limits. */
export class AnswerBudget {
  readonly limits: AnswerLimits;
  #records = 0;
  #bytes = 0;

  constructor(limits: AnswerLimits) {
    this.limits = limits;
  }

  /** @throws DomainError too_large when the answer had no room for it */
  add(records: RecordSet, record: StoredRecord): void {
    if (this.#records >= this.limits.maxRecords) throw tooLarge();
    const before = records.textBytes;
    records.add(record);
    this.#records += 1;
    this.takeBytes(records.textBytes - before);
  }

  /** @throws DomainError too_large */
  takeBytes(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.limits.maxBytes) throw tooLarge();
  }

  /** Only some of what `from` holds is kept. */
  keepOf(from: RecordSet, kept: RecordSet): void {
    this.#records -= from.count - kept.count;
    this.#bytes -= from.textBytes - kept.textBytes;
  }
}
