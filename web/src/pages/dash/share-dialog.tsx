import type { DashboardView, TileView } from '@catchment/dashboard-view';
import { useState } from 'preact/hooks';
import { type Node, rereadNode, updateNode } from '../../data/nodes.ts';
import { previewTiles } from '../../data/page-preview.ts';
import { type BoardTile, isComplete } from '../../data/tiles.ts';
import { useAsked } from '../../data/use-asked.ts';
import { nameOfTile } from '../../live/page-state.ts';
import { PublicLink } from '../../parts/public-link.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { tileName } from './tile-name.ts';
import { say } from './words.ts';

type ShareDialogProps = { readonly node: Node; readonly isUnsaved: boolean; readonly onClose: () => void };

/** Asks whether strangers may see the dashboard, and shows what they see then and how they come to it. */
export function ShareDialog({ node, isUnsaved, onClose }: ShareDialogProps) {
  const text = say();
  const { ui } = words.value;
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const isPublic = node.isPublic === true;
  // The switch is where the person has put it, until the server has answered.
  const [wanted, setWanted] = useState<boolean>();
  const publicId = typeof node.publicId === 'string' ? node.publicId : undefined;
  const set = async (attributes: Readonly<Record<string, unknown>>, done?: string) => {
    setBusy(true);
    setProblem('');
    try {
      await updateNode(node._id, attributes);
      await rereadNode(node._id);
      if (done) toast(done);
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={text.shareTitle} class="dash-share" onClose={onClose} closeText={ui.close}>
      <p>{text.shareText}</p>
      <label class="dash-switch">
        <input
          type="checkbox"
          role="switch"
          aria-checked={wanted ?? isPublic}
          checked={wanted ?? isPublic}
          disabled={isBusy}
          onChange={(event) => {
            const isOn = event.currentTarget.checked;
            setWanted(isOn);
            void set({ isPublic: isOn }).finally(() => setWanted(undefined));
          }}
        />
        <span>{text.shareSwitch}</span>
      </label>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {isUnsaved && <p class="soft">{text.shareUnsaved}</p>}
      <Strangers node={node} publicId={isPublic ? publicId : undefined} />
      {isPublic && publicId !== undefined && (
        <PublicLink
          text={text}
          address={`${location.origin}/public/dash/${publicId}`}
          name={node.name}
          onNew={() => set({ publicId: null }, text.newLinkDone)}
        />
      )}
    </Dialog>
  );
}

/** Tiles in which there is nothing to see, with why. */
function Strangers({ node, publicId }: { readonly node: Node; readonly publicId: string | undefined }) {
  const text = say();
  const tiles = (node.tiles ?? []) as readonly BoardTile[];
  const asked = useAsked<DashboardView>(
    (signal) => (publicId === undefined ? previewTiles(node._id, tiles, signal) : asStranger(publicId, signal)),
    [node._id, node.revision, publicId],
  );
  if (asked.error !== undefined)
    return (
      <p class="problem" role="alert">
        {asked.error instanceof Refused ? asked.error.message : `${text.checkFailed} ${errorText(asked.error)}`}
      </p>
    );
  if (!asked.value) return <p class="soft">{text.checking}</p>;
  const shown = asked.value.tiles;
  const empty = shown.filter(isEmpty);
  const nodes = new Set(tiles.filter(isComplete).flatMap(({ links }) => links.map(({ nodeId }) => nodeId)));
  const nameOf = (view: TileView) => {
    const tile = tiles.find(({ _id }) => _id === view.id);
    return tile ? tileName(tile) : nameOfTile(view);
  };
  return (
    <section class="dash-strangers" aria-label={text.strangers}>
      <h3>{text.strangers}</h3>
      <p>
        {text.strangersSee(nodes.size)}. {empty.length === 0 && text.allWell}
      </p>
      {empty.length > 0 && (
        <>
          <p class="problem">{`${text.strangersNot}:`}</p>
          <ul class="bullets">
            {empty.map((view) => (
              <li key={view.id}>
                <bdi>{nameOf(view)}</bdi>
                {`: ${text.strangersBroken}`}
              </li>
            ))}
          </ul>
        </>
      )}
      {publicId !== undefined && <p>{text.shareOn}</p>}
    </section>
  );
}

class Refused extends Error {}

/** The page as it answers somebody who is not signed in: by its link alone. */
async function asStranger(publicId: string, signal: AbortSignal): Promise<DashboardView> {
  const response = await fetch(`/public/dash/${publicId}/view`, { credentials: 'omit', signal });
  if (response.ok) return response.json();
  const body = await response.json().catch(() => undefined);
  throw new Refused(body?.error?.message ?? String(response.status));
}

/** Returns whether a node that the tile names is not shown. */
export function isEmpty({ content }: TileView): boolean {
  switch (content.type) {
    case 'VALUE':
    case 'SOLID_GAUGE':
      return content.parameter === null;
    case 'VALUE_LIST':
      return content.parameters.includes(null);
    case 'STANDARD_CHART':
      return content.series.includes(null);
    case 'CUSTOM_CHART':
      return content.imageUrl === null;
    case 'ALARM_SUMMARY':
    case 'LOCATION_MAP':
    case 'ATTACHMENT_IMAGE':
      return content.name === null;
    default:
      return false;
  }
}
