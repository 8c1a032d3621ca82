import { brokenIndex } from '@catchment/pg';
import { invalidAttribute } from '../../domain/body/rule.ts';

/** Unique indexes of `nodes` name the attribute that broke them. */
const RULES: Readonly<Record<string, readonly [attribute: string, rule: string]>> = {
  nodes_sibling_name: ['name', 'must be unique among the nodes of the same parent, letter case aside'],
  nodes_workspace_name: ['name', 'must be unique among the workspaces of the account, letter case aside'],
  nodes_templates: ['_class', 'the account has its root of templates already'],
  nodes_custom_id: ['customId', 'must be unique in the account'],
  nodes_series_key: ['series', 'must be unique among the parameters of the data source'],
  nodes_station: ['transport.siteId', 'cannot be used; choose another one, or leave it out and one is drawn'],
};

/** Indexes of what is drawn. */
const DRAWN: ReadonlySet<string> = new Set(['nodes_push_key', 'nodes_station']);
const ATTEMPTS = 5;

/**
 * Runs a change; a broken unique index becomes a refusal that names the attribute. A push key or station that
 * another source has by chance is drawn again: the whole change runs once more.
 */
export async function namingUnique<T>(work: () => Promise<T>, attempts = ATTEMPTS): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const index = brokenIndex(error);
    if (index !== undefined && DRAWN.has(index) && attempts > 1) return namingUnique(work, attempts - 1);
    const known = index === undefined ? undefined : RULES[index];
    throw known ? invalidAttribute(...known) : error;
  }
}
