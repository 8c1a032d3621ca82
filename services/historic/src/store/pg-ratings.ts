import { Rating } from '@catchment/contracts/ratings';
import { essenceOf, UNTRANSFORMED } from '@catchment/equation';
import { type NodeChange, newestChanges } from '@catchment/node-replica';
import { appendOutbox, type Database, type Queryable } from '@catchment/pg';
import { bytesOf, floatsOf } from '../domain/packed-numbers.ts';
import type { Touch } from '../domain/touched-series.ts';
import type {
  Mark,
  RatingPhase,
  RatingProgress,
  RatingSteps,
  Ratings,
  SettledOf,
  StoredRating,
} from '../usecases/ports.ts';

type RatingRow = {
  node_id: string;
  owner_id: string;
  workspace_id: string;
  source_id: string;
  class: string;
  input_node_id: string | null;
  digest: string;
  config: Buffer | null;
  input_multiplier: number | null;
  input_offset: number | null;
  input_equation: string;
  phase: RatingPhase;
  position_ms: number | null;
  first_ms: number | null;
  last_ms: number | null;
  since_ms: number | null;
  news_from_ms: number | null;
  settle_sequence: number | null;
  done_records: number;
  told_time: Date;
  has_failed: boolean;
};
type MarkRow = {
  mark_id: number;
  silent: boolean;
  from_ms: number;
  to_ms: number;
  clears: boolean;
  timestamps: Buffer | null;
};

/** The ratings, as the nodes service announces them. */
export const pgRatings = (database: Database, settledOf: SettledOf): Ratings & RatingSteps => ({
  async follow(changes: readonly NodeChange[]): Promise<void> {
    const newest = newestChanges(changes);
    const rated = newest.filter(({ node }) => node.class === RATING_CLASS);
    const inputs = newest.filter(({ node }) => node.series !== undefined);
    const transforms = inputs.map(({ node }) => essenceOf(node.series ?? UNTRANSFORMED));
    if (rated.length > 0) await saveRatings(database, rated);
    if (inputs.length > 0)
      await database.query(
        `UPDATE ratings r SET phase = 'empty', since_ms = nullif(i.time_ms, 0), input_multiplier = NULL, input_offset = NULL,
           retry_time = '-infinity'
         FROM unnest($1::text[], $2::float8[], $3::float8[], $4::text[], $5::bigint[])
           AS i (node_id, multiplier, input_offset, equation, time_ms)
         WHERE r.input_node_id = i.node_id AND r.input_multiplier IS NOT NULL
           AND (r.input_multiplier, r.input_offset, r.input_equation) <> (i.multiplier, i.input_offset, i.equation)`,
        [
          inputs.map(({ node }) => node.nodeId),
          transforms.map(({ multiplier }) => multiplier),
          transforms.map(({ offset }) => offset),
          transforms.map(({ equation }) => equation),
          inputs.map(({ timeMs }) => timeMs),
        ],
        'follow-inputs',
      );
  },

  async forget(nodeIds: readonly string[], timeMs: number): Promise<void> {
    await database.transaction(async (tx) => {
      await tx.query('DELETE FROM rating_marks WHERE node_id = ANY($1::text[])', [nodeIds], 'forget-marks');
      await tx.query('DELETE FROM ratings WHERE node_id = ANY($1::text[])', [nodeIds], 'forget-ratings');
      const { rows } = await tx.query<RatingRow>(
        'UPDATE ratings SET input_node_id = NULL, has_failed = true WHERE input_node_id = ANY($1::text[]) RETURNING *',
        [nodeIds],
        'forget-inputs',
      );
      await appendOutbox(
        tx,
        rows.map((row) => settledOf(toRating(row), { failure: 'the input was deleted', timeMs })),
      );
    });
  },

  async mark(bySeries: ReadonlyMap<string, readonly Touch[]>): Promise<boolean> {
    if (bySeries.size === 0) return false;
    const { rows } = await database.query<{ node_id: string; input_node_id: string }>(
      'SELECT node_id, input_node_id FROM ratings WHERE input_node_id = ANY($1::text[])',
      [[...bySeries.keys()]],
      'ratings-of-inputs',
    );
    const marks = rows.flatMap(({ node_id, input_node_id }) =>
      (bySeries.get(input_node_id) ?? []).map((touch) => ({ node_id, touch })),
    );
    for (let from = 0; from < marks.length; from += MARKS_PER_STATEMENT)
      await insertMarks(database, marks.slice(from, from + MARKS_PER_STATEMENT));
    return marks.length > 0;
  },

  step: (work) =>
    database.transactionOnce((tx) =>
      work({
        claim: (what, limit, nowMs) => claimRatings(tx, what, limit, nowMs),
        marksOf: (nodeId, limit) => marksOf(tx, nodeId, limit),
        removeMarks: (markIds) => removeMarks(tx, markIds),
        shortenMark: (markId, fromMs, timestamps) => shortenMark(tx, markId, fromMs, timestamps),
        saveProgress: (nodeId, progress) => saveProgress(tx, nodeId, progress),
        tell: (messages) => appendOutbox(tx, messages),
      }),
    ),
});
const RATING_CLASS = 'point.NumberRatingPoint';
const MARKS_PER_STATEMENT = 500;

