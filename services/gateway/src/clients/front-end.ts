import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { FrontEnd, FrontEndEntry, FrontEndFile, FrontEndPage, ShownPage } from '../usecases/pages/front-end.ts';

const MANIFEST = '.vite/manifest.json';
const ENTRIES: Readonly<Record<FrontEndPage, string>> = { dashboard: 'src/main.tsx', console: 'src/app/console.tsx' };
/** The file of this name asks for what is shown first, before other script has come (web/build/chunks.ts). */
const FIRST: Readonly<Record<FrontEndPage, string | undefined>> = { dashboard: undefined, console: 'first' };
/** The folder of these pages of the console has another name than their address. */
const FOLDERS: Readonly<Record<string, string>> = { n: 'node' };
const USUAL_LANGUAGE = 'en';
/** The build makes these; other files are not served. */
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};
const COMPRESSIBLE = /^(text\/|image\/svg)/;
const COMPRESS_ABOVE_BYTES = 1024;
const HELD_BYTES = 32 * 1024 * 1024;

type Chunk = {
  readonly file: string;
  readonly name?: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
};
type Manifest = Readonly<Record<string, Chunk>>;
type Build = {
  readonly stamp: number;
  readonly manifest: Manifest;
  /** Addresses that there are: nothing else of the disk can be asked for. */
  readonly files: ReadonlySet<string>;
};

const compressors = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
} as const;

/** Opens the pages for browsers from a folder that Vite has built; a new build is noticed. */
export function openFrontEnd(root: string): FrontEnd {
  const held = new LRUCache<string, FrontEndFile>({
    maxSize: HELD_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
  });
  let known: Build | undefined;
  const build = async (): Promise<Build | undefined> => {
    const found = await stat(path.join(root, MANIFEST)).catch(() => undefined);
    if (!found) return undefined;
    if (known?.stamp !== found.mtimeMs) {
      known = await readBuild(root, found.mtimeMs);
      held.clear();
    }
    return known;
  };
  return {
    async entry(page, shown) {
      const manifest = (await build())?.manifest;
      const found = manifest && entryOf(manifest, ENTRIES[page], shown ? sourcesOf(manifest, shown) : []);
      const name = FIRST[page];
      const first = name && Object.values(manifest ?? {}).find((chunk) => chunk.name === name)?.file;
      return found && { ...found, first, imported: found.imported.filter((file) => file !== first) };
    },
    async file(name, encodings) {
      const files = (await build())?.files;
      const type = TYPES[path.extname(name)];
      if (!files?.has(name) || type === undefined) return undefined;
      const [encoding] = COMPRESSIBLE.test(type) ? encodings : [];
      const key = `${name} ${encoding ?? ''}`;
      const file = held.get(key) ?? (await readAs(root, name, type, files, encoding));
      held.set(key, file);
      return file;
    },
  };
}

async function readBuild(root: string, stamp: number): Promise<Build> {
  const manifest = JSON.parse(await readFile(path.join(root, MANIFEST), 'utf8')) as Manifest;
  const names = await readdir(root, { recursive: true });
  return {
    stamp,
    manifest,
    files: new Set(names.map((name) => name.split(path.sep).join('/')).filter((name) => name.startsWith('assets/'))),
  };
}

/** Lists what the script of the console asks for once it runs (web/src/app/console.tsx): a page, and words. */
function sourcesOf(manifest: Manifest, { name, languages }: ShownPage): string[] {
  const words = [...languages, USUAL_LANGUAGE].map((language) => `src/words/${language}.ts`);
  return [`src/pages/${FOLDERS[name] ?? name}/index.tsx`, words.find((word) => Object.hasOwn(manifest, word)) ?? ''];
}

function entryOf(manifest: Manifest, source: string, more: readonly string[]): FrontEndEntry | undefined {
  const entry = manifest[source];
  const styles = new Set<string>();
  const seen = new Set<Chunk>();
  const visit = (chunk: Chunk | undefined): void => {
    if (!chunk || seen.has(chunk)) return;
    seen.add(chunk);
    for (const name of chunk.imports ?? []) visit(manifest[name]);
    for (const name of chunk.css ?? []) styles.add(name);
  };
  visit(entry);
  if (!entry) return undefined;
  for (const name of more) visit(manifest[name]);
  const imported = [...seen].filter((chunk) => chunk !== entry).map(({ file }) => file);
  return { scripts: [entry.file], imported, styles: [...styles] };
}

/** Compressed as the build has done it, or by ourselves. */
async function readAs(
  root: string,
  name: string,
  contentType: string,
  files: ReadonlySet<string>,
  encoding: 'br' | 'gzip' | undefined,
): Promise<FrontEndFile> {
  const suffix = encoding && { br: '.br', gzip: '.gz' }[encoding];
  if (encoding && suffix && files.has(name + suffix))
    return { bytes: await readFile(path.join(root, name + suffix)), contentType, encoding };
  const bytes = await readFile(path.join(root, name));
  if (!encoding || bytes.length <= COMPRESS_ABOVE_BYTES) return { bytes, contentType, encoding: '' };
  return { bytes: await compressors[encoding](bytes), contentType, encoding };
}
