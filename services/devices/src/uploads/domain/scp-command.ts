/** A client of the protocol of `scp` asks for this by the command that it runs. */
export type ScpCommand = {
  /** TO: it sends files. FROM: it wants some. */
  readonly direction: 'TO' | 'FROM';
  readonly path: string;
  /** The path is a folder for sure. */
  readonly isFolder: boolean;
};

/** A client that sends files takes such steps. */
export type ScpStep =
  | { readonly step: 'FILE'; readonly sizeBytes: number; readonly name: string }
  | { readonly step: 'FOLDER'; readonly name: string }
  | { readonly step: 'LEAVE' }
  | { readonly step: 'TIME'; readonly timeMs: number }
  | { readonly step: 'TROUBLE'; readonly isFatal: boolean };

/** @returns undefined: the command is another one */
export function parseScpCommand(command: string): ScpCommand | undefined {
  const words = wordsOf(command);
  if (!/^(?:.*\/)?scp$/.test(words[0] ?? '')) return undefined;
  const paths: string[] = [];
  let options = '';
  for (const [index, word] of words.slice(1).entries()) {
    if (word === '--') {
      paths.push(...words.slice(index + 2));
      break;
    }
    if (word.startsWith('-') && word.length > 1) options += word.slice(1);
    else paths.push(word);
  }
  const direction = options.includes('t') ? 'TO' : options.includes('f') ? 'FROM' : undefined;
  const path = paths.at(-1) ?? '.';
  return direction && { direction, path, isFolder: /[rd]/.test(options) || /(?:^|\/)\.{0,2}$/.test(path) };
}

/** Returns the words of a command as a shell has them: quotation marks and backslashes, nothing else. */
function wordsOf(command: string): string[] {
  const words: string[] = [];
  for (const [word] of command.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/gs))
    words.push(
      word.replaceAll(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs, (_all, single, double, escaped) =>
        double === undefined ? (single ?? escaped) : double.replaceAll(/\\(["\\$`])/g, '$1'),
      ),
    );
  return words;
}

/** Parses a line of the client, without its end. @returns undefined: it says nothing that is known */
export function parseScpLine(line: string): ScpStep | undefined {
  const [, sizeText, name] = /^C[0-7]{1,5} (\d{1,15}) (.+)$/.exec(line) ?? [];
  if (name !== undefined) return { step: 'FILE', sizeBytes: Number(sizeText), name };
  const [, folder] = /^D[0-7]{1,5} \d+ (.+)$/.exec(line) ?? [];
  if (folder !== undefined) return { step: 'FOLDER', name: folder };
  const [, seconds] = /^T(\d{1,12}) \d+ \d+ \d+$/.exec(line) ?? [];
  if (seconds !== undefined) return { step: 'TIME', timeMs: Number(seconds) * 1_000 };
  if (line === 'E') return { step: 'LEAVE' };
  if (line.startsWith('\u0001') || line.startsWith('\u0002'))
    return { step: 'TROUBLE', isFatal: line.startsWith('\u0002') };
  return undefined;
}
