import { createHmac, randomBytes, scrypt } from 'node:crypto';
import { unavailable } from '@catchment/errors';
import { LRUCache } from 'lru-cache';
import { RoundRobin } from '../../listening/index.ts';

/** 2^14 blocks of 1 KiB cost about 40 ms and 16 MiB for each guess. */
const COST = { N: 16_384, r: 8, p: 1 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const SECRET_BYTES = 24;
const REMEMBERED = 10_000;
/** A slot takes a core while it derives: modems must not take all of the process's. */
const DERIVED_AT_ONCE = 2;
/** Those of one client wait ten seconds at the most. */
const WAITING = { maxWaiting: 2_000, maxWaitingEach: 500 } as const;

/** Returns a random secret of 192 bits in 32 characters. */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** Returns whether a text looks like one of `newSecret`. */
export const mayBeMade = (secret: string): boolean => /^[\w-]{32}$/.test(secret);

/**
 * Returns the stored form of a secret that `newSecret` has made: `sha256$<salt>$<hash>`, base64url. Nobody can try out random secrets of
 * 192 bits, however fast, so that all modems of a process that dies are soon let in by another one.
 * @param salt default: the key has no secrets
 */
export function hashOfMade(secret: string, salt = ''): string {
  const hash = createHmac('sha256', Buffer.from(salt, 'base64url')).update(secret, 'utf8').digest('base64url');
  return `sha256$${salt}$${hash}`;
}

/** base64url */
export const newSalt = (): string => randomBytes(SALT_BYTES).toString('base64url');

type Derive = (secret: string, salt: Buffer) => Promise<Buffer>;

export type GivenSecret = { readonly deviceKey: string; readonly secret: string };

/**
 * Makes what is stored of other secrets: `scrypt$<salt>$<hash>`, base64url, because people choose these secrets. Few derivations run
 * at once. A secret that was right is remembered under a key that lives as long as the process, so that a thousand modems
 * coming back at once do not cost a thousand derivations.
 */
export class SecretHasher {
  readonly #derive: Derive;
  readonly #roundRobin = new RoundRobin({ atOnce: DERIVED_AT_ONCE, ...WAITING });
  readonly #processKey = randomBytes(32);
  readonly #right = new LRUCache<string, string>({ max: REMEMBERED });
  /** A check of a key without secrets costs the same with this salt. */
  readonly #decoySalt = newSalt();

  constructor(derive: Derive = deriveByScrypt) {
    this.#derive = derive;
  }

  /**
   * @param saltOf of its key, looked up once it is its turn; undefined: the key has no secrets
   * @param client whose turn it takes: an address, or an account
   * @throws DomainError unavailable when too many wait already
   */
  async hash(secret: string, saltOf: () => Promise<string | undefined>, client = ''): Promise<string> {
    const end = await this.#roundRobin.take(client);
    if (!end) throw unavailable('SECRETS_BUSY');
    try {
      const salt = (await saltOf()) ?? this.#decoySalt;
      return `scrypt$${salt}$${(await this.#derive(secret, Buffer.from(salt, 'base64url'))).toString('base64url')}`;
    } finally {
      end();
    }
  }

  /** Returns the hash of a secret that was right before. It may have been changed since. */
  remembered(given: GivenSecret): string | undefined {
    return this.#right.get(this.#mark(given));
  }

  remember(given: GivenSecret, secretHash: string): void {
    this.#right.set(this.#mark(given), secretHash);
  }

  forget(given: GivenSecret): void {
    this.#right.delete(this.#mark(given));
  }

  #mark({ deviceKey, secret }: GivenSecret): string {
    return createHmac('sha256', this.#processKey).update(`${deviceKey} ${secret}`, 'utf8').digest('base64url');
  }
}

const deriveByScrypt: Derive = (secret, salt) =>
  new Promise((resolve, reject) =>
    scrypt(secret, salt, HASH_BYTES, COST, (error, key) => (error ? reject(error) : resolve(key))),
  );
