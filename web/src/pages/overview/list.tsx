import { useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { nodeAddress } from '../../data/addresses.ts';
import { preference, setPreference } from '../../data/session/preferences.ts';
import { nowMs } from '../../data/streams/connection.ts';
import { tableTexts } from '../../data/table-words.ts';
import { times } from '../../data/times.ts';
import { positionText } from '../../maps/position.ts';
import { EmptyState } from '../../ui/notes.tsx';
import { type Choice, type Column, type Sort, Table } from '../../ui/table/index.ts';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import type { PlaceRow } from './rows.ts';
import { StateSign, stateText } from './state-sign.tsx';

type PlaceListProps = {
  readonly rows: readonly PlaceRow[];
  readonly chosen: PlaceRow | undefined;
  readonly onChoose: (row: PlaceRow | undefined) => void;
  readonly isInSight: boolean;
  readonly onInSight: (is: boolean) => void;
  readonly filter: string;
  readonly onFilter: (text: string) => void;
};

const KEY = 'overview.list';
type Kept = { readonly columns?: Choice; readonly sort?: Sort | null };
const RANK = { ACTIVE: 0, ACKNOWLEDGED: 1, NORMAL: 2 } as const;

const keep = (change: Kept): void => {
  const kept = preference<Kept>(KEY).peek() ?? {};
  setPreference(KEY, { ...kept, ...change }).catch((error) => toast(errorText(error), { isBad: true }));
};

/** Shows the places as rows, live; columns and order are the person's own. */
export function PlaceList({ rows, chosen, onChoose, isInSight, onInSight, filter, onFilter }: PlaceListProps) {
  const { overview } = words.value;
  const { route } = useLocation();
  const { sort, columns: choice } = preference<Kept>(KEY).value ?? {};
  const now = nowMs.value;
  const columns = useMemo(() => columnsOf(now), [overview, now]);
  return (
    <section class="places-list" aria-label={overview.list}>
      <Table
        label={overview.list}
        {...tableTexts()}
        columns={columns}
        rows={rows}
        keyOf={keyOf}
        fileName="places"
        filter={filter}
        onFilter={onFilter}
        sort={sort ?? undefined}
        onSort={(next) => keep({ sort: next ?? null })}
        choice={choice ?? {}}
        onChoice={(next) => keep({ columns: next })}
        active={chosen && keyOf(chosen)}
        onActive={(key) => onChoose(rows.find((row) => keyOf(row) === key))}
        onOpen={({ place }) => route(nodeAddress(place._id))}
        versionOf={versionOf}
        card={{ below: 420, height: 64, show: (row) => <Card row={row} /> }}
        tools={
          <label class="check">
            <input type="checkbox" checked={isInSight} onChange={(event) => onInSight(event.currentTarget.checked)} />
            {overview.inSight}
          </label>
        }
        empty={<EmptyState title={overview.noPlace}>{overview.noPlaceText}</EmptyState>}
      />
    </section>
  );
}

const keyOf = ({ place }: PlaceRow): string => place._id;
const versionOf = ({ place, state, alarms }: PlaceRow): string =>
  `${place.name} ${state} ${alarms.length} ${alarms[0]?.message} ${alarms[0]?.alarmState}`;

function columnsOf(now: number): readonly Column<PlaceRow>[] {
  const { columns: title } = words.value.overview;
  const since = ({ alarms }: PlaceRow) => alarms[0]?.activeTime;
  return [
    {
      id: 'state',
      title: title.state,
      text: ({ state }) => stateText(state),
      value: ({ state }) => RANK[state],
      cell: ({ state }) => (
        <span class="state-cell">
          <StateSign state={state} />
          <span class="unseen">{stateText(state)}</span>
        </span>
      ),
      width: '3.75rem',
      isFixed: true,
    },
    {
      id: 'name',
      title: title.name,
      text: ({ place }) => place.name,
      cell: ({ place }) => (
        <a href={nodeAddress(place._id)} tabIndex={-1} dir="auto">
          {place.name}
        </a>
      ),
      width: 'minmax(10.5rem, 1.5fr)',
      isFixed: true,
    },
    {
      id: 'workspace',
      title: title.workspace,
      text: ({ workspace }) => workspace,
      width: 'minmax(6rem, 1fr)',
      isExtra: true,
    },
    {
      id: 'message',
      title: title.message,
      text: ({ alarms }) => alarms[0]?.message ?? '',
      value: ({ alarms }) => alarms[0]?.message ?? null,
      width: 'minmax(4.5rem, 2.5fr)',
    },
    {
      id: 'alarms',
      title: title.alarms,
      text: ({ alarms }) => (alarms.length === 0 ? '' : String(alarms.length)),
      value: ({ alarms }) => alarms.length,
      width: '4.5rem',
      isNumber: true,
      isExtra: true,
    },
    {
      id: 'since',
      title: title.since,
      text: (row) => ago(since(row), now),
      value: (row) => (since(row) === undefined ? null : Date.parse(since(row)!)),
      width: 'minmax(5.25rem, 0.5fr)',
    },
    {
      id: 'by',
      title: title.by,
      text: ({ alarms }) => alarms.find((alarm) => alarm.acknowledgeUsername)?.acknowledgeUsername ?? '',
      width: 'minmax(7rem, 1fr)',
      isExtra: true,
    },
    {
      id: 'position',
      title: title.position,
      text: ({ place }) => (place.position ? positionText(place.position) : words.value.overview.unknownPosition),
      value: ({ place }) => place.position?.latitude ?? null,
      width: 'minmax(10rem, 1fr)',
      isExtra: true,
    },
    {
      id: 'customId',
      title: title.customId,
      text: ({ place }) => place.customId ?? '',
      width: 'minmax(6rem, 1fr)',
      isExtra: true,
    },
  ];
}

const ago = (iso: string | undefined, now: number): string =>
  iso === undefined ? '' : times().agoShort(Date.parse(iso), now);

/** Shows a place where there is little room. */
function Card({ row: { place, state, alarms, workspace } }: { readonly row: PlaceRow }) {
  return (
    <div class="place-line">
      <StateSign state={state} />
      <span>
        <a class="found-name" href={nodeAddress(place._id)} tabIndex={-1} dir="auto">
          {place.name}
        </a>
        <span class="found-path">
          {alarms[0]
            ? `${alarms[0].message ?? stateText(state)} · ${ago(alarms[0].activeTime, nowMs.value)}`
            : workspace}
        </span>
      </span>
      <span class="unseen">{stateText(state)}</span>
    </div>
  );
}
