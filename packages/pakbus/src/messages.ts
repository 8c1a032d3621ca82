import { ByteReader, ByteWriter } from './bytes.ts';
import {
  dataType,
  type LoggerTime,
  type Nanoseconds,
  nanosecondsOf,
  readValue,
  timeOf,
  type Value,
  valueBytes,
} from './data-types.ts';
import { PROTOCOL } from './packet.ts';

/** A command and its response (BMP5 Transparent Commands 2.2, 2.3): a response has the type of the command and bit 7. */
export type Kind<C, R> = {
  readonly protocol: number;
  readonly type: number;
  encodeCommand(command: C): Uint8Array;
  /** @throws PakBusError */
  decodeCommand(body: Uint8Array): C;
  encodeResponse(response: R): Uint8Array;
  /** @throws PakBusError */
  decodeResponse(body: Uint8Array): R;
};
const RESPONSE = 0x80;
export const responseType = (type: number): number => type | RESPONSE;

/** All that a security code may forbid has this response code. */
export const DENIED = 1;
export const COMPLETE = 0;
/** Answer to a request for records: the definition of the table has changed by now. */
export const OTHER_DEFINITION = 7;
export const NO_SUCH_VALUE = 0x10;

/** Messages without a response. */
export const ONE_WAY = { failure: 0x81, helloRequest: 0x0e, bye: 0x0d, pleaseWait: 0xa1 } as const;

export type Secured = { readonly securityCode: number };
export type Outcome = { readonly code: number };

export type Hello = { readonly isRouter: boolean; readonly hopMetric: number; readonly verifySeconds: number };
const hello = {
  encode: ({ isRouter, hopMetric, verifySeconds }: Hello) =>
    new ByteWriter()
      .uint1(isRouter ? 1 : 0)
      .uint1(hopMetric)
      .uint2(verifySeconds)
      .done(),
  decode: (body: Uint8Array): Hello => {
    const reader = new ByteReader(body);
    return { isRouter: reader.uint1() !== 0, hopMetric: reader.uint1(), verifySeconds: reader.uint2() };
  },
};
export const HELLO: Kind<Hello, Hello> = {
  protocol: PROTOCOL.control,
  type: 0x09,
  encodeCommand: hello.encode,
  decodeCommand: hello.decode,
  encodeResponse: hello.encode,
  decodeResponse: hello.decode,
};

const outcome = ({ code }: Outcome) => new ByteWriter().uint1(code).done();
const readOutcome = (body: Uint8Array): Outcome => ({ code: new ByteReader(body).uint1() });
const nanoseconds = (writer: ByteWriter, time: Nanoseconds) => writer.int4(time.seconds).int4(time.nanoseconds);
const readNanoseconds = (reader: ByteReader): Nanoseconds => ({ seconds: reader.int4(), nanoseconds: reader.int4() });

/** Reads the clock, after moving it by the adjustment: `time` is what it showed before. */
export const CLOCK: Kind<Secured & { readonly adjustment: Nanoseconds }, Outcome & { readonly time?: LoggerTime }> = {
  protocol: PROTOCOL.bmp5,
  type: 0x17,
  encodeCommand: ({ securityCode, adjustment }) => nanoseconds(new ByteWriter().uint2(securityCode), adjustment).done(),
  decodeCommand: (body) => {
    const reader = new ByteReader(body);
    return { securityCode: reader.uint2(), adjustment: readNanoseconds(reader) };
  },
  encodeResponse: ({ code, time }) => {
    const writer = new ByteWriter().uint1(code);
    return (time ? nanoseconds(writer, nanosecondsOf(time)) : writer).done();
  },
  decodeResponse: (body) => {
    const reader = new ByteReader(body);
    const code = reader.uint1();
    return { code, ...(code === COMPLETE && { time: timeOf(readNanoseconds(reader)) }) };
  },
};

