import { useEffect, useRef } from 'preact/hooks';
import { nodeAddress } from '../../data/addresses.ts';
import { ancestorsOf, isOtherPath } from '../../data/nodes/ancestors.ts';
import { className, hasSource } from '../../data/nodes/classes.ts';
import type { Node } from '../../data/nodes/nodes.ts';
import { isLate } from '../../data/records/staleness.ts';
import { stateOf, valueText } from '../../data/records/values.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { onNodes } from '../../data/streams/live.ts';
import { wordsOf } from '../../format/words.ts';
import { isDrawable } from '../../parts/chart/series.ts';
import { usePageTitle } from '../../parts/page-title.tsx';
import { Since } from '../../parts/since.tsx';
import { Icon } from '../../ui/icon.tsx';
import { toast } from '../../ui/toast.tsx';
import { words } from '../../words/index.ts';
import { Spark } from './spark.tsx';

/** Shows where the node is, what it is called, its value with its time, and its last day in small. */
export function NodeHead({ node }: { readonly node: Node }) {
  const { node: say } = words.value;
  usePageTitle(node.name);
  const path = useAsked((signal) => ancestorsOf(node.parentId, signal), [node.parentId, node.name]);
  const known = useRef(path);
  known.current = path;
  // The nodes above may be moved or renamed, too.
  useEffect(
    () =>
      onNodes((news) => {
        if (isOtherPath(known.current.value ?? [], news)) known.current.again();
      }),
    [],
  );
  const names = path.value?.map(({ name }) => name).join(' / ');
  const before = useRef(names);
  useEffect(() => {
    if (path.isLoading || names === undefined) return;
    // The move of an open node is reported, since its place is all that changes.
    if (before.current !== undefined && before.current !== names) toast(say.moved(before.current, names));
    before.current = names;
  }, [names, path.isLoading]);
  const state = stateOf(node);
  const value = valueText(node);
  const time = typeof node.currentTime === 'string' ? node.currentTime : undefined;
  const { expectedIntervalSeconds } = (node.chart ?? {}) as { expectedIntervalSeconds?: number | null };
  const late = time !== undefined && isLate(time, expectedIntervalSeconds);
  const isPoint = node._class.includes('.point.');
  const status = typeof node.currentStatus === 'string' ? node.currentStatus : undefined;
  return (
    <header class="node-head">
      <nav class="crumbs" aria-label={say.path}>
        {path.value?.map(({ _id, name }) => (
          <a key={_id} href={nodeAddress(_id)} dir="auto">
            {name}
          </a>
        ))}
        {path.value === undefined && <span>&nbsp;</span>}
      </nav>
      <div class="node-title">
        <h1 id="title" dir="auto" title={node.name}>
          {node.name}
        </h1>
        <span class="kind">{className(node._class)}</span>
      </div>
      <div class="node-now">
        {isPoint && value !== undefined && time !== undefined && (
          <strong class="node-value number" dir="auto">
            {value}
          </strong>
        )}
        {state && (
          <span class={state.isAlarm ? 'state is-alarm' : 'state'} title={state.name}>
            {state.isAlarm && <Icon name="warning" />}
            <bdi>{state.name}</bdi>
          </span>
        )}
        <Alarms node={node} />
        {status !== undefined && <span class="state">{wordsOf(status)}</span>}
        {time !== undefined ? (
          <span class={late ? 'node-time is-late' : 'node-time'}>
            {late && <Icon name="clock" />}
            {late && hasSource(node) ? (
              <a href={nodeAddress(node._id, 'diagnosis')}>{say.outdated}</a>
            ) : late ? (
              say.outdated
            ) : (
              say.lastData
            )}{' '}
            <Since iso={time} />
          </span>
        ) : (
          isPoint && <span class="node-time">{say.noData}</span>
        )}
        {isDrawable(node) && time !== undefined && <Spark node={node} />}
      </div>
    </header>
  );
}

type Raised = { readonly status?: { readonly alarmState?: string } };

/** The worst of its alarms. */
function Alarms({ node }: { readonly node: Node }) {
  const { alarms: say } = words.value;
  const states = Object.values((node.alarms ?? {}) as Readonly<Record<string, Raised>>).map(
    ({ status }) => status?.alarmState,
  );
  const worst = states.includes('ACTIVE') ? 'ACTIVE' : states.includes('ACKNOWLEDGED') ? 'ACKNOWLEDGED' : undefined;
  if (worst === undefined) return null;
  return (
    <a class={`alarm-state is-${worst.toLowerCase()}`} href={nodeAddress(node._id, 'alarms')}>
      <Icon name={worst === 'ACTIVE' ? 'bell' : 'check'} />
      {say[worst]}
    </a>
  );
}
