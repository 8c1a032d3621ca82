import type { NodeConfig } from '@catchment/contracts/nodes';
import { type NodeChange, newestChanges } from '@catchment/node-replica';
import { appendOutbox, type Database, type OutboxMessage, type Queryable } from '@catchment/pg';
import type { ProgramKind } from '../domain/program.ts';
import type { Applied, FollowedPrograms } from '../usecases/ports.ts';
import { saveAccounts } from './save-accounts.ts';

/** Stores what becomes of programs, as other services report it. */
export class PgPrograms implements FollowedPrograms {
  readonly #database: Database;

  readonly #works: (program: ProgramNode, timeMs: number) => OutboxMessage;

  /** @param works the message for the processAlarm of a program that has nothing that could fail any more */
  constructor(database: Database, works: (program: ProgramNode, timeMs: number) => OutboxMessage) {
    this.#database = database;
    this.#works = works;
  }

  /** Takes over configurations; programs that depend on one of these nodes, or may, are validated again. */
  async follow(changes: readonly NodeChange[]): Promise<void> {
    const nodes = newestChanges(changes).map(({ node }) => node);
    await this.#database.transaction(async (tx) => {
      await saveRatings(
        tx,
        nodes.filter((node) => node.class === RATING_CLASS),
      );
      const programs = nodes.flatMap((node) => programOf(node) ?? []);
      await savePrograms(tx, programs);
      const without = nodes.filter((node) => isProgramClass(node) && !programOf(node));
      const mended = await forgetPrograms(tx, without);
      await appendOutbox(
        tx,
        without.filter(({ nodeId }) => mended.has(nodeId)).map((node) => this.#works(node, Date.now())),
      );
      await checkAgain(
        tx,
        nodes.map(({ nodeId }) => nodeId),
        nodes.map(({ ownerId }) => ownerId),
      );
    });
  }

  /** Nodes are gone, with their programs; what has read them is validated again. */
  async forget(ownerId: string, nodeIds: readonly string[]): Promise<void> {
    await this.#database.transaction(async (tx) => {
      await tx.query('DELETE FROM rating_inputs WHERE node_id = ANY($1::text[])', [nodeIds], 'forget-ratings');
      await tx.query(
        'DELETE FROM programs WHERE owner_id = $1 AND node_id = ANY($2::text[])',
        [ownerId, nodeIds],
        'forget-gone-programs',
      );
      await checkAgain(tx, nodeIds, []);
    });
  }

  /** Programs of a disabled account do not run; those of one that is enabled again go on where they were. */
  async setAccount(ownerId: string, isDisabled: boolean): Promise<void> {
    await this.#database.query(
      `INSERT INTO accounts (owner_id, is_disabled) VALUES ($1, $2)
       ON CONFLICT (owner_id) DO UPDATE SET is_disabled = excluded.is_disabled`,
      [ownerId, isDisabled],
      'set-account',
    );
    if (isDisabled) return;
    // Ticks of the time between are missed.
    await this.#database.query('UPDATE programs SET due = true WHERE owner_id = $1', [ownerId], 'account-due');
  }

  /** Programs with these inputs may have something to evaluate. @returns whether there is any */
  async mark({ changed, deleted }: Applied): Promise<boolean> {
    if (changed.size === 0) return false;
    // A mark that is there has not been taken: it stands for this one too.
    const { rowCount } = await this.#database.query(
      `INSERT INTO marks (node_id) SELECT DISTINCT i.node_id FROM program_inputs i
       WHERE i.is_input AND i.on_node_id = ANY($1::text[])
         AND NOT EXISTS (SELECT FROM marks m WHERE m.node_id = i.node_id AND m.forgets IS NULL AND NOT m.checks)`,
      [[...changed]],
      'mark',
    );
    if (deleted.length > 0)
      await this.#database.query(
        `INSERT INTO marks (node_id, forgets, time_ms) SELECT o.node_id, d.node_id, d.time_ms
         FROM unnest($1::text[], $2::bigint[]) AS d (node_id, time_ms) JOIN program_outputs o ON o.output_node_id = d.node_id`,
        [deleted.map(({ nodeId }) => nodeId), deleted.map(({ timeMs }) => timeMs)],
        'mark-forgets',
      );
    return rowCount > 0;
  }

  /**
   * The history of a series is another one: process parameters that read it are computed anew.
   * @param newsFromMs records of the series from this time on are new, Unix ms
   * @returns whether there is any
   */
  async recomputeFrom(nodeId: string, newsFromMs: number | undefined): Promise<boolean> {
    const { rowCount } = await this.#database.query(
      `UPDATE programs SET ${recompute('$2::bigint')} WHERE kind = 'parameter' AND plan_version IS NOT NULL
         AND node_id IN (SELECT node_id FROM program_inputs WHERE on_node_id = $1 AND is_input)`,
      [nodeId, newsFromMs ?? null],
      'recompute-from',
    );
    return rowCount > 0;
  }

  /** @returns whether the processor has a program that can run, or may be found to */
  async acquireProcessor(
    ownerId: string,
    nodeId: string,
    nowMs: number,
    events: readonly OutboxMessage[],
  ): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const { rowCount } = await tx.query(
        `UPDATE programs SET acquire_ms = $3, due = true, suspended_until = NULL
         WHERE owner_id = $1 AND node_id = $2 AND kind = 'processor' AND is_enabled
           AND (plan_version IS NOT NULL OR needs_check)`,
        [ownerId, nodeId, nowMs],
        'acquire-processor',
      );
      if (rowCount > 0) await appendOutbox(tx, events);
      return rowCount > 0;
    });
  }

  /** @param nodeId a source, or one of its process parameters alone @returns whether there are process parameters with a program */
  async acquireParameters(ownerId: string, nodeId: string, events: readonly OutboxMessage[]): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const { rowCount } = await tx.query(
        `UPDATE programs SET ${recompute('NULL::bigint')} WHERE owner_id = $1 AND $2 IN (source_id, node_id) AND kind = 'parameter'`,
        [ownerId, nodeId],
        'acquire-parameters',
      );
      if (rowCount > 0) await appendOutbox(tx, events);
      return rowCount > 0;
    });
  }
}

