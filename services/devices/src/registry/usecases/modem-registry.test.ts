import type { SourceEvent } from '../../sources/domain/source-event.ts';
import { releaseModems } from './modem-registry.ts';
import type { Store, Stored } from './ports.ts';

test('of connections that ended together, those whose device no other one has taken over are reported at once', async () => {
  const recorded: (readonly SourceEvent[])[] = [];
  const source = (sourceId: string) => ({ sourceId, ownerId: 'o', workspaceId: 'w', sourceClass: 'source.data.Jts' });
  const tx: Partial<Stored> = {
    closeConnections: async (ended) => ended.map(({ deviceId }) => deviceId).filter((id) => id !== 'taken over'),
    sourcesShown: async (deviceIds) =>
      deviceIds.map((id) => ({ deviceKey: `key of ${id}`, source: source(`of ${id}`) })),
    recordEvents: async (events) => void recorded.push(events),
  };
  const store = { transaction: (work: (stored: Stored) => unknown) => work(tx as Stored) } as unknown as Store;
  const ended = ['a', 'taken over', 'b'].map((deviceId) => ({ deviceId, connectionId: `of ${deviceId}` }));
  await releaseModems({ store, now: () => 7 }, ended);
  await releaseModems({ store, now: () => 8 }, [{ deviceId: 'taken over', connectionId: 'c' }]);
  expect(recorded).toEqual([
    [
      { source: source('of a'), level: 'DEBUG', message: 'Device key of a disconnected', timeMs: 7 },
      { source: source('of b'), level: 'DEBUG', message: 'Device key of b disconnected', timeMs: 7 },
    ],
  ]);
});
