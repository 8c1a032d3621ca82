import { type Child, listChildren } from '../tree/children.ts';

/** Parameters of this many sources of a place are read, and this many groups are looked into. */
const MOST_SOURCES = 6;
const MOST_EACH = 50;

/** Reads the parameters of a place with their values of now, those that have an alarm first. */
export async function valuesBelow(id: string, signal: AbortSignal): Promise<readonly Child[]> {
  const read = async (parentId: string) => (await listChildren({ parentId, limit: MOST_EACH }, signal)).nodes;
  const children = await read(id);
  const groups = children.filter(({ _class, childCount }) => childCount > 0 && _class.endsWith('.Group')).slice(0, 3);
  const inGroups = (await Promise.all(groups.map(({ _id }) => read(_id)))).flat();
  const sources = [...children, ...inGroups]
    .filter(({ _class, childCount }) => childCount > 0 && _class.includes('.source.data.'))
    .slice(0, MOST_SOURCES);
  const all = (await Promise.all(sources.map(({ _id }) => read(_id)))).flat();
  const rank = ({ alarm }: Child) => (alarm === 'ACTIVE' ? 0 : alarm === 'ACKNOWLEDGED' ? 1 : 2);
  return all
    .filter(({ _class, isActive }) => _class.includes('.point.') && isActive !== false)
    .sort((a, b) => rank(a) - rank(b));
}
