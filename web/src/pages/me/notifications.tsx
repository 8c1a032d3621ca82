import { nodeAddress } from '../../data/addresses.ts';
import { className } from '../../data/nodes/classes.ts';
import { type OwnNotifications, readNotifications } from '../../data/people/me.ts';
import { type Preference, setPreference, subscribe } from '../../data/people/subscribers.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { start } from '../../data/session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Busy, EmptyState, Problem } from '../../ui/notes.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { say } from './words.ts';

type OwnWorkspace = OwnNotifications['workspaces'][number];
type OwnNode = OwnWorkspace['nodes'][number];
const WAYS = ['email', 'sms'] as const;

/** Shows the nodes that notify the person, and the ways by which they do. */
export function Notifications() {
  const text = say();
  const { ui } = words.value;
  const held = useAsked(readNotifications, []);
  const act = async (work: Promise<unknown>, said: string, undo?: () => Promise<unknown>) => {
    try {
      await work;
      toast(said, undo ? { action: { label: ui.undo, run: () => void act(undo(), text.back) } } : {});
    } catch (error) {
      toast(errorText(error), { isBad: true });
    }
    held.again();
  };
  return (
    <>
      <p class="soft">{text.notificationsText}</p>
      {held.error !== undefined && <Problem text={errorText(held.error)} again={held.again} againText={ui.again} />}
      {held.value === undefined && held.error === undefined && <Busy text={ui.loading} />}
      {held.value?.workspaces.length === 0 && (
        <EmptyState icon="bell" title={text.noNotifications}>
          {text.noNotificationsText}
        </EmptyState>
      )}
      {held.value?.hasMore && <p class="soft">{text.someShown}</p>}
      {held.value?.workspaces.map((workspace) => (
        <section key={workspace._id} class="own-part" aria-label={workspace.name}>
          <h2 dir="auto">{workspace.name}</h2>
          <Ways workspace={workspace} act={act} />
          <ul class="own-list">
            {workspace.nodes.map((node) => (
              <NodeLine key={node._id} node={node} workspace={workspace} act={act} />
            ))}
          </ul>
          {workspace.nodes.length === 0 && <p class="soft">{text.noNodes}</p>}
        </section>
      ))}
    </>
  );
}

type Acting = (work: Promise<unknown>, said: string, undo?: () => Promise<unknown>) => Promise<void>;

/** Shows the ways of each category. It holds for the whole Workspace. */
function Ways({ workspace, act }: { readonly workspace: OwnWorkspace; readonly act: Acting }) {
  const text = say();
  const { email } = start().person;
  const set = (now: Preference, wanted: Preference) =>
    act(setPreference(workspace._id, email, wanted), text.waySet(wanted.category), () =>
      setPreference(workspace._id, email, now),
    );
  return (
    <table class="own-ways">
      <thead>
        <tr>
          <th scope="col">{text.category}</th>
          {WAYS.map((way) => (
            <th key={way} scope="col">
              {text.ways[way]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {workspace.notificationCategories.map((category) => (
          <tr key={category.category}>
            <th scope="row" dir="auto">
              {category.category}
            </th>
            {WAYS.map((way) => (
              <td key={way}>
                <input
                  type="checkbox"
                  aria-label={text.wayOf(category.category, text.ways[way], workspace.name)}
                  checked={category[way]}
                  onChange={(event) => void set(category, { ...category, [way]: event.currentTarget.checked })}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type LineProps = { readonly node: OwnNode; readonly workspace: OwnWorkspace; readonly act: Acting };

function NodeLine({ node, workspace, act }: LineProps) {
  const text = say();
  const { email } = start().person;
  const { _id, _class, name, path, isOwn, groups, isStopped } = node;
  const mayChange = workspace.permissions.includes('SUBSCRIBE_NOTIFICATIONS');
  // The name comes first in the line, the Workspace above it.
  const place = path.split('/').slice(1, -1).join(' / ');
  return (
    <li>
      <div>
        <a href={nodeAddress(_id, 'rules')} dir="auto">
          {name}
        </a>
        <p class="soft">
          {className(_class)}
          {place !== '' && (
            <>
              {' · '}
              <bdi>{place}</bdi>
            </>
          )}
        </p>
        {groups.length > 0 && <p class="soft">{text.byGroups(groups.join(', '))}</p>}
        {isStopped && <p class="soft">{text.stopped}</p>}
      </div>
      {isOwn && mayChange && (
        <Button
          icon="close"
          aria-label={text.stopOf(name)}
          onClick={() => act(subscribe(_id, email, false), text.stoppedNow(name), () => subscribe(_id, email, true))}
        >
          {text.stop}
        </Button>
      )}
    </li>
  );
}
