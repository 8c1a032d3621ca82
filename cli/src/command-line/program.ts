import { Command } from 'commander';
import { argumentsOf, pathOf, withAll } from './command-tree.ts';
import { COMMANDS, type CommandEntry } from './commands.ts';
import { description, version } from './version.ts';

/**
 * Makes the command line as far as the arguments need it: a command is loaded when it is asked for, so that help is quick and the process
 * of `start`, which stays, holds no more than it needs.
 * @param args what stands behind `catchment`
 */
export async function programFor(args: readonly string[]): Promise<Command> {
  const [first, second, third] = args;
  const [asked, subcommand] = first === 'help' ? [second, third] : [first, second];
  const found = COMMANDS.find(({ name }) => name === asked);
  return assembled(found ? [await loaded(found, subcommand)] : COMMANDS.map(stub), args.includes('--json'));
}

/** Builds the whole program, for completion and the reference. */
export async function wholeProgram(): Promise<Command> {
  const commands: Command[] = [];
  for (const entry of COMMANDS) commands.push(await loaded(entry));
  return assembled(commands, false);
}

function assembled(commands: readonly Command[], isJson: boolean): Command {
  const program = new Command('catchment').description(`Catchment: ${description}`).version(version);
  program.commandsGroup('Help:');
  for (const command of commands) program.addCommand(command);
  program.addHelpText(
    'after',
    `
"catchment read --help" says what a command takes. Every command has --json.
What the exit codes mean, and where the address and the key of an installation come from: docs/reference/command-line.md`,
  );
  for (const command of withAll(program)) prepare(command, isJson);
  return program;
}

async function loaded({ load, ...entry }: CommandEntry, subcommand?: string): Promise<Command> {
  return described(await load({ subcommand, whole: wholeProgram }), entry);
}

/** The help of all commands needs no more. */
const stub = (entry: CommandEntry): Command => described(new Command(entry.name), entry);

const described = (command: Command, { summary, group }: Omit<CommandEntry, 'load'>): Command =>
  command.description(summary).helpGroup(group);

/** Adds what every command has. */
function prepare(command: Command, isJson: boolean): void {
  command.exitOverride();
  command.configureHelp({ subcommandTerm: (subcommand) => [subcommand.name(), ...argumentsOf(subcommand)].join(' ') });
  // The failure is printed once with --json, as JSON.
  command.configureOutput({ outputError: (text, write) => (isJson ? undefined : write(text)) });
  if (!isJson) command.showHelpAfterError(`("${pathOf(command)} --help" shows what it takes)`);
  const isLeaf = command.commands.length === 0 && command.parent !== null;
  if (isLeaf && !command.options.some(({ long }) => long === '--json'))
    command.option('--json', 'results, and a failure, as JSON for programs', false);
}
