import type { SeriesView } from '@catchment/dashboard-view';
import { useEffect, useRef, useState } from 'preact/hooks';
import { extentOf, linesOf } from '../../charts/chart-data.ts';
import type { ChartModel } from '../../charts/chart-model.ts';
import type { Window } from '../../charts/chart-window.ts';
import { dragged, type Grip, gripOf } from '../../charts/strip-line.ts';
import { scheme } from '../../components/scheme.ts';
import { type Size, useSize } from '../../components/use-size.ts';
import type { Line } from '../../data/records/records.ts';
import { words } from '../../words/index.ts';
import type { ExploredData } from './chart-source.ts';

const REST_MS = 200;
/** An edge is taken hold of within this many pixels. */
const NEAR = 8;
/** Whatever the series is, here it is a line. */
const LINE: SeriesView = { name: '', units: '', color: '#000000', type: 'LINE', fill: false, decimals: null };

type StripProps = {
  readonly model: ChartModel<ExploredData>;
  /** All there is, of the first series. */
  readonly whole: Line | undefined;
};

/** All there is in small, with the part that is shown to be moved by hand; keys move the chart itself. */
export function Strip({ model, whole }: StripProps) {
  const ref = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(ref, REST_MS);
  const [held, setHeld] = useState<{ grip: Grip; from: number; window: Window } | undefined>();
  const bounds = model.bounds.value;
  const window = model.window.value ?? bounds;
  const colors = scheme.value;

  useEffect(() => {
    if (canvas.current && size && whole && bounds) draw(canvas.current, whole, bounds, size);
  }, [size, whole, bounds, colors]);

  if (!bounds || !window) return <div ref={ref} class="strip" aria-hidden="true" />;
  const span = bounds.end - bounds.start || 1;
  const part = (ms: number) => `${Math.min(Math.max(((ms - bounds.start) / span) * 100, 0), 100)}%`;
  const instantAt = (event: PointerEvent) => {
    const { left, width } = ref.current!.getBoundingClientRect();
    return bounds.start + ((event.clientX - left) / width) * span;
  };
  return (
    <div
      ref={ref}
      class="strip"
      aria-hidden="true"
      title={words.value.node.overviewStrip}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        const at = instantAt(event);
        const grip = gripOf(at, window, (NEAR / (ref.current!.clientWidth || 1)) * span);
        ref.current!.setPointerCapture(event.pointerId);
        const now = grip === 'new' ? dragged('new', window, at, at) : window;
        if (grip === 'new') model.show(now);
        setHeld({ grip: grip === 'new' ? 'all' : grip, from: at, window: now });
      }}
      onPointerMove={(event) => {
        if (held) model.show(dragged(held.grip, held.window, held.from, instantAt(event)));
      }}
      onPointerUp={() => setHeld(undefined)}
      onPointerCancel={() => setHeld(undefined)}
    >
      <canvas ref={canvas} />
      <span class="strip-window" style={{ left: part(window.start), right: `calc(100% - ${part(window.end)})` }} />
    </div>
  );
}

const EDGE = 3;

/** Draws the line, with breaks where nothing was recorded. */
function draw(canvas: HTMLCanvasElement, line: Line, bounds: Window, { width, height }: Size) {
  const ratio = devicePixelRatio;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const context = canvas.getContext('2d')!;
  context.scale(ratio, ratio);
  context.strokeStyle = getComputedStyle(canvas).color;
  context.lineWidth = 1;
  context.lineJoin = 'round';
  const [points = []] = linesOf({ ...bounds, series: [line] }, [LINE]);
  const extent = extentOf([points], [LINE], bounds);
  if (!extent) return;
  const [low, high] = extent;
  const y = (value: number) => height - EDGE - ((value - low) / (high - low || 1)) * (height - 2 * EDGE);
  let isBroken = true;
  context.beginPath();
  for (const { t, v } of points) {
    const x = ((t - bounds.start) / (bounds.end - bounds.start)) * width;
    if (Number.isNaN(v)) isBroken = true;
    else {
      if (isBroken) context.moveTo(x, y(v));
      context.lineTo(x, y(v));
      isBroken = false;
    }
  }
  context.stroke();
}
