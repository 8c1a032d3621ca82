import { crc32, deflateRawSync } from 'node:zlib';

/** A member says what is wrong with it. */
export type ZipEntry =
  | string
  | Buffer
  | {
      readonly data: string | Buffer;
      readonly isStored?: boolean;
      readonly isEncrypted?: boolean;
      readonly method?: number;
      /** The directory of the archive has this value, right or wrong. */
      readonly crc?: number;
      readonly size?: number;
    };

const ENCRYPTED = 1;
const DEFLATE = 8;

/** Makes a zip archive by hand, right or wrong. */
export function zipOf(members: Readonly<Record<string, ZipEntry>>): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, given] of Object.entries(members)) {
    const entry = typeof given === 'string' || Buffer.isBuffer(given) ? { data: given } : given;
    const data = Buffer.from(entry.data);
    const packed = entry.isStored ? data : deflateRawSync(data, { level: 1 });
    const name = Buffer.from(path);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(entry.isEncrypted ? ENCRYPTED : 0, 2);
    facts.writeUInt16LE(entry.method ?? (entry.isStored ? 0 : DEFLATE), 4);
    facts.writeUInt32LE(entry.crc ?? crc32(data), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(entry.size ?? data.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), facts, name, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), facts, rest, name]));
    files.push(file);
    offset += file.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, entries, Buffer.from('PK\x05\x06'), end]);
}
