import { type ByteReader, PakBusError } from './bytes.ts';

/** A logger's time is ms since 1970 of its own clock, as if that were UTC. */
export type LoggerTime = { readonly timeMs: number };
/** undefined: the logger has no number (NAN, INF). */
export type Value = number | boolean | string | LoggerTime | undefined;

export type Family = 'NUMBER' | 'BOOLEAN' | 'TEXT' | 'TIME';

export type DataType = {
  readonly code: number;
  readonly name: string;
  /** A value has this size, or each character of a text. */
  readonly sizeBytes: number;
  /** Absent: how large it is is known, what it means is not. */
  readonly as?: {
    readonly family: Family;
    read(bytes: Buffer): Value;
    /** Into bytes of its size. */
    write(value: Exclude<Value, undefined>, bytes: Buffer): void;
  };
};

/** Loggers count from 1990. */
const EPOCH_MS = Date.UTC(1990, 0, 1);
const NS_PER_MS = 1_000_000;

export type Nanoseconds = { readonly seconds: number; readonly nanoseconds: number };
/** Small loggers leave something else where the nanoseconds should be. */
export const timeOf = ({ seconds, nanoseconds }: Nanoseconds): LoggerTime => ({
  timeMs:
    EPOCH_MS + seconds * 1_000 + (nanoseconds >= 0 && nanoseconds < 1e9 ? Math.floor(nanoseconds / NS_PER_MS) : 0),
});
export const nanosecondsOf = ({ timeMs }: LoggerTime): Nanoseconds => {
  const sinceMs = Math.round(timeMs - EPOCH_MS);
  const seconds = Math.floor(sinceMs / 1_000);
  return { seconds, nanoseconds: (sinceMs - seconds * 1_000) * NS_PER_MS };
};

const numberOf = (value: Exclude<Value, undefined>): number => {
  if (typeof value === 'object' || typeof value === 'string') throw new TypeError('must be a number');
  return Number(value);
};
const timeIn = (value: Exclude<Value, undefined>): Nanoseconds => {
  if (typeof value !== 'object') throw new TypeError('must be a time');
  return nanosecondsOf(value);
};

/** Returns the shortest decimal number that is this float of four bytes: 0.1 rather than 0.10000000149011612. */
function shortestFloat(value: number): number {
  for (const digits of [6, 7, 8]) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}
const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);

type Numeric = readonly [read: (bytes: Buffer) => number | undefined, write: (value: number, bytes: Buffer) => unknown];
const numeric = (code: number, name: string, sizeBytes: number, [read, write]: Numeric): DataType => ({
  code,
  name,
  sizeBytes,
  as: { family: 'NUMBER', read, write: (value, bytes) => write(numberOf(value), bytes) },
});
const truth = (code: number, name: string, sizeBytes: number): DataType => ({
  code,
  name,
  sizeBytes,
  as: {
    family: 'BOOLEAN',
    read: (bytes) => bytes.some((byte) => byte !== 0),
    // Loggers say -1 for true.
    write: (value, bytes) => bytes.fill(numberOf(value) === 0 ? 0 : 0xff),
  },
});
const time = (code: number, name: string, sizeBytes: number, [read, write]: Timed): DataType => ({
  code,
  name,
  sizeBytes,
  as: { family: 'TIME', read: (bytes) => timeOf(read(bytes)), write: (value, bytes) => write(timeIn(value), bytes) },
});
type Timed = readonly [read: (bytes: Buffer) => Nanoseconds, write: (time: Nanoseconds, bytes: Buffer) => unknown];

/** Sign, two bits for the decimal places, 13 bits for the digits. */
const FP2 = { nan: 0x9ffe, inf: 0x1fff, minusInf: 0x9fff, digitsMax: 7_999 } as const;
const FP2_NONE: readonly number[] = [FP2.nan, FP2.inf, FP2.minusInf];
function readFp2(bytes: Buffer): number | undefined {
  const bits = bytes.readUInt16BE();
  if (FP2_NONE.includes(bits)) return undefined;
  const digits = Number(`${bits & 0x1fff}e-${(bits >> 13) & 3}`);
  return bits & 0x8000 && digits !== 0 ? -digits : digits;
}
function writeFp2(value: number, bytes: Buffer): void {
  const size = Math.abs(value);
  const places = [3, 2, 1, 0].find((n) => Math.round(size * 10 ** n) <= FP2.digitsMax);
  const none = Number.isNaN(value) ? FP2.nan : value > 0 ? FP2.inf : FP2.minusInf;
  const bits =
    places === undefined ? none : (value < 0 ? 0x8000 : 0) | (places << 13) | Math.round(size * 10 ** places);
  bytes.writeUInt16BE(bits);
}

