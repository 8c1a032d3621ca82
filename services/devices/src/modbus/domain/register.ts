/** Nodes has checked this entry of `registers` of a source (docs/reference/sources.md#modbus). */
export type Register = {
  readonly series: string;
  readonly table: Table;
  readonly address: number;
  readonly type: RegisterType;
  readonly wordOrder: 'BIG' | 'LITTLE';
  readonly units?: string;
};

export type Table = 'HOLDING' | 'INPUT' | 'COIL' | 'DISCRETE';

/** Registers of 16 bits that a value takes, and how it is read and written there; BOOLEAN takes one, in the tables of bits one bit. */
const TYPES = {
  BOOLEAN: {
    words: 1,
    read: (bytes) => Number(bytes.readUInt16BE() !== 0),
    write: whole(0, 1, (bytes, v) => bytes.writeUInt16BE(v)),
  },
  UINT16: {
    words: 1,
    read: (bytes) => bytes.readUInt16BE(),
    write: whole(0, 0xffff, (bytes, v) => bytes.writeUInt16BE(v)),
  },
  INT16: {
    words: 1,
    read: (bytes) => bytes.readInt16BE(),
    write: whole(-0x8000, 0x7fff, (bytes, v) => bytes.writeInt16BE(v)),
  },
  UINT32: {
    words: 2,
    read: (bytes) => bytes.readUInt32BE(),
    write: whole(0, 0xffff_ffff, (bytes, v) => bytes.writeUInt32BE(v)),
  },
  INT32: {
    words: 2,
    read: (bytes) => bytes.readInt32BE(),
    write: whole(-0x8000_0000, 0x7fff_ffff, (bytes, v) => bytes.writeInt32BE(v)),
  },
  UINT64: {
    words: 4,
    read: (bytes) => Number(bytes.readBigUInt64BE()),
    write: whole(0, Number.MAX_SAFE_INTEGER, (bytes, v) => bytes.writeBigUInt64BE(BigInt(v))),
  },
  INT64: {
    words: 4,
    read: (bytes) => Number(bytes.readBigInt64BE()),
    write: whole(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, (bytes, v) => bytes.writeBigInt64BE(BigInt(v))),
  },
  FLOAT32: { words: 2, read: (bytes) => bytes.readFloatBE(), write: float32 },
  FLOAT64: { words: 4, read: (bytes) => bytes.readDoubleBE(), write: (bytes, v) => bytes.writeDoubleBE(v) },
} as const satisfies Record<string, TypeRow>;

type TypeRow = {
  readonly words: number;
  readonly read: (bytes: Buffer) => number;
  /** @throws RangeError for what does not fit */
  readonly write: (bytes: Buffer, value: number) => unknown;
};
export type RegisterType = keyof typeof TYPES;

function whole(min: number, max: number, write: (bytes: Buffer, value: number) => unknown): TypeRow['write'] {
  return (bytes, value) => {
    if (!Number.isInteger(value) || value < min || value > max)
      throw new RangeError(`must be a whole number from ${min} to ${max}`);
    write(bytes, value);
  };
}

function float32(bytes: Buffer, value: number): void {
  if (!Number.isFinite(Math.fround(value))) throw new RangeError('is too large for a FLOAT32');
  bytes.writeFloatBE(value);
}

export const isBits = (table: Table): boolean => table === 'COIL' || table === 'DISCRETE';

/** Registers, or bits, that an entry takes. */
export const widthOf = ({ table, type }: Pick<Register, 'table' | 'type'>): number =>
  isBits(table) ? 1 : TYPES[type].words;

/** Returns the value in the bytes of its registers, as they came; undefined: it is no number. */
export function valueIn(register: Register, bytes: Buffer): number | undefined {
  const value = TYPES[register.type].read(inOrder(register, bytes));
  return Number.isFinite(value) ? value : undefined;
}

/** Returns the bytes of a value's registers. @throws RangeError for what does not fit */
export function bytesOf(register: Register, value: number): Buffer {
  const bytes = Buffer.alloc(2 * widthOf(register));
  TYPES[register.type].write(bytes, value);
  return inOrder(register, bytes);
}

/** The most significant byte of a register comes first everywhere; the order of registers differs. */
function inOrder({ wordOrder }: Register, bytes: Buffer): Buffer {
  if (wordOrder === 'BIG') return bytes;
  const words = Array.from({ length: bytes.length / 2 }, (_, n) => bytes.subarray(2 * n, 2 * n + 2));
  return Buffer.concat(words.reverse());
}
