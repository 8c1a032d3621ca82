import { randomBytes } from 'node:crypto';
import type { ApiCaller } from '@catchment/access';
import { AttemptKind } from '@catchment/contracts/alarms';
import { newObjectId } from '@catchment/ids';
import { until } from '@catchment/testkit';
import { SEGMENT_BYTES } from '../src/files/domain/file.ts';
import { removeOldAttachments, sweepFiles } from '../src/files/index.ts';
import { type Fixture, type Json, openFixture } from './fixture.ts';
import { ownerClient } from './owner-client.ts';

let f: Fixture;
let api: Awaited<ReturnType<Fixture['account']>>;
let workspace: Json;
beforeAll(async () => {
  f = await openFixture();
  api = await f.account();
  workspace = await api.create('Workspace', 'Site');
});
afterAll(() => f.close());

const CLASS = 'io.svc.models.node.Attachment';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==',
  'base64',
);
const missing = { kind: 'not_found' };
const denied = { kind: 'permission_denied' };
const refused = (text: string) => ({ kind: 'invalid_argument', message: expect.stringContaining(text) });
const sweep = () => sweepFiles(f);

/** Reads the bytes behind a node, read as the gateway reads them. */
async function bytesOf(nodeId: string): Promise<Buffer> {
  const { fileId, size, segmentBytes } = await f.fileClient.getFile({ nodeId }, f.service);
  const parts: Buffer[] = [];
  for (let index = 0; index * segmentBytes < size; index += 1)
    parts.push((await f.fileClient.readSegment({ fileId, index, preview: false }, f.service)).data);
  return Buffer.concat(parts);
}

const fileIdOf = async (nodeId: string): Promise<string> => (await f.fileClient.getFile({ nodeId }, f.service)).fileId;
const isStored = async (fileId: string): Promise<boolean> => {
  const { rows } = await f.database.query('SELECT 1 FROM files WHERE file_id = $1', [fileId]);
  const bytes = await Promise.all(['0', '1', 'preview'].map((part) => f.bus.objects.get(`${fileId}/${part}`)));
  return rows.length > 0 || bytes.some((segment) => segment !== undefined);
};

