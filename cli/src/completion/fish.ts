import { PROFILES } from './profiles.ts';
import type { CommandWords, OptionWords } from './words.ts';

/** Writes the script that `source` teaches fish. */
export const fishScript = (
  commands: readonly CommandWords[],
): string => `# Completion of catchment for fish: catchment completion fish | source
function __catchment_at --description 'Whether the words so far are this command'
  set -l at
  for word in (commandline -opc)[2..-1]
    if contains -- (string join -- ' ' $at $word) ${commands.flatMap(({ path }) => (path ? [quoted(path)] : [])).join(' ')}
      set at $at $word
    end
  end
  test "$at" = "$argv[1]"
end
complete -c catchment -e
${commands.flatMap(linesOf).join('\n')}
`;

/** Quotes a text: fish reads \\ and ' alone in single quotes. */
const quoted = (text: string): string =>
  `'${text.replaceAll(/\s+/g, ' ').replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function linesOf(command: CommandWords): string[] {
  const { path, commands, options, choices } = command;
  const at = `complete -c catchment -n ${quoted(`__catchment_at ${quoted(path)}`)}`;
  return [
    ...commands.map(({ name, summary }) => `${at} -f -a ${quoted(name)} -d ${quoted(summary)}`),
    ...(choices.length > 0 ? [`${at} -f -a ${quoted(choices.join(' '))}`] : []),
    ...options.map((option) => `${at} ${optionOf(option)}`),
  ];
}

function optionOf({ names, summary, value }: OptionWords): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  return [...flags, ...valueWords(value), `-d ${quoted(summary)}`].join(' ');
}

function valueWords(value: OptionWords['value']): string[] {
  if (value === 'none') return [];
  if (value === 'other') return ['-r'];
  const words = value === 'profile' ? `(${fishProfiles()})` : value.join(' ');
  return ['-x', `-a ${quoted(words)}`];
}

/** fish has no \${…:-…}. */
const fishProfiles = (): string => `sh -c ${quoted(PROFILES)}`;
