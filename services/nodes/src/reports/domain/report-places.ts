import { nodeClass } from '../../domain/classes/class-table.ts';
import { isSource } from '../../domain/classes/node-class.ts';
import type { Link } from '../../domain/classes/page-links.ts';

type Ancestor = { readonly nodeId: string; readonly class: string };

/** A template names these nodes by the place of its Report; undefined where there is none above it. */
export type ReportPlaces = Readonly<Record<'location' | 'source' | 'workspace', string | undefined>>;

/** Finds the nearest node of each kind. @param line the ancestors of the Report, the nearest first */
export function placesOf(line: readonly Ancestor[]): ReportPlaces {
  const nearest = (isIt: (name: string) => boolean) => line.find((ancestor) => isIt(ancestor.class))?.nodeId;
  return {
    location: nearest((name) => nodeClass(name).kind === 'location'),
    source: nearest((name) => isSource(nodeClass(name))),
    workspace: nearest((name) => nodeClass(name).kind === 'workspace'),
  };
}

/** A Report without elements and links shows the parameters below this node. */
export const shownBelow = (
  { location, workspace }: ReportPlaces,
  elements: readonly unknown[],
  links: readonly Link[],
): string | undefined => (elements.length === 0 && links.length === 0 ? (location ?? workspace) : undefined);
