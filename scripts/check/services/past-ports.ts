import { ENTRY_POINT, layerOf, originsOf, placeInRoom, type ServiceFile, serviceOf } from './service-files.ts';
import type { Import } from './source-file.ts';

/** What a layer may take of another room, by the place of a file in its room (docs/architecture.md#layers). */
const TAKEN: Readonly<Record<string, RegExp>> = {
  domain: /^domain\//,
  usecases: /^(?:domain\/|usecases\/|store\/.*-query\.ts$)/,
  store: /^(?:domain|usecases|store)\//,
  clients: /^(?:domain|usecases|clients)\//,
  bus: /^(?:domain|usecases|bus)\//,
  runner: /^(?:domain|usecases|runner)\//,
  transport: /^(?:domain|usecases|transport)\//,
};
/** Decides or acts, with ports that its entry point gave it. */
const IN_CORE = /^(?:domain|usecases)\//;

/** A file takes of other rooms what its layer may know: a use case that needs another room's store has a port for it. */
export async function pastPorts(root: string, { file, source }: ServiceFile): Promise<string[]> {
  const layer = layerOf(file);
  const taken = TAKEN[layer];
  if (!taken) return [];
  const values = source.imports.filter(({ from, isType }) => !isType && ENTRY_POINT.test(from));
  const wrong = await Promise.all(values.map(async (value) => [value, await rolesOf(root, file, value)] as const));
  return wrong.flatMap(([{ from, name }, roles]) => {
    const isBound = layer !== 'domain' && roles.some((role) => IN_CORE.test(role));
    const stranger = roles.find((role) => !taken.test(role));
    if (roles.length > 0 && (isBound || stranger === undefined)) return [];
    const what = stranger?.replace(/\/.*/, '') || 'wiring';
    return [`${file} imports ${name || 'what runs'} of ${from}, which is ${what}: ${layer}/ may not know that`];
  });
}

/** The layers that a name of another room comes from, as paths in their rooms. */
async function rolesOf(root: string, file: string, { from, name }: Import): Promise<string[]> {
  const origins = await originsOf(root, file, from, name);
  return origins.map(placeInRoom);
}

/** Entry points name what they give, and who is no wiring names what it takes. */
export function unfollowed({ file, source }: ServiceFile): string[] {
  const isWiring = layerOf(file) === '';
  const byName = source.imports.find(
    ({ from }) => from.startsWith('#') || `${from}/`.startsWith(`@catchment/${serviceOf(file)}/`),
  );
  if (byName) return [`${file} imports ${byName.from}: a service imports its files by their paths`];
  const wrong = source.exports.get('*');
  const lines = wrong ? [`${file} gives all of ${wrong}: an entry point names what it gives`] : [];
  if (isWiring) return lines;
  const all = source.imports.filter(({ from, name, isType }) => name === '*' && !isType && ENTRY_POINT.test(from));
  const late = source.dynamicImports.filter((from) => from === '' || from.startsWith('.'));
  return [
    ...lines,
    ...all.map(({ from }) => `${file} takes all of ${from}: name what it takes`),
    ...late.map((from) => `${file} imports ${from || 'a computed name'} when it runs: import it at the top`),
  ];
}
