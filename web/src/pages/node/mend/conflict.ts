import { DELETED, kindAt, SAME } from './changes.ts';
import { type Cell, cellAt, isSameRecord, type Records, type Work } from './records.ts';

/** Somebody else has changed the record since it was loaded, and it is to be changed here. Undefined: there is no record. */
export type Conflict = {
  readonly ms: number;
  readonly base: Cell | undefined;
  readonly mine: Cell | undefined;
  readonly theirs: Cell | undefined;
};

export type Rebased = {
  readonly work: Work;
  readonly conflicts: readonly Conflict[];
  /** Somebody else has changed these records, and nobody here: they are as the server has them now. */
  readonly adopted: number;
};

/**
 * Returns the work over records as they are now.
 * @param isMine for each conflict: keeps what is to be done here, otherwise theirs is taken
 */
export function rebased(base: Records, work: Work, now: Records, isMine: (ms: number) => boolean): Rebased {
  const conflicts: Conflict[] = [];
  let adopted = 0;
  const most = work.times.length + now.times.length;
  const rows = {
    times: new Float64Array(most),
    values: new Float64Array(most),
    qualities: new Int32Array(most),
    gone: new Uint8Array(most),
    origin: new Int32Array(most),
    notes: new Map<number, string>(),
  };
  let count = 0;
  const take = (from: Records, i: number, origin: number, gone: number) => {
    const ms = from.times[i]!;
    rows.times[count] = ms;
    rows.values[count] = from.values[i]!;
    rows.qualities[count] = from.qualities[i]!;
    rows.gone[count] = gone;
    rows.origin[count] = origin;
    const note = from.notes.get(ms);
    if (note !== undefined) rows.notes.set(ms, note);
    count += 1;
  };
  let [i, j] = [0, 0];
  while (i < work.times.length || j < now.times.length) {
    const [mine, other] = [work.times[i] ?? Number.POSITIVE_INFINITY, now.times[j] ?? Number.POSITIVE_INFINITY];
    const ms = Math.min(mine, other);
    const [isOwn, isOther] = [mine === ms, other === ms];
    const kind = isOwn ? kindAt(base, work, i) : SAME;
    const from = isOwn ? work.origin[i]! : -1;
    const isSameAsBase = isOther ? from >= 0 && isSameRecord(base, from, now, j) : from < 0;
    const isSameAsMine = kind === DELETED ? !isOther : isOther && isOwn && isSameRecord(work, i, now, j);
    const takeTheirs = () => isOther && take(now, j, j, 0);
    const takeMine = () => {
      // A record that is gone already need not be deleted.
      if (kind !== DELETED || isOther) take(work, i, isOther ? j : -1, kind === DELETED ? 1 : 0);
    };
    if (kind === SAME) {
      if (!isSameAsBase) adopted += 1;
      takeTheirs();
    } else if (isSameAsBase) takeMine();
    else if (isSameAsMine) takeTheirs();
    else {
      conflicts.push({
        ms,
        base: from < 0 ? undefined : cellAt(base, from),
        mine: kind === DELETED ? undefined : cellAt(work, i),
        theirs: isOther ? cellAt(now, j) : undefined,
      });
      if (isMine(ms)) takeMine();
      else takeTheirs();
    }
    if (isOwn) i += 1;
    if (isOther) j += 1;
  }
  const { notes, ...columns } = rows;
  const cut = Object.fromEntries(Object.entries(columns).map(([name, all]) => [name, all.slice(0, count)]));
  return { work: { ...(cut as unknown as Work), notes }, conflicts, adopted };
}
