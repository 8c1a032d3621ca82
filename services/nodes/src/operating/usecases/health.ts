import {
  type BrokerReport,
  deadLetterFindings,
  type Finding,
  ofKind,
  problem,
  readerFindings,
  streamFindings,
} from '@catchment/bus';
import type { GetHealthRequest } from '@catchment/contracts/operator';
import { formatIsoMs } from '@catchment/time';
import type { JsonObject } from '../../domain/body/rule.ts';
import { requireOperator } from '../../people/index.ts';
import { readBackups } from '../store/all-accounts-query.ts';
import type { OperatorDeps } from './deps.ts';
import type { Installation } from './ports.ts';

/** This service does not know these settings of streams: others decide them. */
const UNTOLD = ['num_replicas', 'max_bytes'];
const MAX_PROCESSES = 1_000;

/**
 * Shows what can be seen from here of an installation; a part that is away is a problem of its own. @throws DomainError
 * not_found
 */
export async function getHealth(deps: OperatorDeps, { sessionSha256 }: GetHealthRequest): Promise<JsonObject> {
  await requireOperator(deps, sessionSha256);
  const { installation, database, log } = deps;
  const away = (what: string) => (err: unknown) => {
    log.warn({ err }, `${what} cannot be asked by the operator`);
    return undefined;
  };
  const [broker, versions, shards, backups] = await Promise.all([
    installation.broker().catch(away('the broker')),
    installation.versions().catch(away('the versions of processes')),
    installation.shards().catch(away('historic')),
    readBackups(database),
  ]);
  return {
    findings: [...brokerFindings(broker), ...shardFindings(shards)],
    processes: (versions ?? [])
      .toSorted((a, b) => a.service.localeCompare(b.service) || a.process.localeCompare(b.process))
      .slice(0, MAX_PROCESSES)
      .map(({ service, process, version }) => ({ service, process, version })),
    shards: (shards ?? []).map(({ name, isUp, isDrained, workspaces, series, pending }) => ({
      name,
      isUp,
      isDrained,
      workspaces,
      series,
      pending,
    })),
    backups: backups.map((row) => ({
      finishedTime: formatIsoMs(row.finished_ms),
      tookSeconds: Math.round(row.took_ms / 1_000),
      sizeBytes: row.size_bytes,
    })),
  };
}

function brokerFindings(report: BrokerReport | undefined): readonly Finding[] {
  if (report === undefined)
    return [
      ofKind(
        'BROKER_AWAY',
        {},
        problem('nats', 'does not answer', 'Run "catchment doctor" where the services have their settings.'),
      ),
    ];
  const { streams, readers, deadLetters } = report;
  return [...streamFindings(streams, UNTOLD), ...readerFindings(readers), ...deadLetterFindings(deadLetters)];
}

type Shards = Awaited<ReturnType<Installation['shards']>>;

function shardFindings(shards: Shards | undefined): readonly Finding[] {
  if (shards === undefined)
    return [
      ofKind(
        'HISTORIC_AWAY',
        {},
        problem('historic', 'does not answer', 'Look at the log of its service: reads and writes of records wait.'),
      ),
    ];
  return shards
    .filter(({ isUp, url }) => !isUp && url !== '')
    .map(({ name }) =>
      ofKind(
        'INFLUXDB_AWAY',
        { name },
        problem(`influxdb ${name}`, 'is away', 'Start it, or look at its address in INFLUX_URL and INFLUX_SHARDS.'),
      ),
    );
}