/**
 * Records that had not been evaluated before count as new, unless the program was suspended, or was never computed.
 * @param newsFrom SQL: records from here on are new for what they were computed by; NULL: it is not known
 */
const recompute = (
  newsFrom: string,
): string => `phase = 'empty', done_records = 0, told_time = now(), retry_time = '-infinity',
  news_from_ms = CASE WHEN suspended_until IS NULL AND (phase IS DISTINCT FROM 'empty' OR news_from_ms IS NOT NULL)
    THEN least(CASE phase WHEN 'empty' THEN news_from_ms END, greatest(${newsFrom}, told_from_ms, position_ms + 1)) END,
  suspended_until = NULL`;
const RATING_CLASS = 'point.NumberRatingPoint';
const PROCESSOR_CLASS = 'source.data.Processor';
const PARAMETER_CLASSES = ['point.NumberProcessPoint', 'point.TextProcessPoint', 'point.TimeProcessPoint'];
const isProgramClass = (node: NodeConfig): boolean =>
  node.class === PROCESSOR_CLASS || PARAMETER_CLASSES.includes(node.class);

type ProgramNode = Pick<NodeConfig, 'nodeId' | 'ownerId' | 'sourceId'>;
type ProgramConfig = { readonly node: NodeConfig; readonly kind: ProgramKind; readonly digest: string };

function programOf(node: NodeConfig): ProgramConfig | undefined {
  const kind = node.class === PROCESSOR_CLASS ? 'processor' : 'parameter';
  const program = kind === 'processor' ? node.source?.program : node.series?.program;
  return isProgramClass(node) && program ? { node, kind, digest: program.digest } : undefined;
}

