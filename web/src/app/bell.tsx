import { useEffect } from 'preact/hooks';
import { alarmsAddress, nodeAddress } from '../data/addresses.ts';
import { activeText, alarmCount, raised } from '../data/alarms/alarms.ts';
import { nowMs } from '../data/streams/connection.ts';
import { times } from '../data/times.ts';
import { readServerJobs } from '../data/transfers/server-jobs.ts';
import { Icon } from '../ui/icon.tsx';
import { Popover } from '../ui/menu.tsx';
import { words } from '../words/index.ts';
import { Jobs, runningCount } from './bell-jobs.tsx';

const NEWEST = 6;
/** The first moments belong to the page. */
const JOBS_AFTER_MS = 3_000;

/** Shows how many alarms are active, the newest of them, and what is under way. */
export function Bell() {
  const { bell } = words.value.frame;
  const count = alarmCount.value;
  const running = runningCount();
  useEffect(() => {
    const timer = setTimeout(() => void readServerJobs(), JOBS_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const text =
    count === undefined
      ? raised.value.kind === 'failed'
        ? bell.unknown
        : words.value.ui.loading
      : count.active === 0
        ? bell.none
        : bell.active(count.active);
  return (
    <Popover
      label={running > 0 ? `${text}, ${bell.jobs}: ${running}` : text}
      class="bell"
      button={
        <>
          <Icon name="bell" />
          {activeText() !== undefined && <span class="count is-bad">{activeText()}</span>}
          {running > 0 && <span class="bell-runs" />}
        </>
      }
    >
      {(close) => (
        <div class="bell-room">
          <NewestAlarms close={close} />
          <Jobs close={close} />
        </div>
      )}
    </Popover>
  );
}

function NewestAlarms({ close }: { readonly close: () => void }) {
  const { bell, alarms: title } = words.value.frame;
  const { value } = raised;
  const count = alarmCount.value;
  const newest =
    value.kind === 'ready' ? value.alarms.filter((alarm) => alarm.alarmState === 'ACTIVE').slice(0, NEWEST) : [];
  return (
    <section aria-label={title}>
      <h2>
        {count === undefined ? bell.unknown : count.active === 0 ? bell.none : bell.active(count.active)}
        {count !== undefined && count.acknowledged > 0 && (
          <span class="soft">{` · ${bell.acknowledged(count.acknowledged)}`}</span>
        )}
      </h2>
      <ul class="bell-list">
        {newest.map(({ nodeId, alarmType, path, message, activeTime }) => (
          <li key={`${nodeId} ${alarmType}`}>
            <a href={nodeAddress(nodeId, 'alarms')} onClick={close}>
              <Icon name="bell" />
              <span>
                <bdi class="found-name">{path.slice(path.lastIndexOf('/') + 1)}</bdi>
                <bdi class="found-path">{message ?? alarmType}</bdi>
              </span>
              {activeTime !== undefined && (
                <time class="menu-hint" dateTime={activeTime}>
                  {times().ago(Date.parse(activeTime), nowMs.value)}
                </time>
              )}
            </a>
          </li>
        ))}
      </ul>
      <a class="button is-quiet" href={alarmsAddress()} onClick={close}>
        {bell.all}
      </a>
    </section>
  );
}
