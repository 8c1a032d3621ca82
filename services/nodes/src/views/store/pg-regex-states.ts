import type { Database } from '@catchment/pg';
import { matchState, toStatesConfig } from '@catchment/states';
import { type Config, statesOf } from '../../domain/classes/node.ts';
import { EDGES, type Edge } from './shown-quality.ts';
import { HAS_REGEX } from './shown-state.ts';

const BATCH_ROWS = 500;

/** By node: the ids of the states of its records. */
export type RegexStates = Record<string, Partial<Record<Edge, string>>>;

/**
 * States that texts have by regular expressions, which PostgreSQL does not match as we do; of the few nodes with such a state.
 * @param within the condition on nodes `n`
 */
export async function regexStates(
  database: Database,
  within: string,
  values: readonly unknown[],
): Promise<RegexStates> {
  const texts = EDGES.map(
    (edge) => `CASE jsonb_typeof(v.${edge}_value) WHEN 'string' THEN v.${edge}_value #>> '{}' END`,
  );
  const found: RegexStates = {};
  const rows = database.stream<{ node_id: string; config: Config; texts: (string | null)[] }>(
    `SELECT n.node_id, n.config, ARRAY[${texts.join(', ')}] AS texts FROM nodes n JOIN node_values v USING (node_id)
     WHERE ${within} AND n.class LIKE 'point.Text%' AND ${HAS_REGEX}`,
    values,
    BATCH_ROWS,
  );
  for await (const batch of rows)
    for (const { node_id, config, texts } of batch) {
      const states = toStatesConfig(statesOf(config));
      const idOf = (text: string | null | undefined) =>
        text === null || text === undefined ? undefined : matchState(states, text)?.stateId;
      found[node_id] = Object.fromEntries(EDGES.map((edge, i) => [edge, idOf(texts[i])]));
    }
  return found;
}
