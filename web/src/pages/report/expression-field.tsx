import { useMemo } from 'preact/hooks';
import { CodeEditor, type CodeOption, type CodePlace } from '../../ui/code/index.ts';
import { FieldProblem, type FieldProps, useForm } from '../../ui/form/index.ts';
import { say } from './words.ts';

/** docs/reference/expressions.md */
const FILTERS =
  'abs append at_least at_most capitalize ceil compact concat date decimal default divided_by downcase escape escape_once first floor join json last link_to lstrip map minus modulo newline_to_br plus prepend remove remove_first replace replace_first reverse round rstrip size slice sort sort_natural split strip strip_html strip_newlines time time_minus time_plus times truncate truncatewords uniq upcase url_decode url_encode where'.split(
    ' ',
  );
const TAGS =
  'assign capture case when comment cycle decrement for if elsif else endif endfor increment raw tablerow unless'.split(
    ' ',
  );
const ABOVE = ['THIS', 'SOURCE', 'LOCATION', 'WORKSPACE'];
const OF_REPORT = ['NOW', 'report_time', 'page_number', 'page_count', 'account_name', 'report_links'];
const OF_NODES =
  'currentValueFormatted currentValue currentStateName currentTime name units description locationName image customId _path previousValue previousTime metadata'.split(
    ' ',
  );

type ExpressionFieldProps = FieldProps & {
  /** Names under which expressions know the nodes of the report. */
  readonly links: readonly string[];
  readonly label: string;
  /** The preview has found this fault in what is typed. */
  readonly found: string | undefined;
};

/** Edits a text with expressions: names, attributes and filters are offered while it is typed, what is wrong is shown beside it. */
export function ExpressionField({ field, path, value, onChange, links, label, found }: ExpressionFieldProps) {
  const { isReadOnly } = useForm();
  const text = say();
  const complete = useMemo(() => completer(links), [links.join(' '), text]);
  const problems = useMemo(
    () => (found === undefined ? [] : [{ line: Number(/line:(\d+)/.exec(found)?.[1] ?? 1), message: found }]),
    [found],
  );
  return (
    <div class="editor-field expression-field">
      <span class="editor-label">{label}</span>
      <CodeEditor
        label={label}
        language="expressions"
        rows={4}
        text={typeof value === 'string' ? value : ''}
        onText={(next) => onChange(next === '' && !field.isRequired ? null : next)}
        isReadOnly={isReadOnly}
        problems={problems}
        marks={NO_MARKS}
        complete={complete}
        phrases={text.phrases}
        loading={text.editorLoading}
        failed={text.editorFailed}
      />
      {found !== undefined && (
        <p class="editor-problem" role="status">
          {found}
        </p>
      )}
      <FieldProblem path={path} />
    </div>
  );
}

const NO_MARKS: readonly never[] = [];

/** Offers what may stand at a place of an expression. */
function completer(links: readonly string[]): (place: CodePlace) => Promise<readonly CodeOption[]> {
  return async (place) => {
    const text = say();
    switch (place.kind) {
      case 'filter':
        return FILTERS.map((label) => ({ label, detail: text.filter }));
      case 'member':
        return place.of === 'forloop'
          ? ['first', 'last', 'length', 'index', 'index0'].map((label) => ({ label }))
          : OF_NODES.map((label) => ({ label, info: text.members[label as 'name'] }));
      case 'name':
        return [
          ...links.map((label) => ({ label, detail: text.ofLinks })),
          ...ABOVE.map((label) => ({ label, detail: text.ofTree })),
          ...OF_REPORT.map((label) => ({ label, detail: text.ofReport })),
          ...TAGS.map((label) => ({ label, detail: text.tag })),
        ];
      case 'argument':
        return [];
    }
  };
}
