import { useEffect, useRef, useState } from 'preact/hooks';
import { reportFileAddress } from '../../data/addresses.ts';
import { type Block, PREVIEWED_PAGES, previewReport, type ReportPreview } from '../../data/pages/reports.ts';
import { isRefusal } from '../../data/requests/failures.ts';
import { zoneOf } from '../../format/zone.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { errorText } from '../../words/error-text.ts';
import { printedOf } from './document.ts';
import { type Refusal, refusalAt } from './use-report.ts';
import { say } from './words.ts';

/** A report that is typed is printed once nothing more comes for this long. */
const REST_MS = 900;
/** A short wait is not shown. */
const SHOWN_AFTER_MS = 300;
const PIXELS = 1_000;

export type Printed = {
  readonly state: 'none' | 'printing' | 'done' | 'failed' | 'stopped';
  /** The last one stays while another is made. */
  readonly last?: ReportPreview;
  readonly refusal?: Refusal;
  readonly failure?: string;
};

/** Makes the report as it would be printed, anew when it has changed. */
export function usePrinted(
  id: string,
  document: Readonly<Record<string, unknown>>,
  blocks: readonly Block[],
  asked: { readonly nowTime: string; readonly page: number; readonly isOn: boolean },
) {
  const [printed, setPrinted] = useState<Printed>({ state: 'none' });
  const [attempt, setAttempt] = useState(0);
  const stop = useRef<AbortController | undefined>(undefined);
  const body = JSON.stringify(printedOf(document));
  const { nowTime, page, isOn } = asked;
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isOn) return;
    const controller = new AbortController();
    stop.current = controller;
    setPrinted(({ last }) => ({ state: 'printing', ...(last && { last }) }));
    const print = () =>
      previewReport(id, JSON.parse(body), { nowTime, page, width: PIXELS }, controller.signal).then(
        (last) => setPrinted({ state: 'done', last }),
        (error: unknown) => {
          if (controller.signal.aborted) return;
          const { argument } = error as { readonly argument?: string };
          const failed = { message: errorText(error), ...(argument !== undefined && { path: argument }) };
          setPrinted(({ last }) => ({
            state: 'failed',
            ...(last && { last }),
            ...(isRefusal(error) && argument !== undefined
              ? { refusal: refusalAt(failed, blocks) }
              : { failure: isTooLarge(error) ? `${failed.message} ${saidBy(error)}` : failed.message }),
          }));
        },
      );
    const timer = setTimeout(print, isFirst.current ? 0 : REST_MS);
    isFirst.current = false;
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [id, body, nowTime, page, isOn, attempt]);
  return {
    printed,
    again: () => setAttempt((n) => n + 1),
    cancel: () => {
      stop.current?.abort();
      setPrinted(({ last }) => ({ state: 'stopped', ...(last && { last }) }));
    },
  };
}