export type Program = {
  /** Operating system, such as `CR1000.Std.24`. */
  readonly osVersion: string;
  readonly osSignature: number;
  readonly serialNumber: string;
  readonly powerUpProgram: string;
  /** 0 none, 1 running, 2 cannot be compiled, 3 paused. */
  readonly state: number;
  readonly name: string;
  readonly signature: number;
  readonly compiled: LoggerTime;
  readonly result: string;
};
export const PROGRAM: Kind<Secured, Outcome & { readonly program?: Program }> = {
  protocol: PROTOCOL.bmp5,
  type: 0x18,
  encodeCommand: ({ securityCode }) => new ByteWriter().uint2(securityCode).done(),
  decodeCommand: (body) => ({ securityCode: new ByteReader(body).uint2() }),
  encodeResponse: ({ code, program }) => {
    const writer = new ByteWriter().uint1(code);
    if (!program) return writer.done();
    writer.text(program.osVersion).uint2(program.osSignature).text(program.serialNumber).text(program.powerUpProgram);
    writer.uint1(program.state).text(program.name).uint2(program.signature);
    return nanoseconds(writer, nanosecondsOf(program.compiled)).text(program.result).done();
  },
  decodeResponse: (body) => {
    const reader = new ByteReader(body);
    const code = reader.uint1();
    if (code !== COMPLETE) return { code };
    const [osVersion, osSignature, serialNumber] = [reader.text(), reader.uint2(), reader.text()];
    const [powerUpProgram, state, name] = [reader.text(), reader.uint1(), reader.text()];
    const [signature, compiled, result] = [reader.uint2(), timeOf(readNanoseconds(reader)), reader.text()];
    const program = { osVersion, osSignature, serialNumber, powerUpProgram, state, name, signature, compiled, result };
    return { code, program };
  },
};

/** Reads a file of the logger. All requests for one file are one transaction. */
export const READ_FILE: Kind<
  Secured & { readonly name: string; readonly isLast: boolean; readonly offset: number; readonly bytes: number },
  Outcome & { readonly offset: number; readonly data: Uint8Array }
> = {
  protocol: PROTOCOL.bmp5,
  type: 0x1d,
  encodeCommand: ({ securityCode, name, isLast, offset, bytes }) =>
    new ByteWriter()
      .uint2(securityCode)
      .text(name)
      .uint1(isLast ? 1 : 0)
      .uint4(offset)
      .uint2(bytes)
      .done(),
  decodeCommand: (body) => {
    const reader = new ByteReader(body);
    const [securityCode, name, isLast] = [reader.uint2(), reader.text(), reader.uint1() !== 0];
    return { securityCode, name, isLast, offset: reader.uint4(), bytes: reader.uint2() };
  },
  encodeResponse: ({ code, offset, data }) => new ByteWriter().uint1(code).uint4(offset).bytes(data).done(),
  decodeResponse: (body) => {
    const reader = new ByteReader(body);
    const code = reader.uint1();
    // A refusal may be its code alone.
    return { code, offset: reader.left >= 4 ? reader.uint4() : 0, data: reader.rest() };
  },
};

/** The selection says which records: numbers are those of records, times are the logger's. */
export type Selection =
  | { readonly mode: 'all' }
  | { readonly mode: 'newest'; readonly count: number }
  /** `to` is left out. */
  | { readonly mode: 'numbers'; readonly from: number; readonly to: number }
  | { readonly mode: 'times'; readonly from: LoggerTime; readonly to: LoggerTime }
  /** This asks for the rest of a record that fits into no packet. */
  | { readonly mode: 'fragment'; readonly number: number; readonly offset: number };
const MODE = { all: 3, onwards: 4, newest: 5, numbers: 6, times: 7, fragment: 8 } as const;

export type Collect = Secured & {
  readonly table: number;
  readonly signature: number;
  readonly selection: Selection;
};

/** A record has at most this number. */
const NUMBER_MAX = 0x7fff_ffff;

function writeSelection(writer: ByteWriter, selection: Selection): void {
  if (selection.mode === 'newest') writer.uint4(selection.count);
  else if (selection.mode === 'numbers') writer.uint4(selection.from).uint4(selection.to);
  else if (selection.mode === 'fragment') writer.uint4(selection.number).uint4(selection.offset);
  else if (selection.mode === 'times') {
    nanoseconds(writer, nanosecondsOf(selection.from));
    nanoseconds(writer, nanosecondsOf(selection.to));
  }
}

function readSelection(reader: ByteReader, mode: number): Selection {
  if (mode === MODE.onwards) return { mode: 'numbers', from: reader.uint4(), to: NUMBER_MAX };
  if (mode === MODE.newest) return { mode: 'newest', count: reader.uint4() };
  if (mode === MODE.numbers) return { mode: 'numbers', from: reader.uint4(), to: reader.uint4() };
  if (mode === MODE.fragment) return { mode: 'fragment', number: reader.uint4(), offset: reader.uint4() };
  if (mode !== MODE.times) return { mode: 'all' };
  return { mode: 'times', from: timeOf(readNanoseconds(reader)), to: timeOf(readNanoseconds(reader)) };
}

