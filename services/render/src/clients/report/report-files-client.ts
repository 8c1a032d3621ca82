import type { FilesServiceService } from '@catchment/contracts/files';
import { DomainError } from '@catchment/errors';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import type { Files } from '../../usecases/ports.ts';
import type { ReportFiles } from '../../usecases/report-ports.ts';
import { callOptions } from '../call-options.ts';

/** Files of attachments. That the caller may read them, nodes has said when it loaded the report. */
export function reportFilesClient(
  files: Pick<GrpcClient<FilesServiceService>, 'getFile'>,
  reader: Files,
  signer: CallerSigner,
): ReportFiles {
  return {
    async read(nodeId, maxBytes, given) {
      const call = { ...given, token: await signer.sign({ kind: 'service', service: 'render' }) };
      try {
        const file = await files.getFile({ nodeId }, callOptions(call));
        return file.size > maxBytes ? undefined : await reader.read(file, call);
      } catch (error) {
        if (error instanceof DomainError && error.kind === 'not_found') return undefined;
        throw error;
      }
    },
  };
}
