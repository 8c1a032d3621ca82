import { hash } from 'node:crypto';
import type { ApiCaller, UserRights } from '@catchment/access';
import type { AuthenticateResponse, FindSecretsResponse } from '@catchment/contracts/nodes';
import { DomainError } from '@catchment/errors';
import type { CallerSigner, CallOptions } from '@catchment/grpc';
import { LRUCache } from 'lru-cache';
import { secretSearch } from './secret-search.ts';

/** A revoked key stops working within 5 s (docs/reference/authentication.md#api-keys): this leaves room for the lookup itself. */
const REMEMBERED_MS = 2_000;
/** Changed roles, groups and No Access reach every replica within 1 s (docs/reference/guarantees.md#when-changes-take-effect). */
const RIGHTS_REMEMBERED_MS = 500;
const REMEMBERED_KEYS = 10_000;
const LOOKUP_TIMEOUT_MS = 5_000;
const API_KEY = /^[A-Za-z0-9]{40}$/;
/** `unauthenticated` has this reason when a peer refuses our own token: a wrong secret, not a wrong key. */
const OWN_TOKEN_REFUSED = 'CALLER_NOT_AUTHENTICATED';

export type Account = {
  readonly caller: ApiCaller;
  /** Counters name the key by this. */
  readonly keyId: string;
  readonly isDisabled: boolean;
  /** The answer was asked for at this time: ms of the authenticator's clock. */
  readonly askedMs: number;
};

type Lookup = (request: { keySha256: Buffer; account: string }, options: CallOptions) => Promise<AuthenticateResponse>;
type FindAmong = (request: { sha256: Buffer[] }, options: CallOptions) => Promise<FindSecretsResponse>;

/**
 * Looks up the account behind an API key, or behind another secret of a caller. Answers are cached for 2 s, those for unknown keys in a
 * separate cache so that guesses never push out keys in use; lookups of one key at the same time share one call. A secret that was not good
 * before is first checked for existence, many in one request.
 */
export class Authenticator {
  readonly #lookup: Lookup;
  readonly #signer: CallerSigner;
  readonly #known: LRUCache<string, Account>;
  readonly #refused: LRUCache<string, true>;
  /** Secrets that were valid at their last lookup: they are looked up again without waiting behind guesses. */
  readonly #trusted = new LRUCache<string, true>({ max: REMEMBERED_KEYS });
  readonly #exists: (sha256: Buffer) => Promise<boolean>;
  readonly #nowMs: () => number;
  readonly #pattern: RegExp;
  readonly #running = new Map<string, Promise<Account | undefined>>();

