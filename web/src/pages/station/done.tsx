import { useEffect, useState } from 'preact/hooks';
import { nodeAddress } from '../../data/addresses.ts';
import type { Node } from '../../data/nodes/nodes.ts';
import { useNode } from '../../data/nodes/use-node.ts';
import { valueText } from '../../data/records/values.ts';
import { call } from '../../data/requests/call.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { nowMs } from '../../data/streams/connection.ts';
import { onNodes } from '../../data/streams/live.ts';
import { times } from '../../data/times.ts';
import type { Import } from '../../data/transfers/imports.ts';
import { type Child, listChildren } from '../../data/tree/children.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { draft } from './draft.ts';
import { madeId, placeIdOf, rootOf, sourceName, stationName } from './make.ts';
import { type Line, typedOf } from './typed.ts';
import { wayOf } from './ways.ts';
import { say } from './words.ts';

/** Shows what to type into the station, and its first data as they come. */
export function DoneStep({ onAgain }: { readonly onAgain: () => void }) {
  const text = say();
  const d = draft();
  const way = wayOf(d.way);
  const source = madeId(d, 'source');
  const root = rootOf(d);
  const place = placeIdOf(d);
  const lines = typedOf(d);
  return (
    <div class="station-done">
      <p class="station-note is-good" role="status">
        <Icon name="check" />
        {text.ready(stationName(d) || sourceName(d))}
      </p>
      {d.made.file?.isDone && d.made.file.id !== undefined && <Imported id={d.made.file.id} />}
      {lines.length > 0 && (
        <section aria-label={text.typeIn}>
          <h3>{text.typeIn}</h3>
          <dl class="station-lines">
            {lines.map((line) => (
              <Typed key={line.key} line={line} />
            ))}
          </dl>
        </section>
      )}
      {way?.asks && <p class="hint">{text.nothingToType}</p>}
      {source !== undefined && <FirstData id={source} asks={way?.asks === true} />}
      <p class="buttons">
        {place !== undefined && (
          <a class="button is-main" href={nodeAddress(place)}>
            {text.toPlace}
          </a>
        )}
        {source !== undefined && (
          <a class="button is-quiet" href={nodeAddress(source, 'settings')}>
            {text.toSettings}
          </a>
        )}
        {root !== undefined && <Button onClick={onAgain}>{text.again}</Button>}
      </p>
    </div>
  );
}

function Typed({ line: { key, value, isOnce } }: { readonly line: Line }) {
  const text = say();
  const label = text.lines[key] ?? key;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value ?? '');
      toast(text.copied);
    } catch {
      toast(text.copyFailed, { isBad: true });
    }
  };
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {value === undefined ? <span class="soft">{text.gone}</span> : <code dir="ltr">{value}</code>}
        {value !== undefined && (
          <Button icon="copy" look="bare" aria-label={text.copy(label)} title={text.copy(label)} onClick={copy} />
        )}
        {isOnce && value !== undefined && <span class="hint">{text.onceOnly}</span>}
      </dd>
    </div>
  );
}

function Imported({ id }: { readonly id: string }) {
  const text = say();
  const { value } = useAsked((signal) => call<Import>('GET', `/imports/${id}`, { signal }), [id]);
  if (value === undefined) return null;
  const left = (value.report?.lines ?? 0) - (value.report?.parsed ?? 0);
  return (
    <p class={left > 0 ? 'station-note is-warning' : 'station-note is-good'} role="status">
      <Icon name={left > 0 ? 'warning' : 'check'} />
      <span>
        {text.imported(value.records)} {left > 0 && text.leftOut(left)}
        {left > 0 && value.report?.firstFailure && <span lang="en"> {value.report.firstFailure}</span>}
      </span>
    </p>
  );
}

const SHOWN = 12;
/** News of many parameters come at once. */
const REST_MS = 200;

/** Shows the first values of the parameters, as the stream brings them; what is wrong meanwhile is said. */
function FirstData({ id, asks }: { readonly id: string; readonly asks: boolean }) {
  const text = say();
  const [all, setAll] = useState<readonly Child[]>([]);
  const held = useNode(id);
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = () => {
      timer = undefined;
      listChildren({ parentId: id, limit: 200 }, stop.signal).then(
        ({ nodes }) => setAll(nodes),
        // The next news ask again.
        () => undefined,
      );
    };
    read();
    const still = onNodes((news) => {
      if (news.kind === 'reset' || (news.kind === 'node' && news.node.parentId === id))
        timer ??= setTimeout(read, REST_MS);
    });
    return () => {
      stop.abort();
      clearTimeout(timer);
      still();
    };
  }, [id]);
  const source = held.kind === 'ready' ? held.node : undefined;
  const withData = all.filter(({ currentTime }) => typeof currentTime === 'string');
  const trouble = withData.length === 0 ? troubleOf(source) : undefined;
  const ask = async () => {
    try {
      await call('POST', `/nodes/${id}/operate/acquire`);
    } catch (error) {
      toast(errorText(error), { isBad: true });
    }
  };
  return (
    <section class="station-first" aria-live="polite">
      <h3>{withData.length > 0 ? text.arrived : text.waiting}</h3>
      {withData.length === 0 && <p class="hint">{text.waitingHint}</p>}
      {trouble !== undefined && (
        <p class="problem" lang="en">
          {text.trouble} {trouble}
        </p>
      )}
      {asks && withData.length === 0 && <Button onClick={ask}>{text.askNow}</Button>}
      {withData.length > 0 && (
        <ul class="station-values">
          {withData.slice(0, SHOWN).map((parameter) => (
            <li key={parameter._id}>
              <a href={nodeAddress(parameter._id)} dir="auto">
                {parameter.name}
              </a>
              <span class="number">{valueText(parameter as unknown as Node)}</span>
              <time class="soft" dateTime={parameter.currentTime}>
                {times().short(Date.parse(parameter.currentTime!), nowMs.value)}
              </time>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

type Alarms = Readonly<
  Record<string, { readonly status?: { readonly alarmState?: string; readonly message?: string } }>
>;

/** Says what is wrong by the alarms of a source that brings nothing. */
function troubleOf(source: Node | undefined): string | undefined {
  const alarms = (source?.alarms ?? {}) as Alarms;
  for (const name of ['communicationsAlarm', 'dataAlarm']) {
    const status = alarms[name]?.status;
    if (status?.alarmState !== undefined && status.alarmState !== 'CLEARED' && status.message) return status.message;
  }
  return undefined;
}
