import { createHash } from 'node:crypto';
import { type NodeConfig, ValueType } from '@catchment/contracts/nodes';
import type { Rating } from '@catchment/contracts/ratings';
import { essenceOf, type TransformAttributes } from '@catchment/equation';
import { MIN_RECORD_MS } from '@catchment/time';
import type { PlanInput } from '../domain/plan.ts';
import type { RatedPlan, Step, StoredProgram } from './ports.ts';
import type { ValidateDeps } from './validate-program.ts';

/** The nodes service has another rating: its message comes in a moment. */
const OUTDATED_MS = 1_000;

/** Returns the transform of an input, as two that do the same write it. */
const transformText = (transform: TransformAttributes): string => {
  const { multiplier, offset, equation } = essenceOf(transform);
  return JSON.stringify([multiplier, offset, equation]);
};

/** Returns all that the results of a rating depend on, but for the records of its input. */
const ratingBasis = (digest: string, inputNodeId: string, transform: string): string =>
  createHash('sha256')
    .update(JSON.stringify([digest, inputNodeId, transform]))
    .digest('base64url');

/**
 * Finds out rule and input of a rating. One that was taken away, or whose input does not exist, has no input: its series is emptied. One
 * whose input was deleted keeps what it has.
 */
export async function validateRating(
  { source, reader, announcements, now }: Pick<ValidateDeps, 'source' | 'reader' | 'announcements' | 'now'>,
  step: Step,
  signal: AbortSignal,
): Promise<void> {
  const { program } = step;
  const nowMs = now();
  const isWanted = program.digest !== '';
  const found = isWanted ? await source.rating(program.ownerId, program.nodeId) : undefined;
  // Its deletion, or the message that it has no rating any more, is on the way.
  if (isWanted && !found) return step.save({ needsCheck: false });
  if (found && found.digest !== program.digest) return step.save({ checkMs: nowMs + OUTDATED_MS });
  const node = found && (await source.node(program.ownerId, found.inputNodeId));
  const input = node?.series && inputOf(node);
  const isBroken = found !== undefined && input === undefined;
  const isKept = isBroken && program.checkedDigest === program.digest;
  const failure = isKept ? program.failure || 'the input was deleted' : isBroken ? 'the input does not exist' : '';
  const checked = { checkedDigest: program.digest, followsAccount: false, dependsOn: [] };
  if (isKept) await step.saveChecked(checked);
  else {
    const basis = ratingBasis(program.digest, input?.nodeId ?? '', input?.transform ?? '');
    await step.saveChecked({ ...checked, valid: { stored: planOf(program, found, input, basis), basis } });
    if (program.basis !== basis) {
      const newsFromMs = input ? await newsFrom(reader, input, program.sinceMs, signal) : undefined;
      await step.save({ phase: 'empty', doneRecords: 0, announcedMs: nowMs, newsFromMs: newsFromMs ?? null });
    }
  }
  await step.save({ needsCheck: false, failure });
  if (failure !== program.failure) await step.announce([announcements.attempt(program, failure, nowMs)]);
}

const inputOf = ({ nodeId, ownerId, series }: NodeConfig): PlanInput | undefined =>
  series && { nodeId, ownerId, valueType: ValueType.VALUE_TYPE_NUMBER, transform: transformText(series) };

const planOf = (
  { nodeId, name }: StoredProgram,
  found: Rating | undefined,
  input: PlanInput | undefined,
  key: string,
): RatedPlan => ({
  plan: {
    kind: 'rating',
    runMode: 'ANY_INPUT',
    secondaryInputs: 'RETAIN',
    aggregateInputs: 'PARTIAL',
    // Whatever its quality, a record of the input has a result.
    qualityExcluded: 'NONE',
    zone: { name: 'Etc/UTC', adjustsForDst: false },
    inputs: input ? [input] : [],
    columns: [{ input: 0, isBoolean: false }],
    outputs: [{ nodeId, name, valueType: ValueType.VALUE_TYPE_NUMBER }],
    asksNewest: false,
  },
  rating: found?.entries ?? [],
  program: { key },
});

/**
 * Returns the time from which the input has only records that were written after the rating's last change: they are new, all others are
 * recomputed.
 */
async function newsFrom(
  reader: ValidateDeps['reader'],
  input: PlanInput,
  sinceMs: number | undefined,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (sinceMs === undefined) return undefined;
  const { newestMs, earlierMs } = await reader.edges(input, sinceMs, signal);
  if (newestMs === undefined) return undefined;
  return earlierMs === undefined ? MIN_RECORD_MS : earlierMs + 1;
}
