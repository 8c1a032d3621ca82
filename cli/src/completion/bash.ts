import { PROFILES } from './profiles.ts';
import type { CommandWords, OptionWords } from './words.ts';

/** `source` teaches bash this. Words are found without starting anything. */
export const bashScript = (
  commands: readonly CommandWords[],
): string => `# Completion of catchment for bash: source <(catchment completion bash)
_catchment() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path= word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${path:+$path }\${COMP_WORDS[i]}"
    case "$word" in
      ${commands.flatMap(({ path }) => (path ? [quoted(path)] : [])).join('|')}) path=$word ;;
    esac
  done
  COMPREPLY=()
  case "$path:$prev" in
${commands.flatMap((command) => command.options.flatMap((option) => valueCase(command, option))).join('\n')}
  esac
  case "$path" in
${commands.map(pathCase).join('\n')}
  esac
}
complete -o bashdefault -o default -F _catchment catchment
`;

const quoted = (text: string): string => `"${text}"`;
const reply = (words: string): string => `COMPREPLY=($(compgen -W "${words}" -- "$cur"))`;

function valueCase({ path }: CommandWords, { names, value }: OptionWords): string[] {
  if (value === 'none') return [];
  const pattern = names.map((name) => quoted(`${path}:${name}`)).join('|');
  const words = value === 'profile' ? `$(${PROFILES})` : typeof value === 'string' ? undefined : value.join(' ');
  // The shell completes files where there are no words.
  return [`    ${pattern}) ${words === undefined ? '' : `${reply(words)}; `}return ;;`];
}

function pathCase({ path, commands, options, choices }: CommandWords): string {
  const names = options.flatMap((option) => option.names).join(' ');
  const others = [...commands.map(({ name }) => name), ...choices].join(' ');
  return `    ${quoted(path)}) if [[ $cur == -* ]]; then ${reply(names)}; else ${reply(others)}; fi ;;`;
}
