import { DomainError, notFound } from '@catchment/errors';
import type { Permission } from '@catchment/permissions';
import { jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';

/**
 * What a workspace user may do (docs/reference/people-and-security.md), as it was when the key was looked up. Owner,
 * administrators and account managers have none of this: nothing is closed to them.
 */
export type UserRights = {
  /** Workspaces by what is allowed in them, VIEW at least; each stands in one grant. All others do not exist for the user. */
  readonly grants: readonly { readonly permissions: readonly string[]; readonly workspaceIds: readonly string[] }[];
  /**
   * Present when branches within these workspaces are closed to the user (No Access); which ones, the nodes service knows.
   * Unix ms: the moment that all of this holds for.
   */
  readonly closedAsOfMs?: number;
};

/** A person or program that calls the API with a key of one account (docs/reference/authentication.md#api-keys). */
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
  /** Present for workspace users only: what the key allows beyond this, the user may not do. */
  readonly rights?: UserRights;
};

/** One of our own processes acting for the platform; the call names the account. */
export type ServiceCaller = { readonly kind: 'service'; readonly service: string };

export type Caller = ApiCaller | ServiceCaller;

const ISSUER = 'catchment';
/** A token lives this long; whoever signs keeps it no longer than half of that. */
const TOKEN_SECONDS = 120;
/** By number and by characters: a caller of a thousand workspaces takes as much room as a hundred plain ones. */
const CACHE = { max: 10_000, maxSize: 32 * 1024 * 1024 } as const;

/** Makes the signed context that authenticates a caller between services (docs/reference/guarantees.md#tenancy). */
export class CallerSigner {
  readonly #secret: Uint8Array;
  readonly #tokens = new LRUCache<string, string>({
    ...CACHE,
    ttl: (TOKEN_SECONDS / 2) * 1000,
    sizeCalculation: (token, identity) => token.length + identity.length,
  });
  readonly #identities = new WeakMap<Caller, string>();

  /** @param secret shared by all services of an installation, at least 32 characters */
  constructor(secret: string) {
    this.#secret = new TextEncoder().encode(secret);
  }

  async sign(caller: Caller): Promise<string> {
    const identity = this.#identityOf(caller);
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

  /** Who is remembered from request to request is written out once. */
  #identityOf(caller: Caller): string {
    const known = this.#identities.get(caller);
    if (known !== undefined) return known;
    const identity = JSON.stringify(caller);
    this.#identities.set(caller, identity);
    return identity;
  }
}

/** Checks signed contexts; remembers those that it has checked until they expire. */
export class CallerVerifier {
  readonly #secret: Uint8Array;
  readonly #checked = new LRUCache<string, { caller: Caller; expiresMs: number }>({
    ...CACHE,
    sizeCalculation: (_checked, token) => 2 * token.length,
  });

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
  /** Workspace users: where they have access, whatever the key is limited to. The rest does not exist for them. */
  readonly visibleIds?: readonly string[];
  /** A workspace user with No Access to branches of these workspaces; the nodes service leaves them out. */
  readonly closedTo?: { readonly userId: string; readonly asOfMs: number };
};

/**
 * The scope of a caller; a service names the account in its request.
 * @throws DomainError invalid_argument when a service names none
 */
export function scopeOf(caller: Caller, ownerIdOfServiceCall = ''): Scope {
  if (caller.kind === 'api') return scopeOfApi(caller);
  if (!ownerIdOfServiceCall)
    throw new DomainError('invalid_argument', 'OWNER_NEEDED', 'ownerId: must be given by a service');
  return { ownerId: ownerIdOfServiceCall, workspaceIds: undefined };
}

function scopeOfApi({ ownerId, userId, workspaceIds, rights }: ApiCaller): Scope {
  if (!rights) return { ownerId, workspaceIds };
  const visibleIds = rights.grants.flatMap((grant) => grant.workspaceIds);
  const limit = workspaceIds && new Set(workspaceIds);
  return {
    ownerId,
    workspaceIds: limit ? visibleIds.filter((id) => limit.has(id)) : visibleIds,
    visibleIds,
    ...(rights.closedAsOfMs !== undefined && { closedTo: { userId, asOfMs: rights.closedAsOfMs } }),
  };
}

/** The username of events that a call causes. */
export const usernameOf = (caller: Caller): string => (caller.kind === 'api' ? caller.username : 'System');

/**
 * Whether a workspace lies within a scope; known but outside is 403 (docs/reference/requests-and-errors.md#order-of-checks,
 * step 11), and what a workspace user may not view does not exist (docs/reference/people-and-security.md#effective-permissions).
 * @throws DomainError permission_denied, not_found
 */
export function checkWorkspace(scope: Scope, workspaceId: string): void {
  if (scope.visibleIds && !scope.visibleIds.includes(workspaceId)) throw notFound();
  if (scope.workspaceIds && !scope.workspaceIds.includes(workspaceId)) {
    throw new DomainError('permission_denied', 'WORKSPACE_NOT_ALLOWED', 'Not permitted');
  }
}

/**
 * Whether the caller's user is allowed an operation in a workspace
 * (docs/reference/people-and-security.md#permission-by-operation); the key has its own rules beside.
 */
export function may(caller: Caller, workspaceId: string, permission: Permission): boolean {
  if (caller.kind !== 'api' || !caller.rights) return true;
  return caller.rights.grants.some(
    (grant) => grant.permissions.includes(permission) && grant.workspaceIds.includes(workspaceId),
  );
}

/** @throws DomainError permission_denied unless the caller's user has one of the permissions in the workspace */
export function checkPermission(caller: Caller, workspaceId: string, ...anyOf: readonly Permission[]): void {
  if (!anyOf.some((permission) => may(caller, workspaceId, permission)))
    throw new DomainError('permission_denied', 'PERMISSION_NEEDED', 'Not permitted');
}

/** Whether the caller works on the account as a whole: makes workspaces, for example. */
export const isUnlimited = ({ workspaceIds, rights }: ApiCaller): boolean =>
  workspaceIds === undefined && rights === undefined;

/** @throws DomainError permission_denied for a READ_ONLY key */
export function checkModify(caller: Caller): void {
  if (caller.kind === 'api' && caller.permission !== 'MODIFY') {
    throw new DomainError('permission_denied', 'MODIFY_NEEDED', 'Not permitted');
  }
}
