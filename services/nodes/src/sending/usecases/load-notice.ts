import { RetryAfter } from '@catchment/bus';
import type { NotificationDue } from '@catchment/contracts/nodes-messages';
import { DomainError } from '@catchment/errors';
import { hasExpressions, MESSAGE_WORK, parseExpressions } from '@catchment/expressions';
import { DEFAULT_QUALITY } from '@catchment/quality';
import { formatIsoMs } from '@catchment/time';
import { readOwner, type StoreDeps } from '../../changes/index.ts';
import type { ClassNames } from '../../domain/body/class-names.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { attributeOf } from '../../domain/classes/node.ts';
import { isSource } from '../../domain/classes/node-class.ts';
import { lineOf, nodeConfigs } from '../../nodes/index.ts';
import { nodeView, shownValue, type ViewedNode, viewedNode } from '../../views/index.ts';
import { nodeObject } from '../domain/node-object.ts';
import type { Notice } from '../domain/notice-text.ts';
import { type Reader, readerOf } from '../domain/reader.ts';
import { NO_STATE } from '../domain/transition.ts';
import { type ShownValue, valueText } from '../domain/value-text.ts';
import type { Recipient } from '../store/pg-recipients.ts';

export type NoticeDeps = Pick<StoreDeps, 'database' | 'now'> & { readonly names: ClassNames };

/** The record of a transition may reach the nodes after the news of it; so long it is waited for. */
const VALUE_WAIT_MS = 5_000;
const VALUE_LOOK_MS = 500;

/** What a notification tells, and how its reader reads it. */
export type LoadedNotice = {
  readonly notice: Notice;
  readonly reader: Reader;
  /** The custom text, evaluated; empty = the usual one. */
  readonly custom: string;
  /** Why the custom text cannot be evaluated. */
  readonly problem: string | undefined;
};

/**
 * Loads what a notification tells.
 * @param ageMs since it was asked for
 * @throws RetryAfter while the record that it is about is not there yet
 */
export async function loadNotice(
  deps: NoticeDeps,
  due: NotificationDue,
  recipient: Recipient,
  ageMs: number,
): Promise<LoadedNotice> {
  const { database, names } = deps;
  const node = await viewedNode(database, due.nodeId);
  const value = valueAbout(node, due, ageMs);
  const reader = readerOf(recipient, deps.now());
  const owner = await readOwner(database, due.ownerId);
  const config = (await nodeConfigs(database, [node.nodeId], names)).get(node.nodeId);
  const codes = owner.quality?.codes ?? DEFAULT_QUALITY.codes;
  const notice: Notice = {
    accountName: owner.account_name,
    nodeName: node.name,
    path: config?.path ?? node.name,
    timeMs: due.timeMs,
    value: value ? valueText(value, formatOf(node), reader) : '',
    units: config?.series?.units ?? '',
    stateName: due.stateName,
    quality: codes.find(({ code }) => code === value?.record.quality)?.name ?? String(value?.record.quality ?? ''),
    categoryName: owner.categories.find(({ _id }) => _id === due.categoryId)?.name ?? '',
    eventText: due.eventText,
  };
  return { notice, reader, ...(await customText(deps, due, { node, value, reader })) };
}

const formatOf = ({ class: name, config }: ViewedNode): string =>
  String(attributeOf(nodeClass(name), config, 'format') ?? '');

const shownAt = ({ edges, shown }: ViewedNode, edge: 'current' | 'previous'): ShownValue | null => {
  const record = edges[edge];
  return record && { record, shown: shown[edge] };
};

/**
 * The value that a notification is about: of a state that of the record that has brought it, else the current one.
 * @throws RetryAfter while it is not there yet
 */
function valueAbout(node: ViewedNode, { stateName, timeMs }: NotificationDue, ageMs: number): ShownValue | null {
  const [current, previous] = [shownAt(node, 'current'), shownAt(node, 'previous')];
  if (stateName === '') return current;
  const value = [current, previous].find((one) => one?.record.ms === timeMs) ?? null;
  const mayStillCome = !value && (current === null || current.record.ms < timeMs) && ageMs < VALUE_WAIT_MS;
  if (mayStillCome) throw new RetryAfter(VALUE_LOOK_MS);
  return value;
}

/** The custom text with its expressions evaluated. */
async function customText(
  deps: NoticeDeps,
  { customText: source, ...due }: NotificationDue,
  about: { readonly node: ViewedNode; readonly value: ShownValue | null; readonly reader: Reader },
): Promise<Pick<LoadedNotice, 'custom' | 'problem'>> {
  if (!hasExpressions(source)) return { custom: source, problem: undefined };
  const { timeMs } = due;
  try {
    const objects = { NOW: formatIsoMs(timeMs), ...(await objectsOf(deps, due, about)) };
    const options = { nowMs: timeMs, zone: about.reader.zone, work: MESSAGE_WORK };
    return { custom: parseExpressions(source).render(objects, options), problem: undefined };
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'invalid_argument')
      return { custom: '', problem: error.message };
    throw error;
  }
}

type Objects = Readonly<Record<'THIS' | 'SOURCE' | 'LOCATION' | 'WORKSPACE', unknown>>;

/** The node as it was at the transition, and the nearest ones above it, itself included (docs/reference/expressions.md#objects). */
async function objectsOf(
  { database, names, now }: NoticeDeps,
  { stateName, timeMs }: Pick<NotificationDue, 'stateName' | 'timeMs'>,
  { node, value, reader }: { readonly node: ViewedNode; readonly value: ShownValue | null; readonly reader: Reader },
): Promise<Objects> {
  const line = (await lineOf(database, node.nodeId)).reverse();
  const paths = await nodeConfigs(
    database,
    line.map(({ nodeId }) => nodeId),
    names,
  );
  const objectOf = async (nodeId: string | undefined) => {
    if (nodeId === undefined) return null;
    const isThis = nodeId === node.nodeId;
    const viewed = isThis ? node : await viewedNode(database, nodeId);
    const shown = isThis ? value : shownAt(viewed, 'current');
    const currentValueFormatted = shown ? valueText(shown, formatOf(viewed), reader) : '';
    const view = nodeView(viewed, names, now(), () => undefined);
    return nodeObject(view, { path: paths.get(nodeId)?.path ?? '', currentValueFormatted });
  };
  const nearest = (isIt: (name: string) => boolean) => line.find((one) => isIt(one.class))?.nodeId;
  const current = await objectOf(node.nodeId);
  return {
    // Newer records may have come since.
    THIS:
      stateName === ''
        ? current
        : {
            ...current,
            currentStateName: stateName === NO_STATE ? null : stateName,
            currentTime: formatIsoMs(timeMs),
            currentValue: value && shownValue(value.record, value.shown),
            currentQuality: value?.record.quality ?? null,
          },
    SOURCE: await objectOf(nearest((name) => isSource(nodeClass(name)))),
    LOCATION: await objectOf(nearest((name) => nodeClass(name).kind === 'location')),
    WORKSPACE: await objectOf(nearest((name) => nodeClass(name).kind === 'workspace')),
  };
}
