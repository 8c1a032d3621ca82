import type { Scope } from '@catchment/access';
import { invalid } from '@catchment/errors';
import type { Database } from '@catchment/pg';
import type { Logger } from '@catchment/telemetry';
import { alarmConfig } from '../../domain/classes/alarm-config.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { type StoredNode, transportOf } from '../../domain/classes/node.ts';
import { isSource } from '../../domain/classes/node-class.ts';
import { findNode, lineOf } from '../../nodes/index.ts';
import { withoutClosed } from '../../rights/index.ts';
import { type Diagnosis, diagnose } from '../domain/diagnose.ts';
import type { SourceFacts } from '../domain/facts.ts';
import { wayOf } from '../domain/way.ts';
import { peersOf, sourceData, sourcesUnder } from '../store/source-facts-query.ts';
import type { Contacts } from './ports.ts';

export type DiagnosisDeps = {
  readonly database: Database;
  readonly contacts: Contacts;
  readonly log: Pick<Logger, 'warn'>;
  readonly now: () => number;
};

export type Diagnosed = { readonly source: SourceFacts; readonly diagnosis: Diagnosis; readonly nowMs: number };

/**
 * Tells why the source of a node is silent, or that it is not (docs/reference/sources.md#diagnosis). It asks each store one question.
 * @throws DomainError not_found, permission_denied; invalid_argument where the node has no source, or several
 */
export async function getDiagnosis(deps: DiagnosisDeps, scope: Scope, reference: string): Promise<Diagnosed> {
  const { database, now } = deps;
  const source = await sourceOf(deps, scope, await findNode(database, scope, reference));
  const way = wayOf(transportOf(source.config));
  const closed = (column: string, values: unknown[]) => withoutClosed(scope, column, values);
  const [facts, contact, events, peers] = await Promise.all([
    factsOf(deps, source),
    ...asked(deps, source),
    way && peersOf(database, scope, closed, { nodeId: source.nodeId, way }),
  ]);
  const nowMs = now();
  const found = { source: facts, contact, events, peers: peers && way && { ...peers, by: way.by } };
  return { source: facts, diagnosis: diagnose(found, nowMs), nowMs };
}

/** Returns the same of one source by itself, for whoever may hear of it: nothing about any other. */
export async function diagnosisOf(deps: DiagnosisDeps, source: StoredNode): Promise<Diagnosis> {
  const [facts, contact, events] = await Promise.all([factsOf(deps, source), ...asked(deps, source)]);
  return diagnose({ source: facts, contact, events, peers: undefined }, deps.now());
}

/** @throws DomainError invalid_argument */
async function sourceOf({ database }: DiagnosisDeps, scope: Scope, node: StoredNode): Promise<StoredNode> {
  const { kind } = nodeClass(node.class);
  if (isSource(nodeClass(node.class))) return node;
  if (kind === 'location') {
    const [only, ...more] = await sourcesUnder(database, node.nodeId);
    if (only !== undefined && more.length === 0) return findNode(database, scope, only);
    if (more.length > 0) throw invalid('INVALID_ARGUMENT', 'id: the Location has several sources: name one of them');
  }
  const line = kind === 'parameter' ? await lineOf(database, node.nodeId) : [];
  const source = line.findLast(({ class: name }) => isSource(nodeClass(name)));
  if (!source)
    throw invalid('INVALID_ARGUMENT', 'id: must be a source, a parameter of one, or a Location that has one');
  return findNode(database, scope, source.nodeId);
}

async function factsOf({ database }: DiagnosisDeps, source: StoredNode): Promise<SourceFacts> {
  const { nodeId, name, workspaceId, config } = source;
  const data = await sourceData(database, nodeId);
  return {
    nodeId,
    name,
    workspaceId,
    transport: transportOf(config).class,
    isOutdated: data.isOutdated,
    isEnabled: config.isEnabled !== false,
    isWatched: alarmConfig('outdatedAlarm', config.alarms ?? {})?.isEnabled === true,
    lastSuccessMs: data.lastSuccessMs ?? undefined,
    newestRecordMs: data.newestRecordMs ?? undefined,
    recordsAheadMs: Math.max(0, data.recordsAheadMs ?? 0),
  };
}

/** Asks the other services; a service that is away is left out, and the answer says so. */
function asked({ contacts, log }: DiagnosisDeps, { ownerId, nodeId }: StoredNode) {
  const away = (of: string) => (err: unknown) => {
    log.warn({ err, of, nodeId }, 'a diagnosis goes without what another service knows');
    return undefined;
  };
  return [
    contacts.contact(ownerId, nodeId).catch(away('devices')),
    contacts.events(ownerId, nodeId).catch(away('events')),
  ] as const;
}
