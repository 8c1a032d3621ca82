import type { DevicesServiceService, GetContactResponse } from '@catchment/contracts/devices';
import { type Handlers, jsonAnswer } from '@catchment/grpc';
import type { Contact } from '../domain/contact.ts';
import { importView, listedImport } from '../domain/import.ts';
import type { FileWorker } from '../usecases/file-worker.ts';
import { getContact } from '../usecases/get-contact.ts';
import { abandonFile, beginFile, type HandOverDeps, writeFileSegment } from '../usecases/hand-over-file.ts';
import { beginImport, cancelImport, finishImport, getImport, listImports } from '../usecases/import-file.ts';
import { readFile } from '../usecases/read-file.ts';

/** Files in steps, imports, and what is known of the contacts of a source. */
export const fileHandlers = (deps: HandOverDeps, worker: Pick<FileWorker, 'wake' | 'outcome'>) =>
  ({
    beginFile: (request, call) => beginFile(deps, request, call),
    writeFileSegment: async (request, call) => {
      await writeFileSegment(deps, request, call);
      return {};
    },
    finishFile: async (request, call) => ({ report: await readFile(deps, worker, request, call) }),
    abandonFile: async (request, call) => {
      await abandonFile(deps, request, call);
      return {};
    },
    beginImport: (request, call) => beginImport(deps, request, call),
    finishImport: async (request, call) => {
      const begun = await finishImport(deps, request, call);
      worker.wake();
      return jsonAnswer(importView(begun));
    },
    listImports: async (_request, call) => jsonAnswer((await listImports(deps, call)).map(listedImport)),
    getImport: async ({ importId }, call) => jsonAnswer(importView(await getImport(deps, importId, call))),
    cancelImport: async ({ importId }, call) => jsonAnswer(importView(await cancelImport(deps, importId, call))),
    getContact: async (request, call) => contactMessage(await getContact(deps, request, call)),
  }) satisfies Partial<Handlers<typeof DevicesServiceService>>;

const contactMessage = ({ status, lastFile, ...contact }: Contact): GetContactResponse => {
  const { report, refusal } = lastFile?.outcome ?? {};
  return {
    ...contact,
    status: status ?? '',
    device: contact.device,
    lastFile: lastFile && {
      fileName: lastFile.fileName,
      timeMs: lastFile.timeMs,
      sizeBytes: lastFile.sizeBytes,
      report,
      reason: refusal?.reason ?? '',
      message: refusal?.message ?? '',
    },
  };
};
