/** Names before braces, brackets or the end that are metrics of ours by their first word. */
const METRIC = /(?<![\w:$])((?:catchment|http|rpc|messaging|db|nodejs|process)_\w+|up)(?![\w:(])/g;
/** Labels: in braces, and after by, on, without, group_left. */
const LABELS = /\{[^}]*\}|\b(?:by|on|without|ignoring|group_left|group_right)\s*\([^)]*\)|"[^"]*"/g;

/** Returns metrics that a query of Prometheus names, without recorded ones. */
export const metricsIn = (promQl: string): string[] => [
  ...new Set([...promQl.replaceAll(LABELS, ' ').matchAll(METRIC)].map(([, name]) => name as string)),
];