describe('an upload', () => {
  test('becomes a node with its file, an event and a message', async () => {
    const node = await api.upload(workspace._id, PNG, 'C:\\pictures\\site_01.png', { preview: Buffer.from('small') });
    expect(node).toMatchObject({
      _class: CLASS,
      name: 'site 01.png',
      parentId: workspace._id,
      workspaceId: workspace._id,
      description: '',
      isPublic: false,
      fileName: 'site_01.png',
      fileSize: PNG.length,
      mimeType: 'image/png',
      fileUrl: expect.stringMatching(`^https://files\\.test/files/${node._id}\\?expires=0&signature=[0-9a-f]{64}$`),
      filePreviewUrl: expect.stringContaining(`/files/${node._id}/preview?expires=0&signature=`),
    });
    expect(await api.get(node._id)).toEqual(node);
    const { permissions: _permissions, ...listed } = node;
    expect((await api.list({ filter: `_id($eq:${node._id})` })).list).toEqual([listed]);
    await until(() => f.published.messagesOf(node._id).includes("Created node 'site 01.png'"));
    expect(f.published.changed.find((announced) => announced.node.nodeId === node._id)).toMatchObject({
      created: true,
      node: { class: 'Attachment', parentId: workspace._id, series: undefined, source: undefined },
    });
  });

  test.each([
    ['one byte', 1],
    ['a whole segment', SEGMENT_BYTES],
    ['a byte more', SEGMENT_BYTES + 1],
    ['several segments', 3 * SEGMENT_BYTES - 1],
  ])('of %s comes back as it was', async (what, size) => {
    const bytes = randomBytes(size);
    const { _id } = await api.upload(workspace._id, bytes, what);
    expect((await bytesOf(_id)).equals(bytes)).toBe(true);
  });

  test('takes name and description of the request; names of its own are made unique', async () => {
    const group = await api.create('Group', 'Names', workspace._id);
    const given = { name: 'Plan', description: 'Of the site' };
    expect(await api.upload(group._id, PNG, 'a.png', given)).toMatchObject({ ...given, fileName: 'a.png' });
    await expect(api.upload(group._id, PNG, 'a.png', { name: 'plan' })).rejects.toMatchObject(refused('name: must be'));
    expect((await api.upload(group._id, PNG, 'a.png')).name).toBe('a.png');
    expect((await api.upload(group._id, PNG, 'A.png')).name).toBe('A.png (2)');
    expect(await api.upload(group._id, PNG, '')).toMatchObject({ name: 'Attachment' });
  });

  test.each([
    ['PNG bytes with another name', PNG, 'note.txt', 'image/png'],
    ['text', Buffer.from('plain words'), 'note.txt', 'text/plain'],
    [
      'a drawing',
      Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
      'a.svg',
      'image/svg+xml',
    ],
    ['XML of no known name', Buffer.from('<?xml version="1.0"?><a/>'), 'a.unknown', 'application/xml'],
    [
      'an empty archive as a document',
      Buffer.from('504b0506000000000000000000000000000000000000', 'hex'),
      'a.docx',
      /openxml/,
    ],
    ['unknown bytes', Buffer.from([1, 2, 3]), 'data', 'application/octet-stream'],
    ['a page', Buffer.from('<!doctype html><p>'), 'page.html', 'text/html'],
  ])('%s is of its type', async (_what, bytes, name, mimeType) => {
    const node = await api.upload(workspace._id, bytes, name);
    expect(node.mimeType).toEqual(typeof mimeType === 'string' ? mimeType : expect.stringMatching(mimeType));
    expect(node.filePreviewUrl).toBeUndefined();
  });

  test.each([
    [PNG, true],
    [Buffer.from('ffd8ffe000104a46494600010100', 'hex'), true],
    [Buffer.from('GIF89a'), true],
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), false],
    [Buffer.from('words'), false],
  ])('the first segment shows a picture', async (data, isPicture) => {
    const { fileId } = await f.fileClient.beginUpload({ nodeRef: workspace._id }, api.options);
    expect(await f.fileClient.writeSegment({ fileId, index: 0, data }, api.options)).toEqual({ isPicture });
  });

  test.each([
    ['nothing', { size: 0 }, 'file: must not be empty'],
    ['another size', { size: PNG.length + SEGMENT_BYTES }, 'size: must be'],
    ['a name with a slash', { name: 'a/b' }, 'name: must not contain'],
    ['a long description', { description: 'x'.repeat(501) }, 'description: '],
    ['a large preview', { preview: Buffer.alloc(1024 * 1024 + 1) }, 'preview: '],
  ])('finished with %s is refused, and no node is made', async (_what, wrong, text) => {
    const count = async () => (await api.list({ attr: '_id' })).list.length;
    const before = await count();
    await expect(api.upload(workspace._id, PNG, 'a.png', wrong)).rejects.toMatchObject(refused(text));
    expect(await count()).toBe(before);
  });

  test('segments out of bounds are refused', async () => {
    const { fileId, maxBytes } = await f.fileClient.beginUpload({ nodeRef: workspace._id }, api.options);
    const write = (index: number, size: number) =>
      f.fileClient.writeSegment({ fileId, index, data: Buffer.alloc(size) }, api.options);
    await expect(write(0, 0)).rejects.toMatchObject(refused('data: '));
    await expect(write(0, SEGMENT_BYTES + 1)).rejects.toMatchObject(refused('data: '));
    await expect(write(maxBytes / SEGMENT_BYTES, 1)).rejects.toMatchObject({ kind: 'too_large' });
  });

  test('is finished once', async () => {
    const { fileId } = await f.fileClient.beginUpload({ nodeRef: workspace._id }, api.options);
    await f.fileClient.writeSegment({ fileId, index: 0, data: PNG }, api.options);
    const request = {
      fileId,
      nodeRef: workspace._id,
      size: PNG.length,
      fileName: 'once.png',
      preview: Buffer.alloc(0),
      attr: '_id,name',
      expiry: 0,
    };
    const results = await Promise.allSettled([1, 2, 3].map(() => f.fileClient.finishUpload(request, api.options)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await api.list({ filter: 'fileName($eq:once.png)' })).list).toHaveLength(1);
  });

  test('there may be fifty at once', async () => {
    const busy = await f.account();
    const { _id: nodeRef } = await busy.create('Workspace', 'Busy');
    const begin = () => f.fileClient.beginUpload({ nodeRef }, busy.options);
    const begun = await Promise.all(Array.from({ length: 50 }, begin));
    await expect(begin()).rejects.toMatchObject({ kind: 'resource_exhausted' });
    await f.fileClient.abandonUpload({ fileId: begun[0]?.fileId ?? '' }, busy.options);
    await expect(begin()).resolves.toBeDefined();
  });
});

