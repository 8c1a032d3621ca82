/** A temporary port leads to a connected device (docs/reference/devices.md#remote-access). */
export type RemoteSession = {
  readonly sourceId: string;
  readonly ownerId: string;
  readonly workspaceId: string;
  readonly deviceId: string;
  /** This process holds the device's connection. */
  readonly instanceId: string;
  /** Addresses that may connect. */
  readonly cidr: string;
  readonly username: string;
  /** Unix ms. */
  readonly endsMs: number;
  readonly state: 'OPENING' | 'LISTENING' | 'CONNECTED' | 'CLOSED';
  readonly port: number | null;
  /** The reason why the session could not be opened. */
  readonly failure: string | null;
};

/** A session may be open so long, as JSON Schema. */
export const MINUTES_SCHEMA = { type: 'integer', minimum: 5, maximum: 240 } as const;

export const isLive = ({ state, endsMs }: Pick<RemoteSession, 'state' | 'endsMs'>, nowMs: number): boolean =>
  state !== 'CLOSED' && nowMs < endsMs;
