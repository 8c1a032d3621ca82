import { bytesOf } from '@catchment/contracts/packed-numbers';
import { type NodeChange, newestChanges } from '@catchment/node-replica';
import { appendOutbox, type Database, type OutboxMessage, type Queryable } from '@catchment/pg';
import type { Touch } from '../domain/touch.ts';
import type { FollowedRatings } from '../usecases/ports.ts';
import { saveAccounts } from './save-accounts.ts';

const RATING_CLASS = 'point.NumberRatingPoint';
const MARKS_PER_STATEMENT = 500;

type RatingNode = { readonly nodeId: string; readonly ownerId: string; readonly sourceId: string };
type NodeRow = { node_id: string; owner_id: string; source_id: string };
type NewMark = Omit<Touch, 'timestamps'> & { readonly nodeId: string; readonly timestamps: Buffer | null };

/** Stores ratings as the nodes service announces them. @param failed the message for the processAlarm of one that cannot be computed */
export const pgRatings = (
  database: Database,
  failed: (rating: RatingNode, failure: string, timeMs: number) => OutboxMessage,
): FollowedRatings => ({
  async follow(changes) {
    const newest = newestChanges(changes);
    await database.transaction(async (tx) => {
      await saveRatings(tx, newest);
      const inputs = newest.filter(({ node }) => node.series);
      await tx.query(
        `UPDATE ratings r SET needs_check = true, check_time = '-infinity', since_ms = nullif(i.time_ms, 0)
         FROM unnest($1::text[], $2::bigint[]) AS i (node_id, time_ms) WHERE r.input_node_id = i.node_id`,
        [inputs.map(({ node }) => node.nodeId), inputs.map(({ timeMs }) => timeMs)],
        'follow-inputs',
      );
    });
  },

  async forget(nodeIds, timeMs) {
    const failure = 'the input was deleted';
    await database.transaction(async (tx) => {
      await tx.query('DELETE FROM ratings WHERE node_id = ANY($1::text[])', [nodeIds], 'forget-computed-ratings');
      const { rows } = await tx.query<NodeRow>(
        `UPDATE ratings SET plan_version = NULL, plan = NULL, phase = NULL, needs_check = false, failure = $2
         WHERE input_node_id = ANY($1::text[]) AND failure <> $2 RETURNING node_id, owner_id, source_id`,
        [nodeIds, failure],
        'forget-rated-inputs',
      );
      await appendOutbox(
        tx,
        rows.map((row) =>
          failed({ nodeId: row.node_id, ownerId: row.owner_id, sourceId: row.source_id }, failure, timeMs),
        ),
      );
    });
  },

  async touch(bySeries) {
    if (bySeries.size === 0) return false;
    const { rows } = await database.query<{ node_id: string; input_node_id: string }>(
      'SELECT node_id, input_node_id FROM ratings WHERE input_node_id = ANY($1::text[])',
      [[...bySeries.keys()]],
      'ratings-of-inputs',
    );
    const marks = rows.flatMap(({ node_id: nodeId, input_node_id }) =>
      (bySeries.get(input_node_id) ?? []).map(
        ({ timestamps, ...touch }): NewMark => ({
          ...touch,
          nodeId,
          timestamps: timestamps ? bytesOf(timestamps) : null,
        }),
      ),
    );
    await insertMarks(database, marks);
    return marks.length > 0;
  },
});

/** A node without a rating is of interest only when it had one: its records go. */
async function saveRatings(tx: Queryable, changes: readonly NodeChange[]): Promise<void> {
  const rated = changes.filter(({ node }) => node.class === RATING_CLASS);
  if (rated.length === 0) return;
  const column = <T>(value: (node: NodeChange['node']) => T) => rated.map(({ node }) => value(node));
  await saveAccounts(
    tx,
    column(({ ownerId }) => ownerId),
  );
  await tx.query(
    `INSERT INTO ratings AS known (node_id, owner_id, workspace_id, source_id, class, name, kind, revision, input_node_id, digest,
       since_ms, is_enabled, needs_check, due)
     SELECT n.node_id, n.owner_id, n.workspace_id, n.source_id, n.class, n.name, 'rating', n.revision, nullif(n.input_node_id, ''),
       n.digest, nullif(n.time_ms, 0), true, n.digest <> '', false
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[], $9::text[],
       $10::bigint[]) AS n (node_id, owner_id, workspace_id, source_id, class, name, revision, input_node_id, digest, time_ms)
     ORDER BY n.node_id
     ON CONFLICT (node_id) DO UPDATE SET workspace_id = excluded.workspace_id, source_id = excluded.source_id, name = excluded.name,
       revision = excluded.revision, input_node_id = excluded.input_node_id, digest = excluded.digest,
       since_ms = CASE WHEN known.digest = excluded.digest THEN known.since_ms ELSE excluded.since_ms END,
       needs_check = known.needs_check OR known.digest <> excluded.digest,
       check_time = CASE WHEN known.digest = excluded.digest THEN known.check_time ELSE '-infinity' END
     WHERE known.revision < excluded.revision`,
    [
      column((node) => node.nodeId),
      column((node) => node.ownerId),
      column((node) => node.workspaceId),
      column((node) => node.sourceId),
      column((node) => node.class),
      column((node) => node.name),
      column((node) => node.revision),
      column(({ series }) => series?.rating?.inputNodeId ?? ''),
      column(({ series }) => series?.rating?.digest ?? ''),
      rated.map(({ timeMs }) => timeMs),
    ],
    'save-computed-ratings',
  );
}

async function insertMarks(on: Queryable, marks: readonly NewMark[]): Promise<void> {
  for (let from = 0; from < marks.length; from += MARKS_PER_STATEMENT) {
    const some = marks.slice(from, from + MARKS_PER_STATEMENT);
    await on.query(
      `INSERT INTO rating_marks (node_id, silent, from_ms, to_ms, clears, timestamps)
       SELECT m.* FROM unnest($1::text[], $2::boolean[], $3::bigint[], $4::bigint[], $5::boolean[], $6::bytea[])
         AS m (node_id, silent, from_ms, to_ms, clears, timestamps) JOIN ratings USING (node_id)`,
      [
        some.map(({ nodeId }) => nodeId),
        some.map(({ silent }) => silent),
        some.map(({ fromMs }) => fromMs),
        some.map(({ toMs }) => toMs),
        some.map(({ clears }) => clears),
        some.map(({ timestamps }) => timestamps),
      ],
      'insert-marks',
    );
  }
}
