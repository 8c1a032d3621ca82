import { useState } from 'preact/hooks';
import { nodeAddress } from '../../data/addresses.ts';
import { className, fullClass } from '../../data/nodes/classes.ts';
import { may } from '../../data/session/rights.ts';
import type { Device } from '../../data/sources/devices.ts';
import { type Source, setTransport, transportOf } from '../../data/sources/sources.ts';
import { Question } from '../../parts/question.tsx';
import { Since } from '../../parts/since.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Busy, Problem } from '../../ui/notes.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { Card } from './card.tsx';
import { TakeDialog } from './take-dialog.tsx';
import { say } from './words.ts';

type SourcesProps = {
  readonly device: Device;
  /** Undefined while on their way. */
  readonly list: readonly Source[] | undefined;
  readonly error: unknown;
  readonly mayConfigure: boolean;
  readonly reload: () => void;
  readonly onChange: () => void;
};

/** Shows the sources of a device: it is taken into one, and released from it. */
export function SourcesCard({ device, list, error, mayConfigure, reload, onChange }: SourcesProps) {
  const text = say().sources;
  const { ui } = words.value;
  const [isTaking, setTaking] = useState(false);
  const [released, setReleased] = useState<Source>();
  return (
    <Card title={text.title}>
      <p class="soft">{list?.length === 0 ? text.none : text.text}</p>
      {error !== undefined && (
        <Problem text={`${text.failed} ${errorText(error)}`} again={reload} againText={ui.again} />
      )}
      {list === undefined && error === undefined && <Busy text={ui.loading} />}
      <ul class="device-sources">
        {list?.map((source) => (
          <li key={source._id}>
            <div>
              <a href={nodeAddress(source._id, 'diagnosis')} dir="auto" title={text.diagnosis}>
                {source.name}
              </a>
              <p class="soft">
                <bdi>{source.place}</bdi> · {className(fullClass(`transport.${transportOf(source)}`))}
                {source.lastCommsSuccess && (
                  <>
                    {' · '}
                    <Since iso={source.lastCommsSuccess} />
                  </>
                )}
              </p>
              {source._id === device.datasourceId && list.length > 1 && <p class="soft">{text.oldest}</p>}
            </div>
            {may('CONFIGURE', source) && (
              <Button aria-label={text.releaseOf(source.name)} onClick={() => setReleased(source)}>
                {text.release}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {mayConfigure && (
        <p class="buttons">
          <Button look={list?.length === 0 ? 'main' : 'quiet'} onClick={() => setTaking(true)}>
            <Icon name="plus" />
            {text.take}
          </Button>
        </p>
      )}
      {isTaking && <TakeDialog device={device} onTaken={onChange} onClose={() => setTaking(false)} />}
      {released && (
        <Question
          title={text.releaseTitle(device.deviceKey, released.name)}
          main={text.release}
          said={text.released(device.deviceKey, released.name)}
          work={() => setTransport(released, 'None')}
          onClose={() => setReleased(undefined)}
          onDone={onChange}
        >
          <p>{text.releaseText}</p>
        </Question>
      )}
    </Card>
  );
}
