import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import {
  deleteWebhook,
  enableWebhook,
  listWebhooks,
  MOST_WEBHOOKS,
  testWebhook,
  type Webhook,
} from '../../data/account/webhooks.ts';
import { accountAddress } from '../../data/addresses.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { times } from '../../data/times.ts';
import { Since } from '../../parts/since.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { EmptyState } from '../../ui/notes.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { Ask } from './ask.tsx';
import { Deliveries } from './deliveries.tsx';
import { eventsText } from './events-text.ts';
import { Read } from './read.tsx';
import { NewSecret, Secret } from './secret.tsx';
import { useAccountNews } from './use-account-news.ts';
import { addressText, EditWebhook, useWebhookDraft } from './webhook-form.tsx';
import { say } from './words.ts';

type Opened = { readonly kind: 'remove' | 'secret' | 'resume'; readonly webhook: Webhook };

/** Shows where events are sent, each place with its deliveries behind it. */
export function Webhooks() {
  const text = say().webhooks;
  const { query } = useLocation();
  const asked = useAsked(() => listWebhooks(), []);
  const draft = useWebhookDraft();
  const [opened, setOpened] = useState<Opened>();
  const [secret, setSecret] = useState('');
  useAccountNews(/webhook/i, asked.again);
  const close = () => setOpened(undefined);
  return (
    <Read asked={asked}>
      {(all) => {
        const chosen = all.find(({ _id }) => _id === query.webhook);
        if (chosen) return <Deliveries key={chosen._id} webhook={chosen} onChange={asked.again} />;
        const add = (
          <Button look="main" icon="plus" disabled={all.length >= MOST_WEBHOOKS} onClick={() => draft.add()}>
            {text.add}
          </Button>
        );
        return (
          <>
            {all.length === 0 ? (
              <EmptyState icon="pulse" title={text.none} action={add}>
                {text.noneText}
              </EmptyState>
            ) : (
              <>
                <p class="account-lead">{text.lead}</p>
                <ul class="account-cards" aria-label={say().tabs.webhooks}>
                  {all.map((webhook) => (
                    <Card
                      key={webhook._id}
                      webhook={webhook}
                      onEdit={() => draft.edit(webhook)}
                      onOpen={setOpened}
                      onChange={asked.again}
                    />
                  ))}
                </ul>
                <p>
                  {add} {all.length >= MOST_WEBHOOKS && <span class="soft">{text.most(MOST_WEBHOOKS)}</span>}
                </p>
              </>
            )}
            {draft.isOpen && <EditWebhook draft={draft} onSaved={asked.again} onSecret={setSecret} />}
            {opened?.kind === 'remove' && (
              <Ask<Webhook>
                title={text.removeTitle(opened.webhook.name)}
                main={text.removeIt}
                onClose={close}
                theirs={(theirs) => {
                  if (theirs) setOpened({ ...opened, webhook: theirs });
                  asked.again();
                  return theirs ? addressText(theirs) : say().gone;
                }}
                run={async () => {
                  await deleteWebhook(opened.webhook);
                  toast(say().deleted(opened.webhook.name));
                  asked.again();
                }}
              >
                <p>{text.removeText}</p>
              </Ask>
            )}
            {opened?.kind === 'secret' && (
              <NewSecret webhook={opened.webhook} onClose={close} onSecret={setSecret} onChange={asked.again} />
            )}
            {opened?.kind === 'resume' && <Resume webhook={opened.webhook} onClose={close} onChange={asked.again} />}
            {secret !== '' && <Secret value={secret} onClose={() => setSecret('')} />}
          </>
        );
      }}
    </Read>
  );
}

type CardProps = {
  readonly webhook: Webhook;
  readonly onEdit: () => void;
  readonly onOpen: (opened: Opened) => void;
  readonly onChange: () => void;
};

