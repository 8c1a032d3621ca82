import { Argument, Command } from 'commander';
import { type ApiOptions, addApiOptions, wholeNumber } from '../api/api-options.ts';
import type { JsonOption } from '../command-line/answer.ts';

type Options = ApiOptions & JsonOption & { readonly depth?: number; readonly match?: string; readonly values: boolean };

/** `catchment tree` */
export function treeCommand(): Command {
  const command = new Command('tree')
    .addArgument(
      new Argument('[node]', 'this node and the nodes below it: id, or @customId (default: the whole account)'),
    )
    .option('-d, --depth <levels>', 'levels at most', wholeNumber(1, 1_000))
    .option('-m, --match <pattern>', 'nodes whose path ends in this pattern, as a list: "Dead Run/*/Gage height"')
    .option('--values', 'print the current values too', false);
  return addApiOptions(command)
    .addHelpText(
      'after',
      `
Prints names, @customIds or ids, kinds and units. With --json an array of nodes, each with its children below "nodes"; with --match a flat one.

Examples:
  catchment tree
  catchment tree @weather-station --values
  catchment tree --match 'Gage height' --json | jq -r '.[]._id'`,
    )
    .action(async (node: string | undefined, options: Options) =>
      (await import('./print-tree.ts')).printTree(node, options),
    );
}
