import type { Confirmation, View } from '@tenant-payments/contract/hosted/view.ts';
import { CheckIcon, ClockIcon, StopIcon, WarningIcon } from '../../ui/icons.tsx';
import { Step } from '../../ui/step.tsx';
import { PasskeyOffer, usePasskeyOffer } from '../passkeys/offer.tsx';
import { isDeclined } from '../session/ending.ts';
import { useSession } from '../session/session.ts';
import type { Texts } from '../texts/en.ts';
import { usePage } from '../use_page.ts';
import { courseOf } from './course.ts';
import { Receipt, ReceiptActions } from './receipt.tsx';

type Words = Texts['confirm'];

/**
 * The title for a record that was confirmed, by its state; null: it is in no state that counts as
 * done.
 */
function doneTitle({ type, status }: Confirmation, { done }: Words): string | null {
  const titles: Readonly<Record<string, string>> = done[type];
  return titles[status] ?? null;
}

/**
 * The sentence that says what still has to happen, and who does it; null: nothing is left to say.
 */
function whatFollows(confirmation: Confirmation, words: Words, amount: string) {
  const { after } = words;
  const { status, from } = confirmation;
  const { next, arrives } = courseOf(confirmation);
  if (status === 'pending_funds') return after.waiting;
  if (status !== 'processing') return null;
  return arrives === 'onApproval' && next
    ? after.atBank(from.institution_name || words.yourBank, amount, words.next[next])
    : after.onItsWay;
}

function Confirmed({ confirmation, title }: { confirmation: Confirmation; title: string }) {
  const { texts, dollars } = usePage();
  const offer = usePasskeyOffer();
  const { status, total } = confirmation;
  const follows = whatFollows(confirmation, texts.confirm, dollars(total));
  const isWaiting = status === 'processing' || status === 'pending_funds';
  return (
    <Step
      name="done"
      title={title}
      sign={
        isWaiting ? { tone: 'calm', icon: <ClockIcon /> } : { tone: 'good', icon: <CheckIcon /> }
      }
    >
      <p class="amount">{dollars(total)}</p>
      {follows && <p class="lead">{follows}</p>}
      <Receipt confirmation={confirmation} isPaid />
      <PasskeyOffer offer={offer} />
      <ReceiptActions />
    </Step>
  );
}

const stopped = { tone: 'calm', icon: <StopIcon /> } as const;
const failed = { tone: 'bad', icon: <WarningIcon /> } as const;

/** How a record ended of which nothing was moved, and what to say of it. */
function endOf(view: View, confirmation: Confirmation, { confirm, failures }: Texts) {
  const { type, status, failure_code: code, is_requested: isRequested } = confirmation;
  const { declinedTitle, canceledTitle, leftTitle, notMoved, failedTitle } = confirm;
  if (isDeclined(view)) {
    const title = isRequested ? declinedTitle : canceledTitle[type];
    return { name: 'declined', title, text: notMoved, sign: stopped };
  }
  if (status !== 'failed')
    return { name: 'canceled', title: leftTitle, text: notMoved, sign: stopped };
  const known: Readonly<Partial<Record<string, string>>> = failures;
  const text = known[code ?? ''] ?? failures.other;
  return { name: 'failed', title: failedTitle[type], text, sign: failed };
}

function NotConfirmed({ confirmation }: { readonly confirmation: Confirmation }) {
  const { texts, dollars } = usePage();
  const { name, title, text, sign } = endOf(useSession().view, confirmation, texts);
  return (
    <Step name={name} title={title} sign={sign}>
      <p class="amount is-void">{dollars(confirmation.amount)}</p>
      <p class="lead">{text}</p>
      <Receipt confirmation={confirmation} isPaid={false} />
      <ReceiptActions />
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
