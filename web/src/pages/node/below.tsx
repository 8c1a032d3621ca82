import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { dashboardAddress, nodeAddress, reportAddress } from '../../data/addresses.ts';
import { className } from '../../data/nodes/classes.ts';
import type { Node } from '../../data/nodes/nodes.ts';
import { valueText } from '../../data/records/values.ts';
import { preference, setPreference } from '../../data/session/preferences.ts';
import { type LiveNode, onEvents, onNodes } from '../../data/streams/live.ts';
import { localeOf } from '../../data/times.ts';
import { type Child, listChildren } from '../../data/tree/children.ts';
import { wordsOf } from '../../format/words.ts';
import { AlarmState } from '../../parts/alarm-state.tsx';
import { fileName } from '../../parts/download.ts';
import { Since } from '../../parts/since.tsx';
import { tableWords } from '../../parts/words-of.ts';
import { Busy, EmptyState, Problem } from '../../ui/notes.tsx';
import { type Choice, type Column, Table } from '../../ui/table/index.ts';
import { errorText } from '../../words/error-text.ts';
import { language, words } from '../../words/index.ts';
import { ChartPicture } from './chart/chart-picture.tsx';
import { OfChartNode } from './chart/of-chart-node.tsx';

const PAGE = 200;
const AFTER_NEWS_MS = 800;

/** Shows what lies below a node, with values as they are now; of a chart its picture, of a dashboard or report the way to it. */
export function Below({ node }: { readonly node: Node }) {
  const { node: say, frame } = words.value;
  const isReport = node._class.endsWith('.Report');
  if (isReport || node._class.endsWith('.Dashboard'))
    return (
      <EmptyState
        icon={isReport ? 'file' : 'boards'}
        title={node.name}
        action={
          <a class="button is-main" href={(isReport ? reportAddress : dashboardAddress)(node._id)}>
            {isReport ? frame.reports : frame.dashboards}
          </a>
        }
      >
        {say.ownScreen}
      </EmptyState>
    );
  if (node._class.endsWith('.HistoricChart')) return <OfChartNode key={node._id} node={node} />;
  if (node._class.includes('.chart.')) return <ChartPicture node={node} />;
  return <Children key={node._id} node={node} />;
}

function Children({ node }: { readonly node: Node }) {
  const { route } = useLocation();
  const { node: say, ui } = words.value;
  const children = useChildren(node._id);
  const columns = useMemo(columnsOf, [language.value]);
  return (
    <>
      {children.error !== undefined && (
        <Problem text={errorText(children.error)} again={children.again} againText={ui.again} />
      )}
      <Table<Child>
        label={say.below}
        columns={columns}
        rows={children.nodes}
        keyOf={({ _id }) => _id}
        words={tableWords()}
        locale={localeOf(language.value)}
        fileName={fileName(node.name)}
        isBusy={children.isLoading}
        onEnd={children.hasMore ? children.more : undefined}
        onOpen={({ _id }) => route(nodeAddress(_id))}
        versionOf={({ currentTime }) => String(currentTime)}
        toneOf={({ alarm }) => alarm?.toLowerCase()}
        choice={preference<Choice>('columns.below').value ?? {}}
        onChoice={(next) => void setPreference('columns.below', next).catch(() => {})}
        empty={
          children.error === undefined && (
            <EmptyState icon="folder" title={say.noneBelow}>
              {say.noneBelowText}
            </EmptyState>
          )
        }
      />
      {children.isLoading && <Busy text={ui.loading} />}
    </>
  );
}

function columnsOf(): readonly Column<Child>[] {
  const { node: say, alarms } = words.value;
  // A value without its time is not shown.
  const value = (child: Child) =>
    child.currentTime === undefined
      ? wordsOf(child.status ?? '')
      : (valueText({ ...child, displayType: 'VALUE' } as Node) ?? '');
  return [
    {
      id: 'name',
      title: say.name,
      width: 'minmax(9rem, 2fr)',
      isFixed: true,
      text: ({ name }) => name,
      cell: ({ _id, name }) => (
        <a tabIndex={-1} href={nodeAddress(_id)} dir="auto">
          {name}
        </a>
      ),
    },
    { id: 'value', title: say.value, width: 'minmax(7rem, 1fr)', isNumber: true, isUnsorted: true, text: value },
    {
      id: 'state',
      title: alarms.state,
      width: 'minmax(6rem, 1fr)',
      isUnsorted: true,
      text: ({ currentState }) => currentState ?? '',
    },
    {
      id: 'time',
      title: say.lastData,
      width: '9rem',
      text: ({ currentTime }) => currentTime ?? '',
      cell: ({ currentTime }) => <Since iso={currentTime} />,
    },
    {
      id: 'alarm',
      title: alarms.type,
      width: '9.5rem',
      text: ({ alarm }) => (alarm ? alarms[alarm] : ''),
      cell: ({ alarm }) => alarm && <AlarmState state={alarm} />,
    },
    { id: 'kind', title: say.kind, width: 'minmax(7rem, 1fr)', text: ({ _class }) => className(_class) },
  ];
}

/** Holds the nodes right below one, a page at a time, kept current. */
function useChildren(parentId: string) {
  const [state, setState] = useState<{
    readonly nodes: readonly Child[];
    readonly next: string | undefined;
    readonly isLoading: boolean;
    readonly error?: unknown;
  }>({ nodes: [], next: undefined, isLoading: true });
  const [attempt, setAttempt] = useState(0);
  const held = useRef<ReadonlyMap<string, Child>>(new Map());
  held.current = new Map(state.nodes.map((child) => [child._id, child]));
  const take = ({ _id, currentValue, currentTime, currentState }: LiveNode) =>
    setState((before) => ({
      ...before,
      nodes: before.nodes.map((child) =>
        child._id === _id ? ({ ...child, currentValue, currentTime, currentState } as Child) : child,
      ),
    }));
  const ask = async (after: string | undefined, signal: AbortSignal) => {
    try {
      const { nodes, next } = await listChildren({ parentId, limit: PAGE, ...(after && { after }) }, signal);
      setState((before) => ({
        nodes: after === undefined ? nodes : [...before.nodes, ...nodes],
        next: next ?? undefined,
        isLoading: false,
      }));
    } catch (error) {
      if (!signal.aborted) setState((before) => ({ ...before, isLoading: false, error }));
    }
  };
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    void ask(undefined, stop.signal);
    const askSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void ask(undefined, stop.signal), AFTER_NEWS_MS);
    };
    const stops = [
      onNodes((news) => {
        const known =
          news.kind === 'reset' ? undefined : held.current.get(news.kind === 'node' ? news.node._id : news.id);
        if (news.kind === 'reset' || (news.kind === 'removed' && known)) askSoon();
        if (news.kind !== 'node') return;
        if (known) take(news.node);
        const isOurs = news.node.parentId === parentId;
        if (isOurs ? known?.name !== news.node.name : known !== undefined) askSoon();
      }),
      onEvents((event) => {
        if (((event as { alarmState?: string }).alarmState ?? 'NONE') !== 'NONE') askSoon();
      }),
    ];
    return () => {
      stop.abort();
      clearTimeout(timer);
      for (const still of stops) still();
    };
  }, [parentId, attempt]);
  return {
    ...state,
    hasMore: state.next !== undefined,
    more: () => {
      if (state.next !== undefined && !state.isLoading) {
        setState((before) => ({ ...before, isLoading: true }));
        void ask(state.next, new AbortController().signal);
      }
    },
    again: () => setAttempt((n) => n + 1),
  };
}
