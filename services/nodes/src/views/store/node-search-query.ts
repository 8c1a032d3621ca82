import type { Scope } from '@catchment/access';
import type { Queryable } from '@catchment/pg';
import { withoutClosed } from '../../rights/index.ts';
import type { LinedNode } from '../domain/node-line.ts';
import { type LineRow, linesOf, toLined } from './node-lines-query.ts';

/** A page begins behind this node, by rank, then by name. */
type SearchPlace = { readonly rank: number; readonly name: string; readonly nodeId: string };
type SearchQuery = {
  /** Folded; one at least. */
  readonly words: readonly string[];
  /** undefined = all. */
  readonly classes: readonly string[] | undefined;
  readonly workspaceId: string | undefined;
  readonly after: SearchPlace | undefined;
  readonly limit: number;
};
type Hit = SearchPlace & { readonly node: LinedNode; readonly path: string };

/** Returns a text of LIKE that is meant literally. */
const literally = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/**
 * Finds the nodes of a scope in which every word is found, best first: one statement, which reads the texts of the account once. Ranks: 0
 * the name or the customId is what was searched for; 1 the name begins with it; 2 words of the name begin with the words; 3 all words are
 * in the name; 4 in the name, customId and metadata; 5 some are in the names above only.
 */
export async function findByWords(on: Queryable, scope: Scope, query: SearchQuery): Promise<readonly Hit[]> {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const like = (column: string, pattern: string) => `${column} LIKE ${pattern}`;
  const words = query.words.map((word) => ({
    within: bind(`%${literally(word)}%`),
    beginning: bind(`% ${literally(word)}%`),
  }));
  const every = (test: (word: (typeof words)[number]) => string) =>
    words.map((word) => `(${test(word)})`).join(' AND ');
  const whole = query.words.join(' ');
  const where = [
    `t.owner_id = ${bind(scope.ownerId)}`,
    every(({ within }) => ['t.name', 't.more', 't.above'].map((column) => like(column, within)).join(' OR ')),
  ];
  if (scope.workspaceIds) where.push(`t.workspace_id = ANY(${bind(scope.workspaceIds)}::text[])`);
  if (query.workspaceId) where.push(`t.workspace_id = ${bind(query.workspaceId)}`);
  if (query.classes) where.push(`t.class = ANY(${bind(query.classes)}::text[])`);
  const closed = withoutClosed(scope, 't.node_id', values);
  const rank = `CASE
    WHEN t.name = ${bind(whole)} OR ${like('t.more', bind(`${literally(whole)}\n%`))} THEN 0
    WHEN ${like('t.name', bind(`${literally(whole)}%`))} THEN 1
    WHEN ${every(({ beginning }) => like(`' ' || t.name`, beginning))} THEN 2
    WHEN ${every(({ within }) => like('t.name', within))} THEN 3
    WHEN ${every(({ within }) => `${like('t.name', within)} OR ${like('t.more', within)}`)} THEN 4
    ELSE 5 END`;
  const { after } = query;
  const place = after
    ? `WHERE (rank, name, node_id) > (${bind(after.rank)}::int, ${bind(after.name)}, ${bind(after.nodeId)})`
    : '';
  const { rows } = await on.query<LineRow & { rank: number; folded_name: string; path: string }>(
    `WITH RECURSIVE hit AS (
       SELECT t.node_id, t.name, ${rank} AS rank FROM node_texts t WHERE ${where.join(' AND ')}${closed}
     ), page AS MATERIALIZED (
       SELECT node_id, name, rank FROM hit ${place} ORDER BY rank, name, node_id LIMIT ${bind(query.limit)}
     ), way AS (
       SELECT n.node_id AS start_id, n.parent_id, n.name AS path FROM nodes n WHERE n.node_id = ANY (ARRAY(SELECT node_id FROM page))
       UNION ALL
       SELECT way.start_id, p.parent_id, p.name || '/' || way.path FROM way JOIN nodes p ON p.node_id = way.parent_id
     )
     SELECT line.*, page.rank, page.name AS folded_name, line.slug || '/' || way.path AS path
     FROM (${linesOf('page', 'o.slug')}) line JOIN page USING (node_id)
       JOIN way ON way.start_id = line.node_id AND way.parent_id IS NULL
     ORDER BY page.rank, page.name, page.node_id`,
    values,
  );
  return rows.map((row) => ({
    node: toLined(row),
    path: row.path,
    rank: row.rank,
    name: row.folded_name,
    nodeId: row.node_id,
  }));
}
