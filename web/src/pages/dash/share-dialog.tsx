import type { DashboardView, TileView } from '@catchment/dashboard-view';
import type { Node } from '../../data/nodes/nodes.ts';
import { previewTiles } from '../../data/pages/page-preview.ts';
import { type BoardTile, isComplete } from '../../data/pages/tiles.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { nameOfTile } from '../../live/page-state.ts';
import { ShareDialog as Share, type ShareDialogProps } from '../../parts/share-dialog.tsx';
import { errorText } from '../../words/error-text.ts';
import { tileName } from './tile-name.ts';
import { say } from './words.ts';

/** Asks whether strangers may see the dashboard, and shows what they see then and how they come to it. */
export function ShareDialog(props: ShareDialogProps) {
  const { node } = props;
  const { isPublic, publicId } = node;
  return (
    <Share {...props} page="dash" text={say()}>
      <Strangers node={node} publicId={isPublic === true && typeof publicId === 'string' ? publicId : undefined} />
    </Share>
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

/** Reads the page as it answers somebody who is not signed in: by its link alone. */
async function asStranger(publicId: string, signal: AbortSignal): Promise<DashboardView> {
  const response = await fetch(`/public/dash/${publicId}/view`, { credentials: 'omit', signal });
  if (response.ok) return response.json();
  const body = await response.json().catch(() => undefined);
  throw new Refused(body?.error?.message ?? String(response.status));
}

/** Returns whether a node that the tile names is not shown. */
function isEmpty({ content }: TileView): boolean {
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
