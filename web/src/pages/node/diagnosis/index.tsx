import { useEffect, useState } from 'preact/hooks';
import { nodeAddress, type Tab } from '../../../data/addresses.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import { isWrong } from '../../../data/requests/failures.ts';
import { useAsked } from '../../../data/requests/use-asked.ts';
import { may } from '../../../data/session/rights.ts';
import {
  type AdviceCode,
  acquireNow,
  type Diagnosis,
  readDiagnosis,
  type StateCode,
} from '../../../data/sources/diagnosis.ts';
import { nowMs } from '../../../data/streams/connection.ts';
import { onEvents, onNodes } from '../../../data/streams/live.ts';
import { Fact } from '../../../parts/fact.tsx';
import { At, Since } from '../../../parts/since.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { Busy, EmptyState, Problem } from '../../../ui/notes.tsx';
import { toast } from '../../../ui/toast.tsx';
import { errorText } from '../../../words/error-text.ts';
import { words } from '../../../words/index.ts';
import { Rhythm } from './rhythm.tsx';
import { spanText } from './spans.ts';
import '../../../styles/console/diagnosis.css';

/** Silence is looked for by the clock too: no event reports that nothing came. */
const LOOK_MS = 60_000;
/** Events come in groups. */
const SETTLE_MS = 700;

/** Answers «Why is it silent?». One card shows the state in a sentence, what it rests on, and what to do. */
export function NodeDiagnosis({ node }: { readonly node: Node }) {
  const { diagnosis: say, ui } = words.value;
  const minute = Math.floor(nowMs.value / LOOK_MS);
  const [news, setNews] = useState(0);
  const asked = useAsked((signal) => readDiagnosis(node._id, signal), [node._id, minute, news]);
  const sourceId = asked.value?.nodeId;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setNews((n) => n + 1);
      }, SETTLE_MS);
    };
    const concerns = (id: string | undefined) => id !== undefined && (id === node._id || id === sourceId);
    const ends = [
      onEvents((event) => concerns((event as { readonly nodeId?: string }).nodeId) && look()),
      onNodes((news) => (news.kind === 'reset' || (news.kind === 'node' && concerns(news.node._id))) && look()),
    ];
    return () => {
      clearTimeout(timer);
      for (const end of ends) end();
    };
  }, [node._id, sourceId]);
  const { value, error } = asked;
  if (!value) {
    if (error === undefined) return <Busy text={say.loading} />;
    // The one refusal there is of a node that can be read: it has no source, or several.
    if (isWrong(error))
      return (
        <EmptyState
          icon="source"
          title={say.noSource}
          action={
            <a class="button" href={nodeAddress(node._id)}>
              {say.toBelow}
            </a>
          }
        >
          {say.noSourceText}
        </EmptyState>
      );
    return <Problem text={`${say.failed} ${errorText(error)}`} again={asked.again} againText={ui.again} />;
  }
  return (
    <>
      {error !== undefined && (
        <Problem text={`${say.failed} ${errorText(error)}`} again={asked.again} againText={ui.again} />
      )}
      <Card node={node} of={value} isStale={error !== undefined} />
    </>
  );
}

type CardProps = { readonly node: Node; readonly of: Diagnosis; readonly isStale: boolean };

function Card({ node, of, isStale }: CardProps) {
  const { diagnosis: say } = words.value;
  const { isSilent, code } = of.state;
  return (
    <article class={isStale ? 'diagnosis is-stale' : 'diagnosis'} aria-labelledby="diagnosis-title">
      <header class={`diagnosis-state is-${toneOf(of)}`}>
        <Icon name={ICONS[toneOf(of)]} />
        <div>
          <p class="diagnosis-word">
            {isSilent
              ? say.silent
              : say.notSilent[code === 'WORKING' ? 'working' : code === 'FINE' ? 'fine' : 'unsure']}
          </p>
          <h2 id="diagnosis-title">{sentenceOf(of)}</h2>
          {of.nodeId !== node._id && (
            <p class="soft">
              {say.ofSource}{' '}
              <a href={nodeAddress(of.nodeId, 'diagnosis')} dir="auto">
                {of.name}
              </a>
            </p>
          )}
          {of.lastError && EXPLAINED.has(code) && (
            <p class="diagnosis-error">
              <q dir="auto">{of.lastError.message}</q>
            </p>
          )}
        </div>
      </header>
      {of.unknown.length > 0 && <p class="diagnosis-unknown">{say.unknown}</p>}
      <div class="diagnosis-body">
        <Advice node={node} of={of} />
        <section class="diagnosis-known" aria-labelledby="diagnosis-facts">
          <h3 id="diagnosis-facts">{say.facts}</h3>
          <Rhythm diagnosis={of} nowMs={nowMs.value} />
          <Facts of={of} />
        </section>
        <Peers of={of} />
      </div>
    </article>
  );
}

/** The sentence of these states is in what was said last. */
const EXPLAINED: ReadonlySet<StateCode> = new Set(['CONNECTION_FAILS', 'FILE_REFUSED', 'ACCESS_REFUSED']);
type Tone = 'silent' | 'off' | 'fine' | 'unsure';
const ICONS: Readonly<Record<Tone, IconName>> = { silent: 'warning', off: 'minus', fine: 'check', unsure: 'clock' };
function toneOf({ state }: Diagnosis): Tone {
  if (state.code === 'DISABLED') return 'off';
  if (state.isSilent) return 'silent';
  return state.code === 'RHYTHM_UNKNOWN' ? 'unsure' : 'fine';
}

