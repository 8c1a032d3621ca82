import { added } from './actions.ts';
import { ADDED, changesOf, DELETED, kindAt } from './changes.ts';
import { type Coding, NUMBERS, type Value } from './coding.ts';
import { cellAt, indexOf, NO_QUALITY, type Records, type Row, recordsOf, type Work, workOf } from './records.ts';

/** A cell has a time, what the record is to be, and what it was when it was loaded; null: no record. */
type KeptCell = readonly [value: Value, quality: number, note?: string] | null;
export type Kept = {
  readonly start: number;
  readonly end: number;
  readonly changes: readonly (readonly [ms: number, mine: KeptCell, base: KeptCell])[];
};

function packedCell(records: Records, i: number, coding: Coding): KeptCell {
  const { quality, note } = cellAt(records, i);
  const value = coding.valueOf(records.values[i]!);
  return note === undefined ? [value, quality] : [value, quality, note];
}
const rowOf = (ms: number, [value, quality, note]: NonNullable<KeptCell>, coding: Coding): Row => ({
  ms,
  value: coding.numberOf(value),
  quality,
  note,
});

/** Changes that are packed before the page may draw again. */
const SLICE = 2_000;

/** Packs what is not saved yet into a text that lasts as long as the tab; in pieces, between which a page may draw. */
export function* packed(
  { start, end }: { readonly start: number; readonly end: number },
  base: Records,
  work: Work,
  coding: Coding = NUMBERS,
): Generator<string> {
  const { places } = changesOf(base, work);
  yield `{"start":${start},"end":${end},"changes":[`;
  for (let from = 0; from < places.length; from += SLICE) {
    const slice = Array.from(places.subarray(from, from + SLICE), (i): Kept['changes'][number] => {
      const kind = kindAt(base, work, i);
      const mine = kind === DELETED ? null : packedCell(work, i, coding);
      return [work.times[i]!, mine, kind === ADDED ? null : packedCell(base, work.origin[i]!, coding)];
    });
    yield `${from > 0 ? ',' : ''}${JSON.stringify(slice).slice(1, -1)}`;
  }
  yield ']}';
}

/** Returns undefined where it is nothing that was kept here. */
export function keptOf(text: string | null): Kept | undefined {
  try {
    const kept = JSON.parse(text ?? '') as Kept;
    return Number.isFinite(kept.start) && Number.isFinite(kept.end) && Array.isArray(kept.changes) ? kept : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the work that was kept, over records as they are read now. Records that were changed here count as loaded as they were then, so
 * that a save finds what somebody else has changed meanwhile.
 */
export function restored(
  { changes }: Kept,
  now: Records,
  coding: Coding = NUMBERS,
): { readonly base: Records; readonly work: Work } {
  const then = new Map(changes.map(([ms, , base]) => [ms, base]));
  const rows: Row[] = [];
  for (let i = 0; i < now.times.length; i += 1)
    if (!then.has(now.times[i]!)) rows.push({ ms: now.times[i]!, ...cellAt(now, i) });
  for (const [ms, , base] of changes) if (base) rows.push(rowOf(ms, base, coding));
  const base = recordsOf(rows.sort((a, b) => a.ms - b.ms));
  const mine = changes.flatMap(([ms, cell]) => (cell ? [rowOf(ms, cell, coding)] : []));
  const { work } = added(workOf(base), mine);
  const [values, qualities, gone] = [work.values.slice(), work.qualities.slice(), work.gone.slice()];
  const notes = new Map(work.notes);
  for (const [ms, cell] of changes) {
    const i = indexOf(work.times, ms);
    if (cell === null) gone[i] = 1;
    else {
      values[i] = coding.numberOf(cell[0]);
      qualities[i] = cell[1] ?? NO_QUALITY;
      if (cell[2] === undefined) notes.delete(ms);
    }
  }
  return { base, work: { ...work, values, qualities, gone, notes } };
}
