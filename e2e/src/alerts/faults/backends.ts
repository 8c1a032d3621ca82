import { statfs } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hang, limitStream, smallVolume } from '@catchment/testkit';
import type { Fault } from '../fault.ts';
import { stutter } from '../processes.ts';
import type { Scene } from '../scene.ts';

/** A stream that is to fill has this room left for messages. */
const ROOM_BYTES = 1_000_000;

/** Changes a node, and with it adds a row to the outbox. */
const change = ({ api, levelId }: Scene) => api.put(`/nodes/${levelId}`, { description: String(Date.now()) });

export const BACKEND_FAULTS: readonly Fault[] = [
  {
    name: 'influxdb-away',
    what: 'InfluxDB is stopped (SIGSTOP)',
    alerts: [
      'CatchmentShardDown',
      'CatchmentReaderBehind',
      'CatchmentReaderStuck',
      'CatchmentHttpErrors',
      'CatchmentRpcErrors',
      'CatchmentReadLatencyBurnsFast',
      'CatchmentReadLatencyBurnsSlowly',
    ],
    afterwards: ['CatchmentVisibleLagBurnsFast'],
    cause: async ({ pid }) => hang(await pid('influx')),
  },
  {
    name: 'influxdb-slow',
    what: 'InfluxDB answers every 4 s only',
    alerts: ['CatchmentDatabaseSlow', 'CatchmentVisibleLagBurnsSlowly'],
    cause: async ({ pid }) => stutter(await pid('influx'), { stoppedMs: 4_000, runningMs: 500 }),
  },
  {
    name: 'influxdb-late',
    what: 'InfluxDB answers every 12 s only',
    alerts: ['CatchmentRecordsLate'],
    cause: async ({ pid }) => stutter(await pid('influx'), { stoppedMs: 12_000, runningMs: 1_000 }),
  },
  {
    name: 'nats-away',
    what: 'NATS is stopped (SIGSTOP) while nodes are changed',
    alerts: [
      'CatchmentDependencyDown',
      'CatchmentServiceNotReady',
      'CatchmentOutboxStuck',
      'CatchmentWriteAvailabilityBurnsFast',
      'CatchmentWriteAvailabilityBurnsSlowly',
    ],
    cause: async (scene) => {
      const end = scene.again(500, () => change(scene));
      const goOn = await hang(await scene.pid('nats'));
      return async () => {
        end();
        await goOn();
      };
    },
  },
  {
    name: 'postgresql-away',
    what: 'PostgreSQL is stopped (SIGSTOP), all of its processes',
    alerts: ['CatchmentDependencyDown', 'CatchmentServiceNotReady'],
    cause: async ({ pid }) => hang(await pid('postgres')),
  },
  {
    name: 'nodes-slow',
    what: 'nodes answers every 3 s only',
    alerts: ['CatchmentRequestsSlow'],
    cause: async ({ pid }) => stutter(await pid('nodes'), { stoppedMs: 3_000, runningMs: 400 }),
  },
  {
    name: 'stream-full',
    what: `the log has room for ${ROOM_BYTES} bytes, and alarms, which reads it, is stopped`,
    alerts: ['CatchmentStreamFilling', 'CatchmentStreamFull', 'CatchmentWritesRefused'],
    cause: (scene) => fillLog(scene, 'alarms'),
  },
  {
    name: 'volume-full',
    what: 'a volume is full; Kubernetes reports it (a small one that is mounted as root, and reported as kubelets do)',
    alerts: ['CatchmentVolumeFilling', 'CatchmentVolumeFull'],
    cause: (scene) => fillVolume(scene),
  },
  {
    name: 'shard-full',
    what: `the log has room for ${ROOM_BYTES} bytes, and one of two InfluxDBs is stopped`,
    alerts: ['CatchmentShardWritesRefused', 'CatchmentShardDown'],
    cause: (scene) => fillLog(scene, 'influx'),
  },
  {
    name: 'shard-move',
    what: 'a workspace is moved to another InfluxDB, which is stopped (SIGSTOP)',
    alerts: ['CatchmentShardMoveStuck', 'CatchmentShardDown'],
    cause: async ({ installation, pid, workspaceId }) => {
      const goOn = await hang(await pid('influx-b'));
      await installation.command(['shards', 'move', workspaceId, 'b', '--no-wait']);
      return goOn;
    },
  },
];

/** Writes to a log with little room while a process does not do its part of it. @returns repairs it */
async function fillLog(scene: Scene, stopped: string): Promise<() => Promise<void>> {
  const goOn = await hang(await scene.pid(stopped));
  const before = await limitStream(scene.natsUrl, 'INGEST', (bytes) => bytes + ROOM_BYTES);
  const end = scene.again(100, () => largeWrite(scene));
  return async () => {
    end();
    await limitStream(scene.natsUrl, 'INGEST', () => before);
    await goOn();
  };
}

/** @throws Error where this account may not mount */
async function fillVolume(scene: Scene): Promise<() => Promise<void>> {
  const volume = await smallVolume(16);
  if (!volume) throw new Error('a volume can be mounted by root alone');
  const free = await volume.fill();
  const server = createServer(async (_request, response) => {
    const { bavail, blocks, bsize } = await statfs(volume.folder);
    const at = '{namespace="water",persistentvolumeclaim="data-catchment-nats-0"}';
    response.end(
      `kubelet_volume_stats_available_bytes${at} ${bavail * bsize}\nkubelet_volume_stats_capacity_bytes${at} ${blocks * bsize}\n`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const end = await scene.scrape({ address, labels: { job: 'kubelet' } });
  return async () => {
    await free();
    await volume[Symbol.asyncDispose]();
    server.close();
    await end();
  };
}

let sent = 0;
/** Writes a day of records, one each minute. */
function largeWrite({ api, levelId }: Scene): Promise<unknown> {
  sent += 1;
  const startMs = Date.UTC(2025, 0, 1) + sent * 86_400_000;
  const data = Array.from({ length: 1_440 }, (_, n) => ({
    ts: new Date(startMs + n * 60_000).toISOString(),
    f: { 0: { v: Math.sin(n * sent) } },
  }));
  return api.put(`/nodes/${levelId}/historic`, { docType: 'jts', data });
}
