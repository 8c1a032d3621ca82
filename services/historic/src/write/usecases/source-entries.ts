import { WriteMode } from '@catchment/contracts/ingest';
import type { NodeConfig } from '@catchment/contracts/nodes';
import type { LogEntry } from '@catchment/ingest-log';
import { countOf } from '@catchment/number-format';
import type { BuiltColumn } from '../../records/index.ts';
import { isSeries } from '../../series/index.ts';
import { type Follower, type Positions, positionsOf } from '../domain/positions.ts';
import type { SourceWrite } from './admit-writes.ts';
import { acquisitionEntry, columnEntry, type WriteFacts } from './log-entries.ts';
import type { WriteCall, WriteDeps } from './write-deps.ts';

/** The parameters of the source are known. */
export type WrittenSource = {
  readonly source: NodeConfig;
  /** The parameter of each column. */
  readonly parameters: readonly NodeConfig[];
  readonly followers: readonly Follower[];
  readonly facts: WriteFacts;
  readonly origin: string;
  /** Another write has begun the acquisition. */
  readonly continues: boolean;
  readonly inSession?: boolean;
  readonly deliveries?: number | undefined;
  readonly earlierRows?: number;
  /** All writes of a file update this many parameters. */
  readonly updated?: number;
};

/** Makes the entries of the log for a write to a source: its columns, positions of the Locations that follow it, and the acquisition. */
export function sourceWrite(
  { source, parameters, followers, facts, origin, continues, ...more }: WrittenSource,
  stored: { readonly columns: readonly BuiltColumn[]; readonly rows: number },
): SourceWrite {
  const { inSession = false, deliveries, earlierRows = 0, updated = 0 } = more;
  const toEntries: SourceWrite['toEntries'] = (kept, did) => {
    const written = parameters.flatMap((parameter, n) => {
      const built = kept[n];
      return isSeries(parameter) && built && built.timestamps.length > 0 ? [columnEntry(parameter, built, facts)] : [];
    });
    const byParameter = parameters.map((parameter, n) => ({ parameter, built: kept[n] }));
    const following = BRINGS_NOTHING.has(facts.writeMode) ? [] : followers;
    const positions = following.flatMap((follower) => positionsOf(follower, byParameter) ?? []);
    const faults = positions.filter(({ bad }) => bad > 0).map((position) => faultEntry(source, position, facts));
    const moved = positions.flatMap(({ location, column }) =>
      column.timestamps.length > 0 ? [columnEntry(location, column, facts)] : [],
    );
    const acquisition = {
      isSource: true,
      parameters: Math.max(written.length, updated),
      origin,
      // A write clears no dataAlarm that it raises itself.
      continues: continues || faults.length > 0,
      ...(inSession && { inSession }),
      ...(deliveries !== undefined && { deliveries }),
      ...did,
      rows: did.rows + earlierRows,
    };
    return [...written, ...moved, acquisitionEntry(source, acquisition, facts), ...faults];
  };
  const { nodeId: sourceId, ownerId } = source;
  return { sourceId, ownerId, source, toEntries, ...stored };
}

/** In these modes nothing is written that a Location could follow. */
const BRINGS_NOTHING: ReadonlySet<WriteMode> = new Set([
  WriteMode.WRITE_MODE_DELETE,
  WriteMode.WRITE_MODE_DELETE_RANGE,
  WriteMode.WRITE_MODE_DISCARD,
]);

/** Returns the Locations that follow a source; those of templates take no records. */
export async function followersOf(
  { catalogue }: WriteDeps,
  source: NodeConfig,
  { deadlineMs }: WriteCall,
): Promise<Follower[]> {
  const followers = source.source?.followers ?? [];
  if (followers.length === 0) return [];
  const ids = followers.map(({ locationId }) => locationId);
  const locations = await catalogue.nodesOf(ids, source.ownerId, deadlineMs);
  return locations.flatMap((location) => {
    const from = followers.find(({ locationId }) => locationId === location.nodeId);
    return from && isSeries(location) && location.series.writable ? [{ location, from }] : [];
  });
}

/** Raises the dataAlarm of the source (docs/reference/alarms.md#conditions). */
const faultEntry = (source: NodeConfig, { location, bad }: Positions, facts: WriteFacts): LogEntry => {
  const fault = `${countOf(bad, 'record has', 'records have')} no valid coordinates for '${location.name}'`;
  return acquisitionEntry(source, { isSource: true, rows: 0, parameters: 0, origin: '', fault }, facts);
};
