import { hash, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { settingsOf } from '@catchment/contracts/transports';
import type { Logger } from '@catchment/telemetry';
import { type FailedIdents, isAllowed, plainAddress } from '../../listening/index.ts';
import type { PushSource } from '../../sources/index.ts';
import { Ending, REASON } from '../domain/reason.ts';
import type { Refusals } from './refusals.ts';

type FindPushSource = (transport: 'Mqtt', key: string) => Promise<PushSource | undefined>;

type AuthenticatorDeps = {
  readonly find: FindPushSource;
  readonly failures: FailedIdents;
  readonly refusals: Refusals;
  readonly log: Logger;
};

export type Login = {
  readonly key: string;
  /** The CONNECT had this password; undefined: none was given, or the key is not that of the connection. */
  readonly password: Buffer | undefined;
  readonly address: string;
};

/** Says which source a key is of, to those who may send for it (docs/reference/acquisition.md#mqtt). */
export class Authenticator {
  readonly #deps: AuthenticatorDeps;

  constructor(deps: AuthenticatorDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the source whose key a client gives.
   * @throws Ending credentials (nobody's key, or a wrong password), notAuthorized (address, kind of source), unavailable (disabled), rate
   * @throws DomainError unavailable
   */
  async enter(login: Login): Promise<PushSource> {
    const { failures, log } = this.#deps;
    const address = plainAddress(login.address);
    const ident = { deviceKey: login.key, secret: login.password?.toString('base64') };
    const waitMs = failures.delayMs(address, ident);
    if (waitMs === undefined) throw new Ending(REASON.rate, 'too many failures from this address: try again later');
    if (waitMs > 0) await sleep(waitMs);
    try {
      const found = await this.find(login);
      failures.succeeded(address, ident);
      return found;
    } catch (error) {
      if (error instanceof Ending && error.code === REASON.credentials) {
        failures.failed(address);
        // A key that is nobody's may be a password in the wrong place: it is not logged.
        log.info({ address, reason: error.message }, 'MQTT client refused');
      }
      throw error;
    }
  }

  /**
   * Returns whether a user name or a password is a key: people write one where the other belongs, and devices have names of their own.
   * One of three words is taken for a key, whoever has it or nobody: that is the matter of `enter`.
   * @throws DomainError unavailable
   */
  async isKey(text: string): Promise<boolean> {
    if (LIKE_A_KEY.test(text)) return true;
    return MAY_BE_A_KEY.test(text) && (await this.#deps.find('Mqtt', text)) !== undefined;
  }

  /** Does the same for a client that was let in before; the source may have changed. */
  async find({ key, password, address }: Login): Promise<PushSource> {
    const found = await this.#deps.find('Mqtt', key);
    const settings = found && settingsOf('Mqtt', found.settings);
    if (!found || !settings) throw new Ending(REASON.credentials, UNKNOWN);
    const refusal = this.#refusalOf(found, settings, password, plainAddress(address));
    if (!refusal) return found;
    this.#deps.refusals.report(found.source, `Refused MQTT client at ${plainAddress(address)}: ${refusal.message}`);
    // A client without the password of a key does not learn whether the key exists.
    throw refusal.code === REASON.credentials ? new Ending(REASON.credentials, UNKNOWN) : refusal;
  }

  #refusalOf(
    { source }: PushSource,
    { authentication, password: expected, ipWhitelist }: NonNullable<ReturnType<typeof settingsOf<'Mqtt'>>>,
    password: Buffer | undefined,
    address: string,
  ): Ending | undefined {
    if (authentication === 'CONNECT' && !isSame(expected, password))
      return new Ending(REASON.credentials, 'the password is missing or wrong');
    if (!isAllowed(ipWhitelist, address)) return new Ending(REASON.notAuthorized, 'the address is not in ipWhitelist');
    if (source.source?.isEnabled === false) return new Ending(REASON.unavailable, 'the source is disabled');
    return undefined;
  }
}

/** Nodes makes keys of this form. */
const LIKE_A_KEY = /^[a-z]+-[a-z]+-[a-z]+$/;
const MAY_BE_A_KEY = /^[a-z0-9-]{1,100}$/;
const UNKNOWN = 'the key is unknown, or the password is wrong';

/** The comparison takes the same time wherever the two differ. */
function isSame(expected: string | undefined, given: Buffer | undefined): boolean {
  const [left, right] = [Buffer.from(expected ?? ''), given ?? Buffer.alloc(0)].map((bytes) =>
    hash('sha256', bytes, 'buffer'),
  ) as [Buffer, Buffer];
  return timingSafeEqual(left, right) && given !== undefined && expected !== undefined;
}
