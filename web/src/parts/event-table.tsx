import { useMemo } from 'preact/hooks';
import { nodeAddress } from '../data/addresses.ts';
import { type EventFilter, LEVELS, type LogEvent, TYPES } from '../data/events/event-filter.ts';
import { localeOf, times } from '../data/times.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Busy, EmptyState, Problem } from '../ui/notes.tsx';
import { type Choice, type Column, Table } from '../ui/table/index.ts';
import { errorText } from '../words/error-text.ts';
import { language, words } from '../words/index.ts';
import { At } from './since.tsx';
import { useEventLog } from './use-event-log.ts';
import { tableWords } from './words-of.ts';

export type EventQuery = {
  /** The least level. */
  readonly level: string;
  readonly type: string;
  readonly ofAlarms: boolean;
  /** The table looks back from this instant; empty: now, live. */
  readonly until: string;
};

export const eventQueryOf = (query: Readonly<Record<string, string>>): EventQuery => ({
  level: LEVELS.some((level) => level === query.level) ? query.level! : '',
  type: TYPES.some((type) => type === query.type) ? query.type! : '',
  ofAlarms: query.alarms === 'true',
  until: Number.isFinite(Date.parse(query.until ?? '')) ? query.until! : '',
});

export const eventArguments = ({ level, type, ofAlarms, until }: EventQuery): Record<string, string> => ({
  ...(level !== '' && { level }),
  ...(type !== '' && { type }),
  ...(ofAlarms && { alarms: 'true' }),
  ...(until !== '' && { until }),
});

type EventTableProps = {
  /** Names the node whose events are shown; absent: those of the account. */
  readonly nodeId?: string;
  readonly query: EventQuery;
  readonly onQuery: (query: EventQuery) => void;
  readonly fileName: string;
  /** It is about alarms alone. */
  readonly isOfAlarms?: boolean;
  readonly choice?: Choice;
  readonly onChoice?: (choice: Choice) => void;
};

const SIGNS: Readonly<Record<string, IconName>> = {
  ERROR: 'warning',
  WARNING: 'warning',
  INFO: 'check',
  DEBUG: 'more',
};
/** Shows events, newest first: filtered by the server, live at the top, a page at a time towards the past. */
export function EventTable({
  nodeId,
  query,
  onQuery,
  fileName,
  isOfAlarms = false,
  choice,
  onChoice,
}: EventTableProps) {
  const { events: say, ui } = words.value;
  const filter = useMemo<EventFilter>(() => {
    const from = (LEVELS as readonly string[]).indexOf(query.level);
    return {
      nodeId,
      levels: from <= 0 ? [] : LEVELS.slice(from),
      types: query.type === '' ? [] : [query.type],
      ofAlarms: query.ofAlarms,
    };
  }, [nodeId, query.level, query.type, query.ofAlarms]);
  const log = useEventLog(filter, query.until);
  const columns = columnsOf(nodeId === undefined);
  const isFiltered = query.level !== '' || query.type !== '' || (query.ofAlarms && !isOfAlarms) || query.until !== '';
  return (
    <>
      {log.error !== undefined && (
        <Problem text={`${say.failed} ${errorText(log.error)}`} again={log.again} againText={ui.again} />
      )}
      <Table<LogEvent>
        label={say.title}
        columns={columns}
        rows={log.events}
        keyOf={eventKey}
        words={tableWords()}
        locale={localeOf(language.value)}
        fileName={fileName}
        isBusy={log.isLoading}
        onEnd={log.hasMore ? log.more : undefined}
        toneOf={toneOf}
        tools={<Filters query={query} onQuery={onQuery} isOfAlarms={isOfAlarms} />}
        card={{ below: 640, height: 76, show: (event) => <EventCard event={event} /> }}
        {...(choice && onChoice && { choice, onChoice })}
        empty={
          log.error === undefined && (
            <EmptyState
              icon="pulse"
              title={isFiltered ? say.noneOfFilter : say.none}
              action={
                isFiltered && (
                  <button
                    type="button"
                    class="button is-quiet"
                    onClick={() => onQuery({ level: '', type: '', ofAlarms: false, until: '' })}
                  >
                    {say.showAll}
                  </button>
                )
              }
            >
              {isFiltered ? say.noneOfFilterText : say.noneText}
            </EmptyState>
          )
        }
      />
      {log.isLoading && <Busy text={log.events.length > 0 ? say.older : say.loading} />}
    </>
  );
}

const eventKey = ({ _id }: LogEvent): string => _id;
const toneOf = ({ level }: LogEvent): string | undefined =>
  level === 'ERROR' ? 'bad' : level === 'WARNING' ? 'warn' : level === 'DEBUG' ? 'soft' : undefined;
