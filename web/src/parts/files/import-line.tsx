import type { ComponentChildren } from 'preact';
import type { Import } from '../../data/transfers/imports.ts';
import { cancelImport, isUnderWay } from '../../data/transfers/server-jobs.ts';
import { Button } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { At } from '../since.tsx';
import { sizeText } from '../size-text.ts';
import { RefusedLines } from './refused-lines.tsx';
import { Report } from './report.tsx';
import { say } from './words.ts';

export const TRANSFER_SIGNS: Readonly<Record<Import['state'], IconName>> = {
  WAITING: 'clock',
  RUNNING: 'clock',
  DONE: 'check',
  FAILED: 'warning',
  CANCELLED: 'minus',
};

/** Shows when it began, and when it ended. */
export function Span({ of }: { readonly of: { readonly createdTime: string; readonly endedTime: string | null } }) {
  const { transfers } = say();
  return (
    <p class="soft">
      {transfers.begun} <At iso={of.createdTime} />
      {of.endedTime !== null && (
        <>
          {' · '}
          {transfers.ended} <At iso={of.endedTime} />
        </>
      )}
    </p>
  );
}

/** Shows an import: how far it is, what it brought, what it left out. @param props.children where it goes */
export function ImportLine({ job, children }: { readonly job: Import; readonly children?: ComponentChildren }) {
  const { transfers } = say();
  const { fileName, state, records, recordsTotal, failure, report } = job;
  const isGoing = isUnderWay(job);
  const cancel = () =>
    cancelImport(job._id).then(
      () => toast(transfers.cancelled),
      (error: unknown) => toast(errorText(error), { isBad: true }),
    );
  return (
    <li class={`transfer is-${state.toLowerCase()}`}>
      <Icon name={TRANSFER_SIGNS[state]} />
      <div>
        <p class="upload-name">
          <bdi>{fileName}</bdi> <span class="soft">{sizeText(job.sizeBytes)}</span>
        </p>
        {children}
        <p role="status">
          <strong>{transfers.states[state]}</strong> ·{' '}
          {isGoing && recordsTotal !== null ? transfers.recordsOf(records, recordsTotal) : transfers.records(records)}
        </p>
        {isGoing &&
          (recordsTotal ? (
            <progress value={records} max={recordsTotal} aria-label={fileName} />
          ) : (
            <span class="busy-bar" />
          ))}
        {failure !== null && (
          <p class="problem" lang="en">
            {failure}
          </p>
        )}
        {report && <Report of={report} />}
        {(state === 'FAILED' || (report !== null && (report.parsed < report.lines || report.unreadableFields > 0))) && (
          <RefusedLines id={job._id} fileName={fileName} />
        )}
        <Span of={job} />
      </div>
      {isGoing && (
        <Button aria-label={transfers.cancelImportOf(fileName)} onClick={cancel}>
          {transfers.cancelImport}
        </Button>
      )}
    </li>
  );
}