/** Asks for records of a table, with all of its fields. A RecordLayout reads `records`. */
export const COLLECT: Kind<Collect, Outcome & { readonly records: Uint8Array }> = {
  protocol: PROTOCOL.bmp5,
  type: 0x09,
  encodeCommand: ({ securityCode, table, signature, selection }) => {
    const writer = new ByteWriter().uint2(securityCode).uint1(MODE[selection.mode]).uint2(table).uint2(signature);
    writeSelection(writer, selection);
    // An empty list of fields, which ends here, means all.
    return writer.uint2(0).done();
  },
  decodeCommand: (body) => {
    const reader = new ByteReader(body);
    const [securityCode, mode, table, signature] = [reader.uint2(), reader.uint1(), reader.uint2(), reader.uint2()];
    return { securityCode, table, signature, selection: readSelection(reader, mode) };
  },
  encodeResponse: ({ code, records }) => new ByteWriter().uint1(code).bytes(records).done(),
  decodeResponse: (body) => {
    const reader = new ByteReader(body);
    return { code: reader.uint1(), records: reader.rest() };
  },
};

type SetValue = Secured & {
  readonly table: string;
  /** The name has an index where the field is an array. */
  readonly field: string;
  /** Code of a data type. */
  readonly type: number;
  readonly value: Exclude<Value, undefined>;
};
/** Sets one value of a table. */
export const SET_VALUE: Kind<SetValue, Outcome> = {
  protocol: PROTOCOL.bmp5,
  type: 0x1b,
  encodeCommand: ({ securityCode, table, field, type, value }) =>
    new ByteWriter()
      .uint2(securityCode)
      .text(table)
      .uint1(type)
      .text(field)
      .uint2(1)
      .bytes(valueBytes(value, dataType(type)!))
      .done(),
  decodeCommand: (body) => {
    const reader = new ByteReader(body);
    const [securityCode, table, type, field] = [reader.uint2(), reader.text(), reader.uint1(), reader.text()];
    reader.uint2();
    const value = readValue(reader, dataType(type)!, 1) ?? Number.NaN;
    return { securityCode, table, field, type, value };
  },
  encodeResponse: outcome,
  decodeResponse: readOutcome,
};

type GetValues = Secured & {
  readonly table: string;
  /** The name has an index where the field is an array. */
  readonly field: string;
  /** The values are wanted in the data type of this code. */
  readonly type: number;
  readonly count: number;
};
/** Reads values of a table as they are now. */
export const GET_VALUES: Kind<GetValues, Outcome & { readonly values: Uint8Array }> = {
  protocol: PROTOCOL.bmp5,
  type: 0x1a,
  encodeCommand: ({ securityCode, table, type, field, count }) =>
    new ByteWriter().uint2(securityCode).text(table).uint1(type).text(field).uint2(count).done(),
  decodeCommand: (body) => {
    const reader = new ByteReader(body);
    const [securityCode, table, type, field] = [reader.uint2(), reader.text(), reader.uint1(), reader.text()];
    return { securityCode, table, type, field, count: reader.uint2() };
  },
  encodeResponse: ({ code, values }) => new ByteWriter().uint1(code).bytes(values).done(),
  decodeResponse: (body) => {
    const reader = new ByteReader(body);
    return { code: reader.uint1(), values: reader.rest() };
  },
};

export type Failure = { readonly code: number; readonly protocol: number; readonly to: number; readonly from: number };
/**
 * A failure comes instead of a response when a packet cannot be delivered or understood; `to` and `from` are those of
 * the packet.
 */
export const FAILURE = {
  unknownCommand: 4,
  encode: ({ code, protocol, to, from }: Failure) =>
    new ByteWriter()
      .uint1(code)
      .uint2((protocol << 12) | to)
      .uint2(from)
      .done(),
  decode: (body: Uint8Array): Failure => {
    const reader = new ByteReader(body);
    const [code, destination, source] = [reader.uint1(), reader.uint2(), reader.uint2()];
    return { code, protocol: destination >> 12, to: destination & 0xfff, from: source & 0xfff };
  },
};
const FAILURES: Readonly<Record<number, string>> = {
  1: 'logger cannot be reached',
  2: 'logger does not speak BMP5',
  3: 'logger or a router before it is busy',
  4: 'logger does not know the command',
  5: 'logger did not understand the command',
  6: 'link to the logger failed',
};
/** Describes a delivery failure (BMP5 Transparent Commands 2.2.1). */
export const failureText = (code: number): string => FAILURES[code] ?? `delivery failed with code ${code}`;

/** The response to a command needs its time. */
export const PLEASE_WAIT = {
  encode: ({ type, seconds }: { type: number; seconds: number }) => new ByteWriter().uint1(type).uint2(seconds).done(),
  decode: (body: Uint8Array) => {
    const reader = new ByteReader(body);
    return { type: reader.uint1(), seconds: reader.uint2() };
  },
};
