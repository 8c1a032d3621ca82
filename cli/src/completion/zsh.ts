import { PROFILES } from './profiles.ts';
import type { CommandWords, OptionWords } from './words.ts';

/** zsh loads this: a file `_catchment` in its fpath, or `source` behind compinit. */
export const zshScript = (commands: readonly CommandWords[]): string => `#compdef catchment
# Completion of catchment for zsh: source <(catchment completion zsh), behind compinit
_catchment() {
  local at= prev=$words[CURRENT-1] word
  local -a found
  integer i
  for ((i = 2; i < CURRENT; i++)); do
    word="\${at:+$at }$words[i]"
    case $word in
      ${commands.flatMap(({ path }) => (path ? [quoted(path)] : [])).join('|')}) at=$word ;;
    esac
  done
  case "$at:$prev" in
${commands.flatMap((command) => command.options.flatMap((option) => valueCase(command, option))).join('\n')}
  esac
  case $at in
${commands.map(pathCase).join('\n')}
  esac
}
if (( $+functions[compdef] )); then compdef _catchment catchment; fi
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _catchment "$@"; fi
`;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const described = (name: string, summary: string): string =>
  quoted(`${name.replaceAll(':', '\\:')}:${oneLine(summary)}`);
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

function valueCase({ path }: CommandWords, { names, value }: OptionWords): string[] {
  if (value === 'none') return [];
  const pattern = names.map((name) => quoted(`${path}:${name}`)).join('|');
  const words =
    value === 'profile'
      ? `\${(f)"$(${PROFILES})"}`
      : typeof value === 'string'
        ? undefined
        : value.map(quoted).join(' ');
  return [`    ${pattern}) ${words === undefined ? '_files' : `compadd -- ${words}`}; return ;;`];
}

function pathCase({ path, commands, options, choices }: CommandWords): string {
  const names = options.flatMap((option) => option.names.map((name) => described(name, option.summary)));
  const others = [...commands.map(({ name, summary }) => described(name, summary)), ...choices.map(quoted)];
  const rest = others.length > 0 ? `found=(${others.join(' ')}); _describe command found` : '_files';
  return `    ${quoted(path)}) if [[ $PREFIX == -* ]]; then found=(${names.join(' ')}); _describe option found; else ${rest}; fi ;;`;
}
