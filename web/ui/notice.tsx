import type { ComponentChildren } from 'preact';
import type { Failure } from './failure.ts';
import { usePage } from './page_context.ts';
import type { Texts } from './texts/en.ts';

interface NoticeProps {
  readonly tone?: 'bad' | 'good' | 'calm';
  readonly title?: string;
  readonly children: ComponentChildren;
}

/** A notice in a step. Screen readers announce bad ones at once, others politely. */
export function Notice({ tone = 'calm', title, children }: NoticeProps) {
  return (
    <div class={`notice is-${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      {title && <p class="notice-title">{title}</p>}
      <p>{children}</p>
    </div>
  );
}

/** The title of a failure, and the advice that follows it; a refusal has no title. */
export function wordsOf(failure: Failure, { trouble, refusals }: Texts) {
  switch (failure.kind) {
    case 'offline':
      return { title: trouble.offlineTitle, text: trouble.offline };
    case 'busy':
      return { title: trouble.busyTitle, text: trouble.busy(failure.seconds) };
    case 'lost':
      return { title: trouble.lostTitle, text: trouble.lost };
    case 'refused': {
      const text = refusals[failure.reason ?? ''] ?? refusals[failure.code] ?? trouble.refused;
      return { title: undefined, text };
    }
    default:
      return { title: trouble.serviceTitle, text: trouble.service };
  }
}

/** Why an action failed, with the request id for support. */
export function FailureNotice({ failure }: { readonly failure: Failure | null }) {
  const { texts } = usePage();
  if (!failure) return null;
  const { title, text } = wordsOf(failure, texts);
  return (
    <Notice tone="bad" {...(title === undefined ? {} : { title })}>
      {text}
      {failure.requestId && <Reference id={failure.requestId} />}
    </Notice>
  );
}

export function Reference({ id }: { readonly id: string }) {
  const { texts } = usePage();
  return <small class="reference">{texts.common.reference(id)}</small>;
}
