import type { DeadLetter, DeadLetters } from '@catchment/bus';
import type {
  DropDeadLetterRequest,
  ListDeadLettersRequest,
  RetryDeadLetterRequest,
} from '@catchment/contracts/operator';
import { retryContent } from '@catchment/ingest-log';
import { invalidAttribute, type JsonObject } from '../../domain/body/rule.ts';
import { requireOperator } from '../../people/index.ts';
import { deadLetterView } from '../domain/operator-views.ts';
import type { OperatorDeps } from './deps.ts';

const MAX_LETTERS = 200;
/** A dead letter mostly has its outcome within a second; a page does not wait longer. */
const OUTCOME_MS = 5_000;

/** Lists the oldest first, and says where the next page begins. @throws DomainError not_found, invalid_argument */
export async function listDeadLetters(deps: OperatorDeps, request: ListDeadLettersRequest): Promise<JsonObject> {
  await requireOperator(deps, request.sessionSha256);
  const { after, limit } = request;
  if (limit < 1 || limit > MAX_LETTERS)
    throw invalidAttribute('limit', `must be a whole number from 1 to ${MAX_LETTERS}`);
  return deps.installation.letters(async (letters) => {
    const page: DeadLetter[] = [];
    for await (const letter of letters.list(after)) {
      if (page.length === limit) return { letters: page.map(deadLetterView), next: page.at(-1)?.number ?? null };
      page.push(letter);
    }
    return { letters: page.map(deadLetterView), next: null };
  });
}

/**
 * Publishes a letter again for the reader that could not handle it. A retry that would put something old over something
 * new is left to the command line.
 * @throws DomainError not_found, failed_precondition
 */
export const retryDeadLetter = (deps: OperatorDeps, request: RetryDeadLetterRequest): Promise<JsonObject> =>
  change(deps, request, 'a dead letter was tried again by the operator', async (letters, { data, ...letter }) => {
    const content = retryContent(letter, data, { overwrite: false });
    const outcome = await letters.outcome(letter, await letters.retry(letter.number, content), OUTCOME_MS);
    return outcome.kind === 'failed'
      ? { outcome: 'FAILED', letter: deadLetterView(outcome.letter) }
      : { outcome: outcome.kind === 'handled' ? 'HANDLED' : 'WAITING' };
  });

/** Removes a dead letter for good. @throws DomainError not_found */
export const dropDeadLetter = (deps: OperatorDeps, request: DropDeadLetterRequest): Promise<JsonObject> =>
  change(deps, request, 'a dead letter was dropped by the operator', async (letters, { number }) => {
    await letters.drop(number);
    return {};
  });

async function change(
  deps: OperatorDeps,
  { sessionSha256, number }: RetryDeadLetterRequest,
  done: string,
  work: (letters: DeadLetters, letter: DeadLetter & { readonly data: Uint8Array }) => Promise<JsonObject>,
): Promise<JsonObject> {
  const operator = await requireOperator(deps, sessionSha256);
  return deps.installation.letters(async (letters) => {
    const letter = await letters.get(number);
    const result = await work(letters, letter);
    const { data: _data, ...shown } = letter;
    deps.log.warn({ operator, letter: shown, ...result }, done);
    return result;
  });
}
