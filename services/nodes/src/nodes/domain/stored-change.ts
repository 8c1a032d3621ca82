import { isDeepStrictEqual } from 'node:util';
import type { StoredNode } from '../../domain/classes/node.ts';
import { isShownOtherwise } from '../../shown/index.ts';

type Changed = Pick<StoredNode, 'nodeId' | 'ownerId' | 'class' | 'parentId' | 'config'>;

/** A change stores this of a node; `before` is absent for a new one. */
export type StoredChange = { readonly before?: Pick<Changed, 'config'>; readonly after: Changed };

const differs = ({ before, after }: StoredChange, names: readonly string[]): boolean =>
  names.some((name) => !isDeepStrictEqual(before?.config[name], after.config[name]));

/**
 * The configuration of a source names the Locations that take their coordinates from it (`NodeConfig.source.followers`). It is announced
 * again when a Location begins or ceases to follow it, or names other series.
 * @returns the sources, some of which may be gone
 */
export const followedSources = (changes: readonly StoredChange[]): string[] => [
  ...new Set(
    changes
      .filter((change) => differs(change, ['coordinateSourceId', 'coordinateSeries']))
      .flatMap(({ before, after }) => [before?.config.coordinateSourceId, after.config.coordinateSourceId])
      .filter((sourceId) => typeof sourceId === 'string'),
  ),
];

/**
 * Due times of a scheduled report are computed anew when its schedule or its zone changes, and looked at when it goes: they follow from
 * these alone (docs/reference/dashboards-and-reports.md#schedules).
 */
export const rescheduledReports = (changes: readonly StoredChange[]): string[] =>
  changes.filter(isRescheduled).map(({ after }) => after.nodeId);

function isRescheduled(change: StoredChange): boolean {
  if (change.after.class !== 'Report') return false;
  if (!change.before) return change.after.config.schedule !== undefined;
  return differs(change, ['schedule', 'timezone', 'timezoneAdjustForDst']);
}

/**
 * Attachment sources show their newest attachment, and so do Locations that name one as image source: streams announce these when an
 * attachment comes or goes.
 * @returns what the attachments lie in
 */
export const shownAttachmentParents = (nodes: readonly Pick<Changed, 'class' | 'parentId'>[]): string[] => [
  ...new Set(
    nodes.flatMap(({ class: name, parentId }) => (name === 'Attachment' && parentId !== null ? parentId : [])),
  ),
];

/** Returns nodes that show their records otherwise, or another status. New ones are stored with what they show. */
export const shownOtherwise = (changes: readonly StoredChange[]): string[] =>
  changes
    .filter(({ before, after }) => before && isShownOtherwise(before.config, after.config))
    .map(({ after }) => after.nodeId);
