import type { ApiOptions } from '../api/api-options.ts';
import { nodeNamed } from '../api/nodes-named.ts';
import { openClient } from '../api/open-client.ts';
import { answer } from '../command-line/answer.ts';
import { UsageError } from '../command-line/failure.ts';
import { branchOf, labelOf, linesOf, type Part, treesOf, truncated } from './tree.ts';

type Options = ApiOptions & {
  readonly json?: boolean;
  readonly depth?: number;
  readonly match?: string;
  readonly values: boolean;
};

const ATTRIBUTES = '_id,_class,name,customId,parentId,units';

/** Prints the tree of an account, or of a node, or nodes whose path ends in a pattern. */
export async function printTree(reference: string | undefined, options: Options): Promise<void> {
  const { depth = Number.POSITIVE_INFINITY, match, values } = options;
  if (match !== undefined && (reference !== undefined || Number.isFinite(depth)))
    throw new UsageError('--match: goes with no node and no --depth');
  const { client } = await openClient(options);
  const attr = `${ATTRIBUTES}${values ? ',currentValue,currentTime' : ''}`;
  if (match !== undefined) {
    if (/[(),|\\]/.test(match)) throw new UsageError('--match: must be without ( ) , | and \\');
    const found = await Array.fromAsync(client.nodes.list({ filter: `path($like:${match})`, attr: `${attr},path` }));
    return answer(options, found, () => (found as Part[]).map((part) => labelOf(part, values)));
  }
  const wanted = reference === undefined ? undefined : await nodeNamed(client, reference);
  const parts = (await Array.fromAsync(client.nodes.list({ attr }))) as Part[];
  const all = treesOf(parts);
  const trees = wanted ? [branchOf(all, ({ _id }) => _id === wanted._id)].flatMap((branch) => branch ?? []) : all;
  const shown = truncated(trees, depth);
  answer(options, shown, () => (shown.length > 0 ? [...linesOf(shown, values)] : ['There are no nodes.']));
}
