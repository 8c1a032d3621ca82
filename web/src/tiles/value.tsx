import type { ParameterView } from '@catchment/dashboard-view';
import { Icon } from '../components/icon.tsx';
import { Broken } from '../components/notes.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { TimeText } from '../components/time-text.tsx';
import { changeText } from '../format/numbers.ts';
import type { TileProps } from './content.ts';
import { ControlForm } from './control-form.tsx';

/** One value, large, and what there is to say of it. */
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
        {parameter.name !== heading && <span class="parameter">{parameter.name}</span>}
        {parameter.state && <StateBadge state={parameter.state} />}
        {parameter.changePercent !== null && <Change percent={parameter.changePercent} />}
        {parameter.time !== null && <TimeText iso={parameter.time} />}
      </div>
      {control && <ControlForm nodeId={control.nodeId} parameter={parameter} />}
    </div>
  );
}

/** The value with its units; a long text takes smaller letters. */
function Reading({ parameter: { value, units } }: { readonly parameter: ParameterView }) {
  return (
    <>
      <span class={value.length > 12 ? 'amount is-long' : 'amount'}>{value === '' ? '–' : value}</span>
      {units !== '' && <span class="units"> {units}</span>}
    </>
  );
}

const NO_CHANGE = 0.005;

function Change({ percent }: { readonly percent: number }) {
  const direction = Math.abs(percent) < NO_CHANGE ? 'unchanged' : percent > 0 ? 'up' : 'down';
  return (
    <span class="change" title="Against the value before">
      {direction !== 'unchanged' && <Icon name={direction} />}
      <span class="unseen">{`${direction} `}</span>
      {changeText(direction === 'unchanged' ? 0 : percent)}
    </span>
  );
}
