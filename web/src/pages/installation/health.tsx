import { useAsked } from '../../data/requests/use-asked.ts';
import { type Health, readHealth } from '../../data/session/operator.ts';
import { nowMs } from '../../data/streams/connection.ts';
import { At, Since } from '../../parts/since.tsx';
import { sizeText } from '../../parts/size-text.ts';
import { Button } from '../../ui/button.tsx';
import { longTime } from '../../ui/form/numbers.ts';
import { Icon } from '../../ui/icon.tsx';
import { Busy, Problem } from '../../ui/notes.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { say } from './words.ts';

/** Nobody is notified when something here changes. */
const LOOK_MS = 60_000;
/** The worst first. */
const LEVELS = ['problem', 'warning', 'unknown', 'ok'] as const;
const SIGNS = { problem: 'close', warning: 'bell', unknown: 'clock', ok: 'check' } as const;

/** Shows what can be seen of the installation, in the words of `catchment doctor`. */
export function HealthPart() {
  const text = say();
  const { ui } = words.value;
  const tick = Math.floor(nowMs.value / LOOK_MS);
  const asked = useAsked(
    async (signal) => ({ health: await readHealth(signal), iso: new Date().toISOString() }),
    [tick],
  );
  return (
    <>
      {asked.error !== undefined && <Problem text={errorText(asked.error)} again={asked.again} againText={ui.again} />}
      {asked.value === undefined && asked.isLoading && <Busy text={ui.loading} />}
      {asked.value && (
        <>
          <p class="buttons">
            <Button onClick={asked.again}>{text.again}</Button>
            <span class="soft">
              {text.lookedAt} <Since iso={asked.value.iso} />
            </span>
          </p>
          <Findings health={asked.value.health} />
          <Backups health={asked.value.health} />
          <Shards health={asked.value.health} />
          <Versions health={asked.value.health} />
        </>
      )}
    </>
  );
}

function Findings({ health: { findings } }: { readonly health: Health }) {
  const text = say();
  const sorted = LEVELS.flatMap((level) => findings.filter((finding) => finding.level === level));
  return (
    <section class="operator-card" aria-label={text.findings}>
      <h2>{text.findings}</h2>
      <ul class="operator-findings">
        {sorted.map(({ level, kind = '', values = {}, ...english }) => {
          const translated = Object.hasOwn(text.findingsOf, kind) ? text.findingsOf[kind]?.(values) : undefined;
          const { about, says, advice } = translated ?? english;
          return (
            <li key={`${about} ${says}`} class={`is-${level}`}>
              <span class="operator-level">
                <Icon name={SIGNS[level]} /> {text.levels[level]}
              </span>
              <div lang={translated ? undefined : 'en'}>
                <strong>{about}</strong> {says}
                {advice !== undefined && level !== 'ok' && <p class="soft">{advice}</p>}
              </div>
            </li>
          );
        })}
      </ul>
      <p class="soft">{text.further}</p>
    </section>
  );
}

function Backups({ health: { backups } }: { readonly health: Health }) {
  const text = say();
  const [last] = backups;
  return (
    <section class="operator-card" aria-label={text.backups}>
      <h2>{text.backups}</h2>
      {last === undefined ? (
        <p>
          <Icon name="bell" /> <strong>{text.noBackup}.</strong> {text.noBackupText}
        </p>
      ) : (
        <>
          <p>
            <strong>
              {text.lastBackup}: <Since iso={last.finishedTime} />
            </strong>
          </p>
          <ul class="operator-lines">
            {backups.map(({ finishedTime, tookSeconds, sizeBytes }) => (
              <li key={finishedTime}>
                <At iso={finishedTime} />
                <span class="soft">
                  {text.backup(sizeText(sizeBytes), longTime(Math.max(tookSeconds, 1)) || `${tookSeconds} s`)}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Shards({ health: { shards } }: { readonly health: Health }) {
  const text = say();
  if (shards.length === 0) return null;
  return (
    <section class="operator-card" aria-label={text.shards}>
      <h2>{text.shards}</h2>
      <ul class="operator-lines">
        {shards.map(({ name, isUp, isDrained, workspaces, pending }) => (
          <li key={name}>
            <span>
              <strong>{name}</strong> <Icon name={isUp ? 'check' : 'close'} /> {isUp ? text.up : text.away}
              {isDrained && `, ${text.drained}`}
            </span>
            <span class="soft">{text.shardText(shards.length > 1 ? workspaces : undefined, pending)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Versions({ health: { processes } }: { readonly health: Health }) {
  const text = say();
  const byVersion = Map.groupBy(processes, ({ version }) => version);
  return (
    <section class="operator-card" aria-label={text.processes}>
      <h2>{text.processes}</h2>
      {byVersion.size > 1 && <p class="operator-warn">{text.versionsDiffer}</p>}
      <ul class="operator-lines">
        {[...byVersion].map(([version, all]) => (
          <li key={version}>
            <strong>{version}</strong>
            <span class="soft">
              {text.processCount(all.length)}: {[...new Set(all.map(({ service }) => service))].join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