/** A node without a rating is of interest only when it had one: its records go. */
async function saveRatings(on: Queryable, changes: readonly NodeChange[]): Promise<void> {
  const nodes = changes.map(({ node }) => node);
  await on.query(
    `INSERT INTO ratings AS known (node_id, owner_id, workspace_id, source_id, class, revision, input_node_id, digest, phase,
       since_ms)
     SELECT n.node_id, n.owner_id, n.workspace_id, n.source_id, n.class, n.revision, nullif(n.input_node_id, ''), n.digest,
       CASE WHEN n.digest = '' THEN NULL ELSE 'empty' END, nullif(n.time_ms, 0)
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::text[],
       $9::bigint[]) AS n (node_id, owner_id, workspace_id, source_id, class, revision, input_node_id, digest, time_ms)
     ORDER BY n.node_id
     ON CONFLICT (node_id) DO UPDATE SET workspace_id = excluded.workspace_id, source_id = excluded.source_id,
       revision = excluded.revision, input_node_id = excluded.input_node_id, digest = excluded.digest,
       phase = CASE WHEN known.digest = excluded.digest THEN known.phase ELSE 'empty' END,
       since_ms = CASE WHEN known.digest = excluded.digest THEN known.since_ms ELSE excluded.since_ms END,
       config = CASE WHEN known.digest = excluded.digest THEN known.config END,
       input_multiplier = CASE WHEN known.digest = excluded.digest THEN known.input_multiplier END,
       input_offset = CASE WHEN known.digest = excluded.digest THEN known.input_offset END,
       retry_time = '-infinity'
     WHERE known.revision < excluded.revision`,
    [
      nodes.map((node) => node.nodeId),
      nodes.map((node) => node.ownerId),
      nodes.map((node) => node.workspaceId),
      nodes.map((node) => node.sourceId),
      nodes.map((node) => node.class),
      nodes.map((node) => node.revision),
      nodes.map(({ series }) => series?.rating?.inputNodeId ?? ''),
      nodes.map(({ series }) => series?.rating?.digest ?? ''),
      changes.map(({ timeMs }) => timeMs),
    ],
    'save-ratings',
  );
}

async function insertMarks(
  on: Queryable,
  marks: readonly { readonly node_id: string; readonly touch: Touch }[],
): Promise<void> {
  await on.query(
    `INSERT INTO rating_marks (node_id, silent, from_ms, to_ms, clears, timestamps)
     SELECT * FROM unnest($1::text[], $2::boolean[], $3::bigint[], $4::bigint[], $5::boolean[], $6::bytea[])`,
    [
      marks.map(({ node_id }) => node_id),
      marks.map(({ touch }) => touch.silent),
      marks.map(({ touch }) => touch.fromMs),
      marks.map(({ touch }) => touch.toMs),
      marks.map(({ touch }) => touch.clears),
      marks.map(({ touch: { timestamps } }) => timestamps && bytesOf(timestamps)),
    ],
    'insert-marks',
  );
}

async function claimRatings(
  tx: Queryable,
  what: 'marks' | 'phase',
  limit: number,
  nowMs: number,
): Promise<StoredRating[]> {
  // New records are computed before old ones, since only they raise states and alarms: filled first, they would be new no more.
  const todo =
    what === 'marks'
      ? 'node_id IN (SELECT DISTINCT node_id FROM rating_marks)'
      : `(phase = 'empty' OR (phase IS NOT NULL AND node_id NOT IN (SELECT node_id FROM rating_marks)))`;
  const { rows } = await tx.query<RatingRow>(
    `SELECT * FROM ratings WHERE ${todo} AND retry_time <= to_timestamp($2::float8 / 1000)
     ORDER BY retry_time LIMIT $1 FOR UPDATE SKIP LOCKED`,
    [limit, nowMs],
    `claim-ratings-${what}`,
  );
  return rows.map(toRating);
}

