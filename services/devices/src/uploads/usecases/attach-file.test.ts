import { DomainError, invalid, unavailable } from '@catchment/errors';
import type { FileToProcess } from '../../reading/usecases/process-file.ts';
import { attachFile } from './attach-file.ts';

const SOURCE = { _id: 's1', ownerId: 'o1', workspaceId: 'w1', sourceClass: 'source.attachment.AttachmentSource' };

function file(recordsDone = 0) {
  const progress: number[] = [];
  const bytes = {
    size: 3,
    async *range() {
      yield Buffer.from('abc');
    },
  };
  const signal = new AbortController().signal;
  const reported = async (done: number) => void progress.push(done);
  const file: FileToProcess = {
    source: SOURCE,
    fileName: 'a.jpg',
    bytes,
    arrivedMs: 0,
    recordsDone,
    progress: reported,
    signal,
  };
  return { work: file, progress };
}

test('a file becomes an attachment once, also when whoever worked on it died afterwards', async () => {
  const added: string[] = [];
  const kind = attachFile({
    add: async ({ sourceId, ownerId }, { fileName, size, bytes }) => {
      const text = Buffer.concat(await Array.fromAsync(bytes)).toString();
      added.push([ownerId, sourceId, fileName, size, text].join());
    },
  });
  const { work, progress } = file();
  expect(await kind({} as never, work)).toMatchObject({ outcome: { report: { files: 1 } }, events: [] });
  expect(progress).toEqual([1]);
  expect(await kind({} as never, file(1).work)).toMatchObject({ outcome: { report: { files: 1 } } });
  expect(added).toEqual(['o1,s1,a.jpg,3,abc']);
});

test.each([
  ['of another type', invalid('INVALID_ATTRIBUTE', 'file: must be a picture'), ['a.jpg: file: must be a picture']],
  ['beyond those of a day', new DomainError('resource_exhausted', 'DAILY_LIMIT', 'too many'), []],
])('a file %s is refused for good', async (_what, error, messages) => {
  const { outcome, events } = await attachFile({ add: () => Promise.reject(error) })({} as never, file().work);
  expect(outcome).toMatchObject({ refusal: { kind: error.kind } });
  expect(events.map(({ message }) => message)).toEqual(messages);
});

test('while nodes is away the file waits', async () => {
  const kind = attachFile({ add: () => Promise.reject(unavailable('STOPPING')) });
  await expect(kind({} as never, file().work)).rejects.toMatchObject({ kind: 'unavailable' });
});