describe('where attachments lie', () => {
  test.each([
    ['Workspace', true],
    ['Group', true],
    ['Location', true],
    ['AttachmentSource', true],
    ['Templates', false],
    ['Jts', false],
    ['NumberPoint', false],
    ['Attachment', false],
    ['Dashboard', false],
  ])('under a %s: %s', async (cls, isFit) => {
    const mine = await f.account();
    const root = await mine.create('Workspace', 'Root');
    const location = await mine.create('location.Location', 'Place', root._id);
    const source = await mine.create('source.data.Jts', 'Source', location._id);
    const parents: Record<string, () => Promise<Json> | Json> = {
      Workspace: () => root,
      Group: () => mine.create('Group', 'Group', root._id),
      Location: () => location,
      AttachmentSource: () => mine.create('source.attachment.AttachmentSource', 'Camera', location._id),
      Templates: () => mine.create('Templates', 'Templates'),
      Jts: () => source,
      NumberPoint: () => mine.create('point.NumberPoint', 'Level', source._id),
      Attachment: () => mine.upload(root._id, PNG),
      Dashboard: () => mine.create('Dashboard', 'Board', root._id),
    };
    const { _id } = await parents[cls]!();
    if (isFit) await expect(mine.upload(_id, PNG)).resolves.toMatchObject({ parentId: _id });
    else await expect(mine.upload(_id, PNG)).rejects.toMatchObject(refused('may not contain an attachment'));
  });

  test('they are not made without a file', async () => {
    await expect(api.create('Attachment', 'Empty', workspace._id)).rejects.toMatchObject(
      refused('_class: attachments are made of their files'),
    );
  });

  test('they are renamed, described and moved; what is of the file stays', async () => {
    const group = await api.create('Group', 'Moved to', workspace._id);
    const node = await api.upload(workspace._id, PNG, 'm.png');
    const change = {
      name: 'Other',
      description: 'New',
      fileSize: 1,
      mimeType: 'a/b',
      fileName: 'x',
      fileUrl: 'y',
      file: {},
    };
    const updated = await api.update(node._id, change);
    const revision = expect.any(Number);
    expect(updated).toEqual({ ...node, name: 'Other', description: 'New', revision });
    expect(await api.move(node._id, { parentId: group._id })).toEqual({ ...updated, parentId: group._id, revision });
    expect((await bytesOf(node._id)).equals(PNG)).toBe(true);
    await until(() => f.published.messagesOf(node._id).includes("Rename node 'm.png' to 'Other'"));
  });

  test('filters know size, type and name of files, not their links', async () => {
    const node = await api.upload(workspace._id, Buffer.alloc(777, 1), 'found.bin');
    const found = async (filter: string) => (await api.list({ filter })).list.map(({ _id }) => _id);
    expect(await found('fileSize($eq:777)')).toEqual([node._id]);
    expect(await found('fileName($match:found),mimeType($eq:application/octet-stream)')).toEqual([node._id]);
    await expect(found('fileUrl($match:files)')).rejects.toMatchObject({ kind: 'invalid_argument' });
  });

  test('a source of attachments keeps the newest ones and names the last', async () => {
    const location = await api.create('location.Location', 'Camera site', workspace._id);
    const more = { maxAttachments: 2, fileTypes: ['png'] };
    const camera = await api.create('source.attachment.AttachmentSource', 'Camera', location._id, more);
    expect(camera.currentAttachmentId).toBeUndefined();
    await expect(api.upload(camera._id, PNG, 'a.jpg')).rejects.toMatchObject(refused('file: must be of a type'));
    const made: Json[] = [];
    for (const name of ['1.png', '2.PNG', '3.png']) made.push(await api.upload(camera._id, PNG, name));
    const kept = (await api.list({ filter: `parentId($eq:${camera._id})`, sort: 'createdTime' })).list;
    expect(kept.map(({ _id }) => _id).sort()).toEqual([made[1]!._id, made[2]!._id].sort());
    expect((await api.get(camera._id)).currentAttachmentId).toBe(made[2]!._id);
    expect((await api.list({ filter: `currentAttachmentId($eq:${made[2]!._id})`, attr: '_id' })).list).toHaveLength(1);
    await api.remove(made[2]!._id);
    expect((await api.get(camera._id)).currentAttachmentId).toBe(made[1]!._id);
  });
});

