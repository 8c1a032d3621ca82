import type { Node } from '../../../data/nodes/nodes.ts';
import type { TrialProgram } from '../../../data/processing/computations.ts';
import type { Document } from '../../../ui/form/draft.ts';
import { isProgram } from '../has-program.ts';
import { PROCESS_FIELDS } from './process-fields.ts';

/** Picks what the form has of a node: the attributes of its program, or the shared code of a Workspace. */
export function documentOf(node: Readonly<Record<string, unknown>> & Pick<Node, '_class'>): Document {
  if (!isProgram(node)) return { sharedCode: node.sharedCode ?? '' };
  const process = (node.process ?? {}) as Document;
  return Object.fromEntries(PROCESS_FIELDS.map((name) => [name, process[name] ?? (name === 'code' ? '' : null)]));
}

/** Returns `process` as an update has it; without a text there is none. */
export function processOf(document: Document): Document | null {
  if (typeof document.code !== 'string' || document.code.trim() === '') return null;
  const { qualityFilter } = document;
  return {
    ...document,
    qualityFilter: Array.isArray(qualityFilter) && qualityFilter.length > 0 ? qualityFilter : null,
  };
}

/** Returns a program as it is typed, to be tried; what is null is what it is without a choice. */
export function trialOf(document: Document): TrialProgram {
  const process = processOf(document);
  return Object.fromEntries(Object.entries(process ?? {}).filter(([, value]) => value !== null)) as TrialProgram;
}
