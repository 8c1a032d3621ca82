import { RetryAfter } from '@catchment/bus';
import type { StateRecord } from '@catchment/contracts/common';
import type { NotificationDue } from '@catchment/contracts/nodes-messages';
import { notFound } from '@catchment/errors';
import { hasExpressions } from '@catchment/expressions';
import type { Queryable } from '@catchment/pg';
import { DEFAULT_QUALITY } from '@catchment/quality';
import { readOwner, type StoreDeps } from '../../changes/index.ts';
import type { ClassNames } from '../../domain/body/class-names.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { isSource } from '../../domain/classes/node-class.ts';
import { lineOf, nodeConfigs } from '../../nodes/index.ts';
import { NO_EDGES, NO_REPORT, shownOf } from '../../shown/index.ts';
import {
  formatOf,
  type Reader,
  type ShownValue,
  shownAt,
  type ViewedNode,
  valueText,
  viewedByIds,
} from '../../views/index.ts';
import { type About, evaluateText } from '../domain/evaluate-text.ts';
import type { Notice } from '../domain/notice-text.ts';
import { readerOf } from '../domain/reader.ts';
import type { Recipient } from '../store/recipients-query.ts';

export type NoticeDeps = Pick<StoreDeps, 'database' | 'now'> & { readonly names: ClassNames };

/**
 * A record that does not come with its transition may reach the nodes after the news of it; so long it is waited for.
 */
const VALUE_WAIT_MS = 5_000;
const VALUE_LOOK_MS = 500;

/** A text is about a transition of a node, or about the node at a time. */
type Occasion = Pick<NotificationDue, 'ownerId' | 'nodeId' | 'stateName' | 'timeMs'> &
  Partial<Pick<NotificationDue, 'record'>>;

/** The notification says this, and its reader reads it so. */
export type LoadedNotice = {
  readonly notice: Notice;
  readonly reader: Reader;
  /** The evaluated custom text; empty = usual. */
  readonly custom: string;
  /** The custom text cannot be evaluated for this reason. */
  readonly problem: string | undefined;
  readonly node: ViewedNode;
};

/**
 * Loads what a notification says.
 * @param ageMs since it was asked for
 * @throws RetryAfter while the record that it is about is not there yet
 */
export async function loadNotice(
  deps: NoticeDeps,
  due: NotificationDue,
  recipient: Recipient,
  ageMs: number,
): Promise<LoadedNotice> {
  const about = await loadAbout(deps, due, due.customText, ageMs);
  const { node, value } = about;
  const reader = readerOf(recipient, deps.now());
  const owner = await readOwner(deps.database, due.ownerId);
  const codes = owner.quality?.codes ?? DEFAULT_QUALITY.codes;
  const location = about.line.find(({ nodeId, class: name }) => nodeId !== node.nodeId && isLocation(name));
  const notice: Notice = {
    accountName: owner.account_name,
    accountSlug: owner.slug,
    nodeName: node.name,
    locationName: (location && about.configs.get(location.nodeId)?.name) ?? '',
    path: about.configs.get(node.nodeId)?.path ?? node.name,
    timeMs: due.timeMs,
    value: value ? valueText(value, formatOf(node), reader) : '',
    units: about.configs.get(node.nodeId)?.series?.units ?? '',
    stateName: due.stateName,
    quality: codes.find(({ code }) => code === value?.record.quality)?.name ?? String(value?.record.quality ?? ''),
    categoryName: owner.categories.find(({ _id }) => _id === due.categoryId)?.name ?? '',
    eventText: due.eventText,
    subject: due.subject,
    from: due.username,
  };
  const evaluated = evaluateText(due.customText, about, reader, deps.now());
  return { notice, reader, custom: evaluated.text, problem: evaluated.problem, node };
}

const isLocation = (name: string): boolean => nodeClass(name).kind === 'location';

/**
 * Loads what a text can show of a node.
 * @param text which may have expressions: then what they can read is loaded too
 * @throws RetryAfter while the record of the occasion is not there yet; DomainError not_found
 */
export async function loadAbout(
  { database, names }: { readonly database: Queryable; readonly names: ClassNames },
  occasion: Occasion,
  text: string,
  ageMs: number,
): Promise<About> {
  const { ownerId, nodeId, stateName, timeMs } = occasion;
  const line = (await lineOf(database, nodeId)).reverse();
  const nearest = (isIt: (name: string) => boolean) => line.find((ancestor) => isIt(ancestor.class))?.nodeId;
  const read = {
    SOURCE: nearest((name) => isSource(nodeClass(name))),
    LOCATION: nearest(isLocation),
    WORKSPACE: nearest((name) => nodeClass(name).kind === 'workspace'),
  };
  const ids = hasExpressions(text) ? [nodeId, ...Object.values(read).flatMap((id) => id ?? [])] : [nodeId];
  const viewed = await viewedByIds(database, ownerId, ids);
  const node = viewed.get(nodeId);
  if (!node) throw notFound();
  const value = valueAbout(node, occasion, ageMs);
  const lineIds = line.map((ancestor) => ancestor.nodeId);
  const configs = await nodeConfigs(database, lineIds, names);
  return { node, value, stateName, timeMs, line, configs, viewed, read, names };
}

/**
 * Returns the value that a notification is about: for a state the value of the record that has brought it, else the
 * current value.
 * @throws RetryAfter while it is neither stored nor reported
 */
function valueAbout(node: ViewedNode, { stateName, timeMs, record }: Occasion, ageMs: number): ShownValue | null {
  const [current, previous] = [shownAt(node, 'current'), shownAt(node, 'previous')];
  if (stateName === '') return current;
  const stored = [current, previous].find((shown) => shown?.record.ms === timeMs);
  const value = stored ?? (record && shownRecord(node, record)) ?? null;
  const mayStillCome = !value && (current === null || current.record.ms < timeMs) && ageMs < VALUE_WAIT_MS;
  if (mayStillCome) throw new RetryAfter(VALUE_LOOK_MS);
  return value;
}

function shownRecord({ class: name, config }: ViewedNode, stateRecord: StateRecord): ShownValue | undefined {
  if (!stateRecord.value) return undefined;
  const record = { ms: stateRecord.timeMs, value: stateRecord.value.value, quality: stateRecord.quality ?? null };
  const { current } = shownOf({ class: name, config, reported: NO_REPORT }, { ...NO_EDGES, current: record });
  return { record, shown: current };
}
