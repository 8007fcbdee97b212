import type { IdentityDocumentKind } from '@tenant-payments/contract/core/identity_documents.ts';
import { useState } from 'preact/hooks';
import { Actions, Button } from '../../ui/button.tsx';
import { FailureNotice, Notice } from '../../ui/notice.tsx';
import { Step } from '../../ui/step.tsx';
import { useCall, useSession } from '../session/session.ts';
import { usePage } from '../use_page.ts';

const mostBytes = 10 * 1024 * 1024;

/** A file in base64. */
async function encoded(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 32_768)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 32_768)));
  return btoa(parts.join(''));
}

interface PaperProps {
  readonly kind: IdentityDocumentKind;
  readonly isGiven: boolean;
}

/** One document: what it is, whether we have it, and its picker, which offers the camera on a phone. */
function Paper({ kind, isGiven }: PaperProps) {
  const { texts } = usePage();
  const { papers } = texts;
  const { call: request } = useSession();
  const { isBusy, failure, call } = useCall(request);
  const [isTooLarge, setTooLarge] = useState(false);
  const id = `paper_${kind}`;
  async function give(input: HTMLInputElement): Promise<void> {
    const [file] = input.files ?? [];
    if (!file || isBusy) return;
    setTooLarge(file.size > mostBytes);
    if (file.size <= mostBytes)
      await call('giveIdentityDocument', { kind, file: await encoded(file) });
    // The same file can be chosen again.
    input.value = '';
  }
  return (
    <li class="paper">
      <h2>{papers.names[kind]}</h2>
      <p id={`${id}_hint`}>{papers.hints[kind]}</p>
      {isTooLarge && <Notice tone="bad">{papers.tooLarge}</Notice>}
      <FailureNotice failure={failure} />
      <p role="status">{isBusy ? papers.sending : isGiven ? papers.given : papers.notGiven}</p>
      <input
        type="file"
        id={id}
        name={kind}
        class="visually-hidden"
        accept="image/jpeg,image/png,application/pdf"
        aria-describedby={`${id}_hint`}
        disabled={isBusy}
        onChange={(event) => void give(event.currentTarget)}
      />
      <label for={id} class="button is-secondary">
        <span class="label">{isGiven ? papers.replace : papers.choose}</span>
        <span class="visually-hidden"> {papers.names[kind]}</span>
      </label>
    </li>
  );
}

interface PapersProps {
  readonly progress: { readonly now: number; readonly all: number };
  readonly onBack: (() => void) | undefined;
  readonly onNext: () => void;
}

/** Documents for the identity check, each kept as soon as it is given. */
export function PapersStep({ progress, onBack, onNext }: PapersProps) {
  const { texts } = usePage();
  const { papers, common } = texts;
  const { view } = useSession();
  const [isMissing, setMissing] = useState(false);
  const { wanted = [], given = [] } = view.onboarding?.identity_documents ?? {};
  const lacks = wanted.filter((kind) => !given.includes(kind));
  return (
    <Step name="identity_documents" title={papers.title} progress={progress} onBack={onBack}>
      <p class="lead">{papers.text}</p>
      {isMissing && lacks.length > 0 && <Notice tone="bad">{papers.missing}</Notice>}
      <ul class="people">
        {wanted.map((kind) => (
          <Paper key={kind} kind={kind} isGiven={given.includes(kind)} />
        ))}
      </ul>
      <Actions>
        <Button onClick={() => (lacks.length > 0 ? setMissing(true) : onNext())}>
          {common.next}
        </Button>
      </Actions>
    </Step>
  );
}
