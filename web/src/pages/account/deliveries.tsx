import { useEffect, useRef, useState } from 'preact/hooks';
import {
  type Delivery,
  listDeliveries,
  MOST_DELIVERIES,
  redeliver,
  redeliverFailed,
  type Try,
  testWebhook,
  type Webhook,
} from '../../data/account/webhooks.ts';
import { accountAddress } from '../../data/addresses.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { localeOf, times } from '../../data/times.ts';
import { runJob } from '../../data/transfers/jobs.ts';
import { At, Since } from '../../parts/since.tsx';
import { tableWords } from '../../parts/words-of.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { type Column, Table } from '../../ui/table/index.ts';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { language, words } from '../../words/index.ts';
import { Read } from './read.tsx';
import { say } from './words.ts';

/** This many are read at first, and more each time that older ones are asked for. */
const AT_A_TIME = 200;
/** No stream has deliveries: they are asked for again, more often while one is on its way. */
const READ_EACH_MS = 15_000;
const READ_SOON_MS = 2_000;

/** Shows the deliveries of a webhook with their outcome, and sends them again. */
export function Deliveries({ webhook, onChange }: { readonly webhook: Webhook; readonly onChange: () => void }) {
  const text = say();
  const { deliveries: texts } = text;
  const [isFailedOnly, setFailedOnly] = useState(false);
  const [chosen, setChosen] = useState('');
  const [most, setMost] = useState(AT_A_TIME);
  const { _id } = webhook;
  const asked = useAsked(
    (signal) => listDeliveries(_id, { limit: most, ...(isFailedOnly && { status: 'FAILED' as const }) }, signal),
    [_id, isFailedOnly, most],
  );
  const all = useAllAgain(webhook, asked.again);
  const isPending = all.isRunning || (asked.value ?? []).some(isOnItsWay);
  useEffect(() => {
    const timer = setInterval(
      () => document.visibilityState === 'visible' && asked.again(),
      isPending ? READ_SOON_MS : READ_EACH_MS,
    );
    return () => clearInterval(timer);
  }, [isPending]);
  const send = async (work: () => Promise<unknown>, done: string) => {
    try {
      await work();
      toast(done);
    } catch (error) {
      toast(errorText(error), { isBad: true });
    }
    asked.again();
    onChange();
  };
  const tools = (
    <>
      <label class="check account-check">
        <input
          type="checkbox"
          checked={isFailedOnly}
          onChange={(event) => setFailedOnly(event.currentTarget.checked)}
        />
        <span>{texts.onlyFailed}</span>
      </label>
      <Button onClick={() => send(() => testWebhook(_id), text.webhooks.testSent)}>{text.webhooks.test}</Button>
      {all.isRunning ? (
        <Button onClick={all.stop}>{texts.stop}</Button>
      ) : (
        <Button onClick={all.run}>{texts.allAgain}</Button>
      )}
    </>
  );
  return (
    <>
      <p>
        <a href={accountAddress('webhooks')}>
          <Icon name="left" /> {text.webhooks.back}
        </a>
      </p>
      <h2>{texts.title(webhook.name)}</h2>
      <p class="soft" role="status">
        {all.isRunning && all.of > 0 ? texts.progress(all.done, all.of) : texts.kept}
      </p>
      <Read asked={asked}>
        {(rows) => {
          const row = rows.find((row) => row._id === chosen);
          return (
            <div class="account-table">
              <Table<Delivery>
                label={texts.title(webhook.name)}
                columns={columnsOf(setChosen)}
                rows={rows}
                keyOf={(delivery) => delivery._id}
                words={tableWords()}
                locale={localeOf(language.value)}
                fileName={texts.title(webhook.name)}
                tools={tools}
                versionOf={(delivery) => `${delivery.status} ${delivery.tries.length}`}
                onOpen={(delivery) => setChosen(delivery._id)}
                card={{
                  below: 720,
                  height: 92,
                  show: (delivery) => <DeliveryCard delivery={delivery} onOpen={setChosen} />,
                }}
                empty={
                  <EmptyState icon="pulse" title={isFailedOnly ? texts.noneFailed : texts.none}>
                    {isFailedOnly ? texts.noneFailedText : texts.noneText}
                  </EmptyState>
                }
              />
              {rows.length === most && most < MOST_DELIVERIES && (
                <p class="buttons">
                  <Button onClick={() => setMost(Math.min(most + AT_A_TIME, MOST_DELIVERIES))}>{texts.older}</Button>
                </p>
              )}
              {row && (
                <Detail
                  delivery={row}
                  onClose={() => setChosen('')}
                  onAgain={() => send(() => redeliver(_id, row._id), texts.againSent)}
                />
              )}
            </div>
          );
        }}
      </Read>
    </>
  );
}

/** A delivery that is tried again by itself may wait for half an hour. */
const isOnItsWay = ({ status, nextTryTime, tries }: Delivery): boolean =>
  status === 'PENDING' && (tries.length === 0 || Date.parse(nextTryTime ?? '') <= Date.now());

