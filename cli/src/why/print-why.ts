import type { ApiOptions } from '../api/api-options.ts';
import { nodeNamed } from '../api/nodes-named.ts';
import { openClient } from '../api/open-client.ts';
import { answer } from '../command-line/answer.ts';
import { type Diagnosed, whyLines } from './why-lines.ts';

/** Prints why the source of a node is silent, or that it is not. */
export async function printWhy(reference: string, options: ApiOptions & { readonly json?: boolean }): Promise<void> {
  const { client } = await openClient(options);
  const { _id: id } = await nodeNamed(client, reference);
  const { data } = await client.api.GET('/api/v1/nodes/{id}/diagnosis', { params: { path: { id } } });
  const found = data as Diagnosed;
  answer(options, found, () => whyLines(found));
}