/** Data types of fields (BMP5 Transparent Commands, appendix A). */
const TYPES: readonly DataType[] = [
  numeric(1, 'Byte', 1, [(b) => b.readUInt8(), (v, b) => b.writeUInt8(v)]),
  numeric(2, 'UInt2', 2, [(b) => b.readUInt16BE(), (v, b) => b.writeUInt16BE(v)]),
  numeric(3, 'UInt4', 4, [(b) => b.readUInt32BE(), (v, b) => b.writeUInt32BE(v)]),
  numeric(4, 'Int1', 1, [(b) => b.readInt8(), (v, b) => b.writeInt8(v)]),
  numeric(5, 'Int2', 2, [(b) => b.readInt16BE(), (v, b) => b.writeInt16BE(v)]),
  numeric(6, 'Int4', 4, [(b) => b.readInt32BE(), (v, b) => b.writeInt32BE(v)]),
  numeric(7, 'FP2', 2, [readFp2, writeFp2]),
  numeric(9, 'IEEE4B', 4, [(b) => finite(shortestFloat(b.readFloatBE())), (v, b) => b.writeFloatBE(v)]),
  numeric(18, 'IEEE8B', 8, [(b) => finite(b.readDoubleBE()), (v, b) => b.writeDoubleBE(v)]),
  // Eight flags.
  numeric(17, 'Bool8', 1, [(b) => b.readUInt8(), (v, b) => b.writeUInt8(v)]),
  truth(10, 'Bool', 1),
  truth(27, 'Bool2', 2),
  truth(28, 'Bool4', 4),
  numeric(19, 'Short', 2, [(b) => b.readInt16LE(), (v, b) => b.writeInt16LE(v)]),
  numeric(20, 'Long', 4, [(b) => b.readInt32LE(), (v, b) => b.writeInt32LE(v)]),
  numeric(21, 'UShort', 2, [(b) => b.readUInt16LE(), (v, b) => b.writeUInt16LE(v)]),
  numeric(22, 'ULong', 4, [(b) => b.readUInt32LE(), (v, b) => b.writeUInt32LE(v)]),
  numeric(24, 'IEEE4L', 4, [(b) => finite(shortestFloat(b.readFloatLE())), (v, b) => b.writeFloatLE(v)]),
  numeric(25, 'IEEE8L', 8, [(b) => finite(b.readDoubleLE()), (v, b) => b.writeDoubleLE(v)]),
  time(12, 'Sec', 4, [
    (b) => ({ seconds: b.readInt32BE(), nanoseconds: 0 }),
    ({ seconds }, b) => b.writeInt32BE(seconds),
  ]),
  time(14, 'NSec', 8, [
    (b) => ({ seconds: b.readInt32BE(), nanoseconds: b.readInt32BE(4) }),
    ({ seconds, nanoseconds }, b) => b.writeInt32BE(nanoseconds, b.writeInt32BE(seconds)),
  ]),
  time(23, 'SecNano', 8, [
    (b) => ({ seconds: b.readInt32LE(), nanoseconds: b.readInt32LE(4) }),
    ({ seconds, nanoseconds }, b) => b.writeInt32LE(nanoseconds, b.writeInt32LE(seconds)),
  ]),
  {
    code: 11,
    name: 'ASCII',
    sizeBytes: 1,
    as: {
      family: 'TEXT',
      // Read by its length: ByteReader.fixedText.
      read: (bytes) => bytes.toString('latin1'),
      write: (value, bytes) => {
        if (typeof value !== 'string') throw new TypeError('must be a text');
        bytes.fill(0).write(value);
      },
    },
  },
  // Sizes alone are published.
  { code: 15, name: 'FP3', sizeBytes: 3 },
  { code: 8, name: 'FP4', sizeBytes: 4 },
  { code: 13, name: 'USec', sizeBytes: 6 },
];

const BY_CODE = new Map(TYPES.map((type) => [type.code, type]));
const BY_NAME = new Map(TYPES.map((type) => [type.name, type]));

/** @returns undefined for a code of which not even the size is known */
export const dataType = (code: number): DataType | undefined => BY_CODE.get(code);

export type TypeName = 'FP2' | 'IEEE4B' | 'IEEE8B' | 'Int4' | 'UInt2' | 'ULong' | 'ASCII' | 'NSec' | 'Bool' | 'Sec';
export const typeNamed = (name: string): DataType => {
  const type = BY_NAME.get(name);
  if (!type) throw new TypeError(`there is no type ${name}`);
  return type;
};

/** A value that stands alone. @param characters of a text */
export function readValue(reader: ByteReader, { as, sizeBytes }: DataType, characters: number): Value {
  if (as?.family === 'TEXT') return reader.fixedText(characters);
  const bytes = reader.bytes(sizeBytes);
  return as?.read(bytes);
}

/** @throws PakBusError for a value that the type cannot hold */
export function valueBytes(value: Value, { as, name, sizeBytes }: DataType, characters = 1): Buffer {
  const bytes = Buffer.alloc(as?.family === 'TEXT' ? characters : sizeBytes);
  try {
    if (value === undefined && as?.family === 'NUMBER') as.write(Number.NaN, bytes);
    else if (value !== undefined) as?.write(value, bytes);
    return bytes;
  } catch (cause) {
    throw new PakBusError(`value does not fit into ${name}`, { cause });
  }
}
