import { endSignIn, readSignIns, type SignIn } from '../../data/people/me.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { At, Since } from '../../parts/since.tsx';
import { Button } from '../../ui/button.tsx';
import { Busy, Problem } from '../../ui/notes.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { browserName } from './browser.ts';
import { say } from './words.ts';

/** Shows how somebody signed in as the person lately, and what of it goes on. */
export function SignIns() {
  const text = say();
  const { ui } = words.value;
  const held = useAsked(readSignIns, []);
  const end = async (signIn: SignIn) => {
    try {
      await endSignIn(signIn._id);
      toast(text.ended);
    } catch (error) {
      // It may have ended by itself.
      toast((error as { status?: number }).status === 404 ? text.hasEnded : errorText(error), { isBad: true });
    }
    held.again();
  };
  const live = held.value?.filter(({ lastUsedTime }) => lastUsedTime !== undefined) ?? [];
  const over = held.value?.filter(({ lastUsedTime }) => lastUsedTime === undefined) ?? [];
  return (
    <>
      <p class="soft">{text.signInsText}</p>
      {held.error !== undefined && <Problem text={errorText(held.error)} again={held.again} againText={ui.again} />}
      {held.value === undefined && held.error === undefined && <Busy text={ui.loading} />}
      {held.value && (
        <section class="own-part" aria-label={text.live}>
          <h2>{text.live}</h2>
          <ul class="own-list">
            {live.map((signIn) => (
              <li key={signIn._id}>
                <Came of={signIn} />
                {signIn.isCurrent ? (
                  <span class="own-here">{text.here}</span>
                ) : (
                  <Button aria-label={text.endOf(nameOf(signIn))} onClick={() => end(signIn)}>
                    {text.end}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {over.length > 0 && (
        <section class="own-part" aria-label={text.over}>
          <h2>{text.over}</h2>
          <ul class="own-list">
            {over.map((signIn) => (
              <li key={signIn._id}>
                <Came of={signIn} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

const nameOf = ({ userAgent }: SignIn): string =>
  browserName(userAgent) || userAgent.slice(0, 60) || say().unknownBrowser;

function Came({ of }: { readonly of: SignIn }) {
  const text = say();
  return (
    <div>
      <strong title={of.userAgent}>{nameOf(of)}</strong>
      <p>
        <At iso={of.time} /> · {text.byWay[of.way]}
        {of.clientAddress !== '' && (
          <>
            {' · '}
            <bdi>{of.clientAddress}</bdi>
          </>
        )}
      </p>
      {of.lastUsedTime !== undefined && (
        <p class="soft">
          {text.usedAt} <Since iso={of.lastUsedTime} />
        </p>
      )}
    </div>
  );
}
