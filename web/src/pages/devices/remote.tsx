import { useState } from 'preact/hooks';
import { attributeOf } from '../../data/requests/failures.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { may } from '../../data/session/rights.ts';
import { type Device, readRemote, startRemote, stopRemote } from '../../data/sources/devices.ts';
import type { Source } from '../../data/sources/sources.ts';
import { nowMs } from '../../data/streams/connection.ts';
import { At } from '../../parts/since.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/labelled-field.tsx';
import { Busy, Problem } from '../../ui/notes.tsx';
import { Once } from '../../ui/once.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { Card } from './card.tsx';
import { say } from './words.ts';

/** No event reports that a program is connected. */
const LOOK_MS = 15_000;

type RemoteProps = { readonly device: Device; readonly list: readonly Source[] | undefined };

/** Opens a port of the server to the logger behind a device. */
export function RemoteAccess({ device, list }: RemoteProps) {
  const text = say().remote;
  const sources = (list ?? []).filter((source) => may('CONTROL', source));
  const [chosen, setChosen] = useState('');
  const source = sources.find(({ _id }) => _id === chosen) ?? sources[0];
  return (
    <Card title={text.title} class="is-wide">
      <p class="soft">{text.text}</p>
      {list !== undefined && source === undefined && <p>{list.length === 0 ? text.noSource : text.noControl}</p>}
      {sources.length > 1 && (
        <Field label={text.of}>
          {(control) => (
            <select
              {...control}
              class="field"
              value={source?._id}
              onChange={(event) => setChosen(event.currentTarget.value)}
            >
              {sources.map(({ _id, name }) => (
                <option key={_id} value={_id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {source && <OfSource key={source._id} device={device} source={source} />}
    </Card>
  );
}

function OfSource({ device, source }: { readonly device: Device; readonly source: Source }) {
  const all = say();
  const text = all.remote;
  const { ui } = words.value;
  const tick = Math.floor(nowMs.value / LOOK_MS);
  const asked = useAsked((signal) => readRemote(source._id, signal), [source._id, tick, device.isConnected]);
  const [cidr, setCidr] = useState('');
  const [minutes, setMinutes] = useState('30');
  const [problem, setProblem] = useState<{ readonly at: string; readonly text: string }>();
  const { value: state, error } = asked;
  if (state === undefined)
    return error === undefined ? (
      <Busy text={ui.loading} />
    ) : (
      <Problem text={`${text.failed} ${errorText(error)}`} again={asked.again} againText={ui.again} />
    );
  if (state.state !== 'CLOSED')
    return (
      <>
        <p>
          <strong>{text.states[state.state]}</strong>{' '}
          {state.endTime && (
            <>
              {text.until} <At iso={state.endTime} />
            </>
          )}
        </p>
        {state.host !== undefined && state.port != null && (
          <div>
            <p class="device-label">{text.connectTo}</p>
            <Once value={`${state.host}:${state.port}`} label={all.copy} copied={all.copied} failed={all.copyFailed} />
          </div>
        )}
        <p class="soft">
          {state.cidr} {state.username !== undefined && `· ${text.openedBy(state.username)}`}
        </p>
        <p class="buttons">
          <Button
            onClick={async () => {
              try {
                await stopRemote(source._id);
                toast(text.closed);
              } catch (failure) {
                toast(errorText(failure), { isBad: true });
              }
              asked.again();
            }}
          >
            {text.close}
          </Button>
        </p>
      </>
    );
  if (!device.isConnected) return <p>{text.away}</p>;
  const open = async () => {
    setProblem(undefined);
    if (cidr.trim() === '') return setProblem({ at: 'cidr', text: text.cidrMissing });
    try {
      // The server refuses what is no number, too.
      await startRemote(source._id, cidr.trim(), Number(minutes));
      toast(text.opened);
      asked.again();
    } catch (failure) {
      setProblem({ at: attributeOf(failure) ?? '', text: errorText(failure) });
    }
  };
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void open();
      }}
    >
      <div class="device-pair">
        <Field label={text.cidr} hint={text.cidrHint} problem={problem?.at === 'cidr' ? problem.text : undefined}>
          {(control) => (
            <input
              {...control}
              autocomplete="off"
              spellcheck={false}
              maxLength={60}
              value={cidr}
              onInput={(event) => setCidr(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field
          label={text.minutes}
          hint={text.minutesHint}
          problem={problem?.at === 'minutes' ? problem.text : undefined}
        >
          {(control) => (
            <input
              {...control}
              type="number"
              min={5}
              max={240}
              value={minutes}
              onInput={(event) => setMinutes(event.currentTarget.value)}
            />
          )}
        </Field>
      </div>
      {problem && problem.at !== 'cidr' && problem.at !== 'minutes' && (
        <p class="problem" role="alert">
          {problem.text}
        </p>
      )}
      <p class="buttons">
        <Button type="submit">{text.open}</Button>
      </p>
    </form>
  );
}
