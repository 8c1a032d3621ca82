import { useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { alarmsAddress } from '../../data/addresses.ts';
import { keyOf } from '../../data/alarms/alarm-list.ts';
import { type Alarm, raised, rereadAlarms } from '../../data/alarms/alarms.ts';
import { preference, setPreference } from '../../data/session/preferences.ts';
import { start } from '../../data/session/session.ts';
import { localeOf } from '../../data/times.ts';
import type { AlarmAction } from '../../parts/acknowledge-dialog.tsx';
import { alarmTypes, placeOf, typeText } from '../../parts/alarm-names.ts';
import { AlarmPanel } from '../../parts/alarm-panel.tsx';
import { AlarmTable } from '../../parts/alarm-table.tsx';
import { usePageTitle } from '../../parts/page-title.tsx';
import { useAfterPaint } from '../../ui/after-paint.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Busy, EmptyState, Problem } from '../../ui/notes.tsx';
import { Switch } from '../../ui/switch.tsx';
import type { Choice } from '../../ui/table/index.ts';
import { useMedia } from '../../ui/use-media.ts';
import { errorText } from '../../words/error-text.ts';
import { language, words } from '../../words/index.ts';
import { ALL, type AlarmFilter, argumentsOf, filterOf, isFiltered, takes } from './alarm-filter.ts';

import '../../styles/console/tables.css';
import '../../styles/console/node.css';
import '../../styles/console/alarms.css';

/** The details of an alarm stand beside the list from this width on. */
const WIDE = '(width >= 80rem)';
const NONE: readonly Alarm[] = [];

/** Shows what needs attention in the account: newest first, kept current. */
export default function AlarmsPage() {
  const { query, route } = useLocation();
  const { alarms: say, ui } = words.value;
  const held = raised.value;
  const all = held.kind === 'ready' ? held.alarms : NONE;
  const isGrowing = held.kind === 'ready' && held.isGrowing === true;
  const isLoading = held.kind === 'loading' || isGrowing;
  const isCut = held.kind === 'ready' && held.hasMore && !isGrowing;
  const error = held.kind === 'failed' ? held.error : undefined;
  usePageTitle(say.title);
  const filter = filterOf(query, alarmTypes());
  const key = JSON.stringify(filter);
  const shown = useMemo(() => all.filter((alarm) => takes(filter, alarm, start().person.email)), [all, key]);
  const [active, setActive] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const [asked, setAsked] = useState<{ readonly action: AlarmAction; readonly alarm: Alarm }>();
  const isWide = useMedia(WIDE);
  const choice = preference<Choice>('columns.alarms').value ?? {};
  const selected = shown.find((alarm) => keyOf(alarm) === active) ?? (isWide ? shown[0] : undefined);
  const set = (next: AlarmFilter) => route(alarmsAddress(argumentsOf(next)), true);
  const act = (action: AlarmAction) => selected && setAsked({ action, alarm: selected });

  return (
    <section class="page is-full" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">{say.title}</h1>
        <p class="soft keys-hint">{say.keys}</p>
      </header>
      {error !== undefined && (
        <Problem text={`${say.failed} ${errorText(error)}`} again={() => void rereadAlarms()} againText={ui.again} />
      )}
      {isCut && <p class="soft">{say.cut(all.length.toLocaleString(localeOf(language.value)))}</p>}
      <div class="beside">
        <div class="beside-main">
          <AlarmTable
            alarms={shown}
            isLoading={isLoading}
            isCompact={isWide}
            fileName={say.title}
            active={active ?? (selected && keyOf(selected))}
            onActive={setActive}
            onOpen={() => setOpen(true)}
            onDone={() => void rereadAlarms()}
            choice={choice}
            onChoice={(next) => void setPreference('columns.alarms', next).catch(() => {})}
            asked={asked}
            onAnswered={() => setAsked(undefined)}
            tools={<Filters filter={filter} onFilter={set} />}
            empty={
              error === undefined && (
                <Nothing isFiltered={isFiltered(filter) && all.length > 0} onAll={() => set(ALL)} />
              )
            }
          />
          {isLoading && <Busy text={say.loading} />}
        </div>
        {isWide && (
          <aside class="beside-panel" aria-label={say.chartAround}>
            <Beside alarm={selected} onAct={(action, alarm) => setAsked({ action, alarm })} />
          </aside>
        )}
      </div>
      {!isWide && isOpen && selected && (
        <Dialog
          title={placeOf(selected).name}
          hidesTitle={false}
          closeText={ui.close}
          onClose={() => setOpen(false)}
          class="is-large"
        >
          <AlarmPanel
            key={keyOf(selected)}
            alarm={selected}
            onAct={(action) => {
              setOpen(false);
              act(action);
            }}
          />
        </Dialog>
      )}
    </section>
  );
}

type BesideProps = {
  readonly alarm: Alarm | undefined;
  readonly onAct: (action: AlarmAction, alarm: Alarm) => void;
};

/** Shows what is known of the chosen alarm. Its chart takes a moment: the row is marked first. */
function Beside({ alarm, onAct }: BesideProps) {
  const shown = useAfterPaint(alarm);
  if (shown === undefined) return <p class="soft">{words.value.alarms.noChoice}</p>;
  return <AlarmPanel key={keyOf(shown)} alarm={shown} onAct={(action) => onAct(action, shown)} />;
}

type FiltersProps = { readonly filter: AlarmFilter; readonly onFilter: (filter: AlarmFilter) => void };

function Filters({ filter, onFilter }: FiltersProps) {
  const { alarms: say } = words.value;
  return (
    <>
      <Switch
        label={say.state}
        value={filter.state}
        options={(['', 'ACTIVE', 'ACKNOWLEDGED'] as const).map((state) => [state, state === '' ? say.all : say[state]])}
        onChange={(state) => onFilter({ ...filter, state })}
      />
      <label class="tool">
        <span class="unseen">{say.type}</span>
        <select value={filter.type} onChange={(event) => onFilter({ ...filter, type: event.currentTarget.value })}>
          <option value="">{say.anyType}</option>
          {alarmTypes().map((type) => (
            <option key={type} value={type}>
              {typeText(type)}
            </option>
          ))}
        </select>
      </label>
      <label class="tool check">
        <input
          type="checkbox"
          checked={filter.isMine}
          onChange={(event) => onFilter({ ...filter, isMine: event.currentTarget.checked })}
        />
        <span>{say.mine}</span>
      </label>
    </>
  );
}

function Nothing({ isFiltered: isPart, onAll }: { readonly isFiltered: boolean; readonly onAll: () => void }) {
  const { alarms: say } = words.value;
  if (!isPart)
    return (
      <EmptyState icon="check" title={say.none}>
        {say.noneText}
      </EmptyState>
    );
  return (
    <EmptyState
      icon="bell"
      title={say.noneOfFilter}
      action={
        <button type="button" class="button is-quiet" onClick={onAll}>
          {say.showAll}
        </button>
      }
    >
      {say.noneOfFilterText}
    </EmptyState>
  );
}
