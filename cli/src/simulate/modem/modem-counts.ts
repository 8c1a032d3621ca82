import { type MessageCounts, noMessages } from '../station/counts.ts';
import type { ReportedDocument } from '../station/readings.ts';

export type ModemCounts = MessageCounts & {
  /** Modems that are welcome now. */
  connected: number;
  /** Reports that are not answered now, sent or not. */
  waiting: number;
  /** The full queue dropped them. */
  lost: number;
  reconnects: number;
};

export const noCounts = (): ModemCounts => ({
  ...noMessages(),
  connected: 0,
  waiting: 0,
  lost: 0,
  reconnects: 0,
});

/** The journal gets what was sent for the first time, and its outcome. */
export type Journal = {
  sent(message: { readonly seq: number; readonly jts: ReportedDocument }): void;
  settled(seq: number, how: 'acknowledged' | 'refused'): void;
};
