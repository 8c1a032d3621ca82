import { type ReadonlySignal, signal } from '@preact/signals';
import { listChildren } from './children.ts';
import { onNodes } from './live.ts';
import type { Right } from './rights.ts';

const PAGE = 1_000;
const known = signal<ReadonlyMap<string, readonly string[]>>(new Map());
let isFollowed = false;

/** What the person may do in each Workspace; roles are of Workspaces, and what is below has the same. */
function permissions(): ReadonlySignal<ReadonlyMap<string, readonly string[]>> {
  if (!isFollowed) {
    isFollowed = true;
    void read();
    // It comes where roles have changed.
    onNodes(({ kind }) => {
      if (kind === 'reset') void read();
    });
  }
  return known;
}

async function read(): Promise<void> {
  const all = new Map<string, readonly string[]>();
  try {
    let after: string | undefined;
    do {
      const { nodes, next } = await listChildren({ limit: PAGE, ...(after !== undefined && { after }) });
      for (const { _id, permissions: some } of nodes) if (some) all.set(_id, some);
      after = next ?? undefined;
    } while (after !== undefined);
    known.value = all;
  } catch {
    // What is not known is offered, and the server decides.
    isFollowed = false;
  }
}

/** True where the person may do something in some Workspace, and as long as none is known. */
export function mayAnywhere(right: Right): boolean {
  const all = [...permissions().value.values()];
  return all.length === 0 || all.some((own) => own.includes(right));
}

type Placed = { readonly _id?: unknown; readonly workspaceId?: unknown };

/** Whether the person may do something with a node; what is not known is offered, as the server decides. */
export function mayWith(right: Right, node: Placed | undefined): boolean {
  const all = permissions().value;
  // A Workspace has no Workspace.
  const own = all.get(String(node?.workspaceId ?? node?._id ?? ''));
  return own === undefined || own.includes(right);
}
