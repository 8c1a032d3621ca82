import { glob, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { checkLayerContents } from './services/layer-contents.ts';
import { LAYERS } from './services/service-files.ts';

const PAGE = 'docs/architecture.md';
const SECTION = /^## Rooms$.*?(?=^## |$(?![\s\S]))/ms;
const SERVICE = /^### ([\w-]+)$/gm;
const OWN_LAYERS = /^Layers: (.*)\.$/gm;
const WIRING = /^Wiring: (.*)\.$/gm;
const BESIDE = /^Beside `src`: (.*)\.$/gm;
const NAME = /`([\w.-]+)`/g;
const SERVICES_TABLE = /^## The services$.*?(?=^## )/ms;
const LAYERS_TABLE = /^## Layers$.*?(?=^## )/ms;
const SERVICE_ROW = /^\| \[([\w-]+)\]/gm;
const LAYER_ROW = /^\| `([\w-]+)\/`/gm;
const ROOM = /^\| `([\w-]+)` \|/gm;
/** A folder in a layer of the service, or of one of its rooms. */
const PART = /^- `([\w-]+(?:\/[\w-]+)+)`:/gm;

/** Every service may have these. */
const WIRING_OF_ALL = ['config.ts', 'service.ts'];
/** A runner is a layer of the whole service. */
const LAYERS_OF_ROOMS = LAYERS.filter((layer) => layer !== 'runner');
const FOLDERS_OF_ALL = ['migrations', 'src', 'test'];

/**
 * The page says this of a service: its own layers, its rooms from the ground up, the folders within layers, its files of wiring, and its
 * folders beside `src`.
 */
export type Plan = {
  readonly layers: readonly string[];
  readonly rooms: readonly string[];
  readonly parts: readonly string[];
  readonly wiring: readonly string[];
  readonly beside: readonly string[];
};

/**
 * Returns the differences between docs/architecture.md#rooms and the services at `root`, a line each: folders that the page does not know,
 * those that are not there, and code that is in the wrong layer. Which room may import which is checked with the other imports.
 */
export async function checkRoomMap(root: string): Promise<string[]> {
  const plans = await roomPlans(root);
  const services = await foldersIn(path.join(root, 'services'));
  const page = await pageOf(root);
  const wrong = compared('services', services, [...plans.keys()]);
  wrong.push(...compared('services', services, namesIn(SERVICES_TABLE.exec(page)?.[0], SERVICE_ROW)));
  wrong.push(...compared('a layer', LAYERS, namesIn(LAYERS_TABLE.exec(page)?.[0], LAYER_ROW)));
  for (const [service, plan] of plans) {
    if (!services.includes(service)) continue;
    const source = `services/${service}/src`;
    const said = [...plan.layers, ...plan.rooms];
    wrong.push(...compared(source, await foldersIn(path.join(root, source)), said));
    wrong.push(...compared(source, await partsOf(path.join(root, source), said), plan.parts));
    const beside = (await foldersIn(path.join(root, 'services', service))).filter(
      (name) => !FOLDERS_OF_ALL.includes(name),
    );
    wrong.push(...compared(`services/${service}`, beside, plan.beside));
    const wiring = (await filesAt(path.join(root, source))).filter((name) => !WIRING_OF_ALL.includes(name));
    wrong.push(...compared(source, wiring, plan.wiring));
    for (const room of plan.rooms) wrong.push(...(await strangeInRoom(root, `${source}/${room}`)));
  }
  return [...new Set([...wrong, ...(await checkLayerContents(root))])].sort();
}

/** The map of the page, by service; none without the page. */
export async function roomPlans(root: string): Promise<Map<string, Plan>> {
  const [section = ''] = SECTION.exec(await pageOf(root)) ?? [];
  const texts = section.split(SERVICE).slice(1);
  const plans = new Map<string, Plan>();
  for (let i = 0; i < texts.length; i += 2) {
    const [name = '', text = ''] = texts.slice(i, i + 2);
    const listed = (line: RegExp) => namesIn(text, line).flatMap((names) => namesIn(names, NAME));
    plans.set(name, {
      layers: listed(OWN_LAYERS),
      rooms: namesIn(text, ROOM),
      parts: namesIn(text, PART),
      wiring: listed(WIRING),
      beside: listed(BESIDE),
    });
  }
  return plans;
}

/** The first group of each match, in order. */
const namesIn = (text = '', pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);

async function pageOf(root: string): Promise<string> {
  const [page = ''] = [await readFile(path.join(root, PAGE), 'utf8').catch(noneIfAbsent)].flat();
  return page;
}

const compared = (folder: string, there: readonly string[], said: readonly string[]): string[] => [
  ...there.filter((name) => !said.includes(name)).map((name) => `${PAGE} does not know ${folder}/${name}`),
  ...said.filter((name) => !there.includes(name)).map((name) => `${PAGE} names ${folder}/${name}, which is not there`),
];

/** Folders with files of ours: Git keeps no empty ones. */
async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(noneIfAbsent);
  const names = entries.filter((entry) => entry.isDirectory() && entry.name !== 'node_modules').map(({ name }) => name);
  const full = await Promise.all(names.map((name) => filesIn(path.join(folder, name))));
  return names.filter((_name, i) => full[i]?.length !== 0);
}

/** The files of a folder itself, without tests. */
async function filesAt(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(noneIfAbsent);
  return entries.filter((entry) => entry.isFile() && !/\.test\.\w+$/.test(entry.name)).map(({ name }) => name);
}

/** All files below a folder, by their paths from there. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await Array.fromAsync(glob('**/*', { cwd: folder, withFileTypes: true }));
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)));
}

/** The folders within the layers of a service and of its rooms: `write/domain/lines`. */
async function partsOf(source: string, said: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const top of said)
    for (const file of await filesIn(path.join(source, top))) {
      const folders = [top, ...file.split('/').slice(0, -1)];
      const layer = folders.findIndex((folder) => LAYERS.includes(folder));
      for (let end = layer + 2; layer >= 0 && end <= folders.length; end += 1)
        found.add(folders.slice(0, end).join('/'));
    }
  return [...found];
}

/** A room has layers and its entry point, nothing else. */
async function strangeInRoom(root: string, room: string): Promise<string[]> {
  const entries = await readdir(path.join(root, room), { withFileTypes: true }).catch(noneIfAbsent);
  const folders = await foldersIn(path.join(root, room));
  const files = entries.filter((entry) => !entry.isDirectory() && entry.name !== 'index.ts');
  return [
    ...folders.filter((folder) => !LAYERS_OF_ROOMS.includes(folder)).map((folder) => `${room}/${folder} is no layer`),
    ...files.map(({ name }) => `${room}/${name} is in no layer: a room has index.ts and layers`),
  ];
}

/** A folder that is not there has no folders, and a file no text: the page is compared with that. */
function noneIfAbsent(error: NodeJS.ErrnoException): [] {
  if (error.code !== 'ENOENT') throw error;
  return [];
}
