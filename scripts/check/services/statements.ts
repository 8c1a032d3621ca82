/** SQL that changes rows, or says so to others. A lock on rows changes none. */
const WRITES = [
  /\binsert\s+into\b/i,
  /\bupdate\s+(?:only\s+)?[\w."$]+(?:\s+(?:as\s+)?\w+)?\s+set\b/i,
  /\bdelete\s+from\b/i,
  /\bmerge\s+into\b/i,
  /^\s*(?:TRUNCATE|COPY|NOTIFY|GRANT|REVOKE|VACUUM|REINDEX|LOCK)\b/,
  /^\s*(?:truncate(?:\s+table)?\s+\w+\s*(?:,|cascade|restart|;|$)|copy\s+\S+\s+(?:from|to)\b|call\s+\w+\s*\(|do\s+\$|lock\s+(?:table\b|\w+\s+in\b)|refresh\s+materialized\b|notify\s+\w+\s*(?:,|;|$))/i,
  /\bselect\b[^;]*\binto\s+\w+\s+from\b/i,
  /\bselect\s+(?:touch|save|insert|update|delete|store|mark|append)_\w+\s*\(/i,
  /^\s*(?:create|alter|drop)\s+(?:or\s+replace\s+|unlogged\s+|temp(?:orary)?\s+)?(?:table|index|unique|sequence|schema|view|materialized|function|procedure|trigger|type|extension|role|user|database)\b/i,
  /\b(?:pg_notify|nextval|setval)\s*\(/i,
];

/** SQL that reads, whole or in part. Texts for people say «select» too: a part is in capitals, or has an alias. */
const READS = [
  /^\s*(?:select|with\s+(?:recursive\s+)?\w+(?:\s*\([^)]*\))?\s+as)\b[\s\S]*\bfrom\b/i,
  /\bSELECT\b/,
  /\b(?:ORDER BY|GROUP BY|ON CONFLICT|SET LOCAL|INNER JOIN|LEFT JOIN)\b/,
  /\bWHERE\s+\w+\s+(?:IS|IN|LIKE|BETWEEN|=|<|>)/,
  /\bjoin\s+\w+\s+(?:\w+\s+)?(?:on|using)\b/i,
  /\border\s+by\s+\w+\s+(?:asc|desc|limit)\b/i,
  /^\s*select\s+\w+\s*\(/i,
  /^\s*VALUES\s*\(/,
  /\border\s+by\s+\w+\.\w+/i,
  /\bwhere\s+\w+\.\w+\s*(?:=|<|>|!|~|\bin\b|\bis\b|\blike\b|\bbetween\b)/i,
  /^\s*(?:BEGIN|COMMIT|ROLLBACK|SAVEPOINT|LISTEN|DECLARE|FETCH|EXPLAIN)\b/,
  /^\s*(?:listen\s+\w+|explain\s+(?:analyze|select)\b.*|show\s+(?:tag|field|series|measurements)\b.*|left\s+join\s.*)$/is,
  // A comparison with an argument of a statement.
  /[\w")]\s*(?:=|<>|[<>]=?|~\*?|\b(?:in|like|ilike|any)\b)\s*(?:any\s*)?\(?\s*\$\d/i,
  /^\s*select\b[^;]*\$\d/i,
];

/** A statement that writes. */
export const isWrite = (text: string): boolean => WRITES.some((pattern) => pattern.test(begun(text)));

/** SQL, or a part of it. */
export const isStatement = (text: string): boolean =>
  isWrite(text) || READS.some((pattern) => pattern.test(begun(text)));

/** Without what may stand before a statement: comments and brackets. */
const begun = (text: string): string => text.replace(/^(?:\s|\(|--.*\n|\/\*[\s\S]*?\*\/)+/, '');
