import type { FileOutcome } from '../../reading/index.ts';
import { type Acquisition, after } from '../domain/acquisition.ts';
import type { News, Stored } from './ports.ts';

/** Counted are its files. */
const ATTACHMENTS = 'source.attachment.AttachmentSource';

/** A file was accepted for a source: it is PROCESSING from here on, in the transaction that accepts it. */
export async function pushed(tx: Stored, sourceId: string, nowMs: number): Promise<void> {
  const known = await tx.lockAcquisition(sourceId);
  if (known === undefined || known === 'deleted') return;
  const processing = after(known, 'push accepted', nowMs);
  // Else it is busy already, and this file is counted with the others.
  if (processing) await tx.saveAcquisition({ ...processing, recordCount: 0 }, { shows: true });
}

/** A file of a source was read, or given up: the last one of those that waited ends PROCESSING. */
export async function fileSettled(tx: Stored, sourceId: string, outcome: FileOutcome, nowMs: number): Promise<void> {
  const known = await tx.lockAcquisition(sourceId);
  if (known === undefined || known === 'deleted') return;
  const { files = 0, records = 0 } = outcome.report ?? {};
  const counted = { ...known, recordCount: known.recordCount + (known.sourceClass === ATTACHMENTS ? files : records) };
  const isOurs = known.status === 'PROCESSING' && known.leaseId === null;
  if (isOurs && outcome.refusal?.kind === 'internal') {
    const failed = after(counted, 'internal failure', nowMs);
    return tx.saveAcquisition(failed ?? counted, { shows: true });
  }
  if (!isOurs || (await tx.hasWaitingFiles(sourceId))) return tx.saveAcquisition(counted);
  return tx.saveAcquisition(...stored(counted, nowMs));
}

/** Returns the source once all that came is stored, and what is reported of it. */
export function stored(processing: Acquisition, nowMs: number): [Acquisition, News] {
  const rest = after(processing, 'stored', nowMs) ?? processing;
  return gotThrough({ ...rest, lastRecordCount: rest.recordCount }, nowMs);
}

/** A session or push has got through: nothing is wrong with its communications. */
export const gotThrough = (acquisition: Acquisition, nowMs: number, reported: News = {}): [Acquisition, News] => [
  { ...acquisition, isAlarmed: false },
  {
    ...reported,
    shows: true,
    ...(acquisition.isAlarmed && {
      attempts: [
        ...(reported.attempts ?? []),
        { kind: 'SESSION' as const, nodeId: acquisition.sourceId, failure: '', timeMs: nowMs },
      ],
    }),
  },
];
