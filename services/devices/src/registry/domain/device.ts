import type { TransportName } from '@catchment/contracts/transports';
import type { ScoutConfig } from './scout-config.ts';

export const DEVICE_CLASSES = ['Device', 'ScoutDevice'] as const;
export type DeviceClass = (typeof DEVICE_CLASSES)[number];

/** A source that names a device's key makes a device of this class; a transport that is not here names no device. */
export const DEVICE_CLASS_OF: Readonly<Partial<Record<TransportName, DeviceClass>>> = {
  Scout: 'ScoutDevice',
  TcpCallback: 'Device',
};

/** The modem has reported these versions; `…SentTime` = when that update was last sent, ISO. */
export type Software = {
  readonly appVersion?: string;
  readonly appSentTime?: string;
  readonly firmwareVersion?: string;
  readonly firmwareSentTime?: string;
  readonly bootloaderVersion?: string;
  readonly bootloaderSentTime?: string;
  readonly branch?: 'RELEASE' | 'DEVELOPMENT' | 'NONE';
};

const VERSION = { type: 'string' };
const SENT = { type: 'string', format: 'date-time', description: 'When it was last sent to the modem.' };

/** JSON Schema of `Software`. */
export const SOFTWARE_SCHEMA = {
  type: 'object',
  properties: {
    appVersion: VERSION,
    appSentTime: SENT,
    firmwareVersion: VERSION,
    firmwareSentTime: SENT,
    bootloaderVersion: VERSION,
    bootloaderSentTime: SENT,
    branch: { type: 'string', enum: ['RELEASE', 'DEVELOPMENT', 'NONE'] },
  } satisfies Record<keyof Software, object>,
} as const;

/** A registered device (docs/reference/devices.md#device-attributes). */
export type Device = {
  readonly deviceId: string;
  readonly ownerId: string;
  /** null: assigned to no Workspace. */
  readonly workspaceId: string | null;
  /** 15-digit IMEI or 12-digit number. */
  readonly deviceKey: string;
  readonly deviceClass: DeviceClass;
  /** `+digits`. */
  readonly phoneNumber: string | null;
  readonly secretHash: string | null;
  /** null on class Device. */
  readonly config: ScoutConfig | null;
  /** The modem is out of date while it has not confirmed the newest revision. */
  readonly configRevision: number;
  readonly confirmedRevision: number;
  readonly software: Software;
  readonly createdMs: number;
  readonly lastConnectedMs: number | null;
};

/** The API shows this of a device. */
export type ShownDevice = Device & {
  readonly isConnected: boolean;
  /** The device's oldest source. */
  readonly datasourceId: string | null;
};

/** The source uses a device. */
export type DeviceSource = {
  readonly sourceId: string;
  readonly ownerId: string;
  readonly workspaceId: string;
  readonly sourceClass: string;
  readonly name: string;
  /** Empty when unset. */
  readonly customId: string;
  readonly isEnabled: boolean;
  readonly scheduleType: string;
  /** Empty = default (docs/reference/writing.md#write-modes). */
  readonly writeMode: string;
  /** The number grows with every change of the source. */
  readonly revision: number;
};

export const DEVICE_KEY = /^(?:\d{15}|\d{12})$/;

/**
 * The key is a 15-digit IMEI or a 12-digit number; the check digit of an IMEI only gives a warning
 * (docs/reference/devices.md#device-attributes).
 */
export const isDeviceKey = (text: string): boolean => DEVICE_KEY.test(text);