test('a source keeps attachments for as many days as it says; those of a template stay', async () => {
  const DAY = 86_400_000;
  const mine = await f.account();
  const root = await mine.create('Workspace', 'Root');
  const templates = await mine.create('Templates', 'Templates');
  const template = await mine.create('location.Location', 'Template', templates._id);
  const camera = await mine.create('source.attachment.AttachmentSource', 'Camera', template._id, {
    removeAfterDays: 2,
  });
  const plan = await mine.upload(camera._id, PNG, 'plan.png');
  const copies = await mine.clone(template._id, { parentId: root._id, name: 'Site' });
  const parentId = copies.find(({ name }) => name === 'Camera')!._id;
  const old = await mine.upload(parentId, PNG, 'old.png');
  f.clock.nowMs += DAY;
  const young = await mine.upload(parentId, PNG, 'young.png');
  await removeOldAttachments(f);
  expect(await mine.get(old._id)).toBeDefined();
  f.clock.nowMs += DAY;
  await removeOldAttachments(f);
  await expect(mine.get(old._id)).rejects.toMatchObject(missing);
  expect((await mine.list({ filter: `parentId($eq:${parentId})`, sort: 'name' })).list.map(({ name }) => name)).toEqual(
    ['plan.png', 'young.png'],
  );
  expect((await mine.get(parentId)).currentAttachmentId).toBe(young._id);
  expect(await mine.get(plan._id)).toBeDefined();
  await until(() => f.published.messagesOf(parentId).includes("Deleted node 'old.png'"));
});

