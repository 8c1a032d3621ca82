import { gzipSync } from 'node:zlib';
import { unavailable } from '@catchment/errors';
import { type ZipEntry, zipOf } from '../../../../test/zip-of.ts';
import { type FileBytes, PIECE_BYTES, storedBytes } from './file-bytes.ts';
import { membersOf } from './members.ts';

const SEGMENT_BYTES = 4 * PIECE_BYTES;
const stored = (bytes: Buffer, read?: () => Promise<undefined>): FileBytes =>
  storedBytes(
    { sizeBytes: bytes.length, segmentBytes: SEGMENT_BYTES },
    read ??
      (async (segment, from, length) => {
        const start = segment * SEGMENT_BYTES + from;
        return bytes.subarray(start, Math.min(start + length, (segment + 1) * SEGMENT_BYTES));
      }),
    new AbortController().signal,
  );

/** Returns name and size of every member, each read to its end. */
async function unpacked(file: FileBytes, name: string): Promise<[string, number][]> {
  const { members } = await membersOf(file, name, (member) => member !== 'unwanted');
  const all: [string, number][] = [];
  for (const member of members) {
    let size = 0;
    for await (const piece of member.bytes()) size += piece.length;
    all.push([member.name, size]);
  }
  return all;
}

const text = 'time,Level\n2024-01-01,1\n'.repeat(20);
const size = text.length;
const MANY = 100 * 1024 * 1024;

test.each<[string, () => Buffer, string, [string, number][]]>([
  ['text', () => Buffer.from(text), 'a.csv', [['a.csv', size]]],
  ['nothing', () => Buffer.alloc(0), 'a.csv', [['a.csv', 0]]],
  ['text over many segments', () => Buffer.alloc(2_100_000, text), 'a.csv', [['a.csv', 2_100_000]]],
  ['gzip', () => gzipSync(text), 'a.csv.gz', [['a.csv.gz', size]]],
  ['100 MB in gzip', () => gzipSync(Buffer.alloc(MANY)), 'a', [['a', MANY]]],
  [
    'zip',
    () => zipOf({ 'd/a.csv': text, unwanted: { data: 'x', isEncrypted: true }, b: text }),
    'a',
    [
      ['a.csv', size],
      ['b', size],
    ],
  ],
  [
    'members of one name',
    () => zipOf({ 'x/a': text, 'y/a': 'b' }),
    'a',
    [
      ['a', size],
      ['a', 1],
    ],
  ],
])('%s is read whole', async (_what, body, name, expected) => {
  expect(await unpacked(stored(body()), name)).toEqual(expected);
});

test('a member is read again without counting twice', async () => {
  const { members } = await membersOf(stored(zipOf({ a: Buffer.alloc(MANY) })), 'a', () => true);
  for (let times = 0; times < 3; times += 1) {
    let length = 0;
    for await (const piece of members[0]!.bytes()) length += piece.length;
    expect(length).toBe(MANY);
  }
});

const long = Buffer.alloc(251 * 1024 * 1024);
const bomb = (): Buffer => zipOf(Object.fromEntries(Array.from({ length: 3 }, (_, n) => [`${n}`, Buffer.alloc(MANY)])));
const zip = (entry: ZipEntry, name = 'a.csv') => zipOf({ [name]: entry });

test.each<[string, () => Buffer, string, string]>([
  ['bytes that begin as gzip', () => Buffer.from([0x1f, 0x8b, 1, 2]), 'a', 'body: is damaged gzip data'],
  ['half of gzip', () => gzipSync(text).subarray(0, 40), 'a', 'body: is damaged gzip data'],
  ['text that is named gzip', () => Buffer.from(text), 'a.gz', 'must be gzip data, as its name says'],
  ['text that is named zip', () => Buffer.from(text), 'a.zip', 'the archive is damaged'],
  ['half of zip', () => zip(text).subarray(0, 80), 'a', 'the archive is damaged'],
  ['a damaged member', () => zip({ data: text, crc: 1 }), 'a', "the archive has a damaged member, 'a.csv'"],
  ['a member longer than it says', () => zip({ data: text, size: 5 }), 'a', 'the archive is damaged'],
  ['a member shorter than it says', () => zip({ data: text, size: 5_000 }), 'a', 'the archive is damaged'],
  ['an encrypted member', () => zip({ data: text, isEncrypted: true }), 'a', "an encrypted member, 'a.csv'"],
  ['an unknown packing', () => zip({ data: text, method: 12 }), 'a', 'packed in an unknown way'],
  ['a path out of the archive', () => zip(text, '../../a.csv'), 'a', 'the archive is damaged: invalid relative path'],
  ['a path from the root', () => zip(text, '/etc/a.csv'), 'a', 'the archive is damaged: absolute path'],
  ['an archive without members', () => zipOf({}), 'a', 'the archive has no files'],
  ['an archive of folders', () => zipOf({ 'd/': '' }), 'a', 'the archive has no files'],
  [
    'too many members',
    () => zipOf(Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`${n}`, '']))),
    'a',
    'more than 1000 members',
  ],
  ['an archive in an archive', () => zip(zip(text), 'b.zip'), 'a', "'b.zip' must not be packed twice"],
  ['gzip in an archive', () => zip(gzipSync(text), 'a.csv.gz'), 'a', "'a.csv.gz' must not be packed twice"],
  ['an archive in gzip', () => gzipSync(zip(text)), 'a', 'the file must not be packed twice'],
  ['gzip in gzip', () => gzipSync(gzipSync(text)), 'a', 'the file must not be packed twice'],
  ['more than 250 MB in gzip', () => gzipSync(long), 'a', 'too large'],
  ['a member of more than 250 MB', () => zip(long), 'a', 'too large'],
  [
    'a member of more than 250 MB that says it is small',
    () => zip({ data: long, size: 1_000 }),
    'a',
    'the archive is damaged',
  ],
  ['members of more than 250 MB together', bomb, 'a', 'too large'],
])('%s is refused', async (_what, body, name, message) => {
  await expect(unpacked(stored(body()), name)).rejects.toThrow(message);
});

test('what is wrong with the store is no fault of the archive', async () => {
  const away = async () => {
    throw unavailable('PEER_UNAVAILABLE');
  };
  for (const [name, body] of [
    ['a.zip', zip(text)],
    ['a', gzipSync(text)],
  ] as const)
    await expect(unpacked(stored(body, away), name)).rejects.toMatchObject({ reason: 'PEER_UNAVAILABLE' });
  await expect(
    unpacked(
      stored(zip(text), async () => undefined),
      'a',
    ),
  ).rejects.toMatchObject({ reason: 'FILE_GONE' });
});
