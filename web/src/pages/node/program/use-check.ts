import { useEffect, useState } from 'preact/hooks';
import { type Trial, type TrialProgram, tryProgram } from '../../../data/processing/computations.ts';
import { isWrong } from '../../../data/requests/failures.ts';
import { errorText } from '../../../words/error-text.ts';
import { type ProgramProblem, problemOf } from './problem.ts';

/** A program that is typed is checked once nothing more comes for this long. */
const REST_MS = 700;

export type Check =
  | { readonly kind: 'none' }
  | { readonly kind: 'checking' }
  | { readonly kind: 'right'; readonly trial: Trial }
  | { readonly kind: 'wrong'; readonly problem: ProgramProblem }
  | { readonly kind: 'failed'; readonly text: string };

/** Finds what is wrong with a program as it is typed; the server alone knows the language and the nodes. */
export function useCheck(id: string | undefined, program: TrialProgram, isOn: boolean): Check {
  const [check, setCheck] = useState<Check>({ kind: 'none' });
  const text = JSON.stringify(program);
  useEffect(() => {
    if (!isOn || id === undefined) return setCheck({ kind: 'none' });
    const stop = new AbortController();
    setCheck({ kind: 'checking' });
    const timer = setTimeout(() => {
      tryProgram(id, program, 0, stop.signal).then(
        (trial) => setCheck({ kind: 'right', trial }),
        (error: unknown) => {
          if (!stop.signal.aborted) setCheck(failureOf(error));
        },
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [id, text, isOn]);
  return check;
}

/** A refusal of the program is its author's to mend; another failure is not. */
export const failureOf = (error: unknown): Extract<Check, { kind: 'wrong' | 'failed' }> =>
  isWrong(error)
    ? { kind: 'wrong', problem: problemOf((error as Error).message) }
    : { kind: 'failed', text: errorText(error) };
