import { glob, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { checkLayerContents } from './services/layer-contents.ts';
import { LAYERS } from './services/service-files.ts';

const PAGE = 'docs/architecture.md';
const SECTION = /^## Rooms$.*?(?=^## |$(?![\s\S]))/ms;
const SERVICE = /^### ([\w-]+)$/gm;
const OWN_LAYERS = /^Layers: (.*)\.$/m;
const ROOM = /^\| `([\w-]+)` \|/gm;
/** A folder in a layer of the service, or of one of its rooms. */
const PART = /^- `([\w-]+(?:\/[\w-]+)+)`:/gm;

/** The page says this of a service: its own layers, its rooms from the ground up, and the folders within layers. */
export type Plan = {
  readonly layers: readonly string[];
  readonly rooms: readonly string[];
  readonly parts: readonly string[];
};

/**
 * Returns the differences between docs/architecture.md#rooms and the services at `root`, a line each: folders that the page does not know,
 * those that are not there, and code that is in the wrong layer. Which room may import which is checked with the other imports.
 */
export async function checkRoomMap(root: string): Promise<string[]> {
  const plans = await roomPlans(root);
  const services = await foldersIn(path.join(root, 'services'));
  const wrong = compared('services', services, [...plans.keys()]);
  for (const [service, plan] of plans) {
    if (!services.includes(service)) continue;
    const source = `services/${service}/src`;
    const said = [...plan.layers, ...plan.rooms];
    wrong.push(...compared(source, await foldersIn(path.join(root, source)), said));
    wrong.push(...compared(source, await partsOf(path.join(root, source), said), plan.parts));
    for (const room of plan.rooms) wrong.push(...(await strangeInRoom(root, `${source}/${room}`)));
  }
  return [...wrong, ...(await checkLayerContents(root))].sort();
}

/** The map of the page, by service; none without the page. */
export async function roomPlans(root: string): Promise<Map<string, Plan>> {
  const [page = ''] = [await readFile(path.join(root, PAGE), 'utf8').catch(noneIfAbsent)].flat();
  const [section = ''] = SECTION.exec(page) ?? [];
  const texts = section.split(SERVICE).slice(1);
  const plans = new Map<string, Plan>();
  for (let i = 0; i < texts.length; i += 2) {
    const [name = '', text = ''] = texts.slice(i, i + 2);
    const layers = [...(OWN_LAYERS.exec(text)?.[1] ?? '').matchAll(/`([\w-]+)`/g)].map(([, layer = '']) => layer);
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
  const full = await Promise.all(names.map((name) => filesIn(path.join(folder, name))));
  return names.filter((_name, i) => full[i]?.length !== 0);
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
    ...folders.filter((folder) => !LAYERS.includes(folder)).map((folder) => `${room}/${folder} is no layer`),
    ...files.map(({ name }) => `${room}/${name} is in no layer: a room has index.ts and layers`),
  ];
}

/** A folder that is not there has no folders, and a file no text: the page is compared with that. */
function noneIfAbsent(error: NodeJS.ErrnoException): [] {
  if (error.code !== 'ENOENT') throw error;
  return [];
}
