import { words } from '../../words/index.ts';
import type { NodeRow } from './rows.ts';

const MOST_SHOWN = 5;

/** Says a text of one node by its name, of several by how many they are. */
export const said = (
  rows: readonly NodeRow[],
  single: (name: string) => string,
  several: (count: number) => string,
): string => (rows.length === 1 ? single(rows[0]!.node.name) : several(rows.length));

/** Names the nodes that a question is about. */
export function Names({ rows }: { readonly rows: readonly NodeRow[] }) {
  if (rows.length < 2) return null;
  return (
    <ul class="bullets">
      {rows.slice(0, MOST_SHOWN).map(({ key, node }) => (
        <li key={key}>
          <bdi>{node.name}</bdi>
        </li>
      ))}
      {rows.length > MOST_SHOWN && <li>{words.value.tree.andMore(rows.length - MOST_SHOWN)}</li>}
    </ul>
  );
}
