import { PakBusError } from '../bytes.ts';
import { dataType, type LoggerTime, timeOf, valueBytes } from '../data-types.ts';
import { Deframer, frame } from '../framing.ts';
import {
  CLOCK,
  COLLECT,
  COMPLETE,
  type Collect,
  DENIED,
  FAILURE,
  GET_VALUES,
  HELLO,
  NO_SUCH_VALUE,
  ONE_WAY,
  OTHER_DEFINITION,
  PROGRAM,
  READ_FILE,
  responseType,
  SET_VALUE,
  type Secured,
  type Selection,
} from '../messages.ts';
import { decodePacket, EXPECT, encodePacket, LINK_STATE, type Message, type Packet, PROTOCOL } from '../packet.ts';
import { type PublicTable, SimulatedTables, type TableContent } from './simulated-table.ts';

export type SimulatedLoggerOptions = {
  readonly address: number;
  /** The address of the router in front of the logger; packets for the logger go through it. */
  readonly routerAddress?: number;
  /** 0: none. */
  readonly securityCode?: number;
  /** `CR1000.Std.24`. */
  readonly osVersion?: string;
  readonly program?: string;
  readonly serialNumber?: string;
  readonly tables: readonly (TableContent | PublicTable)[];
  /** Unix ms. */
  readonly now: () => number;
  /** The logger's clock shows this beyond UTC: its zone, and its error. */
  readonly clockOffsetMs?: number;
  /** Most record bytes a packet. */
  readonly packetBytes?: number;
};

const FILE_NOT_FOUND = 0x0d;
/** A packet has room for this many bytes. A client that asks for as many takes fewer bytes for the end of the file. */
const FILE_BYTES_MAX = 993;
const NO_DATA = new Uint8Array();
const BLOCK_RECORDS = 100;

const ONE_WAYS: ReadonlySet<number> = new Set(Object.values(ONE_WAY));

/** Makes the answer of a logger to a command that it does not know. */
function undelivered({ protocol, to, from }: Packet) {
  const body = FAILURE.encode({ code: FAILURE.unknownCommand, protocol, to: to.node, from: from.node });
  return { protocol: PROTOCOL.control, message: { type: ONE_WAY.failure, transaction: 0, body } };
}

/** A Campbell logger at the end of a line: bytes come, bytes go. */
export class SimulatedLogger {
  readonly #options: Required<Omit<SimulatedLoggerOptions, 'routerAddress'>> & { readonly routerAddress: number };
  #tables: SimulatedTables;
  #offsetMs: number;

