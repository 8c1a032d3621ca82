import { apiCaller } from '@catchment/access';
import type { BeginRequestResponse, KeptAnswer, RequestsServiceService } from '@catchment/contracts/requests';
import type { Handlers } from '@catchment/grpc';
import type { Database } from '@catchment/pg';
import { done } from '../../transport/answers.ts';
import type { Answer } from '../domain/keyed-request.ts';
import { type Begun, beginRequest, endRequest } from '../usecases/begin-request.ts';
import { KeptRequests } from '../usecases/kept-requests.ts';
import type { RequestStore } from '../usecases/ports.ts';

/** RequestsService follows requests with a key of their own. */
export function requestsHandlers(deps: {
  readonly database: Database;
  readonly requests: RequestStore;
}): Handlers<typeof RequestsServiceService> {
  const kept = new KeptRequests();
  return {
    beginRequest: async (asked, { caller }) =>
      toProto(await beginRequest({ ...deps, kept }, { ...asked, ownerId: apiCaller(caller).ownerId })),
    endRequest: ({ requestId: id, tryNumber, answer }, { caller }) =>
      done(endRequest(deps, apiCaller(caller).ownerId, { id, tryNumber, answer: answer && answerOf(answer) })),
  };
}

const answerOf = ({ status, contentType, body, bodySha256 }: KeptAnswer): Answer => ({
  status,
  contentType,
  body,
  bodySha256,
});

function toProto(begun: Begun): BeginRequestResponse {
  const { requestId } = begun;
  if (begun.step === 'wait') return { requestId, state: { $case: 'underWay', value: {} } };
  if (begun.step === 'run') {
    const { tryNumber: number, arrivalMs } = begun;
    return { requestId, state: { $case: 'run', value: { number, arrivalMs } } };
  }
  const { status, contentType, body, bodySha256 } = begun.answer;
  const value = { status, contentType, body: body && Buffer.from(body), bodySha256: Buffer.from(bodySha256) };
  return { requestId, state: { $case: 'answer', value } };
}
