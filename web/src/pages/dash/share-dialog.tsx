import type { DashboardView, TileView } from '@catchment/dashboard-view';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Node, rereadNode, updateNode } from '../../data/nodes.ts';
import { previewTiles } from '../../data/page-preview.ts';
import { type BoardTile, isComplete } from '../../data/tiles.ts';
import { useAsked } from '../../data/use-asked.ts';
import { nameOfTile } from '../../live/page-state.ts';
import { fileName, saveBlob } from '../../parts/download.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { tileName } from './tile-name.ts';
import { say } from './words.ts';

type ShareDialogProps = { readonly node: Node; readonly isUnsaved: boolean; readonly onClose: () => void };

/** Whether strangers may see the dashboard, what they see then, and how they come to it. */
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
        <Links
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

/** Whether a node that the tile names is not shown. */
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

type LinksProps = { readonly address: string; readonly name: string; readonly onNew: () => Promise<void> };

function Links({ address, name, onNew }: LinksProps) {
  const text = say();
  const frame = frameOf(address, name);
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Copied label={text.link} value={address} button={text.copyLink} />
      <p>
        <a href={address} target="_blank" rel="noreferrer">
          {text.openLink}
        </a>
      </p>
      <div class="dash-frame">
        <Code address={address} name={name} />
        <div>
          <Copied label={text.frame} value={frame} button={text.copyFrame} isLong />
          <p class="soft">{text.frameText}</p>
        </div>
      </div>
      {isAsking ? (
        <p class="problem">
          {text.newLinkText}{' '}
          <Button
            look="danger"
            onClick={async () => {
              setAsking(false);
              await onNew();
            }}
          >
            {text.newLink}
          </Button>
        </p>
      ) : (
        <p>
          <Button onClick={() => setAsking(true)}>{text.newLink}</Button>
        </p>
      )}
    </>
  );
}

/** What people put into their own page. */
export function frameOf(address: string, name: string): string {
  const safe = name.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `<iframe src="${address}?header=none" title="${safe}" width="100%" height="600" loading="lazy"></iframe>`;
}

type CopiedProps = {
  readonly label: string;
  readonly value: string;
  readonly button: string;
  readonly isLong?: boolean;
};

function Copied({ label, value, button, isLong = false }: CopiedProps) {
  const text = say();
  const [outcome, setOutcome] = useState('');
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => setOutcome(text.copiedWord),
      () => setOutcome(text.copyFailed),
    );
  const given = {
    readOnly: true,
    value,
    'aria-label': label,
    onFocus: (event: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => event.currentTarget.select(),
  };
  return (
    <div class="dash-copied">
      <span>{label}</span>
      {isLong ? <textarea {...given} rows={3} /> : <input {...given} />}
      <Button icon="copy" onClick={copy}>
        {button}
      </Button>
      <span role="status">{outcome}</span>
    </div>
  );
}

/** Squares around the code that readers need, and pixels of a square in the picture that is saved. */
const QUIET = 4;
const PIXELS = 12;

function Code({ address, name }: { readonly address: string; readonly name: string }) {
  const text = say();
  const canvas = useRef<HTMLCanvasElement>(null);
  // Comes with the first link that is shown.
  const { value } = useAsked(async () => (await import('uqr')).encode(address, { border: QUIET }), [address]);
  const { data, size } = value ?? { data: [], size: 1 };
  useEffect(() => {
    const paint = canvas.current!.getContext('2d')!;
    paint.fillStyle = '#ffffff';
    paint.fillRect(0, 0, size * PIXELS, size * PIXELS);
    paint.fillStyle = '#000000';
    for (const [y, row] of data.entries())
      for (const [x, isDark] of row.entries()) if (isDark) paint.fillRect(x * PIXELS, y * PIXELS, PIXELS, PIXELS);
  }, [value]);
  const save = () => canvas.current!.toBlob((blob) => blob && saveBlob(`${fileName(name)}.png`, blob));
  return (
    <figure class="dash-qr">
      <canvas ref={canvas} width={size * PIXELS} height={size * PIXELS} role="img" aria-label={text.qr}>
        {address}
      </canvas>
      <figcaption>
        <Button look="bare" icon="down" onClick={save}>
          {text.downloadQr}
        </Button>
      </figcaption>
    </figure>
  );
}
