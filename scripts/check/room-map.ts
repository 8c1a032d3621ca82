import { glob, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const PAGE = 'docs/architecture.md';
const SECTION = /^## Rooms$.*?(?=^## |$(?![\s\S]))/ms;
const SERVICE = /^### ([\w-]+)$/gm;
const LAYERS = /^Layers: (.*)\.$/m;
const ROOM = /^\| `([\w-]+)` \|/gm;
/** A folder in a layer. */
const PART = /^- `([\w-]+\/[\w-]+)`:/gm;
const ENTRY_POINT = /from '((?:\.\.\/)+[\w-]+)\/index\.ts'/g;
/** SQL that changes rows, or says so to others. A lock on rows changes none. */
const WRITE = /\b(?:INSERT INTO|UPDATE \S+ (?:\w+ )?SET|DELETE FROM|TRUNCATE)\b|\bappendOutbox\b|\bpg_notify\b/;

/** What another room's entry point gives: `{ … } from '../../room/index.ts'`. */
const FROM_ROOM = /^import \{([^}]*)\} from '((?:\.\.\/)+[\w-]+\/index\.ts)';$/gm;
/** What an entry point takes straight from a file: `export { … } from './layer/file.ts'`. */
const FROM_FILE = /^export \{([^}]*)\} from '\.\/([^']+)';$/gm;
const IN_DOMAIN = /^domain\//;
/** A file of a store that is no query. */
const IN_STORE = /^store\/(?![\w-]+-query\.ts$)/;
/** A handler asks the store itself. */
const STORE_CALL = /\bstores?\.\w+\(/;
const SQL = /\b(?:SELECT|INSERT INTO|UPDATE \S+ (?:\w+ )?SET|DELETE FROM|ORDER BY|WHERE \w+\.\w+)\b/;

/** The page says this of a service: its own layers, its rooms from the ground up, and the folders in its layers where it has no rooms. */
type Plan = {
  readonly layers: readonly string[];
  readonly rooms: readonly string[];
  readonly parts: readonly string[];
};

/**
 * Returns the differences between docs/architecture.md#rooms and the folders of the services at `root`, a line each: folders that the page
 * does not know, rooms that are not there, a room that imports one above it, a query that writes, a use case that reaches past its ports,
 * a handler that asks a store, and a domain file that takes more of another room than types and decisions.
 */
export async function checkRoomMap(root: string): Promise<string[]> {
  const plans = plansOf(await readFile(path.join(root, PAGE), 'utf8'));
  const services = await foldersIn(path.join(root, 'services'));
  const wrong = compared('services', services, [...plans.keys()]);
  for (const [service, { layers, rooms, parts }] of plans) {
    if (!services.includes(service)) continue;
    const source = `services/${service}/src`;
    wrong.push(...compared(source, await foldersIn(path.join(root, source)), [...layers, ...rooms]));
    for (const room of rooms) wrong.push(...(await arrowsUp(root, source, room, rooms)));
    if (rooms.length === 0) wrong.push(...compared(source, await partsOf(path.join(root, source), layers), parts));
  }
  return [
    ...wrong,
    ...(await writingQueries(root)),
    ...(await strayStatements(root)),
    ...(await pastPorts(root)),
  ].sort();
}

function plansOf(page: string): Map<string, Plan> {
  const [section = ''] = SECTION.exec(page) ?? [];
  const parts = section.split(SERVICE).slice(1);
  const plans = new Map<string, Plan>();
  for (let i = 0; i < parts.length; i += 2) {
    const [name = '', text = ''] = parts.slice(i, i + 2);
    const layers = [...(LAYERS.exec(text)?.[1] ?? '').matchAll(/`([\w-]+)`/g)].map(([, layer = '']) => layer);
    const named = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, folder = '']) => folder);
    plans.set(name, { layers, rooms: named(ROOM), parts: named(PART) });
  }
  return plans;
}

const compared = (folder: string, there: readonly string[], said: readonly string[]): string[] => [
  ...there.filter((name) => !said.includes(name)).map((name) => `${PAGE} does not know ${folder}/${name}`),
  ...said.filter((name) => !there.includes(name)).map((name) => `${PAGE} names ${folder}/${name}, which is not there`),
];

