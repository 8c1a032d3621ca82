import { hasExpressions } from '@catchment/expressions';
import { EVENT_MESSAGE_MAX } from '@catchment/query';

/** An alarm shows this text. */
export type AlarmMessage = {
  readonly message: string;
  /** A custom message with expressions is evaluated where nodes are known (docs/reference/alarms.md#events-and-texts). */
  readonly custom?: string;
};

/** The custom message, or the usual text where there is none; the usual one too until expressions have been evaluated. */
export const shownMessage = (custom: string, usual: string): AlarmMessage => {
  const isTemplate = hasExpressions(custom);
  const message = custom === '' || isTemplate ? usual : custom;
  return { message: [...message].slice(0, EVENT_MESSAGE_MAX).join(''), ...(isTemplate && { custom }) };
};
