import { call, nodePath } from '../requests/call.ts';
import { ancestorsOf } from './ancestors.ts';
import { literal } from './changes.ts';
import { fullClass } from './classes.ts';

/** A file is a node (docs/reference/attachments.md). */
export type Attachment = {
  readonly _id: string;
  readonly name: string;
  readonly parentId: string;
  readonly description?: string;
  readonly fileName?: string;
  readonly fileSize: number;
  readonly mimeType: string;
  /** Links that open without a key for a day; absent where the person may not read files. */
  readonly fileUrl?: string;
  readonly filePreviewUrl?: string;
  readonly createdTime: string;
  readonly revision: number;
  readonly permissions?: readonly string[];
};

const ATTRIBUTES =
  '_id,name,parentId,description,fileName,fileSize,mimeType,fileUrl,filePreviewUrl,createdTime,revision,permissions';
/** Minutes that links open for. */
const OPEN_FOR = 24 * 60;

/** Files lie in this node; with `isDeep` also in all nodes below it. */
export type FilesOf = {
  readonly node: { readonly _id: string; readonly name: string; readonly parentId?: string | undefined };
  readonly isDeep: boolean;
};

/** Lists the files of a node, the newest first. */
export async function listAttachments(
  { node, isDeep }: FilesOf,
  window: { readonly skip: number; readonly limit: number },
  signal: AbortSignal,
): Promise<readonly Attachment[]> {
  const above = isDeep ? await ancestorsOf(node.parentId, signal) : [];
  const path = [...above, node].map(({ name }) => literal(name)).join('/');
  const where = isDeep ? `path($like:/${path}/*)` : `parentId($eq:${node._id})`;
  return call('GET', '/nodes', {
    query: {
      ...window,
      filter: `${where},_class($eq:${fullClass('Attachment')})`,
      sort: 'createdTime(DESC)',
      attr: ATTRIBUTES,
      expiry: OPEN_FOR,
    },
    signal,
  });
}

export const readAttachment = (id: string, signal: AbortSignal): Promise<Attachment> =>
  call('GET', nodePath(id), { query: { attr: ATTRIBUTES, expiry: OPEN_FOR }, signal });

/** Returns the link on this server as the page knows it: pictures come from nowhere else. */
export function ownAddress(link: string): string {
  const { pathname, search } = new URL(link, location.origin);
  return `${pathname}${search}`;
}

/** Browsers show these pictures by themselves; they run nothing in an `img`. */
const SHOWN = /^image\/(?:png|jpeg|gif|webp|bmp|svg\+xml|avif)$/;
const TEXTS = /^(?:text\/|application\/(?:json|xml|x-ndjson|yaml|javascript)\b)/;
const TEXT_NAMES = /\.(?:csv|tsv|txt|dat|log|json|xml|md|ya?ml|ini|rdb|toa5)$/i;

/** Chooses how a file is looked at: as a picture, by its preview, by its first lines, or not at all. */
export function lookOf({
  mimeType,
  fileName = '',
  filePreviewUrl,
}: Attachment): 'picture' | 'preview' | 'text' | 'none' {
  if (SHOWN.test(mimeType)) return 'picture';
  if (filePreviewUrl !== undefined) return 'preview';
  return TEXTS.test(mimeType) || TEXT_NAMES.test(fileName) ? 'text' : 'none';
}

/** This many bytes of a text are looked at. */
export const HEAD_BYTES = 64 * 1024;

/** The beginning of a file, and whether there is more of it. @throws Error where the link does not open */
export async function readHead({ fileUrl, fileSize }: Attachment, signal: AbortSignal): Promise<Uint8Array> {
  const headers = { Range: `bytes=0-${Math.min(HEAD_BYTES, fileSize) - 1}` };
  const response = await fetch(ownAddress(fileUrl ?? ''), { headers, signal });
  if (!response.ok) throw new Error(`${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
