import { fullClass } from '../../data/nodes/classes.ts';
import { call } from '../../data/requests/call.ts';
import { newKey } from '../../data/requests/client.ts';
import { isRefusal } from '../../data/requests/failures.ts';
import { start } from '../../data/session/session.ts';
import { beginImport, followImport, type Import, ImportFailed } from '../../data/transfers/imports.ts';
import { change, type Draft, draft, heldFile, type Made, namesOf, secrets, viewOf } from './draft.ts';
import { registersOf, type Way, wayOf } from './ways.ts';
import { say } from './words.ts';

export type PartKey = 'clone' | 'place' | 'position' | 'device' | 'source' | 'parameters' | 'file' | 'ask';

/** Lists what is made of a draft, in this order: nothing else is. */
export function partsOf(d: Draft): readonly PartKey[] {
  const way = wayOf(d.way);
  if (way === undefined) return [];
  const isPinned = positionOf(d) !== undefined;
  if (way.key === 'template') return ['clone', ...(isPinned && d.template?.isPlace ? (['position'] as const) : [])];
  return [
    ...(d.parent?.isPlace ? [] : (['place', ...(isPinned ? (['position'] as const) : [])] as const)),
    ...(way.transport === 'Scout' ? (['device'] as const) : []),
    'source',
    ...(parametersOf(d).length > 0 ? (['parameters'] as const) : []),
    ...(way.file !== 'none' && d.file ? (['file'] as const) : []),
    ...(way.asks ? (['ask'] as const) : []),
  ];
}

/** Some people write a comma. */
const degrees = (text: string, most: number): number | undefined => {
  const value = text.trim() === '' ? Number.NaN : Number(text.trim().replace(',', '.'));
  return Math.abs(value) <= most ? value : undefined;
};

export function positionOf({ latitude, longitude }: Pick<Draft, 'latitude' | 'longitude'>) {
  const [a, b] = [degrees(latitude, 90), degrees(longitude, 180)];
  return a === undefined || b === undefined ? undefined : { latitude: a, longitude: b };
}

/** Given, and no position. */
export const isPositionWrong = (d: Draft): boolean =>
  `${d.latitude}${d.longitude}`.trim() !== '' && positionOf(d) === undefined;

export type Parameter = {
  readonly series: string;
  readonly name: string;
  readonly units: string;
  readonly type: string;
};

/** Returns parameters that a file names; those of a way without a file come with its first data. */
export function parametersOf(d: Draft): readonly Parameter[] {
  if (wayOf(d.way)?.file === 'none') return [];
  return (viewOf(d)?.columns ?? [])
    .filter(({ isOff }) => !isOff)
    .map((column) => ({ ...namesOf(d, column), series: column.series, type: column.type }));
}

/** docs/reference/node-tree.md#names. */
const validName = (text: string): string =>
  text
    .replaceAll('_', ' ')
    .replace(/[/;{}]/g, '-')
    .trim()
    .slice(0, 120);

/** Names the place where the person gives no name: the source has its name. */
export const stationName = (d: Draft): string => d.name.trim();
export const sourceName = (d: Draft): string =>
  d.sourceName.trim() ||
  (d.parent?.isPlace ? stationName(d) : '') ||
  validName(d.file?.name.replace(/\.[^.]*$/, '') ?? '') ||
  (d.way ? (say().ways[d.way]?.[0] ?? d.way) : '');

const givenOf = (d: Draft, name: string): string => (secrets.value[name] ?? d.settings[name] ?? '').trim();

function fieldsOf(d: Draft, way: Way, of: 'transport' | 'source' | 'device'): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const { name, kind, usual = '', of: goesTo = 'transport' } of way.fields) {
    const text = givenOf(d, name) || usual;
    if (goesTo !== of || text === '') continue;
    const isNumber = kind === 'number' || name === 'intervalSeconds' || name === 'securityCode';
    fields[name] = kind === 'registers' ? registersOf(text) : isNumber ? Number(text) : text;
  }
  return fields;
}

