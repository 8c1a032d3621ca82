import { useId, useState } from 'preact/hooks';
import { stationAddress } from '../../data/addresses.ts';
import type { Import } from '../../data/transfers/imports.ts';
import { runJob } from '../../data/transfers/jobs.ts';
import { positionText } from '../../maps/position.ts';
import { sizeText } from '../../parts/size-text.ts';
import { Button } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { change, draft, heldFile } from './draft.ts';
import {
  FileLost,
  make,
  type PartKey,
  parametersOf,
  partsOf,
  positionOf,
  sourceName,
  stationName,
  takeBack,
} from './make.ts';
import { wayOf } from './ways.ts';
import { say } from './words.ts';

const SHOWN_PARAMETERS = 12;
const ICONS: Readonly<Record<string, IconName>> = {
  done: 'check',
  failed: 'warning',
  running: 'clock',
  waiting: 'more',
};

/** Shows all that will be made; then it is made, part by part, and a part that fails leaves no doubt about what stands. */
export function ReviewStep({ onDone }: { readonly onDone: () => void }) {
  const text = say();
  const d = draft();
  const [running, setRunning] = useState<PartKey>();
  const [news, setNews] = useState<Import>();
  const [failed, setFailed] = useState<{ readonly part: PartKey; readonly error: unknown }>();
  const parts = partsOf(d);
  const madeOf = parts.filter((part) => d.made[part]?.isDone);
  const run = async () => {
    setFailed(undefined);
    setNews(undefined);
    let at: PartKey = parts[0]!;
    try {
      await runJob(`${text.make}: ${stationName(d)}`, (report) =>
        make((progress) => {
          at = progress.part;
          setRunning(at);
          setNews(progress.import);
          report(parts.indexOf(at) / parts.length);
        }),
      );
      setRunning(undefined);
      onDone();
    } catch (error) {
      setRunning(undefined);
      setFailed({ part: at, error });
    }
  };
  const undo = async () => {
    try {
      await takeBack();
      setFailed(undefined);
      toast(text.takenBack);
    } catch (error) {
      toast(errorText(error), { isBad: true });
    }
  };
  const isBusy = running !== undefined;
  return (
    <div class="station-review">
      {wayOf(d.way)?.key !== 'template' && !d.parent?.isPlace && <SourceName isDisabled={isBusy} />}
      <section aria-label={text.made}>
        <h3>{text.made}</h3>
        <ol class="station-parts">
          {parts.map((part) => {
            const state =
              part === running
                ? 'running'
                : failed?.part === part
                  ? 'failed'
                  : d.made[part]?.isDone
                    ? 'done'
                    : 'waiting';
            const isShown = isBusy || failed !== undefined || madeOf.length > 0;
            return (
              <li key={part} class={isShown ? `is-${state}` : ''}>
                {isShown && <Icon name={ICONS[state]!} />}
                <div>
                  <strong>{text.parts[part]}</strong> <What part={part} />
                </div>
                {isShown && (
                  <span class="soft station-state">
                    {part === 'file' && state === 'running' && news
                      ? text.records(news.records, news.recordsTotal)
                      : text.states[state]}
                  </span>
                )}
              </li>
            );
          })}
        </ol>
      </section>
      {failed !== undefined && <Failed failed={failed} madeOf={madeOf} />}
      <div class="buttons">
        <Button look="main" isBusy={isBusy} onClick={run}>
          {failed !== undefined || madeOf.length > 0 ? text.goOn : text.make}
        </Button>
        {!isBusy && madeOf.length > 0 && <Button onClick={undo}>{text.takeBack}</Button>}
      </div>
      <p class="unseen" role="status">
        {running !== undefined && `${text.parts[running]} ${text.states.running}`}
      </p>
    </div>
  );
}

function Failed({
  failed,
  madeOf,
}: {
  readonly failed: { readonly part: PartKey; readonly error: unknown };
  readonly madeOf: readonly PartKey[];
}) {
  const text = say();
  const d = draft();
  const { part, error } = failed;
  const stands = madeOf.map((part) => text.parts[part]).join(', ');
  const why = error instanceof FileLost ? text.fileAgain(d.file?.name ?? '') : errorText(error);
  return (
    <div class="problem-note" role="alert">
      <Icon name="warning" />
      <span>
        <strong>
          {text.parts[part]} {text.states.failed}:
        </strong>{' '}
        {why} <br />
        {madeOf.length === 0 ? text.standsNothing : text.stands(stands)} {text.standsAdvice}
        {part === 'source' && wayOf(d.way) !== undefined && wayOf(d.way)!.fields.length > 0 && (
          <>
            {' '}
            <a href={stationAddress('connection')}>{text.steps.connection}</a>
          </>
        )}
      </span>
    </div>
  );
}

function SourceName({ isDisabled }: { readonly isDisabled: boolean }) {
  const text = say();
  const id = useId();
  const d = draft();
  return (
    <div class="form station-form">
      <div>
        <label for={id} class="station-label">
          {text.sourceName}
        </label>
        <input
          id={id}
          maxLength={120}
          autocomplete="off"
          dir="auto"
          disabled={isDisabled}
          value={d.sourceName}
          placeholder={sourceName({ ...d, sourceName: '' })}
          aria-describedby={`${id}-hint`}
          onInput={(event) => change({ sourceName: event.currentTarget.value })}
        />
        <p id={`${id}-hint`} class="hint">
          {text.sourceNameHint}
        </p>
      </div>
    </div>
  );
}

function What({ part }: { readonly part: PartKey }) {
  const text = say();
  const d = draft();
  const way = wayOf(d.way);
  switch (part) {
    case 'clone':
      return (
        <span>
          <bdi>{stationName(d)}</bdi>{' '}
          <span class="soft">
            {d.template?.name}, {text.inside(d.parent?.name ?? '')}
          </span>
        </span>
      );
    case 'place':
      return (
        <span>
          <bdi>{stationName(d)}</bdi> <span class="soft">{text.inside(d.parent?.name ?? '')}</span>
        </span>
      );
    case 'position':
      return <span class="number">{positionText(positionOf(d)!)}</span>;
    case 'source':
      return (
        <span>
          <bdi>{sourceName(d)}</bdi>{' '}
          <span class="soft">
            {text.ways[way!.key]![0]}, {d.zone}
          </span>
        </span>
      );
    case 'parameters': {
      const all = parametersOf(d);
      const names = all
        .slice(0, SHOWN_PARAMETERS)
        .map(({ name, units }) => (units === '' ? name : `${name} (${units})`));
      return (
        <span>
          {text.parameters(all.length)}: <bdi>{names.join(', ')}</bdi>
          {all.length > SHOWN_PARAMETERS && ' …'}
        </span>
      );
    }
    case 'file':
      return (
        <span>
          <bdi>{text.fileLines(d.file?.name ?? '', sizeText(heldFile.value?.size ?? d.file?.size ?? 0))}</bdi>
          {(d.counts?.failed ?? 0) > 0 && <span class="problem"> {text.failed(d.counts!.failed)}</span>}
        </span>
      );
    default:
      return null;
  }
}
