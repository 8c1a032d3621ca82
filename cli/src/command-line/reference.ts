import type { Command, Option } from 'commander';
import { argumentsOf, pathOf, withAll } from './command-tree.ts';

/** Describes the commands for docs/reference: a heading each, with its options and what it says of itself. */
export function referenceOf(program: Command): string {
  const sections = program.commands
    .filter((command) => command.name() !== 'help')
    .flatMap((command) => withAll(command).map((subcommand) => sectionOf(subcommand)));
  return sections.join('\n');
}

function sectionOf(command: Command): string {
  const depth = pathOf(command).split(' ').length;
  const heading = `${'#'.repeat(depth)} ${pathOf(command)}`;
  const parts = [heading, '', sentence(command.description()), ''];
  if (command.commands.length > 0) return parts.join('\n');
  const usage = [pathOf(command), '[options]', ...argumentsOf(command)].join(' ');
  const listed = [...command.registeredArguments.map(argumentRow), ...command.options.map(optionRow)];
  return [
    ...parts,
    '```text',
    usage,
    '```',
    '',
    '| argument, option | what it does |',
    '| --- | --- |',
    ...listed,
    '',
    ...textAfter(command),
  ].join('\n');
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
const cell = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;');

function argumentRow(argument: Command['registeredArguments'][number]): string {
  const name = argument.required ? `<${argument.name()}${argument.variadic ? '...' : ''}>` : `[${argument.name()}]`;
  const said = [argument.description, choicesOf(argument.argChoices)].filter(Boolean).join('; ');
  return `| \`${name}\` | ${cell(said)} |`;
}

function optionRow(option: Option): string {
  const said = [option.description, choicesOf(option.argChoices), defaultOf(option), option.mandatory ? 'needed' : ''];
  const shown = said.filter(Boolean).join('; ');
  return `| \`${option.flags}\` | ${cell(shown)} |`;
}

const choicesOf = (choices: readonly string[] | undefined): string =>
  choices && choices.length > 0 ? `one of ${choices.join(', ')}` : '';

function defaultOf({ defaultValue, defaultValueDescription, negate }: Option): string {
  if (defaultValueDescription !== undefined) return `default: ${defaultValueDescription}`;
  const isNothing = defaultValue === undefined || defaultValue === false || defaultValue === '' || negate;
  if (isNothing || typeof defaultValue === 'object') return '';
  return `default: ${defaultValue}`;
}

/** Returns what stands behind the options in its help. */
function textAfter(command: Command): string[] {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  const after = text.slice(command.helpInformation().length).trim();
  return after === '' ? [] : ['```text', after, '```', ''];
}