async function savePrograms(tx: Queryable, programs: readonly ProgramConfig[]): Promise<void> {
  if (programs.length === 0) return;
  const column = <T>(value: (program: ProgramConfig) => T) => programs.map(value);
  await saveAccounts(
    tx,
    column(({ node }) => node.ownerId),
  );
  await tx.query(
    `INSERT INTO programs AS known (node_id, owner_id, workspace_id, source_id, class, name, kind, revision, digest, is_enabled,
       interval_ms, interval_offset_ms)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[],
       $9::text[], $10::boolean[], $11::bigint[], $12::bigint[])
     ORDER BY 1
     ON CONFLICT (node_id) DO UPDATE SET workspace_id = excluded.workspace_id, source_id = excluded.source_id, name = excluded.name,
       revision = excluded.revision, digest = excluded.digest, is_enabled = excluded.is_enabled,
       interval_ms = excluded.interval_ms, interval_offset_ms = excluded.interval_offset_ms,
       due = known.due OR excluded.is_enabled, needs_check = true, check_time = '-infinity'
     WHERE known.revision < excluded.revision`,
    [
      column(({ node }) => node.nodeId),
      column(({ node }) => node.ownerId),
      column(({ node }) => node.workspaceId),
      column(({ node }) => node.sourceId),
      column(({ node }) => node.class),
      column(({ node }) => node.name),
      column(({ kind }) => kind),
      column(({ node }) => node.revision),
      column(({ digest }) => digest),
      column(({ node, kind }) => kind === 'parameter' || (node.source?.isEnabled ?? false)),
      column(({ node }) => (node.source?.intervalSeconds ? node.source.intervalSeconds * 1_000 : null)),
      column(({ node }) => (node.source?.intervalOffsetSeconds ?? 0) * 1_000),
    ],
    'save-programs',
  );
}

/**
 * Nodes whose program was taken away keep the records that they have. @returns those of which a failure was reported
 */
async function forgetPrograms(tx: Queryable, nodes: readonly NodeConfig[]): Promise<Set<string>> {
  if (nodes.length === 0) return new Set();
  const { rows } = await tx.query<{ node_id: string; failure: string }>(
    `DELETE FROM programs USING unnest($1::text[], $2::bigint[]) AS n (id, rev) WHERE node_id = n.id AND revision < n.rev
     RETURNING node_id, failure`,
    [nodes.map(({ nodeId }) => nodeId), nodes.map(({ revision }) => revision)],
    'forget-programs',
  );
  return new Set(rows.filter(({ failure }) => failure !== '').map(({ node_id }) => node_id));
}

async function saveRatings(tx: Queryable, ratings: readonly NodeConfig[]): Promise<void> {
  if (ratings.length === 0) return;
  await tx.query(
    `INSERT INTO rating_inputs AS known (node_id, name, input_node_id, revision)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) ORDER BY 1
     ON CONFLICT (node_id) DO UPDATE SET name = excluded.name, input_node_id = excluded.input_node_id, revision = excluded.revision
     WHERE known.revision < excluded.revision`,
    [
      ratings.map(({ nodeId }) => nodeId),
      ratings.map(({ name }) => name),
      ratings.map(({ series }) => series?.rating?.inputNodeId ?? ''),
      ratings.map(({ revision }) => revision),
    ],
    'save-ratings',
  );
}

/** Programs that depend on one of the nodes (all do on their Workspace), and those of the account whose paths may name one of them now. */
async function checkAgain(tx: Queryable, nodeIds: readonly string[], ownerIds: readonly string[]): Promise<void> {
  await tx.query(
    `INSERT INTO marks (node_id, checks) SELECT node_id, true FROM (
       SELECT node_id FROM program_inputs WHERE on_node_id = ANY($1::text[])
       UNION SELECT node_id FROM programs WHERE follows_account AND owner_id = ANY($2::text[])) concerned
     WHERE NOT EXISTS (SELECT FROM marks m WHERE m.node_id = concerned.node_id AND m.checks)`,
    [nodeIds, [...new Set(ownerIds)]],
    'check-again',
  );
}
