import type { Database } from '@catchment/pg';
import { SEGMENT_BYTES } from '../domain/file.ts';
import { storeFile } from './kept-file.ts';
import type { FileList, FileRow } from './ports.ts';

const PLACE = { ownerId: 'owner', workspaceId: 'workspace' };

/** Keeps a list of files and their bytes in memory. */
function filesInMemory() {
  const rows = new Map<string, FileRow>();
  const bytes = new Map<string, Uint8Array>();
  const list: FileList = {
    insertFile: async (_on, { fileId, ownerId, segmentBytes }) =>
      void rows.set(fileId, { fileId, ownerId, segmentBytes, segments: 0 }),
    expectSegment: async (_on, { fileId }, index) => {
      const row = rows.get(fileId);
      if (row) rows.set(fileId, { ...row, segments: Math.max(row.segments, index + 1) });
      return row !== undefined;
    },
    keepFile: async (_tx, _ownerId, fileId) => rows.has(fileId),
    dropComing: async (_on, _ownerId, fileId) => rows.get(fileId),
    claimFile: async (_tx, { fileId }) => rows.get(fileId),
    forgetFile: async (_on, fileId) => void rows.delete(fileId),
  };
  const objects = {
    put: async (name: string, segment: Uint8Array) => void bytes.set(name, segment),
    get: async (name: string) => bytes.get(name),
    delete: async (name: string) => void bytes.delete(name),
  };
  const deps = { database: {} as Database, objects, now: () => 0 };
  const store = (pieces: Iterable<Buffer>, maxBytes: number) => storeFile(list, deps, PLACE, from(pieces), maxBytes);
  return { rows, bytes, store };
}

async function* from(pieces: Iterable<Buffer>): AsyncGenerator<Buffer> {
  yield* pieces;
}

test('bytes are stored in segments, however they come; the last one is shorter', async () => {
  const { bytes, store } = filesInMemory();
  const pieces = [Buffer.alloc(10, 'a'), Buffer.alloc(2 * SEGMENT_BYTES, 'b')];
  const { fileId, sizeBytes } = await store(pieces, 3 * SEGMENT_BYTES);
  expect(sizeBytes).toBe(2 * SEGMENT_BYTES + 10);
  expect([...bytes.keys()]).toEqual([0, 1, 2].map((index) => `${fileId}/${index}`));
  expect(Buffer.concat([...bytes.values()])).toEqual(Buffer.concat(pieces));
});

test('nothing is left of a file that is too large', async () => {
  const { rows, bytes, store } = filesInMemory();
  const pieces = [Buffer.alloc(SEGMENT_BYTES), Buffer.alloc(SEGMENT_BYTES)];
  await expect(store(pieces, SEGMENT_BYTES)).rejects.toMatchObject({ kind: 'too_large' });
  expect([rows.size, bytes.size]).toEqual([0, 0]);
});

test('nothing is left of a file whose bytes end in a failure', async () => {
  const { rows, bytes, store } = filesInMemory();
  function* failing() {
    yield Buffer.alloc(SEGMENT_BYTES);
    throw new Error('away');
  }
  await expect(store(failing(), 2 * SEGMENT_BYTES)).rejects.toThrow('away');
  expect([rows.size, bytes.size]).toEqual([0, 0]);
});
