import { useAsked } from '../../data/requests/use-asked.ts';
import { listChildren } from '../../data/tree/children.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Problem } from '../../ui/notes.tsx';
import { words } from '../../words/index.ts';
import { change, draft } from './draft.ts';
import { WAYS, type WayKey } from './ways.ts';
import { say } from './words.ts';

const GROUPS = ['file', 'sent', 'fetched', 'device'] as const;
/** This many templates are offered at once. */
const MOST = 100;

/** Asks how data come: a click chooses and goes on. */
export function WayStep({ onGo }: { readonly onGo: (way: WayKey) => void }) {
  const text = say();
  const d = draft();
  const templates = useAsked(async (signal) => {
    const { nodes } = await listChildren({ limit: 200 }, signal);
    const room = nodes.find(({ _class }) => /\.Templates$/.test(_class));
    if (room === undefined || room.childCount === 0) return [];
    return (await listChildren({ parentId: room._id, limit: MOST }, signal)).nodes;
  }, []);
  // An instance lies outside of places.
  const some = d.parent?.isPlace ? [] : (templates.value ?? []);
  const isMade = Object.values(d.made).some(({ isDone }) => isDone);
  const choose = (way: WayKey) => {
    if (!isMade) change({ way, template: undefined });
    if (way !== 'template') onGo(way);
  };
  return (
    <div class="station-ways">
      <p class="hint">{text.waysHint}</p>
      {GROUPS.map((group) => (
        <section key={group} aria-label={text.groups[group]}>
          <h3>{text.groups[group]}</h3>
          <ul>
            {WAYS.filter((way) => way.group === group && (way.key !== 'template' || some.length > 0)).map(
              ({ key, icon }) => {
                const [name, what] = text.ways[key] ?? [key, ''];
                return (
                  <li key={key}>
                    <button
                      type="button"
                      class="station-way"
                      disabled={isMade && d.way !== key}
                      aria-pressed={d.way === key}
                      onClick={() => choose(key)}
                    >
                      <Icon name={icon} />
                      <span>
                        <strong>{name}</strong>
                        <span class="soft">{what}</span>
                      </span>
                    </button>
                  </li>
                );
              },
            )}
          </ul>
        </section>
      ))}
      {templates.error !== undefined && (
        <Problem text={text.templateFailed} again={templates.again} againText={words.value.ui.again} />
      )}
      {d.way === 'template' && (
        <section aria-label={text.template}>
          <h3>{text.template}</h3>
          <p class="hint">{text.templatePlace}</p>
          <p class="station-choices">
            {some.map(({ _id, name, _class }) => (
              <Button
                key={_id}
                icon="copy"
                aria-pressed={d.template?._id === _id}
                look={d.template?._id === _id ? 'main' : 'quiet'}
                onClick={() => {
                  change({ template: { _id, name, isPlace: /\.Location$/.test(_class) } });
                  onGo('template');
                }}
              >
                <bdi>{name}</bdi>
              </Button>
            ))}
          </p>
        </section>
      )}
    </div>
  );
}