  /** @param options.pattern of the secret; default: an API key */
  constructor(options: {
    lookup: Lookup;
    find: FindAmong;
    signer: CallerSigner;
    pattern?: RegExp;
    nowMs?: () => number;
  }) {
    this.#pattern = options.pattern ?? API_KEY;
    this.#lookup = options.lookup;
    this.#signer = options.signer;
    this.#exists = secretSearch(async (sha256) => {
      const { knownSha256 } = await options.find({ sha256 }, await this.#callOptions());
      return knownSha256;
    });
    this.#nowMs = options.nowMs ?? Date.now;
    // The default is a clock that is never set back.
    const perf = options.nowMs ? { perf: { now: options.nowMs } } : {};
    const memory = { max: REMEMBERED_KEYS, ttl: REMEMBERED_MS, ttlResolution: 0, ...perf };
    this.#known = new LRUCache(memory);
    this.#refused = new LRUCache(memory);
  }

  /**
   * @param maxAgeMs an answer that was asked for longer ago does not do
   * @param account id of the account that is meant, where a secret opens several; empty = the one that the lookup gives
   * @returns undefined when the key is missing, malformed, unknown or revoked
   * @throws DomainError unavailable when the lookup fails
   */
  async accountOf(
    key: string | undefined,
    maxAgeMs = Number.POSITIVE_INFINITY,
    account = '',
  ): Promise<Account | undefined> {
    if (key === undefined || !this.#pattern.test(key)) return undefined;
    const id = hash('sha256', key, 'base64');
    const place = `${id} ${account}`;
    const known = this.#known.get(place);
    if (known && this.#nowMs() - known.askedMs <= maxAgeMs) return known;
    if (this.#refused.has(id)) return undefined;
    const running = this.#running.get(place) ?? this.#ask(id, place, { keySha256: Buffer.from(id, 'base64'), account });
    this.#running.set(place, running);
    return running;
  }

  /** The next lookup of the secret is not answered from the cache, whatever account is meant. */
  forget(key: string): void {
    const id = hash('sha256', key, 'base64');
    for (const place of this.#known.keys()) if (place.startsWith(id)) this.#known.delete(place);
  }

  /** @param place where the answer is kept: that of the secret and the account */
  async #ask(id: string, place: string, request: { keySha256: Buffer; account: string }): Promise<Account | undefined> {
    try {
      if (!this.#trusted.has(id) && !(await this.#exists(request.keySha256))) return this.#refuse(id);
      const requestedMs = this.#nowMs();
      const answer = await this.#lookup(request, await this.#callOptions());
      const account = accountOf(answer, requestedMs);
      this.#trusted.set(id, true);
      const forMs = rememberedMs(answer, requestedMs);
      if (forMs > 0) this.#known.set(place, account, { ttl: forMs });
      return account;
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== 'unauthenticated') throw error;
      if (error.reason === OWN_TOKEN_REFUSED) {
        throw new DomainError('internal', 'SERVICE_TOKEN_REFUSED', 'The nodes service refused our token', {
          cause: error,
        });
      }
      return this.#refuse(id);
    } finally {
      this.#running.delete(place);
    }
  }

  #refuse(id: string): undefined {
    this.#trusted.delete(id);
    this.#refused.set(id, true);
  }

  async #callOptions(): Promise<CallOptions> {
    const token = await this.#signer.sign({ kind: 'service', service: 'gateway' });
    return { token, timeoutMs: LOOKUP_TIMEOUT_MS };
  }
}

/**
 * Returns how long an answer may be cached: that of a workspace user for a short time, and never beyond the end of an
 * access.
 */
function rememberedMs({ rights }: AuthenticateResponse, requestedMs: number): number {
  if (!rights) return REMEMBERED_MS;
  return Math.min(RIGHTS_REMEMBERED_MS, (rights.untilMs ?? Number.POSITIVE_INFINITY) - requestedMs);
}

function accountOf(answer: AuthenticateResponse, askedMs: number): Account {
  const accessLevel = oneOf(answer.accessLevel, ['ACCOUNT', 'WORKSPACES', 'LIMITED_WORKSPACES']);
  return {
    caller: {
      kind: 'api',
      ownerId: answer.ownerId,
      userId: answer.userId,
      username: answer.username,
      permission: oneOf(answer.permission, ['READ_ONLY', 'MODIFY']),
      accessLevel,
      ...(accessLevel === 'LIMITED_WORKSPACES' ? { workspaceIds: answer.workspaceIds } : {}),
      ...(answer.rights ? { rights: rightsOf(answer.rights) } : {}),
    },
    keyId: answer.keyId,
    isDisabled: answer.accountStatus !== 'ACTIVE',
    askedMs,
  };
}

const rightsOf = ({ grants, closedAsOfMs }: NonNullable<AuthenticateResponse['rights']>): UserRights => ({
  grants: grants.map(({ permissions, workspaceIds }) => ({ permissions, workspaceIds })),
  ...(closedAsOfMs === undefined ? {} : { closedAsOfMs }),
});

/** An unknown word must never widen what a caller may do, so it fails. */
function oneOf<const T extends string>(word: string, words: readonly T[]): T {
  const found = words.find((known) => known === word);
  if (found === undefined) throw new DomainError('internal', 'UNKNOWN_RIGHTS', `unknown rights: ${word}`);
  return found;
}
