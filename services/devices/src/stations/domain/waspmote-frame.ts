import { COLUMNS_MAX } from '@catchment/ids';
import { DAY_MS, daysFromCivil } from '@catchment/time';
import {
  isTag,
  readValue,
  type StationMessage,
  type StationReader,
  StationRefusal,
  type StationTime,
  type StationValue,
} from './station-message.ts';
import { type FieldType, SENSORS } from './waspmote-sensors.ts';

const START = Buffer.from('<=>');
const HASH = 0x23;
/** The library of Waspmote makes frames of 255 bytes at the most. */
const MAX_FRAME = 1_024;
/** Frames may have this much between them, such as line ends. */
const MAX_GAP = 64;
/** An ASCII frame has this many separators before its fields. */
const HEADER_HASHES = 4;
const ENCRYPTED: ReadonlySet<number> = new Set([96, 97, 98, 99, 100, 101]);
const ASCII = 128;

/** Reads frames of Waspmote (docs/reference/iot.md#waspmote), ASCII and binary, one after another. */
export class WaspmoteReader implements StationReader {
  #bytes: Buffer = Buffer.alloc(0);

  get pendingBytes(): number {
    return this.#bytes.length;
  }

  *read(bytes: Buffer): Generator<StationMessage> {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
    for (let frame = this.#next(); frame; frame = this.#next()) yield readFrame(frame);
  }

  end(): readonly StationMessage[] {
    if (this.#bytes.indexOf(START) >= 0) throw new StationRefusal('the last frame is not complete');
    return [];
  }

  #next(): Buffer | undefined {
    const start = this.#bytes.indexOf(START);
    if (start > MAX_GAP || (start < 0 && this.#bytes.length > MAX_GAP))
      throw new StationRefusal('these are no frames of Waspmote: they begin with <=>');
    if (start < 0) return undefined;
    this.#bytes = this.#bytes.subarray(start);
    const length = lengthOf(this.#bytes);
    if (length === undefined || length > this.#bytes.length) {
      if (this.#bytes.length > MAX_FRAME) throw new StationRefusal(`a frame has more than ${MAX_FRAME} bytes`);
      return undefined;
    }
    const frame = this.#bytes.subarray(0, length);
    this.#bytes = Buffer.from(this.#bytes.subarray(length));
    return frame;
  }
}

/** Returns the length of the first frame; undefined: it cannot be known yet. */
function lengthOf(bytes: Buffer): number | undefined {
  const [type, count] = [bytes[3], bytes[4]];
  if (type === undefined || count === undefined) return undefined;
  if (type < ASCII) return 5 + count;
  let at = 4;
  for (let hashes = 0; hashes < HEADER_HASHES + count; hashes += 1) {
    at = bytes.indexOf(HASH, at + 1);
    if (at < 0) return undefined;
  }
  return at + 1;
}

/** @throws StationRefusal */
function readFrame(frame: Buffer): StationMessage {
  const type = frame.readUInt8(3);
  if (ENCRYPTED.has(type & 0x7f)) throw new StationRefusal('the frame is encrypted, which is not supported');
  return type >= ASCII ? readAscii(frame) : readBinary(frame, type);
}

type Field = { readonly tag: string; readonly values: readonly StationValue[] };

function readAscii(frame: Buffer): StationMessage {
  if (frame[5] !== HASH) throw new StationRefusal('the header of an ASCII frame is damaged');
  const parts = frame.toString('utf8', 6, frame.length - 1).split('#');
  const [serial = '', id = '', , ...fields] = parts;
  return messageOf(
    id,
    serial,
    fields.map((text): Field => {
      const colon = text.indexOf(':');
      const tag = text.slice(0, colon);
      if (colon < 0 || !isTag(tag)) throw new StationRefusal(`a field of the frame is damaged: ${text.slice(0, 40)}`);
      const given = text.slice(colon + 1);
      if (tag === 'DATE' || tag === 'TIME' || tag === 'STR') return { tag, values: [given.slice(0, 1_000)] };
      return { tag, values: given.split(';').map((value) => readValue(value) ?? '') };
    }),
  );
}

function readBinary(frame: Buffer, type: number): StationMessage {
  if (type !== 0 && type !== 6)
    throw new StationRefusal(`binary frames of type ${type} do not say the version of their mote: send ASCII frames`);
  const version = type === 0 ? 12 : 15;
  const serialEnd = version === 12 ? 9 : 13;
  const idEnd = frame.indexOf(HASH, serialEnd);
  if (idEnd < 0 || idEnd + 1 >= frame.length) throw new StationRefusal('the header of a binary frame is damaged');
  const serial = version === 12 ? String(frame.readUInt32BE(5)) : frame.toString('hex', 5, 13).toUpperCase();
  const fields: Field[] = [];
  for (let at = idEnd + 2; at < frame.length; ) {
    const sensor = SENSORS[version].get(frame.readUInt8(at));
    // The length of an unknown sensor cannot be known, so neither where the next one begins.
    if (!sensor) throw new StationRefusal(`sensor ${frame.readUInt8(at)} is not known: send ASCII frames`);
    at += 1;
    const values: StationValue[] = [];
    for (let n = 0; n < sensor.fields; n += 1) {
      const field = readField(frame, at, sensor.type);
      values.push(field.value);
      at = field.end;
    }
    const { tag } = sensor;
    fields.push(tag === 'DATE' || tag === 'TIME' ? { tag, values: [values.join('-')] } : { tag, values });
  }
  return messageOf(frame.toString('utf8', serialEnd, idEnd), serial, fields);
}

function readField(frame: Buffer, at: number, type: FieldType): { readonly value: StationValue; readonly end: number } {
  try {
    switch (type) {
      case 'UINT8':
        return { value: frame.readUInt8(at), end: at + 1 };
      case 'INT16':
        return { value: frame.readInt16LE(at), end: at + 2 };
      case 'UINT32':
        return { value: frame.readUInt32LE(at), end: at + 4 };
      case 'FLOAT32':
        // The value has as many digits as the mote knew.
        return { value: Number(frame.readFloatLE(at).toPrecision(7)), end: at + 4 };
      case 'TEXT': {
        const end = at + 1 + frame.readUInt8(at);
        if (end > frame.length) throw new RangeError();
        return { value: frame.toString('utf8', at + 1, end), end };
      }
    }
  } catch {
    throw new StationRefusal('a field of the frame is cut off');
  }
}

/** Parts of what has several values have these names; other parts have numbers. */
const PARTS: Readonly<Record<string, readonly string[]>> = { GPS: ['latitude', 'longitude'], ACC: ['x', 'y', 'z'] };

function messageOf(id: string, serial: string, fields: readonly Field[]): StationMessage {
  const sites = [id, serial].map((site) => site.trim()).filter(isTag);
  if (sites.length === 0) throw new StationRefusal('the frame has neither an identifier nor a serial number');
  const values = new Map<string, StationValue>();
  const clock = new Map<string, StationValue>();
  for (const { tag, values: given } of fields) {
    const [first] = given;
    if (tag === 'TST' || tag === 'DATE' || tag === 'TIME') {
      if (first !== undefined) clock.set(tag, first);
      continue;
    }
    for (const [n, value] of given.entries()) {
      if (value === '' || (typeof value === 'number' && !Number.isFinite(value))) continue;
      const name = given.length === 1 ? tag : `${tag}.${PARTS[tag]?.[n] ?? n + 1}`;
      if (values.size < COLUMNS_MAX) values.set(name, value);
    }
  }
  return { sites, records: [{ time: timeOf(clock), values }] };
}

/** `TST` is Unix time; `DATE` and `TIME` are those of the mote's clock, with its distance to UTC where the mote knows it. */
function timeOf(clock: ReadonlyMap<string, StationValue>): StationTime {
  const stamp = clock.get('TST');
  if (typeof stamp === 'number' && stamp > 0) return { instantMs: stamp * 1_000 };
  const date = /^(\d{1,2})-(\d{1,2})-(\d{1,2})$/.exec(String(clock.get('DATE') ?? ''));
  const time = /^(\d{1,2})-(\d{1,2})-(\d{1,2})(?:([+-]\d{1,2}))?$/.exec(String(clock.get('TIME') ?? ''));
  if (!date || !time) return undefined;
  const [year, month, day] = date.slice(1).map(Number) as [number, number, number];
  const [hour, minute, second] = time.slice(1, 4).map(Number) as [number, number, number];
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 59) return undefined;
  const localMs = daysFromCivil(2000 + year, month, day) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1_000;
  const [, , , , offset] = time;
  return offset === undefined ? { localMs } : { instantMs: localMs - Number(offset) * 3_600_000 };
}
