import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { ancestorsOf } from '../../data/nodes/ancestors.ts';
import { createNode } from '../../data/nodes/changes.ts';
import { className, fullClass } from '../../data/nodes/classes.ts';
import { iconOf } from '../../data/nodes/node-icons.ts';
import { client } from '../../data/requests/client.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { isAdministrator, may } from '../../data/session/rights.ts';
import { start } from '../../data/session/session.ts';
import { listChildren } from '../../data/tree/children.ts';
import { followPlaces, places } from '../../data/tree/locations.ts';
import { isKnown } from '../../format/zone.ts';
import type { PinMap } from '../../maps/pin-map.ts';
import { NodeSearch } from '../../parts/node-search.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Problem } from '../../ui/notes.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { change, deviceZone, draft, type Parent } from './draft.ts';
import { isPositionWrong, positionOf } from './make.ts';
import { say } from './words.ts';

const FEW = 6;
const MAY_HOLD = /\.(?:Workspace|Group|Location)$/;

/** Asks where it is, what it is called, and what time its clock has. */
export function PlaceStep() {
  const text = say();
  const d = draft();
  const name = useId();
  return (
    <div class="form station-form">
      <Where />
      <div>
        <label for={name} class="station-label">
          {d.parent?.isPlace ? text.sourceName : text.name}
        </label>
        <input
          id={name}
          value={d.name}
          maxLength={120}
          autocomplete="off"
          dir="auto"
          aria-describedby={`${name}-hint`}
          onInput={(event) => change({ name: event.currentTarget.value })}
        />
        <p id={`${name}-hint`} class="hint">
          {d.parent?.isPlace ? text.sourceNameHint : text.nameHint}
        </p>
      </div>
      {!d.parent?.isPlace && <Position />}
      <Zone />
    </div>
  );
}

async function parentOf(id: string): Promise<Parent> {
  const node = (await client.nodes.get(id, {
    attr: '_id,_class,name,workspaceId,parentId,permissions',
  })) as unknown as {
    readonly _id: string;
    readonly _class: string;
    readonly name: string;
    readonly workspaceId?: string;
    readonly parentId?: string;
    readonly permissions?: readonly string[];
  };
  const isLocation = /\.Location$/.test(node._class);
  const above = /\.Group$/.test(node._class)
    ? ((await ancestorsOf(node.parentId, new AbortController().signal)) as readonly { _class?: string; _id: string }[])
    : [];
  const isInPlace = await anyLocation(above.map(({ _id }) => _id));
  return {
    _id: node._id,
    _class: node._class,
    name: node.name,
    workspaceId: node.workspaceId ?? node._id,
    isPlace: isLocation || isInPlace,
    ...(node.permissions && { permissions: node.permissions }),
  };
}

/** A folder within a place is the place's. */
async function anyLocation(ids: readonly string[]): Promise<boolean> {
  for (const id of ids) {
    const { _class } = (await client.nodes.get(id, { attr: '_class' })) as unknown as { _class: string };
    if (/\.Location$/.test(_class)) return true;
  }
  return false;
}

