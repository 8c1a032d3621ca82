import { glob } from 'node:fs/promises';
import path from 'node:path';
import { type SourceFile, sourceFile } from './source-file.ts';

/** A file of a service: `services/<service>/src/<room>/<layer>/…`, or without a room. */
export type ServiceFile = { readonly file: string; readonly source: SourceFile };

/** The folders that code of a service, or of a room, is in (docs/architecture.md#layers). */
export const LAYERS = ['domain', 'usecases', 'store', 'clients', 'bus', 'transport', 'runner'];

export const ENTRY_POINT = /^\.\.?\/.*\bindex\.ts$/;
export const PORTS = /(?:^|[/-])ports\.ts$/;
export const QUERY = /-query\.ts$/;
const IN_LAYER = new RegExp(`^services/[^/]+/src/(?:[^/]+/)??(?<inRoom>(?<layer>${LAYERS.join('|')})/.*)$`);

/** The files of all services at `root`, without tests. */
export async function serviceFiles(root: string): Promise<ServiceFile[]> {
  const files = await Array.fromAsync(glob('services/*/src/**/*.{ts,mts,cts,tsx,js,mjs,cjs}', { cwd: root }));
  const own = files.filter((file) => !/\.test\.\w+$/.test(file));
  return Promise.all(own.map(async (file) => ({ file, source: await sourceFile(path.join(root, file)) })));
}

export const serviceOf = (file: string): string => file.split('/')[1] ?? '';

/** Empty for wiring. */
export const layerOf = (file: string): string => IN_LAYER.exec(file)?.groups?.layer ?? '';

/** `store/pg-names.ts` of a room or of a service; empty for wiring. */
export const placeInRoom = (file: string): string => IN_LAYER.exec(file)?.groups?.inRoom ?? '';

/** The files that a name comes from, through entry points. */
export async function originsOf(root: string, file: string, from: string, name: string, depth = 0): Promise<string[]> {
  if (!from.startsWith('.')) return [];
  const target = path.posix.join(path.posix.dirname(file), from);
  if (!target.endsWith('/index.ts') || depth > 8) return [target];
  const { exports } = await sourceFile(path.join(root, target)).catch(noneIfAbsent);
  const files = name === '*' ? [...exports.values()].flat() : (exports.get(name) ?? []);
  const origins = await Promise.all(files.map((each) => originsOf(root, target, each, name, depth + 1)));
  return origins.flat();
}

function noneIfAbsent(error: NodeJS.ErrnoException): Pick<SourceFile, 'exports'> {
  if (error.code !== 'ENOENT') throw error;
  return { exports: new Map() };
}
