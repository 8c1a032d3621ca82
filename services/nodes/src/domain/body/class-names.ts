/** Public class names ⇄ stored ones. */
export type ClassNames = {
  readonly full: (name: string) => string;
  readonly stored: (full: unknown) => string | undefined;
  /** `io.svc` */
  readonly namespace: string;
};

/** @param namespace setting CLASS_NAMESPACE, for example `io.svc` */
export function classNames(namespace: string): ClassNames {
  const prefix = `${namespace}.models.node.`;
  return {
    namespace,
    full: (name) => prefix + name,
    stored: (full) => (typeof full === 'string' && full.startsWith(prefix) ? full.slice(prefix.length) : undefined),
  };
}
