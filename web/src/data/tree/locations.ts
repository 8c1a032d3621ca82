import { computed, signal } from '@preact/signals';
import { FIRST_PLACES } from '../requests/begun.ts';
import { call } from '../requests/call.ts';
import { type LiveNode, onNodes } from '../streams/live.ts';
import { levels, openLevel, ROOT } from './levels.ts';

/** A place has its position. */
export type Place = {
  readonly _id: string;
  readonly name: string;
  readonly workspaceId: string;
  readonly customId?: string | undefined;
  readonly position?: { readonly latitude: number; readonly longitude: number } | undefined;
  readonly positionTime?: string | undefined;
};
export type Places =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly places: ReadonlyMap<string, Place> }
  | { readonly kind: 'failed'; readonly error: unknown };

const held = signal<Places>({ kind: 'loading' });
const CLASS = '.location.Location';

/** The tree reports each level that is opened; the names of Workspaces stay as they are meanwhile. */
const rootLevel = computed(() => levels.value.get(ROOT));

/** Workspaces have these names, by id; those of templates have none. */
export const workspaceNames = computed<ReadonlyMap<string, string>>(
  () =>
    new Map(
      (rootLevel.value?.children ?? [])
        .filter(({ _class }) => !_class.endsWith('.Templates'))
        .map(({ _id, name }) => [_id, name]),
    ),
);

/** The person may see all these Locations, but for those of templates, which are nowhere. */
export const places = computed<Places>(() => {
  const all = held.value;
  const names = workspaceNames.value;
  const root = rootLevel.value;
  if (all.kind !== 'ready' || root === undefined || (root.isLoading && root.children.length === 0))
    return all.kind === 'failed' ? all : { kind: 'loading' };
  // A name may be missing where not all Workspaces are known.
  const isWhole = root.next === undefined;
  return {
    kind: 'ready',
    places: new Map([...all.places].filter(([, { workspaceId }]) => !isWhole || names.has(workspaceId))),
  };
});

function placeOf(node: LiveNode): Place {
  const { _id, name = '', currentValue, currentTime, workspaceId, customId } = node;
  const [latitude, longitude] = Array.isArray(currentValue) ? currentValue : [];
  const isKnown = Number.isFinite(latitude) && Number.isFinite(longitude);
  return {
    _id,
    name,
    workspaceId: String(workspaceId ?? ''),
    customId: typeof customId === 'string' ? customId : undefined,
    position: isKnown ? { latitude, longitude } : undefined,
    positionTime: typeof currentTime === 'string' ? currentTime : undefined,
  };
}

let isFollowed = false;

/** Reads all places, once, and keeps them as the stream reports them. @returns once they are there, or cannot be */
export async function followPlaces(): Promise<void> {
  const level = openLevel(ROOT);
  if (isFollowed) return level;
  isFollowed = true;
  const read = readPlaces();
  onNodes((news) => {
    const { value } = held;
    if (news.kind === 'reset') void readPlaces();
    if (value.kind !== 'ready') return;
    if (news.kind === 'node' && news.node._class?.endsWith(CLASS)) {
      const before = value.places.get(news.node._id);
      const next = { ...placeOf(news.node), customId: before?.customId };
      if (JSON.stringify(before) !== JSON.stringify(next))
        held.value = { kind: 'ready', places: new Map(value.places).set(next._id, next) };
    }
    if (news.kind === 'removed' && value.places.has(news.id)) {
      const next = new Map(value.places);
      next.delete(news.id);
      held.value = { kind: 'ready', places: next };
    }
  });
  await Promise.all([level, read]);
}

export async function readPlaces(): Promise<void> {
  try {
    const all = new Map<string, Place>();
    const { limit } = FIRST_PLACES;
    for (let skip = 0; ; skip += limit) {
      const page = await call<readonly LiveNode[]>('GET', '/nodes', { query: { ...FIRST_PLACES, skip } });
      for (const node of page) all.set(node._id, placeOf(node));
      if (page.length < limit) break;
    }
    held.value = { kind: 'ready', places: all };
  } catch (error) {
    if (held.peek().kind !== 'ready') held.value = { kind: 'failed', error };
  }
}
