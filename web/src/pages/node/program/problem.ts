/** The server finds this fault in a program. */
export type ProgramProblem = { readonly message: string; readonly line?: number; readonly isShared: boolean };

/**
 * A refusal with its place taken out of it: `<message> (line <n>)` or `<message> (shared code, line <n>)`
 * (docs/reference/processing-and-ratings.md#program-runs). Behind it the client says the status.
 */
export function problemOf(text: string): ProgramProblem {
  const sent = text.replace(/ \(\d{3}(?:, [^)]*)?\)(?:: [^:]*)?$/, '');
  const match = /^([\s\S]*?) \((shared code, )?line (\d{1,6})\)$/.exec(sent);
  if (!match) return { message: sent, isShared: false };
  return { message: match[1]!, line: Number(match[3]), isShared: match[2] !== undefined };
}
