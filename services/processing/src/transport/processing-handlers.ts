import { apiCaller, serviceCaller } from '@catchment/access';
import type { ProcessingServiceService } from '@catchment/contracts/processing';
import type { CallContext, Handlers } from '@catchment/grpc';
import { type AcquireDeps, acquire } from '../usecases/acquire.ts';
import { type ComputationDeps, computationOf } from '../usecases/computation.ts';
import { type ConvertDeps, convertFile } from '../usecases/convert-file.ts';
import { decodePayload } from '../usecases/decode-payload.ts';
import { type RenderUrlDeps, renderUrl } from '../usecases/render-url.ts';
import { type TestDeps, testProgram } from '../usecases/test-program.ts';
import { readTestRequest } from '../usecases/test-request.ts';

export type HandlerDeps = {
  readonly test: TestDeps;
  readonly acquire: (call: CallContext) => AcquireDeps;
  readonly computation: (call: CallContext) => ComputationDeps;
  readonly url: RenderUrlDeps;
  readonly convert: ConvertDeps;
};

export const processingHandlers = (deps: HandlerDeps): Handlers<typeof ProcessingServiceService> => ({
  testProgram: async ({ nodeRef, body }, { caller, token, signal }) => {
    const call = { caller: apiCaller(caller), token, signal };
    const result = await testProgram(deps.test, nodeRef, readTestRequest(body), call);
    return { json: Buffer.from(JSON.stringify(result)) };
  },
  acquire: async (request, call) => {
    await acquire(deps.acquire(call), request, apiCaller(call.caller));
    return {};
  },
  getComputation: async ({ nodeRef }, call) => {
    apiCaller(call.caller);
    return { json: Buffer.from(JSON.stringify(await computationOf(deps.computation(call), nodeRef))) };
  },
  renderUrl: async (request, { caller, signal }) => {
    serviceCaller(caller);
    return { url: await renderUrl(deps.url, request, signal) };
  },
  decodePayload: async (request, { caller, signal }) => {
    serviceCaller(caller);
    return { json: await decodePayload(deps.convert.sandbox, request, signal) };
  },
  convert: async function* (request, { caller, signal }) {
    serviceCaller(caller);
    for (const json of await convertFile(deps.convert, request, signal)) yield { json };
  },
});
