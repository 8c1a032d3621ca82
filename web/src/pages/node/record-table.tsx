import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Node } from '../../data/nodes/nodes.ts';
import { type Qualities, qualities } from '../../data/records/quality.ts';
import { type Row, readBefore } from '../../data/records/records.ts';
import { valueText } from '../../data/records/values.ts';
import { isForbidden } from '../../data/requests/failures.ts';
import { preference, setPreference } from '../../data/session/preferences.ts';
import { localeOf, times } from '../../data/times.ts';
import { fileName } from '../../parts/download.ts';
import { inputTime } from '../../parts/event-table.tsx';
import { tableWords } from '../../parts/words-of.ts';
import { Busy, EmptyState, Problem } from '../../ui/notes.tsx';
import { type Choice, type Column, Table } from '../../ui/table/index.ts';
import { errorText } from '../../words/error-text.ts';
import { language, words } from '../../words/index.ts';

const PAGE = 500;
/** More are not held: files have all of them. */
const MOST = 50_000;
/** News are asked for at most this often. */
const NEWS_MS = 2_000;

/** Shows records as a table, newest first, a page at a time towards the past. */
export function RecordTable({ node }: { readonly node: Node }) {
  const { node: say, ui } = words.value;
  const { zone } = times();
  const [until, setUntil] = useState<number>();
  const [known, setKnown] = useState<Qualities>();
  useEffect(() => {
    void qualities().then(setKnown);
  }, []);
  const records = useRecords(node, until);
  const columns = useMemo(() => columnsOf(node, known), [node.revision, known, language.value]);
  const isRefused = isForbidden(records.error);
  return (
    <>
      {records.error !== undefined && (
        <Problem
          text={isRefused ? say.recordsRefused : `${say.recordsFailed} ${errorText(records.error)}`}
          again={isRefused ? undefined : records.again}
          againText={ui.again}
        />
      )}
      <Table<Row>
        label={say.table}
        columns={columns}
        rows={records.rows}
        keyOf={({ ms }) => String(ms)}
        words={tableWords()}
        locale={localeOf(language.value)}
        fileName={fileName(node.name)}
        isBusy={records.isLoading}
        onEnd={records.hasMore ? records.more : undefined}
        rowHeight={32}
        choice={preference<Choice>('columns.records').value ?? {}}
        onChoice={(next) => void setPreference('columns.records', next).catch(() => {})}
        tools={
          <>
            <label class="tool">
              <span>{say.before}</span>
              <input
                type="datetime-local"
                step="1"
                value={until === undefined ? '' : inputTime(until + zone.offsetMs(until))}
                onChange={(event) => {
                  const clock = Date.parse(`${event.currentTarget.value}Z`);
                  setUntil(Number.isFinite(clock) ? zone.instant(clock) : undefined);
                }}
              />
            </label>
            {until !== undefined && (
              <button type="button" class="button is-quiet" onClick={() => setUntil(undefined)}>
                {say.newestRecords}
              </button>
            )}
          </>
        }
        empty={
          records.error === undefined && (
            <EmptyState icon="number" title={until === undefined ? say.neverRecords : say.noRecords}>
              {until === undefined && say.neverRecordsText}
            </EmptyState>
          )
        }
      />
      {records.isLoading && <Busy text={say.recordsLoading} />}
    </>
  );
}

function columnsOf(node: Node, known: Qualities | undefined): readonly Column<Row>[] {
  const { node: say } = words.value;
  const { whole } = times();
  const isNumber = node._class.includes('.Number');
  const units = typeof node.units === 'string' && node.units !== '' ? ` (${node.units})` : '';
  const plain = { ...node, units: '', displayType: 'VALUE' };
  return [
    {
      id: 'time',
      title: say.time,
      width: 'minmax(11rem, 1fr)',
      isFixed: true,
      text: ({ ms }) => whole(ms),
      value: ({ ms }) => ms,
    },
    {
      id: 'value',
      title: `${say.value}${units}`,
      width: 'minmax(7rem, 1fr)',
      isFixed: true,
      isNumber,
      text: ({ value }) => valueText(plain, plainValue(value)) ?? '',
      value: ({ value }) => (typeof value === 'number' ? value : value === null ? null : String(value)),
    },
    {
      id: 'quality',
      title: say.quality,
      width: 'minmax(8rem, 1fr)',
      text: ({ quality }) => (quality === undefined ? '' : (known?.of(quality).name ?? String(quality))),
    },
    { id: 'note', title: say.note, width: 'minmax(8rem, 2fr)', text: ({ note }) => note ?? '' },
  ];
}

/** Times and coordinates are objects in documents. */
function plainValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('$time' in value) return times().whole(Date.parse(String(value.$time)));
  return '$coords' in value ? value.$coords : JSON.stringify(value);
}

function useRecords(node: Node, until: number | undefined) {
  const [state, setState] = useState<{
    readonly rows: readonly Row[];
    readonly isLoading: boolean;
    readonly hasMore: boolean;
    readonly error?: unknown;
  }>({ rows: [], isLoading: true, hasMore: false });
  const [attempt, setAttempt] = useState(0);
  const [stop, setStop] = useState(() => new AbortController());

  const ask = async (endMs: number, controller: AbortController, isNews = false) => {
    if (!isNews) setState(({ error: _error, ...before }) => ({ ...before, isLoading: true }));
    try {
      const page = await readBefore(node._id, endMs, PAGE, controller.signal);
      if (controller.signal.aborted) return;
      setState((before) => {
        const rows = merged(before.rows, page);
        const hasMore = isNews ? before.hasMore : page.length >= PAGE && rows.length < MOST;
        return { rows, isLoading: false, hasMore };
      });
    } catch (error) {
      if (!controller.signal.aborted) setState((before) => ({ ...before, isLoading: false, error }));
    }
  };
  // A record may lie in the future, and is the newest then.
  const newest = () => Math.max(Date.now(), Date.parse(String(node.currentTime ?? '')) || 0);
  useEffect(() => {
    const controller = new AbortController();
    setStop(controller);
    setState({ rows: [], isLoading: true, hasMore: false });
    void ask(until ?? newest(), controller);
    return () => controller.abort();
  }, [node._id, until, attempt]);
  useEffect(() => {
    if (until !== undefined || state.isLoading) return;
    const timer = setTimeout(() => void ask(newest(), stop, true), NEWS_MS);
    return () => clearTimeout(timer);
  }, [node.currentTime, node.updatedTime]);
  return {
    ...state,
    more: () => {
      const last = state.rows.at(-1);
      if (!state.isLoading && last && state.error === undefined) void ask(last.ms - 1, stop);
    },
    again: () => setAttempt((n) => n + 1),
  };
}

/** Merges rows, newest first; a record that comes again is as it is now. */
function merged(rows: readonly Row[], page: readonly Row[]): readonly Row[] {
  const all = new Map(rows.map((row) => [row.ms, row]));
  for (const row of page) all.set(row.ms, row);
  return [...all.values()].sort((a, b) => b.ms - a.ms);
}
