import type { Logger } from '@catchment/telemetry';
import { type FileWrites, type WriteBody, WriteQueue, type WriteToSource } from '../../sources/index.ts';
import type { PushedRecords } from './pushed-records.ts';

type PushedWriteDeps = {
  readonly historic: FileWrites & { readonly write: WriteBody };
  readonly pushed: Pick<PushedRecords, 'note'>;
  readonly log: Logger;
};

/** Writes what devices and stations push: each write is noted once the log has it. */
export function pushedWrites({ historic, pushed, log }: PushedWriteDeps) {
  const queue = new WriteQueue({ write: historic.write, log });
  const write: WriteToSource = async (source, ...document) => {
    await queue.write(source, ...document);
    pushed.note(source.sourceId);
  };
  const files: FileWrites = {
    ...historic,
    writeFile: async (part, signal) => {
      const rows = await historic.writeFile(part, signal);
      pushed.note(part.source._id);
      return rows;
    },
  };
  return { write, files };
}
