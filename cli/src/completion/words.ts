import type { Command, Option } from 'commander';
import { withAll } from '../command-line/command-tree.ts';

/** These words may stand behind a command, for shells. */
export type CommandWords = {
  /** The path is `backup create`, for example; empty for the whole program. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly OptionWords[];
  /** Its arguments may be these words; none: files and what else the shell knows. */
  readonly choices: readonly string[];
};
type Word = { readonly name: string; readonly summary: string };
export type OptionWords = {
  /** `--format` and `-f`. */
  readonly names: readonly string[];
  readonly summary: string;
  /** The option takes this behind it. */
  readonly value: 'none' | 'profile' | 'other' | readonly string[];
};

/** Lists each command with what may stand behind it, the program first. */
export const wordsOf = (program: Command): CommandWords[] =>
  withAll(program).map((command) => ({
    path: pathBelow(program, command),
    commands: command.commands.map((command) => ({ name: command.name(), summary: command.description() })),
    options: [...command.options.filter(({ hidden }) => !hidden), ...helpOf(command)].map(optionWords),
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  }));

function pathBelow(program: Command, command: Command): string {
  const names: string[] = [];
  for (let ancestor: Command | null = command; ancestor !== null && ancestor !== program; ancestor = ancestor.parent)
    names.unshift(ancestor.name());
  return names.join(' ');
}

const helpOf = (command: Command): Option[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => long === '--help');

function optionWords(option: Option): OptionWords {
  const names = [option.long, option.short].flatMap((name) => name ?? []);
  return { names, summary: option.description, value: valueWords(option) };
}

function valueWords({ required, optional, argChoices, long }: Option): OptionWords['value'] {
  if (!required && !optional) return 'none';
  if (argChoices) return argChoices;
  return long === '--profile' ? 'profile' : 'other';
}
