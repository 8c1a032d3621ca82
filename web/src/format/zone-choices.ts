export type ZoneChoice = { readonly name: string; readonly text: string; readonly of: string };

export type KnownZones = {
  /** The page shows times in this zone. */
  readonly shown: string;
  /** The page has this zone by itself. */
  readonly own: string | undefined;
  /** The zone of the reader's device; some browsers do not know it. */
  readonly device: string | undefined;
};

const UTC = 'Etc/UTC';
const isUtc = (name: string): boolean => /^(?:Etc\/)?(?:UTC|UCT|GMT|Zulu|Universal)$/i.test(name);

/** Zones that are near at hand, each once: the one that is shown, the page's, the device's, UTC. */
export function nearZones({ shown, own, device }: KnownZones): ZoneChoice[] {
  const notes = new Map<string, string[]>([[isUtc(shown) ? UTC : shown, []]]);
  const add = (name: string | undefined, note?: string) => {
    if (name === undefined || name === '') return;
    const key = isUtc(name) ? UTC : name;
    notes.set(key, [...(notes.get(key) ?? []), ...(note === undefined ? [] : [note])]);
  };
  add(own, 'this page');
  add(device, 'this device');
  add(UTC);
  return [...notes].map(([name, what]) => ({
    name,
    text: name === UTC ? 'UTC' : name,
    of: what.length > 0 ? `Of ${what.join(' and ')}` : name === UTC ? 'Of the world' : 'Shown now',
  }));
}

/** Lists all that the browser knows beside those, whichever of its names they have; none where it does not list them. */
export function otherZones(near: readonly ZoneChoice[]): string[] {
  const known = new Set(near.flatMap(({ name }) => [name, browserName(name)]));
  try {
    return Intl.supportedValuesOf('timeZone').filter((name) => !isUtc(name) && !known.has(name));
  } catch {
    return [];
  }
}

/** Turns `Asia/Kathmandu` into `Asia/Katmandu`: some browsers list old names. */
function browserName(name: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return name;
  }
}

/** Returns undefined where the browser does not know it, as some say by a name that no zone has. */
export function deviceZone(): string | undefined {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return timeZone === 'Etc/Unknown' ? undefined : timeZone;
}

/** Returns the address of the page in another zone, as its clocks show it; the page's own needs no words. */
export function withZone(search: string, name: string, own: string | undefined): string {
  const kept = search
    .replace(/^\?/, '')
    .split('&')
    .filter((text) => text !== '' && !/^timezone(?:AdjustForDst)?(?:=|$)/.test(text));
  const isOwn = own !== undefined && (name === own || (isUtc(name) && isUtc(own)));
  const all = isOwn ? kept : [...kept, `timezone=${name.replaceAll('+', '%2B')}`, 'timezoneAdjustForDst=TRUE'];
  return all.length === 0 ? '' : `?${all.join('&')}`;
}
