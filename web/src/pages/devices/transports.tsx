import { useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { devicesAddress, nodeAddress, stationAddress } from '../../data/addresses.ts';
import { raised, rereadAlarms } from '../../data/alarms/alarms.ts';
import { className, fullClass } from '../../data/nodes/classes.ts';
import { ALL_SOURCES, holdSources, MOST_SOURCES } from '../../data/sources/sources.ts';
import { localeOf, times } from '../../data/times.ts';
import { Since } from '../../parts/since.tsx';
import { tableWords } from '../../parts/words-of.ts';
import { Busy, EmptyState, Problem } from '../../ui/notes.tsx';
import { type Column, Table } from '../../ui/table/index.ts';
import { errorText } from '../../words/error-text.ts';
import { language, words } from '../../words/index.ts';
import { type JudgedSource, SOURCE_STATES, type WayRow, waysOf } from './rows.ts';
import { SourceSign } from './signs.tsx';
import { useHeld } from './use-held.ts';
import { say } from './words.ts';

const wayName = (way: string): string => className(fullClass(`transport.${way}`));

/** Shows how the data of all sources come, and what of it is silent or fails. */
export function Transports() {
  const text = say().transports;
  const { ui } = words.value;
  const { query, route } = useLocation();
  const { value: held, reload } = useHeld(() => holdSources(ALL_SOURCES), '');
  const alarms = raised.value;
  const ways = useMemo(() => {
    const byNode = Map.groupBy(alarms.kind === 'ready' ? alarms.alarms : [], ({ nodeId }) => nodeId);
    return held?.sources ? waysOf(held.sources.list, byNode) : undefined;
  }, [held?.sources, alarms]);
  const chosen = ways?.find(({ way }) => way === query.way);
  if (held?.error !== undefined && ways === undefined)
    return <Problem text={`${text.failed} ${errorText(held.error)}`} again={reload} againText={ui.again} />;
  if (ways === undefined) return <Busy text={text.loading} />;
  return (
    <>
      <p class="soft">{text.text}</p>
      {held?.sources?.hasMore && <p class="soft">{text.cut(MOST_SOURCES)}</p>}
      {alarms.kind === 'failed' && (
        <Problem text={text.alarmsFailed} again={() => void rereadAlarms()} againText={ui.again} />
      )}
      {chosen ? (
        <OfWay row={chosen} />
      ) : (
        <Table<WayRow>
          key="ways"
          label={say().tabs.transports}
          columns={wayColumns()}
          rows={ways}
          keyOf={({ way }) => way}
          words={tableWords()}
          locale={localeOf(language.value)}
          fileName={say().tabs.transports}
          onOpen={({ way }) => route(devicesAddress('transports', { way }))}
          toneOf={({ counts }) => (counts.failing + counts.silent > 0 ? 'active' : undefined)}
          card={{ below: 720, height: 100, show: (row) => <WayCard row={row} /> }}
          empty={
            <EmptyState
              icon="source"
              title={text.none}
              action={
                <a class="button" href={stationAddress()}>
                  {text.addStation}
                </a>
              }
            >
              {text.noneText}
            </EmptyState>
          }
        />
      )}
      <p class="soft device-note">{text.notKnownBy}</p>
    </>
  );
}

const WayLink = ({ way, isStop }: { readonly way: string; readonly isStop?: boolean }) => (
  <a {...(!isStop && { tabIndex: -1 })} href={devicesAddress('transports', { way })}>
    {wayName(way)}
  </a>
);

const lastErrorText = ({ lastProblem }: WayRow): string => lastProblem?.problem?.message ?? '';

function wayColumns(): readonly Column<WayRow>[] {
  const text = say().transports;
  return [
    {
      id: 'way',
      title: text.way,
      width: 'minmax(11rem, 1.2fr)',
      isFixed: true,
      text: ({ way }) => wayName(way),
      cell: ({ way }) => <WayLink way={way} />,
    },
    {
      id: 'sources',
      title: text.sources,
      width: '5.5rem',
      isNumber: true,
      value: ({ sources }) => sources.length,
      text: ({ sources }) => sources.length.toLocaleString(localeOf(language.value)),
    },
    ...SOURCE_STATES.map(
      (state): Column<WayRow> => ({
        id: state,
        title: text[state],
        width: '7rem',
        isNumber: true,
        value: ({ counts }) => counts[state],
        text: ({ counts }) => (counts[state] === 0 ? '' : counts[state].toLocaleString(localeOf(language.value))),
        cell: ({ counts }) => counts[state] > 0 && <Count state={state} count={counts[state]} />,
      }),
    ),
    {
      id: 'last',
      title: text.lastSuccess,
      width: '9rem',
      value: ({ lastSuccess }) => lastSuccess,
      text: ({ lastSuccess }) => (lastSuccess === null ? say().never : times().whole(Date.parse(lastSuccess))),
      cell: ({ lastSuccess }) => <Since iso={lastSuccess} text={say().never} />,
    },
    {
      id: 'error',
      title: text.lastError,
      width: 'minmax(14rem, 2fr)',
      text: lastErrorText,
      cell: (row) =>
        row.lastProblem ? (
          <>
            <Since iso={row.lastProblem.problem?.activeTime} /> <bdi>{lastErrorText(row)}</bdi>
          </>
        ) : (
          <span class="soft">{text.noError}</span>
        ),
    },
  ];
}

function Count({ state, count }: { readonly state: (typeof SOURCE_STATES)[number]; readonly count: number }) {
  const isBad = state === 'failing' || state === 'silent';
  return (
    <span class={isBad ? 'device-count is-bad' : 'device-count'}>{count.toLocaleString(localeOf(language.value))}</span>
  );
}

function WayCard({ row }: { readonly row: WayRow }) {
  const text = say().transports;
  const { way, sources, counts } = row;
  return (
    <>
      <p class="card-main">
        <WayLink way={way} isStop />
        <span>{text.count(sources.length)}</span>
      </p>
      <p class="card-facts">
        {SOURCE_STATES.filter((state) => counts[state] > 0).map((state) => (
          <span key={state} class={state === 'failing' || state === 'silent' ? 'device-count is-bad' : ''}>
            {text[state]}: {counts[state]}
          </span>
        ))}
      </p>
      <p class="card-facts">
        <bdi>{lastErrorText(row) || `${text.lastError}: ${text.noError}`}</bdi>
      </p>
    </>
  );
}

/** Lists the sources of a way, those with something wrong first. */
function OfWay({ row }: { readonly row: WayRow }) {
  const text = say().transports;
  const { route } = useLocation();
  const rows = useMemo(
    () => [...row.sources].sort((a, b) => SOURCE_STATES.indexOf(a.state) - SOURCE_STATES.indexOf(b.state)),
    [row],
  );
  const columns: readonly Column<JudgedSource>[] = [
    {
      id: 'source',
      title: text.source,
      width: 'minmax(10rem, 1fr)',
      isFixed: true,
      text: ({ source }) => source.name,
      cell: ({ source }) => (
        <a tabIndex={-1} href={nodeAddress(source._id, 'diagnosis')} dir="auto" title={text.why}>
          {source.name}
        </a>
      ),
    },
    { id: 'place', title: text.place, width: 'minmax(10rem, 1fr)', text: ({ source }) => source.place },
    {
      id: 'state',
      title: text.state,
      width: '10rem',
      text: ({ state }) => text[state],
      cell: ({ state }) => <SourceSign state={state} />,
    },
    {
      id: 'last',
      title: text.lastSuccess,
      width: '9rem',
      value: ({ source }) => source.lastCommsSuccess ?? null,
      text: ({ source }) =>
        source.lastCommsSuccess ? times().whole(Date.parse(source.lastCommsSuccess)) : say().never,
      cell: ({ source }) => <Since iso={source.lastCommsSuccess} text={say().never} />,
    },
    {
      id: 'problem',
      title: text.problem,
      width: 'minmax(14rem, 2fr)',
      text: ({ problem }) => problem?.message ?? '',
    },
  ];
  return (
    <>
      <p class="buttons">
        <a class="button is-quiet" href={devicesAddress('transports')}>
          {text.back}
        </a>
      </p>
      <Table<JudgedSource>
        key="sources"
        label={text.ofWay(wayName(row.way))}
        columns={columns}
        rows={rows}
        keyOf={({ source }) => source._id}
        words={tableWords()}
        locale={localeOf(language.value)}
        fileName={wayName(row.way)}
        onOpen={({ source }) => route(nodeAddress(source._id, 'diagnosis'))}
        toneOf={({ state }) => (state === 'failing' || state === 'silent' ? 'active' : undefined)}
        card={{
          below: 720,
          height: 92,
          show: ({ source, state, problem }) => (
            <>
              <p class="card-main">
                <a href={nodeAddress(source._id, 'diagnosis')} dir="auto">
                  {source.name}
                </a>
                <SourceSign state={state} />
              </p>
              <p class="card-facts">
                <bdi>{source.place}</bdi>
                <Since iso={source.lastCommsSuccess} text={say().never} />
              </p>
              <p class="card-facts">
                <bdi>{problem?.message ?? ''}</bdi>
              </p>
            </>
          ),
        }}
        empty={null}
      />
    </>
  );
}
