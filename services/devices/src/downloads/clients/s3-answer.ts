import sax from 'sax';

/** A list names this of an object. */
type S3Object = { readonly key: string; readonly sizeBytes: number; readonly modifiedMs?: number };
export type S3Page = { readonly objects: readonly S3Object[]; readonly isTruncated: boolean; readonly next?: string };
type S3Refusal = { readonly code?: string; readonly region?: string };

export class NoList extends Error {}

/** A page of ListObjectsV2. @throws NoList */
export function readPage(text: string): S3Page {
  const objects: S3Object[] = [];
  const fields = new Map<string, string>();
  let object: { key: string; sizeBytes: number; modifiedMs?: number } | undefined;
  let isList = false;
  const listener: Listener = {
    opened(path) {
      isList ||= path === 'ListBucketResult';
      if (path === 'ListBucketResult/Contents') object = { key: '', sizeBytes: 0 };
    },
    closed(path, content) {
      const [, name = '', field] = path.split('/');
      if (name !== 'Contents') fields.set(name, content);
      else if (object && field === undefined) objects.push(object);
      else if (object && field === 'Key') object.key = content;
      else if (object && field === 'Size') object.sizeBytes = Number(content) || 0;
      else if (object && field === 'LastModified') {
        const modifiedMs = Date.parse(content);
        if (!Number.isNaN(modifiedMs)) object.modifiedMs = modifiedMs;
      }
    },
  };
  try {
    readElements(text, listener);
  } catch (cause) {
    throw new NoList('no XML', { cause });
  }
  if (!isList) throw new NoList('another element');
  const next = fields.get('NextContinuationToken');
  return { objects, isTruncated: fields.get('IsTruncated') === 'true', ...(next !== undefined && { next }) };
}

/** Reads what a refusal says of itself; nothing where it is no XML. */
export function readRefusal(text: string): S3Refusal {
  const fields = new Map<string, string>();
  try {
    readElements(text, { closed: (path, content) => void fields.set(path, content) });
  } catch {
    // Proxies and servers of others refuse in words of their own.
  }
  const [code, region] = [fields.get('Error/Code'), fields.get('Error/Region')];
  return { ...(code !== undefined && { code }), ...(region !== undefined && { region }) };
}

type Listener = { opened?(path: string): void; closed(path: string, text: string): void };

/** Reports each element by the names from the root to it, and the text between its last child and its end. */
function readElements(text: string, listener: Listener): void {
  const path: string[] = [];
  let content = '';
  const reader = sax.parser(true);
  reader.onerror = (error) => {
    throw error;
  };
  reader.onopentag = ({ name }) => {
    path.push(name);
    content = '';
    listener.opened?.(path.join('/'));
  };
  reader.ontext = reader.oncdata = (piece) => {
    content += piece;
  };
  reader.onclosetag = () => {
    listener.closed(path.join('/'), content);
    path.pop();
    content = '';
  };
  reader.write(text).close();
}