/** Sends all failed ones again; it goes on while other pages are looked at, and the bell shows it. */
function useAllAgain(webhook: Webhook, again: () => void) {
  const text = say().deliveries;
  const [state, setState] = useState<{ readonly done: number; readonly of: number }>();
  const isOver = useRef(false);
  const run = async () => {
    isOver.current = false;
    setState({ done: 0, of: 0 });
    try {
      const count = await runJob(text.allJob(webhook.name), (progress) =>
        redeliverFailed(webhook._id, {
          progress: (done, of) => {
            progress(done / of);
            setState({ done, of });
          },
          isOver: () => isOver.current,
        }),
      );
      toast(text.allSent(count));
    } catch (error) {
      toast(errorText(error), { isBad: true });
    } finally {
      setState(undefined);
      again();
    }
  };
  return {
    done: 0,
    of: 0,
    ...state,
    isRunning: state !== undefined,
    run: () => void run(),
    stop: () => {
      isOver.current = true;
    },
  };
}

/** Writes what the receiver has said: «503 in 120 ms: no room». */
function answerOf(last: Try | undefined): string {
  const text = say().deliveries;
  if (!last) return '';
  const { statusCode, durationMs, error, answer } = last;
  const said = answer ?? (statusCode === undefined ? error : undefined);
  return `${statusCode ?? text.noAnswer} · ${text.took(durationMs)}${said ? ` · ${said}` : ''}`;
}

const what = ({ kind, eventCount }: Delivery): string => {
  const text = say().deliveries;
  return kind === 'TEST' ? text.kinds.TEST : text.count(eventCount);
};

type Open = (id: string) => void;

function columnsOf(open: Open): readonly Column<Delivery>[] {
  const text = say().deliveries;
  return [
    {
      id: 'time',
      title: text.time,
      width: 'minmax(9rem, 1fr)',
      isFixed: true,
      value: ({ createdTime }) => createdTime,
      text: ({ createdTime }) => times().whole(Date.parse(createdTime)),
      cell: ({ _id, createdTime }) => (
        <button type="button" class="account-open" tabIndex={-1} onClick={() => open(_id)}>
          <Since iso={createdTime} />
        </button>
      ),
    },
    { id: 'kind', title: text.kind, width: 'minmax(6rem, 0.8fr)', text: what },
    {
      id: 'status',
      title: text.status,
      width: 'minmax(8rem, 1fr)',
      text: ({ status }) => text.statuses[status],
      cell: (delivery) => <StatusOf delivery={delivery} />,
    },
    {
      id: 'tries',
      title: text.tries,
      width: '5rem',
      isNumber: true,
      value: ({ tries }) => tries.length,
      text: ({ tries }) => String(tries.length),
    },
    { id: 'last', title: text.last, width: 'minmax(12rem, 3fr)', text: ({ tries }) => answerOf(tries.at(-1)) },
    {
      id: 'next',
      title: text.next,
      width: 'minmax(9rem, 1fr)',
      isExtra: true,
      value: ({ nextTryTime }) => nextTryTime ?? null,
      text: ({ nextTryTime }) => (nextTryTime ? times().whole(Date.parse(nextTryTime)) : ''),
    },
  ];
}

const SIGNS = { PENDING: 'clock', DELIVERED: 'check', FAILED: 'warning' } as const;
const TONES = { PENDING: '', DELIVERED: 'is-good', FAILED: 'is-bad' } as const;

function StatusOf({ delivery: { status } }: { readonly delivery: Delivery }) {
  return (
    <span class={`account-state ${TONES[status]}`}>
      <Icon name={SIGNS[status]} /> {say().deliveries.statuses[status]}
    </span>
  );
}

function DeliveryCard({ delivery, onOpen }: { readonly delivery: Delivery; readonly onOpen: Open }) {
  return (
    <>
      <p class="card-main">
        <button type="button" class="account-open" tabIndex={-1} onClick={() => onOpen(delivery._id)}>
          {what(delivery)}
        </button>
      </p>
      <p class="card-facts">
        <StatusOf delivery={delivery} />
        <Since iso={delivery.createdTime} />
      </p>
      <p class="card-facts">
        <bdi>{answerOf(delivery.tries.at(-1))}</bdi>
      </p>
    </>
  );
}

type DetailProps = { readonly delivery: Delivery; readonly onClose: () => void; readonly onAgain: () => unknown };

function Detail({ delivery, onClose, onAgain }: DetailProps) {
  const text = say().deliveries;
  const { ui } = words.value;
  const { tries, nextTryTime } = delivery;
  return (
    <Dialog title={text.detail} onClose={onClose} closeText={ui.close}>
      <p>
        {what(delivery)} · <StatusOf delivery={delivery} />
      </p>
      <ol class="account-tries">
        {tries.map((attempt, i) => (
          <li key={attempt.time}>
            <strong>{text.try(i + 1)}</strong> <At iso={attempt.time} />
            <br />
            <bdi>{attempt.error ?? ''}</bdi> <bdi>{answerOf(attempt)}</bdi>
          </li>
        ))}
      </ol>
      {nextTryTime && (
        <p>
          {text.next}: <At iso={nextTryTime} />
        </p>
      )}
      <p class="buttons">
        <Button look="main" onClick={onAgain}>
          {text.again}
        </Button>
        <Button onClick={onClose}>{ui.close}</Button>
      </p>
    </Dialog>
  );
}
