import type { NodeConfig } from '@catchment/contracts/nodes';
import { type ComputationState, type Standing, stateOf } from '../domain/computation.ts';

/** The store knows such a program. */
export type KnownProgram = Standing & {
  readonly nodeId: string;
  readonly suspendedUntilMs?: number;
  readonly failuresInRow: number;
  /** Everything up to here is evaluated. */
  readonly positionMs?: number;
  readonly doneRecords: number;
  /** Ids of the series that it reads, the primary one first, and of those that it writes. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
};

/** The node is computed from series. */
type Follower = {
  readonly nodeId: string;
  readonly kind: 'PROGRAM' | 'RATING';
  readonly outputs: readonly string[];
};

export type ComputationDeps = {
  /** @throws DomainError not_found, permission_denied */
  readonly resolve: (nodeRef: string) => Promise<NodeConfig>;
  /** Returns those that the caller sees, in no order. */
  readonly seen: (nodeIds: readonly string[]) => Promise<readonly NodeConfig[]>;
  readonly programs: {
    known(nodeIds: readonly string[]): Promise<readonly KnownProgram[]>;
    /** Programs and ratings that read one of the series, at most this many. */
    followersOf(series: readonly string[], limit: number): Promise<readonly Follower[]>;
    /** Programs of a Workspace, at most so many: those that are suspended or fail first, then by name. */
    programsOf(workspaceId: string, limit: number): Promise<readonly string[]>;
  };
};

type SeenNode = { readonly _id: string; readonly name: string; readonly path: string };
type ComputedNode = SeenNode & {
  readonly kind: 'PROGRAM' | 'RATING';
  readonly state: ComputationState;
  readonly message: string | null;
  readonly suspendedUntil: string | null;
};
export type Computation = {
  readonly state: ComputationState;
  readonly message: string | null;
  readonly suspendedUntil: string | null;
  readonly failuresInRow: number;
  readonly evaluatedUntil: string | null;
  readonly computedRecords: number;
  readonly inputs: readonly SeenNode[];
  readonly outputs: readonly SeenNode[];
  readonly followers: readonly ComputedNode[];
  /** There are more followers than are named. */
  readonly hasMore: boolean;
};

/** Followers that an answer names. */
const MAX_FOLLOWERS = 200;

/**
 * Reads how a series is computed, what it is computed from, and all that is computed from it; of a Workspace its programs, which follow its shared code. Nodes that the
 * caller does not see are left out.
 */
export async function computationOf(
  { resolve, seen, programs }: ComputationDeps,
  nodeRef: string,
): Promise<Computation> {
  const node = await resolve(nodeRef);
  const [program] = await programs.known([node.nodeId]);
  const outputs = program?.outputs ?? [];
  const inputs = node.series?.rating ? [node.series.rating.inputNodeId] : (program?.inputs ?? []);
  const { followers, hasMore } =
    node.class === 'Workspace'
      ? await programsOf(programs, node.nodeId)
      : await followersOf(programs, [node.nodeId, ...outputs]);
  const known = new Map(
    (await programs.known(followers.map(({ nodeId }) => nodeId))).map((program) => [program.nodeId, program]),
  );
  const ids = [...new Set([...inputs, ...outputs, ...followers.map(({ nodeId }) => nodeId)])];
  const nodes = new Map((ids.length > 0 ? await seen(ids) : []).map((node) => [node.nodeId, node]));
  const shown = (nodeId: string): readonly SeenNode[] => {
    const node = nodes.get(nodeId);
    return node ? [{ _id: node.nodeId, name: node.name, path: node.path }] : [];
  };
  return {
    ...standing(node, program),
    failuresInRow: program?.failuresInRow ?? 0,
    evaluatedUntil: timeText(program?.positionMs),
    computedRecords: program?.doneRecords ?? 0,
    inputs: inputs.flatMap(shown),
    outputs: outputs.flatMap(shown),
    followers: followers.flatMap(({ nodeId, kind }) =>
      shown(nodeId).map((follower) => ({ ...follower, kind, ...standing(nodes.get(nodeId)!, known.get(nodeId)) })),
    ),
    hasMore,
  };
}

function standing(node: NodeConfig, program: KnownProgram | undefined) {
  const wanted = (node.source?.program ?? node.series?.program)?.digest;
  const state = stateOf(program, wanted);
  return {
    state,
    message: state === 'NONE' || state === 'CHECKING' ? null : program?.failure || null,
    suspendedUntil: state === 'SUSPENDED' ? timeText(program?.suspendedUntilMs) : null,
  };
}

const timeText = (timeMs: number | undefined): string | null =>
  timeMs === undefined ? null : new Date(timeMs).toISOString();

type Followers = { readonly followers: readonly Follower[]; readonly hasMore: boolean };

async function programsOf({ programsOf: list }: ComputationDeps['programs'], workspaceId: string): Promise<Followers> {
  const ids = await list(workspaceId, MAX_FOLLOWERS + 1);
  const followers = ids.slice(0, MAX_FOLLOWERS).map((nodeId): Follower => ({ nodeId, kind: 'PROGRAM', outputs: [] }));
  return { followers, hasMore: ids.length > MAX_FOLLOWERS };
}

/** Finds the followers level by level, the nearest first. */
async function followersOf(programs: ComputationDeps['programs'], series: readonly string[]): Promise<Followers> {
  const found = new Map<string, Follower>();
  const known = new Set(series);
  let level = series;
  while (level.length > 0) {
    const room = MAX_FOLLOWERS + 1 - found.size;
    const next: string[] = [];
    for (const follower of await programs.followersOf(level, room + found.size)) {
      if (found.has(follower.nodeId) || known.has(follower.nodeId)) continue;
      found.set(follower.nodeId, follower);
      for (const output of follower.outputs) if (!known.has(output)) next.push(output);
      if (found.size > MAX_FOLLOWERS) return { followers: [...found.values()].slice(0, MAX_FOLLOWERS), hasMore: true };
    }
    for (const output of next) known.add(output);
    level = next;
  }
  return { followers: [...found.values()], hasMore: false };
}
