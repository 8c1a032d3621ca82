/** The bytes that came are not what the protocol says. The message names what is wrong, without what was sent. */
export class PakBusError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PakBusError';
  }
}

const TEXT_BYTES_MAX = 2_048;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Texts are UTF-8; loggers that know it not have one byte a character. */
function textOf(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

/** Reads values one after the other. @throws PakBusError past the end */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get at(): number {
    return this.#at;
  }
  get left(): number {
    return this.#bytes.length - this.#at;
  }

  bytes(length: number): Buffer {
    if (length > this.left) throw new PakBusError('message is too short');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
  rest(): Buffer {
    return this.bytes(this.left);
  }
  uint1(): number {
    return this.bytes(1).readUInt8();
  }
  uint2(): number {
    return this.bytes(2).readUInt16BE();
  }
  uint4(): number {
    return this.bytes(4).readUInt32BE();
  }
  int4(): number {
    return this.bytes(4).readInt32BE();
  }
  /** Ends with a 0 (ASCIIZ). */
  text(): string {
    const end = this.#bytes.indexOf(0, this.#at);
    if (end < 0 || end - this.#at > TEXT_BYTES_MAX) throw new PakBusError('text has no end');
    const bytes = this.bytes(end - this.#at);
    this.#at++;
    return textOf(bytes);
  }
  /** Reads a text of a fixed length, filled up with 0 (ASCII). */
  fixedText(length: number): string {
    const bytes = this.bytes(length);
    const end = bytes.indexOf(0);
    return textOf(end < 0 ? bytes : bytes.subarray(0, end));
  }
}

/** Writes values one after the other. */
export class ByteWriter {
  readonly #parts: Buffer[] = [];

  #add(length: number, write: (buffer: Buffer) => unknown): this {
    const part = Buffer.alloc(length);
    write(part);
    this.#parts.push(part);
    return this;
  }

  bytes(bytes: Uint8Array): this {
    return this.#add(bytes.length, (part) => part.set(bytes));
  }
  uint1(value: number): this {
    return this.#add(1, (part) => part.writeUInt8(value));
  }
  uint2(value: number): this {
    return this.#add(2, (part) => part.writeUInt16BE(value));
  }
  uint4(value: number): this {
    return this.#add(4, (part) => part.writeUInt32BE(value));
  }
  int4(value: number): this {
    return this.#add(4, (part) => part.writeInt32BE(value));
  }
  text(value: string): this {
    return this.bytes(Buffer.from(`${value}\0`));
  }
  done(): Buffer {
    return Buffer.concat(this.#parts);
  }
}
