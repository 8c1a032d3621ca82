import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';

type Row = { readonly key: string; readonly type: string; readonly fallback: string; readonly text: string };

/** Returns every value of values.yaml with the `# --` comment before it. `undocumented` lists those without. */
export function documentedValues(yaml: string): { rows: Row[]; undocumented: string[] } {
  const document = parseDocument(yaml);
  const rows: Row[] = [];
  const undocumented: string[] = [];
  const visit = (map: YAMLMap, above: string, before: string | null | undefined): void => {
    map.items.forEach((pair, index) => {
      const { key, value } = pair as Pair;
      if (!isScalar(key)) return;
      const name = above + String(key.value);
      const text = commentOf(index === 0 ? (key.commentBefore ?? before) : key.commentBefore);
      if (text === undefined && isMap(value) && value.items.length > 0) visit(value, `${name}.`, value.commentBefore);
      else if (text === undefined) undocumented.push(name);
      else
        rows.push({
          key: name,
          text,
          ...shown(
            isScalar(value) ? value.value : isMap(value) ? value.toJSON() : (value as { toJSON(): unknown }).toJSON(),
          ),
        });
    });
  };
  if (isMap(document.contents)) visit(document.contents, '', document.contents.commentBefore);
  return { rows, undocumented };
}

/** Returns the text after the last `# --` of a comment; a comment without is about something else. */
function commentOf(comment: string | null | undefined): string | undefined {
  const at = comment?.lastIndexOf(' -- ') ?? -1;
  return at < 0
    ? undefined
    : comment
        ?.slice(at + 4)
        .replaceAll(/\s*\n\s*/g, ' ')
        .trim();
}

function shown(value: unknown): { type: string; fallback: string } {
  const type = Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value;
  return { type: type === 'object' ? 'map' : type, fallback: `\`${JSON.stringify(value)}\`` };
}

/** Writes README.md of the chart: its head, then a table of every value. */
export function chartReadme(head: string, yaml: string): string {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const lines = documentedValues(yaml).rows.map(
    ({ key, type, fallback, text }) => `| \`${key}\` | ${type} | ${cell(fallback)} | ${cell(text)} |`,
  );
  return `${head.trimEnd()}\n\n## Values\n\n| value | type | default | meaning |\n|---|---|---|---|\n${lines.join('\n')}\n`;
}