const who = ({ username }: LogEvent): string =>
  username === undefined || username === 'System' ? words.value.events.system : username;

function columnsOf(hasNodes: boolean): readonly Column<LogEvent>[] {
  const { events: say } = words.value;
  const { whole } = times();
  return [
    {
      id: 'time',
      title: say.time,
      width: '11.5rem',
      isFixed: true,
      isUnsorted: true,
      text: ({ eventTime }) => whole(Date.parse(eventTime)),
    },
    {
      id: 'level',
      title: say.level,
      width: '8.5rem',
      isUnsorted: true,
      text: ({ level }) => say.levels[level] ?? level,
      cell: (event) => <Level event={event} />,
    },
    {
      id: 'message',
      title: say.message,
      width: 'minmax(14rem, 3fr)',
      isFixed: true,
      isUnsorted: true,
      text: ({ message }) => message,
    },
    {
      id: 'type',
      title: say.type,
      width: '8.5rem',
      isUnsorted: true,
      text: ({ eventType }) => say.types[eventType] ?? eventType,
    },
    { id: 'who', title: say.who, width: 'minmax(8rem, 1fr)', isUnsorted: true, text: who },
    ...(hasNodes
      ? [
          {
            id: 'node',
            title: say.node,
            width: '6rem',
            isUnsorted: true,
            text: ({ nodeId }: LogEvent) => nodeId ?? '',
            cell: ({ nodeId }: LogEvent) =>
              nodeId !== undefined && (
                <a tabIndex={-1} href={nodeAddress(nodeId, 'events')}>
                  {say.node}
                </a>
              ),
          },
        ]
      : []),
  ];
}

function Level({ event }: { readonly event: LogEvent }) {
  const { levels } = words.value.events;
  return (
    <span class={`level is-${event.level.toLowerCase()}`}>
      <Icon name={SIGNS[event.level] ?? 'check'} />
      {levels[event.level] ?? event.level}
    </span>
  );
}

function EventCard({ event }: { readonly event: LogEvent }) {
  const { types } = words.value.events;
  return (
    <>
      <p class="card-main" dir="auto">
        {event.message}
      </p>
      <p class="card-facts">
        <Level event={event} />
        <At iso={event.eventTime} />
        <span>{types[event.eventType] ?? event.eventType}</span>
        <bdi>{who(event)}</bdi>
      </p>
    </>
  );
}

function Filters({ query, onQuery, isOfAlarms }: Pick<EventTableProps, 'query' | 'onQuery' | 'isOfAlarms'>) {
  const { events: say } = words.value;
  const { zone, whole } = times();
  const local = query.until === '' ? '' : inputTime(Date.parse(query.until) + zone.offsetMs(Date.parse(query.until)));
  return (
    <>
      <label class="tool">
        <span class="unseen">{say.level}</span>
        <select value={query.level} onChange={(event) => onQuery({ ...query, level: event.currentTarget.value })}>
          <option value="">{say.anyLevel}</option>
          {LEVELS.slice(1).map((level) => (
            <option key={level} value={level}>
              {level === 'ERROR' ? say.levels[level] : say.least(say.levels[level]!)}
            </option>
          ))}
        </select>
      </label>
      <label class="tool">
        <span class="unseen">{say.type}</span>
        <select value={query.type} onChange={(event) => onQuery({ ...query, type: event.currentTarget.value })}>
          <option value="">{say.anyType}</option>
          {TYPES.map((type) => (
            <option key={type} value={type}>
              {say.types[type]}
            </option>
          ))}
        </select>
      </label>
      {!isOfAlarms && (
        <label class="tool check">
          <input
            type="checkbox"
            checked={query.ofAlarms}
            onChange={(event) => onQuery({ ...query, ofAlarms: event.currentTarget.checked })}
          />
          <span>{say.ofAlarms}</span>
        </label>
      )}
      <label class="tool">
        <span>{say.jump}</span>
        <input
          type="datetime-local"
          step="1"
          title={query.until === '' ? say.live : say.until(whole(Date.parse(query.until)))}
          value={local}
          onChange={(event) => {
            const clock = Date.parse(`${event.currentTarget.value}Z`);
            onQuery({ ...query, until: Number.isFinite(clock) ? new Date(zone.instant(clock)).toISOString() : '' });
          }}
        />
      </label>
      {query.until !== '' && (
        <button type="button" class="button is-quiet" onClick={() => onQuery({ ...query, until: '' })}>
          {say.now}
        </button>
      )}
    </>
  );
}

/** Returns the text that a field for local times has. */
export const inputTime = (clockMs: number): string => new Date(clockMs).toISOString().slice(0, 19);
