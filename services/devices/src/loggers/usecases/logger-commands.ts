import {
  CLOCK,
  COLLECT,
  COMPLETE,
  DEFINITIONS_BYTES_MAX,
  DENIED,
  decodeTableDefinitions,
  type LoggerRecord,
  OTHER_DEFINITION,
  PakBusError,
  PROGRAM,
  type Program,
  READ_FILE,
  type RecordLayout,
  type Selection,
  type Table,
} from '@catchment/pakbus';
import { CommunicationFailure } from '../../acquisition/index.ts';
import type { PakBusLink } from './pakbus-link.ts';

const DEFINITIONS = '.TDF';
/** One response is asked for this much of a file; loggers may send less. */
const SWATH_BYTES = 512;
const PARTS_MAX = (16 * DEFINITIONS_BYTES_MAX) / SWATH_BYTES;
const NO_TIME = { seconds: 0, nanoseconds: 0 };

/** The tables are others than those that the session has read. */
export class TablesChanged extends Error {}

/** Asks a logger with the security code of its source. */
export class LoggerCommands {
  readonly #link: PakBusLink;
  readonly #security: { readonly securityCode: number };

  constructor(link: PakBusLink, securityCode: number) {
    this.#link = link;
    this.#security = { securityCode };
  }

  /** @throws CommunicationFailure */
  async program(): Promise<Program> {
    const { code, program } = await this.#link.request(PROGRAM, this.#security);
    return complete('its program', code, program);
  }

  /** Returns what the logger's clock shows, in ms. @throws CommunicationFailure */
  async clock(): Promise<number> {
    const { code, time } = await this.#link.request(CLOCK, { ...this.#security, adjustment: NO_TIME });
    return complete('its clock', code, time).timeMs;
  }

  /** Asked once: a second time it might move the clock twice. @throws CommunicationFailure */
  async moveClock(byMs: number): Promise<void> {
    const seconds = Math.trunc(byMs / 1_000);
    const adjustment = { seconds, nanoseconds: Math.round(byMs - seconds * 1_000) * 1_000_000 };
    const { code, time } = await this.#link.request(CLOCK, { ...this.#security, adjustment }, { isOnce: true });
    complete('a new time', code, time);
  }

  /** @throws CommunicationFailure */
  async tables(): Promise<Table[]> {
    const file = await this.#file(DEFINITIONS);
    return readable('table definitions', () => decodeTableDefinitions(file));
  }

  async #file(name: string): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    // All parts are one transaction, which loggers insist on.
    const transaction = this.#link.newTransaction();
    for (let offset = 0; offset <= DEFINITIONS_BYTES_MAX && parts.length < PARTS_MAX; ) {
      const command = { ...this.#security, name, isLast: false, offset, bytes: SWATH_BYTES };
      const isAnswer = (answer: { code: number; offset: number }) =>
        answer.code !== COMPLETE || answer.offset === offset;
      const { code, data } = await this.#link.request(READ_FILE, command, { transaction, isAnswer });
      complete('its tables', code, data);
      if (data.length === 0) return Buffer.concat(parts);
      parts.push(data);
      offset += data.length;
    }
    throw new CommunicationFailure(
      `table definitions of the logger have more than ${DEFINITIONS_BYTES_MAX / 1024} KiB or ${PARTS_MAX} parts: a smaller program comes through`,
    );
  }

  /**
   * Returns some of the records that are wanted, in their order, from the first one on.
   * @throws TablesChanged, CommunicationFailure
   */
  async records(table: Table, layout: RecordLayout, selection: Selection): Promise<readonly LoggerRecord[]> {
    const { records, fragment } = await this.#collect(table, layout, selection);
    if (!fragment) return records;
    const { number } = fragment;
    let bytes = Buffer.from(fragment.bytes);
    while (bytes.length < layout.sizeBytes) {
      const rest: Selection = { mode: 'fragment', number, offset: bytes.length };
      const { fragment: next } = await this.#collect(table, layout, rest);
      if (!next || next.number !== number || next.offset !== bytes.length || next.bytes.length === 0) {
        throw new CommunicationFailure(`logger sent no whole record of table ${table.name}`);
      }
      bytes = Buffer.concat([bytes, next.bytes]);
    }
    return [...records, readable('record', () => layout.record(number, bytes))];
  }

  async #collect({ number: table, signature, name }: Table, layout: RecordLayout, selection: Selection) {
    const command = { ...this.#security, table, signature, selection };
    const { code, records } = await this.#link.request(COLLECT, command);
    if (code === OTHER_DEFINITION) throw new TablesChanged();
    complete(`records of table ${name}`, code, records);
    return readable(`table ${name}`, () => layout.collected(records));
  }
}

/** @throws CommunicationFailure when a command was not obeyed */
function complete<T>(what: string, code: number, content: T | undefined): T {
  if (code === DENIED) throw new CommunicationFailure(`logger refused ${what}: the security code is wrong`);
  if (code !== COMPLETE || content === undefined) {
    throw new CommunicationFailure(`logger refused ${what} with code ${code}`);
  }
  return content;
}

function readable<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof PakBusError)) throw error;
    throw new CommunicationFailure(`${what} of the logger cannot be read: ${error.message}`, { cause: error });
  }
}
