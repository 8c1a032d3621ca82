import { formatIsoMs } from '@catchment/time';
import type { FileSource } from '../domain/source-file.ts';
import { bodyOf, inBatches } from './file-batches.ts';
import type { FileWrite } from './ports.ts';
import type { Ranges, Readable } from './survey-file.ts';

export type WriteTo = {
  readonly source: FileSource;
  readonly write: (write: FileWrite) => Promise<void>;
  /** Told whenever the log has more records. */
  readonly progress: (recordsDone: number) => Promise<void>;
  /** Records that the log has already. */
  readonly recordsDone: number;
  /** The dataAlarm of the source was raised because of the file, and no write of it may clear it. */
  readonly isAtFault: boolean;
};

const REPLACE = 'INSERT_DELETE_EXISTING';

/** Writes what can be read of the members, one after the other, from where it was. */
export async function writeMembers(members: readonly Readable[], to: WriteTo): Promise<void> {
  let before = 0;
  let isFirst = to.recordsDone === 0 && !to.isAtFault;
  const write = async (one: Omit<FileWrite, 'source' | 'continues'>) => {
    await to.write({ ...one, source: to.source, continues: !isFirst });
    isFirst = false;
  };
  for (const member of members) {
    const own = Math.min(Math.max(to.recordsDone - before, 0), member.records);
    const start = before;
    const isDone = own === member.records && own > 0;
    const progress = (records: number) => to.progress(start + records);
    if (!isDone) await writeMember(member, own, { mode: to.source.writeMode, write, progress });
    before += member.records;
  }
}

async function writeMember(
  member: Readable,
  done: number,
  {
    mode = 'MERGE_OVERWRITE_EXISTING',
    write,
    progress,
  }: {
    mode: string | undefined;
    write: (one: Omit<FileWrite, 'source' | 'continues'>) => Promise<void>;
    progress: (records: number) => Promise<void>;
  },
): Promise<void> {
  const text = await member.open();
  const send = (body: Uint8Array, writeMode: string) => write({ body, writeMode, origin: member.name });
  let records = done;
  // A write that replaces a range is one part: several would delete each other's records.
  let isReplaced = mode !== REPLACE || done > 0;
  for await (const batch of inBatches(text, done)) {
    const isWhole = batch.records === member.records;
    if (!isReplaced && !isWhole) {
      await send(bodyOf(text.series, boundsOf(member.ranges)), 'DELETE_RANGE');
      isReplaced = true;
    }
    await send(batch.body, mode === REPLACE && !isWhole ? 'MERGE_OVERWRITE_EXISTING' : mode);
    records += batch.records;
    await progress(records);
  }
  // Its parameters are made all the same.
  if (member.records === 0) await send(bodyOf(text.series, []), mode);
}

/** Entries that name the ends of each series' range. */
const boundsOf = (ranges: Ranges) =>
  [...ranges].flatMap(([series, { firstMs, lastMs }]) =>
    [firstMs, lastMs].map((ms) => ({ ts: formatIsoMs(ms), f: { [series]: null } })),
  );
