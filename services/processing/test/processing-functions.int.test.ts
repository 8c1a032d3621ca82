// Decoders and converters go through real runners.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readConverter } from '../src/domain/converter.ts';
import { convertFile } from '../src/usecases/convert-file.ts';
import { decodePayload } from '../src/usecases/decode-payload.ts';
import { openSandbox, START_MS } from './processing-language-harness.ts';

const { sandbox, close, logged } = openSandbox();
afterAll(close);
const never = new AbortController().signal;

const decode = async (decoder: string, payload: readonly number[] = [], fPort = 1) =>
  JSON.parse(
    await decodePayload(
      sandbox,
      { ownerId: 'o', decoder, payload: Uint8Array.from(payload), fPort, timeMs: START_MS },
      never,
    ),
  ) as unknown;
const refusal = async (work: Promise<unknown>): Promise<{ kind: string; reason: string; message: string }> =>
  work.then(
    (value) => {
      throw new Error(`was not refused: ${JSON.stringify(value)}`);
    },
    (error) => error,
  );

describe('decoders', () => {
  test.each<[what: string, code: string, expected: unknown]>([
    [
      'decodeUplink of The Things Stack and ChirpStack v4',
      `function decodeUplink(input) {
         var raw = (input.bytes[0] << 8) | input.bytes[1];
         return { data: { temperature: raw / 100, port: input.fPort, at: input.recvTime.toISOString() }, warnings: [] };
       }`,
      { temperature: 2.58, port: 7, at: new Date(START_MS).toISOString() },
    ],
    [
      'Decode of ChirpStack v3',
      'function Decode(fPort, bytes, variables) { return { sum: bytes[0] + bytes[1], fPort, variables } }',
      { sum: 3, fPort: 7, variables: {} },
    ],
    [
      'Decoder of The Things Network v2',
      'var Decoder = (bytes, port) => ({ n: bytes.length, port })',
      { n: 3, port: 7 },
    ],
    ['a function that is a constant', 'const decodeUplink = ({ bytes }) => ({ data: { n: bytes.length } })', { n: 3 }],
    [
      'an exported function',
      "'use strict'; module.exports = { decodeUplink: ({ bytes }) => ({ data: { n: bytes[0] } }) }",
      { n: 1 },
    ],
    [
      'variables that are nowhere declared',
      'function decodeUplink(i) { total = 0; for (b of i.bytes) total += b; return { data: { total } } }',
      { total: 6 },
    ],
    [
      'additions to built-in objects',
      'Array.prototype.sum = function () { return this.reduce((a, b) => a + b) }; function Decode(p, b) { return { s: b.sum() } }',
      { s: 6 },
    ],
    [
      'Buffer, of integers, floats and texts',
      `function decodeUplink(input) {
         const buffer = Buffer.from(input.bytes), out = Buffer.alloc(9);
         out.writeInt16BE(-2, 0); out.writeFloatLE(0.5, 2); out[6] = 0x41; out.writeUInt16LE(0xfffe, 7);
         return { data: { n: buffer.readUInt16BE(0), hex: buffer.toString('hex'), out: out.toString('hex'), f: out.readFloatLE(2), is: Buffer.isBuffer(out),
           text: Buffer.from('Zoë', 'utf8').length, slice: buffer.slice(1).readUInt8(0), base64: Buffer.from('AQI=', 'base64').readUInt16BE(0),
           big: String(Buffer.from('ffffffffffffffff', 'hex').readBigInt64BE(0)), concat: Buffer.concat([buffer, buffer]).length } };
       }`,
      {
        n: 258,
        hex: '010203',
        out: 'fffe0000003f41feff',
        f: 0.5,
        is: true,
        text: 4,
        slice: 2,
        base64: 258,
        big: '-1',
        concat: 6,
      },
    ],
    [
      'a Buffer that is required',
      "const { Buffer } = require('buffer'); const other = require('node:buffer').Buffer; function Decode(p, b) { return { a: Buffer.from(b).readUInt8(2), same: Buffer === other } }",
      { a: 3, same: true },
    ],
    [
      'atob, btoa, TextDecoder, TextEncoder and DataView',
      `function Decoder(bytes, port) {
         const euro = new TextDecoder('windows-1252').decode(Uint8Array.of(0x80, 0x31));
         const view = new DataView(Uint8Array.from(bytes).buffer);
         return { atob: atob('AQID').charCodeAt(2), btoa: btoa(String.fromCharCode(...bytes)), euro, utf: new TextDecoder().decode(new TextEncoder().encode('µ°')), view: view.getUint16(1) };
       }`,
      { atob: 3, btoa: 'AQID', euro: '€1', utf: 'µ°', view: 515 },
    ],
    [
      'a helper of the same name',
      'const Buffer = { from: (b) => b.length }; function atob() { return 7 } function Decode(p, b) { return { n: Buffer.from(b), a: atob() } }',
      { n: 3, a: 7 },
    ],
    ['a console', "function Decode(p, b) { console.log('x', b); return { a: 1 } }", { a: 1 }],
    ['what is no number', 'function Decode() { return { a: NaN, b: undefined, c: true } }', { a: null, c: true }],
    [
      'the clock stands at the time of the uplink',
      'function Decode() { return { now: Date.now() } }',
      { now: START_MS },
    ],
  ])('%s', async (_what, code, expected) => {
    expect(await decode(code, [1, 2, 3], 7)).toEqual(expected);
  });

  test('nothing of a call is left for the next one', async () => {
    const code = 'var n = (globalThis.n || 0) + 1; function Decode() { return { n } }';
    expect(await decode(code)).toEqual({ n: 1 });
    expect(await decode(code)).toEqual({ n: 1 });
  });

  test.each<[what: string, code: string, message: string | RegExp]>([
    ['its errors', "function decodeUplink() { return { errors: ['unknown port', 'x'] } }", 'decoder: unknown port; x'],
    [
      'what it throws, with the line',
      "function Decode() {\n  throw new Error('too short');\n}",
      'decoder: too short (line 2)',
    ],
    ['what is no JavaScript', 'function Decode( {', /^decoder: .*\(line 1\)$/],
    ['no function', 'var x = 1', /^decoder: there is no function decodeUplink, Decode or Decoder/],
    ['no object', 'function Decode() { return 5 }', 'decoder: the result has no object `data`'],
    [
      'a promise',
      'async function decodeUplink() { return { data: { a: 1 } } }',
      'decoder: the result has no object `data`',
    ],
    ['a loop without an end', 'function Decode() { for (;;) {} }', /^decoder: took longer than 0\.2 s/],
    ['a loop in the text itself', 'for (;;) {}', /^decoder: took longer than 0\.2 s/],
    ['recursion without an end', 'function Decode() { return Decode() }', /^decoder: .*(stack|overflow)/i],
    [
      'memory without an end',
      "function Decode() { var a = []; for (;;) a.push('x'.repeat(1e6) + a.length) }",
      /^decoder: (out of memory|took longer)/,
    ],
    [
      'a result that is too large',
      "function Decode() { return { a: 'x'.repeat(300000) } }",
      'decoder: the result is too large',
    ],
    ['a cyclic result', 'function Decode() { var a = {}; a.a = a; return a }', /^decoder: /],
    ['a forged JSON', "JSON.stringify = () => 'x'; function Decode() { return {} }", 'decoder: the result is no JSON'],
    [
      'bytes that are no text',
      "function Decode() { return { t: new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.of(255)) } }",
      /^decoder: the bytes are no utf-8/,
    ],
    [
      'an unknown encoding',
      "function Decode() { return { t: new TextDecoder('klingon') } }",
      /^decoder: the encoding klingon is not known/,
    ],
    ['what is no Base64', "function Decode() { return { t: atob('?') } }", /^decoder: atob: the text is no Base64/],
    ['a Buffer beyond the memory', 'function Decode() { return { n: Buffer.alloc(1e9).length } }', /^decoder: /],
    ['what is not there', "function Decode() { return { f: require('fs') } }", /^decoder: .*require/],
  ])('are refused with a reason: %s', async (_what, code, message) => {
    const error = await refusal(decode(code));
    expect(error).toMatchObject({ kind: 'failed_precondition', reason: 'DECODER_FAILED' });
    if (typeof message === 'string') expect(error.message).toBe(message);
    else expect(error.message).toMatch(message);
  });

  test('a regular expression that never ends takes its runner with it, and the next call works', async () => {
    const code = "function Decode() { return { a: /^(a+)+$/.test('a'.repeat(60) + '!') } }";
    expect((await refusal(decode(code))).message).toMatch(/^decoder: /);
    expect(await decode('function Decode() { return { a: 1 } }')).toEqual({ a: 1 });
  });

  test('no text of a decoder is in the log', () => {
    expect(JSON.stringify(logged)).not.toContain('Decode');
  });
});

