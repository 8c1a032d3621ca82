import { EVENT_MESSAGE_MAX } from '@catchment/query';

/** A change of configuration makes this line of the event log (docs/reference/events.md#standard-messages). */
export type NodeEvent = {
  readonly nodeId: string;
  readonly workspaceId: string;
  readonly nodeClass: string;
  readonly level: 'DEBUG' | 'INFO' | 'WARNING' | 'ERROR';
  readonly eventType: 'CONFIGURATION' | 'ACQUISITION' | 'CONTROL' | 'NOTIFICATION' | 'SECURITY';
  readonly timeMs: number;
  readonly username: string;
  readonly message: string;
};

export const cutMessage = (message: string): string => [...message].slice(0, EVENT_MESSAGE_MAX).join('');
