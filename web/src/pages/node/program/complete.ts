import { className } from '../../../data/nodes/classes.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import { above, searchNodes } from '../../../data/nodes/search.ts';
import { qualities } from '../../../data/records/quality.ts';
import { listChildren } from '../../../data/tree/children.ts';
import type { CodeOption, CodePlace } from '../../../ui/code/index.ts';
import { functionsIn } from './functions-in.ts';
import { LIBRARIES, NAMES, OF_INPUTS, OF_NODES, READERS, SHARED_NAMES } from './language.ts';
import { pathTo, type Standpoint, searchedIn } from './paths.ts';
import { say } from './words.ts';

const MOST = 20;

type Completing = {
  readonly node: Node;
  readonly isShared: boolean;
  readonly standpoint: Standpoint;
  /** Paths begin here. */
  readonly startId: string | undefined;
  /** What the shared code of the Workspace defines may be called. */
  readonly sharedCode: string;
};

/**
 * Offers what may stand at a place of a program: the names of the language, functions that are shared, and nodes by the server's search.
 */
export function completer(of: Completing): (place: CodePlace, signal: AbortSignal) => Promise<readonly CodeOption[]> {
  return async (place, signal) => {
    switch (place.kind) {
      case 'name':
        return names(of);
      case 'member':
        return members(place.of);
      case 'argument':
        return argumentsOf(of, place, signal);
      case 'filter':
        return [];
    }
  };
}

function names({ isShared, sharedCode }: Completing): readonly CodeOption[] {
  const { names: about, sharedFunction } = say();
  return [
    ...NAMES.filter((name) => !isShared || SHARED_NAMES.has(name)).map((name) => ({ label: name, info: about[name] })),
    ...functionsIn(sharedCode).map((label) => ({ label, detail: sharedFunction })),
  ];
}

function members(of: string): readonly CodeOption[] {
  if (of === 'console') return [{ label: 'log' }];
  if (of === 'Math') return Object.getOwnPropertyNames(Math).map((label) => ({ label }));
  const library = Object.keys(LIBRARIES).find(
    (name) => of === name || of.includes(`'${name}'`) || of.includes(`"${name}"`),
  );
  if (library !== undefined) return LIBRARIES[library]!.map((label) => ({ label }));
  const { members: about } = say();
  return [...OF_INPUTS, ...OF_NODES].map((label) => ({ label, info: about[label] }));
}

async function argumentsOf(
  of: Completing,
  { call, typed }: Extract<CodePlace, { kind: 'argument' }>,
  signal: AbortSignal,
): Promise<readonly CodeOption[]> {
  if (call === 'require') return Object.keys(LIBRARIES).map((label) => ({ label }));
  if (call === 'Q') {
    const wanted = typed.toLowerCase();
    const { codes } = await qualities();
    return codes
      .filter(({ name }) => name.toLowerCase().includes(wanted))
      .map(({ name, code }) => ({ label: name, detail: String(code) }));
  }
  // Nobody can be asked for the second part of an aggregate, nor for what opens other accounts.
  if (!Object.hasOwn(READERS, call) || call === 'NODES' || typed.includes(';') || of.isShared) return [];
  const q = searchedIn(typed);
  const wanted = READERS[call]!;
  if (q === '') return beside(of, wanted, signal);
  const { workspaceId } = of.node as { workspaceId?: string };
  const { nodes } = await searchNodes(
    { q, limit: MOST, ...(wanted && { class: wanted }), ...(workspaceId && { workspaceId }) },
    signal,
  );
  return nodes
    .filter(({ _id }) => _id !== of.node._id)
    .map((found) => ({
      label: found.name,
      detail: [className(found._class), above(found)].filter(Boolean).join(' · '),
      text: pathTo(found, of.standpoint),
    }));
}

/** Finds what lies where a bare name is looked for. */
async function beside(
  { node, startId, standpoint }: Completing,
  wanted: string,
  signal: AbortSignal,
): Promise<readonly CodeOption[]> {
  if (startId === undefined) return [];
  const { nodes } = await listChildren({ parentId: startId, limit: 50 }, signal);
  return nodes
    .filter(({ _id, _class }) => _id !== node._id && _class.includes(`.${wanted}`))
    .slice(0, MOST)
    .map(({ _id, _class, name }) => ({
      label: name,
      detail: className(_class),
      text: pathTo({ _id, name, path: ['', ...standpoint.names, name].join('/') }, standpoint),
    }));
}
