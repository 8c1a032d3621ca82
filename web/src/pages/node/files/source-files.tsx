import { useEffect, useId, useState } from 'preact/hooks';
import { nodeAddress, transfersAddress } from '../../../data/addresses.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import { may } from '../../../data/session/rights.ts';
import { readServerJobs, serverJobs } from '../../../data/transfers/server-jobs.ts';
import { FileDrop } from '../../../parts/files/file-drop.tsx';
import { ImportLine } from '../../../parts/files/import-line.tsx';
import { UploadList } from '../../../parts/files/upload-list.tsx';
import { say } from '../../../parts/files/words.ts';

/** These sources read whole files as if their station had sent them. */
const READS_FILES = /\.(?:TextParser|Jts|Converter)$/;

/** Shows files that are given to a data source by hand, and what each of them brought. */
export function SourceFiles({ node, isGone }: { readonly node: Node; readonly isGone: boolean }) {
  const text = say();
  const { data } = text;
  const name = useId();
  const readsFiles = READS_FILES.test(node._class);
  const [kind, setKind] = useState<'data' | 'import'>(readsFiles ? 'data' : 'import');
  const label = (count: number) => text.uploading(count, node.name);
  useEffect(() => void readServerJobs(), [node._id]);
  const imports = serverJobs.value?.imports.filter(({ nodeId }) => nodeId === node._id) ?? [];
  const choices = [
    ...(readsFiles ? [['data', data.asNew, data.asNewText] as const] : []),
    ['import', data.asImport, data.asImportText] as const,
  ];
  return (
    <div class="files">
      <h2 class="part-title">{data.title}</h2>
      {may('EDIT_DATA', node) && !isGone ? (
        <>
          <fieldset class="file-kinds">
            <legend>{data.how}</legend>
            {choices.map(([key, title, about]) => (
              <label key={key}>
                <input type="radio" name={name} checked={kind === key} onChange={() => setKind(key)} />
                <span>
                  <strong>{title}</strong> <span class="soft">{about}</span>
                </span>
              </label>
            ))}
          </fieldset>
          <FileDrop nodeId={node._id} kind={kind} label={label} />
        </>
      ) : (
        <p class="soft">{data.cannotWrite}</p>
      )}
      <UploadList isOne={(upload) => upload.nodeId === node._id && upload.outcome?.kind !== 'import'} label={label} />
      <p class="files-ways">
        {may('CONFIGURE', node) && <a href={nodeAddress(node._id, 'settings')}>{data.mend}</a>}
        <a href={nodeAddress(node._id, 'events')}>{data.events}</a>
        <a href={transfersAddress('imports')}>{data.imports}</a>
      </p>
      {imports.length > 0 && (
        <>
          <h2 class="part-title">{data.imported}</h2>
          <ul class="transfers" aria-label={data.imported}>
            {imports.map((job) => (
              <ImportLine key={job._id} job={job} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
