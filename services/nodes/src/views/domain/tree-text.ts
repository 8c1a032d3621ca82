/** A node of a tree is held as text while the others come. */
export type WrittenNode = {
  readonly nodeId: string;
  readonly parentId: string | null;
  /** Key by which siblings are ordered. */
  readonly key: string;
  /** A JSON object. */
  readonly json: string;
};

const CHUNK_CHARACTERS = 64 * 1024;

/**
 * Writes the JSON array of nodes with the others under `children` of their parents, by name
 * (docs/reference/query-arguments.md#trees), in pieces of about 64 KiB.
 * @param parentId of the roots; null = workspaces
 */
export function* treeText(nodes: readonly WrittenNode[], parentId: string | null): Generator<string> {
  const byParent = Map.groupBy(nodes, (node) => node.parentId);
  let text = '';
  function* below(id: string | null): Generator<string> {
    text += '[';
    let isFirst = true;
    for (const { nodeId, json } of (byParent.get(id) ?? []).sort(byKey)) {
      text += `${isFirst ? '' : ','}${json.slice(0, -1)}${json.length > 2 ? ',' : ''}"children":`;
      isFirst = false;
      yield* below(nodeId);
      text += '}';
      if (text.length < CHUNK_CHARACTERS) continue;
      yield text;
      text = '';
    }
    text += ']';
  }
  yield* below(parentId);
  yield text;
}

/** Writes the JSON array of written nodes as they come, in pieces of about 64 KiB. */
export async function* listText(
  slices: AsyncIterable<readonly WrittenNode[]> | Iterable<readonly WrittenNode[]>,
): AsyncGenerator<string> {
  let text = '[';
  let isFirst = true;
  for await (const nodes of slices)
    for (const { json } of nodes) {
      text += isFirst ? json : `,${json}`;
      isFirst = false;
      if (text.length < CHUNK_CHARACTERS) continue;
      yield text;
      text = '';
    }
  yield `${text}]`;
}

const byKey = (a: WrittenNode, b: WrittenNode): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
