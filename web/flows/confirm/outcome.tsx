import type { Confirmation } from '@tenant-payments/contract/hosted/view.ts';
import { Actions } from '../../ui/button.tsx';
import { CheckIcon, ClockIcon, WarningIcon } from '../../ui/icons.tsx';
import { usePage } from '../../ui/page_context.ts';
import { Step } from '../../ui/step.tsx';
import { PasskeyOffer, usePasskeyOffer } from '../passkeys/offer.tsx';
import { EndAction } from '../session/end_action.tsx';
import { isDeclined } from '../session/ending.ts';
import { useSession } from '../session/session.ts';
import type { Texts } from '../texts/en.ts';

type Words = Texts['confirm'];

/** What a record that was confirmed is called by now; null: it is in none of these states. */
function doneTitle({ type, status }: Confirmation, { done }: Words): string | null {
  const titles: Readonly<Record<string, string>> = done[type];
  return titles[status] ?? null;
}

/** What still has to happen, and who does it. */
function whatFollows({ type, status, from }: Confirmation, words: Words, amount: string) {
  const { after } = words;
  if (status === 'pending_funds') return after.waiting;
  if (status !== 'processing') return null;
  const asksBank = type === 'load' || type === 'payment';
  return asksBank ? after.atBank(from.institution_name ?? '', amount) : after.onItsWay;
}

function Confirmed({ confirmation, title }: { confirmation: Confirmation; title: string }) {
  const { texts, dollars } = usePage();
  const offer = usePasskeyOffer();
  const { type, status, amount, total, counterparty } = confirmation;
  const follows = whatFollows(confirmation, texts.confirm, dollars(total));
  const isWaiting = status === 'processing' || status === 'pending_funds';
  const [tone, icon] = isWaiting
    ? (['calm', <ClockIcon key="sign" />] as const)
    : (['good', <CheckIcon key="sign" />] as const);
  return (
    <Step name="done" title={title} sign={{ tone, icon }}>
      <p class="amount">{dollars(type === 'payment' ? total : amount)}</p>
      {counterparty && <p class="lead">{counterparty}</p>}
      {follows && <p class="lead">{follows}</p>}
      <PasskeyOffer offer={offer} />
      <Actions>
        <EndAction />
      </Actions>
    </Step>
  );
}

function NotConfirmed({ confirmation }: { readonly confirmation: Confirmation }) {
  const { texts, dollars } = usePage();
  const { view } = useSession();
  const { confirm, failures } = texts;
  const { type, status, failure_code: code, amount } = confirmation;
  const isFailed = status === 'failed' && !isDeclined(view);
  if (isFailed)
    return (
      <Step
        name="failed"
        title={confirm.failedTitle[type]}
        sign={{ tone: 'bad', icon: <WarningIcon /> }}
      >
        <p class="amount is-void">{dollars(amount)}</p>
        <p class="lead">{failures[code ?? ''] ?? failures.other}</p>
        <Actions>
          <EndAction />
        </Actions>
      </Step>
    );
  const [name, title, text] = isDeclined(view)
    ? (['declined', confirm.declinedTitle, confirm.declined] as const)
    : (['canceled', confirm.canceledTitle, confirm.canceled] as const);
  return (
    <Step name={name} title={title} sign={{ tone: 'calm', icon: <ClockIcon /> }}>
      <p class="amount is-void">{dollars(amount)}</p>
      <p class="lead">{text}</p>
      <Actions>
        <EndAction />
      </Actions>
    </Step>
  );
}

/** How a confirmation ended: done, on its way, failed, declined or left. */
export function Outcome({ confirmation }: { readonly confirmation: Confirmation }) {
  const { texts } = usePage();
  const { view } = useSession();
  const title = view.status === 'completed' ? doneTitle(confirmation, texts.confirm) : null;
  if (title !== null) return <Confirmed confirmation={confirmation} title={title} />;
  return <NotConfirmed confirmation={confirmation} />;
}
