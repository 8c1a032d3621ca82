import { useEffect } from 'preact/hooks';
import { nodeAddress, transfersAddress } from '../data/addresses.ts';
import { nowMs } from '../data/streams/connection.ts';
import { times } from '../data/times.ts';
import type { Import } from '../data/transfers/imports.ts';
import { forgetJob, type Job, jobs, settleLeftJobs } from '../data/transfers/jobs.ts';
import {
  cancelImport,
  deleteExport,
  type Export,
  exportAddress,
  isUnderWay,
  readServerJobs,
  serverJobs,
} from '../data/transfers/server-jobs.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import { errorText } from '../words/error-text.ts';
import { words } from '../words/index.ts';

/** Jobs that ended before it are shown on their page alone. */
const DAY_MS = 86_400_000;

/** Counts the jobs that go on: of pages, and of the server for the person. */
export function runningCount(): number {
  const { exports = [], imports = [] } = serverJobs.value ?? {};
  const ofPages = jobs.value.filter(({ state }) => state === 'running').length;
  return ofPages + [...exports, ...imports].filter(isUnderWay).length;
}

/** Shows what goes on and how it ended: what pages do, and what the server does whatever becomes of them. */
export function Jobs({ close }: { readonly close: () => void }) {
  const { bell, transfers } = words.value.frame;
  useEffect(() => {
    void readServerJobs();
    void settleLeftJobs();
  }, []);
  const { exports = [], imports: all = [], error } = serverJobs.value ?? {};
  const imports = all.filter((job) => isUnderWay(job) || nowMs.value - Date.parse(job.endedTime ?? '') < DAY_MS);
  const count = jobs.value.length + exports.length + imports.length;
  return (
    <section aria-label={bell.jobs}>
      <h2>{bell.jobs}</h2>
      {error !== undefined && <p class="problem">{bell.jobsFailed}</p>}
      {count === 0 && error === undefined && <p class="soft">{bell.noJobs}</p>}
      <ul class="bell-list">
        {jobs.value.map((job) => (
          <PageJob key={job.id} job={job} close={close} />
        ))}
        {exports.map((job) => (
          <ExportJob key={job._id} job={job} />
        ))}
        {imports.map((job) => (
          <ImportJob key={job._id} job={job} close={close} />
        ))}
      </ul>
      {jobs.value.some(({ state }) => state === 'running') && <p class="soft">{bell.ofPage}</p>}
      <a href={transfersAddress()} onClick={close}>
        {transfers}
      </a>
    </section>
  );
}

type LineProps = {
  readonly label: string;
  readonly text: string;
  /** The part is 0 to 1; null: it goes on, and nobody knows how far it is; undefined: it has ended. */
  readonly part?: number | null | undefined;
  readonly link?: {
    readonly href: string;
    readonly text: string;
    readonly isFile?: boolean;
    readonly onClick?: () => void;
  };
  readonly action?: { readonly label: string; readonly run: () => unknown };
};

function Line({ label, text, part, link, action }: LineProps) {
  return (
    <li class="job">
      <span>
        <bdi class="found-name">{label}</bdi>
        <span class="found-path" dir="auto">
          {text}
        </span>
        {link && (
          <a class="job-link" href={link.href} download={link.isFile} onClick={link.onClick}>
            {link.text}
          </a>
        )}
        {typeof part === 'number' && <progress value={part} max={1} aria-label={label} />}
        {part === null && <span class="busy-bar" />}
      </span>
      {action && (
        <Button
          look="bare"
          icon="close"
          aria-label={action.label}
          title={action.label}
          onClick={() => void action.run()}
        />
      )}
    </li>
  );
}

function PageJob({ job, close }: { readonly job: Job; readonly close: () => void }) {
  const { bell } = words.value.frame;
  const { id, label, state, part, failure, nodeId } = job;
  const isRunning = state === 'running';
  return (
    <Line
      label={label}
      text={failure ?? bell.states[state]}
      part={isRunning ? (part ?? null) : undefined}
      {...(state === 'left' &&
        nodeId !== undefined && { link: { href: nodeAddress(nodeId), text: bell.look, onClick: close } })}
      {...(!isRunning && { action: { label: bell.forget, run: () => forgetJob(id) } })}
    />
  );
}

const orToast = (act: Promise<void>) => act.catch((error: unknown) => toast(errorText(error), { isBad: true }));

function ExportJob({ job }: { readonly job: Export }) {
  const { bell } = words.value.frame;
  const { _id, state, series, seriesDone, format, failure, expiryTime } = job;
  const isReady = state === 'DONE';
  const until = isReady && expiryTime ? ` · ${bell.until(times().short(Date.parse(expiryTime), nowMs.value))}` : '';
  return (
    <Line
      label={bell.exportOf(series, format)}
      text={`${failure ?? bell.serverStates[state]}${until}`}
      part={isUnderWay(job) ? seriesDone / Math.max(series, 1) : undefined}
      {...(isReady && { link: { href: exportAddress(_id), text: bell.download, isFile: true } })}
      action={{ label: bell.deleteExport, run: () => orToast(deleteExport(_id)) }}
    />
  );
}

function ImportJob({ job, close }: { readonly job: Import; readonly close: () => void }) {
  const { bell } = words.value.frame;
  const { _id, nodeId, state, fileName, records, recordsTotal, failure } = job;
  return (
    <Line
      label={bell.importOf(fileName)}
      text={failure ?? `${bell.serverStates[state]} · ${bell.records(records)}`}
      part={isUnderWay(job) ? (recordsTotal ? records / recordsTotal : null) : undefined}
      link={{ href: nodeAddress(nodeId), text: bell.look, onClick: close }}
      {...(isUnderWay(job) && { action: { label: bell.cancelImport, run: () => orToast(cancelImport(_id)) } })}
    />
  );
}
