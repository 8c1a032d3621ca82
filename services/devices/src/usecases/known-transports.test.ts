import type { SourceTransport } from '@catchment/contracts/nodes';
import { transportSettings } from '@catchment/contracts/transports';
import { KnownTransports } from './known-transports.ts';

const SOURCE = { ownerId: 'o1', sourceId: 's1', revision: 3 };
const s3 = (revision: number, secret: string): SourceTransport => ({
  sourceId: SOURCE.sourceId,
  revision,
  settings: transportSettings('S3', { bucket: 'b', accessKeyId: 'k', secret, prefix: '' }),
});

/** A nodes service that knows one source of the account o1 and counts requests. */
function known(stored: SourceTransport | undefined, max?: number) {
  const nodes = { stored, asked: 0 };
  const transports = async (ownerId: string, sourceIds: readonly string[]) => {
    nodes.asked += 1;
    return nodes.stored && ownerId === 'o1' ? sourceIds.map((sourceId) => ({ ...nodes.stored!, sourceId })) : [];
  };
  return { nodes, known: new KnownTransports({ transports }, max) };
}

test('the settings of a source are asked for once, and again when it has changed', async () => {
  const { nodes, known: settings } = known(s3(3, 'first'));
  for (const _again of [1, 2]) expect(await settings.settings('S3', SOURCE)).toMatchObject({ secret: 'first' });
  expect(nodes.asked).toBe(1);
  nodes.stored = s3(4, 'second');
  expect(await settings.settings('S3', { ...SOURCE, revision: 4 })).toMatchObject({ secret: 'second' });
  expect(await settings.settings('S3', SOURCE)).toMatchObject({ secret: 'second' });
  expect(nodes.asked).toBe(2);
});

test('a source that has another transport, or is gone, has no settings of this one', async () => {
  const { nodes, known: settings } = known(s3(3, 'first'));
  expect(await settings.settings('FtpDownload', SOURCE)).toBeUndefined();
  nodes.stored = undefined;
  expect(await settings.settings('S3', { ...SOURCE, revision: 5 })).toBeUndefined();
  expect(await settings.settings('S3', SOURCE)).toBeUndefined();
});

test('what one account has is not answered for another', async () => {
  const { known: settings } = known(s3(3, 'first'));
  expect(await settings.settings('S3', SOURCE)).toBeDefined();
  expect(await settings.settings('S3', { ...SOURCE, ownerId: 'o2' })).toBeUndefined();
});

test('no more sources are remembered than fit', async () => {
  const { nodes, known: settings } = known(s3(3, 'first'), 2);
  const ask = (sourceId: string) => settings.settings('S3', { ...SOURCE, sourceId });
  for (const sourceId of ['s1', 's2', 's3', 's1']) await ask(sourceId);
  expect(nodes.asked).toBe(4);
});
