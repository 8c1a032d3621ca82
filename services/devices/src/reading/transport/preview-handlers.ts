import type { DevicesServiceService } from '@catchment/contracts/devices';
import type { Handlers } from '@catchment/grpc';
import { type PreviewDeps, previewParser } from '../usecases/preview-parser.ts';

/** Shows what a parser would read. */
export const previewHandlers = (deps: PreviewDeps) =>
  ({
    previewParser: async (request, call) => ({
      json: Buffer.from(JSON.stringify(await previewParser(deps, request, call))),
    }),
  }) satisfies Partial<Handlers<typeof DevicesServiceService>>;
