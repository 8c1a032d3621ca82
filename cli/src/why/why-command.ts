import { Argument, Command } from 'commander';
import { type ApiOptions, addApiOptions } from '../api/api-options.ts';
import type { JsonOption } from '../command-line/answer.ts';

type Options = ApiOptions & JsonOption;

/** `catchment why` */
export function whyCommand(): Command {
  const command = new Command('why').addArgument(
    new Argument('<node>', 'a source, a parameter of a source, or a Location with one source: id, or @customId'),
  );
  return addApiOptions(command)
    .addHelpText(
      'after',
      `
Prints a sentence, the facts, and what to do. --json prints the whole answer of GET /nodes/:id/diagnosis.

Examples:
  catchment why @weather-station
  catchment why @weather-station --json | jq -r .state.code`,
    )
    .action(async (node: string, options: Options) => (await import('./print-why.ts')).printWhy(node, options));
}
