import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { nodeAddress } from '../../../data/addresses.ts';
import type { Attachment } from '../../../data/nodes/attachments.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import { preference, setPreference } from '../../../data/session/preferences.ts';
import { may } from '../../../data/session/rights.ts';
import { localeOf, times } from '../../../data/times.ts';
import { fileName } from '../../../parts/download.ts';
import { FileDrop } from '../../../parts/files/file-drop.tsx';
import { UploadList } from '../../../parts/files/upload-list.tsx';
import { say } from '../../../parts/files/words.ts';
import { NodeName, useNodeName } from '../../../parts/node-name.tsx';
import { Since } from '../../../parts/since.tsx';
import { sizeText } from '../../../parts/size-text.ts';
import { tableWords } from '../../../parts/words-of.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Busy, EmptyState, Problem } from '../../../ui/notes.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { type Column, NOTHING, type Selection, Table } from '../../../ui/table/index.ts';
import { errorText } from '../../../words/error-text.ts';
import { language, words } from '../../../words/index.ts';
import { FilePicture } from './file-picture.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { useAttachments } from './use-attachments.ts';
import { Viewer } from './viewer.tsx';

const VIEW = 'files.view';
type View = 'grid' | 'list';

/** Shows files that lie in a node: added, looked at, renamed, deleted. */
export function Attachments({ node, isGone }: { readonly node: Node; readonly isGone: boolean }) {
  const text = say();
  const { ui } = words.value;
  const { query, route } = useLocation();
  const isDeep = query.below !== undefined;
  const held = useAttachments({ node, isDeep });
  const [openedId, setOpened] = useState<string>();
  const [selection, setSelection] = useState<Selection>(NOTHING);
  const [removed, setRemoved] = useState<readonly Attachment[]>();
  const view: View = preference<View>(VIEW).value === 'list' ? 'list' : 'grid';
  const mayChange = may('CONFIGURE', node) && !isGone;
  const label = (count: number) => text.uploading(count, node.name);
  const { files, hasMore, isLoading, error } = held;
  const opened = files.find(({ _id }) => _id === openedId);
  const chosen = files.filter(({ _id }) => selection.keys.has(_id));
  const isSource = node._class.endsWith('.AttachmentSource');
  const most = Number(node.maxAttachments ?? 0);
  const showDeep = (is: boolean) => route(nodeAddress(node._id, 'files', is ? { below: '1' } : {}), true);
  return (
    <div class="files">
      {mayChange && (
        <FileDrop
          nodeId={node._id}
          kind="attachment"
          label={label}
          types={isSource && Array.isArray(node.fileTypes) ? (node.fileTypes as readonly string[]) : []}
          hint={isSource && most > 0 ? text.kept(most) : ''}
        />
      )}
      <UploadList isOne={(upload) => upload.nodeId === node._id && upload.kind === 'attachment'} label={label} />
      {!may('ATTACHMENT_READ', node) && <p class="soft">{text.noRead}</p>}
      {typeof node.imageSourceId === 'string' && <p class="soft">{text.picture.bySource}</p>}
      {error !== undefined && (
        <Problem text={`${text.failed} ${errorText(error)}`} again={held.again} againText={ui.again} />
      )}
      {!isSource && (
        <label class="check">
          <input type="checkbox" checked={isDeep} onChange={(event) => showDeep(event.currentTarget.checked)} />
          <span>{text.below}</span>
        </label>
      )}
      {files.length > 0 && (
        <header class="files-head">
          <p class="soft" role="status">
            {text.count(files.length, hasMore)}
          </p>
          <Switch
            label={text.views.label}
            value={view}
            options={(['grid', 'list'] as const).map((choice) => [choice, text.views[choice]])}
            onChange={(choice) => void setPreference(VIEW, choice).catch(() => {})}
          />
        </header>
      )}
      {files.length === 0 && !isLoading && error === undefined && (
        <EmptyState icon="file" title={isDeep ? text.noneBelow : text.none}>
          {mayChange ? text.noneText : text.noneTextRead}
        </EmptyState>
      )}
      {files.length > 0 && view === 'grid' && (
        <ul class="files-grid" aria-label={text.title}>
          {files.map((file) => (
            <li key={file._id}>
              <button type="button" class="file-card" onClick={() => setOpened(file._id)}>
                <FilePicture of={file} onBroken={held.renew} />
                <span class="file-name">
                  <bdi>{file.name}</bdi>
                </span>
                {file.parentId !== node._id && (
                  <span class="soft">
                    <Icon name="place" /> <Where id={file.parentId} />
                  </span>
                )}
                <span class="soft">
                  {sizeText(file.fileSize)} · <Since iso={file.createdTime} />
                </span>
                {node.imageAttachmentId === file._id && (
                  <span class="file-mark">
                    <Icon name="place" /> {text.ofLocation}
                  </span>
                )}
                {isSource && file === files[0] && <span class="file-mark">{text.newest}</span>}
              </button>
            </li>
          ))}
        </ul>
      )}
      {files.length > 0 && view === 'list' && (
        <FileTable
          node={node}
          isDeep={isDeep}
          files={files}
          onEnd={hasMore && !isLoading ? held.more : undefined}
          onOpen={({ _id }) => setOpened(_id)}
          onRemove={mayChange ? setRemoved : undefined}
          selection={selection}
          onSelection={setSelection}
          tools={
            mayChange &&
            chosen.length > 0 && (
              <Button icon="trash" onClick={() => setRemoved(chosen)}>
                {text.deleteChosen(chosen.length)}
              </Button>
            )
          }
        />
      )}
      {isLoading && <Busy text={text.loading} />}
      {hasMore && view === 'grid' && !isLoading && (
        <p>
          <Button onClick={held.more}>{text.more}</Button>
        </p>
      )}
      {opened && (
        <Viewer
          node={node}
          files={files}
          at={files.indexOf(opened)}
          onAt={(at) => setOpened(files[at]?._id)}
          onChanged={held.again}
          onRemove={() => setRemoved([opened])}
          onBroken={held.renew}
          onClose={() => setOpened(undefined)}
        />
      )}
      {removed && (
        <RemoveDialog
          files={removed}
          onClose={(isDone) => {
            setRemoved(undefined);
            if (!isDone) return;
            setOpened(undefined);
            setSelection(NOTHING);
            held.again();
          }}
        />
      )}
    </div>
  );
}

