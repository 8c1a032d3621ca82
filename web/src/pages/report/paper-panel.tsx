import { useEffect, useMemo } from 'preact/hooks';
import { nodeDetails } from '../../data/nodes/node-details.ts';
import type { DraggedNode } from '../../data/nodes/node-drag.ts';
import type { ReportLink } from '../../data/pages/reports.ts';
import { NodeSearch } from '../../parts/node-search.tsx';
import { Button } from '../../ui/button.tsx';
import { type Field, FieldView } from '../../ui/form/index.ts';
import { textAtField } from '../../words/error-text.ts';
import { linkName } from './document.ts';
import { ReportForm } from './report-form.tsx';
import type { EditedReport, Refusal } from './use-report.ts';
import { say } from './words.ts';

const SHOWN = ['pageFormat', 'width', 'height', 'orientation', 'margins', 'header', 'footer', 'styles'];

/** Shows what holds for all of the paper: its size, margins, header and footer, and styles that blocks name. */
export function PaperPanel({ report, fields }: { readonly report: EditedReport; readonly fields: readonly Field[] }) {
  const text = say();
  const { document, refusal, edit } = report;
  const isCustom = document.pageFormat === 'CUSTOM';
  const shown = SHOWN.filter((name) => isCustom || (name !== 'width' && name !== 'height'));
  return (
    <details class="report-more">
      <summary>{text.paper}</summary>
      <ReportForm document={document} refusal={refusal}>
        <div class="editor report-paper">
          {shown.flatMap((name) => {
            const field = fields.find((field) => field.name === name);
            return field
              ? [
                  <FieldView
                    key={name}
                    field={field}
                    path={`template.${name}`}
                    value={document[name]}
                    onChange={(value) =>
                      edit({ [name]: value ?? (name === 'styles' ? [] : field.usual) ?? null }, name)
                    }
                  />,
                ]
              : [];
          })}
        </div>
      </ReportForm>
    </details>
  );
}

type LinksProps = {
  readonly links: readonly ReportLink[];
  readonly refusal: Refusal | undefined;
  readonly workspaceId: string;
  readonly onChange: (links: readonly ReportLink[], about?: string) => void;
};

/** docs/reference/dashboards-and-reports.md#report */
const MOST_LINKS = 100;
const NAME = /^[A-Za-z0-9_]{1,120}$/;

/** Shows the nodes that the report knows, each by the name that expressions have for it. */
export function Links({ links, refusal, workspaceId, onChange }: LinksProps) {
  const text = say();
  const details = useMemo(() => nodeDetails(), []);
  useEffect(() => details.release, [details]);
  const isRead = details.version.value > 0;
  useEffect(() => details.want(links.map(({ nodeId }) => nodeId)), [links]);
  const add = (found: DraggedNode) => {
    if (links.some(({ nodeId }) => nodeId === found._id)) return;
    const taken = links.map(({ name = '' }) => name);
    onChange([...links, { nodeId: found._id, name: linkName(found.name, taken) }]);
  };
  const refused = /^links(?:\[(\d+)\])?/.exec(refusal?.path ?? '');
  return (
    <details class="report-more">
      <summary>{text.nodes(links.length)}</summary>
      <p class="editor-hint">{text.nodesText}</p>
      {refused && refused[1] === undefined && (
        <p class="editor-problem" role="alert">
          {refusal!.message}
        </p>
      )}
      <ol class="report-links">
        {links.map((link, i) => {
          const node = details.of(link.nodeId);
          const isGone = isRead && !node;
          const name = link.name ?? '';
          const problem = !NAME.test(name)
            ? text.nameRule
            : links.some((link, n) => n !== i && link.name === name)
              ? text.nameTaken
              : refused?.[1] === String(i)
                ? textAtField(refusal!.message)
                : undefined;
          return (
            <li key={link.nodeId}>
              <span class={isGone ? 'report-link-node is-bad' : 'report-link-node'}>
                <bdi>{node?.name ?? (isGone ? text.linkGone : '…')}</bdi>
              </span>
              <input
                aria-label={text.linkName(node?.name ?? name)}
                aria-invalid={problem !== undefined || undefined}
                spellcheck={false}
                autocomplete="off"
                value={name}
                onInput={(event) => {
                  const given = event.currentTarget.value;
                  onChange(
                    links.map((link, n) => (n === i ? { ...link, name: given } : link)),
                    `link ${link.nodeId}`,
                  );
                }}
              />
              <Button
                look="bare"
                icon="close"
                aria-label={text.linkRemove(node?.name ?? name)}
                title={text.linkRemove(node?.name ?? name)}
                onClick={() => onChange(links.filter((_one, n) => n !== i))}
              />
              {problem !== undefined && <p class="editor-problem">{problem}</p>}
            </li>
          );
        })}
      </ol>
      {links.length < MOST_LINKS && (
        <NodeSearch label={text.linkSearch} hint={text.linkSearch} workspaceId={workspaceId} onChoose={add} />
      )}
    </details>
  );
}
