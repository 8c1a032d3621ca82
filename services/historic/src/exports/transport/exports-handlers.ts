import type { ExportsServiceService } from '@catchment/contracts/exports';
import { type Handlers, jsonAnswer } from '@catchment/grpc';
import { exportView } from '../domain/export.ts';
import {
  createExport,
  deleteExport,
  type ExportDeps,
  getExport,
  listExports,
  readExportFile,
} from '../usecases/exports.ts';

export const exportsHandlers = (deps: ExportDeps): Handlers<typeof ExportsServiceService> => ({
  createExport: async (request, call) => jsonAnswer(exportView(await createExport(deps, request, call))),
  listExports: async (_request, call) => jsonAnswer((await listExports(deps, call)).map(exportView)),
  getExport: async ({ exportId }, call) => jsonAnswer(exportView(await getExport(deps, exportId, call))),
  deleteExport: async ({ exportId }, call) => {
    await deleteExport(deps, exportId, call);
    return {};
  },
  readExport: async function* ({ exportId }, call) {
    for await (const data of readExportFile(deps, exportId, call))
      yield { data: Buffer.from(data), contentType: 'application/zip', revision: '' };
  },
});
