import { useEffect, useId, useState } from 'preact/hooks';
import { readNode } from '../../data/nodes/nodes.ts';
import { start } from '../../data/session/session.ts';
import { nowMs } from '../../data/streams/connection.ts';
import { times } from '../../data/times.ts';
import {
  beginExport,
  deleteExport,
  type Export,
  exportAddress,
  isUnderWay,
  serverJobs,
} from '../../data/transfers/server-jobs.ts';
import { isKnown } from '../../format/zone.ts';
import { Span, TRANSFER_SIGNS } from '../../parts/files/import-line.tsx';
import { say } from '../../parts/files/words.ts';
import { NodeName, useNodeName } from '../../parts/node-name.tsx';
import { NodeSearch } from '../../parts/node-search.tsx';
import { sizeText } from '../../parts/size-text.ts';
import { Button } from '../../ui/button.tsx';
import { DialogAnswers } from '../../ui/dialog-answers.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { ZoneField } from './zone-field.tsx';

/** Shows exports of the person, and a form for a new export. */
export function Exports({ nodeId }: { readonly nodeId: string | undefined }) {
  const { transfers } = say();
  const exports = serverJobs.value?.exports;
  return (
    <>
      <Begin nodeId={nodeId} />
      {exports?.length === 0 && (
        <EmptyState icon="down" title={transfers.noExports}>
          {transfers.noExportsText}
        </EmptyState>
      )}
      {exports !== undefined && exports.length > 0 && (
        <ul class="transfers" aria-label={transfers.tabs.exports}>
          {exports.map((job) => (
            <ExportLine key={job._id} job={job} />
          ))}
        </ul>
      )}
    </>
  );
}

function ExportLine({ job }: { readonly job: Export }) {
  const { transfers } = say();
  const { _id, state, series, seriesDone, records, sizeBytes, failure, expiryTime } = job;
  const name = transfers.exportOf(series, job.format);
  const isGoing = isUnderWay(job);
  const remove = () =>
    deleteExport(_id).then(
      () => toast(transfers.deleted),
      (error: unknown) => toast(errorText(error), { isBad: true }),
    );
  return (
    <li class={`transfer is-${state.toLowerCase()}`}>
      <Icon name={TRANSFER_SIGNS[state]} />
      <div>
        <p class="upload-name">
          {name}{' '}
          <span class="soft">
            {transfers.layouts[job.layout]}
            {sizeBytes !== null && `, ${sizeText(sizeBytes)}`}
          </span>
        </p>
        <p role="status">
          <strong>{transfers.states[state]}</strong> · {isGoing && `${transfers.series(seriesDone, series)}, `}
          {transfers.records(records)}
          {state === 'DONE' &&
            expiryTime !== null &&
            ` · ${transfers.until(times().short(Date.parse(expiryTime), nowMs.value))}`}
        </p>
        {isGoing && <progress value={seriesDone} max={Math.max(series, 1)} aria-label={name} />}
        {failure !== null && (
          <p class="problem" lang="en">
            {failure}
          </p>
        )}
        <Span of={job} />
      </div>
      {state === 'DONE' && (
        <a class="button is-main" href={exportAddress(_id)} download>
          <Icon name="down" />
          {transfers.download}
        </a>
      )}
      <Button onClick={remove}>{isGoing ? transfers.cancelExport : transfers.deleteExport}</Button>
    </li>
  );
}

/** An export has at most this many nodes (docs/reference/writing.md#exports). */
const MOST_NODES = 500;

