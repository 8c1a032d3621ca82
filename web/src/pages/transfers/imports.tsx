import { useEffect, useId, useState } from 'preact/hooks';
import { readNode } from '../../data/nodes/nodes.ts';
import { serverJobs } from '../../data/transfers/server-jobs.ts';
import { isKnown } from '../../format/zone.ts';
import { FileDrop } from '../../parts/files/file-drop.tsx';
import { ImportLine } from '../../parts/files/import-line.tsx';
import { UploadList } from '../../parts/files/upload-list.tsx';
import { say } from '../../parts/files/words.ts';
import { NodeName } from '../../parts/node-name.tsx';
import { NodeSearch } from '../../parts/node-search.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { ZoneField } from './zone-field.tsx';

/** These take records from a file; a computed series takes none. */
const TAKES_RECORDS = /\.(?:Location|source\.data\.(?!Processor)\w+|point\.(?!\w*(?:Process|Rating)Point)\w+)$/;
const MODES = [
  'MERGE_OVERWRITE_EXISTING',
  'MERGE_PRESERVE_EXISTING',
  'MERGE_UPDATE_EXISTING',
  'MERGE_FAIL_ON_EXISTING',
  'INSERT_DELETE_EXISTING',
] as const;

/** Shows imports of the person, and a form for another one. */
export function Imports({ nodeId }: { readonly nodeId: string | undefined }) {
  const { transfers } = say();
  const imports = serverJobs.value?.imports;
  return (
    <>
      <Begin nodeId={nodeId} />
      {imports?.length === 0 && (
        <EmptyState icon="up" title={transfers.noImports}>
          {transfers.noImportsText}
        </EmptyState>
      )}
      {imports !== undefined && imports.length > 0 && (
        <ul class="transfers" aria-label={transfers.tabs.imports}>
          {imports.map((job) => (
            <ImportLine key={job._id} job={job}>
              <p>
                <NodeName id={job.nodeId} />
              </p>
            </ImportLine>
          ))}
        </ul>
      )}
    </>
  );
}

type Target = { readonly _id: string; readonly name: string };

function Begin({ nodeId }: { readonly nodeId: string | undefined }) {
  const text = say();
  const { form, transfers } = text;
  const mode = useId();
  const [target, setTarget] = useState<Target>();
  const [writeMode, setWriteMode] = useState<string>(MODES[0]);
  const [zone, setZone] = useState('');
  const [isDst, setDst] = useState(false);
  const [notifies, setNotifies] = useState(true);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    // A node of the address that takes no records, or is gone, is not offered.
    if (nodeId !== undefined)
      readNode(nodeId, '_id,_class,name').then(
        (node) => TAKES_RECORDS.test(node._class) && setTarget(node),
        () => undefined,
      );
  }, [nodeId]);
  const lacks = () => {
    const lack = target === undefined ? form.noTarget : zone !== '' && !isKnown(zone) ? form.zoneWrong : '';
    setProblem(lack);
    return lack !== '';
  };
  const label = (count: number) => text.uploading(count, target?.name ?? '');
  const settings = {
    writeMode,
    notifyOn: notifies ? 'ALL_NEWER' : 'NONE',
    ...(zone !== '' && { timezone: zone, timezoneAdjustForDst: isDst ? 'TRUE' : 'FALSE' }),
  };
  return (
    <section aria-label={transfers.newImport} class="form transfer-form">
      <h2 class="part-title is-wide">{transfers.newImport}</h2>
      <div class="is-wide">
        <span class="transfer-label">{form.target}</span>
        {target && (
          <p class="chips">
            <span class="chip">
              <NodeName id={target._id} />
            </span>
          </p>
        )}
        <NodeSearch
          label={form.target}
          hint={form.targetHint}
          accepts={({ _class }) => TAKES_RECORDS.test(_class)}
          onChoose={(found) => {
            setTarget(found);
            setProblem('');
          }}
        />
      </div>
      <div>
        <label for={mode}>
          <span>{form.mode}</span>
        </label>
        <select id={mode} value={writeMode} onChange={(event) => setWriteMode(event.currentTarget.value)}>
          {MODES.map((mode) => (
            <option key={mode} value={mode}>
              {form.modes[mode]}
            </option>
          ))}
        </select>
      </div>
      <ZoneField label={form.zoneOfFile} hint={form.zoneOfFileHint} value={zone} mayBeEmpty onValue={setZone} />
      <div>
        {zone !== '' && (
          <label class="check">
            <input type="checkbox" checked={isDst} onChange={(event) => setDst(event.currentTarget.checked)} />
            <span>{form.dst}</span>
          </label>
        )}
        <label class="check">
          <input type="checkbox" checked={notifies} onChange={(event) => setNotifies(event.currentTarget.checked)} />
          <span>{form.notify}</span>
        </label>
      </div>
      <div class="is-wide">
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <FileDrop nodeId={target?._id ?? ''} kind="import" label={label} settings={settings} lacks={lacks} />
        <UploadList isOne={({ kind, outcome }) => kind === 'import' && outcome === undefined} label={label} />
      </div>
    </section>
  );
}
