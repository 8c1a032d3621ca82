import { useEffect, useState } from 'preact/hooks';
import { nodeAddress } from '../../data/addresses.ts';
import type { Node } from '../../data/nodes/nodes.ts';
import { isLate } from '../../data/records/staleness.ts';
import { valueText } from '../../data/records/values.ts';
import { valuesBelow } from '../../data/records/values-below.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { nowMs } from '../../data/streams/connection.ts';
import { onNodes } from '../../data/streams/live.ts';
import { times } from '../../data/times.ts';
import type { Child } from '../../data/tree/children.ts';
import { positionText } from '../../maps/position.ts';
import { Since } from '../../parts/since.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { words } from '../../words/index.ts';
import type { PlaceRow } from './rows.ts';
import { StateSign, stateText } from './state-sign.tsx';

const MOST_ALARMS = 3;
const MOST_VALUES = 6;

/** Shows one place: what is raised, and what is measured now. */
export function PlaceCard({ row, onClose }: { readonly row: PlaceRow; readonly onClose: () => void }) {
  const { overview, ui } = words.value;
  const { place, state, alarms, workspace } = row;
  return (
    <article class="place-card" aria-label={overview.card(place.name)}>
      <header>
        <StateSign state={state} />
        <h2 dir="auto">{place.name}</h2>
        <Button look="bare" icon="close" aria-label={ui.close} onClick={onClose} />
      </header>
      <p class="soft">
        {[stateText(state), workspace, place.position ? positionText(place.position) : overview.unknownPosition]
          .filter((text) => text !== '')
          .join(' · ')}
      </p>
      {alarms.length > 0 && (
        <ul class="card-alarms">
          {alarms.slice(0, MOST_ALARMS).map(({ nodeId, alarmType, alarmState, path, message, activeTime }) => (
            <li key={`${nodeId} ${alarmType}`} class={alarmState === 'ACTIVE' ? 'is-active' : 'is-acknowledged'}>
              <Icon name={alarmState === 'ACTIVE' ? 'bell' : 'check'} />
              <a href={nodeAddress(nodeId, 'alarms')}>
                <bdi>{path.slice(path.lastIndexOf('/') + 1)}</bdi>
              </a>
              <span class="card-message">{message}</span>
              {activeTime !== undefined && (
                <time class="soft" dateTime={activeTime}>
                  {times().ago(Date.parse(activeTime), nowMs.value)}
                </time>
              )}
            </li>
          ))}
          {alarms.length > MOST_ALARMS && <li>{overview.moreAlarms(alarms.length - MOST_ALARMS)}</li>}
        </ul>
      )}
      <Values id={place._id} />
      <a class="button is-main" href={nodeAddress(place._id)}>
        {overview.open}
      </a>
    </article>
  );
}

function Values({ id }: { readonly id: string }) {
  const { overview } = words.value;
  const [news, setNews] = useState(0);
  const { value, error } = useAsked((signal) => valuesBelow(id, signal), [id, news]);
  const shown = value?.slice(0, MOST_VALUES) ?? [];
  const ids = shown.map(({ _id }) => _id).join();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onNodes((news) => {
      const isShown = news.kind === 'reset' || ids.includes(news.kind === 'node' ? news.node._id : news.id);
      if (isShown) timer ??= setTimeout(() => setNews((n) => n + 1), 1_000);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [ids, news]);
  if (error !== undefined && value === undefined) return <p class="problem">{overview.valuesFailed}</p>;
  if (value === undefined) return <p class="soft card-wait" />;
  if (shown.length === 0) return <p class="soft">{overview.noValues}</p>;
  const newest = value
    .flatMap(({ currentTime }) => currentTime ?? [])
    .sort()
    .at(-1);
  return (
    <>
      {newest !== undefined && (
        <p class={isLate(newest) ? 'card-last is-late' : 'card-last soft'} title={isLate(newest) ? overview.late : ''}>
          {isLate(newest) && <Icon name="clock" />}
          {overview.lastData} <Since iso={newest} />
        </p>
      )}
      <table class="card-values">
        <caption class="unseen">{overview.values}</caption>
        <tbody>
          {shown.map((node) => (
            <tr key={node._id} class={rowClass(node)}>
              <th scope="row">
                <a href={nodeAddress(node._id)}>
                  <bdi>{node.name}</bdi>
                </a>
              </th>
              <td class="number">{shownText(node)}</td>
              <td class="soft">{node.currentTime && times().ago(Date.parse(node.currentTime), nowMs.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const rowClass = ({ alarm, currentTime }: Child): string =>
  [alarm && `is-${alarm.toLowerCase()}`, currentTime && isLate(currentTime) && 'is-late'].filter(Boolean).join(' ');

/** A value without its time is not shown. */
const shownText = (child: Child): string =>
  child.currentTime === undefined
    ? words.value.overview.noValue
    : ((child.displayType === 'STATE' ? child.currentState : undefined) ??
      valueText(child as unknown as Node) ??
      words.value.overview.noValue);
