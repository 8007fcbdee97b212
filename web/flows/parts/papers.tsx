import {
  documentLimits,
  documentTypesTaken,
  type IdentityDocumentKind,
} from '@tenant-payments/contract/core/identity_documents.ts';
import { useState } from 'preact/hooks';
import { Actions, Button } from '../../ui/button.tsx';
import type { Answer } from '../../ui/failure.ts';
import { CheckIcon } from '../../ui/icons.tsx';
import { FailureNotice, Notice } from '../../ui/notice.tsx';
import { usePage } from '../use_page.ts';
import { encoded, photoOf } from './photo.ts';

interface PaperProps {
  readonly kind: IdentityDocumentKind;
  readonly isGiven: boolean;
  /** Others wait while a file is on its way. */
  readonly give: (kind: IdentityDocumentKind, file: string) => Promise<Answer<unknown>>;
}

/** The file that this page has sent of a document: the service tells only that it has one. */
interface Sent {
  readonly name: string;
  readonly picture: string | null;
}

type Trouble = Extract<Answer<unknown>, { ok: false }>['failure'] | 'type' | 'size' | null;

/** Sends the chosen file of a document, one at a time. */
function useGiving({ kind, give }: PaperProps) {
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble>(null);
  const [sent, setSent] = useState<Sent | null>(null);
  async function choose(input: HTMLInputElement): Promise<void> {
    const [chosen] = input.files ?? [];
    if (!chosen || isBusy) return;
    setTrouble(null);
    // Some browsers tell no type: then the service says what it is.
    if (chosen.type !== '' && !(documentTypesTaken as readonly string[]).includes(chosen.type))
      setTrouble('type');
    else await send(chosen);
    // Without this the same file could not be chosen again.
    input.value = '';
  }
  async function send(chosen: File): Promise<void> {
    setBusy(true);
    const { file, picture } = await photoOf(chosen);
    if (file.size > documentLimits.bytes) setTrouble('size');
    else {
      const answer = await give(kind, await encoded(file));
      if (answer.ok) setSent({ name: chosen.name, picture });
      else setTrouble(answer.failure);
    }
    setBusy(false);
  }
  return { isBusy, trouble, sent, choose };
}

/** A phone or tablet: its camera takes a photo at once. A desk's would only open the picker of files. */
const hasCamera = () => matchMedia('(pointer: coarse)').matches;

interface PickerProps {
  readonly id: string;
  readonly label: string;
  /** The document's name, for a screen reader. */
  readonly of: string;
  /** The element that says what it must show. */
  readonly hint: string;
  readonly isBusy: boolean;
  readonly isCamera?: boolean;
  readonly onChoose: (input: HTMLInputElement) => void;
}

/** A picker of files that looks like a button. It keeps the focus while a file is on its way. */
const Picker = ({ id, label, of, hint, isBusy, isCamera = false, onChoose }: PickerProps) => (
  <div class="picker">
    <input
      type="file"
      id={id}
      class="picker-input"
      accept={isCamera ? 'image/jpeg,image/png' : documentTypesTaken.join()}
      {...(isCamera && { capture: 'environment' as const })}
      aria-describedby={hint}
      aria-disabled={isBusy ? 'true' : undefined}
      onClick={(event) => isBusy && event.preventDefault()}
      onChange={(event) => onChoose(event.currentTarget)}
    />
    <label for={id} class="button is-secondary" aria-disabled={isBusy ? 'true' : undefined}>
      <span class="label">{label}</span>
      <span class="visually-hidden"> {of}</span>
    </label>
  </div>
);

/** Why a file was not taken, in words that say what to do. */
function TroubleNotice({ trouble }: { readonly trouble: Trouble }) {
  const { texts } = usePage();
  if (trouble === null) return null;
  if (trouble === 'type') return <Notice tone="bad">{texts.refusals.not_supported}</Notice>;
  if (trouble === 'size') return <Notice tone="bad">{texts.refusals.too_large}</Notice>;
  return <FailureNotice failure={trouble} />;
}

/** One document: what it is, whether we have it, and the ways to give it. */
function Paper(props: PaperProps) {
  const { kind, isGiven } = props;
  const { texts } = usePage();
  const { papers } = texts;
  const { isBusy, trouble, sent, choose } = useGiving(props);
  const name = papers.names[kind];
  const hint = `hint_${kind}`;
  const onChoose = (input: HTMLInputElement) => void choose(input);
  const picker = { of: name, hint, isBusy, onChoose };
  const file = isGiven ? papers.replace : hasCamera() ? papers.chooseFile : papers.choose;
  return (
    <li class="person paper">
      <div class="paper-head">
        <h2>{name}</h2>
        <p role="status" class={isGiven && !isBusy ? 'paper-state is-given' : 'paper-state'}>
          {isGiven && !isBusy && <CheckIcon />}
          {isBusy ? papers.sending : isGiven ? papers.given : papers.notGiven}
        </p>
      </div>
      <p id={hint}>{papers.hints[kind]}</p>
      {sent && isGiven && (
        <div class="paper-sent">
          {sent.picture && <img src={sent.picture} alt={papers.pictureOf(name)} />}
          <p class="breaks">{sent.name}</p>
        </div>
      )}
      {isBusy && <progress class="paper-progress" aria-label={papers.sending} />}
      <TroubleNotice trouble={trouble} />
      <Actions>
        {hasCamera() && (
          <Picker
            id={`photo_${kind}`}
            label={isGiven ? papers.retake : papers.takePhoto}
            isCamera
            {...picker}
          />
        )}
        <Picker id={`paper_${kind}`} label={file} {...picker} />
      </Actions>
    </li>
  );
}

export interface PapersProps {
  readonly wanted: readonly IdentityDocumentKind[];
  readonly given: readonly IdentityDocumentKind[];
  readonly give: PaperProps['give'];
  readonly onNext: () => void;
}

/** Documents for an identity check, each kept as soon as it is given. */
export function Papers({ wanted, given, give, onNext }: PapersProps) {
  const { texts } = usePage();
  const { papers, common } = texts;
  const [isMissing, setMissing] = useState(false);
  const lacks = wanted.filter((kind) => !given.includes(kind));
  const giveOne: PaperProps['give'] = (kind, file) => {
    setMissing(false);
    return give(kind, file);
  };
  return (
    <>
      <p class="lead">{papers.text}</p>
      <ul class="cards">
        {wanted.map((kind) => (
          <Paper key={kind} kind={kind} isGiven={given.includes(kind)} give={giveOne} />
        ))}
      </ul>
      {isMissing && lacks.length > 0 && (
        <Notice tone="bad">
          {papers.missing(lacks.map((kind) => papers.names[kind]).join(', '))}
        </Notice>
      )}
      <Actions>
        <Button onClick={() => (lacks.length > 0 ? setMissing(true) : onNext())}>
          {common.next}
        </Button>
      </Actions>
    </>
  );
}
