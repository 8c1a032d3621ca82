import type { AlarmTrigger } from '../alarm.ts';
import type { AlarmMessage } from './custom-message.ts';

/** An occurrence says this of the condition of an alarm. */
export type Finding =
  /** The condition is there. */
  | {
      readonly kind: 'raised';
      /** The text of the event. */
      readonly message: string;
      /** The alarm shows this instead. */
      readonly shown?: AlarmMessage;
    }
  /** The condition is over. */
  | { readonly kind: 'over'; readonly message?: string }
  /** It does what its own rule says; the event is written in any case. */
  | { readonly kind: 'trigger'; readonly trigger: AlarmTrigger; readonly message: string };

export const raised = (message: string, shown?: AlarmMessage): Finding => ({
  kind: 'raised',
  message,
  ...(shown !== undefined && { shown }),
});
export const OVER: Finding = { kind: 'over' };
