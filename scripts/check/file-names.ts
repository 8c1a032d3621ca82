import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';

const NOT_OURS = /(^|\/)(node_modules|\.catchment|\.git|\.installed|dist)(\/|$)/;
/** Decisions name the files of their time. */
const OF_THE_PAST = /^docs\/adr\//;
/** Names of files with code, as documents have them: `store/pg-alarms.ts`. A leading slash is a place on a machine. */
const NAMED = /`([\w.-][\w./-]*\.(?:ts|tsx|js|mjs|sql|proto|py|tpl|css|sh))`/g;

/**
 * Finds files that documents of the repository at `root` name, and that do not exist, a line each. A document of a workspace names files of
 * its workspace by the end of their path, others from the root or from its folder.
 */
export async function checkFileNames(root: string): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob('**/*.*', { cwd: root, exclude: (name) => NOT_OURS.test(name) })) files.push(file);
  const known = new Set(files);
  const wrong: string[] = [];
  for (const document of files.filter((file) => file.endsWith('.md') && !OF_THE_PAST.test(file))) {
    const text = await readFile(path.join(root, document), 'utf8');
    const folder = path.posix.dirname(document);
    const isThere = (name: string) =>
      known.has(name) ||
      known.has(path.posix.join(folder, name)) ||
      files.some((file) => file.endsWith(`/${name}`) && file.startsWith(homeOf(document)));
    for (const { 1: name = '', index } of text.matchAll(NAMED))
      if (!isThere(name)) wrong.push(`${document}:${text.slice(0, index).split('\n').length}: no file ${name}`);
  }
  return wrong.sort();
}

/** The folder of the workspace that a document is in; empty for documents of the whole repository. */
const homeOf = (document: string): string =>
  /^(?:(?:services|packages|sdk)\/[^/]+|web|cli|e2e|bench|deploy)\//.exec(document)?.[0] ?? '';
