import { stat } from 'node:fs/promises';
import path from 'node:path';

type Chunk = {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly isDynamicEntry?: boolean;
};
export type Manifest = Readonly<Record<string, Chunk>>;

/**
 * The console may send this much script, compressed, in bytes: the shell that comes first, what each page adds when it is opened, and the
 * editor of code.
 */
export const BUDGETS = { shell: 70 * 1024, page: 60 * 1024, editor: 150 * 1024 } as const;

const SHELL = 'src/app/console.tsx';
/** Comes when the first program is opened. */
const EDITOR = 'src/ui/code/editor.ts';
const PAGE = /^src\/pages\/([^/]+)\/index\.tsx$/;
const WORDS = /^src\/words\/\w+\.ts$/;

export type Weight = { readonly name: string; readonly bytes: number; readonly most: number };

/** Lists files of a chunk and of all that it imports at once. */
function filesOf(manifest: Manifest, key: string, seen = new Set<string>()): ReadonlySet<string> {
  const chunk = manifest[key];
  if (chunk === undefined || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const name of chunk.imports ?? []) filesOf(manifest, name, seen);
  return seen;
}

/**
 * Returns the weight of the shell with one language, the heaviest, and of each page without what the shell has. What a page asks for by
 * itself later, such as a map, is not in it.
 */
export function weightsOf(manifest: Manifest, bytesOf: (file: string) => number): readonly Weight[] {
  const sum = (files: Iterable<string>) => [...files].reduce((total, file) => total + bytesOf(file), 0);
  const shell = filesOf(manifest, SHELL);
  if (shell.size === 0) return [];
  const without = (key: string) => [...filesOf(manifest, key)].filter((file) => !shell.has(file));
  const languages = Object.keys(manifest).filter((key) => WORDS.test(key));
  const language = Math.max(0, ...languages.map((key) => sum(without(key))));
  const pages = Object.keys(manifest).flatMap((key) => {
    const [, name] = PAGE.exec(key) ?? [];
    return name === undefined ? [] : [{ name: `page ${name}`, bytes: sum(without(key)), most: BUDGETS.page }];
  });
  const editor = manifest[EDITOR] ? [{ name: 'code editor', bytes: sum(without(EDITOR)), most: BUDGETS.editor }] : [];
  return [{ name: 'shell', bytes: sum(shell) + language, most: BUDGETS.shell }, ...pages, ...editor];
}

/** Returns a report for people, a line for each weight, and the lines of weights that are too heavy. */
export function weightReport(weights: readonly Weight[]): {
  readonly text: string;
  readonly tooHeavy: readonly string[];
} {
  const kib = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`;
  const line = ({ name, bytes, most }: Weight) => `${name.padEnd(18)} ${kib(bytes).padStart(9)} of ${kib(most)}`;
  const tooHeavy = weights.filter(({ bytes, most }) => bytes > most);
  return { text: weights.map(line).join('\n'), tooHeavy: tooHeavy.map(line) };
}

/** Returns the sizes of what a build has compressed; a file that was too small for that counts as it is. */
export async function compressedSizes(folder: string, manifest: Manifest): Promise<(file: string) => number> {
  const sizes = new Map<string, number>();
  for (const { file } of Object.values(manifest)) {
    const of = (name: string) => stat(path.join(folder, name)).then(({ size }) => size);
    sizes.set(file, await of(`${file}.br`).catch(() => of(file)));
  }
  return (file) => sizes.get(file) ?? 0;
}