describe('who may', () => {
  const readOnly = { permission: 'READ_ONLY' } as const;

  test('a key for reading uploads nothing', async () => {
    const reader = await f.as({ ...api.caller, ...readOnly });
    await expect(reader.upload(workspace._id, PNG)).rejects.toMatchObject(denied);
  });

  test('links go only to those who may read attachments', async () => {
    const node = await api.upload(workspace._id, PNG, 'seen.png', { preview: Buffer.from('small') });
    const user = async (...permissions: ('VIEW' | 'ATTACHMENT_READ' | 'CONFIGURE')[]) =>
      f.as({
        ...api.caller,
        rights: { grants: [{ permissions, workspaceIds: [workspace._id] }] },
      } as ApiCaller);
    const viewer = await user('VIEW');
    for (const seen of [await viewer.get(node._id), (await viewer.list({ filter: `_id($eq:${node._id})` })).list[0]]) {
      expect(seen).toMatchObject({ fileSize: PNG.length, mimeType: 'image/png' });
      expect(seen).not.toHaveProperty('fileUrl');
      expect(seen).not.toHaveProperty('filePreviewUrl');
    }
    const permissions = ['VIEW', 'ATTACHMENT_READ'];
    expect(await (await user('VIEW', 'ATTACHMENT_READ')).get(node._id)).toEqual({ ...node, permissions });
    await expect(viewer.upload(workspace._id, PNG)).rejects.toMatchObject(denied);
    const configuring = await (await user('VIEW', 'CONFIGURE')).upload(workspace._id, PNG, 'by another.png');
    expect(configuring).not.toHaveProperty('fileUrl');
  });

  test('nothing of another account is reached', async () => {
    const other = await f.account();
    const place = await other.create('Workspace', 'Place');
    await expect(other.upload(workspace._id, PNG)).rejects.toMatchObject(missing);
    const { fileId } = await f.fileClient.beginUpload({ nodeRef: workspace._id }, api.options);
    const segment = { fileId, index: 0, data: PNG };
    await f.fileClient.writeSegment(segment, api.options);
    await expect(f.fileClient.writeSegment(segment, other.options)).rejects.toMatchObject(missing);
    const finish = {
      fileId,
      nodeRef: place._id,
      size: PNG.length,
      fileName: '',
      preview: Buffer.alloc(0),
      attr: '',
      expiry: 0,
    };
    await expect(f.fileClient.finishUpload(finish, other.options)).rejects.toMatchObject(missing);
    await f.fileClient.abandonUpload({ fileId }, other.options);
    await expect(f.fileClient.writeSegment(segment, api.options)).resolves.toBeDefined();
  });

  test('every step of an upload asks for what its beginning asked for', async () => {
    const { fileId } = await f.fileClient.beginUpload({ nodeRef: workspace._id }, api.options);
    const segment = { fileId, index: 0, data: PNG };
    await f.fileClient.writeSegment(segment, api.options);
    const elsewhere = await api.create('Workspace', 'Elsewhere');
    const grants = (permissions: string[], ...workspaceIds: string[]) => ({
      rights: { grants: [{ permissions, workspaceIds }] },
    });
    const intruders = [
      [readOnly, denied],
      [{ accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [elsewhere._id] }, denied],
      [grants(['VIEW'], workspace._id, elsewhere._id), denied],
      [grants(['VIEW', 'CONFIGURE'], elsewhere._id), missing],
    ] as const;
    const finish = { fileId, size: PNG.length, fileName: '', preview: Buffer.alloc(0), attr: '', expiry: 0 };
    for (const [over, refusal] of intruders) {
      const { options } = await f.as({ ...api.caller, ...over } as ApiCaller);
      for (const step of [
        () => f.fileClient.writeSegment(segment, options),
        // The node belongs to the intruder.
        () => f.fileClient.finishUpload({ ...finish, nodeRef: elsewhere._id }, options),
        () => f.fileClient.abandonUpload({ fileId }, options),
      ])
        await expect(step()).rejects.toMatchObject(refusal);
    }
    await expect(f.fileClient.finishUpload({ ...finish, nodeRef: workspace._id }, api.options)).resolves.toBeDefined();
  });

  test('bytes are for our own services, which check links', async () => {
    const { _id: nodeId } = await api.upload(workspace._id, PNG);
    await expect(f.fileClient.getFile({ nodeId }, api.options)).rejects.toMatchObject(denied);
    const segment = { fileId: await fileIdOf(nodeId), index: 0, preview: false };
    await expect(f.fileClient.readSegment(segment, api.options)).rejects.toMatchObject(denied);
    for (const wrong of [{ index: 1 }, { preview: true }, { fileId: newObjectId() }, { fileId: '../0' }])
      await expect(f.fileClient.readSegment({ ...segment, ...wrong }, f.service)).rejects.toMatchObject(missing);
    await expect(f.fileClient.getFile({ nodeId: workspace._id }, f.service)).rejects.toMatchObject(missing);
  });

  test('files of a disabled account are not given out', async () => {
    const mine = await f.account();
    const { _id: nodeId } = await mine.upload((await mine.create('Workspace', 'Mine'))._id, PNG);
    await f.owners.updateAccount({ account: mine.ownerId, status: 'DISABLED' }, f.service);
    await expect(f.fileClient.getFile({ nodeId }, f.service)).rejects.toMatchObject(denied);
  });
});

describe('links', () => {
  test('have an end when one is asked for, also in lists and of copies', async () => {
    const node = await api.upload(workspace._id, PNG, 'ending.png', { expiry: 5 });
    const end = Math.ceil(f.clock.nowMs / 1000 + 300);
    expect(node.fileUrl).toContain(`?expires=${end}&`);
    const read = await f.nodes.getNode({ nodeRef: node._id, attr: 'fileUrl', expiry: 5 }, api.options);
    expect(JSON.parse(read.json.toString())).toEqual({ fileUrl: node.fileUrl });
    expect((await api.get(node._id)).fileUrl).toContain('?expires=0&');
  });

  test('a list whose links end has no revision to be compared by', async () => {
    const revisionOf = async (expiry: number) => {
      const request = { attr: '', type: '', filter: '', sort: '', skip: 0, expiry };
      for await (const { revision } of f.nodes.listNodes(request, api.options)) return revision;
      return undefined;
    };
    expect(await revisionOf(5)).toBe('');
    expect(await revisionOf(0)).not.toBe('');
  });
});

