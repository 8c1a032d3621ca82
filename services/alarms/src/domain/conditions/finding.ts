import type { AlarmTrigger } from '../alarm.ts';

/** What an occurrence says of the condition of an alarm. */
export type Finding =
  /** The condition is there: the text of the event and, without a text of its own, of the alarm. */
  | { readonly kind: 'raised'; readonly message: string }
  /** The condition is over. */
  | { readonly kind: 'over'; readonly message?: string }
  /** It does what its own rule says; the event is written in any case. */
  | { readonly kind: 'trigger'; readonly trigger: AlarmTrigger; readonly message: string };

export const raised = (message: string): Finding => ({ kind: 'raised', message });
export const OVER: Finding = { kind: 'over' };
