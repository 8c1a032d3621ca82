import { type Calls, dataOf, type Schemas } from './calls.ts';
import { pagesOf } from './lists.ts';
import { follow, type StreamOptions } from './streams.ts';

export type Node = Schemas['Node'];
export type ListOptions = {
  /** docs/reference/query-arguments.md#filter */
  readonly filter?: string;
  readonly attr?: string;
  readonly sort?: string;
  /** At most so many in all. */
  readonly limit?: number;
};

/** A node that was made or has changed (`node`), or that is gone (`removed`). `reset`: all nodes follow. */
export type NodeMessage = { readonly kind: string; readonly node: Partial<Node>; readonly id: string | undefined };

export class Nodes {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** `for await (const node of client.nodes.list({ filter: 'name($match:gauge)' }))` */
  list({ limit, ...query }: ListOptions = {}): AsyncGenerator<Node, void, undefined> {
    const page = async (window: { skip: number; limit: number }) =>
      dataOf(
        await this.#calls.api.GET('/api/v1/nodes', { params: { query: { ...query, ...window } } }),
      ) as readonly Node[];
    return pagesOf(page, limit);
  }

  /** @param id an `_id`, or `@` and a customId */
  async get(id: string, query: { attr?: string } = {}): Promise<Node> {
    return dataOf(await this.#calls.api.GET('/api/v1/nodes/{id}', { params: { path: { id }, query } }));
  }

  async create(attributes: Schemas['NodeCreation']): Promise<Node> {
    return dataOf(await this.#calls.api.POST('/api/v1/nodes', { body: attributes }));
  }

  async update(id: string, attributes: Schemas['NodeAttributes']): Promise<Node> {
    return dataOf(await this.#calls.api.PUT('/api/v1/nodes/{id}', { params: { path: { id } }, body: attributes }));
  }

  /** Deletes a node, what lies below it, and their records, for good. */
  async delete(id: string): Promise<void> {
    await this.#calls.api.DELETE('/api/v1/nodes/{id}', { params: { path: { id } } });
  }

  /** Nodes as they change, without an end; a lost connection goes on where it was. */
  async *follow({
    filter,
    attr,
    ...options
  }: { filter?: string; attr?: string } & StreamOptions = {}): AsyncGenerator<NodeMessage, void, undefined> {
    for await (const { kind, data, id } of follow(this.#calls, '/nodes/stream', { filter, attr }, options))
      yield { kind, node: data as Partial<Node>, id };
  }
}
