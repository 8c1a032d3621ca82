import { EXIT, EXIT_MEANINGS } from '../../cli/src/command-line/exit-codes.ts';
import { wholeProgram } from '../../cli/src/command-line/program.ts';
import { referenceOf } from '../../cli/src/command-line/reference.ts';

/** People find the commands here, below the root. */
export const COMMANDS_PAGE = 'docs/reference/commands.md';

/** Makes the page of all commands, out of the table that help and completion are made of too. */
export async function commandsPageText(): Promise<string> {
  const codes = Object.entries(EXIT).map(
    ([name, code]) => `| ${code} | ${EXIT_MEANINGS[name as keyof typeof EXIT_MEANINGS]} |`,
  );
  return `# Commands

\`npm run generate\` makes this page from the commands. [Command line](command-line.md) describes what they have in common.

## Exit codes

| code | meaning |
| --- | --- |
${codes.join('\n')}
| 128 + n | ended by the signal n: 130 is Ctrl-C, 143 is \`kill\` |

${referenceOf(await wholeProgram())}`;
}