describe('converters', () => {
  const converters = (code: string) => new Map([['c', { id: 'c', name: 'C', code }]]);
  const convert = async (code: string, text: string | Uint8Array, fileName = 'a.txt') => {
    const file = typeof text === 'string' ? Buffer.from(text) : text;
    const given = {
      ownerId: 'o',
      converterId: 'c',
      fileName,
      file,
      sourceName: 's',
      timezone: 'UTC',
      timeMs: START_MS,
    };
    const parts = await convertFile({ sandbox, converters: converters(code) }, given, never);
    return parts.map((part) => JSON.parse(part) as { header: { columns: object }; data: { ts: string; f: object }[] });
  };

  test('returns columns and records', async () => {
    const code = `function convert(file, context) {
      const [time, value] = file.text().trim().split(',');
      const columns = [{ name: 'Level', series: 'l', units: 'm' }, { name: 'At', type: 'TIME' }, { name: 'Who', type: 'TEXT' }];
      return { columns, records: [{ time, values: [Number(value), new Date(5), context.sourceName + file.name], qualities: [3] }] };
    }`;
    expect(await convert(code, '2024-01-02T03:04:05,1.5\\n'.replace('\\n', '\n'))).toEqual([
      {
        docType: 'jts',
        version: '1.0',
        header: {
          columns: {
            0: { name: 'Level', series: 'l', dataType: 'NUMBER', units: 'm' },
            1: { name: 'At', series: 'At', dataType: 'TIME' },
            2: { name: 'Who', series: 'Who', dataType: 'TEXT' },
          },
        },
        data: [
          {
            ts: '2024-01-02T03:04:05',
            f: { 0: { v: 1.5, q: 3 }, 1: { v: { $time: '1970-01-01T00:00:00.005Z' } }, 2: { v: 'sa.txt' } },
          },
        ],
      },
    ]);
  });

  test('comes in documents of 2 000 records, and may yield them', async () => {
    const code = `function* convert(file) {
      for (let part = 0; part < 2; part += 1) {
        const records = Array.from({ length: 3000 }, (_, n) => ({ time: (part * 3000 + n) * 1000, values: [n] }));
        yield { columns: [{ name: 'n' }], records };
      }
    }`;
    expect((await convert(code, '')).map(({ data }) => data.length)).toEqual([2000, 1000, 2000, 1000]);
  });

  test('bytes and encodings', async () => {
    const code = `function convert(file) {
      const view = new DataView(file.bytes.buffer);
      return { columns: [{ name: 'n' }, { name: 't', type: 'TEXT' }], records: [{ time: 0, values: [view.getUint16(0), file.text('latin1')] }] };
    }`;
    const [document] = await convert(code, Uint8Array.of(0x01, 0xe9));
    expect(document?.data[0]?.f).toEqual({ 0: { v: 0x1e9 }, 1: { v: '\u0001é' } });
  });

  test.each<[what: string, code: string, message: RegExp]>([
    ['throws', "function convert() { throw new Error('no header') }", /^C cannot read the file: no header/],
    ['has no columns', 'function convert() { return { columns: [], records: [] } }', /columns: there are none/],
    ['has no records', "function convert() { return { columns: [{ name: 'a' }] } }", /records: must be an array/],
    [
      'has no time',
      "function convert() { return { columns: [{ name: 'a' }], records: [{ values: [1] }] } }",
      /records\[0\]\.time/,
    ],
    [
      'has a time that is none',
      "function convert() { return { columns: [{ name: 'a' }], records: [{ time: '1.2.2024', values: [1] }] } }",
      /records\[0\]\.time/,
    ],
    [
      'has an unknown type',
      "function convert() { return { columns: [{ name: 'a', type: 'x' }], records: [] } }",
      /columns\[0\]\.type/,
    ],
    ['has an unknown encoding', "function convert(f) { return f.text('nope') }", /the encoding nope is not known/],
    [
      'never ends',
      'function* convert() { for (;;) yield { columns: [{ name: "a" }], records: [] } }',
      /too many results|longer/,
    ],
  ])('is refused with a reason when it %s', async (_what, code, message) => {
    const error = await refusal(convert(code, 'x'));
    expect(error).toMatchObject({ kind: 'failed_precondition', reason: 'CONVERTER_FAILED' });
    expect(error.message).toMatch(message);
  });

  test('a file that is too large, and a converter that is not there, are refused', async () => {
    expect(await refusal(convert('', new Uint8Array(6 * 1024 * 1024 + 1)))).toMatchObject({ kind: 'too_large' });
    const given = { ownerId: 'o', converterId: 'x', fileName: '', sourceName: '', timezone: '' };
    const file = new Uint8Array(0);
    const work = convertFile({ sandbox, converters: new Map() }, { ...given, file, timeMs: 0 }, never);
    expect(await refusal(work)).toMatchObject({ kind: 'not_found' });
  });

  test('the example reads GPX tracks as another XML reader does', async () => {
    const code = readFileSync(path.join(import.meta.dirname, '../examples/converters/gpx.js'), 'utf8');
    expect(readConverter(code)).toMatchObject({ id: 'gpx', name: 'GPX tracks' });
    const expected = JSON.parse(
      readFileSync(path.join(import.meta.dirname, 'processing-functions-gpx.json'), 'utf8'),
    ) as Record<string, { count: number; first: Row[]; last: Row[]; sums: number[] }>;
    type Row = readonly [time: string, ...values: (number | null)[]];
    for (const [name, { count, first, last, sums }] of Object.entries(expected)) {
      const file = readFileSync(path.join(import.meta.dirname, 'gpx', name));
      const rows = (await convert(code, file, name)).flatMap(({ data }) =>
        data.map(({ ts, f }): Row => {
          const values = f as Record<number, { v: number } | undefined>;
          return [ts, ...[0, 1, 2, 3].map((column) => values[column]?.v ?? null)];
        }),
      );
      expect({ name, count: rows.length, first: rows.slice(0, 1), last: rows.slice(-1) }).toEqual({
        name,
        count,
        first,
        last: count > 0 ? last : [],
      });
      for (const [n, sum] of sums.entries())
        expect(rows.reduce((total, row) => total + Number(row[n + 1] ?? 0), 0)).toBeCloseTo(sum, 5);
    }
  });
});

describe('the text of a converter', () => {
  test.each<[problem: RegExp, code: string]>([
    [/must begin with a comment/, 'function convert() {}'],
    [/is no JSON/, '/* {id: 1} */'],
    [/^id/, '/* {"id": "A b", "name": "x"} */'],
    [/^name/, '/* {"id": "a"} */'],
    [/^has more/, `/* {"id": "a", "name": "x"} */${' '.repeat(1024 * 1024)}`],
  ])('%s', (problem, code) => {
    expect((readConverter(code) as { problem: string }).problem).toMatch(problem);
  });
});
