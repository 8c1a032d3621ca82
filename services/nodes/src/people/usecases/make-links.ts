import { randomUUID } from 'node:crypto';
import type { Queryable } from '@catchment/pg';
import { hashOfToken, LINK_LIFE_MS, type LinkPurpose, type PersonLinks } from '../domain/person-link.ts';
import { mailPeople } from '../store/sign-in-query.ts';
import type { PeopleDeps } from './deps.ts';
import type { LinkStore } from './ports.ts';

/**
 * Makes a new link for each person.
 * @param options.provesEmail it goes to the e-mail itself, or is handed over by the operator of the installation
 * @returns their addresses by user id, to be shown this once
 */
export async function makeLinks(
  { insertLinks }: LinkStore,
  tx: Queryable,
  links: PersonLinks,
  options: { purpose: LinkPurpose; provesEmail: boolean; userIds: readonly string[]; nowMs: number },
): Promise<ReadonlyMap<string, { linkId: string; url: string; expiresMs: number }>> {
  const { purpose, provesEmail, userIds, nowMs } = options;
  const expiresMs = nowMs + LINK_LIFE_MS[purpose];
  const made = new Map(userIds.map((userId) => [userId, randomUUID()] as const));
  await insertLinks(
    tx,
    [...made].map(([userId, linkId]) => ({
      linkId,
      userId,
      purpose,
      provesEmail,
      tokenSha256: hashOfToken(links.tokenOf(linkId)) as Buffer,
      createdMs: nowMs,
      expiresMs,
    })),
  );
  return new Map(
    [...made].map(([userId, linkId]) => [userId, { linkId, url: links.urlOf(purpose, linkId), expiresMs }]),
  );
}

/** A new link for a person to finish the profile, to be shown this once; undefined when it is finished. */
export async function newActivationUrl(
  store: LinkStore,
  { database, links, now }: PeopleDeps,
  userId: string,
): Promise<string | undefined> {
  const [person] = await mailPeople(database, [userId]);
  if (person?.isActive) return undefined;
  const options = { purpose: 'activate', provesEmail: false, userIds: [userId], nowMs: now() } as const;
  const made = await database.transaction((tx) => makeLinks(store, tx, links, options));
  return made.get(userId)?.url;
}
