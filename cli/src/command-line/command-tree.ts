import type { Command } from 'commander';

/** Returns the command and all commands below it. */
export const withAll = (command: Command): Command[] => [command, ...command.commands.flatMap(withAll)];

/** `catchment backup create` */
export const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

export const argumentsOf = (command: Command): string[] =>
  command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
