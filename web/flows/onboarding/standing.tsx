import type { View } from '@tenant-payments/contract/hosted/view.ts';
import { Actions, Button } from '../../ui/button.tsx';
import { moment } from '../../ui/dates.ts';
import { CheckIcon, ClockIcon, WarningIcon } from '../../ui/icons.tsx';
import { isolated } from '../../ui/isolated.ts';
import { Step } from '../../ui/step.tsx';
import { LeaveAction } from '../session/end_action.tsx';
import { usePage } from '../use_page.ts';
import type { Standing } from './steps.ts';

interface StandingProps {
  readonly standing: Exclude<Standing, 'open'>;
  readonly onboarding: NonNullable<View['onboarding']>;
  readonly onStart: () => void;
}

const clock = { tone: 'calm', icon: <ClockIcon /> } as const;
const signs = {
  more: clock,
  again: clock,
  waiting: clock,
  too_early: { tone: 'bad', icon: <WarningIcon /> },
  final: { tone: 'bad', icon: <WarningIcon /> },
  approved: { tone: 'good', icon: <CheckIcon /> },
} as const;

/** Shows the state of an application before the form, or in place of it. */
export function StandingStep({ standing, onboarding, onStart }: StandingProps) {
  const { texts, tenantName, locale } = usePage();
  const words = texts.onboarding;
  const asked = onboarding.identity_documents?.wanted ?? [];
  const names = asked.map((kind) => texts.papers.names[kind]).join(', ');
  const until = onboarding.retry_available_at;
  const textOf: Readonly<Record<typeof standing, readonly [title: string, ...texts: string[]]>> = {
    more: [words.moreTitle, words.more, ...(names ? [words.moreDocuments(names)] : [])],
    again: [words.moreTitle, words.retry],
    waiting: [words.alreadyTitle, words.already(isolated(tenantName))],
    too_early: [
      words.rejectedTitle,
      words.rejectedWhy,
      words.rejectedUntil(until ? moment(until, locale) : ''),
    ],
    final: [words.rejectedTitle, words.rejectedWhy, words.rejectedFinal(isolated(tenantName))],
    approved: [words.approvedTitle, words.approved],
  };
  const [title, ...paragraphs] = textOf[standing];
  const mayStart = standing === 'more' || standing === 'again';
  return (
    <Step name={standing} title={title} sign={signs[standing]}>
      {paragraphs.map((text) => (
        <p key={text} class="lead">
          {text}
        </p>
      ))}
      <Actions>
        {mayStart ? <Button onClick={onStart}>{words.start}</Button> : <LeaveAction />}
      </Actions>
    </Step>
  );
}
