import type { Software } from './device.ts';

/** The identification of a modem. */
export type Ident = {
  readonly deviceKey: string;
  readonly secret: string | undefined;
  /** Names one count of `seq`; empty when the modem gives none. */
  readonly session: string;
  readonly software: Software;
};
