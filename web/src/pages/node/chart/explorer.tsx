import type { ComponentProps } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Window } from '../../../charts/chart-window.ts';
import type { AxisChoice } from '../../../charts/plot/drawn.ts';
import { type Range, rangeText } from '../../../charts/ranges.ts';
import { nodeAddress } from '../../../data/addresses.ts';
import { hasSource } from '../../../data/nodes/classes.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import { isForbidden } from '../../../data/requests/failures.ts';
import { useAsked } from '../../../data/requests/use-asked.ts';
import { may } from '../../../data/session/rights.ts';
import { ChartDescription } from '../../../parts/chart/description.tsx';
import { Legend } from '../../../parts/chart/legend.tsx';
import { PlotView, usePlotSignals } from '../../../parts/chart/plot-view.tsx';
import { isDrawable } from '../../../parts/chart/series.ts';
import { Strip } from '../../../parts/chart/strip.tsx';
import { NodeSearch } from '../../../parts/node-search.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Busy, Problem } from '../../../ui/notes.tsx';
import { errorText } from '../../../words/error-text.ts';
import { words } from '../../../words/index.ts';
import type { Annotate } from './annotate.tsx';
import { ChartBar, ShiftChoice } from './bar.tsx';
import { ChartPicture, Picture } from './chart-picture.tsx';
import { Downloads } from './downloads.tsx';
import { MOST_SERIES } from './explorer-address.ts';
import { type Explored, useExplored } from './use-explored.ts';
import { WrittenNotes } from './written-notes.tsx';

type ExplorerProps = {
  /** The chart belongs to this node. */
  readonly node: Node;
  /** The chart shows at least these, the first one before all. */
  readonly base: readonly Node[];
  readonly usual?: Range;
  readonly axes?: ReadonlyMap<string, AxisChoice>;
};

/** Shows a chart to be explored: of one value, or of what a chart node puts together. */
export function Explorer({ node, base, usual, axes }: ExplorerProps) {
  const { node: say } = words.value;
  const explored = useExplored(node, base, usual);
  const { explorer, series, model, data } = explored;
  const plot = usePlotSignals();
  const [isAnnotating, setAnnotating] = useState(false);
  const [picked, setPicked] = useState<Window>();
  const host = useRef<HTMLDivElement>(null);
  const retry = () =>
    model.load({ revision: `${explored.news} again ${Date.now()}`, width: host.current?.clientWidth ?? 800 });
  if (isForbidden(explored.error))
    return base[0] === node ? <Picture node={node} explorer={explorer} /> : <ChartPicture node={node} />;
  return (
    <div class="explorer">
      <ChartBar explorer={explorer} model={model} stepBy={explored.stepBy} node={base[0]!} />
      <div class="explorer-more">
        <Overlays explored={explored} />
        <Corrections
          node={node}
          explored={explored}
          isAnnotating={isAnnotating}
          onAnnotate={() => {
            setAnnotating(!isAnnotating);
            setPicked(undefined);
          }}
        />
        <Downloads node={node} series={series} model={model} drawn={plot.drawn} host={host} />
      </div>
      {isAnnotating && (
        <AnnotatePanel
          node={node}
          range={picked}
          onRange={setPicked}
          onClose={() => setAnnotating(false)}
          onSaved={() => {
            setAnnotating(false);
            retry();
          }}
        />
      )}
      <Failures explored={explored} again={retry} />
      <div ref={host} class={model.hasFailed.value ? 'explorer-plot is-stale' : 'explorer-plot'}>
        <PlotView
          name={node.name}
          series={series}
          model={model}
          revision={explored.revision}
          isWaiting={explored.isWaiting}
          readings={plot.readings}
          drawn={plot.drawn}
          axes={axes}
          onPick={isAnnotating ? setPicked : undefined}
          thresholds={explored.thresholds}
          marksOf={explored.marksOf}
          onKey={(key) => key === 'Backspace' && explorer.back()}
        />
        {model.isLoading.value && <Busy text={say.chartLoading} />}
      </div>
      <Strip model={model} whole={explored.whole} />
      <SeriesLegend explored={explored} plot={plot} />
      <WrittenNotes series={series} data={data} isHidden={explored.hidesMarks} />
      <ChartDescription
        name={node.name}
        series={series}
        data={data}
        thresholds={explored.thresholds}
        marks={data && data.series.length === series.length ? explored.marksOf(data) : []}
      />
    </div>
  );
}

