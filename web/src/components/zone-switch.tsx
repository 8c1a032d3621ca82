import { useEffect, useMemo, useState } from 'preact/hooks';
import { deviceZone, nearZones, otherZones, withZone } from '../format/zone-choices.ts';
import { base, query } from '../live/page-address.ts';
import { getJson, RefusedRequest } from '../live/requests.ts';
import { Icon } from '../ui/icon.tsx';
import { oneByOne } from './one-by-one.ts';
import { usePage } from './page-context.ts';

/** A server that has not answered by then is away. */
const ASK_MS = 15_000;

/** Shows the zone of all times of the page, to be changed: it is part of the address, so that others see the same. */
export function ZoneSwitch() {
  const { view } = usePage();
  const { timezone: shown, ownTimezone: own } = view.value;
  const near = useMemo(() => nearZones({ shown, own, device: deviceZone() }), [shown, own]);
  const [others, setOthers] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState('');
  const [wanted, setWanted] = useState<string>();
  const selected = wanted ?? near[0]!.name;
  // Hundreds of names are nothing that a page begins with.
  useEffect(() => oneByOne(() => setOthers(otherZones(near))), [near]);

  const choose = async (name: string) => {
    setWanted(name);
    setProblem('');
    const refusal = await refusalOf(name, own);
    if (refusal === undefined) {
      location.assign(`${location.pathname}${withZone(location.search, name, own)}${location.hash}`);
      return;
    }
    setWanted(undefined);
    setProblem(refusal);
  };
  return (
    <div class="zone">
      <label>
        <Icon name="clock" />
        <span class="unseen">Time zone</span>
        <select value={selected} onChange={(event) => choose(event.currentTarget.value)}>
          {near.map(({ name, text, of }) => (
            <optgroup key={name} label={of}>
              <option value={name}>{text}</option>
            </optgroup>
          ))}
          {others.length > 0 && (
            <optgroup label="All zones">
              {others.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </optgroup>
          )}
        </select>
      </label>
      <span class="problem" role="status">
        {problem}
      </span>
    </div>
  );
}

/** Tells why the page cannot be shown in a zone: browsers know zones that the server does not. */
async function refusalOf(name: string, own: string | undefined): Promise<string | undefined> {
  try {
    await getJson(`${base}/view${withZone(query, name, own)}`, AbortSignal.timeout(ASK_MS));
    return undefined;
  } catch (error) {
    return error instanceof RefusedRequest && error.status === 400
      ? `The server does not know the zone ${name}. Choose another one.`
      : 'The zone could not be changed: there is no connection.';
  }
}
