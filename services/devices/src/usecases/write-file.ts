import { formatIsoMs } from '@catchment/time';
import type { FileSource } from '../domain/source-file.ts';
import { bodyOf, inBatches } from './file-batches.ts';
import type { FileWrite } from './ports.ts';
import type { Ranges, Readable } from './survey-file.ts';

export type WriteTo = {
  readonly source: FileSource;
  /** As events name it. */
  readonly fileName: string;
  readonly write: (write: FileWrite) => Promise<number>;
  /** Told whenever the log has more records. */
  readonly progress: (recordsDone: number) => Promise<void>;
  /** Records that the log has already. */
  readonly recordsDone: number;
  /** The dataAlarm of the source was raised because of the file, and no write of it may clear it. */
  readonly isAtFault: boolean;
};

const REPLACE = 'INSERT_DELETE_EXISTING';
const DELETE = 'DELETE_RANGE';

/** Writes what can be read of the members, one after the other, from where it was. */
export async function writeMembers(members: readonly Readable[], to: WriteTo): Promise<void> {
  let before = 0;
  let isFirst = to.recordsDone === 0 && !to.isAtFault;
  let earlierRows = to.recordsDone;
  const all = members.reduce((sum, { records }) => sum + records, 0);
  const parameters = Math.max(0, ...members.map(({ ranges }) => ranges.size));
  /** @param records of the file, with these */
  const write = async ({ records, ...one }: Part) => {
    const isLast = records === all;
    const ofFile = isLast ? { earlierRows, parameters } : 'unfinished';
    const origin = isLast && members.length > 1 ? to.fileName : one.origin;
    const rows = await to.write({ ...one, origin, source: to.source, continues: !isFirst, ofFile });
    if (one.writeMode !== DELETE) earlierRows += rows;
    isFirst = false;
  };
  for (const member of members) {
    const own = Math.min(Math.max(to.recordsDone - before, 0), member.records);
    const start = before;
    const isDone = own === member.records && own > 0;
    const progress = (records: number) => to.progress(start + records);
    const ofMember = ({ records, ...one }: Part) => write({ ...one, records: start + records });
    if (!isDone) await writeMember(member, own, { mode: to.source.writeMode, write: ofMember, progress });
    before += member.records;
  }
}

/** @property records that are written with it */
type Part = Omit<FileWrite, 'source' | 'continues' | 'ofFile'> & { readonly records: number };

async function writeMember(
  member: Readable,
  done: number,
  {
    mode = 'MERGE_OVERWRITE_EXISTING',
    write,
    progress,
  }: {
    mode: string | undefined;
    write: (one: Part) => Promise<void>;
    progress: (records: number) => Promise<void>;
  },
): Promise<void> {
  const file = await member.open();
  let records = done;
  const send = (body: Uint8Array, writeMode: string) => write({ body, writeMode, origin: member.name, records });
  // A write that replaces a range is one part: several would delete each other's records.
  let isReplaced = mode !== REPLACE || done > 0;
  for await (const batch of inBatches(file, done)) {
    const isWhole = batch.records === member.records;
    if (!isReplaced && !isWhole) {
      await send(bodyOf(file.columns, boundsOf(member.ranges)), DELETE);
      isReplaced = true;
    }
    records += batch.records;
    await send(batch.body, mode === REPLACE && !isWhole ? 'MERGE_OVERWRITE_EXISTING' : mode);
    await progress(records);
  }
  // Its parameters are made all the same.
  if (member.records === 0) await send(bodyOf(file.columns, []), mode);
}

/** Entries that name the ends of each series' range. */
const boundsOf = (ranges: Ranges) =>
  [...ranges].flatMap(([series, { firstMs, lastMs }]) =>
    [firstMs, lastMs].map((ms) => ({ ts: formatIsoMs(ms), f: { [series]: null } })),
  );