describe('what is gone', () => {
  const big = randomBytes(SEGMENT_BYTES + 10);

  test('the bytes go with the last node that has them', async () => {
    const group = await api.create('Group', 'Copied', workspace._id);
    const node = await api.upload(group._id, big, 'big.bin', { preview: Buffer.from('small') });
    const fileId = await fileIdOf(node._id);
    const [copy] = await api.clone(group._id, { parentId: workspace._id });
    const copied = (await api.list({ filter: `parentId($eq:${copy!._id})` })).list[0]!;
    expect(copied).toMatchObject({ name: 'big.bin', fileSize: big.length });
    expect(copied.fileUrl).not.toBe(node.fileUrl);
    await api.remove(group._id);
    await sweep();
    expect((await bytesOf(copied._id)).equals(big)).toBe(true);
    await expect(f.fileClient.getFile({ nodeId: node._id }, f.service)).rejects.toMatchObject(missing);
    await api.remove(copied._id);
    expect(await isStored(fileId)).toBe(true);
    await sweep();
    expect(await isStored(fileId)).toBe(false);
  });

  test('an upload that was given up leaves nothing, and takes nothing more', async () => {
    const { fileId } = await f.fileClient.beginUpload({ nodeRef: workspace._id }, api.options);
    for (const index of [0, 1]) await f.fileClient.writeSegment({ fileId, index, data: PNG }, api.options);
    expect(await isStored(fileId)).toBe(true);
    await f.fileClient.abandonUpload({ fileId }, api.options);
    expect(await isStored(fileId)).toBe(false);
    await f.fileClient.abandonUpload({ fileId }, api.options);
    await expect(f.fileClient.writeSegment({ fileId, index: 2, data: PNG }, api.options)).rejects.toMatchObject(
      missing,
    );
  });

  test('an upload of which nothing comes is swept away after a quarter of an hour', async () => {
    const { fileId } = await f.fileClient.beginUpload({ nodeRef: workspace._id }, api.options);
    const write = (index: number) => f.fileClient.writeSegment({ fileId, index, data: PNG }, api.options);
    await write(0);
    f.clock.nowMs += 14 * 60_000;
    await write(1);
    f.clock.nowMs += 14 * 60_000;
    await sweep();
    expect(await isStored(fileId)).toBe(true);
    f.clock.nowMs += 60_000;
    await sweep();
    expect(await isStored(fileId)).toBe(false);
    await expect(write(2)).rejects.toMatchObject(missing);
  });

  test('what is kept is never swept', async () => {
    const node = await api.upload(workspace._id, big, 'kept.bin');
    f.clock.nowMs += 60 * 60_000;
    await sweep();
    expect((await bytesOf(node._id)).equals(big)).toBe(true);
  });

  test('a sweep that fails goes on later, and lets others through', async () => {
    const files = await Promise.all(['a', 'b'].map((name) => api.upload(workspace._id, PNG, name)));
    const ids = await Promise.all(files.map(({ _id }) => fileIdOf(_id)));
    for (const { _id } of files) await api.remove(_id);
    const objects = {
      put: async () => {},
      get: async () => undefined,
      delete: async (name: string) => {
        if (name.startsWith(ids[0]!)) throw new Error('away');
        await f.bus.objects.delete(name);
      },
    };
    await expect(sweepFiles({ ...f, objects })).rejects.toThrow('files could not be removed');
    expect(await Promise.all(ids.map(isStored))).toEqual([true, false]);
    await sweep();
    expect(await isStored(ids[0]!)).toBe(false);
  });

  test('with an account its files go too', async () => {
    const mine = await f.account();
    const node = await mine.upload((await mine.create('Workspace', 'Mine'))._id, PNG);
    const fileId = await fileIdOf(node._id);
    await f.owners.deleteAccount({ account: mine.ownerId }, f.service);
    await sweep();
    expect(await isStored(fileId)).toBe(false);
  });
});

