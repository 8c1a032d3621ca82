import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { overviewAddress, stationAddress } from '../../data/addresses.ts';
import { alarmCount, alarmsByLocation } from '../../data/alarms/alarms.ts';
import { preferencesRead } from '../../data/session/preferences.ts';
import { isAdministrator } from '../../data/session/rights.ts';
import { localeOf } from '../../data/times.ts';
import { followPlaces, places, readPlaces, workspaceNames } from '../../data/tree/locations.ts';
import type { Box, SiteState } from '../../maps/sites-map.ts';
import { usePageTitle } from '../../parts/page-title.tsx';
import { useAfterPaint } from '../../ui/after-paint.ts';
import { Icon } from '../../ui/icon.tsx';
import { Busy, EmptyState, Problem } from '../../ui/notes.tsx';
import { language, words } from '../../words/index.ts';
import { PlaceCard } from './card.tsx';
import { Dashboards } from './dashboards.tsx';
import { PlaceList } from './list.tsx';
import { PlacesMap } from './map.tsx';
import { boxOf, boxText, byName, isIn, type PlaceRow, rowsOf } from './rows.ts';
import { StateFilter } from './state-filter.tsx';
import '../../styles/console/overview.css';
import '../../styles/console/tables.css';

const STATES: readonly SiteState[] = ['ACTIVE', 'ACKNOWLEDGED', 'NORMAL'];

/** The page is on its way because somebody wants it: what it shows is asked for before it is drawn. */
export const isThere = Promise.all([followPlaces(), preferencesRead()]);

/** Shows what is going on in the account: a map and a list of all places, and dashboards. */
export default function OverviewPage() {
  const { overview, ui } = words.value;
  useEffect(() => void followPlaces(), []);
  usePageTitle(overview.title);
  const all = places.value;
  return (
    <section class="page overview" aria-labelledby="title">
      {all.kind === 'loading' && (
        <>
          <h1 id="title">{overview.title}</h1>
          <Busy text={ui.loading} />
        </>
      )}
      {all.kind === 'failed' && (
        <>
          <h1 id="title">{overview.title}</h1>
          <Problem text={overview.failed} again={() => void readPlaces()} againText={ui.again} />
        </>
      )}
      {all.kind === 'ready' && all.places.size === 0 && (
        <>
          <h1 id="title">{overview.title}</h1>
          <EmptyState
            icon="place"
            title={overview.emptyTitle}
            action={
              isAdministrator() && (
                <a class="button is-main" href={stationAddress()}>
                  {overview.addStation}
                </a>
              )
            }
          >
            {isAdministrator() ? overview.emptyText : overview.emptyUserText}
          </EmptyState>
        </>
      )}
      {all.kind === 'ready' && all.places.size > 0 && <Places />}
      <Dashboards />
    </section>
  );
}

function Places() {
  const { overview } = words.value;
  const { query, set } = useOverviewQuery();
  const all = places.value;
  const alarms = alarmsByLocation.value;
  const names = workspaceNames.value;
  const locale = localeOf(language.value);
  const ordered = useMemo(() => (all.kind === 'ready' ? byName(all.places.values(), locale) : []), [all, locale]);
  const rows = useMemo(() => rowsOf(ordered, alarms, names), [ordered, alarms, names]);
  const state = STATES.find((state) => state === query.state);
  const box = boxOf(query.bbox);
  const isInSight = query.sight === '1';
  const ofState = useMemo(() => (state ? rows.filter((row) => row.state === state) : rows), [rows, state]);
  const shown = useMemo(
    () => (isInSight && box ? ofState.filter(({ place }) => isIn(place, box)) : ofState),
    [ofState, isInSight, query.bbox],
  );
  const chosen = rows.find(({ place }) => place._id === query.sel);
  const choose = (row: PlaceRow | undefined) => set({ sel: row?.place._id });
  const onBox = (next: Box) => set({ bbox: boxText(next) });
  return (
    <>
      <header class="overview-head">
        <div>
          <h1 id="title">{overview.title}</h1>
          <Summary rows={rows} />
        </div>
        <div class="overview-tools">
          <StateFilter rows={rows} chosen={state} onChoose={(next) => set({ state: next })} />
          {isAdministrator() && (
            <a class="button" href={stationAddress()}>
              <Icon name="plus" /> {overview.addStation}
            </a>
          )}
        </div>
      </header>
      <div class="overview-body">
        <PlacesMap rows={ofState} chosen={chosen} firstBox={box} onBox={onBox} onChoose={choose}>
          <Chosen row={chosen} onClose={() => choose(undefined)} />
        </PlacesMap>
        <PlaceList
          rows={shown}
          chosen={chosen}
          onChoose={choose}
          isInSight={isInSight}
          onInSight={(is) => set({ sight: is ? '1' : undefined })}
          filter={query.q ?? ''}
          onFilter={(text) => set({ q: text === '' ? undefined : text })}
        />
      </div>
    </>
  );
}

/** Shows what is known of the chosen place. Its row is marked first. */
function Chosen({ row, onClose }: { readonly row: PlaceRow | undefined; readonly onClose: () => void }) {
  const shown = useAfterPaint(row);
  return shown ? <PlaceCard key={shown.place._id} row={shown} onClose={onClose} /> : null;
}

function Summary({ rows }: { readonly rows: readonly PlaceRow[] }) {
  const { overview } = words.value;
  const wrong = rows.filter(({ state }) => state === 'ACTIVE').length;
  const count = alarmCount.value;
  const inPlaces = rows.reduce((sum, row) => sum + row.alarms.length, 0);
  const elsewhere = count === undefined ? 0 : count.active + count.acknowledged - inPlaces;
  if (count === undefined) return null;
  return (
    <p class={wrong > 0 ? 'summary is-wrong' : 'summary'} aria-live="polite">
      <Icon name={wrong > 0 ? 'warning' : 'check'} />
      <span>
        {wrong > 0 ? overview.wrong(wrong, rows.length.toLocaleString()) : overview.allWell(rows.length)}
        {elsewhere > 0 && ` ${overview.elsewhere(elsewhere)}.`}
      </span>
    </p>
  );
}

type Query = Partial<Record<'bbox' | 'state' | 'sel' | 'q' | 'sight', string | undefined>>;

/** Reads what the address says of the page. It is written a moment after a movement, and makes no step of the history. */
function useOverviewQuery(): { readonly query: Query; readonly set: (change: Query) => void } {
  const { query: given, route } = useLocation();
  const [query, setQuery] = useState<Query>(given);
  const latest = useRef<Query>(query);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const written = useRef(overviewAddress(given));
  useEffect(() => () => clearTimeout(timer.current), []);
  // A link to the page, or a step of the history, says it anew.
  const address = overviewAddress(given);
  useEffect(() => {
    if (address === written.current) return;
    clearTimeout(timer.current);
    written.current = address;
    latest.current = given;
    setQuery(given);
  }, [address]);
  const set = (change: Query) => {
    const next = Object.fromEntries(
      Object.entries({ ...latest.current, ...change }).flatMap(([key, value]) =>
        value === undefined ? [] : [[key, value]],
      ),
    );
    latest.current = next;
    setQuery(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      // The person is on the way to another page.
      if (location.pathname !== overviewAddress()) return;
      written.current = overviewAddress(next);
      route(written.current, true);
    }, WRITTEN_AFTER_MS);
  };
  return { query, set };
}

const WRITTEN_AFTER_MS = 400;
