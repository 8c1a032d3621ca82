import { alarmsAddress, nodeAddress } from '../data/addresses.ts';
import { alarmCount, raised } from '../data/alarms.ts';
import { nowMs } from '../data/connection.ts';
import { forgetJob, jobs } from '../data/jobs.ts';
import { times } from '../data/times.ts';
import { Icon } from '../ui/icon.tsx';
import { Popover } from '../ui/menu.tsx';
import { errorText } from '../words/error-text.ts';
import { words } from '../words/index.ts';

const NEWEST = 6;
const WORDS_STATE = { running: 'running', done: 'done', failed: 'failed' } as const;

/** How many alarms are active, the newest of them, and what is under way. */
export function Bell() {
  const { bell } = words.value.frame;
  const count = alarmCount.value;
  const running = jobs.value.filter(({ state }) => state === 'running').length;
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
          {count !== undefined && count.active > 0 && (
            <span class="count is-bad">{`${count.active}${count.hasMore ? '+' : ''}`}</span>
          )}
          {running > 0 && <span class="bell-runs" />}
        </>
      }
    >
      {(close) => (
        <div class="bell-room">
          <NewestAlarms close={close} />
          <Jobs />
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
    value.kind === 'ready' ? value.alarms.filter((one) => one.alarmState === 'ACTIVE').slice(0, NEWEST) : [];
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

function Jobs() {
  const { bell } = words.value.frame;
  return (
    <section aria-label={bell.jobs}>
      <h2>{bell.jobs}</h2>
      {jobs.value.length === 0 && <p class="soft">{bell.noJobs}</p>}
      <ul class="bell-list">
        {jobs.value.map(({ id, label, state, part, error }) => (
          <li key={id} class="job">
            <span>
              <bdi class="found-name">{label}</bdi>
              <span class="found-path">
                {state === 'failed' ? errorText(error) : bell[WORDS_STATE[state]]}
                {state === 'running' && part !== undefined && ` ${Math.round(part * 100)} %`}
              </span>
            </span>
            {state === 'running' ? (
              <span class="busy-bar" />
            ) : (
              <button
                type="button"
                class="button is-bare is-sign"
                aria-label={bell.forget}
                onClick={() => forgetJob(id)}
              >
                <Icon name="close" />
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
