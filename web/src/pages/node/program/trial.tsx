import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { type Trial, type TrialProgram, tryProgram } from '../../../data/processing/computations.ts';
import { localeOf, times } from '../../../data/times.ts';
import { Button } from '../../../ui/button.tsx';
import type { CodeMark } from '../../../ui/code/index.ts';
import { Busy } from '../../../ui/notes.tsx';
import { ScrollArea } from '../../../ui/scroll-area.tsx';
import { language } from '../../../words/index.ts';
import { TrialChart } from './trial-chart.tsx';
import { errorsOf, marksOf, ofSharedCode, rowsOf, type TrialRow } from './trial-rows.ts';
import { failureOf } from './use-check.ts';
import { say } from './words.ts';

const COUNTS = [20, 100, 500, 1_000] as const;
/** This many rows are drawn; a longer test shows its newest ones. */
const MOST_ROWS = 200;

type TrialPanelProps = {
  readonly name: string;
  readonly tried: { readonly id: string; readonly program: TrialProgram };
  readonly isEmpty: boolean;
  /** Hears the marks beside the lines of the program for the run that is chosen. */
  readonly onMarks: (marks: readonly CodeMark[]) => void;
  readonly onGoTo: (line: number) => void;
  /** Gives away what begins a run. */
  readonly onReady: (start: () => void) => void;
};

type Ran = { readonly text: string; readonly trial: Trial; readonly rows: readonly TrialRow[] };

/** Runs a program as it is typed over the last records of its first input. */
export function TrialPanel({ name, tried, isEmpty, onMarks, onGoTo, onReady }: TrialPanelProps) {
  const texts = say();
  const id = useId();
  const [last, setLast] = useState<number>(100);
  const [ran, setRan] = useState<Ran>();
  const [failure, setFailure] = useState<string>();
  const [isRunning, setRunning] = useState(false);
  const [chosen, setChosen] = useState<string>();
  const stop = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const text = JSON.stringify(tried);
  const run = async () => {
    if (isEmpty) return;
    stop.current?.abort();
    const controller = new AbortController();
    stop.current = controller;
    setRunning(true);
    setFailure(undefined);
    try {
      const answer = await tryProgram(tried.id, tried.program, last, controller.signal);
      const trial = tried.program.sharedCode === undefined ? answer : ofSharedCode(answer);
      const rows = rowsOf(trial);
      setRan({ text, trial, rows });
      setChosen(rows.at(-1)?.ts);
    } catch (error) {
      if (controller.signal.aborted) return;
      const refusal = failureOf(error);
      const { message, line } = refusal.kind === 'wrong' ? refusal.problem : { message: refusal.text, line: undefined };
      setFailure(line === undefined ? message : `${message} (${texts.inLine(line)})`);
    } finally {
      if (stop.current === controller) setRunning(false);
    }
  };
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => onReady(() => void latest.current()), []);
  const isStale = ran !== undefined && ran.text !== text;
  const row = ran?.rows.find(({ ts }) => ts === chosen);
  useEffect(() => {
    onMarks(row && ran && !isStale ? marksOf(row, ran.trial.inputs, shownValue) : []);
  }, [row, ran, isStale, language.value]);
  return (
    <section class="program-trial" aria-label={texts.results}>
      <div class="program-run">
        <Button look="main" onClick={run} isBusy={isRunning} disabled={isEmpty}>
          {texts.run}
        </Button>
        <label for={id}>{texts.last}</label>
        <select id={id} onChange={(event) => setLast(Number(event.currentTarget.value))}>
          {COUNTS.map((count) => (
            <option key={count} value={count} selected={count === last}>
              {numberOf(count)}
            </option>
          ))}
        </select>
        {isRunning && (
          <Busy
            text={texts.running}
            leaveText={texts.cancel}
            onLeave={() => {
              stop.current?.abort();
              stop.current = undefined;
              setRunning(false);
            }}
          />
        )}
      </div>
      {failure !== undefined && (
        <p class="editor-problem" role="alert">
          {failure}
        </p>
      )}
      {ran ? (
        <Results name={name} ran={ran} isStale={isStale} chosen={chosen} onChoose={setChosen} onGoTo={onGoTo} />
      ) : (
        <p class="editor-hint">{isEmpty ? texts.empty : texts.runHint}</p>
      )}
    </section>
  );
}