function Card({ webhook, onEdit, onOpen, onChange }: CardProps) {
  const text = say().webhooks;
  const { _id, name, url, enabled, eventsWait, failures, previousSecretUntil } = webhook;
  const pause = async () => {
    await enableWebhook(_id, false).catch((error: unknown) => toast(errorText(error), { isBad: true }));
    onChange();
  };
  const resume = async () => {
    if (eventsWait) return onOpen({ kind: 'resume', webhook });
    await enableWebhook(_id, true).catch((error: unknown) => toast(errorText(error), { isBad: true }));
    onChange();
  };
  const test = async () => {
    try {
      await testWebhook(_id);
      toast(text.testSent);
    } catch (error) {
      toast(errorText(error), { isBad: true });
    }
    onChange();
  };
  return (
    <li class="account-card">
      <div class="account-head">
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <StateOf webhook={webhook} />
      </div>
      <p class="account-url">
        <bdi>{url}</bdi>
      </p>
      <p>{eventsText(webhook.filter)}</p>
      <LastTry webhook={webhook} />
      {failures > 0 && <p class="account-warn">{text.failures(failures)}</p>}
      {!enabled && (
        <p class="soft">
          {webhook.disabledReason && text.disabledAdvice} {eventsWait && text.waits}
        </p>
      )}
      {previousSecretUntil && <p class="soft">{text.previous(times().whole(Date.parse(previousSecretUntil)))}</p>}
      <p class="buttons">
        <a class="button is-quiet" href={`${accountAddress('webhooks')}?webhook=${_id}`}>
          {text.deliveries}
        </a>
        <Button onClick={test}>{text.test}</Button>
        {enabled ? <Button onClick={pause}>{text.pause}</Button> : <Button onClick={resume}>{text.resume}</Button>}
        <Button icon="pencil" onClick={onEdit}>
          {text.change}
        </Button>
        <Menu
          label={text.menu(name)}
          button={<Icon name="more" />}
          items={[
            { label: text.secret, onSelect: () => onOpen({ kind: 'secret', webhook }) },
            {
              label: text.remove,
              icon: 'trash',
              isDanger: true,
              isApart: true,
              onSelect: () => onOpen({ kind: 'remove', webhook }),
            },
          ]}
        />
      </p>
    </li>
  );
}

function StateOf({ webhook: { enabled, disabledReason } }: { readonly webhook: Webhook }) {
  const text = say().webhooks;
  if (enabled)
    return (
      <span class="account-state is-good">
        <Icon name="check" /> {text.active}
      </span>
    );
  return (
    <span class={disabledReason ? 'account-state is-bad' : 'account-state'}>
      <Icon name={disabledReason ? 'warning' : 'minus'} />{' '}
      {disabledReason ? text.disabled[disabledReason] : text.paused}
    </span>
  );
}

function LastTry({ webhook: { lastTry } }: { readonly webhook: Webhook }) {
  const text = say().webhooks;
  if (!lastTry) return <p class="soft">{text.neverTried}</p>;
  return (
    <p class={lastTry.error ? 'account-warn' : 'soft'}>
      {text.lastTry}: {lastTry.error ?? text.arrived} <Since iso={lastTry.time} />
    </p>
  );
}

type ResumeProps = { readonly webhook: Webhook; readonly onClose: () => void; readonly onChange: () => void };

/** Asks for the events that have waited: they are sent, or left out. */
function Resume({ webhook, onClose, onChange }: ResumeProps) {
  const text = say().webhooks;
  const resume = (skipWaiting: boolean) => async () => {
    await enableWebhook(webhook._id, true, skipWaiting);
    onChange();
  };
  return (
    <Ask
      title={text.resumeTitle(webhook.name)}
      look="main"
      main={text.resumeAll}
      run={resume(false)}
      other={{ label: text.resumeNow, run: resume(true) }}
      onClose={onClose}
    >
      <p>{text.resumeText}</p>
    </Ask>
  );
}
