/** A message goes there by its topic (docs/reference/acquisition.md#mqtt). */
export type Destination =
  /** The key names the source. Among files of the source the message is called `name`. */
  | { readonly kind: 'key'; readonly key: string; readonly name: string }
  /** The connection has the key of the source. */
  | { readonly kind: 'own'; readonly name: string }
  | ({ readonly kind: 'sparkplug' } & SparkplugTopic)
  /** A broker says this of itself, as a bridge does. */
  | { readonly kind: 'broker' };

export type SparkplugTopic = {
  readonly group: string;
  readonly type: string;
  readonly node: string;
  /** Empty for a message of the edge node itself. */
  readonly device: string;
};

const SPARKPLUG = 'spBv1.0';
const DEFAULT_NAME = 'data';
const TOPIC_CHARACTERS = 1_024;

/** @returns undefined for a text that is no name of a topic */
export function destinationOf(topic: string, namespace: string): Destination | undefined {
  if (topic === '' || topic.length > TOPIC_CHARACTERS || /[+#\0]/.test(topic)) return undefined;
  const prefix = `${namespace.replaceAll('.', '/')}/source/`;
  if (topic.startsWith(prefix)) {
    const [key = '', ...rest] = topic.slice(prefix.length).split('/');
    return key === '' ? undefined : { kind: 'key', key, name: rest.join('/') || DEFAULT_NAME };
  }
  if (topic.startsWith('$')) return { kind: 'broker' };
  const [root, group = '', type = '', node = '', device = '', ...rest] = topic.split('/');
  if (root !== SPARKPLUG || rest.length > 0 || !group || !type || !node) return { kind: 'own', name: topic };
  return { kind: 'sparkplug', group, type, node, device };
}

/** Returns whether a filter asks for commands to edge nodes and devices of Sparkplug alone. */
export const isCommandFilter = (filter: string): boolean =>
  /^spBv1\.0\/[^/+#]+\/[ND]CMD\/[^/+#]+(?:\/.*)?$/.test(filter);