type ResultsProps = {
  readonly name: string;
  readonly ran: Ran;
  readonly isStale: boolean;
  readonly chosen: string | undefined;
  readonly onChoose: (ts: string) => void;
  readonly onGoTo: (line: number) => void;
};

function Results({ name, ran: { trial, rows }, isStale, chosen, onChoose, onGoTo }: ResultsProps) {
  const texts = say();
  const { whole } = times();
  const errors = useMemo(() => errorsOf(trial.errors), [trial]);
  return (
    <div class={isStale ? 'is-stale' : undefined}>
      {isStale && <p class="program-stale">{texts.stale}</p>}
      <p role="status">
        {trial.runs === 0 && trial.isComplete
          ? texts.noRuns
          : texts.ran(trial.runs, trial.records.length, trial.failed, numberOf(trial.elapsedMs))}{' '}
        {!trial.isComplete && texts.incomplete}
      </p>
      {errors.length > 0 && (
        <ul class="program-errors" aria-label={texts.errors}>
          {errors.map(({ message, line, count, firstTs }) => (
            <li key={`${line} ${message}`}>
              <bdi>{message}</bdi>{' '}
              {line !== undefined && (
                <button type="button" class="link" aria-label={texts.goTo(line)} onClick={() => onGoTo(line)}>
                  {texts.inLine(line)}
                </button>
              )}{' '}
              <span class="soft">
                {texts.times(count)}, {texts.firstAt(whole(Date.parse(firstTs)))}
              </span>
            </li>
          ))}
        </ul>
      )}
      <TrialChart name={name} trial={trial} chosen={chosen} />
      {rows.length > 0 && (
        <TrialTable trial={trial} rows={rows.slice(-MOST_ROWS)} chosen={chosen} onChoose={onChoose} />
      )}
    </div>
  );
}

type TrialTableProps = {
  readonly trial: Trial;
  readonly rows: readonly TrialRow[];
  readonly chosen: string | undefined;
  readonly onChoose: (ts: string) => void;
};

function TrialTable({ trial: { inputs, outputs }, rows, chosen, onChoose }: TrialTableProps) {
  const texts = say();
  const { whole } = times();
  const isMany = outputs.length > 1;
  return (
    <ScrollArea class="program-rows" label={texts.rows}>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.time}</th>
            {inputs.map(({ _id, name, path }) => (
              <th key={`${_id} ${path}`} scope="col" class="number" title={path}>
                <bdi>{name}</bdi>
              </th>
            ))}
            <th scope="col" class="number">
              {texts.value}
            </th>
            <th scope="col">{texts.console}</th>
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map((row) => (
            <tr key={row.ts} class={row.ts === chosen ? 'is-chosen' : row.error ? 'is-bad' : undefined}>
              <th scope="row">
                <button type="button" class="link" aria-pressed={row.ts === chosen} onClick={() => onChoose(row.ts)}>
                  {whole(Date.parse(row.ts))}
                </button>
              </th>
              {row.inputs.map((value, i) => (
                <td key={`${inputs[i]!._id} ${inputs[i]!.path}`} class="number">
                  {shownValue(value)}
                </td>
              ))}
              <td class="number">
                {row.results.map(({ output, value, quality }) => (
                  <div key={output}>
                    {isMany && <span class="soft">{output} </span>}
                    {shownValue(value)}
                    {quality !== undefined && <span class="soft"> ({quality})</span>}
                  </div>
                ))}
                {row.results.length === 0 && <span class="soft">{texts.none}</span>}
              </td>
              <td dir="auto">
                {row.error && <span class="program-error">{row.error.message} </span>}
                {row.said.map(({ text }) => text).join(' · ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

const numberOf = (value: number): string =>
  new Intl.NumberFormat(localeOf(language.value), { maximumSignificantDigits: 7 }).format(value);

function shownValue(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number') return numberOf(value);
  return Array.isArray(value) ? value.map(shownValue).join(', ') : String(value);
}