/** Writes a sentence in the language of the page, with the age of this moment. */
function sentenceOf({ state, lastContact, usualInterval, lastFile }: Diagnosis): string {
  const { diagnosis: say } = words.value;
  const ago = lastContact && spanText((nowMs.value - Date.parse(lastContact.time)) / 1_000, say.since);
  const usual = usualInterval && spanText(usualInterval.seconds, say.every);
  return say.states[state.code]({ ago, usual, file: lastFile?.name ?? null });
}

function Facts({ of }: { readonly of: Diagnosis }) {
  const { diagnosis: say } = words.value;
  const { lastContact, usualInterval, lastFile, lastError, clock, device } = of;
  return (
    <dl class="facts-list">
      <Fact name={say.lastContact}>
        {lastContact ? (
          <>
            {say.ways[lastContact.way]} · <Moment iso={lastContact.time} />
          </>
        ) : (
          say.never
        )}
      </Fact>
      <Fact name={say.usual}>
        {usualInterval
          ? `${spanText(usualInterval.seconds, say.every)} · ${say.usualFrom[usualInterval.from]}`
          : say.usualUnknown}
      </Fact>
      <Fact name={say.lastRecord}>{of.lastRecordTime ? <Moment iso={of.lastRecordTime} /> : say.never}</Fact>
      {lastFile && (
        <Fact name={say.lastFile}>
          <bdi class="diagnosis-file">{lastFile.name}</bdi> · <Moment iso={lastFile.time} />
          <br />
          {lastFile.refusal === null ? say.read(lastFile.records, lastFile.parsed, lastFile.lines) : say.refusedWhole}
          {lastFile.unreadableFields > 0 && ` ${say.unreadable(lastFile.unreadableFields)}`}
          {lastFile.firstError && (
            <q class="diagnosis-quote" dir="auto">
              {lastFile.firstError}
            </q>
          )}
        </Fact>
      )}
      {lastError && lastError.message !== lastFile?.firstError && (
        <Fact name={say.lastError}>
          <Moment iso={lastError.time} />
          <q class="diagnosis-quote" dir="auto">
            {lastError.message}
          </q>
        </Fact>
      )}
      {device && (
        <Fact name={say.device}>
          {device.isConnected ? say.connected : say.notConnected}
          {device.lastConnectedTime && (
            <>
              {' · '}
              <Moment iso={device.lastConnectedTime} />
            </>
          )}
        </Fact>
      )}
      <Fact name={say.nextTry}>{of.nextTry ? <Moment iso={of.nextTry} /> : say.noNextTry}</Fact>
      {clock && (
        <Fact name={say.clock}>
          {(clock.aheadSeconds < 0 ? say.slow : say.fast)(spanText(Math.abs(clock.aheadSeconds), say.since))} ·{' '}
          {say.clockFrom[clock.from]}
        </Fact>
      )}
    </dl>
  );
}

/** A time and its age. */
const Moment = ({ iso }: { readonly iso: string }) => (
  <>
    <At iso={iso} /> · <Since iso={iso} />
  </>
);

/** The advice leads to these places. */
const PLACES: Partial<Record<AdviceCode, Tab>> = {
  ENABLE_SOURCE: 'settings',
  CHECK_SERVER: 'settings',
  CHECK_PARSER: 'settings',
  CHECK_LOGIN: 'settings',
  SET_UP_SENDER: 'settings',
  CHECK_CLOCK: 'settings',
  WATCH_SOURCE: 'settings',
  CHECK_LINES: 'events',
};

function Advice({ node, of }: { readonly node: Node; readonly of: Diagnosis }) {
  const { diagnosis: say } = words.value;
  return (
    <section class="diagnosis-advice" aria-labelledby="diagnosis-advice">
      <h3 id="diagnosis-advice">{say.whatToDo}</h3>
      {of.advice.length === 0 ? (
        <p class="soft">{say.nothingToDo}</p>
      ) : (
        <ol>
          {of.advice.map(({ code }) => {
            const place = PLACES[code];
            return (
              <li key={code}>
                {say.advice[code]}{' '}
                {place && (
                  <a href={nodeAddress(of.nodeId, place)}>{place === 'settings' ? say.toSettings : say.toEvents}</a>
                )}
                {code === 'ACQUIRE_NOW' && may('CONTROL', node) && (
                  <button type="button" class="button is-quiet" onClick={() => void acquire(of.nodeId)}>
                    {say.acquire}
                  </button>
                )}
              </li>
            );
          })}
        </ol>
      )}
      <p>
        <a href={nodeAddress(of.nodeId, 'events')}>{say.toLog}</a>
      </p>
    </section>
  );
}

async function acquire(id: string): Promise<void> {
  try {
    await acquireNow(id);
    toast(words.value.diagnosis.acquired);
  } catch (error) {
    toast(errorText(error));
  }
}

function Peers({ of }: { readonly of: Diagnosis }) {
  const { diagnosis: say } = words.value;
  if (!of.peers) return null;
  const { by, total, silent, named, hasMore } = of.peers;
  return (
    <section aria-labelledby="diagnosis-peers">
      <h3 id="diagnosis-peers">{say.peers[by]}</h3>
      <p class={silent > 0 ? '' : 'soft'}>
        {total === 0 ? say.noPeers : say.silentPeers(silent, total)}
        {hasMore && ` ${say.morePeers}`}
      </p>
      {named.length > 0 && (
        <ul class="diagnosis-peers">
          {named.map(({ nodeId, name, lastTime }) => (
            <li key={nodeId}>
              <a href={nodeAddress(nodeId, 'diagnosis')} dir="auto">
                {name}
              </a>
              <span class="soft">{lastTime ? <Since iso={lastTime} /> : say.never}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
