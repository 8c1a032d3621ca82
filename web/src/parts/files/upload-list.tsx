import { isRefusal } from '../../data/requests/failures.ts';
import { localeOf } from '../../data/times.ts';
import {
  cancelUpload,
  forgetUploads,
  MOST_BYTES,
  sendAgain,
  type Upload,
  uploads,
} from '../../data/transfers/uploads.ts';
import { Button } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { errorText } from '../../words/error-text.ts';
import { language } from '../../words/index.ts';
import { sizeText } from '../size-text.ts';
import { Report } from './report.tsx';
import { say } from './words.ts';

/** Writes "100 MiB", as limits are written. */
export const limitText = (kind: Upload['kind']): string => `${MOST_BYTES[kind] / 1024 / 1024} MiB`;

type UploadListProps = {
  /** Tells which of the page's files are shown. */
  readonly isOne: (upload: Upload) => boolean;
  /** Label in the job list. */
  readonly label: (count: number) => string;
};

/** Shows files that were given to this page: how far each is, what became of it, and what can be done. */
export function UploadList({ isOne, label }: UploadListProps) {
  const text = say();
  const shown = uploads.value.filter(isOne);
  const failed = shown.filter(({ state }) => state === 'failed');
  if (shown.length === 0) return null;
  return (
    <section class="uploads" aria-label={text.sentHere}>
      <ul>
        {shown.map((upload) => (
          <UploadRow key={upload.id} upload={upload} onAgain={() => sendAgain(upload.id, label(1))} />
        ))}
      </ul>
      <p class="buttons">
        {failed.length > 1 && (
          <Button
            icon="redo"
            onClick={() => {
              for (const { id } of failed) sendAgain(id, label(1));
            }}
          >
            {text.allAgain(failed.length)}
          </Button>
        )}
        {shown.some(({ state }) => state !== 'waiting' && state !== 'sending') && (
          <Button look="bare" onClick={() => forgetUploads(isOne)}>
            {text.forget}
          </Button>
        )}
      </p>
    </section>
  );
}

const SIGNS: Readonly<Record<Upload['state'], IconName>> = {
  waiting: 'clock',
  sending: 'up',
  done: 'check',
  failed: 'warning',
  refused: 'warning',
  cancelled: 'minus',
};

function UploadRow({ upload, onAgain }: { readonly upload: Upload; readonly onAgain: () => void }) {
  const text = say();
  const { name, size } = upload.file;
  const isGoing = upload.state === 'waiting' || upload.state === 'sending';
  const percent = new Intl.NumberFormat(localeOf(language.value), { style: 'percent', maximumFractionDigits: 0 });
  const { states } = text;
  const isRefused = upload.state === 'failed' && isRefusal(upload.error);
  const state = isRefused
    ? states.notTaken
    : upload.state === 'sending' && upload.part >= 1
      ? states.reading
      : states[upload.state];
  return (
    <li class={`upload is-${upload.state}`}>
      <Icon name={SIGNS[upload.state]} />
      <div>
        <p class="upload-name">
          <bdi>{name}</bdi> <span class="soft">{sizeText(size)}</span>
        </p>
        <p class="upload-state" role="status">
          {state}
          {upload.state === 'sending' && upload.part < 1 && `, ${text.sent(percent.format(upload.part))}`}
        </p>
        {upload.state === 'sending' && <progress value={upload.part} max={1} aria-label={name} />}
        <Said upload={upload} />
      </div>
      {isGoing && (
        <Button
          look="bare"
          icon="close"
          aria-label={text.cancel(name)}
          title={text.cancel(name)}
          onClick={() => cancelUpload(upload.id)}
        />
      )}
      {(upload.state === 'failed' || upload.state === 'cancelled') && (
        <Button aria-label={text.againOf(name)} onClick={onAgain}>
          {text.again}
        </Button>
      )}
      {upload.state === 'done' && upload.kind === 'data' && (
        <Button aria-label={text.readAgainOf(name)} onClick={onAgain}>
          {text.readAgain}
        </Button>
      )}
    </li>
  );
}

/** Says why it was not taken, or what was read of it. */
function Said({ upload }: { readonly upload: Upload }) {
  const text = say();
  const { lack, error, outcome, kind, file } = upload;
  if (lack !== undefined)
    return (
      <p class="problem">
        {lack === 'tooLarge' ? text.tooLarge(sizeText(file.size), limitText(kind)) : text.lacks[lack]}
      </p>
    );
  if (upload.state === 'failed')
    return (
      <p class="problem" role="alert">
        {errorText(error)} {isRefusal(error) && text.nothingStored}
      </p>
    );
  if (outcome?.kind === 'data') return outcome.report ? <Report of={outcome.report} /> : <p>{text.data.kept}</p>;
  // The list of imports shows what became of an import.
  return null;
}