/** Folders with files of ours: Git keeps no empty ones. */
async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(noneIfAbsent);
  const names = entries.filter((entry) => entry.isDirectory() && entry.name !== 'node_modules').map(({ name }) => name);
  const full = await Promise.all(names.map((name) => Array.fromAsync(glob(`${name}/**/*.*`, { cwd: folder }))));
  return names.filter((_name, i) => full[i]?.length !== 0);
}

/** The folders in the layers of a service. */
async function partsOf(source: string, layers: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    layers.map(async (layer) => (await foldersIn(path.join(source, layer))).map((part) => `${layer}/${part}`)),
  );
  return found.flat();
}

/** A folder that is not there has no folders, and a file no text: the page is compared with that. */
function noneIfAbsent(error: NodeJS.ErrnoException): [] {
  if (error.code !== 'ENOENT') throw error;
  return [];
}

async function arrowsUp(root: string, source: string, room: string, rooms: readonly string[]): Promise<string[]> {
  const below = rooms.slice(0, rooms.indexOf(room) + 1);
  const wrong: string[] = [];
  for await (const file of glob(`${source}/${room}/**/*.ts`, { cwd: root })) {
    if (file.endsWith('.test.ts')) continue;
    for (const [, imported = ''] of (await readFile(path.join(root, file), 'utf8')).matchAll(ENTRY_POINT)) {
      const other = path.posix.relative(source, path.posix.join(path.posix.dirname(file), imported));
      if (rooms.includes(other) && !below.includes(other)) wrong.push(`${file} imports ${other}, a room above its own`);
    }
  }
  return wrong;
}

async function writingQueries(root: string): Promise<string[]> {
  const wrong: string[] = [];
  for await (const file of glob('services/*/src/**/store/*-query.ts', { cwd: root }))
    if (WRITE.test(await readFile(path.join(root, file), 'utf8'))) wrong.push(`${file} is a query, and writes`);
  return wrong;
}

async function strayStatements(root: string): Promise<string[]> {
  const wrong: string[] = [];
  for await (const file of glob('services/*/src/**/*.ts', { cwd: root })) {
    if (file.endsWith('.test.ts') || file.includes('/store/')) continue;
    if (SQL.test(withoutComments(await readFile(path.join(root, file), 'utf8'))))
      wrong.push(`${file} has SQL, which belongs into a store`);
  }
  return wrong;
}

/**
 * A use case changes tables by its ports: it imports no function of another room's store. A domain file imports
 * from another room types and what is in its domain.
 */
async function pastPorts(root: string): Promise<string[]> {
  const wrong: string[] = [];
  const known = new Map<string, Promise<Map<string, string>>>();
  for await (const file of glob('services/*/src/**/{usecases,domain,transport}/**/*.ts', { cwd: root })) {
    if (file.endsWith('.test.ts')) continue;
    const isDomain = file.includes('/domain/');
    const text = await readFile(path.join(root, file), 'utf8');
    if (file.endsWith('-handlers.ts') && STORE_CALL.test(text))
      wrong.push(`${file} asks a store, which is for a use case`);
    for (const [, names = '', imported = ''] of text.matchAll(FROM_ROOM)) {
      const entryPoint = path.join(root, path.dirname(file), imported);
      const exported = known.get(entryPoint) ?? exportsOf(entryPoint);
      known.set(entryPoint, exported);
      for (const name of valuesIn(names)) {
        const declaredIn = (await exported).get(name) ?? '';
        if (IN_STORE.test(declaredIn)) wrong.push(`${file} imports ${name} of a store: a port is missing`);
        else if (isDomain && !IN_DOMAIN.test(declaredIn))
          wrong.push(
            `${file} imports ${name}, which is no decision: domain/ takes types and domain files of other rooms`,
          );
      }
    }
  }
  return wrong;
}

/** The values that an entry point exports, and where in its room each is declared. */
async function exportsOf(entryPoint: string): Promise<Map<string, string>> {
  const texts = [await readFile(entryPoint, 'utf8').catch(noneIfAbsent)].flat();
  const exported = texts.flatMap((text) => [...text.matchAll(FROM_FILE)]);
  return new Map(exported.flatMap(([, names = '', file = '']) => valuesIn(names).map((name) => [name, file] as const)));
}

const valuesIn = (names: string): string[] =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));

const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
