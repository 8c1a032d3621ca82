import { onOneLine, tableOf } from '../command-line/answer.ts';

/** People read this part of a diagnosis in a terminal. */
export type Diagnosed = {
  readonly name: string;
  readonly state: { readonly sentence: string };
  readonly lastContact: { readonly time: string; readonly way: string } | null;
  readonly lastRecordTime: string | null;
  readonly lastFile: {
    readonly name: string;
    readonly parsed: number;
    readonly lines: number;
    readonly firstError: string | null;
  } | null;
  readonly nextTry: string | null;
  readonly lastError: { readonly message: string; readonly time: string } | null;
  readonly peers: { readonly by: string; readonly total: number; readonly silent: number } | null;
  readonly advice: readonly { readonly sentence: string }[];
};

export function whyLines(of: Diagnosed): string[] {
  const { lastContact, lastFile, lastError, peers } = of;
  const facts: (readonly [name: string, value: string | null | undefined])[] = [
    ['last contact', lastContact && `${lastContact.time} ${lastContact.way}`],
    ['newest record', of.lastRecordTime],
    ['last file', lastFile && `${lastFile.name}: ${lastFile.parsed} of ${lastFile.lines} lines read`],
    ['its first error', lastFile?.firstError],
    ['last error', lastError && `${lastError.time} ${lastError.message}`],
    ['next try', of.nextTry],
    [`others (${peers?.by})`, peers && `${peers.silent} of ${peers.total} silent`],
  ];
  const known = facts.flatMap(([name, value]) => (value ? [[`  ${name}`, onOneLine(value)]] : []));
  return [
    onOneLine(`${of.name}: ${of.state.sentence}`),
    ...tableOf(known),
    ...of.advice.map(({ sentence }) => `- ${sentence}`),
  ];
}
