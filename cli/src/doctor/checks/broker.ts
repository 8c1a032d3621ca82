import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  askMonitor,
  type BrokerReport,
  deadLetterFindings,
  type Finding,
  inspectBroker,
  ok,
  problem,
  readerFindings,
  streamFindings,
  streamMaxBytes,
  unknown,
  warning,
  withoutLogin,
} from '@catchment/bus';
import { envReader } from '@catchment/config';
import {
  isAtLeast,
  MINIMUM_VERSIONS,
  NATS_CLUSTER_VERSION,
  NATS_SYNC_ALWAYS_VERSION,
  parseVersion,
} from '@catchment/servers';
import { furtherInfluxdbs } from '../../shards/further-influxdbs.ts';
import { clockFinding } from '../clock.ts';
import type { Installation } from '../installation.ts';
import type { Check } from '../run-checks.ts';
import { roomFinding, volumeOf } from '../volume.ts';

const ABOUT = 'nats';

/** The monitoring port alone reports this. A pod of the chart does not reach that port: its network policies have clients in mind. */
const monitorReports = (field: string): string =>
  `Set NATS_MONITOR_URL to its monitoring port (http_port) where that is reachable. A pod of the chart does not reach it: there look at ${field} in http://HOST:8222/jsz?config=true (kubectl port-forward, or on the server).`;

/** Checks NATS: version, durability, clock, room, streams, readers, dead letters. */
export const broker = ({ environment, settings, dataDir }: Installation): Check => ({
  about: ABOUT,
  advice: `Check NATS_URL${environment.NATS_URL ? ` (${withoutLogin(environment.NATS_URL)})` : ''}, its login, and that NATS runs with JetStream and is reachable from here. Where it takes connections, and JetStream says nothing, its volume is mostly full.`,
  look: async ({ ms, signal }) => {
    const url = environment.NATS_URL;
    if (!url) return [unknown(ABOUT, 'NATS_URL is not set here', 'Run it where a service has its settings.')];
    const configured = Number(environment.INGEST_PARTITIONS) || undefined;
    const replicas = Number(environment.STREAM_REPLICAS) || 1;
    // historic alone decides them.
    const limits = settings.get('historic') ?? (environment.INFLUX_URL ? environment : undefined);
    const maxBytes = limits ? streamMaxBytes(envReader(limits)) : {};
    const [report, monitor] = await Promise.all([
      inspectBroker({
        url,
        replicas,
        maxBytes,
        limitMs: ms,
        partitions: configured,
        prefix: environment.NATS_PREFIX ?? '',
        // The log has a place for the writer of each of them.
        parts: furtherInfluxdbs(environment.INFLUX_SHARDS).map(({ name }) => name),
      }),
      environment.NATS_MONITOR_URL ? askMonitor(environment.NATS_MONITOR_URL, signal) : undefined,
    ]);
    const isSyncAlways = monitor?.isSyncAlways ?? (dataDir === undefined ? undefined : await localSync(dataDir));
    const skewMs = report.clockSkewMs ?? monitor?.skewMs;
    return [
      versionFinding(report.version),
      durabilityFinding(report.version, { replicas: replicasOf(report), isSyncAlways }),
      skewMs === undefined
        ? unknown(ABOUT, 'its clock is not reported by versions before 2.10', monitorReports('now'))
        : clockFinding(ABOUT, skewMs),
      storageFinding(
        report.storage.bytes,
        least(report.storage.limitBytes, monitor?.limitBytes, volumeOf({ environment, dataDir }, ABOUT).limitBytes),
      ),
      ...partitionFindings(report, configured),
      ...streamFindings(report.streams, [
        ...(environment.STREAM_REPLICAS ? [] : ['num_replicas']),
        ...(limits ? [] : ['max_bytes']),
      ]),
      ...readerFindings(report.readers),
      ...deadLetterFindings(report.deadLetters),
    ];
  },
});

const replicasOf = ({ streams }: BrokerReport): number =>
  Math.min(...streams.flatMap(({ found }) => (found ? [found.replicas] : [])), Number.MAX_SAFE_INTEGER);

export function versionFinding(text: string): Finding {
  const version = parseVersion(text);
  const minimum = MINIMUM_VERSIONS.nats;
  if (version === undefined)
    return unknown(ABOUT, 'its version is not reported', `Make sure that it is ${minimum} or newer.`);
  if (isAtLeast(version, minimum)) return ok(ABOUT, `version ${version}`);
  return problem(ABOUT, `version ${version} is older than ${minimum}`, `Upgrade NATS to ${minimum} or newer.`);
}

/** Class durable: an answered write survives a loss of power (docs/reference/guarantees.md#durable-before-202). */
export function durabilityFinding(
  version: string,
  { replicas, isSyncAlways }: { replicas: number; isSyncAlways: boolean | undefined },
): Finding {
  if (replicas >= 3 && replicas < Number.MAX_SAFE_INTEGER) {
    if (!isAtLeast(version, NATS_CLUSTER_VERSION))
      return problem(
        ABOUT,
        `a cluster before ${NATS_CLUSTER_VERSION} loses messages and readers when one of its servers ends`,
        `Upgrade every server of the cluster to ${NATS_CLUSTER_VERSION} or newer, one after the other.`,
      );
    return ok(ABOUT, `class durable: every message is on ${replicas} servers before it is answered`);
  }
  if (isSyncAlways) return ok(ABOUT, 'class durable: every message is on disk before it is answered');
  const advice = 'Set sync_interval: always in the jetstream block of NATS, or use a cluster with STREAM_REPLICAS=3.';
  if (!isAtLeast(version, NATS_SYNC_ALWAYS_VERSION))
    return warning(
      ABOUT,
      'class accepted only: a loss of power may lose the writes of the last moments',
      `Upgrade NATS to ${NATS_SYNC_ALWAYS_VERSION} or newer. ${advice}`,
    );
  if (isSyncAlways === false)
    return warning(ABOUT, 'class accepted only: a loss of power may lose the writes of the last moments', advice);
  return unknown(
    ABOUT,
    'whether messages are on disk before they are answered is not reported to clients',
    monitorReports('config.sync_always'),
  );
}

/** Returns the limit that is met first, of those that are known. */
const least = (...limits: (number | undefined)[]): number | undefined => {
  const known = limits.filter((limit) => limit !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

export const storageFinding = (bytes: number, limitBytes: number | undefined): Finding =>
  roomFinding(
    ABOUT,
    'streams and attachments take',
    { bytes, limitBytes, isHere: false },
    monitorReports('config.max_storage'),
  );

export function partitionFindings({ partitions }: Pick<BrokerReport, 'partitions'>, configured?: number): Finding[] {
  if (partitions === undefined || configured === undefined || partitions === configured) return [];
  return [
    problem(
      'stream INGEST',
      `INGEST_PARTITIONS is ${configured}, but the ingest log has ${partitions} partitions`,
      `Set INGEST_PARTITIONS to ${partitions} for every service: an installation keeps it for life.`,
    ),
  ];
}

/** @returns undefined where the local installation uses a NATS that it did not start */
async function localSync(dataDir: string): Promise<boolean | undefined> {
  const text = await readFile(path.join(dataDir, 'nats/nats.conf'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : /^\s*sync_interval:\s*always\s*$/m.test(text);
}