function Begin({ nodeId }: { readonly nodeId: string | undefined }) {
  const { form, transfers } = say();
  const id = useId();
  const { person } = start();
  const [nodes, setNodes] = useState<readonly string[]>([]);
  const [format, setFormat] = useState<Export['format']>('CSV');
  const [layout, setLayout] = useState<Export['layout']>('FILE_PER_PARAMETER');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [zone, setZone] = useState(person.timezone || times().zone.name);
  const [isDst, setDst] = useState(person.adjustForDst);
  const [hasQuality, setQuality] = useState(true);
  const [hasNotes, setNotes] = useState(false);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    if (nodeId !== undefined)
      readNode(nodeId, '_id,_class,name').then(
        ({ _id }) => setNodes([_id]),
        () => undefined,
      );
  }, [nodeId]);
  const begin = async () => {
    const startTime = instantOf(from);
    const endTime = instantOf(to);
    const lack = lackOf();
    setProblem(lack);
    if (lack !== '') return;
    try {
      await beginExport({
        nodes,
        format,
        layout,
        timezone: zone,
        timezoneAdjustForDst: isDst ? 'TRUE' : 'FALSE',
        quality: hasQuality ? 'SEPARATE_VALUE' : 'NONE',
        annotation: hasNotes ? 'SEPARATE_VALUE' : 'NONE',
        ...(startTime !== undefined && { startTime }),
        ...(endTime !== undefined && { endTime }),
      });
      toast(form.begun);
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  const lackOf = (): string => {
    if (nodes.length === 0) return form.noNode;
    if (!isKnown(zone)) return form.zoneWrong;
    return from !== '' && to !== '' && from > to ? form.rangeWrong : '';
  };
  const select = <T extends string>(
    name: string,
    label: string,
    value: T,
    choices: Readonly<Record<T, string>>,
    onValue: (value: T) => void,
  ) => (
    <div>
      <label for={`${id}-${name}`}>
        <span>{label}</span>
      </label>
      <select id={`${id}-${name}`} value={value} onChange={(event) => onValue(event.currentTarget.value as T)}>
        {(Object.entries(choices) as [T, string][]).map(([key, said]) => (
          <option key={key} value={key}>
            {said}
          </option>
        ))}
      </select>
    </div>
  );
  const time = (name: string, label: string, value: string, onValue: (value: string) => void) => (
    <div>
      <label for={`${id}-${name}`}>
        <span>{label}</span>
      </label>
      <input
        id={`${id}-${name}`}
        type="datetime-local"
        step="1"
        value={value}
        aria-describedby={`${id}-range`}
        onChange={(event) => onValue(event.currentTarget.value)}
      />
    </div>
  );
  const check = (label: string, value: boolean, onValue: (value: boolean) => void) => (
    <label class="check">
      <input type="checkbox" checked={value} onChange={(event) => onValue(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
  return (
    <form
      class="form transfer-form"
      aria-label={transfers.newExport}
      noValidate
      onSubmit={(event) => event.preventDefault()}
    >
      <h2 class="part-title is-wide">{transfers.newExport}</h2>
      <div class="is-wide">
        <span class="transfer-label">{form.what}</span>
        {nodes.length > 0 && (
          <ul class="chips">
            {nodes.map((node) => (
              <Chip key={node} id={node} onRemove={() => setNodes(nodes.filter((other) => other !== node))} />
            ))}
          </ul>
        )}
        <NodeSearch
          label={form.what}
          hint={form.searchNode}
          accepts={({ _class }) => /\.(?:Workspace|Group|Location|source\.data\.\w+|point\.\w+)$/.test(_class)}
          isDisabled={nodes.length >= MOST_NODES}
          onChoose={({ _id }) => {
            setNodes([...new Set([...nodes, _id])]);
            setProblem('');
          }}
        />
        <p class="hint">{nodes.length >= MOST_NODES ? form.mostNodes(MOST_NODES) : form.whatHint}</p>
      </div>
      {select('format', form.format, format, { CSV: 'CSV', JTS: 'JTS' }, setFormat)}
      {select('layout', form.layout, layout, transfers.layouts, setLayout)}
      {time('from', form.from, from, setFrom)}
      {time('to', form.to, to, setTo)}
      <p id={`${id}-range`} class="hint is-wide">
        {form.rangeHint(times().zone.name)}
      </p>
      <ZoneField label={form.zone} hint={form.zoneHint} value={zone} onValue={setZone} />
      <div>
        {check(form.dst, isDst, setDst)}
        {check(form.quality, hasQuality, setQuality)}
        {check(form.annotation, hasNotes, setNotes)}
      </div>
      <div class="is-wide">
        <DialogAnswers problem={problem} main={form.start} onMain={begin} />
      </div>
    </form>
  );
}

/** Finds the instant of a clock time of the profile's zone. */
function instantOf(local: string): string | undefined {
  const clock = Date.parse(`${local}Z`);
  return Number.isFinite(clock) ? new Date(times().zone.instant(clock)).toISOString() : undefined;
}

function Chip({ id, onRemove }: { readonly id: string; readonly onRemove: () => void }) {
  const { form } = say();
  const name = useNodeName(id) ?? id;
  return (
    <li class="chip">
      <NodeName id={id} />
      <Button look="bare" icon="close" aria-label={form.remove(name)} title={form.remove(name)} onClick={onRemove} />
    </li>
  );
}
