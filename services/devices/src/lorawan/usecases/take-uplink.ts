import type { NodeConfig } from '@catchment/contracts/nodes';
import type { SettingsOf } from '@catchment/contracts/transports';
import { DomainError, notPermitted } from '@catchment/errors';
import { parseJsonBody } from '@catchment/json-body';
import { counted, type FileWrites } from '../../sources/index.ts';
import { joinedDevice, type Network, readUplink, type Uplink } from '../domain/uplink.ts';
import { flatten, MAX_VALUES, type UplinkValue, uplinkDocument } from '../domain/uplink-document.ts';
import type { Store } from './ports.ts';

export type UplinkDeps = {
  readonly uploadAdmission: {
    /**
     * Finds the source of a push key. @throws DomainError not_found, permission_denied, unauthenticated, resource_exhausted, unavailable
     */
    admit(login: UplinkLogin & { readonly transport: 'LorawanUpload' }): Promise<{
      readonly source: NodeConfig;
      readonly settings: SettingsOf<'LorawanUpload'>;
    }>;
    /** Reports an event of level WARNING to the people of the source; the same event once in a while. Never throws. */
    report(source: NodeConfig, message: string): Promise<void>;
  };
  readonly historic: FileWrites;
  readonly store: Pick<Store, 'noteUplink' | 'uplinkStored' | 'forgetUplinks'>;
  /** Runs a decoder on a payload. @throws DomainError failed_precondition: what it says; unavailable */
  readonly decode: (
    payload: { ownerId: string; decoder: string; payload: Buffer; fPort: number; timeMs: number },
    signal: AbortSignal,
  ) => Promise<Readonly<Record<string, unknown>>>;
  readonly now: () => number;
};

type UplinkLogin = { readonly key: string; readonly password?: string | undefined; readonly address: string };

/** Events and the ingest log name this origin. */
const ORIGIN = 'LoRaWAN';

/**
 * Takes what a network server has sent (docs/reference/iot.md#lorawan-uplinks); resolves once the ingest log has its records.
 * @throws DomainError for what is to be refused, or to be sent again
 */
export async function takeUplink(
  deps: UplinkDeps,
  { body, event, ...login }: UplinkLogin & { readonly body: Uint8Array; readonly event?: string | undefined },
  signal: AbortSignal,
): Promise<void> {
  const { source, settings } = await deps.uploadAdmission.admit({ ...login, transport: 'LorawanUpload' });
  const take = async () => {
    const network = settings.network as Network;
    const document = parseJsonBody(body);
    const uplink = readUplink(network, document, event, deps.now());
    if (!uplink) {
      const joined = joinedDevice(network, document, event);
      if (joined !== undefined) await deps.store.forgetUplinks(source.nodeId, joined);
      return;
    }
    checkDevice(uplink, settings.deviceEui);
    await once(deps, source, uplink, (fresh) => keep(deps, source, settings.decoder, fresh, signal));
  };
  try {
    await counted('LorawanUpload', take, isRefusal);
  } catch (error) {
    if (isRefusal(error)) await deps.uploadAdmission.report(source, `Refused uplink: ${error.message}`);
    throw error;
  }
}

const isRefusal = (error: unknown): error is DomainError => error instanceof DomainError && REFUSALS.has(error.kind);

const REFUSALS: ReadonlySet<DomainError['kind']> = new Set(['invalid_argument', 'permission_denied', 'too_large']);

/** @throws DomainError permission_denied */
function checkDevice({ deviceEui }: Uplink, wanted: string | undefined): void {
  if (wanted === undefined || wanted === '' || wanted.toUpperCase() === deviceEui) return;
  throw notPermitted(`it is of device ${deviceEui ?? 'without an EUI'}, not of the source's deviceEui`);
}

/**
 * A frame that comes several times has the time of its first copy; once that is stored, the other copies are ignored.
 */
async function once(
  { store }: UplinkDeps,
  { nodeId }: NodeConfig,
  uplink: Uplink,
  work: (uplink: Uplink) => Promise<void>,
): Promise<void> {
  const { frame } = uplink;
  if (!frame) return work(uplink);
  const { timeMs, isStored } = await store.noteUplink(nodeId, frame);
  if (isStored) return;
  await work({ ...uplink, timeMs });
  await store.uplinkStored(nodeId, frame, timeMs);
}

async function keep(
  { uploadAdmission, historic, decode }: UplinkDeps,
  node: NodeConfig,
  decoder: string | undefined,
  uplink: Uplink,
  signal: AbortSignal,
): Promise<void> {
  const { values, fault } = await valuesOf(decode, node, decoder, uplink, signal);
  const source = { _id: node.nodeId, ownerId: node.ownerId };
  if (fault !== undefined) {
    await historic.reportFault({ source, fault }, signal);
    await uploadAdmission.report(node, fault);
  }
  const document = uplinkDocument(uplink.timeMs, values, uplink.radio);
  if (!document) return;
  const write = {
    source,
    body: Buffer.from(JSON.stringify(document)),
    writeMode: node.source?.writeMode ?? '',
    origin: ORIGIN,
    // An alarm that was just raised stays.
    continues: fault !== undefined,
  };
  await historic.writeFile(write, signal);
}

type Values = { readonly values: ReadonlyMap<string, UplinkValue>; readonly fault?: string };
const NONE: Values['values'] = new Map();

async function valuesOf(
  decode: UplinkDeps['decode'],
  { ownerId }: NodeConfig,
  decoder: string | undefined,
  { decoded, payload, fPort, timeMs }: Uplink,
  signal: AbortSignal,
): Promise<Values> {
  if (decoded) return flat(decoded);
  if (!payload) return { values: NONE };
  if (!decoder) return { values: new Map([['Payload', payload.toString('hex')]]) };
  try {
    return flat(await decode({ ownerId, decoder, payload, fPort, timeMs }, signal));
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'failed_precondition') throw error;
    return { values: NONE, fault: `Uplink could not be decoded: ${error.message}` };
  }
}

function flat(decoded: object): Values {
  const { values, isCut, badText } = flatten(decoded);
  if (isCut) return { values, fault: `Uplink has values that are too many (${MAX_VALUES} at the most) or too deep` };
  if (badText === undefined) return { values };
  return { values, fault: `Uplink has a text that is too long or has U+0000 or half of a character: ${badText}` };
}
