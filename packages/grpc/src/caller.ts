import { DomainError } from '@catchment/errors';
import { jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';

/** A person or program that calls the API with a key of one account (semantics 1.2). */
export type ApiCaller = {
  readonly kind: 'api';
  readonly ownerId: string;
  readonly userId: string;
  /** E-mail: the `username` of the events that the call causes. */
  readonly username: string;
  readonly permission: 'READ_ONLY' | 'MODIFY';
  readonly accessLevel: 'ACCOUNT' | 'WORKSPACES' | 'LIMITED_WORKSPACES';
  /** Present with LIMITED_WORKSPACES only: all that the caller may touch. */
  readonly workspaceIds?: readonly string[];
};

/** One of our own processes acting for the platform; the call names the account. */
export type ServiceCaller = { readonly kind: 'service'; readonly service: string };

export type Caller = ApiCaller | ServiceCaller;

const ISSUER = 'catchment';
/** A token lives this long; whoever signs keeps it no longer than half of that. */
const TOKEN_SECONDS = 120;
const CACHED_TOKENS = 10_000;

/** Makes the signed context that authenticates a caller between services (design, «Tenancy»). */
export class CallerSigner {
  readonly #secret: Uint8Array;
  readonly #tokens = new LRUCache<string, string>({ max: CACHED_TOKENS, ttl: (TOKEN_SECONDS / 2) * 1000 });

  /** @param secret shared by all services of an installation, at least 32 characters */
  constructor(secret: string) {
    this.#secret = new TextEncoder().encode(secret);
  }

  async sign(caller: Caller): Promise<string> {
    const identity = JSON.stringify(caller);
    const known = this.#tokens.get(identity);
    if (known) return known;
    const token = await new SignJWT({ caller })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(ISSUER)
      .setIssuedAt()
      .setExpirationTime(`${TOKEN_SECONDS}s`)
      .sign(this.#secret);
    this.#tokens.set(identity, token);
    return token;
  }
}

/** Checks signed contexts; remembers those that it has checked until they expire. */
export class CallerVerifier {
  readonly #secret: Uint8Array;
  readonly #checked = new LRUCache<string, { caller: Caller; expiresMs: number }>({ max: CACHED_TOKENS });

  constructor(secret: string) {
    this.#secret = new TextEncoder().encode(secret);
  }

  /** @throws DomainError unauthenticated */
  async verify(token: string): Promise<Caller> {
    const known = this.#checked.get(token);
    if (known && known.expiresMs > Date.now()) return known.caller;
    try {
      const { payload } = await jwtVerify<{ caller: Caller }>(token, this.#secret, {
        issuer: ISSUER,
        algorithms: ['HS256'],
      });
      this.#checked.set(token, { caller: payload.caller, expiresMs: (payload.exp ?? 0) * 1000 });
      return payload.caller;
    } catch (error) {
      throw new DomainError('unauthenticated', 'CALLER_NOT_AUTHENTICATED', 'Unauthorized: authentication failed', {
        cause: error,
      });
    }
  }
}

/** The caller as an API caller. @throws DomainError permission_denied for a service */
export function apiCaller(caller: Caller): ApiCaller {
  if (caller.kind === 'api') return caller;
  throw new DomainError('permission_denied', 'API_CALLER_NEEDED', 'Not permitted');
}

/** @throws DomainError permission_denied for anybody but our own services */
export function serviceCaller(caller: Caller): ServiceCaller {
  if (caller.kind === 'service') return caller;
  throw new DomainError('permission_denied', 'SERVICE_CALLER_NEEDED', 'Not permitted');
}

/** What part of the data a call may see: each query is narrowed to it. */
export type Scope = {
  readonly ownerId: string;
  /** undefined = all workspaces of the account. */
  readonly workspaceIds: readonly string[] | undefined;
};

/**
 * The scope of a caller; a service names the account in its request.
 * @throws DomainError invalid_argument when a service names none
 */
export function scopeOf(caller: Caller, ownerIdOfServiceCall = ''): Scope {
  if (caller.kind === 'api') return { ownerId: caller.ownerId, workspaceIds: caller.workspaceIds };
  if (!ownerIdOfServiceCall)
    throw new DomainError('invalid_argument', 'OWNER_NEEDED', 'ownerId: must be given by a service');
  return { ownerId: ownerIdOfServiceCall, workspaceIds: undefined };
}

/** The username of events that a call causes. */
export const usernameOf = (caller: Caller): string => (caller.kind === 'api' ? caller.username : 'System');

/**
 * Whether a workspace lies within a scope; known but outside is 403 (semantics 1.3 step 11).
 * @throws DomainError permission_denied
 */
export function checkWorkspace(scope: Scope, workspaceId: string): void {
  if (scope.workspaceIds && !scope.workspaceIds.includes(workspaceId)) {
    throw new DomainError('permission_denied', 'WORKSPACE_NOT_ALLOWED', 'Not permitted');
  }
}

/** @throws DomainError permission_denied for a READ_ONLY key */
export function checkModify(caller: Caller): void {
  if (caller.kind === 'api' && caller.permission !== 'MODIFY') {
    throw new DomainError('permission_denied', 'MODIFY_NEEDED', 'Not permitted');
  }
}
