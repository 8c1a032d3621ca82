import { client } from '../requests/client.ts';
import { preference, setPreference } from '../session/preferences.ts';

/** A Workspace has a layer for maps: a file of GeoJSON or KML. Layers of other servers are not shown: pages read from their own alone. */
export type MapLayer = { readonly id: string; readonly label: string };

/** A list of layers can have as many. */
const MOST = 30;
const CHOSEN = 'overview.layers';

type Defined = { readonly label: string; readonly type: string; readonly attachmentId?: string };

/** Reads the layers of all Workspaces; where several Workspaces have some, with their names. */
export async function mapLayers(signal: AbortSignal): Promise<readonly MapLayer[]> {
  const found: (MapLayer & { readonly workspace: string })[] = [];
  const query = { filter: '_class($match:models.node.Workspace)', attr: '_id,name,mapLayers' };
  for await (const workspace of client.nodes.list(query)) {
    signal.throwIfAborted();
    const { name, mapLayers: layers = [] } = workspace as unknown as { name: string; mapLayers?: readonly Defined[] };
    for (const { label, type, attachmentId } of layers)
      if (type === 'LOCAL' && attachmentId) found.push({ id: attachmentId, label, workspace: name });
  }
  const hasSeveral = new Set(found.map(({ workspace }) => workspace)).size > 1;
  return found
    .slice(0, MOST)
    .map(({ id, label, workspace }) => ({ id, label: hasSeveral ? `${workspace}: ${label}` : label }));
}

/** Finds where the file of a layer is. It is asked for when it is needed: links end. */
export async function layerAddress(id: string): Promise<string> {
  const { fileUrl } = (await client.nodes.get(id, { attr: 'fileUrl' })) as { fileUrl?: string };
  const { pathname, search } = new URL(fileUrl ?? '', location.href);
  return `${pathname}${search}`;
}

/** Returns the layers that the person has switched on. */
export const chosenLayers = (): readonly string[] => {
  const { value } = preference<unknown>(CHOSEN);
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];
};

export const chooseLayer = (id: string, isOn: boolean): Promise<void> => {
  const others = chosenLayers().filter((layer) => layer !== id);
  return setPreference(CHOSEN, isOn ? [...others, id].slice(-MOST) : others);
};
