import type { ApiCaller } from '@catchment/access';
import type { FindPublicResponse, PageRef } from '@catchment/contracts/pages';
import type { CallerSigner } from '@catchment/grpc';
import { LRUCache } from 'lru-cache';
import type { Peers } from '../ports.ts';

/** Links that are remembered, and for how long: viewers of a page share the look-up. */
const LINKS = 10_000;
const REMEMBERED_MS = 1_000;
const CALL_MS = 10_000;

export type LinkKind = 'dash' | 'chart' | 'historic' | 'attachment' | 'report';

/** Somebody looks at a page. */
export type Visit = {
  readonly page: PageRef;
  /** Addresses below the page begin with this. */
  readonly basePath: string;
  /**
   * Returns who looks at the page, with the rights of this moment. @throws DomainError, HttpProblem when it may not be
   * seen (any more)
   */
  readonly caller: () => Promise<ApiCaller>;
};

/** Opens what public links lead to. */
export class PublicLinks {
  readonly #pages: Pick<Peers['pages'], 'findPublic'>;
  readonly #signer: CallerSigner;
  readonly #known: LRUCache<string, Promise<FindPublicResponse>>;

  constructor({ pages, signer }: { pages: Pick<Peers['pages'], 'findPublic'>; signer: CallerSigner }) {
    this.#pages = pages;
    this.#signer = signer;
    this.#known = new LRUCache({ max: LINKS, ttl: REMEMBERED_MS });
  }

  /** @throws DomainError not_found, permission_denied */
  find(kind: LinkKind, publicId: string): Promise<FindPublicResponse> {
    const key = `${kind} ${publicId}`;
    const known = this.#known.get(key);
    if (known) return known;
    const asked = this.#ask(kind, publicId);
    this.#known.set(key, asked);
    // A question that could not be answered is asked again at once.
    asked.catch(() => this.#known.delete(key));
    return asked;
  }

  async #ask(kind: LinkKind, publicId: string): Promise<FindPublicResponse> {
    const token = await this.#signer.sign({ kind: 'service', service: 'gateway' });
    return this.#pages.findPublic({ kind, publicId }, { token, timeoutMs: CALL_MS });
  }
}

/** No person: events and rights of nobody are looked for. */
const NOBODY = '0'.repeat(24);

/** Reads what a page shows, on behalf of whoever opens a public link: nothing beyond its workspace, and no change. */
export const pageCaller = ({ ownerId, workspaceId }: { ownerId: string; workspaceId: string }): ApiCaller => ({
  kind: 'api',
  ownerId,
  userId: NOBODY,
  username: 'Public',
  permission: 'READ_ONLY',
  accessLevel: 'LIMITED_WORKSPACES',
  workspaceIds: [workspaceId],
});
