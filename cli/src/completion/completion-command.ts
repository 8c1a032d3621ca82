import { Argument, Command } from 'commander';
import { answer, type JsonOption } from '../command-line/answer.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Whole = () => Promise<Command>;
type Shell = (typeof SHELLS)[number];

/** `catchment completion` */
export function completionCommand(whole: Whole): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>', 'of which it is').choices(SHELLS))
    .addHelpText(
      'after',
      `
The script completes commands, options and the words that options take. Run it once for this shell, or put it into the start file for all later shells:
  bash   source <(catchment completion bash)               (~/.bashrc)
  zsh    source <(catchment completion zsh)                (~/.zshrc, behind compinit)
  fish   catchment completion fish | source                (~/.config/fish/config.fish)`,
    )
    .action(async (shell: Shell, options: JsonOption) => {
      const script = await scriptFor(shell, whole);
      answer(options, { shell, script }, () => script.trimEnd());
    });
}

/** The script of all commands. */
export async function scriptFor(shell: Shell, whole: Whole): Promise<string> {
  const { wordsOf } = await import('./words.ts');
  const words = wordsOf(await whole());
  if (shell === 'bash') return (await import('./bash.ts')).bashScript(words);
  if (shell === 'zsh') return (await import('./zsh.ts')).zshScript(words);
  return (await import('./fish.ts')).fishScript(words);
}
