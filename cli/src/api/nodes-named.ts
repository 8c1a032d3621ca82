import { CatchmentError, type Client } from '@catchment/client';
import { COLUMNS_MAX } from '@catchment/ids';

export type NamedNode = {
  readonly _id: string;
  readonly _class: string;
  readonly name: string;
  readonly units?: string | undefined;
};

const ATTRIBUTES = '_id,_class,name,units';

export const isSource = ({ _class }: Pick<NamedNode, '_class'>): boolean => _class.includes('.source.data.');
const isParameter = ({ _class }: Pick<NamedNode, '_class'>): boolean => _class.includes('.point.');

/** Returns the node that a reference names. @throws CatchmentError that names it too */
export async function nodeNamed(client: Client, reference: string): Promise<NamedNode> {
  try {
    return (await client.nodes.get(reference, { attr: ATTRIBUTES })) as NamedNode;
  } catch (error) {
    if (!(error instanceof CatchmentError) || error.kind !== 'not_found') throw error;
    const { kind, status, reason, requestId } = error;
    throw new CatchmentError(`${reference}: there is no such node. "catchment tree" shows what there is`, {
      kind,
      status,
      reason,
      requestId,
      cause: error,
    });
  }
}

/** Finds the series that references stand for: a data source stands for its parameters, by name. */
export async function seriesNamed(client: Client, references: readonly string[]): Promise<NamedNode[]> {
  const found: NamedNode[] = [];
  for (const reference of references) {
    const node = await nodeNamed(client, reference);
    if (!isSource(node)) {
      found.push(node);
      continue;
    }
    const filter = `parentId($eq:${node._id})`;
    for await (const child of client.nodes.list({ filter, sort: 'name', attr: ATTRIBUTES }))
      if (isParameter(child as NamedNode)) found.push(child as NamedNode);
  }
  if (found.length === 0 || found.length > COLUMNS_MAX)
    throw new CatchmentError(`nodes: these are ${found.length} series; 1 to ${COLUMNS_MAX} can be read at once`, {
      kind: 'argument',
      argument: 'nodes',
    });
  return found;
}
