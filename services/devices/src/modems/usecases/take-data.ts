import { toDomainError } from '@catchment/errors';
import type { Logger } from '@catchment/telemetry';
import { type AckedSeq, type DeviceSource, LOG_LEVELS, type ModemLogLevel } from '../../registry/index.ts';
import { acquisitions, counted, isRefusal, type WriteToSource } from '../../sources/index.ts';
import { chooseSource } from '../domain/choose-source.ts';
import { answerToFailure, type DataAnswer, DISABLED_RETRY_SECONDS } from '../domain/data-answer.ts';
import { type DataMessage, type ModemMessage, type ModemStatus, readAgain } from '../domain/modem-message.ts';
import { logDocument, statusDocument } from '../domain/status-document.ts';
import type { Store } from './ports.ts';

export type DataDeps = {
  readonly store: Store;
  readonly write: WriteToSource;
  /** Resolves once it is stored. */
  readonly saveAcked: (acked: AckedSeq) => Promise<void>;
  readonly log: Logger;
  readonly now: () => number;
};

/** The refused messages of one connection make at most one WARNING event a minute. */
const REFUSAL_EVENT_MS = 60_000;

/** Takes the data of one connection, one message at a time: what was settled, what failed, and where it goes. */
export class DataTaker {
  readonly #deps: DataDeps;
  readonly #modem: { readonly deviceId: string; readonly deviceKey: string; readonly session: string };
  #ackedSeq: number;
  #failure = { seq: 0, count: 0 };
  /** Later sequences that the modem had sent before it read `busy` wait too, so that none overtakes. */
  #held:
    | { readonly seq: number; readonly untilMs: number; readonly answer: Extract<DataAnswer, { type: 'busy' }> }
    | undefined;
  #lastRefusalMs = Number.NEGATIVE_INFINITY;

  constructor(deps: DataDeps, modem: { deviceId: string; deviceKey: string; session: string; ackedSeq: number }) {
    this.#deps = deps;
    this.#modem = modem;
    this.#ackedSeq = modem.ackedSeq;
  }

  /** Never throws: every data message gets exactly one answer. */
  async take(message: DataMessage, sources: readonly DeviceSource[]): Promise<DataAnswer> {
    const { seq } = message;
    if (seq <= this.#ackedSeq) return { type: 'ack', seq };
    const held = this.#held;
    if (held && seq > held.seq && this.#deps.now() < held.untilMs) return { ...held.answer, seq };
    this.#held = undefined;
    const answer = await this.#write(message, sources);
    if (answer.type === 'nack') await this.refused(answer.message, sources[0]);
    if (answer.type === 'busy') {
      this.#held = { seq, untilMs: this.#deps.now() + answer.retryAfterSeconds * 1_000, answer };
    }
    return answer;
  }

  /** Stores a status message with best effort: it is not acknowledged. */
  async takeStatus(status: ModemStatus, source: DeviceSource | undefined): Promise<void> {
    const document = statusDocument(status, this.#deps.now());
    if (!document || !source?.isEnabled) return;
    await this.#writeBestEffort(source, document);
  }

  async #writeBestEffort(source: DeviceSource, document: object): Promise<void> {
    try {
      await this.#deps.write(source, document, this.#origin);
    } catch (err) {
      this.#deps.log.warn({ err, deviceKey: this.#modem.deviceKey }, 'status or log of a modem was not stored');
    }
  }

  /** Stores a line of the modem's log from its configured level on, as a record of the series `Logs - Message`. Best effort too. */
  async takeLog(
    { level, message }: Extract<ModemMessage, { type: 'log' }>,
    leastLevel: ModemLogLevel | undefined,
    source: DeviceSource | undefined,
  ): Promise<void> {
    const isWanted = LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(leastLevel ?? 'INFO');
    if (!isWanted || !source?.isEnabled || message === '') return;
    await this.#writeBestEffort(source, logDocument(level, message, this.#deps.now()));
  }

  /** Reports to the people of the account why a message was refused. */
  async refused(reason: string, source: DeviceSource | undefined): Promise<void> {
    const { store, log, now } = this.#deps;
    const { deviceKey } = this.#modem;
    log.warn({ deviceKey, reason }, 'message of a modem refused');
    if (!source || now() - this.#lastRefusalMs < REFUSAL_EVENT_MS) return;
    this.#lastRefusalMs = now();
    const message = `Refused data from modem ${deviceKey}: ${reason}`;
    try {
      await store.transaction((tx) => tx.recordEvents([{ source, level: 'WARNING', message, timeMs: now() }]));
    } catch (err) {
      log.warn({ err, deviceKey }, 'event could not be recorded');
    }
  }

  async #write(message: DataMessage, sources: readonly DeviceSource[]): Promise<DataAnswer> {
    const { seq, jts, source: named } = message;
    const source = chooseSource(sources, named);
    if (!source) {
      acquisitions.add({ transport: 'Scout', outcome: 'refused' });
      return { type: 'nack', seq, message: 'source: must name a source of this device' };
    }
    if (!source.isEnabled) {
      return { type: 'busy', seq, retryAfterSeconds: DISABLED_RETRY_SECONDS, message: 'the source is disabled' };
    }
    try {
      await counted('Scout', async () => {
        await this.#deps.write(source, jts, this.#origin);
        // The sequence is saved last: a crash before this line makes the modem send again, and the same records land on themselves.
        const { deviceId, session } = this.#modem;
        await this.#deps.saveAcked({ deviceId, session, seq });
      });
      this.#ackedSeq = seq;
      return { type: 'ack', seq };
    } catch (error) {
      const known = toDomainError(error);
      const meant = isRefusal(known.kind) ? readAgain(message) : undefined;
      if (meant?.type === 'data') return this.#write(meant, sources);
      if (meant?.type === 'bad') return { type: 'nack', seq, message: meant.message };
      this.#failure = { seq, count: this.#failure.seq === seq ? this.#failure.count + 1 : 1 };
      this.#deps.log.warn({ err: error, deviceKey: this.#modem.deviceKey, seq }, 'data of a modem not stored');
      return answerToFailure(seq, known, this.#failure.count);
    }
  }

  get #origin(): string {
    return `modem ${this.#modem.deviceKey}`;
  }
}
