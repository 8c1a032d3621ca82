import { useEffect, useMemo, useState } from 'preact/hooks';
import { windowModel } from '../charts/chart-model.ts';
import { nodeAddress } from '../data/addresses.ts';
import type { Alarm } from '../data/alarms/alarms.ts';
import { useNode } from '../data/nodes/use-node.ts';
import { qualities } from '../data/records/quality.ts';
import { recordAt } from '../data/records/records.ts';
import { valueOrNone, valueText } from '../data/records/values.ts';
import { useAsked } from '../data/requests/use-asked.ts';
import { may } from '../data/session/rights.ts';
import { nowMs } from '../data/streams/connection.ts';
import { Busy } from '../ui/notes.tsx';
import { words } from '../words/index.ts';
import type { AlarmAction } from './acknowledge-dialog.tsx';
import { placeOf, typeText } from './alarm-names.ts';
import { AlarmState } from './alarm-state.tsx';
import { type ExploredData, readChart } from './chart/chart-source.ts';
import { ChartDescription } from './chart/description.tsx';
import { Legend } from './chart/legend.tsx';
import { marksOf } from './chart/marks.ts';
import { PlotView, usePlotSignals } from './chart/plot-view.tsx';
import { type ChartSeries, hasRecords, isDrawable, seriesOf, thresholdsOf } from './chart/series.ts';
import { At, Since } from './since.tsx';

type PanelProps = {
  readonly alarm: Alarm;
  readonly onAct: ((action: AlarmAction) => void) | undefined;
};

/** Shows what is known of an alarm: since when, the value then and now, who has seen it, and what happened around it. */
export function AlarmPanel({ alarm, onAct }: PanelProps) {
  const { alarms: say } = words.value;
  const { name, place } = placeOf(alarm);
  const held = useNode(alarm.nodeId);
  const node = held.kind === 'ready' ? held.node : undefined;
  const then = useAsked(
    async (signal) =>
      node && hasRecords(node) && alarm.activeTime
        ? recordAt(node._id, Date.parse(alarm.activeTime), signal)
        : undefined,
    [node?._id, alarm.activeTime],
  );
  return (
    <article class="alarm-panel" aria-label={`${name}: ${typeText(alarm.alarmType)}`}>
      <header>
        <AlarmState state={alarm.alarmState} />
        <h2 dir="auto">
          <a href={nodeAddress(alarm.nodeId, node && isDrawable(node) ? 'chart' : 'alarms')}>{name}</a>
        </h2>
        <p class="soft" dir="auto">
          {place}
        </p>
        <p class="alarm-message" dir="auto">
          {alarm.message ?? typeText(alarm.alarmType)}
        </p>
      </header>
      <dl class="facts-list">
        <div>
          <dt>{say.raised}</dt>
          <dd>
            {alarm.activeTime ? (
              <>
                <At iso={alarm.activeTime} /> · <Since iso={alarm.activeTime} />
              </>
            ) : (
              say.unknownTime
            )}
          </dd>
        </div>
        {node && hasRecords(node) && (
          <>
            <div>
              <dt>{say.valueThen}</dt>
              <dd>
                {then.value ? (
                  <>
                    <strong class="number">{valueOrNone(node, then.value.value)}</strong> ·{' '}
                    <At iso={new Date(then.value.ms).toISOString()} />
                  </>
                ) : (
                  '–'
                )}
              </dd>
            </div>
            <div>
              <dt>{say.valueNow}</dt>
              <dd>
                {valueText(node) !== undefined && typeof node.currentTime === 'string' ? (
                  <>
                    <strong class="number">{valueText(node)}</strong> · <Since iso={node.currentTime} />
                  </>
                ) : (
                  '–'
                )}
              </dd>
            </div>
          </>
        )}
        {alarm.alarmState === 'ACKNOWLEDGED' && (
          <div>
            <dt>{say.by}</dt>
            <dd>
              <bdi>{alarm.acknowledgeUsername ?? '–'}</bdi>
              {alarm.acknowledgeTime && (
                <>
                  {' · '}
                  <Since iso={alarm.acknowledgeTime} />
                </>
              )}
              {alarm.acknowledgeComment && (
                <q class="comment" dir="auto">
                  {alarm.acknowledgeComment}
                </q>
              )}
            </dd>
          </div>
        )}
      </dl>
      <p class="buttons">
        {onAct && alarm.alarmState === 'ACTIVE' && may('ACKNOWLEDGE_ALARMS', node) && (
          <button type="button" class="button is-main" onClick={() => onAct('acknowledge')}>
            {say.acknowledge}
          </button>
        )}
        {onAct && may('EDIT_ALARMS', node) && (
          <button type="button" class="button is-quiet" onClick={() => onAct('clear')}>
            {say.clear}
          </button>
        )}
        {alarm.alarmType === 'outdatedAlarm' && (
          <a class="button is-quiet" href={nodeAddress(alarm.nodeId, 'diagnosis')}>
            {words.value.diagnosis.question}
          </a>
        )}
        <a class="button is-quiet" href={nodeAddress(alarm.nodeId, 'alarms')}>
          {say.history}
        </a>
      </p>
      {node && isDrawable(node) && <Around key={node._id} alarm={alarm} series={seriesOf(node, 0)} />}
    </article>
  );
}

const HOUR = 3_600_000;
/** The chart shows the first before an alarm, and at least the second after it. */
const [BEFORE, AFTER] = [24 * HOUR, 6 * HOUR];
const LONGEST = 14 * 24 * HOUR;

/** Shows the records around the moment in which an alarm was raised, up to now where that is not long ago. */
function Around({ alarm, series }: { readonly alarm: Alarm; readonly series: ChartSeries }) {
  const { alarms: say } = words.value;
  const { readings, drawn } = usePlotSignals();
  const [known, setKnown] = useState<Awaited<ReturnType<typeof qualities>>>();
  const all = useMemo(() => [series], [series.node.revision]);
  const raisedMs = Date.parse(alarm.activeTime ?? '') || nowMs.peek();
  const window = useMemo(() => {
    const end = Math.min(Math.max(nowMs.peek(), raisedMs + AFTER), raisedMs - BEFORE + LONGEST);
    return { start: raisedMs - BEFORE, end };
  }, [raisedMs]);
  const model = useMemo(
    () => windowModel((shown, width, signal) => readChart(all, shown ?? window, width, signal)),
    [all, window],
  );
  const marks = (shown: ExploredData) => [
    ...marksOf(all, shown, known),
    // The moment itself.
    { unit: series.view.units, ms: raisedMs, value: null, color: undefined },
  ];
  useEffect(() => model.close, [model]);
  useEffect(() => {
    void qualities().then(setKnown);
  }, []);
  const thresholds = useMemo(() => thresholdsOf(series.node), [all]);
  const data = model.data.value;
  if (model.hasFailed.value && !data) return <p class="soft">{say.chartFailed}</p>;
  return (
    <section class="around">
      <h3>{say.chartAround}</h3>
      <div class="around-plot">
        <PlotView
          name={series.node.name}
          series={all}
          model={model}
          revision={String(series.node.currentTime)}
          readings={readings}
          drawn={drawn}
          thresholds={thresholds}
          marksOf={marks}
        />
        {model.isLoading.value && !data && <Busy text={words.value.node.chartLoading} />}
      </div>
      <Legend series={all} model={model} readings={readings} drawn={drawn} qualities={known} toolsOf={() => null} />
      <ChartDescription name={series.node.name} series={all} data={data} thresholds={thresholds} marks={[]} />
    </section>
  );
}
