import type { HistoricServiceService, WriteResponse } from '@catchment/contracts/historic';
import type { CallContext, Handlers } from '@catchment/grpc';
import { reportFault } from '../usecases/report-fault.ts';
import { writeComputed } from '../usecases/write-computed.ts';
import type { WriteCall, WriteDeps, WrittenPart } from '../usecases/write-deps.ts';
import { writeHistoric } from '../usecases/write-historic.ts';
import { writeLines } from '../usecases/write-lines.ts';
import { writeMany } from '../usecases/write-many.ts';
import { deleteHistoric, writeNow } from '../usecases/write-now.ts';

type WriteCalls = 'write' | 'writeMany' | 'writeNow' | 'writeLines' | 'deleteAll' | 'tellFault' | 'writeComputed';

export const writeHandlers = (deps: WriteDeps): Pick<Handlers<typeof HistoricServiceService>, WriteCalls> => ({
  write: (request, call) => located(call, (noting) => writeHistoric(deps, request, noting)),
  writeMany: (request, call) => located(call, (noting) => writeMany(deps, request, noting)),
  writeNow: (request, call) => located(call, (noting) => writeNow(deps, request, noting)),
  writeLines: (request, call) => writeLines(deps, request, call),
  deleteAll: (request, call) => located(call, (noting) => deleteHistoric(deps, request, noting)),
  tellFault: async (request, call) => {
    await reportFault(deps, request, call);
    return {};
  },
  writeComputed: async (request, call) => {
    await writeComputed(deps, request, call);
    return {};
  },
});

/** Answers a write with where the log has it. */
async function located(call: CallContext, write: (noting: WriteCall) => Promise<number>): Promise<WriteResponse> {
  const parts: WrittenPart[] = [];
  const rows = await write({ ...call, wrote: (part) => parts.push(part) });
  return { rows, parts: parts.map((part) => ({ ...part, nodeIds: [...part.nodeIds] })) };
}