/** Recognises a report beyond a limit; the server alone says which one. */
const isTooLarge = (error: unknown): boolean => (error as { readonly kind?: string }).kind === 'too_large';
const saidBy = (error: unknown): string => (error as Error).message.replace(/ \(\d{3}\b.*$/, '');

type PreviewProps = {
  readonly id: string;
  readonly zone: { readonly name: string; readonly adjustForDst: boolean };
  readonly printed: Printed;
  readonly page: number;
  readonly nowTime: string;
  readonly isUnsaved: boolean;
  readonly problems: readonly { readonly text: string; readonly run: (() => void) | undefined }[];
  readonly onPage: (page: number) => void;
  readonly onNow: (nowTime: string) => void;
  readonly again: () => void;
  readonly cancel: () => void;
};

/** Shows pictures of the pages of the PDF, as of a moment. */
export function Preview(props: PreviewProps) {
  const { id, printed, page, nowTime, zone, problems } = props;
  const text = say();
  const { last, state } = printed;
  const isShown = useLater(state === 'printing', SHOWN_AFTER_MS);
  const isLong = useLater(state === 'printing', 3_000);
  const count = last?.pageCount ?? 0;
  const to = Math.min(page + PREVIEWED_PAGES - 1, count);
  return (
    <section class="report-preview" aria-label={text.preview}>
      <header class="report-preview-head">
        <h2>{text.preview}</h2>
        <Moment nowTime={nowTime} zone={zone} onNow={props.onNow} />
        <a class="button is-quiet" href={reportFileAddress(id, nowTime)} target="_blank" rel="noreferrer">
          {text.openFile}
        </a>
      </header>
      <p class="report-preview-state" role="status">
        {isShown ? (
          <>
            {isLong ? text.printingLong : text.printing}{' '}
            <Button look="bare" onClick={props.cancel}>
              {text.stop}
            </Button>
          </>
        ) : state === 'stopped' ? (
          <>
            {text.stopped}{' '}
            <Button look="bare" onClick={props.again}>
              {text.printAgain}
            </Button>
          </>
        ) : state === 'done' ? (
          text.pages(count, page, to)
        ) : (
          ''
        )}
      </p>
      {(printed.failure ?? printed.refusal?.message) !== undefined && (
        <p class="problem-note" role="alert">
          <Icon name="warning" />
          <span>{printed.failure ?? text.refused(printed.refusal!.message)}</span>
          {printed.failure !== undefined && (
            <Button look="bare" onClick={props.again}>
              {text.printAgain}
            </Button>
          )}
        </p>
      )}
      {problems.length > 0 && (
        <section class="report-problems" aria-label={text.problems}>
          <h3>{text.problemsCount(problems.length)}</h3>
          <ul>
            {problems.map((problem) => (
              <li key={problem.text}>
                {problem.run ? (
                  <button type="button" class="link" onClick={problem.run}>
                    {problem.text}
                  </button>
                ) : (
                  problem.text
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {props.isUnsaved && state === 'done' && <p class="soft">{text.previewUnsaved}</p>}
      <div class={state === 'done' ? 'report-pages' : 'report-pages is-old'}>
        {last?.pages.map((page) => (
          <img
            key={page.page}
            src={`data:image/png;base64,${page.png}`}
            width={page.width}
            height={page.height}
            alt={text.pageAlt(page.page)}
          />
        ))}
        {!last && state === 'printing' && <div class="report-blank" />}
      </div>
      {count > PREVIEWED_PAGES && (
        <nav class="buttons" aria-label={text.morePages}>
          <Button icon="left" disabled={page === 1} onClick={() => props.onPage(Math.max(1, page - PREVIEWED_PAGES))}>
            {text.earlierPages}
          </Button>
          <Button icon="right" disabled={to >= count} onClick={() => props.onPage(page + PREVIEWED_PAGES)}>
            {text.laterPages}
          </Button>
        </nav>
      )}
    </section>
  );
}

/** Returns whether something has been so for a while. */
function useLater(isSo: boolean, afterMs: number): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isSo) return setLate(false);
    const timer = setTimeout(() => setLate(true), afterMs);
    return () => clearTimeout(timer);
  }, [isSo, afterMs]);
  return isSo && isLate;
}

type MomentProps = Pick<PreviewProps, 'nowTime' | 'zone' | 'onNow'>;

/** Asks for the moment that the report shows: now, or another one in its zone. */
function Moment({ nowTime, zone, onNow }: MomentProps) {
  const text = say();
  const isNow = nowTime === '';
  const clock = zoneOf(zone.name, zone.adjustForDst, new Date().getFullYear());
  const local = (ms: number) => new Date(ms + clock.offsetMs(ms)).toISOString().slice(0, 16);
  return (
    <span class="report-moment">
      <label>
        <span class="unseen">{text.moment}</span>
        <select
          value={isNow ? 'now' : 'then'}
          onChange={(event) => onNow(event.currentTarget.value === 'now' ? '' : new Date().toISOString())}
        >
          <option value="now">{text.now}</option>
          <option value="then">{text.past}</option>
        </select>
      </label>
      {!isNow && (
        <label>
          <span class="unseen">{text.momentAt(zone.name)}</span>
          <input
            type="datetime-local"
            title={zone.name}
            value={local(Date.parse(nowTime))}
            onChange={(event) => {
              const ms = Date.parse(`${event.currentTarget.value}Z`);
              if (Number.isFinite(ms)) onNow(new Date(clock.instant(ms)).toISOString());
            }}
          />
        </label>
      )}
    </span>
  );
}
