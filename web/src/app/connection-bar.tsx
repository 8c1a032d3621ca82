import { start } from '../data/session/session.ts';
import { connection, nowMs, wake } from '../data/streams/connection.ts';
import { times } from '../data/times.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { words } from '../words/index.ts';

/** Says that what is shown may be old, and since when. */
export function ConnectionBar() {
  const current = connection.value;
  const { frame } = words.value;
  const { connection: say } = frame;
  return (
    <div class="connection" role="status">
      {start().invitations > 0 && (
        <p class="is-calm">
          <Icon name="person" />
          <span>{frame.invitations(start().invitations)}</span>
          <a class="button is-quiet" href="/account">
            {frame.answer}
          </a>
        </p>
      )}
      {current.kind === 'away' && (
        <p>
          <Icon name="offline" />
          <span>{say.awaySince(times().short(current.sinceMs, nowMs.value))}</span>
          <Button look="bare" onClick={wake}>
            {say.again}
          </Button>
        </p>
      )}
    </div>
  );
}
