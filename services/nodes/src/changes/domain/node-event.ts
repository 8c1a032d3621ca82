/** One line of the event log that a change of configuration makes (docs/reference/events.md#standard-messages). */
export type NodeEvent = {
  readonly nodeId: string;
  readonly workspaceId: string;
  readonly nodeClass: string;
  readonly level: 'DEBUG' | 'INFO' | 'WARNING' | 'ERROR';
  readonly eventType: 'CONFIGURATION' | 'ACQUISITION' | 'NOTIFICATION' | 'SECURITY';
  readonly timeMs: number;
  readonly username: string;
  readonly message: string;
};

const MAX_MESSAGE = 500;

export const cutMessage = (message: string): string => [...message].slice(0, MAX_MESSAGE).join('');
