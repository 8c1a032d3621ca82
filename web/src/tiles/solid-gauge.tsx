import { Broken } from '../components/notes.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { TimeText } from '../components/time-text.tsx';
import { decimalText, shownValue } from '../format/numbers.ts';
import type { TileProps } from './content.ts';
import { arcPath, shareOf, viewBoxOf } from './gauge-arc.ts';

/** A value between two ends; it says its number as well, and whether it lies beyond them. */
export function SolidGauge({ content, name }: TileProps<'SOLID_GAUGE'>) {
  const { parameter, minimum, maximum, shape } = content;
  if (parameter === null) return <Broken what="parameter" />;
  const { number, value, units, state, time } = parameter;
  const share = number === null ? 0 : shareOf(number, minimum, maximum);
  const beyond = number === null ? '' : number > maximum ? 'above it' : number < minimum ? 'below it' : '';
  return (
    <div class={`gauge is-${shape.toLowerCase()}`}>
      <div class="dial-room">
        <div class="dial">
          <svg viewBox={viewBoxOf(shape)} aria-hidden="true" focusable="false">
            <path class="ring" d={arcPath(shape, 1)} />
            {share > 0 && <path class={state?.isAlarm ? 'filled is-alarm' : 'filled'} d={arcPath(shape, share)} />}
          </svg>
          <p class="number">
            <span class={value.length > 6 ? 'amount is-long' : 'amount'}>{shownValue(parameter)}</span>
            {units !== '' && <span class="units">{units}</span>}
          </p>
          <p class="ends">
            <span class="unseen">On a scale from </span>
            <span>{decimalText(minimum, null)}</span>
            <span class="unseen"> to </span>
            <span>{decimalText(maximum, null)}</span>
            {beyond !== '' && <span class="unseen">{`, ${beyond}`}</span>}
          </p>
        </div>
      </div>
      <div class="facts">
        {parameter.name !== name && (
          <span class="parameter" dir="auto">
            {parameter.name}
          </span>
        )}
        {state && <StateBadge state={state} />}
        {time !== null && <TimeText iso={time} />}
      </div>
    </div>
  );
}
