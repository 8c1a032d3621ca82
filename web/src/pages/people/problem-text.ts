import { isGone } from '../../data/requests/failures.ts';
import { Overtaken } from '../../data/requests/overtaken.ts';
import { errorText } from '../../words/error-text.ts';
import { say } from './words.ts';

/** Writes the text of a refused change of access, which is shown as it is now. */
export const accessProblem = (error: unknown): string => {
  const text = say();
  return error instanceof Overtaken ? text.accessChanged(error.who ?? text.somebody) : errorText(error);
};

/** Writes the text of a refusal for people. @param gone where the thing itself is not there any more */
export function problemText(error: unknown, gone?: string): string {
  const text = say();
  if (error instanceof Overtaken) {
    if (error.theirs === undefined && gone !== undefined) return gone;
    return text.changedFirst(error.who ?? text.somebody);
  }
  return isGone(error) && gone !== undefined ? gone : errorText(error);
}
