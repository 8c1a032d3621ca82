import type { NodeConfig } from '@catchment/contracts/nodes';
import { notFound } from '@catchment/errors';
import { DAY_MS, effectiveZone } from '@catchment/time';
import type { PlanInput } from '../domain/plan.ts';
import type { SeriesReader } from './ports.ts';
import type { Sandbox, SandboxNode } from './sandbox.ts';

export type RenderUrlDeps = {
  readonly sandbox: Sandbox;
  readonly reader: Pick<SeriesReader, 'newest'>;
  /** A source with its parameters. @throws DomainError not_found */
  readonly source: (
    ownerId: string,
    sourceId: string,
  ) => Promise<{ source: NodeConfig; parameters: readonly NodeConfig[] }>;
  /** undefined when it is gone. */
  readonly node: (ownerId: string, nodeId: string) => Promise<NodeConfig | undefined>;
};

/** Deeper trees do not exist. */
const MAX_DEPTH = 50;

/**
 * The URL of a download with its expressions evaluated (docs/reference/expressions.md#download-urls).
 * @throws DomainError failed_precondition: an expression has failed; not_found: no such source
 */
export async function renderUrl(
  deps: RenderUrlDeps,
  { ownerId, sourceId, template, nowMs }: { ownerId: string; sourceId: string; template: string; nowMs: number },
  signal: AbortSignal,
): Promise<string> {
  const { source, parameters } = await deps.source(ownerId, sourceId);
  if (!source.source) throw notFound();
  const { timezone, timezoneAdjustForDst } = source.source;
  const zone = { name: timezone || 'Etc/UTC', adjustsForDst: timezoneAdjustForDst };
  const newestMs = template.includes('currentLocalTime') ? await newestOf(deps, parameters, signal) : undefined;
  const local = effectiveZone(zone.name, zone.adjustsForDst, nowMs).formatIso(newestMs ?? nowMs - DAY_MS);
  const nodes: SandboxNode[] = [
    { ...sandboxNode(source), attributes: { ...sandboxNode(source).attributes, currentLocalTime: local } },
  ];
  const location = await locationAbove(deps, source);
  const workspace = await deps.node(ownerId, source.workspaceId);
  const globals = {
    THIS: 0,
    SOURCE: 0,
    ...(location && { LOCATION: nodes.push(sandboxNode(location)) - 1 }),
    WORKSPACE: workspace ? nodes.push(sandboxNode(workspace)) - 1 : 0,
  };
  return deps.sandbox.render(ownerId, { template, nowMs, nodes, globals, zone }, signal);
}

async function newestOf({ reader }: RenderUrlDeps, parameters: readonly NodeConfig[], signal: AbortSignal) {
  const series = parameters.flatMap(({ nodeId, ownerId, series: config }): PlanInput[] =>
    config ? [{ nodeId, ownerId, valueType: config.valueType, transform: '' }] : [],
  );
  const times = (await reader.newest(series, signal)).filter((timeMs) => timeMs !== undefined);
  return times.length > 0 ? Math.max(...times) : undefined;
}

async function locationAbove({ node }: RenderUrlDeps, source: NodeConfig): Promise<NodeConfig | undefined> {
  let parentId = source.parentId;
  for (let depth = 0; depth < MAX_DEPTH && parentId !== ''; depth += 1) {
    const parent = await node(source.ownerId, parentId);
    if (!parent || parent.class.startsWith('location.')) return parent;
    parentId = parent.parentId;
  }
  return undefined;
}

const sandboxNode = ({ nodeId, name, customId }: NodeConfig): SandboxNode => ({
  nodeId,
  attributes: { _id: nodeId, name, ...(customId && { customId }) },
});
