import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { headingsOf } from './markdown.ts';

const REFERENCE = 'docs/reference';
const TEXTS = '**/*.{ts,tsx,md,sql,proto,json,yaml,yml,sh,html}';
const NOT_OURS = /(^|\/)(node_modules|generated|\.catchment|\.git|data)(\/|$)/;
/** These files name forbidden words, and pages that are not there. */
const OWN = /^scripts\/check\/(?:words|documents\.test|words\.test)\.ts$/;

/** `docs/reference/time.md#relative-time` or another page, wherever a comment or document says it. */
const NAMED = /(?<![\w/.-])docs\/((?:[\w-]+\/)*[\w-]+\.md)(?:#([\w-]+))?/g;
/** Numbers of documents that are not in the repository stand for rules. */
const CITATION =
  /\bsemantics(\.md|[\s*/#-]+(section )?\d)|(?<!open)\bAPI doc(ument)?\b|\bdesign(\.md|,? (item )?\d|, «)/i;

/** A comment that begins with this word has no subject. */
const BEGINNING = /(?:\/\*\*?\s+(?:\* )?|(?<!^\s*(?:\/\/|--).*\n)^\s*(?:\/\/|--) )(Of|Whether)\b/gm;
/** With these a comment silences knip, or another check for a whole file. */
const SILENCING =
  /(?<=(?:\/\*|\/\/|^\s*\*).*)(?:@(?:alias|beta|internal|lintignore|public|ts-ignore|ts-nocheck)|biome-ignore-(?:all|start)|biome-ignore lint\/style\/noRestrictedImports)\b/gm;
const COMMENTED = /\.(ts|tsx|proto|sql)$/;

/** Each page has these headings, as GitHub names them in links. */
type Pages = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Finds what is wrong with the words of the repository at `root`, a line each: names of pages of docs/ and of their headings that do not
 * exist, comments without a subject or that silence a check, and rules that are cited by numbers of other documents.
 */
export async function checkWords(root: string): Promise<string[]> {
  const pages = await readPages(root);
  const wrong: string[] = [...pages.values()].length === 0 ? [`${REFERENCE} has no page`] : [];
  for await (const file of glob(TEXTS, { cwd: root, exclude: (name) => NOT_OURS.test(name) })) {
    if (OWN.test(file)) continue;
    const text = await readFile(path.join(root, file), 'utf8');
    const names = namesIn(text).filter(({ page, heading }) => !isThere(pages, page, heading));
    wrong.push(
      ...names.map(
        ({ at, page, heading }) => `${file}:${lineAt(text, at)}: no docs/${page}${heading && `#${heading}`}`,
      ),
    );
    if (COMMENTED.test(file)) {
      for (const { 0: silencing, index } of text.matchAll(SILENCING))
        wrong.push(`${file}:${lineAt(text, index)}: ${silencing} silences a check`);
      for (const { 0: whole, 1: word, index } of text.matchAll(BEGINNING))
        wrong.push(
          `${file}:${lineAt(text, index + whole.length)}: a comment begins with «${word}»: it needs a subject`,
        );
    }
    for (const { 0: cited, index } of text.matchAll(new RegExp(CITATION, 'gi')))
      wrong.push(`${file}:${lineAt(text, index)}: «${cited.replaceAll(/\s+/g, ' ')}» must be a link to ${REFERENCE}`);
  }
  return wrong.sort();
}

const isThere = (pages: Pages, page: string, heading: string): boolean =>
  heading === '' ? pages.has(page) : pages.get(page)?.has(heading) === true;

type Name = { readonly page: string; readonly heading: string; readonly at: number };

const namesIn = (text: string): Name[] =>
  [...text.matchAll(NAMED)].map(({ 1: page = '', 2: heading = '', index: at }) => ({ page, heading, at }));

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

async function readPages(root: string): Promise<Pages> {
  const pages = new Map<string, ReadonlySet<string>>();
  const folder = path.join(root, 'docs');
  for await (const file of glob('**/*.md', { cwd: folder })) {
    pages.set(file, headingsOf(await readFile(path.join(folder, file), 'utf8')));
  }
  return pages;
}