/** Shows the name of the node that a file lies in. */
function Where({ id }: { readonly id: string }) {
  return <bdi>{useNodeName(id) ?? ''}</bdi>;
}

type FileTableProps = {
  readonly node: Node;
  readonly isDeep: boolean;
  readonly files: readonly Attachment[];
  readonly onEnd: (() => void) | undefined;
  readonly onOpen: (attachment: Attachment) => void;
  readonly onRemove: ((some: readonly Attachment[]) => void) | undefined;
  readonly selection: Selection;
  readonly onSelection: (selection: Selection) => void;
  readonly tools: ComponentChildren;
};

function FileTable({ node, isDeep, files, onRemove, ...rest }: FileTableProps) {
  const columns = useMemo(() => columnsOf(isDeep), [language.value, isDeep]);
  return (
    <Table<Attachment>
      {...rest}
      label={say().title}
      columns={columns}
      rows={files}
      keyOf={({ _id }) => _id}
      words={tableWords()}
      locale={localeOf(language.value)}
      fileName={fileName(node.name)}
      onKey={(key, some) => {
        if (key !== 'Delete' || onRemove === undefined || some.length === 0) return false;
        onRemove(some);
        return true;
      }}
      empty={null}
    />
  );
}

function columnsOf(isDeep: boolean): readonly Column<Attachment>[] {
  const { columns } = say();
  return [
    {
      id: 'name',
      title: columns.name,
      width: 'minmax(9rem, 2fr)',
      isFixed: true,
      text: ({ name }) => name,
      cell: ({ name }) => <bdi>{name}</bdi>,
    },
    {
      id: 'description',
      title: columns.description,
      width: 'minmax(7rem, 2fr)',
      text: ({ description = '' }) => description,
    },
    ...(isDeep
      ? [
          {
            id: 'where',
            title: columns.where,
            width: 'minmax(7rem, 1.5fr)',
            text: ({ parentId }: Attachment) => parentId,
            cell: ({ parentId }: Attachment) => <NodeName id={parentId} tab="files" />,
          },
        ]
      : []),
    {
      id: 'size',
      title: columns.size,
      width: '6.5rem',
      isNumber: true,
      value: ({ fileSize }) => fileSize,
      text: ({ fileSize }) => sizeText(fileSize),
    },
    { id: 'type', title: columns.type, width: 'minmax(6rem, 1fr)', text: ({ mimeType }) => mimeType },
    {
      id: 'added',
      title: columns.added,
      width: '11.5rem',
      value: ({ createdTime }) => createdTime,
      text: ({ createdTime }) => times().whole(Date.parse(createdTime)),
    },
  ];
}
