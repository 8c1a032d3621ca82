import type { Node } from '../../../data/nodes/nodes.ts';
import type { Document, Saved } from '../../../ui/form/index.ts';
import { isProgram } from '../has-program.ts';
import { save } from '../settings/save.ts';
import { documentOf, processOf } from './document.ts';

const PREFIX = 'process.';

/** Saves a program, or shared code, unless somebody else was first. */
export async function saveProgram(node: Node, changes: Document, base: Document, revision: string): Promise<Saved> {
  const read = (saved: Document) => documentOf({ ...saved, _class: node._class });
  if (!isProgram(node)) return save(node, { changes, base, revision, read });
  const answer = await save(node, {
    changes: { process: processOf({ ...base, ...changes }) },
    base: { process: base },
    revision,
    read,
  });
  const isOwn = answer.kind === 'refused' && answer.path?.startsWith(PREFIX);
  return isOwn ? { ...answer, path: answer.path?.slice(PREFIX.length) } : answer;
}
