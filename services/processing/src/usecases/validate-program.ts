import { createHash } from 'node:crypto';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { PATHS_MAX } from '@catchment/contracts/program-limits';
import type { Program, ProgramNode } from '@catchment/contracts/programs';
import { DomainError } from '@catchment/errors';
import { findCircle } from '../domain/circles.ts';
import { type Analysis, errorText, type ProgramError, type ProgramKind } from '../domain/program.ts';
import { nextTick } from '../domain/ticks.ts';
import { type Bound, bindProgram, type ProgramFacts, usesItself, withOutputs } from './bind-program.ts';
import type { ProgramSource, ReadAs, SeriesReader, Step, StoredProgram } from './ports.ts';
import type { Announcements } from './run-step.ts';
import type { Sandbox } from './sandbox.ts';

export type ValidateDeps = {
  readonly source: ProgramSource;
  readonly sandbox: Sandbox;
  readonly reader: SeriesReader;
  readonly announcements: Announcements;
  readonly now: () => number;
};

/**
 * Nobody reports what becomes of keys and nodes of other accounts, nor a circle that another program leaves: it is
 * looked for again. A revoked key opens nothing after this.
 */
const LOOK_AGAIN_MS = { grants: 60_000, circle: 15_000 };

/**
 * Validates a program: its text, what its paths name, their types, limits and circles. A valid program runs from then
 * on; another one raises the processAlarm, and nothing runs.
 */
export async function validateProgram(deps: ValidateDeps, step: Step, signal: AbortSignal): Promise<void> {
  const { program } = step;
  const found = await deps.source.program(program.ownerId, program.nodeId);
  // Its deletion, or the message that it has no program any more, is on the way.
  if (!found?.node?.config || !found.code.trim()) return step.save({ needsCheck: false });
  const facts = factsOf(found, program.kind === 'processor' ? 'processor' : 'parameter');
  const read = await readProgram(deps, program, facts, signal);
  let bound = read.bound;
  let error = read.error;
  let isCircle = false;
  if (bound && !error) {
    error = await triedAggregates(deps, bound, signal);
    if (!error && bound.declares.length > 0) {
      const created = await createdOutputs(deps, program, bound);
      if ('message' in created) error = created;
      else bound = withOutputs(bound, created);
    }
  }
  if (bound && !error && (await mayClose(step, bound))) {
    // Nobody else saves what could close a circle together with this one.
    await step.lockInputs();
    const { inputs, outputs } = bound.plan;
    const circle = await findCircle(
      { nodeId: program.nodeId, name: found.node.config.name },
      { inputs: inputs.map(({ nodeId }) => nodeId), outputs: outputs.map(({ nodeId }) => nodeId) },
      (series) => step.makersOf(series),
    );
    if (circle) {
      isCircle = true;
      error = { message: usesItself(circle) };
    }
  }
  const { analysis } = read;
  await save(
    deps,
    step,
    { found, analysis, ...(bound && !error ? { bound } : { error: error ?? NOTHING, isCircle }) },
    read.bound,
  );
}
const NOTHING = { message: 'the program cannot be read' };

type ReadProgram = { readonly analysis?: Analysis; readonly bound?: Bound; readonly error?: ProgramError };

/**
 * Reads the text of a program, with all that its paths name.
 * @param as the caller whose rights count; absent = those of the program
 */
export async function readProgram(
  { sandbox, source }: Pick<ValidateDeps, 'sandbox' | 'source'>,
  { ownerId, nodeId }: Pick<StoredProgram, 'ownerId' | 'nodeId'>,
  facts: ProgramFacts,
  signal: AbortSignal,
  as?: ReadAs,
): Promise<ReadProgram> {
  const { kind, code, sharedCode } = facts;
  const analysis = await sandbox.analyse({ kind, code, sharedCode }, signal);
  if ('error' in analysis) return analysis;
  const { references, grants } = analysis;
  if (references.length > PATHS_MAX)
    return {
      analysis,
      error: { message: `a program has at most ${PATHS_MAX} different paths`, line: references[PATHS_MAX]?.line ?? 1 },
    };
  const paths = references.map(({ call, path }) => ({ path, many: call === 'NODES' }));
  const resolved = paths.length > 0 ? await source.resolve(ownerId, nodeId, paths, grants, as) : [];
  const qualities = await source.qualities(ownerId);
  const bound = bindProgram(facts, analysis, resolved, qualities);
  return 'error' in bound ? { analysis, error: bound.error } : { analysis, bound };
}

/** Tells if a program may be part of a circle: it must have an input that is itself computed. */
async function mayClose(step: Step, { inputNodes }: Bound): Promise<boolean> {
  if (inputNodes.some((node) => COMPUTED.test(node.class))) return true;
  return step.arePrograms(inputNodes.map(({ sourceId }) => sourceId));
}
const COMPUTED = /(Process|Rating)Point$/;

/** @returns why they cannot be created, where the program is to blame */
async function createdOutputs(
  { source }: ValidateDeps,
  { ownerId, nodeId }: StoredProgram,
  { declares }: Bound,
): Promise<readonly NodeConfig[] | ProgramError> {
  try {
    return await source.ensureOutputs(ownerId, nodeId, declares);
  } catch (error) {
    if (!(error instanceof DomainError) || !REFUSALS.includes(error.kind)) throw error;
    return { message: `the outputs cannot be created: ${error.message}` };
  }
}
const REFUSALS: readonly string[] = ['invalid_argument', 'failed_precondition', 'already_exists'];

