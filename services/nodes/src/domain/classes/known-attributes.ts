import { invalidAttribute, type JsonObject } from '../body/rule.ts';
import { UPDATABLE_NAMES } from './class-table.ts';

/**
 * Attributes that documents of nodes show and no body sets (docs/reference/node-tree.md#attributes-of-classes,
 * docs/reference/sources.md#attributes): sent back, it is ignored.
 */
const READ_ONLY: readonly string[] = [
  '_class',
  '_id',
  'children',
  'createdTime',
  'currentAttachmentId',
  'currentStatus',
  ...['current', 'previous', 'oldest'].flatMap((edge) =>
    ['Value', 'Time', 'Quality', 'StateId'].map((what) => edge + what),
  ),
  'fileName',
  'filePreviewUrl',
  'fileSize',
  'fileUrl',
  'firmwareVersion',
  'isActive',
  'lastAcquireRecordCount',
  'lastCommsAttempt',
  'lastCommsSuccess',
  'mimeType',
  'model',
  'ownerId',
  'parentId',
  'permissions',
  'progName',
  'publicId',
  'rawValue',
  'revision',
  'templateId',
  'templateNodeId',
  'totalCommsAttempt',
  'totalCommsSuccess',
  'updatedTime',
  'warnings',
  'workspaceId',
];

const KNOWN: ReadonlySet<string> = new Set([...UPDATABLE_NAMES, ...READ_ONLY]);
/** A message shows this many characters of a name. */
const MAX_SHOWN = 60;

/**
 * Refuses a new node's attribute that no node has: a slip of the pen would else be a setting that is missing
 * (docs/reference/accounts-and-usage.md#administration).
 * @throws DomainError invalid_argument with the name and the nearest one there is
 */
export function checkKnownAttributes(body: JsonObject): void {
  for (const [name, value] of Object.entries(body)) {
    if (value === null || KNOWN.has(name)) continue;
    const shown = [...name].slice(0, MAX_SHOWN).join('');
    throw invalidAttribute(shown, `is not an attribute of any node; the nearest one is ${nearestAttribute(shown)}`);
  }
}

/** Returns the known name that takes the fewest changes, letter case aside; the first of several in alphabetical order. */
export function nearestAttribute(name: string): string {
  let nearest = { known: '', changes: Number.POSITIVE_INFINITY };
  for (const known of [...KNOWN].sort()) {
    const changes = changesBetween(name.toLowerCase(), known.toLowerCase());
    if (changes < nearest.changes) nearest = { known, changes };
  }
  return nearest.known;
}

/** Levenshtein distance of two texts. */
function changesBetween(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const changed = (before[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(changed, (before[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    before = current;
  }
  return before[b.length] ?? 0;
}
