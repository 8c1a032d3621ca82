import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { stationAddress } from '../../data/addresses.ts';
import { usePageTitle } from '../../parts/page-title.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Busy, Problem } from '../../ui/notes.tsx';
import { toast } from '../../ui/toast.tsx';
import { language, words } from '../../words/index.ts';
import { ConnectionStep } from './connection.tsx';
import { DoneStep } from './done.tsx';
import { begin, draft } from './draft.ts';
import { FileStep } from './file.tsx';
import { lackOf } from './lack.ts';
import { isWhole, rootOf } from './make.ts';
import { PlaceStep } from './place.tsx';
import { ReviewStep } from './review.tsx';
import { WayStep } from './way.tsx';
import { type Step, stepsOf, wayOf } from './ways.ts';
import { hasWords, loadWords, say } from './words.ts';
import '../../styles/maps.css';
import '../../styles/console/station.css';

/** Adds a station in steps, each with an address; nothing is made before the last one but one. */
export default function StationPage({ tab = 'place' }: { readonly tab?: string }) {
  const { ui } = words.value;
  const [hasFailed, setFailed] = useState(false);
  const wanted = language.value;
  useEffect(() => {
    loadWords().then(
      () => setFailed(false),
      () => setFailed(true),
    );
  }, [wanted, hasFailed]);
  if (hasFailed)
    return (
      <section class="page">
        <Problem text={words.value.frame.failed.loading} again={() => setFailed(false)} againText={ui.again} />
      </section>
    );
  if (!hasWords())
    return (
      <section class="page">
        <Busy text={ui.loading} />
      </section>
    );
  return <Wizard wanted={tab as Step} />;
}

/** The focus comes to a step that its buttons have opened, and not when the page is opened. */
let hasStepped = false;
/** The button of the foot that was clicked last went on. */
let wentOn = false;

function Wizard({ wanted }: { readonly wanted: Step }) {
  const { route } = useLocation();
  const text = say();
  // A station that is made whole is not continued.
  useState(() => wanted === 'place' && isWhole(draft()) && begin());
  const d = draft();
  const steps = stepsOf(wayOf(d.way));
  const heading = useRef<HTMLHeadingElement>(null);
  // The steps before a step settle what it needs.
  const lacking = steps.slice(0, Math.max(steps.indexOf(wanted), 0)).find((step) => lackOf(step, d) !== undefined);
  const step = !steps.includes(wanted) ? 'place' : (lacking ?? wanted);
  const at = steps.indexOf(step);
  useEffect(() => {
    if (step !== wanted) route(stationAddress(step), true);
  }, [step, wanted]);
  usePageTitle(`${text.steps[step]} · ${text.title}`);
  // The focus comes before the next key: a Tab that was pressed meanwhile would be taken back.
  useLayoutEffect(() => {
    if (hasStepped) heading.current?.focus();
    hasStepped = false;
  }, [step]);
  const go = (to: Step) => {
    hasStepped = true;
    route(stationAddress(to));
  };
  /** The second click of a double click comes to what the next step has in the same place: one that goes on is one step. */
  const press = ({ detail }: MouseEvent, to: Step, isOn: boolean) => {
    if (detail > 1 && (isOn || wentOn)) return;
    wentOn = isOn;
    go(to);
  };
  const lack = lackOf(step, d);
  const isDone = step === 'done';
  // A click on a way goes on by itself, and the review has a button of its own.
  const asksToGoOn = step !== 'review' && !(step === 'way' && lack !== undefined);
  const next = steps[at + 1];
  return (
    <section class="page station" aria-labelledby="title">
      <header class="station-head">
        <h1 id="title">{text.title}</h1>
        {!isDone && rootOf(d) === undefined && (
          <Button
            look="bare"
            onClick={() => {
              begin();
              toast(text.discarded);
              go('place');
            }}
          >
            {text.discard}
          </Button>
        )}
      </header>
      <nav aria-label={text.title}>
        <ol class="station-steps">
          {steps.map((entry, n) => {
            const isOpen = !isDone && n < at;
            return (
              <li key={entry} class={n < at ? 'is-past' : ''} aria-current={entry === step ? 'step' : undefined}>
                {isOpen ? (
                  <button type="button" class="button is-bare" onClick={() => go(entry)}>
                    <Icon name="check" />
                    {text.steps[entry]}
                  </button>
                ) : (
                  <span>{text.steps[entry]}</span>
                )}
              </li>
            );
          })}
        </ol>
      </nav>
      <div class="station-step">
        <h2 ref={heading} tabIndex={-1}>
          {text.steps[step]}{' '}
          <span class="soft station-at">{text.stepOf(at + 1, d.way === undefined ? undefined : steps.length)}</span>
        </h2>
        {step === 'place' && <PlaceStep />}
        {step === 'way' && <WayStep onGo={(way) => go(stepsOf(wayOf(way))[2]!)} />}
        {step === 'connection' && <ConnectionStep />}
        {step === 'file' && <FileStep />}
        {step === 'review' && <ReviewStep onDone={() => go('done')} />}
        {isDone && (
          <DoneStep
            onAgain={() => {
              begin();
              go('place');
            }}
          />
        )}
      </div>
      {!isDone && (
        <footer class="station-foot">
          {at > 0 && (
            <Button icon="left" onClick={(event) => press(event, steps[at - 1]!, false)}>
              {text.back}
            </Button>
          )}
          {asksToGoOn && next !== undefined && (
            <Button
              look="main"
              disabled={lack !== undefined}
              aria-describedby={lack === undefined ? undefined : 'station-lack'}
              onClick={(event) => press(event, next, true)}
            >
              {text.next}
            </Button>
          )}
          {asksToGoOn && lack !== undefined && (
            <p id="station-lack" class="soft">
              {text.missing(lack)}
            </p>
          )}
        </footer>
      )}
    </section>
  );
}