/** A base time or an interval that cannot be read is found by asking for it. */
async function triedAggregates(
  { reader, now }: ValidateDeps,
  { plan }: Bound,
  signal: AbortSignal,
): Promise<ProgramError | undefined> {
  for (const input of plan.inputs.filter(({ aggregate }) => aggregate)) {
    try {
      await reader.aggregateAt(input, [now()], {
        qualityExcluded: plan.qualityExcluded,
        zone: plan.zone,
        whole: false,
        signal,
      });
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== 'invalid_argument') throw error;
      return { message: error.message };
    }
  }
  return undefined;
}

export function factsOf(found: Program, kind: ProgramKind): ProgramFacts {
  const { node, source, location, workspace } = found;
  return {
    kind,
    code: found.code,
    sharedCode: found.sharedCode,
    runMode: oneOf(['ALL_INPUTS', 'ANY_INPUT', 'SCHEDULE'], found.runMode),
    secondaryInputs: oneOf(['INTERPOLATED', 'RETAIN'], found.secondaryInputs),
    aggregateInputs: oneOf(['PARTIAL', 'COMPLETE'], found.aggregateInputs),
    ...(found.hasQualityFilter && { qualityFilter: found.qualityFilter }),
    zone: { name: found.timezone || 'Etc/UTC', adjustsForDst: found.timezoneAdjustForDst },
    node: node ?? NO_NODE,
    source: source ?? node ?? NO_NODE,
    ...(location && { location }),
    workspace: workspace ?? NO_NODE,
  };
}
const NO_NODE: ProgramNode = { config: undefined, attributes: Buffer.from('{}') };

const oneOf = <T extends string>(known: readonly [T, ...T[]], value: string): T =>
  known.find((choice) => choice === value) ?? known[0];

async function save(
  deps: ValidateDeps,
  step: Step,
  result: { readonly found: Program; readonly analysis: Analysis | undefined } & (
    | { readonly bound: Bound }
    | { readonly error: ProgramError; readonly isCircle: boolean }
  ),
  /** An invalid program has them too: a change of what it depends on may mend it. */
  read: Bound | undefined,
): Promise<void> {
  const { program } = step;
  const { found, analysis } = result;
  const nowMs = deps.now();
  const isMany = analysis?.references.some(({ call }) => call === 'NODES') ?? false;
  const checked = {
    checkedDigest: found.digest,
    followsAccount: isMany || (analysis !== undefined && read === undefined),
    dependsOn: read?.dependsOn ?? [program.nodeId, found.workspace?.config?.nodeId ?? program.workspaceId],
  };
  const isChanged = program.checkedDigest !== found.digest;
  if ('error' in result) {
    const failure = errorText(result.error);
    await step.saveChecked(checked);
    const again = result.isCircle ? 'circle' : analysis?.grants.length && !read ? 'grants' : undefined;
    await step.save({
      failure,
      acquireMs: null,
      needsCheck: again !== undefined,
      ...(again && { checkMs: nowMs + LOOK_AGAIN_MS[again] }),
    });
    if (failure !== program.failure) await step.announce([deps.announcements.attempt(program, failure, nowMs)]);
    return;
  }
  const { plan, program: text } = result.bound;
  const basis = basisOf(found, result.bound);
  const version = digestOf(JSON.stringify([plan, text]));
  const { schedule } = program;
  const isTicking = plan.runMode === 'SCHEDULE' && schedule !== undefined;
  await step.saveChecked({
    ...checked,
    valid: {
      stored: { plan, program: { ...text, key: version } },
      basis,
      ...(isTicking && { tickMs: nextTick(schedule, program.tickMs, nowMs) }),
    },
  });
  const isRecomputed = plan.kind === 'parameter' && program.basis !== basis;
  const isFirst = plan.kind === 'processor' && program.basis === undefined;
  // A processor begins with what comes after it was made.
  const [newestMs] = isFirst ? await deps.reader.newest(plan.inputs.slice(0, 1), AbortSignal.timeout(10_000)) : [];
  const isSaved = isChanged || program.basis !== basis;
  const hasGrants = (analysis?.grants.length ?? 0) > 0;
  await step.save({
    needsCheck: hasGrants,
    ...(hasGrants && { checkMs: nowMs + LOOK_AGAIN_MS.grants }),
    due: !isRecomputed,
    ...(isRecomputed && { phase: 'empty', doneRecords: 0, announcedMs: nowMs }),
    ...(isFirst && { positionMs: newestMs ?? null }),
    ...(isSaved && { suspendedUntilMs: null, failures: 0, failure: '' }),
    ...(program.planVersion === undefined && { failure: '' }),
  });
  const isMended = (isSaved || program.planVersion === undefined) && program.failure !== '';
  if (isMended) await step.announce([deps.announcements.attempt(program, '', nowMs)]);
}

/** Returns all that the results of a program depend on, but for the records of its inputs. */
function basisOf({ digest, sharedCode }: Program, { plan, program }: Bound): string {
  return digestOf(JSON.stringify([digest, sharedCode, plan.inputs, plan.zone, plan.columns, program.references]));
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
