import { useEffect, useRef, useState } from 'preact/hooks';
import { useAsked } from '../data/requests/use-asked.ts';
import { Button } from '../ui/button.tsx';
import { fileName, saveBlob } from './download.ts';

/** The page says this of its link. */
export type LinkWords = {
  readonly link: string;
  readonly copyLink: string;
  readonly openLink: string;
  readonly frame: string;
  readonly copyFrame: string;
  readonly frameText: string;
  readonly newLink: string;
  readonly newLinkText: string;
  readonly copiedWord: string;
  readonly copyFailed: string;
  readonly qr: string;
  readonly downloadQr: string;
};

type PublicLinkProps = {
  readonly address: string;
  readonly name: string;
  readonly text: LinkWords;
  /** Makes another link in place of this one. */
  readonly onNew: () => Promise<void>;
};

/** Shows a link for strangers: to copy, as a QR code, and as a frame for another page. */

export function PublicLink({ address, name, text, onNew }: PublicLinkProps) {
  const frame = frameOf(address, name);
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Copied text={text} label={text.link} value={address} button={text.copyLink} />
      <p>
        <a href={address} target="_blank" rel="noreferrer">
          {text.openLink}
        </a>
      </p>
      <div class="dash-frame">
        <Code text={text} address={address} name={name} />
        <div>
          <Copied text={text} label={text.frame} value={frame} button={text.copyFrame} isLong />
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

/** Writes what people put into their own page. */
function frameOf(address: string, name: string): string {
  const safe = name.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `<iframe src="${address}?header=none" title="${safe}" width="100%" height="600" loading="lazy"></iframe>`;
}

type CopiedProps = {
  readonly text: LinkWords;
  readonly label: string;
  readonly value: string;
  readonly button: string;
  readonly isLong?: boolean;
};

function Copied({ text, label, value, button, isLong = false }: CopiedProps) {
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

/** Readers need squares around the code, and the picture that is saved has this many pixels a square. */
const QUIET = 4;
const PIXELS = 12;

type CodeProps = { readonly text: LinkWords; readonly address: string; readonly name: string };

function Code({ text, address, name }: CodeProps) {
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
