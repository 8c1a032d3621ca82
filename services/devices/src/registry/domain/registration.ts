import type { ShownDevice } from './device.ts';

/** The key and the secret of a modem belong to this registration. */
export type Match = {
  readonly device: ShownDevice;
  /** UTC ms, see migration 0003; null: it has a secret. */
  readonly unsecuredSinceMs: number | null;
};
