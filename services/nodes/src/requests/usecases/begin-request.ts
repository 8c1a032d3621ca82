import { randomUUID } from 'node:crypto';
import type { Database } from '@catchment/pg';
import { type Answer, type AskedRequest, nextStep } from '../domain/keyed-request.ts';
import { lockRequest } from '../store/keyed-requests-query.ts';
import type { KeptRequests } from './kept-requests.ts';
import type { RequestKey, RequestStore } from './ports.ts';

type RequestDeps = { readonly database: Database; readonly requests: RequestStore; readonly kept: KeptRequests };

export type Asked = RequestKey & AskedRequest & { readonly arrivalMs: number; readonly holdSeconds: number };

export type Begun = { readonly requestId: string } & (
  | { readonly step: 'run'; readonly tryNumber: number; readonly arrivalMs: number }
  | { readonly step: 'wait' }
  | { readonly step: 'answer'; readonly answer: Answer }
);

/**
 * A request with a key has come: it is carried out, waits for the try that is under way, or has its answer.
 * @throws DomainError invalid_argument, resource_exhausted
 */
export async function beginRequest({ database, requests, kept }: RequestDeps, asked: Asked): Promise<Begun> {
  const { holdSeconds, arrivalMs } = asked;
  const requestId = randomUUID();
  const begun = await database.transaction(async (tx): Promise<Begun> => {
    if (await requests.insertRequest(tx, asked, { ...asked, requestId })) {
      await kept.check(tx, asked.ownerId);
      return { requestId, step: 'run', tryNumber: 1, arrivalMs };
    }
    const known = await lockRequest(tx, asked);
    // Another replica has swept it just now: the next time it is new.
    if (!known) return { requestId, step: 'wait' };
    const step = nextStep(known, asked);
    if (step === 'answer' && known.answer) return { requestId: known.requestId, step, answer: known.answer };
    if (step === 'wait') return { requestId: known.requestId, step };
    await requests.beginTry(tx, asked, holdSeconds);
    const { arrivalMs: firstMs, tryNumber } = known;
    return { requestId: known.requestId, step: 'run', tryNumber: tryNumber + 1, arrivalMs: firstMs };
  });
  if (begun.requestId === requestId && begun.step === 'run') kept.added(asked.ownerId);
  return begun;
}

/** A try has ended: with its answer, or without one, so that another may begin. */
export const endRequest = (
  { database, requests }: Pick<RequestDeps, 'database' | 'requests'>,
  ownerId: string,
  ended: { readonly id: string; readonly tryNumber: number; readonly answer: Answer | undefined },
): Promise<void> => requests.endTry(database, ownerId, ended, ended.answer);

const SWEPT = 5_000;

/** Forgets answers that are over their time. */
export async function forgetRequests({
  database,
  requests,
}: Pick<RequestDeps, 'database' | 'requests'>): Promise<void> {
  while ((await requests.dropOld(database, SWEPT)) === SWEPT);
}
