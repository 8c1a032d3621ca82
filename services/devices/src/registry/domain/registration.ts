import type { ShownDevice } from './device.ts';

/** The registration that a modem's key and secret belong to. */
export type Match = {
  readonly device: ShownDevice;
  /** UTC ms, see migration 0003; null: it has a secret. */
  readonly unsecuredSinceMs: number | null;
};
