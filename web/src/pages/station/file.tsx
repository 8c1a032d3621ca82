import { useEffect, useState } from 'preact/hooks';
import { HEAD_BYTES, type Preview } from '../../data/sources/parsers.ts';
import { IMPORT_BYTES } from '../../data/transfers/imports.ts';
import { sizeText } from '../../parts/size-text.ts';
import { Drop } from '../../ui/drop.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Busy } from '../../ui/notes.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { Columns } from './columns.tsx';
import { change, draft, heldFile, isUnreadable, withoutFile } from './draft.ts';
import { Layout } from './layout.tsx';
import { Seen } from './seen.tsx';
import { Time } from './time.tsx';
import { usePreview } from './use-preview.ts';
import { wayOf } from './ways.ts';
import { say } from './words.ts';
import { Zone } from './zone.tsx';

const facts = ({ name, size, lastModified }: File) => ({ name, size, changed: lastModified });

/** A file shows how data are read, and each of its columns can be corrected. */
export function FileStep() {
  const text = say();
  const d = draft();
  const file = heldFile.value;
  const [problem, setProblem] = useState('');
  const take = async (files: readonly File[]) => {
    const file = files[0];
    if (file === undefined) return;
    setProblem('');
    if (files.length > 1) toast(text.severalFiles);
    if (file.size === 0) return setProblem(text.emptyFile);
    if (file.size > IMPORT_BYTES) return setProblem(text.tooLarge(sizeText(file.size)));
    try {
      await file.slice(0, 1).arrayBuffer();
    } catch {
      return setProblem(text.unreadable);
    }
    const isSame = d.file?.name === file.name && d.file.size === file.size && d.file.changed === file.lastModified;
    if (!isSame) isUnreadable.value = false;
    change({ ...(isSame ? {} : withoutFile), file: facts(file) });
    heldFile.value = file;
  };
  const isLost = d.file !== undefined && file === undefined && d.made.file?.isDone !== true;
  return (
    <div class="station-file">
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {isLost && (
        <p class="station-note" role="status">
          <Icon name="warning" />
          {text.fileAgain(d.file!.name)}
        </p>
      )}
      <FileDrop onFiles={take} />
      {file !== undefined && <Read file={file} />}
    </div>
  );
}

function FileDrop({ onFiles }: { readonly onFiles: (files: readonly File[]) => Promise<void> }) {
  const text = say();
  const d = draft();
  const file = heldFile.value;
  const hint = wayOf(d.way)?.file === 'sample' ? text.sampleHint : text.dropHint;
  return (
    <Drop
      label={text.drop}
      choose={file ? text.chooseOther : text.choose}
      onFiles={onFiles}
      class={file ? 'station-drop is-small' : 'station-drop'}
      isQuiet={file !== undefined}
      {...(!file && { hint })}
    >
      {file ? (
        <>
          <Icon name="file" /> <bdi>{file.name}</bdi> <span class="soft">{sizeText(file.size)}</span>
        </>
      ) : (
        <>
          <strong>{text.drop}</strong> <span class="soft">{text.dropOr}</span>
        </>
      )}
    </Drop>
  );
}

function Read({ file }: { readonly file: File }) {
  const text = say();
  const d = draft();
  const { preview, error, isLoading, settle } = usePreview();
  // A part that a failure or a click has opened stays open while it is mended.
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [file]);
  useEffect(() => {
    if (error !== undefined) setOpen(true);
  }, [error]);
  // A change of columns alone is no fault of the layout.
  const isLayout = preview === undefined || d.settled !== undefined;
  const failure = error as { readonly message?: string } | undefined;
  return (
    <>
      {file.size > HEAD_BYTES && (
        <p class="station-note">
          <Icon name="file" />
          {text.head(sizeText(HEAD_BYTES), sizeText(file.size))}
        </p>
      )}
      <div aria-live="polite">
        {isLoading && preview === undefined && error === undefined && <Busy text={text.reading} />}
        {error !== undefined && (
          <div class="problem-note" role="alert">
            <Icon name="warning" />
            <span>
              <strong>{isLayout ? text.refused : text.changeRefused}</strong> {isLayout && text.refusedAdvice}{' '}
              <span lang="en">{errorText(failure)}</span>
            </span>
          </div>
        )}
        {preview !== undefined && error === undefined && <Verdict preview={preview} />}
      </div>
      {preview !== undefined && (
        <>
          {error === undefined && <Dates />}
          <Columns isBusy={isLoading} />
          {error === undefined && <Seen preview={preview} isBusy={isLoading} />}
        </>
      )}
      {(preview !== undefined || error !== undefined) && (
        <details class="station-more" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{text.layout}</summary>
          {d.proposal && d.proposal.parser.format !== 'ROW' && <Time />}
          <Layout file={file} settle={settle} />
          <div class="form station-form">
            <Zone />
          </div>
          {d.proposal && (
            <p class="hint">
              {text.why}: <span lang="en">{d.proposal.why}</span>
            </p>
          )}
        </details>
      )}
    </>
  );
}

function Verdict({ preview: { report } }: { readonly preview: Preview }) {
  const text = say();
  const isBad = report.failed * 5 > report.lines;
  return (
    <div
      class={report.failed > 0 || report.brokenOff !== null ? 'station-note is-warning' : 'station-note is-good'}
      role="status"
    >
      <Icon name={report.failed > 0 ? 'warning' : 'check'} />
      <span>
        {text.read(report.parsed, report.lines)} {report.failed > 0 && text.failed(report.failed)}{' '}
        {isBad && text.manyFailed}
        {report.brokenOff !== null && <span lang="en"> {report.brokenOff}</span>}
      </span>
    </div>
  );
}

/** A date that may be read in two ways is chosen by the person. */
function Dates() {
  const text = say();
  const { proposal } = draft();
  const readings = proposal?.readings ?? [];
  if (proposal === undefined || readings.length < 2) return null;
  const first = (format: string) =>
    JSON.stringify(readings.find((reading) => reading.format === format)?.parser.columns);
  const now = JSON.stringify(proposal.parser.columns);
  return (
    <fieldset class="station-note is-warning station-dates">
      <legend class="station-label">{text.dates}</legend>
      {readings.map(({ format, example, parser }) => (
        <label key={format} class="check">
          <input
            type="radio"
            name="dates"
            checked={first(format) === now}
            onChange={() => change({ proposal: { ...proposal, parser }, time: undefined })}
          />
          <span>
            {text.dateExample(example.text, example.date)} <span class="soft">({format})</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