  constructor(options: SimulatedLoggerOptions) {
    this.#options = {
      routerAddress: options.address,
      securityCode: 0,
      osVersion: 'CR1000.Std.24',
      program: 'CPU:Station.CR1',
      serialNumber: '1001',
      clockOffsetMs: 0,
      packetBytes: 512,
      ...options,
    };
    this.#tables = new SimulatedTables(options.tables);
    this.#offsetMs = this.#options.clockOffsetMs;
  }

  /** Returns what the logger's clock shows, in ms. */
  get clockMs(): number {
    return this.#options.now() + this.#offsetMs;
  }

  /** The clock shows another time from now on; records get it. */
  moveClock(byMs: number): void {
    this.#offsetMs += byMs;
  }

  /** Loads another program: other tables, and whatever was recorded is gone. */
  load(tables: readonly (TableContent | PublicTable)[]): void {
    this.#tables = new SimulatedTables(tables);
  }

  /** One line to the logger. @returns takes bytes, and gives the frames that the logger answers with */
  line(): (bytes: Uint8Array) => Uint8Array[] {
    const deframer = new Deframer();
    return (bytes) =>
      deframer.push(bytes).flatMap((packet) => {
        try {
          const answer = this.#answer(decodePacket(packet));
          return answer ? [frame(encodePacket(answer))] : [];
        } catch (error) {
          if (error instanceof PakBusError) return [];
          throw error;
        }
      });
  }

  #answer(packet: Packet): Packet | undefined {
    const { address, routerAddress } = this.#options;
    if (packet.to.neighbour !== routerAddress || (packet.message && packet.to.node !== address)) return undefined;
    const back = { to: packet.from, from: packet.to, expect: EXPECT.neutral, hops: 0 };
    if (!packet.message) {
      const isRing = packet.linkState === LINK_STATE.ring;
      return isRing
        ? { ...back, expect: EXPECT.last, linkState: LINK_STATE.ready, protocol: PROTOCOL.control }
        : undefined;
    }
    const { protocol, message: command } = packet;
    if (protocol === PROTOCOL.control && ONE_WAYS.has(command.type)) return undefined;
    const body = this.#respond(protocol, command);
    if (!body) return { ...back, linkState: LINK_STATE.ready, ...undelivered(packet) };
    const message = { type: responseType(command.type), transaction: command.transaction, body };
    return { ...back, linkState: LINK_STATE.ready, protocol, message };
  }

  #respond(protocol: number, message: Message): Uint8Array | undefined {
    const is = (kind: { protocol: number; type: number }) => kind.protocol === protocol && kind.type === message.type;
    if (is(HELLO)) return HELLO.encodeResponse(HELLO.decodeCommand(message.body));
    if (is(CLOCK)) return this.#clock(message.body);
    if (is(PROGRAM)) return this.#program(message.body);
    if (is(READ_FILE)) return this.#file(message.body);
    if (is(COLLECT)) return this.#collect(COLLECT.decodeCommand(message.body));
    if (is(SET_VALUE)) return this.#set(message.body);
    if (is(GET_VALUES)) return this.#get(message.body);
    return undefined;
  }

  #isDenied({ securityCode }: Secured): boolean {
    return this.#options.securityCode !== 0 && securityCode !== this.#options.securityCode;
  }

  #clock(body: Uint8Array): Uint8Array {
    const command = CLOCK.decodeCommand(body);
    if (this.#isDenied(command)) return CLOCK.encodeResponse({ code: DENIED });
    const time = { timeMs: this.clockMs };
    const { seconds, nanoseconds } = command.adjustment;
    this.moveClock(seconds * 1_000 + nanoseconds / 1_000_000);
    return CLOCK.encodeResponse({ code: COMPLETE, time });
  }

  #program(body: Uint8Array): Uint8Array {
    if (this.#isDenied(PROGRAM.decodeCommand(body))) return PROGRAM.encodeResponse({ code: DENIED });
    const { osVersion, program: name, serialNumber } = this.#options;
    const program = {
      osVersion,
      osSignature: 0x3000,
      serialNumber,
      powerUpProgram: name,
      state: 1,
      name,
      signature: 0x0bb1,
      compiled: timeOf({ seconds: 711_020_942, nanoseconds: 0 }),
      result: `${name} -- Compiled in PipelineMode.\r\n`,
    };
    return PROGRAM.encodeResponse({ code: COMPLETE, program });
  }

  #file(body: Uint8Array): Uint8Array {
    const { name, offset, bytes, ...command } = READ_FILE.decodeCommand(body);
    const answer = (code: number, data: Uint8Array = NO_DATA) => READ_FILE.encodeResponse({ code, offset, data });
    if (this.#isDenied(command)) return answer(DENIED);
    if (!name.toUpperCase().endsWith('.TDF')) return answer(FILE_NOT_FOUND);
    return answer(COMPLETE, this.#tables.definitions.subarray(offset, offset + Math.min(bytes, FILE_BYTES_MAX)));
  }

  #collect(command: Collect): Uint8Array {
    const answer = (code: number, records: Uint8Array = NO_DATA) => COLLECT.encodeResponse({ code, records });
    if (this.#isDenied(command)) return answer(DENIED);
    const found = this.#tables.find(command.table);
    if (!found || found.table.signature !== command.signature) return answer(OTHER_DEFINITION);
    const { records, isAll } = this.#select(command.table, command.selection);
    const { selection } = command;
    const offset = selection.mode === 'fragment' && { offset: selection.offset };
    const limits = { bytes: this.#options.packetBytes, ...offset };
    return answer(COMPLETE, found.layout.encode(records, limits, isAll).body);
  }

  #select(number: number, selection: Selection) {
    const clockMs = this.clockMs;
    const { first, end } = this.#tables.kept(number, clockMs);
    const take = (from: number, to: number) => {
      const records = this.#tables.records(number, { from, to }, clockMs, BLOCK_RECORDS);
      const last = records.at(-1);
      return { records, isAll: !last || last.number + 1 >= Math.min(to, end) };
    };
    switch (selection.mode) {
      case 'all':
        return take(first, end);
      case 'newest':
        return take(Math.max(first, end - selection.count), end);
      case 'numbers':
        // Numbers go round after 32 bits: askers count back from the newest beyond 0.
        return take(selection.to - ((selection.to - selection.from) | 0), selection.to);
      case 'fragment':
        return take(selection.number, selection.number + 1);
      case 'times': {
        const from = this.#firstAt(number, first, end, selection.from);
        return take(from, this.#firstAt(number, from, end, selection.to));
      }
    }
  }

  /** Finds the number of the first record at a time or later. */
  #firstAt(number: number, first: number, end: number, { timeMs }: LoggerTime): number {
    let [low, high] = [first, end];
    while (low < high) {
      const middle = (low + high) >> 1;
      const [record] = this.#tables.records(number, { from: middle, to: middle + 1 }, this.clockMs, 1);
      if (record && record.timeMs < timeMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #get(body: Uint8Array): Uint8Array {
    const { table, field, type, ...command } = GET_VALUES.decodeCommand(body);
    const answer = (code: number, values: Uint8Array = NO_DATA) => GET_VALUES.encodeResponse({ code, values });
    if (this.#isDenied(command)) return answer(DENIED);
    if (table === 'Status' && field === 'StationName') return answer(COMPLETE, Buffer.from('Station'.padEnd(64, '\0')));
    const value = this.#tables.get(table, field);
    const wanted = dataType(type);
    return value === undefined || !wanted ? answer(NO_SUCH_VALUE) : answer(COMPLETE, valueBytes(value, wanted));
  }

  #set(body: Uint8Array): Uint8Array {
    const command = SET_VALUE.decodeCommand(body);
    if (this.#isDenied(command)) return SET_VALUE.encodeResponse({ code: DENIED });
    const isSet = this.#tables.set(command.table, command.field, Number(command.value));
    return SET_VALUE.encodeResponse({ code: isSet ? COMPLETE : NO_SUCH_VALUE });
  }
}
