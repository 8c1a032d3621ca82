import { type ReadonlySignal, signal } from '@preact/signals';
import { fullClass } from '../nodes/classes.ts';
import { updateNode } from '../nodes/nodes.ts';
import { client } from '../requests/client.ts';
import { AT_ONCE, readSoon } from '../requests/read-soon.ts';
import { onNodes } from '../streams/live.ts';

/** A source says how its data come. */
export type Source = {
  readonly _id: string;
  readonly _class: string;
  readonly name: string;
  /** The source lies in nodes of these names. */
  readonly place: string;
  readonly workspaceId: string;
  readonly transport?: { readonly _class: string; readonly deviceId?: string | null };
  readonly isEnabled?: boolean;
  readonly currentStatus?: string;
  readonly lastCommsSuccess?: string | null;
  readonly lastCommsAttempt?: string | null;
  readonly permissions?: readonly string[];
  readonly revision?: number;
};

const ATTRIBUTES =
  '_id,_class,name,parentId,workspaceId,transport,isEnabled,currentStatus,lastCommsSuccess,lastCommsAttempt,permissions,revision';
type Listed = Omit<Source, 'place'> & { readonly parentId: string };

/** More sources are not held; it is said that there are more. */
export const MOST_SOURCES = 10_000;

type Sources = { readonly list: readonly Source[]; readonly hasMore: boolean };

const MOST_PLACES = 20_000;

/** Lists sources that the person may see, but not of templates, which never collect. @param filter of the API, such as of one device */
async function listSources(filter: string, stop: AbortSignal): Promise<Sources> {
  const templates = new Set<string | undefined>();
  for await (const { _id } of client.nodes.list({ filter: `_class($eq:${fullClass('Templates')})`, attr: '_id' }))
    templates.add(_id);
  const list: Listed[] = [];
  for await (const node of client.nodes.list({ filter, attr: ATTRIBUTES, limit: MOST_SOURCES + 1 })) {
    stop.throwIfAborted();
    const source = node as unknown as Listed;
    if (!templates.has(source.workspaceId)) list.push(source);
  }
  const held = list.slice(0, MOST_SOURCES);
  const names = await namesOf(new Set(held.flatMap(({ parentId, workspaceId }) => [parentId, workspaceId])), stop);
  return {
    list: held.map(({ parentId, ...source }) => ({
      ...source,
      place: [...new Set([source.workspaceId, parentId])].flatMap((id) => names.get(id) ?? []).join(' / '),
    })),
    hasMore: list.length > MOST_SOURCES,
  };
}

/** Reads names of what sources lie in: of a few by their ids, of many all that there are. */
export async function namesOf(ids: ReadonlySet<string>, stop: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const filter =
    ids.size <= AT_ONCE
      ? [...ids].map((id) => `_id($eq:${id})`).join('|')
      : ['Workspace', 'Group', 'location.Location'].map((name) => `_class($eq:${fullClass(name)})`).join('|');
  const names = new Map<string, string>();
  if (ids.size === 0) return names;
  for await (const { _id, name } of client.nodes.list({ filter, attr: '_id,name', limit: MOST_PLACES })) {
    stop.throwIfAborted();
    names.set(String(_id), String(name));
  }
  return names;
}

export const ALL_SOURCES = '_class($match:.source.)';
export const sourcesOfDevice = (deviceKey: string): string => `transport.deviceId($eq:${deviceKey})`;

export { transportOf } from './transport-of.ts';

/** News of sources come in bursts. */
const SETTLE_MS = 1_500;

export type HeldSources = { readonly sources?: Sources; readonly error?: unknown };

/** Holds sources, kept current: those that the stream names are read anew, many at a time. @param takes which of them the filter means */
export function holdSources(
  filter: string,
  takes: (source: Source) => boolean = () => true,
): { readonly value: ReadonlySignal<HeldSources>; readonly reload: () => void; readonly release: () => void } {
  const value = signal<HeldSources>({});
  let stop = new AbortController();
  const load = async () => {
    stop.abort();
    soon.forget();
    const controller = new AbortController();
    stop = controller;
    try {
      const sources = await listSources(filter, controller.signal);
      if (!controller.signal.aborted) value.value = { sources };
    } catch (error) {
      if (!controller.signal.aborted) value.value = { ...value.peek(), error };
    }
  };
  const soon = readSoon({
    settleMs: SETTLE_MS,
    read: async (ids) => {
      const before = value.peek().sources;
      if (before === undefined) return void load();
      const { signal } = stop;
      const read = await listSources(ids.map((id) => `_id($eq:${id})`).join('|'), signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      if (!read || signal.aborted) return;
      const asked = new Set(ids);
      const kept = (value.peek().sources?.list ?? []).filter(({ _id }) => !asked.has(_id));
      value.value = { sources: { ...before, list: [...kept, ...read.list.filter(takes)] } };
    },
    readAll: () => void load(),
  });
  const still = onNodes((news) => {
    if (news.kind === 'reset') return void load();
    const id = news.kind === 'node' ? news.node._id : news.id;
    const isSource = news.kind === 'node' && news.node._class?.includes('.source.') === true;
    if (!isSource && !value.peek().sources?.list.some((source) => source._id === id)) return;
    soon.add(id);
  });
  void load();
  return {
    value,
    reload: () => void load(),
    release: () => {
      soon.end();
      stop.abort();
      still();
    },
  };
}

/** The way of a source becomes another one. Fields that the class has and the body has not get their defaults. */
export const setTransport = (
  { _id, revision }: Pick<Source, '_id' | 'revision'>,
  name: string,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<unknown> => updateNode(_id, { transport: { _class: fullClass(`transport.${name}`), ...fields } }, revision);
