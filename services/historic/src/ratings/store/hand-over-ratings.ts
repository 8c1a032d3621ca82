import { HandedMark, HandedRating, RatingsHanded } from '@catchment/contracts/ratings';
import { appendOutbox, type Database } from '@catchment/pg';

const SUBJECT = 'historic.ratings.handed.v1';
const RATINGS_AT_ONCE = 500;
/** Each has up to 16 KB of times. */
const MARKS_AT_ONCE = 30;

type RatingRow = {
  node_id: string;
  owner_id: string;
  workspace_id: string;
  source_id: string;
  class: string;
  revision: number;
  input_node_id: string | null;
  digest: string;
  transform: string | null;
  phase: string | null;
  position_ms: number | null;
  since_ms: number | null;
  news_from_ms: number | null;
  settle_sequence: number | null;
  done_records: number;
  has_failed: boolean;
};
type MarkRow = {
  node_id: string;
  silent: boolean;
  from_ms: number;
  to_ms: number;
  clears: boolean;
  timestamps: Buffer | null;
};

const HAS_BEGUN = 'EXISTS (SELECT FROM hand_over)';

/** No replica of the version before takes a rating after this: it waits for the steps that they have in hand. */
export const beginHandOver = (database: Database): Promise<void> =>
  database.transaction(async (tx) => {
    const { rows } = await tx.query<{ has: boolean }>(`SELECT ${HAS_BEGUN} AS has`);
    if (rows[0]?.has) return;
    // The lock is against claims too; a step that holds ratings goes on, and is waited for.
    await tx.query('LOCK TABLE ratings IN EXCLUSIVE MODE');
    await tx.query('INSERT INTO hand_over DEFAULT VALUES');
    await tx.query(`UPDATE ratings SET retry_time = 'infinity'`);
  });

/**
 * Hands ratings of the version before to the processing service, which goes on where they are, once it has asked for them. Changes that a replica of that version notes of their inputs follow, as long as there is one.
 * @returns whether there may be more
 */
export const handOverRatings = (database: Database): Promise<boolean> =>
  database.transaction(async (tx) => {
    const { rows: ratings } = await tx.query<RatingRow>(
      `UPDATE ratings r SET handed = true FROM (
         SELECT node_id FROM ratings WHERE NOT handed AND ${HAS_BEGUN} ORDER BY node_id LIMIT $1 FOR UPDATE SKIP LOCKED) taken
       WHERE r.node_id = taken.node_id RETURNING r.*,
         CASE WHEN input_multiplier IS NOT NULL THEN json_build_array(input_multiplier, input_offset, input_equation) END::text AS transform`,
      [RATINGS_AT_ONCE],
      'hand-ratings',
    );
    const { rows: marks } = await tx.query<MarkRow>(
      `DELETE FROM rating_marks m USING (
         SELECT mark_id FROM rating_marks JOIN ratings USING (node_id) WHERE handed ORDER BY mark_id LIMIT $1
         FOR UPDATE OF rating_marks SKIP LOCKED) taken
       WHERE m.mark_id = taken.mark_id RETURNING m.node_id, silent, from_ms, to_ms, clears, timestamps`,
      [MARKS_AT_ONCE],
      'hand-marks',
    );
    // A rating that was taken away, and is emptied, has nothing left to go on.
    const open = ratings.filter(({ digest, phase }) => digest !== '' || phase !== null);
    if (open.length > 0) await appendOutbox(tx, [message({ ratings: open.map(toRating) })]);
    if (marks.length > 0) await appendOutbox(tx, [message({ marks: marks.map(toMark) })]);
    return ratings.length + marks.length > 0;
  });

/** Says that all is handed over: whatever rating was not named is new. @returns false where nobody has asked yet */
export async function endHandOver(database: Database): Promise<boolean> {
  const { rows } = await database.query<{ has: boolean }>(`SELECT ${HAS_BEGUN} AS has`, [], 'has-begun');
  if (!rows[0]?.has) return false;
  await appendOutbox(database, [message({ isLast: true })]);
  return true;
}

const message = (handed: Parameters<typeof RatingsHanded.fromPartial>[0]) => ({
  subject: SUBJECT,
  data: RatingsHanded.encode(RatingsHanded.fromPartial(handed)).finish(),
});

const toRating = (row: RatingRow): HandedRating =>
  HandedRating.fromPartial({
    nodeId: row.node_id,
    ownerId: row.owner_id,
    workspaceId: row.workspace_id,
    sourceId: row.source_id,
    class: row.class,
    revision: row.revision,
    inputNodeId: row.input_node_id ?? '',
    digest: row.digest,
    // The text is as JSON.stringify writes it.
    ...(row.transform !== null && { transform: JSON.stringify(JSON.parse(row.transform)) }),
    phase: row.phase ?? '',
    // Here it is the time to go on from.
    ...(row.position_ms !== null && { positionMs: row.position_ms - 1 }),
    ...(row.since_ms !== null && { sinceMs: row.since_ms }),
    ...(row.news_from_ms !== null && { newsFromMs: row.news_from_ms }),
    ...(row.settle_sequence !== null && { settleSequence: row.settle_sequence }),
    doneRecords: row.done_records,
    hasFailed: row.has_failed,
  });

const toMark = (row: MarkRow): HandedMark =>
  HandedMark.fromPartial({
    nodeId: row.node_id,
    silent: row.silent,
    fromMs: row.from_ms,
    toMs: row.to_ms,
    clears: row.clears,
    ...(row.timestamps && { timestamps: row.timestamps }),
  });
