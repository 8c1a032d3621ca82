import { say } from './commands.ts';

let failures = 0;

/** Says what was checked and whether it holds. */
export function check(what: string, isRight: boolean, detail = ''): void {
  say(`${isRight ? 'ok    ' : 'FAILED'} ${what}${detail && ` (${detail})`}`);
  if (!isRight) failures += 1;
}

/** Says the outcome of all checks, which is the status of the process too. */
export function conclude(): void {
  say(failures === 0 ? 'all of it holds' : `${failures} failed`);
  process.exitCode = failures === 0 ? 0 : 1;
}
