import type { Caller } from '@catchment/access';
import { DomainError, unavailable } from '@catchment/errors';
import { errors, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';

const ISSUER = 'catchment';
/** A token lives this long; whoever signs keeps it no longer than half of that. */
const TOKEN_SECONDS = 120;
/** The cache is bounded by number and by characters: a caller of a thousand workspaces takes as much room as a hundred plain ones. */
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

  /** The JSON of a caller, made once for a caller object that is reused. */
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

  /** @throws DomainError unauthenticated; unavailable where it was signed by one of us, and too long ago */
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
      // The work that it was signed for has waited for long, as where the processor or a store is short, or clocks are apart.
      if (error instanceof errors.JWTExpired) throw unavailable('CALLER_EXPIRED', { cause: error });
      throw new DomainError('unauthenticated', 'CALLER_NOT_AUTHENTICATED', 'Unauthorized: authentication failed', {
        cause: error,
      });
    }
  }
}