function sourceBody(d: Draft, way: Way, parentId: string, deviceKey: string | undefined): object {
  const match = givenOf(d, 'url') || givenOf(d, 'match');
  const isText = way.source === 'TextParser';
  const view = isText ? viewOf(d) : undefined;
  return {
    _class: fullClass(`source.data.${way.source}`),
    name: sourceName(d),
    parentId,
    timezone: d.zone,
    timezoneAdjustForDst: d.adjustsForDst,
    ...(view && { parser: view.parser }),
    ...fieldsOf(d, way, 'source'),
    ...(way.fields.some(({ name }) => name === 'intervalSeconds') && { scheduleType: 'SERVER' }),
    ...(match !== '' && { files: [{ match }] }),
    ...(way.transport && {
      transport: {
        _class: fullClass(`transport.${way.transport}`),
        ...fieldsOf(d, way, 'transport'),
        ...(deviceKey !== undefined && { deviceId: deviceKey }),
      },
    }),
  };
}

export type Progress = {
  readonly part: PartKey;
  readonly import?: Import;
};

type NodeMade = { readonly _id: string; readonly transport?: Record<string, unknown> };

/** Returns true when all of it is made: the next one begins anew. */
export function isWhole(d: Draft): boolean {
  const parts = partsOf(d);
  return parts.length > 0 && parts.every((part) => d.made[part]?.isDone);
}

/** Returns the id of a part that was made. */
export const madeId = (d: Draft, part: PartKey): string | undefined => d.made[part]?.id;

/** Returns the node that all of it lies in or is. */
export const rootOf = (d: Draft): string | undefined => madeId(d, 'clone') ?? madeId(d, 'place') ?? madeId(d, 'source');
export const placeIdOf = (d: Draft): string | undefined =>
  d.parent?.isPlace && d.way !== 'template' ? d.parent._id : (madeId(d, 'clone') ?? madeId(d, 'place'));

/**
 * Makes what is not made yet, part by part. Each is asked for with a key of its own, so that one whose answer was lost is not made twice; what
 * stands is noted before the next one begins.
 * @throws the failure of the part that could not be made: those before it stand, and a second call goes on with it
 */
export async function make(onProgress: (progress: Progress) => void): Promise<void> {
  for (const part of partsOf(draft())) {
    onProgress({ part });
    await makePart(part, (news) => onProgress({ part, import: news }));
  }
}

async function makePart(part: PartKey, onImport: (news: Import) => void): Promise<void> {
  const d = draft();
  const way = wayOf(d.way)!;
  const parent = d.parent!;
  switch (part) {
    case 'clone':
      await once(
        part,
        `/nodes/${d.template!._id}/clone`,
        { parentId: parent._id, name: stationName(d) },
        (answer) => (answer as readonly NodeMade[])[0]!._id,
      );
      return;
    case 'place':
      await once(
        part,
        '/nodes',
        { _class: fullClass('location.Location'), name: stationName(d), parentId: parent._id },
        idOf,
      );
      return;
    case 'position': {
      const { latitude, longitude } = positionOf(d)!;
      await again(part, { value: [latitude, longitude] }, (body) =>
        call('PUT', `/nodes/${madeId(d, 'clone') ?? madeId(d, 'place')}/historic/now`, { body }),
      );
      return;
    }
    case 'device': {
      const body = {
        _class: `${start().classNamespace}.models.device.ScoutDevice`,
        workspaceId: parent.workspaceId,
        ...fieldsOf(d, way, 'device'),
      };
      await once(part, '/devices', body, (answer) => {
        const { _id, deviceKey, secret } = answer as { _id: string; deviceKey: string; secret?: string };
        if (secret !== undefined) secrets.value = { ...secrets.value, deviceSecret: secret };
        change({ settings: { ...draft().settings, madeDeviceKey: deviceKey } });
        return _id;
      });
      return;
    }
    case 'source': {
      const { madeDeviceKey } = d.settings;
      const parentId = parent.isPlace ? parent._id : madeId(d, 'place')!;
      const body = sourceBody(d, way, parentId, way.transport === 'Scout' ? madeDeviceKey : undefined);
      await once(part, '/nodes', body, (answer) => {
        const { _id, transport } = answer as NodeMade;
        change({ transport });
        return _id;
      });
      return;
    }
    case 'parameters': {
      const columns = Object.fromEntries(
        parametersOf(d)
          .filter(({ type }) => type !== 'COORDINATES')
          .map(({ series, name, units, type }, n) => [
            n,
            { series, name, ...(units !== '' && { units }), dataType: type },
          ]),
      );
      await again(part, { docType: 'jts', version: '1.0', header: { columns }, data: [] }, (body) =>
        call('PUT', `/nodes/${madeId(d, 'source')}/historic`, { body }),
      );
      return;
    }
    case 'file': {
      const file = heldFile.value;
      if (d.made.file?.isDone) return;
      if (file === undefined) throw new FileLost();
      const { key } = keyed(part, { name: file.name, size: file.size, source: madeId(d, 'source') });
      const begun = await beginImport(madeId(d, 'source')!, file, key);
      // A file that was refused is handed over anew; one that goes on is the same again.
      await followImport(begun._id, onImport).catch((error: unknown) => {
        if (error instanceof ImportFailed) forget(part);
        throw error;
      });
      done(part, begun._id);
      return;
    }
    case 'ask':
      // The source reports how the device answers: the station stands in any case.
      await again(part, {}, () =>
        call('POST', `/nodes/${madeId(d, 'source')}/operate/acquire`).catch((error: unknown) => {
          if (!isRefusal(error)) throw error;
        }),
      );
      return;
  }
}

