import { type Node, rereadNode, updateNode } from '../../../data/nodes/nodes.ts';
import { client } from '../../../data/requests/client.ts';
import { attributeOf, isOvertaken } from '../../../data/requests/failures.ts';
import type { Document, Saved } from '../../../ui/form/index.ts';
import { toast } from '../../../ui/toast.tsx';
import { errorText } from '../../../words/error-text.ts';
import { words } from '../../../words/index.ts';
import { bodyOf } from './body.ts';

/** Returns the server's number; of one that has none yet, what the form knows of the node. */
export const revisionOf = (node: Node, document: Document): string =>
  node.revision === undefined ? JSON.stringify(document) : String(node.revision);

type Save = {
  readonly changes: Document;
  readonly base: Document;
  readonly revision: string;
  readonly read: (node: Document) => Document;
};

/** Saves what has changed, unless somebody else was first. */
export async function save(node: Node, { changes, base, revision, read }: Save): Promise<Saved> {
  const number = /^\d+$/.test(revision) ? Number(revision) : undefined;
  try {
    const saved = await updateNode(node._id, bodyOf(changes, base), number);
    toast(words.value.node.saved);
    void rereadNode(node._id);
    const document = read(saved);
    return { kind: 'saved', document, revision: revisionOf(saved, document) };
  } catch (error) {
    if (isOvertaken(error)) return theirs(node, read);
    const path = attributeOf(error);
    return { kind: 'refused', message: errorText(error), ...(path !== undefined && { path }) };
  }
}

/** Reads what somebody else has saved meanwhile. */
async function theirs(node: Node, read: Save['read']): Promise<Saved> {
  try {
    const now = (await client.nodes.get(node._id)) as unknown as Node;
    const document = read(now);
    return { kind: 'conflict', document, revision: revisionOf(now, document) };
  } catch (error) {
    return { kind: 'refused', message: errorText(error) };
  }
}
