import { ownValue } from '@tenant-payments/contract/core/own_value.ts';
import type { ComponentChildren } from 'preact';
import { Actions, Button } from './button.tsx';
import type { Failure } from './failure.ts';
import { ClockIcon, LockIcon, OfflineIcon, StopIcon, WarningIcon } from './icons.tsx';
import { Reference } from './notice.tsx';
import { usePage } from './page_context.ts';
import { Step, type Tone } from './step.tsx';
import type { Texts } from './texts/en.ts';

/** Problems that a page can show. */
export type ProblemName =
  | 'used'
  | 'expired'
  | 'linkExpired'
  | 'unknown'
  | 'ended'
  | 'canceled'
  | 'alone'
  | 'unanswered'
  | 'unregistered'
  | 'unsupported'
  | 'offlineStart'
  | 'service'
  | 'busy'
  | 'lost';

interface Look {
  readonly tone: Tone;
  readonly icon: ComponentChildren;
}
const clock: Look = { tone: 'calm', icon: <ClockIcon /> };
const lock: Look = { tone: 'calm', icon: <LockIcon /> };
const warning: Look = { tone: 'bad', icon: <WarningIcon /> };

const looks: Readonly<Record<ProblemName, Look>> = {
  used: lock,
  expired: clock,
  linkExpired: clock,
  unknown: lock,
  ended: clock,
  canceled: { tone: 'calm', icon: <StopIcon /> },
  alone: lock,
  unanswered: lock,
  unregistered: lock,
  unsupported: warning,
  offlineStart: { tone: 'bad', icon: <OfflineIcon /> },
  service: warning,
  busy: clock,
  lost: clock,
};

function wordsFor(name: ProblemName, { trouble }: Texts): { title: string; text: string } {
  if (name === 'offlineStart') return { title: trouble.offlineTitle, text: trouble.offlineStart };
  if (name === 'busy') return { title: trouble.busyTitle, text: trouble.busy(10) };
  return { title: trouble[`${name}Title`], text: trouble[name] };
}

interface ProblemProps {
  readonly name: ProblemName;
  readonly requestId?: string | null;
  readonly onRetry?: (() => void) | undefined;
  /** Ways out of the page; without any, it may be closed. */
  readonly children?: ComponentChildren;
}

/** A page that explains a problem and what to do next. */
export function Problem({ name, requestId, onRetry, children }: ProblemProps) {
  const { texts } = usePage();
  const { title, text } = wordsFor(name, texts);
  return (
    <Step name={name} title={title} sign={looks[name]}>
      <p class="lead">{text}</p>
      {requestId && (
        <p>
          <Reference id={requestId} />
        </p>
      )}
      <Actions>
        {onRetry && <Button onClick={onRetry}>{texts.common.retry}</Button>}
        {children}
      </Actions>
    </Step>
  );
}

/** Problems by the reason for which a token is refused. */
const refusals = {
  used: 'used',
  expired: 'linkExpired',
  ended: 'ended',
} as const satisfies Record<string, ProblemName>;

const plain: Readonly<Record<Exclude<Failure['kind'], 'refused'>, ProblemName>> = {
  offline: 'offlineStart',
  service: 'service',
  busy: 'busy',
  lost: 'lost',
};

/** The problem for a failure before the first view. */
export const problemOf = (failure: Failure): ProblemName =>
  failure.kind === 'refused'
    ? (ownValue(refusals, failure.reason ?? '') ?? 'unknown')
    : plain[failure.kind];

export const isWorthRetrying = ({ kind }: Failure): boolean =>
  kind === 'offline' || kind === 'service' || kind === 'busy';
