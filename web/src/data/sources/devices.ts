import { call, nodePath } from '../requests/call.ts';
import { isGone } from '../requests/failures.ts';

type Software = Readonly<
  Partial<Record<`${'app' | 'firmware' | 'bootloader'}${'Version' | 'SentTime'}` | 'branch', string>>
>;

/** The API's device (docs/reference/devices.md#device-attributes). Times are ISO. */
export type Device = {
  readonly _id: string;
  readonly _class: string;
  readonly deviceKey: string;
  readonly workspaceId?: string;
  /** The oldest source uses it. */
  readonly datasourceId?: string;
  readonly phoneNumber?: string;
  /** Masked; absent: it has none. */
  readonly secret?: string;
  readonly isConnected: boolean;
  /** Start of the last connection. */
  readonly lastConnected?: string;
  readonly createdTime: string;
  readonly software: Software;
  /** A Scout alone has it. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** True for a Scout that has not confirmed its newest configuration. */
  readonly isOutOfDate?: boolean;
};

export const isScout = ({ _class }: Pick<Device, '_class'>): boolean => _class.endsWith('.ScoutDevice');

/** A list shows these of each device. */
const ATTRIBUTES =
  '_id,_class,deviceKey,workspaceId,datasourceId,phoneNumber,secret,isConnected,lastConnected,createdTime,software,isOutOfDate';

type DeviceQuery = { readonly filter?: string; readonly limit: number; readonly skip?: number };

export const listDevices = (query: DeviceQuery, signal?: AbortSignal): Promise<readonly Device[]> =>
  call('GET', '/devices', { query: { attr: ATTRIBUTES, ...query }, ...(signal && { signal }) });

const devicePath = (id: string) => `/devices/${encodeURIComponent(id)}` as const;

export const readDevice = (id: string, signal?: AbortSignal): Promise<Device> =>
  call('GET', devicePath(id), signal ? { signal } : {});

/** @returns the device, with its secret where the server has made one */
export const createDevice = (body: Readonly<Record<string, unknown>>, key: string): Promise<Device> =>
  call('POST', '/devices', { body, key });

export const updateDevice = (id: string, body: Readonly<Record<string, unknown>>): Promise<Device> =>
  call('PUT', devicePath(id), { body });

export const deleteDevice = (id: string): Promise<unknown> => call('DELETE', devicePath(id));

export const COMMANDS = ['SET_CLOCK', 'SEND_LOGS', 'REBOOT', 'RESET', 'UPDATE_SOFTWARE'] as const;
export type Command = (typeof COMMANDS)[number];

/** It is sent at once where the device is connected, otherwise at its next connection. */
export const commandDevice = (id: string, body: Readonly<Record<string, string>>): Promise<unknown> =>
  call('POST', `${devicePath(id)}/commands`, { body });

/** Remote access reaches the logger of a source (docs/reference/devices.md#remote-access). */
export type Remote = {
  readonly state: 'OPENING' | 'LISTENING' | 'CONNECTED' | 'CLOSED';
  readonly host?: string;
  readonly port?: number | null;
  readonly cidr?: string;
  readonly username?: string;
  readonly endTime?: string;
};

const remotePath = (sourceId: string) => `${nodePath(sourceId)}/operate/remote` as const;

export const readRemote = (sourceId: string, signal: AbortSignal): Promise<Remote> =>
  call('GET', remotePath(sourceId), { signal });
export const startRemote = (sourceId: string, cidr: string, minutes: number): Promise<Remote> =>
  call('POST', remotePath(sourceId), { body: { cidr, minutes } });
export const stopRemote = (sourceId: string): Promise<unknown> => call('DELETE', remotePath(sourceId));

/** Returns undefined where it is not there, or not to be seen. */
export const deviceIfThere = (id: string): Promise<Device | undefined> =>
  readDevice(id).catch((error: unknown) => {
    if (isGone(error)) return undefined;
    throw error;
  });
