import { setTimeout as sleep } from 'node:timers/promises';
import { toDomainError } from '@catchment/errors';
import type { Logger } from '@catchment/telemetry';
import type { PushSource } from '../../sources/index.ts';
import { Ending, REASON, type ReasonCode } from '../domain/reason.ts';
import type { Destination } from '../domain/topic.ts';
import type { Authenticator, Login } from '../usecases/authenticator.ts';

/** The connection ends after this many topics with unknown keys. */
const BAD_TOPICS = 10;
/** A connection remembers this many keys of the sources it sends for; for the others, each message looks the key up. */
const KEYS = 1_000;

export type ClientKeysDeps = {
  readonly authenticator: Authenticator;
  /** No refusal of a key or password comes sooner. */
  readonly refusalMs: number;
  readonly log: Logger;
};
export type Refusal = { readonly code: ReasonCode; readonly message: string };

/** Keeps the keys that a client has shown: as its user name, as its password, or in its topics. */
export class ClientKeys {
  readonly #deps: ClientKeysDeps;
  readonly #address: string;
  #login: Login | undefined;
  /** The client gave this password and a user name that is no key: it is checked against the keys in its topics. */
  #password: Buffer | undefined;
  /** These keys of topics were right. */
  readonly #entered = new Set<string>();
  #badTopics = 0;

  constructor(deps: ClientKeysDeps, address: string) {
    this.#deps = deps;
    this.#address = address;
  }

  get login(): Login | undefined {
    return this.#login;
  }

  /** Finds the key in the user name, or in the password. A client with a key in neither has one in each topic. */
  async identify(username: string | undefined, password: Buffer | undefined): Promise<void> {
    const { authenticator } = this.#deps;
    const isKey = (text: string) =>
      authenticator.isKey(text).catch((err: unknown) => {
        this.#deps.log.warn({ err }, 'MQTT client could not be checked');
        throw new Ending(REASON.unavailable, 'try again later');
      });
    if (username && (await isKey(username))) return this.#logIn({ key: username, password, address: this.#address });
    this.#password = password;
    const key = password?.toString() ?? '';
    if (key === '' || !(await isKey(key))) return;
    try {
      await this.#logIn({ key, password: undefined, address: this.#address });
    } catch (error) {
      // The password only looks like a key, and is for a key in a topic.
      if (!(error instanceof Ending) || error.code !== REASON.credentials) throw error;
    }
  }

  async #logIn(login: Login): Promise<void> {
    // Every refusal takes the same time.
    const soonest = sleep(this.#deps.refusalMs, undefined, { ref: false });
    try {
      await this.#deps.authenticator.enter(login);
    } catch (error) {
      if (!(error instanceof Ending)) {
        this.#deps.log.warn({ err: error }, 'MQTT client could not be checked');
        throw new Ending(REASON.unavailable, 'try again later');
      }
      await soonest;
      throw error;
    }
    this.#login = login;
  }

  /** @param isFive the client knows answers that refuse a message */
  async sourceOf(
    destination: Exclude<Destination, { kind: 'broker' }>,
    isFive: boolean,
  ): Promise<PushSource | Refusal> {
    const { authenticator, log } = this.#deps;
    const login = this.#login;
    try {
      if (destination.kind !== 'key' || destination.key === login?.key) {
        if (login) return await authenticator.find(login);
        return { code: REASON.notAuthorized, message: 'without a key as user name, the topic must have one' };
      }
      const other = { key: destination.key, password: this.#password, address: this.#address };
      if (this.#entered.has(other.key)) return await authenticator.find(other);
      const found = await authenticator.enter(other);
      if (this.#entered.size < KEYS) this.#entered.add(other.key);
      return found;
    } catch (error) {
      if (!(error instanceof Ending)) {
        log.warn({ err: toDomainError(error) }, 'MQTT message could not be checked');
        throw error;
      }
      if (error.code === REASON.credentials) this.#badTopics += 1;
      const isOwn = destination.kind !== 'key' || destination.key === login?.key;
      // MQTT 3.1.1 has no answer that refuses, and a client whose own source is disabled keeps what it has.
      if (isOwn || !isFive || this.#badTopics >= BAD_TOPICS) throw error;
      const { message } = error;
      return { code: error.code === REASON.unavailable ? REASON.implementation : REASON.notAuthorized, message };
    }
  }
}
