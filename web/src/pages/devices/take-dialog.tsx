import { useState } from 'preact/hooks';
import { createNode } from '../../data/nodes/changes.ts';
import { className, fullClass } from '../../data/nodes/classes.ts';
import { type Node, readNode } from '../../data/nodes/nodes.ts';
import type { Found } from '../../data/nodes/search.ts';
import { attributeOf, isOvertaken } from '../../data/requests/failures.ts';
import { type Device, deviceIfThere, isScout } from '../../data/sources/devices.ts';
import { type Source, setTransport, transportOf } from '../../data/sources/sources.ts';
import { placeOf } from '../../parts/alarm-names.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { NodeSearch } from '../../parts/node-search.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/labelled-field.tsx';
import { Switch } from '../../ui/switch.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { say } from './words.ts';

type TakeProps = { readonly device: Device; readonly onTaken: () => void; readonly onClose: () => void };
type Problems = Readonly<Partial<Record<'place' | 'name' | 'way' | 'other', string>>>;

const isPlace = ({ _class }: Found): boolean => /\.(?:Workspace|Group|Location)$/.test(_class);
const isSource = ({ _class }: Found): boolean => _class.includes('.source.data.');

/** A device becomes that of a source: one that is there, or a new one. */
export function TakeDialog({ device, onTaken, onClose }: TakeProps) {
  const text = say();
  const [into, setInto] = useState<'old' | 'new'>('old');
  const [found, setFound] = useState<Found>();
  const [source, setSource] = useState<Source>();
  const [name, setName] = useState(device.deviceKey);
  const [way, setWay] = useState(isScout(device) ? 'Scout' : 'TcpCallback');
  const [problems, setProblems] = useState<Problems>({});
  const [isBusy, setBusy] = useState(false);

  const choose = async (node: Found | undefined, problem: Problems = {}) => {
    setFound(node);
    setSource(undefined);
    setProblems(problem);
    if (node === undefined || into === 'new') return;
    try {
      setSource((await readNode(node._id, '_id,name,transport,revision,permissions')) as unknown as Source);
    } catch (error) {
      setFound(undefined);
      setProblems({ place: errorText(error) });
    }
  };
  const send = async () => {
    if (isBusy) return;
    if (!found || (into === 'old' && !source))
      return setProblems({ place: into === 'old' ? text.sourceMissing : text.placeMissing });
    if (into === 'new' && name.trim() === '') return setProblems({ name: text.nameMissing });
    setBusy(true);
    setProblems({});
    try {
      // A key that is not known would make another device.
      if ((await deviceIfThere(device._id)) === undefined) return setProblems({ other: text.deviceGone });
      let called: string = found.name;
      if (source) await setTransport(source, way, { deviceId: device.deviceKey });
      else called = (await createSource(found, name.trim(), way, device)).name;
      toast(text.sources.taken(device.deviceKey, called));
      onTaken();
      onClose();
    } catch (error) {
      if (isOvertaken(error)) {
        void choose(found, { place: text.sourceChanged });
        return;
      }
      const at = attributeOf(error) ?? '';
      const field = at.startsWith('transport') ? 'way' : at === 'name' ? 'name' : at === 'parentId' ? 'place' : 'other';
      setProblems({ [field]: errorText(error) });
    } finally {
      setBusy(false);
    }
  };
  const current = source && transportOf(source);
  return (
    <FormDialog
      title={text.takeTitle(device.deviceKey)}
      problem={problems.other ?? ''}
      isBusy={isBusy}
      main={text.takeIt}
      onSend={send}
      onClose={onClose}
    >
      <Switch
        class="device-choice"
        label={text.takeInto}
        value={into}
        options={[
          ['old', text.takeOld],
          ['new', text.takeNew],
        ]}
        onChange={(next) => {
          setInto(next);
          setFound(undefined);
          setSource(undefined);
          setProblems({});
        }}
      />
      {found ? (
        <div class="device-chosen">
          <p>
            <span class="unseen">{text.chosen}: </span>
            <strong dir="auto">{found.name}</strong>
            <span class="soft"> {[className(found._class), placeOf(found).place].filter(Boolean).join(' · ')}</span>
          </p>
          <Button onClick={() => choose(undefined)}>{text.another}</Button>
        </div>
      ) : (
        <NodeSearch
          key={into}
          label={into === 'old' ? text.findSource : text.findPlace}
          hint={into === 'old' ? text.findSourceHint : text.findPlaceHint}
          {...(into === 'old' && { class: 'source' })}
          accepts={into === 'old' ? isSource : isPlace}
          {...(device.workspaceId !== undefined && { workspaceId: device.workspaceId })}
          onChoose={(node) => void choose(node)}
          isFocused
        />
      )}
      {problems.place !== undefined && (
        <p class="problem" role="alert">
          {problems.place}
        </p>
      )}
      {source && current !== 'None' && source.transport?.deviceId !== device.deviceKey && (
        <p class="device-warning">
          {source.transport?.deviceId
            ? text.replacesDevice(source.transport.deviceId)
            : text.replaces(className(source.transport!._class))}
        </p>
      )}
      {into === 'new' && (
        <Field label={text.newName} problem={problems.name}>
          {(control) => (
            <input
              {...control}
              dir="auto"
              maxLength={255}
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
      )}
      <Field label={text.way} problem={problems.way}>
        {(control) => (
          <select {...control} value={way} onChange={(event) => setWay(event.currentTarget.value)}>
            {(isScout(device) ? ['Scout'] : ['TcpCallback', 'Scout']).map((transport) => (
              <option key={transport} value={transport}>
                {className(fullClass(`transport.${transport}`))}
              </option>
            ))}
          </select>
        )}
      </Field>
    </FormDialog>
  );
}

/** A Scout sends records; behind a call-back there is a logger, which is asked. */
const createSource = (place: Found, name: string, way: string, { deviceKey }: Device): Promise<Node> =>
  createNode({
    _class: fullClass(way === 'Scout' ? 'source.data.Jts' : 'source.data.CampbellPakBus'),
    parentId: place._id,
    name,
    transport: { _class: fullClass(`transport.${way}`), deviceId: deviceKey },
  });
