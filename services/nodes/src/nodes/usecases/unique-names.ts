import { DomainError } from '@catchment/errors';
import { invalidAttribute } from '../../domain/body/rule.ts';

/** Unique indexes of `nodes` → the attribute that broke them. */
const RULES: Readonly<Record<string, readonly [attribute: string, rule: string]>> = {
  NODES_SIBLING_NAME: ['name', 'must be unique among the nodes of the same parent, letter case aside'],
  NODES_WORKSPACE_NAME: ['name', 'must be unique among the workspaces of the account, letter case aside'],
  NODES_TEMPLATES: ['_class', 'the account has its root of templates already'],
  NODES_CUSTOM_ID: ['customId', 'must be unique in the account'],
  NODES_SERIES_KEY: ['series', 'must be unique among the parameters of the data source'],
};

const ATTEMPTS = 5;

/**
 * Runs a change; a broken unique index becomes a refusal that names the attribute. A push key that another source has by
 * chance is drawn again: the whole change runs once more.
 */
export async function namingUnique<T>(work: () => Promise<T>, attempts = ATTEMPTS): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isKeyTaken = error instanceof DomainError && error.reason === 'NODES_PUSH_KEY';
    if (isKeyTaken && attempts > 1) return namingUnique(work, attempts - 1);
    const known = error instanceof DomainError && error.kind === 'already_exists' ? RULES[error.reason] : undefined;
    throw known ? invalidAttribute(...known) : error;
  }
}
