import { formatIsoMs } from '@catchment/time';
import type { FileSource, FileWrite } from '../../sources/index.ts';
import { OVERWRITE, REPLACE } from '../domain/write-modes.ts';
import { bodyOf, inBatches } from './file-batches.ts';
import type { Ranges, Readable } from './survey-file.ts';

type WriteTo = {
  readonly source: FileSource;
  /** Events name the file by this. */
  readonly fileName: string;
  readonly write: (write: FileWrite) => Promise<number>;
  /** Is called whenever the log has more records. */
  readonly progress: (recordsDone: number) => Promise<void>;
  /** The log has this many records already. */
  readonly recordsDone: number;
  /** The dataAlarm of the source was raised because of the file, and no write of it may clear it. */
  readonly isAtFault: boolean;
};

const DELETE = 'DELETE_RANGE';

/** Writes what can be read of the members, one after the other, from where it was. */
export async function writeMembers(members: readonly Readable[], to: WriteTo): Promise<void> {
  let before = 0;
  let isFirst = to.recordsDone === 0 && !to.isAtFault;
  let earlierRows = to.recordsDone;
  /** This many rows take the place of a row in an earlier write, which has counted it. */
  let replaced = members.reduce((sum, { repeated }) => sum + repeated, 0);
  const all = members.reduce((sum, { records }) => sum + records, 0);
  const parameters = Math.max(0, ...members.map(({ ranges }) => ranges.size));
  /** @param records of the file, with these */
  const write = async ({ records, repeated, ...part }: Part) => {
    const isLast = records === all;
    replaced -= repeated;
    const ofFile = isLast ? { earlierRows: Math.max(earlierRows - replaced, 0), parameters } : 'unfinished';
    const origin = isLast && members.length > 1 ? to.fileName : part.origin;
    const rows = await to.write({ ...part, origin, source: to.source, continues: !isFirst, ofFile });
    if (part.writeMode !== DELETE) earlierRows += rows;
    isFirst = false;
  };
  for (const member of members) {
    const memberDone = Math.min(Math.max(to.recordsDone - before, 0), member.records);
    const start = before;
    const isDone = memberDone === member.records && memberDone > 0;
    const progress = (records: number) => to.progress(start + records);
    const ofMember = ({ records, ...part }: Part) => write({ ...part, records: start + records });
    if (!isDone) await writeMember(member, memberDone, { mode: to.source.writeMode, write: ofMember, progress });
    before += member.records;
  }
}

/** @property records that are written with it @property repeated of them, those that repeat a time of another one of them */
type Part = Omit<FileWrite, 'source' | 'continues' | 'ofFile'> & {
  readonly records: number;
  readonly repeated: number;
};

async function writeMember(
  member: Readable,
  done: number,
  {
    mode = OVERWRITE,
    write,
    progress,
  }: {
    mode: string | undefined;
    write: (part: Part) => Promise<void>;
    progress: (records: number) => Promise<void>;
  },
): Promise<void> {
  const file = await member.open();
  let records = done;
  const send = (body: Uint8Array, writeMode: string, repeated = 0) =>
    write({ body, writeMode, origin: member.name, records, repeated });
  // A write that replaces a range is one part: several would delete each other's records.
  let isReplaced = mode !== REPLACE || done > 0;
  for await (const batch of inBatches(file, done, member.repeated > 0)) {
    const isWhole = batch.records === member.records;
    if (!isReplaced && !isWhole) {
      await send(bodyOf(file.columns, boundsOf(member.ranges)), DELETE);
      isReplaced = true;
    }
    records += batch.records;
    await send(batch.body, mode === REPLACE && !isWhole ? OVERWRITE : mode, batch.repeated);
    await progress(records);
  }
  // Its parameters are made all the same.
  if (member.records === 0) await send(bodyOf(file.columns, []), mode);
}

/** Returns entries that name the ends of each series' range. */
const boundsOf = (ranges: Ranges) =>
  [...ranges].flatMap(([series, { firstMs, lastMs }]) =>
    [firstMs, lastMs].map((ms) => ({ ts: formatIsoMs(ms), f: { [series]: null } })),
  );
