import { countOf } from '@catchment/number-format';
/** A change has broken this elsewhere; the change is made all the same. */
export type Warning = {
  /** This node no longer works as before; absent: the summary of those beyond the limit. */
  readonly nodeId?: string;
  /** Names from the Workspace down. */
  readonly path?: string;
  readonly message: string;
};

/** An answer names this many; the rest is counted. */
export const MAX_WARNINGS = 100;

/** Returns the first warnings, and how many more there are. */
export const boundedWarnings = (all: readonly Warning[]): Warning[] => {
  const more = all.length - MAX_WARNINGS;
  if (more <= 0) return [...all];
  return [
    ...all.slice(0, MAX_WARNINGS),
    { message: `${countOf(more, 'more node no longer works', 'more nodes no longer work')} as before` },
  ];
};

/** Compares what a path of a program led to with what it leads to now; undefined = as before, or better. */
export function pathWarning(
  path: string,
  before: readonly { readonly nodeId: string }[],
  after: readonly { readonly nodeId: string; readonly name: string }[],
): string | undefined {
  if (before.every(({ nodeId }) => after.some((target) => target.nodeId === nodeId))) return undefined;
  const [now] = after;
  if (before.length === 1 && after.length === 1 && now)
    return `the program's path '${path}' names another node now: '${now.name}'`;
  const lost = before.filter(({ nodeId }) => !after.some((target) => target.nodeId === nodeId)).length;
  if (after.length > 0) return `the program's pattern '${path}' matches ${countOf(lost, 'node')} fewer`;
  return `the program's path '${path}' leads to no node any more`;
}

/** Warns of a link or input that must lie in the Workspace of its node. @param kind of the node that has it */
export const linkWarning = (kind: string, target: string): string => {
  const what = kind === 'parameter' ? 'the input of the rating' : `a link of the ${kind}`;
  return `${what}, '${target}', lies in another Workspace now`;
};
