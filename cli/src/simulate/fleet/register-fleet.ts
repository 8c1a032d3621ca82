import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, ApiError } from '../../api/api-client.ts';
import { nodePath } from '../../api/api-options.ts';
import type { FleetModem } from './fleet-keys.ts';

type Node = { readonly _id: string; readonly _class: string };

const AT_ONCE = 8;
/** The devices service hears of deleted sources a moment later. */
const REMOVE_TRIES = 40;
const REMOVE_WAIT_MS = 500;

/**
 * Registers modems: a device and a source each, in a new Location of a Workspace, which is made too when none is named.
 * @param made is called with each modem as soon as it is registered
 */
export async function registerFleet(
  api: ApiClient,
  options: {
    readonly count: number;
    /** Id or `@customId`. */
    readonly workspace: string | undefined;
    readonly classes: string;
    readonly signal: AbortSignal;
    readonly made: (modem: FleetModem) => Promise<void>;
  },
): Promise<void> {
  const { count, workspace, classes, signal, made } = options;
  const create = (document: object) => send(api, 'POST', '/nodes', document) as Promise<Node>;
  const place = workspace
    ? ((await send(api, 'GET', `/nodes/${nodePath(workspace)}?attr=_id,_class`)) as Node)
    : await create({ _class: `${classes}.Workspace`, name: `Simulated fleet of ${new Date().toISOString()}` });
  if (!place._class.endsWith('.Workspace')) throw new Error(`${workspace} is no Workspace.`);
  const model = place._class.slice(0, -'.Workspace'.length);
  const location = await create({
    _class: `${model}.location.Location`,
    name: `Simulated modems of ${new Date().toISOString()}`,
    parentId: place._id,
  });
  const placeIds = [location._id, ...(workspace ? [] : [place._id])];
  await inTurns(count, signal, async () => {
    const device = (await send(api, 'POST', '/devices', { workspaceId: place._id })) as {
      readonly _id: string;
      readonly deviceKey: string;
      readonly secret: string;
    };
    const source = await create({
      _class: `${model}.source.data.Jts`,
      name: `Modem ${device.deviceKey}`,
      parentId: location._id,
      transport: { _class: `${model}.transport.Scout`, deviceId: device.deviceKey },
    });
    await made({ key: device.deviceKey, secret: device.secret, deviceId: device._id, sourceId: source._id, placeIds });
  });
}

/** Deletes what was registered here, and the Location and the Workspace that were made where nothing else is in them. */
export async function removeFleet(api: ApiClient, modems: readonly FleetModem[], signal: AbortSignal): Promise<void> {
  await inTurns(modems.length, signal, async (n) => {
    const { sourceId, deviceId } = modems[n] ?? {};
    if (sourceId) await send(api, 'DELETE', `/nodes/${sourceId}`).catch(unlessGone);
    for (let tries = 1; deviceId; tries += 1) {
      try {
        await send(api, 'DELETE', `/devices/${deviceId}`).catch(unlessGone);
        return;
      } catch (error) {
        if (tries >= REMOVE_TRIES || !(error instanceof ApiError) || error.status !== 400) throw error;
        await sleep(REMOVE_WAIT_MS, undefined, { signal });
      }
    }
  });
  if (signal.aborted) return;
  const placeIds = modems.flatMap((modem) => modem.placeIds ?? []);
  for (const placeId of new Set(placeIds)) {
    const filter = encodeURIComponent(`parentId($eq:${placeId})`);
    const inside = (await send(api, 'GET', `/nodes?filter=${filter}&attr=_id&limit=1`)) as readonly unknown[];
    if (inside.length === 0) await send(api, 'DELETE', `/nodes/${placeId}`).catch(unlessGone);
  }
}

function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 404) throw error;
}

/** A request that the usage limit refused is sent again; others may have been done. */
async function send(api: ApiClient, method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<unknown> {
  for (;;) {
    try {
      return await api.send(method, path, body);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error;
      await sleep(Math.max(1, error.retryAfterSeconds) * 1_000);
    }
  }
}

/** @throws the first error, once nothing is under way any more */
async function inTurns(count: number, signal: AbortSignal, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count && !signal.aborted) {
      const n = next;
      next += 1;
      try {
        await work(n);
      } catch (error) {
        next = count;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}
