import { useState } from 'preact/hooks';
import { Empty } from '../components/notes.tsx';
import { TimeText } from '../components/time-text.tsx';
import { wordsOf } from '../format/words.ts';
import { csrfToken } from '../live/page-address.ts';
import { postChange } from '../live/requests.ts';
import { Icon } from '../ui/icon.tsx';
import type { TileProps } from './content.ts';

type Alarm = TileProps<'ALARMS'>['content']['alarms'][number];

/** Shows alarms of a node that are raised, each with what there is to do. What the server then says is shown like any other news. */
export function Alarms({ content: { nodeId, canAcknowledge, alarms } }: Omit<TileProps<'ALARMS'>, 'name'>) {
  if (alarms.length === 0) return <Empty>No alarm is raised.</Empty>;
  return (
    <ul class="alarms">
      {alarms.map((alarm) => (
        <li key={alarm.type}>
          <p class={alarm.state === 'ACTIVE' ? 'state is-alarm' : 'state'}>
            <Icon name={alarm.state === 'ACTIVE' ? 'bell' : 'check'} />
            {`${wordsOf(alarm.type)}, ${alarm.state === 'ACTIVE' ? 'active' : `acknowledged${alarm.by ? ` by ${alarm.by}` : ''}`}`}
          </p>
          {alarm.message !== '' && <p>{alarm.message}</p>}
          {alarm.time !== null && <TimeText iso={alarm.time} />}
          {alarm.state === 'ACTIVE' && canAcknowledge && <Acknowledge nodeId={nodeId} alarm={alarm} />}
        </li>
      ))}
    </ul>
  );
}

function Acknowledge({ nodeId, alarm }: { readonly nodeId: string; readonly alarm: Alarm }) {
  const [note, setNote] = useState('');
  const [isSending, setSending] = useState(false);
  const token = csrfToken();
  if (token === undefined) return null;
  const send = async () => {
    setSending(true);
    const address = `/api/v1/nodes/${encodeURIComponent(nodeId)}/alarms/acknowledge?alarmTypes=${alarm.type}`;
    setNote((await postChange('POST', address, {}, token)) ?? 'Sent');
    setSending(false);
  };
  return (
    <p class="buttons">
      <button type="button" disabled={isSending} onClick={send} aria-label={`Acknowledge ${wordsOf(alarm.type)}`}>
        Acknowledge
      </button>
      <span role="status">{note}</span>
    </p>
  );
}
