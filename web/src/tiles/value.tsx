import type { ParameterView } from '@catchment/dashboard-view';
import { Broken } from '../components/notes.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { TimeText } from '../components/time-text.tsx';
import { changeText, differenceText, shownValue } from '../format/numbers.ts';
import { Icon } from '../ui/icon.tsx';
import type { TileProps } from './content.ts';
import { ControlForm } from './control-form.tsx';

/** Shows one value, large, and what there is to say about it. */
export function Value({
  content: { parameter, control },
  heading,
}: Omit<TileProps<'VALUE'>, 'name'> & { readonly heading: string }) {
  if (parameter === null) return <Broken what="parameter" />;
  return (
    <div class="value">
      <p class="number">
        {parameter.time === null ? <span class="none">No value yet</span> : <Reading parameter={parameter} />}
      </p>
      <div class="facts">
        {parameter.name !== heading && (
          <span class="parameter" dir="auto">
            {parameter.name}
          </span>
        )}
        {parameter.state && <StateBadge state={parameter.state} />}
        <Change parameter={parameter} />
        {parameter.time !== null && <TimeText iso={parameter.time} />}
      </div>
      {control && <ControlForm nodeId={control.nodeId} parameter={parameter} />}
    </div>
  );
}

/** Shows the value with its units; a long text takes smaller letters. */
function Reading({ parameter }: { readonly parameter: ParameterView }) {
  const { value, units } = parameter;
  return (
    <>
      <span class={value.length > 12 ? 'amount is-long' : 'amount'}>{shownValue(parameter)}</span>
      {units !== '' && <span class="units"> {units}</span>}
    </>
  );
}

/** Smaller ones are none, in percent; differences are shown to six digits. */
const NO_CHANGE = 0.005;

function Change({ parameter: { changePercent, change, units } }: { readonly parameter: ParameterView }) {
  const size = changePercent ?? change;
  if (size === null) return null;
  const direction =
    Math.abs(size) < (change === null ? NO_CHANGE : Number.MIN_VALUE) ? 'unchanged' : size > 0 ? 'up' : 'down';
  const shown = direction === 'unchanged' ? 0 : size;
  return (
    <span class="change" title="Against the value before">
      {direction !== 'unchanged' && <Icon name={direction} />}
      <span class="unseen">{`${direction} `}</span>
      {change === null ? changeText(shown) : differenceText(shown, units)}
    </span>
  );
}
