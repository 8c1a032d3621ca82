import { type Calls, dataOf, type Schemas } from './calls.ts';
import { pagesOf } from './lists.ts';
import { follow, type StreamOptions } from './streams.ts';

/** A node's class, in `_class`, says what it has. */
export type Node = Schemas['Node'];
/** `attr` asks for these attributes of a node. */
export type NodePart = Schemas['NodePart'];
type Whole = { readonly attr?: undefined };
type Part = { readonly attr: string };
export type ListOptions = {
  /** docs/reference/query-arguments.md#filter */
  readonly filter?: string;
  readonly attr?: string;
  readonly sort?: string;
  /** All pages together have at most this many. */
  readonly limit?: number;
};

/** A node was made or has changed (`node`), or is gone (`removed`). `reset`: all nodes follow. */
export type NodeMessage = { readonly kind: string; readonly node: NodePart; readonly id: string | undefined };

export class Nodes {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** `for await (const node of client.nodes.list({ filter: 'name($match:gauge)' }))` */
  list(options?: ListOptions & Whole): AsyncGenerator<Node, void, undefined>;
  list(options: ListOptions & Part): AsyncGenerator<NodePart, void, undefined>;
  list({ limit, ...query }: ListOptions = {}): AsyncGenerator<Node | NodePart, void, undefined> {
    const page = async (window: { skip: number; limit: number }) =>
      dataOf(await this.#calls.api.GET('/api/v1/nodes', { params: { query: { ...query, ...window } } })) as readonly (
        | Node
        | NodePart
      )[];
    return pagesOf(page, limit);
  }

  /** @param id an `_id`, or `@` and a customId */
  async get(id: string, query?: Whole): Promise<Node>;
  async get(id: string, query: Part): Promise<NodePart>;
  async get(id: string, query: { attr?: string | undefined } = {}): Promise<Node | NodePart> {
    const { attr } = query;
    return dataOf(
      await this.#calls.api.GET('/api/v1/nodes/{id}', {
        params: { path: { id }, query: attr === undefined ? {} : { attr } },
      }),
    );
  }

  async create(attributes: Schemas['NodeCreation']): Promise<Node> {
    return dataOf(await this.#calls.api.POST('/api/v1/nodes', { body: attributes }));
  }

  async update(id: string, attributes: Schemas['NodeAttributes']): Promise<Node> {
    const answer = await this.#calls.api.PUT('/api/v1/nodes/{id}', { params: { path: { id } }, body: attributes });
    return dataOf(answer) as Node;
  }

  /** Deletes a node, what lies below it, and their records, for good. */
  async delete(id: string): Promise<void> {
    await this.#calls.api.DELETE('/api/v1/nodes/{id}', { params: { path: { id } } });
  }

  /** Yields nodes as they change, without an end; a lost connection goes on where it was. */
  async *follow({
    filter,
    attr,
    ...options
  }: { filter?: string; attr?: string } & StreamOptions = {}): AsyncGenerator<NodeMessage, void, undefined> {
    for await (const { kind, data, id } of follow(this.#calls, '/nodes/stream', { filter, attr }, options))
      yield { kind, node: data as NodePart, id };
  }
}