describe('templates', () => {
  test('instances share the files of their template, from the beginning and later', async () => {
    const mine = await f.account();
    const root = await mine.create('Workspace', 'Root');
    const templates = await mine.create('Templates', 'Templates');
    const template = await mine.create('Group', 'Template', templates._id);
    const first = await mine.upload(template._id, PNG, 'first.png');
    const [instance] = await mine.clone(template._id, { parentId: root._id, name: 'Instance' });
    const local = await mine.upload(instance!._id, Buffer.from('own'), 'second.png');
    const second = await mine.upload(template._id, PNG, 'second.png');
    const children = async () =>
      (await mine.list({ filter: `parentId($eq:${instance!._id})`, sort: 'name' })).list.map(
        ({ _id, name, templateNodeId }) => ({ _id, name, templateNodeId }),
      );
    const seen = await children();
    expect(seen).toEqual([
      { _id: expect.any(String), name: 'first.png', templateNodeId: first._id },
      { _id: local._id, name: 'second.png', templateNodeId: undefined },
      { _id: expect.any(String), name: 'second.png (2)', templateNodeId: second._id },
    ]);
    expect((await bytesOf(local._id)).toString()).toBe('own');
    await mine.update(first._id, { description: 'Told' });
    expect((await mine.get(seen[0]!._id)).description).toBe('Told');
    await expect(mine.update(seen[0]!._id, { description: 'Own' })).rejects.toMatchObject(
      refused('description: is locked'),
    );
    expect((await bytesOf(seen[0]!._id)).equals(PNG)).toBe(true);
    const fileId = await fileIdOf(first._id);
    await mine.remove(first._id);
    await sweep();
    expect((await children()).map(({ name }) => name)).toEqual(['second.png', 'second.png (2)']);
    expect(await isStored(fileId)).toBe(false);
  });
});

test('the usage of an account counts each file once', async () => {
  const mine = await f.account();
  const owner = await ownerClient(f, mine.caller);
  const root = await mine.create('Workspace', 'Root');
  const node = await mine.upload(root._id, Buffer.alloc(1000), 'a');
  await mine.clone(node._id, { parentId: root._id });
  await mine.upload(root._id, Buffer.alloc(234), 'b');
  const bytes = async () =>
    ((await owner.usage()) as unknown as { accounts: { attachmentBytes: number }[] }).accounts[0];
  expect(await bytes()).toMatchObject({ attachmentBytes: 1234 });
  await mine.remove(root._id);
  await sweep();
  expect(await bytes()).toMatchObject({ attachmentBytes: 0 });
});

