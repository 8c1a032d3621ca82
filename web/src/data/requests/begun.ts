// The first script asks for what a page shows first while all other script is still on its way. It imports nothing.

/** Arguments of reads that are begun here, and awaited where they belong. */
export const FIRST_ALARMS = { limit: 100 } as const;
export const FIRST_LEVEL = { limit: 200 } as const;
/** The first page has all places; few accounts have more. */
export const FIRST_PLACES = {
  filter: '_class($match:.location.Location)',
  attr: '_id,name,workspaceId,customId,currentValue,currentTime',
  limit: 5_000,
  skip: 0,
} as const;

const MOST_OTHERS = 8;
const begun = new Map<string, Promise<Response>>();

type Start = { readonly account: { readonly id: string; readonly isDisabled: boolean }; readonly csrf: string };

/** Takes the answer that is on its way already, once: whoever asks again asks the server. */
export function takeBegun({ method, url }: Request): Promise<Response> | undefined {
  if (begun.size === 0 || method !== 'GET') return undefined;
  const { pathname, search } = new URL(url);
  const answer = begun.get(pathname + search);
  begun.delete(pathname + search);
  return answer;
}

/** Drops the answers that nobody has asked for: from now on streams report changes to those alone who have read them. */
export const forgetBegun = (): void => begun.clear();

function begin(path: string, query: Readonly<Record<string, string | number>>, headers: HeadersInit): void {
  const args = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const address = `/api/v1${path}${args.length > 0 ? `?${args.join('&')}` : ''}`;
  const answer = fetch(address, { headers, redirect: 'manual' });
  // The page that asks for the answer handles its failure.
  answer.catch(() => undefined);
  begun.set(address, answer);
}

/** Returns the nodes that a chart of the address compares. */
const others = (): readonly string[] =>
  (new URLSearchParams(location.search).get('with') ?? '')
    .split(',')
    .filter((id) => /^[\da-z]{1,40}$/.test(id))
    .slice(0, MOST_OTHERS);

// Outside of a browser there is no page to begin for.
const text = globalThis.document?.getElementById('start')?.textContent;
if (text) {
  const { account, csrf } = JSON.parse(text) as Start;
  const headers = { 'X-CSRF-Token': csrf, 'X-Account': account.id };
  const [, page, id] = /^\/a\/[^/]+\/([a-z]+)(?:\/([^/]+))?/.exec(location.pathname) ?? [];
  if (!account.isDisabled) {
    if (page === 'overview') begin('/nodes', FIRST_PLACES, headers);
    if (page === 'n' && id !== undefined)
      for (const nodeId of new Set([id, ...others()])) begin(`/nodes/${nodeId}`, {}, headers);
    begin('/nodes/children', FIRST_LEVEL, headers);
    begin('/alarms', FIRST_ALARMS, headers);
    begin('/users/me/preferences', {}, headers);
  }
}
