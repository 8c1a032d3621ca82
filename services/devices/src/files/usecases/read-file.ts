import type { FinishFileRequest } from '@catchment/contracts/devices';
import type { CallContext } from '@catchment/grpc';
import type { FileOutcome } from '../../reading/index.ts';
import type { FileWorker } from './file-worker.ts';
import { finishFile, type HandOverDeps } from './hand-over-file.ts';

/** A file that takes longer is answered before it is read; most clients wait half a minute. */
const FILE_WAIT_MS = 20_000;

/**
 * Completes an upload, and waits until the file was read. A pushed file is answered as soon as it is kept.
 * @returns undefined: the outcome is not known yet
 * @throws DomainError as `finishFile`; the refusal of the file
 */
export async function readFile(
  deps: HandOverDeps,
  worker: Pick<FileWorker, 'wake' | 'outcome'>,
  request: FinishFileRequest,
  call: Pick<CallContext, 'caller' | 'token' | 'deadlineMs' | 'signal'>,
): Promise<FileOutcome['report']> {
  await finishFile(deps, request, call);
  worker.wake();
  if (call.caller.kind === 'service') return undefined;
  return worker.outcome(request.fileId, FILE_WAIT_MS, call.signal);
}
