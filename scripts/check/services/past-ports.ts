import { ENTRY_POINT, layerOf, originsOf, placeInRoom, QUERY, type ServiceFile } from './service-files.ts';
import type { Import } from './source-file.ts';

const IN_DOMAIN = /^domain\//;
const IN_STORE = /^store\//;
/** Decides or acts, with ports that its entry point gave it. */
const IN_CORE = /^(?:domain|usecases)\//;

/**
 * A use case changes tables by its ports: it imports no function of another room's store. A domain file imports
 * from another room types and what is in its domain.
 */
export async function pastPorts(root: string, { file, source }: ServiceFile): Promise<string[]> {
  const layer = layerOf(file);
  if (layer !== 'domain' && layer !== 'usecases' && layer !== 'transport') return [];
  const values = source.imports.filter(({ from, isType }) => !isType && ENTRY_POINT.test(from));
  const wrong = await Promise.all(values.map(async (value) => [value, await rolesOf(root, file, value)] as const));
  return wrong.flatMap(([{ name }, roles]) => {
    if (layer === 'domain')
      return roles.every((role) => IN_DOMAIN.test(role)) && roles.length > 0
        ? []
        : [`${file} imports ${name}, which is no decision: domain/ takes types and domain files of other rooms`];
    const isBound = roles.some((role) => IN_CORE.test(role));
    const isStore = roles.some((role) => IN_STORE.test(role) && !QUERY.test(role));
    return isStore && !isBound ? [`${file} imports ${name} of a store: a port is missing`] : [];
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
