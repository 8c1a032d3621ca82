import { parseNodeRef } from '@catchment/ids';
import { type Fields, invalidAttribute, type JsonObject, NO_CONTEXT, readValue } from '../../domain/body/rule.ts';
import { readText } from '../../domain/body/texts.ts';

export const MAX_KEYS = 1_000;
const MAX_WORKSPACES = 1_000;
const KEY_PERMISSIONS = ['READ_ONLY', 'MODIFY'] as const;
const ACCESS_LEVELS = ['ACCOUNT', 'WORKSPACES', 'LIMITED_WORKSPACES'] as const;
type KeyPermission = (typeof KEY_PERMISSIONS)[number];
type AccessLevel = (typeof ACCESS_LEVELS)[number];

/** People choose these properties of a key (docs/reference/authentication.md#api-keys). */
export type KeySettings = {
  readonly label: string;
  readonly permission: KeyPermission;
  readonly accessLevel: AccessLevel;
  /** LIMITED_WORKSPACES only. */
  readonly workspaceIds: readonly string[];
};

/** A body may set these attributes of a key; the workspaces are looked up before. */
export const API_KEY = {
  label: { rule: { kind: 'text', min: 1, max: 120 } },
  permission: { rule: { kind: 'choice', of: KEY_PERMISSIONS } },
  accessLevel: { rule: { kind: 'choice', of: ACCESS_LEVELS } },
} as const satisfies Fields;

/** A new key is as careful as the `Default` key of an account. */
const NEW_KEY = { permission: 'READ_ONLY', accessLevel: 'WORKSPACES', workspaceIds: [] } as const;

/** Reads the workspaces that a body names, to be looked up before `changeKey`. @throws DomainError invalid_argument */
export function workspaceRefs(body: JsonObject): string[] {
  const { workspaceIds } = body;
  if (workspaceIds === undefined || workspaceIds === null) return [];
  if (!Array.isArray(workspaceIds)) throw invalidAttribute('workspaceIds', 'must be an array');
  if (workspaceIds.length > MAX_WORKSPACES)
    throw invalidAttribute('workspaceIds', `must have at most ${MAX_WORKSPACES} entries`);
  for (const [i, ref] of workspaceIds.entries())
    if (typeof ref !== 'string' || !parseNodeRef(ref))
      throw invalidAttribute(`workspaceIds[${i}]`, 'must be the id of a workspace or @customId');
  return workspaceIds as string[];
}

/**
 * Returns a key with the attributes of a body: the stored one changed, or a new one.
 * @param findWorkspace id of the account's Workspace that a reference names
 * @throws DomainError invalid_argument naming the attribute
 */
export function changeKey(
  current: KeySettings | undefined,
  body: JsonObject,
  findWorkspace: (reference: string) => string | undefined,
): KeySettings {
  const before = current ?? { label: '', ...NEW_KEY };
  const label = body.label === undefined && current ? current.label : readText(API_KEY.label.rule, body.label, 'label');
  const word = <Name extends 'permission' | 'accessLevel'>(name: Name): KeySettings[Name] =>
    body[name] === undefined
      ? before[name]
      : (readValue(API_KEY[name].rule, body[name], name, NO_CONTEXT) as KeySettings[Name]);
  const [permission, accessLevel] = [word('permission'), word('accessLevel')];
  const refs = workspaceRefs(body);
  const given = refs.map((ref, i) => {
    const workspaceId = findWorkspace(ref);
    if (workspaceId === undefined)
      throw invalidAttribute(`workspaceIds[${i}]`, 'must be the id of a workspace of the account');
    return workspaceId;
  });
  if (accessLevel !== 'LIMITED_WORKSPACES') {
    if (given.length > 0) throw invalidAttribute('workspaceIds', 'is for keys with LIMITED_WORKSPACES only');
    return { label, permission, accessLevel, workspaceIds: [] };
  }
  const workspaceIds = body.workspaceIds === undefined ? before.workspaceIds : [...new Set(given)];
  return { label, permission, accessLevel, workspaceIds };
}
