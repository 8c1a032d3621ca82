import { apiCaller } from '@catchment/access';
import type { HistoricServiceService, WriteResponse } from '@catchment/contracts/historic';
import type { CallContext, Handlers } from '@catchment/grpc';
import type { AnswerPiece } from '../usecases/answer-bytes.ts';
import type { ExpiringAccounts } from '../usecases/expire-records.ts';
import { getEdges } from '../usecases/get-edges.ts';
import { getProgress, type ProgressDeps } from '../usecases/get-progress.ts';
import { getWriteState, type WriteStateDeps } from '../usecases/get-write-state.ts';
import type { EarlierRecords } from '../usecases/ports.ts';
import { readAggregateAt } from '../usecases/read-aggregate-at.ts';
import type { ReadDeps } from '../usecases/read-deps.ts';
import { readHistoric, readMany } from '../usecases/read-historic.ts';
import { readSeries } from '../usecases/read-series.ts';
import { reportFault } from '../usecases/report-fault.ts';
import { writeComputed } from '../usecases/write-computed.ts';
import type { WriteCall, WriteDeps, WrittenPart } from '../usecases/write-deps.ts';
import { writeHistoric } from '../usecases/write-historic.ts';
import { writeLines } from '../usecases/write-lines.ts';
import { writeMany } from '../usecases/write-many.ts';
import { deleteHistoric, writeNow } from '../usecases/write-now.ts';

type HistoricDeps = {
  readonly write: WriteDeps;
  readonly read: ReadDeps;
  readonly earlier: EarlierRecords;
  readonly progress: ProgressDeps;
  readonly writeState: WriteStateDeps;
  readonly kept: Pick<ExpiringAccounts, 'of'>;
  /** Rows of a data source in a day; 0 = no limit. */
  readonly rowLimitOf: (ownerId: string) => Promise<number>;
};

export const historicHandlers = ({
  write,
  read,
  earlier,
  progress,
  writeState,
  kept,
  rowLimitOf,
}: HistoricDeps): Handlers<typeof HistoricServiceService> => ({
  write: (request, call) => told(call, (of) => writeHistoric(write, request, of)),
  writeMany: (request, call) => told(call, (of) => writeMany(write, request, of)),
  writeNow: (request, call) => told(call, (of) => writeNow(write, request, of)),
  writeLines: (request, call) => writeLines(write, request, call),
  deleteAll: (request, call) => told(call, (of) => deleteHistoric(write, request, of)),
  deleteHistoric: async (request, call) => {
    await deleteHistoric(write, request, call);
    return {};
  },
  tellFault: async (request, call) => {
    await reportFault(write, request, call);
    return {};
  },
  writeComputed: async (request, call) => {
    await writeComputed(write, request, call);
    return {};
  },
  read: (request, call) => chunksOf(readHistoric(read, request, call)),
  readMany: (request, call) => chunksOf(readMany(read, request, call)),
  readSeries: (request, call) => readSeries(read, request, call),
  readAggregateAt: (request, call) => readAggregateAt(read, request, call),
  getWriteState: (request, call) => getWriteState(writeState, request, call),
  getProgress: (request, call) => getProgress(progress, request, call),
  getRecordLimits: async (_request, { caller }) => {
    const { ownerId } = apiCaller(caller);
    const [own, rowsPerSourcePerDay] = await Promise.all([kept.of(ownerId), rowLimitOf(ownerId)]);
    const { days: recordDays = 0, removedFromMs } = own ?? {};
    return { recordDays, removedFromMs, rowsPerSourcePerDay };
  },
  getEdges: (request, call) => getEdges({ ...read, earlier, endOfLog: writeState.endOfLog }, request, call),
});

/** A write, and where the log has it. */
async function told(call: CallContext, write: (call: WriteCall) => Promise<number>): Promise<WriteResponse> {
  const parts: WrittenPart[] = [];
  const rows = await write({ ...call, wrote: (part) => parts.push(part) });
  return { rows, parts: parts.map((part) => ({ ...part, nodeIds: [...part.nodeIds] })) };
}

async function* chunksOf(pieces: AsyncIterable<AnswerPiece>) {
  let isFirst = true;
  for await (const { contentType, bytes } of pieces) {
    yield { data: bytes, contentType: isFirst ? contentType : '', revision: '' };
    isFirst = false;
  }
}
