import type { ApiCaller, Scope } from '@catchment/access';
import type { RatingFile, RevisionMatch } from '@catchment/contracts/nodes';
import { DomainError, invalid } from '@catchment/errors';
import type { JsonObject } from '../../domain/body/rule.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import type { Config, StoredNode } from '../../domain/classes/node.ts';
import type { Rating } from '../../domain/classes/processing-attributes.ts';
import { parseRatingCsv, ratingCsv } from '../../domain/classes/rating-csv.ts';
import { findNode } from '../../nodes/index.ts';
import type { TemplateDeps } from '../../templates/index.ts';
import type { Activity, Controls, Refusals } from './ports.ts';
import type { Changed } from './settled.ts';
import { updateNode } from './update-node.ts';

/**
 * Returns the rating of a parameter as a file (docs/reference/processing-and-ratings.md#ratings-as-csv).
 * @throws DomainError not_found, permission_denied; invalid_argument for nodes that have none
 */
export async function exportRating(
  { database }: Pick<TemplateDeps, 'database'>,
  scope: Scope,
  nodeRef: string,
): Promise<RatingFile> {
  const node = await findNode(database, scope, nodeRef);
  checkKind(node);
  const rating = ratingOf(node.config);
  return { csv: Buffer.from(rating ? ratingCsv(rating) : ''), name: `${node.name}.csv` };
}

/**
 * The entries of a file take the place of those that the rating has; its input stays, unless another one is given.
 * @throws DomainError as `updateNode`, with the line of the file
 */
export async function importRating(
  store: Activity & Controls & Refusals,
  deps: TemplateDeps,
  caller: ApiCaller,
  nodeRef: string,
  file: { readonly csv: Uint8Array; readonly inputNodeId: string; readonly ifMatch?: RevisionMatch | undefined },
): Promise<Changed> {
  const { csv, inputNodeId, ifMatch } = file;
  let lines: readonly number[] = [];
  const given = (node: StoredNode): JsonObject => {
    const parsed = parseRatingCsv(textOf(csv));
    const { ratings } = parsed;
    lines = parsed.lines;
    checkKind(node);
    const input = inputNodeId || ratingOf(node.config)?.inputNodeId;
    if (input === undefined) throw invalid('INVALID_ARGUMENT', 'inputNodeId: must be given while there is no rating');
    return { rating: { inputNodeId: input, ratings } };
  };
  try {
    return await updateNode(store, deps, caller, { nodeRef, given, ifMatch });
  } catch (error) {
    throw atPlace(error, lines, inputNodeId !== '');
  }
}

const ratingOf = (config: Config): Rating | undefined => (config.rating as Rating | undefined) ?? undefined;

function checkKind(node: StoredNode): void {
  if (!nodeClass(node.class).attributes.rating) throw invalid('NODE_KIND', 'node: must be a rating parameter');
}

function textOf(csv: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(csv);
  } catch {
    throw invalid('INVALID_TEXT', 'body: must be text in UTF-8');
  }
}

/** A rule of the attribute names the place in it: it is the argument, or a line of the file. */
function atPlace(error: unknown, lines: readonly number[], isInputGiven: boolean): unknown {
  if (!(error instanceof DomainError)) return error;
  const { message } = error;
  const refused = (text: string) => new DomainError('invalid_argument', 'INVALID_ATTRIBUTE', text, { cause: error });
  if (isInputGiven && message.startsWith('rating.inputNodeId')) return refused(message.slice('rating.'.length));
  const [, index, rest] = /^rating\.ratings\[(\d+)\]\.?(.*)$/s.exec(message) ?? [];
  const line = lines[Number(index)];
  return line === undefined ? error : refused(`line ${line}: ${rest}`);
}
