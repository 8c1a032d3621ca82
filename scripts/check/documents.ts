import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { headingsOf, linksOf } from './markdown.ts';

const NOT_OURS = /(^|\/)(node_modules|\.catchment|\.git|\.installed|dist)(\/|$)/;
/** Decisions name the files of their time. */
const OF_THE_PAST = /^docs\/adr\//;
/** Documents name files with code like `store/pg-alarms.ts`. A leading slash is a place on a machine. */
const NAMED = /`([\w.-][\w./-]*\.(?:ts|tsx|js|mjs|sql|proto|py|tpl|css|sh|md))`/g;
/** A program of a package.json, as documents tell people to start it. */
const STARTED = /\bnpm run (?:--silent )?([a-z][\w:-]*)/g;
/** Addresses of other places: `https://…`, `mailto:…`. */
const ELSEWHERE = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i;
/** The beginning of another document, which has its links. */
const BEGINNING = /\.head\.md$/;

/**
 * Finds what documents of the repository at `root` name or link to, and what does not exist, a line each. A document of a workspace names
 * files of its workspace by the end of their path, others from the root or from its folder.
 */
export async function checkDocuments(root: string): Promise<string[]> {
  const files = await Array.fromAsync(glob('**/*.*', { cwd: root, exclude: (name) => NOT_OURS.test(name) }));
  const documents = new Map<string, string>();
  for (const file of files.filter((file) => file.endsWith('.md')))
    documents.set(file, await readFile(path.join(root, file), 'utf8'));
  const headings = new Map([...documents].map(([document, text]) => [document, headingsOf(text)]));
  const programs = await programsOf(root, files);
  const wrong: string[] = [];
  for (const [document, text] of documents) {
    const folder = path.posix.dirname(document);
    const report = (line: number, problem: string) => wrong.push(`${document}:${line}: ${problem}`);
    if (!OF_THE_PAST.test(document))
      for (const { 1: name = '', index } of text.matchAll(NAMED))
        if (!isNamed(name, document, files)) report(text.slice(0, index).split('\n').length, `no file ${name}`);
    for (const { 1: name = '', index } of text.matchAll(STARTED))
      if (!programs.has(name)) report(text.slice(0, index).split('\n').length, `no program ${name} in a package.json`);
    if (BEGINNING.test(document)) continue;
    const { links, undefinedNames } = linksOf(text);
    for (const { target, line } of undefinedNames) report(line, `no target of ${target}`);
    for (const { target, line } of links.filter(({ target }) => !ELSEWHERE.test(target))) {
      const [file = '', heading = ''] = target.split('#').map(decodeURIComponent);
      const page = file === '' ? document : path.posix.join(folder, file);
      if (!existsSync(path.join(root, page))) report(line, `no file ${file}`);
      else if (heading !== '' && headings.get(page)?.has(heading) === false) report(line, `no ${target}`);
    }
  }
  return wrong.sort();
}

async function programsOf(root: string, files: readonly string[]): Promise<Set<string>> {
  const manifests = files.filter((file) => path.basename(file) === 'package.json');
  const texts = await Promise.all(manifests.map((file) => readFile(path.join(root, file), 'utf8')));
  return new Set(texts.flatMap((text) => Object.keys((JSON.parse(text) as { scripts?: object }).scripts ?? {})));
}

const isNamed = (name: string, document: string, files: readonly string[]): boolean => {
  const fromFolder = path.posix.join(path.posix.dirname(document), name);
  const home = homeOf(document);
  return files.some(
    (file) => file === name || file === fromFolder || (file.endsWith(`/${name}`) && file.startsWith(home)),
  );
};

/** Returns the folder of the workspace that a document is in; empty for documents of the whole repository. */
const homeOf = (document: string): string =>
  /^(?:(?:services|packages|sdk)\/[^/]+|web|cli|e2e|bench|deploy)\//.exec(document)?.[0] ?? '';