async function marksOf(tx: Queryable, nodeId: string, limit: number): Promise<Mark[]> {
  const { rows } = await tx.query<MarkRow>(
    `SELECT mark_id, silent, from_ms, to_ms, clears, timestamps FROM rating_marks
     WHERE node_id = $1 ORDER BY mark_id LIMIT $2`,
    [nodeId, limit],
    'marks-of',
  );
  return rows.map(({ mark_id, from_ms, to_ms, timestamps, ...row }) => ({
    ...row,
    markId: mark_id,
    fromMs: from_ms,
    toMs: to_ms,
    timestamps: timestamps ? floatsOf(timestamps) : undefined,
  }));
}

async function removeMarks(tx: Queryable, markIds: readonly number[]): Promise<void> {
  if (markIds.length === 0) return;
  await tx.query('DELETE FROM rating_marks WHERE mark_id = ANY($1::bigint[])', [markIds], 'remove-marks');
}

async function shortenMark(
  tx: Queryable,
  markId: number,
  fromMs: number,
  timestamps: Float64Array | undefined,
): Promise<void> {
  await tx.query(
    'UPDATE rating_marks SET from_ms = $2, timestamps = $3 WHERE mark_id = $1',
    [markId, fromMs, timestamps ? bytesOf(timestamps) : null],
    'shorten-mark',
  );
}

async function saveProgress(tx: Queryable, nodeId: string, progress: RatingProgress): Promise<void> {
  const values: unknown[] = [nodeId];
  const set: string[] = [];
  const put = (column: string, value: unknown, cast = '') => {
    values.push(value);
    set.push(`${column} = ${cast ? cast.replace('?', `$${values.length}`) : `$${values.length}`}`);
  };
  const { config, transform, phase, positionMs, firstMs, lastMs, newsFromMs } = progress;
  const { settleSequence, doneRecords, toldMs, retryMs, hasFailed } = progress;
  if (config) put('config', Buffer.from(Rating.encode(config).finish()));
  if (transform) {
    put('input_multiplier', transform.multiplier);
    put('input_offset', transform.offset);
    put('input_equation', transform.equation);
  }
  if (phase !== undefined) put('phase', phase);
  if (positionMs !== undefined) put('position_ms', positionMs);
  if (firstMs !== undefined) put('first_ms', firstMs);
  if (lastMs !== undefined) put('last_ms', lastMs);
  if (newsFromMs !== undefined) put('news_from_ms', newsFromMs);
  if (settleSequence !== undefined) put('settle_sequence', settleSequence);
  if (doneRecords !== undefined) put('done_records', doneRecords);
  if (toldMs !== undefined) put('told_time', toldMs, 'to_timestamp(?::float8 / 1000)');
  if (retryMs !== undefined) put('retry_time', retryMs, 'to_timestamp(?::float8 / 1000)');
  if (hasFailed !== undefined) put('has_failed', hasFailed);
  if (set.length > 0) await tx.query(`UPDATE ratings SET ${set.join(', ')} WHERE node_id = $1`, values);
}

const toRating = (row: RatingRow): StoredRating => ({
  nodeId: row.node_id,
  ownerId: row.owner_id,
  workspaceId: row.workspace_id,
  sourceId: row.source_id,
  class: row.class,
  inputNodeId: row.input_node_id ?? undefined,
  digest: row.digest,
  config: row.config ? Rating.decode(row.config) : undefined,
  transform:
    row.input_multiplier === null || row.input_offset === null
      ? undefined
      : { multiplier: row.input_multiplier, offset: row.input_offset, equation: row.input_equation },
  phase: row.phase,
  positionMs: row.position_ms ?? undefined,
  firstMs: row.first_ms ?? undefined,
  lastMs: row.last_ms ?? undefined,
  sinceMs: row.since_ms ?? undefined,
  newsFromMs: row.news_from_ms ?? undefined,
  settleSequence: row.settle_sequence ?? undefined,
  doneRecords: row.done_records,
  toldMs: row.told_time.getTime(),
  hasFailed: row.has_failed,
});
