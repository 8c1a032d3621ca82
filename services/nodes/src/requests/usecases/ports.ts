import type { KeyedRequest } from '@catchment/access';
import type { Queryable } from '@catchment/pg';
import type { Answer } from '../domain/keyed-request.ts';

/** The account and the key name a request. */
export type RequestKey = { readonly ownerId: string; readonly keySha256: Uint8Array };

export type Try = Pick<KeyedRequest, 'id' | 'tryNumber'>;

export type NewRequest = {
  readonly requestId: string;
  readonly headSha256: Uint8Array;
  readonly bodySha256: Uint8Array;
  readonly arrivalMs: number;
  readonly holdSeconds: number;
};

/** Keeps requests with keys, and their answers. */
export type RequestStore = {
  /** @returns false where the key is there already */
  insertRequest(tx: Queryable, key: RequestKey, made: NewRequest): Promise<boolean>;
  beginTry(tx: Queryable, key: RequestKey, holdSeconds: number): Promise<void>;
  /** @param answer undefined = nothing is kept, another try may begin */
  endTry(on: Queryable, ownerId: string, ended: Try, answer: Answer | undefined): Promise<void>;
  /** Forgets some of those that are over their time. @returns how many */
  dropOld(on: Queryable, limit: number): Promise<number>;
};

/**
 * Notes in a transaction that changes something that its request is carried out: of two tries only one ever is.
 * @throws DomainError conflict where another try was
 */
export type MarkDone = (tx: Queryable, request: Try) => Promise<void>;
