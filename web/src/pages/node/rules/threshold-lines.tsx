import type { RefObject } from 'preact';
import { type Box, bandsOf, inside, type Line, type Scale, yOf } from './frame.ts';
import { spread } from './handles.ts';
import type { FormState } from './list.ts';
import { reachOf } from './order.ts';
import type { Moves } from './use-moves.ts';
import { say } from './words.ts';

/** The style has this height of a label, in pixels. */
const LABEL = 26;

type ThresholdLinesProps = {
  readonly room: RefObject<HTMLFieldSetElement | null>;
  readonly name: string;
  readonly states: readonly FormState[];
  readonly statesType: unknown;
  readonly thresholds: readonly { readonly index: number; readonly threshold: number }[];
  readonly isReadOnly: boolean;
  readonly box: Box | undefined;
  readonly scale: Scale | undefined;
  readonly moves: Moves;
  readonly textOf: (threshold: unknown) => string;
};

/** Draws a line for each threshold over the chart, its handle, and the band of its state. */
export function ThresholdLines(props: ThresholdLinesProps) {
  const { room, name, states, statesType, thresholds, box, scale } = props;
  const lines = box && scale ? thresholds.map((line) => ({ ...line, y: yOf(line.threshold, box, scale) })) : [];
  const labels = box
    ? spread(
        lines.map(({ y }) => y),
        LABEL,
        box.top,
        box.bottom,
      )
    : [];
  return (
    <fieldset ref={room} class="rule-lines" aria-label={say().chart(name)}>
      {box &&
        bandsOf(states, statesType, lines, box).map(({ index, top, height }) => (
          <div
            key={`band ${index}`}
            class={`rule-band ${toneOf(states[index]!)}`}
            style={{
              left: `${box.left}px`,
              width: `${box.right - box.left}px`,
              top: `${top}px`,
              height: `${height}px`,
            }}
          />
        ))}
      {box &&
        lines.map((line, i) => <ThresholdLine key={line.index} {...props} line={line} box={box} label={labels[i]!} />)}
    </fieldset>
  );
}

const toneOf = ({ isAlarm }: FormState): string => (isAlarm === true ? 'is-alarm' : 'is-beyond');

type ThresholdLineProps = ThresholdLinesProps & {
  readonly line: Line;
  readonly box: Box;
  /** The middle of its label is this many pixels from the top. */
  readonly label: number;
};

function ThresholdLine({ line, label, box, states, statesType, scale, moves, textOf, isReadOnly }: ThresholdLineProps) {
  const { index, threshold, y } = line;
  const state = states[index]!;
  const name = String(state.name ?? '');
  const { above, below } = reachOf(states, statesType, index);
  return (
    <div class={`rule-line ${toneOf(state)} ${moves.dragged === index ? 'is-moved' : ''}`}>
      <span
        class="rule-stroke"
        style={{ left: `${box.left}px`, width: `${box.right - box.left}px`, top: `${inside(y, box)}px` }}
        onPointerDown={(event) => {
          const handle = event.currentTarget.parentElement?.querySelector<HTMLElement>('[role=slider]');
          if (handle && event.pointerType === 'mouse') moves.drag(index, handle, event);
        }}
      />
      <span
        role="slider"
        tabIndex={0}
        class="rule-handle"
        aria-orientation="vertical"
        aria-label={say().threshold(name)}
        aria-valuenow={threshold}
        aria-valuetext={textOf(threshold)}
        aria-valuemin={below?.threshold ?? Math.min(scale?.low ?? threshold, threshold)}
        aria-valuemax={above?.threshold ?? Math.max(scale?.high ?? threshold, threshold)}
        aria-disabled={isReadOnly || undefined}
        style={{ top: `${label}px`, right: `calc(100% - ${box.right}px)` }}
        onPointerDown={(event) => moves.drag(index, event.currentTarget, event)}
        onKeyDown={(event) => moves.press(index, event)}
      >
        <bdi>{name}</bdi> {textOf(threshold)}
      </span>
    </div>
  );
}
