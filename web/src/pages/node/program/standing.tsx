import { nodeAddress } from '../../../data/addresses.ts';
import type { Node } from '../../../data/nodes/nodes.ts';
import { above } from '../../../data/nodes/search.ts';
import { type Computation, type Follower, type SeriesLink, startAgain } from '../../../data/processing/computations.ts';
import type { Asked } from '../../../data/requests/use-asked.ts';
import { may } from '../../../data/session/rights.ts';
import { times } from '../../../data/times.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Busy, Problem } from '../../../ui/notes.tsx';
import { toast } from '../../../ui/toast.tsx';
import { errorText } from '../../../words/error-text.ts';
import { words } from '../../../words/index.ts';
import { hasRating, isProcessor, isProgram } from '../has-program.ts';
import { say } from './words.ts';

type StandingProps = { readonly node: Node; readonly isGone: boolean; readonly asked: Asked<Computation> };

/** Shows whether a program runs, and why it does not; a suspended program is started again here. */
export function Standing({ node, isGone, asked }: StandingProps) {
  const texts = say();
  const { ui } = words.value;
  const { whole } = times();
  const { value, error, again } = asked;
  if (value === undefined)
    return error === undefined ? (
      <Busy text={ui.loading} />
    ) : (
      <Problem text={`${texts.standingFailed} ${errorText(error)}`} again={again} againText={ui.again} />
    );
  const { state, message, suspendedUntil, evaluatedUntil, computedRecords } = value;
  return (
    <section class="program-standing" aria-label={texts.standing}>
      <p>
        <StateSign state={state} />
        {state === 'COMPUTING' && <span class="soft">{texts.soFar(computedRecords)}</span>}
        {state === 'RUNNING' && evaluatedUntil !== null && (
          <span class="soft">{texts.evaluatedUntil(whole(Date.parse(evaluatedUntil)))}</span>
        )}
      </p>
      {message !== null && (
        <p class="program-error" dir="auto">
          {message}
        </p>
      )}
      {suspendedUntil !== null && <p>{texts.suspended(whole(Date.parse(suspendedUntil)))}</p>}
      {state === 'SUSPENDED' && !isGone && (
        <StartAgain id={node._id} node={node} isWhole={!isProcessor(node)} again={again} />
      )}
    </section>
  );
}

function StateSign({ state }: { readonly state: Computation['state'] }) {
  const isBad = state === 'REFUSED' || state === 'SUSPENDED' || state === 'FAILING';
  const look = isBad ? 'is-bad' : state === 'RUNNING' ? 'is-good' : 'is-plain';
  return (
    <strong class={`program-state ${look}`}>
      {isBad ? <Icon name="warning" /> : state === 'RUNNING' ? <Icon name="check" /> : <Icon name="clock" />}
      {say().states[state]}
    </strong>
  );
}

type StartAgainProps = {
  readonly id: string;
  readonly node: Node;
  readonly isWhole: boolean;
  readonly again: () => void;
};

function StartAgain({ id, node, isWhole, again }: StartAgainProps) {
  const texts = say();
  if (!may('CONTROL', node)) return null;
  const start = async () => {
    try {
      await startAgain(id);
      toast(texts.startedAgain);
    } catch (error) {
      toast(errorText(error));
    }
    again();
  };
  return (
    <p class="program-start">
      <Button onClick={start}>{texts.startAgain}</Button> {isWhole && <span class="soft">{texts.startsAll}</span>}
    </p>
  );
}

/** Shows what a program reads and writes, as it is saved. */
export function ReadsAndWrites({ value: { inputs, outputs } }: { readonly value: Computation }) {
  const texts = say();
  return (
    <dl class="program-series">
      <div>
        <dt>{texts.reads}</dt>
        {inputs.length === 0 && <dd class="soft">{texts.readsNone}</dd>}
        {inputs.map((input, i) => (
          <dd key={input._id}>
            <SeriesName series={input} />
            {i === 0 && inputs.length > 1 && <span class="soft"> – {texts.first}</span>}
          </dd>
        ))}
      </div>
      {outputs.length > 0 && (
        <div>
          <dt>{texts.writes}</dt>
          {outputs.map((output) => (
            <dd key={output._id}>
              <SeriesName series={output} />
            </dd>
          ))}
        </div>
      )}
    </dl>
  );
}

function SeriesName({ series, address }: { readonly series: SeriesLink; readonly address?: string }) {
  return (
    <>
      <a href={address ?? nodeAddress(series._id)} dir="auto">
        {series.name}
      </a>{' '}
      <span class="soft" dir="auto">
        {above(series)}
      </span>
    </>
  );
}

type FollowsProps = {
  readonly node: Node;
  readonly isGone: boolean;
  readonly value: Computation;
  readonly again: () => void;
};

/** Shows all that a change computes anew, so that nobody is surprised by it. */
export function Follows({ node, isGone, value: { followers, hasMore }, again }: FollowsProps) {
  const texts = say();
  const isShared = node._class.endsWith('.Workspace');
  const isComputed = hasRating(node) || (isProgram(node) && !isProcessor(node));
  return (
    <section class="editor-section program-follows" aria-label={texts.follows}>
      <h2>{texts.follows}</h2>
      {isComputed && <p>{texts.followsSelf}</p>}
      <p>
        {isShared
          ? texts.followsShared(followers.length)
          : followers.length === 0
            ? texts.followsNone
            : texts.followsNext(followers.length)}
      </p>
      <ul>
        {followers.map((follower) => (
          <FollowerLine key={follower._id} follower={follower} node={node} isGone={isGone} again={again} />
        ))}
        {hasMore && <li class="soft">{texts.more}</li>}
      </ul>
    </section>
  );
}

type FollowerLineProps = {
  readonly follower: Follower;
  readonly node: Node;
  readonly isGone: boolean;
  readonly again: () => void;
};

function FollowerLine({ follower, node, isGone, again }: FollowerLineProps) {
  const texts = say();
  const { whole } = times();
  const { state, kind, message, suspendedUntil } = follower;
  return (
    <li>
      <SeriesName series={follower} address={nodeAddress(follower._id, kind === 'PROGRAM' ? 'program' : 'rating')} />{' '}
      {kind === 'RATING' ? (
        <span class="soft">{texts.kinds.RATING}</span>
      ) : (
        state !== 'RUNNING' && <StateSign state={state} />
      )}
      {message !== null && (
        <p class="program-error" dir="auto">
          {message}
        </p>
      )}
      {suspendedUntil !== null && <p>{texts.suspended(whole(Date.parse(suspendedUntil)))}</p>}
      {state === 'SUSPENDED' && !isGone && <StartAgain id={follower._id} node={node} isWhole={false} again={again} />}
    </li>
  );
}
