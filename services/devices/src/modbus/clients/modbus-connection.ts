import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import modbus from 'jsmodbus';
import { CommunicationFailure } from '../../acquisition/index.ts';
import type { ReadBlock } from '../domain/read-plan.ts';
import { bytesOf, isBits, type Register, valueIn, widthOf } from '../domain/register.ts';

/** One answer takes at most this: gateways to serial lines wait for their devices a second or two. */
const ANSWER_MS = 10_000;
/** An answer has 260 at the most: a device that sends more between two requests does not speak Modbus. */
const MAX_ANSWER_BYTES = 1_024;

/** The device understood a request, and refuses it. */
export class ModbusRefusal extends Error {
  readonly code: number;
  constructor(code: number) {
    super(EXCEPTIONS[code] ?? `exception ${code}`);
    this.code = code;
  }
}

/** Names of the specification. */
const EXCEPTIONS: Readonly<Record<number, string>> = {
  1: 'illegal function',
  2: 'illegal data address',
  3: 'illegal data value',
  4: 'device failure',
  5: 'acknowledged, not yet done',
  6: 'device busy',
  8: 'memory parity error',
  10: 'gateway path unavailable',
  11: 'gateway target device failed to respond',
};
/** The device behind the address is not there, or not now: other requests would fare no better. */
const AWAY: ReadonlySet<number> = new Set([6, 10, 11]);

type Body = { readonly valuesAsBuffer?: Buffer; readonly isException?: boolean };
type Answer = { readonly response: { readonly body: unknown } };

/** Sends requests of Modbus TCP over a pipe, one at a time. */
export class ModbusConnection {
  readonly #pipe: Duplex;
  readonly #client: InstanceType<typeof modbus.client.TCP>;
  #receivedBytes = 0;

  constructor(pipe: Duplex, unitId: number, answerMs = ANSWER_MS) {
    this.#pipe = pipe;
    // The library uses nothing of a socket but its events and `write`.
    this.#client = new modbus.client.TCP(pipe as Socket, unitId, answerMs);
    // It waits to hear of the connection, which is there already.
    pipe.emit('connect');
    // It would keep whatever comes until an answer can be read from it.
    pipe.on('data', (bytes: Buffer) => {
      this.#receivedBytes += bytes.length;
      if (this.#receivedBytes > MAX_ANSWER_BYTES) pipe.destroy(new Error('the device does not speak Modbus TCP'));
    });
    // A device that hangs up is heard at once.
    pipe.once('end', () => pipe.destroy());
  }

  /**
   * Returns values of the entries of a block, in their order; undefined: no number.
   * @throws ModbusRefusal; CommunicationFailure
   */
  async read({ table, start, count, registers }: ReadBlock): Promise<(number | undefined)[]> {
    const client = this.#client;
    const ask = {
      HOLDING: () => client.readHoldingRegisters(start, count),
      INPUT: () => client.readInputRegisters(start, count),
      COIL: () => client.readCoils(start, count),
      DISCRETE: () => client.readDiscreteInputs(start, count),
    }[table];
    const bytes = await this.#ask(ask);
    const needed = isBits(table) ? Math.ceil(count / 8) : 2 * count;
    if (bytes.length < needed) throw new CommunicationFailure('the device answers with too few registers');
    return registers.map((register) => {
      const at = register.address - start;
      if (isBits(table)) return ((bytes[at >> 3] ?? 0) >> (at & 7)) & 1;
      return valueIn(register, bytes.subarray(2 * at, 2 * (at + widthOf(register))));
    });
  }

  /** @throws RangeError for a value that does not fit; ModbusRefusal; CommunicationFailure */
  async write(register: Register, value: number): Promise<void> {
    const { table, address } = register;
    if (isBits(table)) {
      if (value !== 0 && value !== 1) throw new RangeError('must be 0 or 1');
      await this.#ask(() => this.#client.writeSingleCoil(address, value === 1));
      return;
    }
    const bytes = bytesOf(register, value);
    if (bytes.length === 2) await this.#ask(() => this.#client.writeSingleRegister(address, bytes.readUInt16BE()));
    else await this.#ask(() => this.#client.writeMultipleRegisters(address, bytes));
  }

  async #ask(ask: () => Promise<Answer>): Promise<Buffer> {
    if (this.#pipe.destroyed) throw new CommunicationFailure(this.#reason('connection closed by the device'));
    this.#receivedBytes = 0;
    let answer: Answer;
    try {
      answer = await ask();
    } catch (error) {
      throw this.#failure(error);
    }
    return (answer.response.body as Body).valuesAsBuffer ?? Buffer.alloc(0);
  }

  #failure(error: unknown): Error {
    if (!modbus.errors || typeof error !== 'object' || error === null || !('err' in error)) return error as Error;
    const { err, message, response } = error as {
      err: string;
      message: string;
      response?: { body: { code?: number } };
    };
    switch (err) {
      case 'ModbusException': {
        const code = response?.body.code ?? 0;
        const refusal = new ModbusRefusal(code);
        return AWAY.has(code) ? new CommunicationFailure(refusal.message) : refusal;
      }
      case 'Timeout':
        return new CommunicationFailure('no answer from the device');
      case 'Offline':
        return new CommunicationFailure(this.#reason('connection closed by the device'));
      default:
        return new CommunicationFailure(`wrong answer from the device: ${message}`);
    }
  }

  #reason(otherwise: string): string {
    return this.#pipe.errored?.message ?? otherwise;
  }
}