describe('what a transport brings', () => {
  const asDevices = async () => ({ token: await f.signer.sign({ kind: 'service', service: 'devices' }) });
  const received = async (ownerId: string, nodeRef: string, bytes: Uint8Array, fileName: string) => {
    const options = await asDevices();
    const { fileId } = await f.fileClient.beginUpload({ nodeRef, ownerId }, options);
    await f.fileClient.writeSegment({ fileId, index: 0, data: Buffer.from(bytes), ownerId }, options);
    const given = { fileId, nodeRef, ownerId, size: bytes.length, fileName, preview: Buffer.alloc(0), expiry: 0 };
    const { json } = await f.fileClient.finishUpload({ ...given, attr: '_id,name,mimeType' }, options);
    return JSON.parse(json.toString()) as Json;
  };
  const camera = async (more: object = {}) => {
    const mine = await f.account();
    const { location } = await f.source(mine);
    return { mine, camera: await mine.create('source.attachment.AttachmentSource', 'Camera', location._id, more) };
  };

  test('becomes an attachment of its source, by System, and is counted', async () => {
    const { mine, camera: source } = await camera({ fileTypes: ['png'] });
    const made = await received(mine.ownerId, source._id, PNG, 'gate.png');
    expect(made).toEqual({ _id: made._id, name: 'gate.png', mimeType: 'image/png' });
    expect(await mine.get(source._id)).toMatchObject({
      currentAttachmentId: made._id,
      totalCommsAttempt: 1,
      totalCommsSuccess: 1,
      lastAcquireRecordCount: 1,
      lastCommsSuccess: expect.any(String),
    });
    await expect(received(mine.ownerId, source._id, PNG, 'gate.jpg')).rejects.toMatchObject(
      refused('file: must be of'),
    );
    const event = await until(() => f.published.events.find(({ nodeId }) => nodeId === made._id));
    expect(event).toMatchObject({ username: 'System', message: "Created node 'gate.png'" });
  });

  test('goes to enabled attachment sources of the account alone, from devices alone', async () => {
    const { mine, camera: source } = await camera();
    const other = await f.account();
    const wrong = { kind: 'failed_precondition', reason: 'NO_ATTACHMENT_SOURCE' };
    await expect(received(other.ownerId, source._id, PNG, 'a.png')).rejects.toMatchObject(missing);
    await expect(received('', source._id, PNG, 'a.png')).rejects.toMatchObject({ kind: 'invalid_argument' });
    await expect(received(mine.ownerId, String(source.workspaceId), PNG, 'a.png')).rejects.toMatchObject(wrong);
    await mine.update(source._id, { isEnabled: false });
    await expect(received(mine.ownerId, source._id, PNG, 'a.png')).rejects.toMatchObject(wrong);
    const request = { nodeRef: source._id, ownerId: mine.ownerId };
    await expect(f.fileClient.beginUpload(request, f.service)).rejects.toMatchObject(denied);
    await expect(f.fileClient.beginUpload(request, other.options)).rejects.toMatchObject(missing);
  });

  test('is refused after the files of a day, with the alarm of an overload; the next day begins anew', async () => {
    const { mine, camera: source } = await camera();
    await received(mine.ownerId, source._id, PNG, 'first.png');
    await f.database.query('UPDATE node_values SET files_of_day = 150 WHERE node_id = $1', [source._id]);
    const full = { kind: 'resource_exhausted', reason: 'DAILY_LIMIT' };
    for (const name of ['a.png', 'b.png'])
      await expect(received(mine.ownerId, source._id, PNG, name)).rejects.toMatchObject(full);
    f.clock.nowMs += 86_400_000;
    await received(mine.ownerId, source._id, PNG, 'next.png');
    const reported = () => f.published.attempts.filter(({ nodeId }) => nodeId === source._id);
    await until(() => reported().length === 4);
    expect(reported().map(({ kind, failure }) => [kind, failure])).toEqual([
      [AttemptKind.ATTEMPT_KIND_FILES, ''],
      [AttemptKind.ATTEMPT_KIND_FILES, '1 file discarded'],
      [AttemptKind.ATTEMPT_KIND_FILES, '2 files discarded'],
      [AttemptKind.ATTEMPT_KIND_FILES, ''],
    ]);
  });
});

test('a Location shows the newest attachment of its image source, and streams report it', async () => {
  const mine = await f.account();
  const { location } = await f.source(mine);
  const camera = await mine.create('source.attachment.AttachmentSource', 'Camera', location._id);
  const plan = await mine.upload(location._id, PNG, 'plan.png');
  const shown = async () => (await mine.get(location._id)).imageAttachmentId;
  await mine.update(location._id, { imageAttachmentId: plan._id, imageSourceId: camera._id });
  expect(await shown()).toBe(plan._id);
  const written = async () => {
    const { rows } = await f.database.query<{ xmin: string }>(
      'SELECT xmin::text FROM node_values WHERE node_id = ANY($1) ORDER BY node_id',
      [[location._id, camera._id]],
    );
    return rows.map(({ xmin }) => xmin);
  };
  const before = await written();
  const picture = await mine.upload(camera._id, PNG, 'gate.png');
  expect(await shown()).toBe(picture._id);
  expect((await mine.get(location._id)).currentAttachmentId).toBeUndefined();
  const with1 = await written();
  expect(with1.filter((xmin, n) => xmin !== before[n])).toHaveLength(2);
  const list = async (filter: string) => (await mine.list({ filter, attr: '_id' })).list.map(({ _id }) => _id);
  expect(await list(`imageAttachmentId($eq:${picture._id})`)).toEqual([location._id]);
  expect(await list(`currentAttachmentId($eq:${picture._id})`)).toEqual([camera._id]);
  await mine.remove(picture._id);
  expect(await shown()).toBe(plan._id);
  expect((await written()).filter((xmin, n) => xmin !== with1[n])).toHaveLength(2);
  await mine.remove(camera._id);
  const { imageSourceId, imageAttachmentId } = await mine.get(location._id);
  expect([imageSourceId, imageAttachmentId]).toEqual([undefined, plan._id]);
});