/** A page that was loaded again does not have it. */
export class FileLost extends Error {}

const idOf = (answer: unknown): string => (answer as NodeMade)._id;

function note(part: PartKey, made: Made): void {
  change({ made: { ...draft().made, [part]: made } });
}
const done = (part: PartKey, id?: string): void =>
  note(part, { ...draft().made[part]!, isDone: true, ...(id !== undefined && { id }) });

function forget(part: PartKey): void {
  const { [part]: _, ...made } = draft().made;
  change({ made });
}

/** Returns the key of a request: another one when something else is asked for. */
function keyed(part: PartKey, asked: unknown): Made {
  const text = JSON.stringify(asked);
  const known = draft().made[part];
  if (known?.asked === text) return known;
  const made: Made = { key: newKey(), asked: text, isDone: false, ...(known?.id !== undefined && { id: known.id }) };
  note(part, made);
  return made;
}

/** Secrets are not written down with what was asked. */
const withoutSecrets = (body: object): unknown =>
  JSON.parse(
    JSON.stringify(body, (name, value) =>
      ['password', 'secret', 'securityCode'].includes(name) ? `${String(value).length}` : value,
    ),
  );

/** Makes something that there may be once; what stands is changed where the person has changed it since. */
async function once(
  part: PartKey,
  path: `/${string}`,
  body: Record<string, unknown> | object,
  read: (answer: unknown) => string,
): Promise<void> {
  const made = keyed(part, withoutSecrets(body));
  if (made.isDone) return;
  if (made.id !== undefined && part !== 'device' && part !== 'clone') {
    const { _class, parentId, ...attributes } = body as Record<string, unknown>;
    await call('PUT', `/nodes/${made.id}`, { body: attributes });
    done(part);
    return;
  }
  try {
    done(part, read(await call('POST', path, { body, key: made.key })));
  } catch (error) {
    // A part that was refused is not done: another try is another request.
    if (isRefusal(error)) forget(part);
    throw error;
  }
}

/** Does again what may be done twice. */
async function again(part: PartKey, body: object, run: (body: object) => Promise<unknown>): Promise<void> {
  if (keyed(part, body).isDone) return;
  await run(body);
  done(part);
}

/** Takes back what stands of a station that could not be made whole. */
export async function takeBack(): Promise<void> {
  const d = draft();
  const root = rootOf(d);
  if (root !== undefined) await call('DELETE', `/nodes/${root}`);
  const device = madeId(d, 'device');
  if (device !== undefined) await call('DELETE', `/devices/${device}`);
  const { madeDeviceKey: _, ...settings } = d.settings;
  change({ made: {}, transport: undefined, settings });
}