function Where() {
  const text = say();
  const { ui } = words.value;
  const { query } = useLocation();
  const d = draft();
  const [isOther, setOther] = useState(false);
  const [problem, setProblem] = useState('');
  const first = useAsked((signal) => listChildren({ limit: 50 }, signal), []);
  const all = (first.value?.nodes ?? []).filter((node) => /\.Workspace$/.test(node._class) && may('CONFIGURE', node));
  const isMade = Object.values(d.made).some(({ isDone }) => isDone);
  const choose = async (id: string) => {
    setProblem('');
    try {
      change({ parent: await parentOf(id) });
      setOther(false);
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  const asked = query.in;
  useEffect(() => {
    if (asked !== undefined && asked !== d.parent?._id && !isMade) void choose(asked);
  }, [asked]);
  // A person with one Workspace need not be asked.
  const only = first.value !== undefined && first.value.next == null && all.length === 1 ? all[0] : undefined;
  useEffect(() => {
    if (only !== undefined && d.parent === undefined && asked === undefined) void choose(only._id);
  }, [only?._id]);
  if (d.parent !== undefined && !isOther)
    return (
      <div>
        <span class="station-label">{text.where}</span>
        <p class="station-parent">
          <Icon name={iconOf(d.parent._class)} />
          <bdi>{d.parent.name}</bdi>
          <span class="soft">{className(d.parent._class)}</span>
          {!isMade && (
            <Button look="bare" onClick={() => setOther(true)}>
              {text.whereOther}
            </Button>
          )}
        </p>
        {!may('CONFIGURE', d.parent) && <p class="problem">{text.notAllowed}</p>}
      </div>
    );
  return (
    <fieldset class="station-where">
      <legend class="station-label">{text.where}</legend>
      {first.error !== undefined && <Problem text={errorText(first.error)} again={first.again} againText={ui.again} />}
      {first.value !== undefined && all.length === 0 && !isAdministrator() && <p class="problem">{text.notAllowed}</p>}
      {first.value !== undefined && all.length === 0 && isAdministrator() && <FirstWorkspace onMade={choose} />}
      {all.length > 0 && (
        <>
          <p class="hint">{text.whereHint}</p>
          <p class="station-choices">
            {all.slice(0, FEW).map((place) => (
              <Button key={place._id} icon={iconOf(place._class)} onClick={() => choose(place._id)}>
                <bdi>{place.name}</bdi>
              </Button>
            ))}
          </p>
          <NodeSearch
            label={text.whereSearch}
            hint={text.whereSearch}
            accepts={({ _class }) => MAY_HOLD.test(_class)}
            onChoose={({ _id }) => void choose(_id)}
          />
        </>
      )}
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

function FirstWorkspace({ onMade }: { readonly onMade: (id: string) => Promise<void> }) {
  const text = say();
  const id = useId();
  const [name, setName] = useState('');
  const [problem, setProblem] = useState('');
  const isMaking = useRef(false);
  const make = async () => {
    // A second Enter would make a second one.
    if (name.trim() === '' || isMaking.current) return;
    isMaking.current = true;
    try {
      const made = await createNode({ _class: fullClass('Workspace'), name: name.trim() });
      await onMade(made._id);
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      isMaking.current = false;
    }
  };
  return (
    <div>
      <p class="hint">{text.whereNone}</p>
      <label for={id} class="station-label">
        {text.workspaceName}
      </label>
      <div class="station-line">
        <input
          id={id}
          value={name}
          maxLength={120}
          autocomplete="off"
          dir="auto"
          aria-describedby={`${id}-hint`}
          onInput={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') void make();
          }}
        />
        <Button disabled={name.trim() === ''} onClick={make}>
          {text.workspaceMake}
        </Button>
      </div>
      <p id={`${id}-hint`} class="hint">
        {text.workspaceHint}
      </p>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function Position() {
  const text = say();
  const { overview, ui } = words.value;
  const d = draft();
  const id = useId();
  const host = useRef<HTMLDivElement>(null);
  const map = useRef<PinMap>(undefined);
  const [hasFailed, setFailed] = useState(false);
  const all = places.value;
  const isKnown = all.kind !== 'loading';
  useEffect(() => void followPlaces(), []);
  const position = positionOf(d);
  useEffect(() => {
    if (!isKnown || hasFailed) return;
    let isOver = false;
    import('../../maps/pin-map.ts').then(
      ({ openPinMap }) => {
        if (isOver || !host.current) return;
        const near = all.kind === 'ready' ? [...all.places.values()].flatMap((place) => place.position ?? []) : [];
        map.current = openPinMap(host.current, {
          tiles: start().mapTiles,
          zoomTexts: { in: overview.zoomIn, out: overview.zoomOut },
          pinText: text.pin,
          near,
          onPin: ({ latitude, longitude }) => change({ latitude: String(latitude), longitude: String(longitude) }),
        });
        map.current.put(positionOf(draft()));
      },
      () => setFailed(true),
    );
    return () => {
      isOver = true;
      map.current?.close();
      map.current = undefined;
    };
  }, [isKnown, hasFailed, text]);
  useEffect(() => map.current?.put(position), [position?.latitude, position?.longitude]);
  const field = (name: 'latitude' | 'longitude') => (
    <div>
      <label for={`${id}-${name}`} class="station-label">
        {text[name]}
      </label>
      <input
        id={`${id}-${name}`}
        inputMode="decimal"
        autocomplete="off"
        value={d[name]}
        aria-invalid={isPositionWrong(d) || undefined}
        aria-describedby={`${id}-hint`}
        onInput={(event) => change({ [name]: event.currentTarget.value })}
      />
    </div>
  );
  return (
    <div class="station-position">
      {hasFailed ? (
        <Problem text={text.mapFailed} again={() => setFailed(false)} againText={ui.again} />
      ) : (
        <section class="map station-map" aria-label={text.map}>
          <div ref={host} class="map-host" />
        </section>
      )}
      <p id={`${id}-hint`} class={isPositionWrong(d) ? 'problem' : 'hint'}>
        {isPositionWrong(d) ? text.positionWrong : text.mapHint}
      </p>
      <div class="pair">
        {field('latitude')}
        {field('longitude')}
      </div>
    </div>
  );
}

/** The zone of the sun at a longitude, as clocks without summer time have it; signs of these names are turned round. */
function zoneByPin(longitude: number): string {
  const hours = Math.round(longitude / 15);
  return hours === 0 ? 'Etc/UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

export function Zone() {
  const text = say();
  const d = draft();
  const id = useId();
  const position = positionOf(d);
  const near = new Map([[deviceZone(), text.zoneDevice]]);
  if (position) near.set(zoneByPin(position.longitude), text.zonePin);
  if (!near.has('Etc/UTC')) near.set('Etc/UTC', 'UTC');
  return (
    <div>
      <label for={id} class="station-label">
        {text.zone}
      </label>
      <input
        id={id}
        list={`${id}-zones`}
        autocomplete="off"
        spellcheck={false}
        value={d.zone}
        aria-describedby={`${id}-hint`}
        aria-invalid={!isKnown(d.zone) || undefined}
        onInput={(event) => change({ zone: event.currentTarget.value.trim() })}
      />
      <datalist id={`${id}-zones`}>
        {['Etc/UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <p class="station-choices">
        {[...near]
          .filter(([zone]) => zone !== d.zone)
          .map(([zone, of]) => (
            <Button key={zone} onClick={() => change({ zone })}>
              {zone === 'Etc/UTC' ? 'UTC' : `${zone} (${of})`}
            </Button>
          ))}
      </p>
      <p id={`${id}-hint`} class={isKnown(d.zone) ? 'hint' : 'problem'}>
        {isKnown(d.zone) ? text.zoneHint : text.zoneWrong}
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={d.adjustsForDst}
          onChange={(event) => change({ adjustsForDst: event.currentTarget.checked })}
        />
        <span>{text.adjusts}</span>
      </label>
      <p class="hint">{text.adjustsHint}</p>
    </div>
  );
}
