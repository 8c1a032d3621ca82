import { DomainError } from '@catchment/errors';

/**
 * Rights of a workspace user (docs/reference/people-and-security.md), as they were when the key was looked up. Owner,
 * administrators and account managers have none of this: nothing is closed to them.
 */
export type UserRights = {
  /** Workspaces by the permissions in them, VIEW at least; each is in one grant. All others do not exist for the user. */
  readonly grants: readonly { readonly permissions: readonly string[]; readonly workspaceIds: readonly string[] }[];
  /**
   * Present when branches within these workspaces are closed to the user (No Access); which ones, the nodes service knows.
   * Unix ms: the moment that all of this holds for.
   */
  readonly closedAsOfMs?: number;
};

/** A person or program calls the API with a key of one account (docs/reference/authentication.md#api-keys). */
export type ApiCaller = {
  readonly kind: 'api';
  readonly ownerId: string;
  readonly userId: string;
  /** Events that the call causes have this e-mail as `username`. */
  readonly username: string;
  readonly permission: 'READ_ONLY' | 'MODIFY';
  readonly accessLevel: 'ACCOUNT' | 'WORKSPACES' | 'LIMITED_WORKSPACES';
  /** Present with LIMITED_WORKSPACES only: all that the caller may touch. */
  readonly workspaceIds?: readonly string[];
  /** Present for workspace users only: what the key allows beyond this, the user may not do. */
  readonly rights?: UserRights;
  /** Present where the request has a key of its own: which request it is, and which try of it, wherever it leads. */
  readonly keyed?: KeyedRequest;
};

/** Such a request may come again, and its effects must come once (docs/reference/requests-and-errors.md#repeated-requests). */
export type KeyedRequest = {
  readonly id: string;
  /** The first try is 1. */
  readonly tryNumber: number;
  /** Whoever carries it out by a transaction notes that in it, and does not when another try has. */
  readonly isOnce: boolean;
};

/** One of our own processes acting for the platform; the call names the account. */
export type ServiceCaller = { readonly kind: 'service'; readonly service: string };

export type Caller = ApiCaller | ServiceCaller;

/** Returns the caller as an API caller. @throws DomainError permission_denied for a service */
export function apiCaller(caller: Caller): ApiCaller {
  if (caller.kind === 'api') return caller;
  throw new DomainError('permission_denied', 'API_CALLER_NEEDED', 'Not permitted');
}

/** @throws DomainError permission_denied for anybody but our own services, or but this one where it is named */
export function serviceCaller(caller: Caller, service?: string): ServiceCaller {
  if (caller.kind === 'service' && (service === undefined || caller.service === service)) return caller;
  throw new DomainError('permission_denied', 'SERVICE_CALLER_NEEDED', 'Not permitted');
}

/** Returns the username of events that a call causes. */
export const usernameOf = (caller: Caller): string => (caller.kind === 'api' ? caller.username : 'System');

/** Returns whether the caller works on the account as a whole: makes workspaces, for example. */
export const isUnlimited = ({ workspaceIds, rights }: ApiCaller): boolean =>
  workspaceIds === undefined && rights === undefined;