/** Chooses what is laid over the chart: another time, other nodes, thresholds, qualities. */
function Overlays({ explored: { explorer, base, hidesMarks } }: { readonly explored: Explored }) {
  const { node: say } = words.value;
  const { state, change } = explorer;
  const isFull = base.length + state.with.length >= MOST_SERIES;
  return (
    <>
      <ShiftChoice explorer={explorer} />
      <NodeSearch
        label={say.compare}
        hint={isFull ? say.atMost(MOST_SERIES) : say.compareHint}
        class="Number"
        isDisabled={isFull}
        accepts={(found) => isDrawable(found) && ![...base.map(({ _id }) => _id), ...state.with].includes(found._id)}
        onChoose={({ _id }) => change({ with: [...state.with, _id] })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={!state.hides.has('thresholds')}
          onChange={() => change({ hides: toggled(state.hides, 'thresholds') })}
        />
        <span>{say.thresholds}</span>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={!hidesMarks}
          onChange={() => change({ hides: toggled(state.hides, 'qualities') })}
        />
        <span>{say.qualities}</span>
      </label>
    </>
  );
}

type CorrectionsProps = {
  readonly node: Node;
  readonly explored: Explored;
  readonly isAnnotating: boolean;
  readonly onAnnotate: () => void;
};

/** Offers what the person may correct of the records of a node. */
function Corrections({ node, explored: { explorer, base }, isAnnotating, onAnnotate }: CorrectionsProps) {
  const { node: say } = words.value;
  if (base[0] !== node) return null;
  return (
    <>
      {may('EDIT_QUALITY', node) && (
        <button type="button" class="button is-quiet" aria-expanded={isAnnotating} onClick={onAnnotate}>
          <Icon name="pencil" />
          <span>{say.annotate}</span>
        </button>
      )}
      {hasSource(node) && (may('EDIT_DATA', node) || may('EDIT_QUALITY', node)) && (
        <a class="button is-quiet" href={nodeAddress(node._id, 'mend', { range: rangeText(explorer.state.range) })}>
          <Icon name="pencil" />
          <span>{say.mendThis}</span>
        </a>
      )}
    </>
  );
}

type FailuresProps = { readonly explored: Explored; readonly again: () => void };

/** Says which nodes are gone, and that records could not be read. */
function Failures({ explored: { explorer, model, data, lost, error }, again }: FailuresProps) {
  const { node: say, ui } = words.value;
  const { state, change } = explorer;
  return (
    <>
      {lost.length > 0 && (
        <p class="soft">
          <Icon name="warning" /> {say.seriesGone}{' '}
          <button
            type="button"
            class="button is-bare"
            onClick={() => change({ with: state.with.filter((id) => !lost.includes(id)) })}
          >
            {say.removeSeries('')}
          </button>
        </p>
      )}
      {model.hasFailed.value && (
        <Problem
          text={data ? say.chartOld : `${say.chartFailed} ${error === undefined ? '' : errorText(error)}`}
          again={again}
          againText={ui.again}
        />
      )}
    </>
  );
}

type SeriesLegendProps = { readonly explored: Explored; readonly plot: ReturnType<typeof usePlotSignals> };

/** Draws the legend, in which nodes that are compared can be taken away. */
function SeriesLegend({ explored: { explorer, series, model, known }, plot }: SeriesLegendProps) {
  const { node: say } = words.value;
  const { state, change } = explorer;
  return (
    <Legend
      series={series}
      model={model}
      readings={plot.readings}
      drawn={plot.drawn}
      qualities={known}
      toolsOf={(curve) =>
        state.with.includes(curve.node._id) &&
        !curve.shift && (
          <button
            type="button"
            class="button is-bare is-sign legend-tool"
            aria-label={say.removeSeries(curve.node.name)}
            title={say.removeSeries(curve.node.name)}
            onClick={() => change({ with: state.with.filter((id) => id !== curve.node._id) })}
          >
            <Icon name="close" />
          </button>
        )
      }
    />
  );
}

/** It comes when somebody writes. */
function AnnotatePanel(props: ComponentProps<typeof Annotate>) {
  const { node: say, ui } = words.value;
  const part = useAsked(() => import('./annotate.tsx'), []);
  if (part.error !== undefined) return <Problem text={say.settingsFailed} again={part.again} againText={ui.again} />;
  return part.value ? <part.value.Annotate {...props} /> : <Busy text={ui.loading} />;
}

function toggled<T>(all: ReadonlySet<T>, item: T): ReadonlySet<T> {
  const next = new Set(all);
  if (!next.delete(item)) next.add(item);
  return next;
}
