import { Check } from '../../ui/choices.tsx';
import type { Failure } from '../../ui/failure.ts';
import { Form } from '../../ui/form.tsx';
import { FailureNotice } from '../../ui/notice.tsx';
import { Step } from '../../ui/step.tsx';
import { useForm } from '../../ui/use_form.ts';
import { type Shown, useDocuments } from '../documents/use_documents.ts';
import { useSession } from '../session/session.ts';
import { usePage } from '../use_page.ts';
import { DocumentList, OnceRead } from './document_list.tsx';

interface AcceptProps {
  readonly onNext: (read: Shown) => void;
  readonly isBusy: boolean;
  /** The sample was opened here, or before the texts were shown anew. */
  readonly isSampleOpened: boolean;
  readonly onSample: () => void;
}

interface DocumentsProps extends AcceptProps {
  readonly progress: { readonly now: number; readonly all: number };
  readonly onBack: (() => void) | undefined;
  readonly failure: Failure | null;
}

interface SampleProps {
  readonly url: string;
  readonly onOpen: () => void;
}

/** A statement to open, which shows that electronic records can be read (rules/documents#33). */
function Sample({ url, onOpen }: SampleProps) {
  const { texts, locale } = usePage();
  const { sample, sampleText } = texts.documents;
  return (
    <>
      <p>{sampleText}</p>
      <a
        class="link"
        href={`${url}?language=${locale}`}
        target="_blank"
        rel="noopener noreferrer"
        data-sample
        onClick={onOpen}
      >
        {sample}
      </a>
    </>
  );
}

function AcceptForm({ shown, ...props }: AcceptProps & { readonly shown: Shown }) {
  const { onNext, isBusy, isSampleOpened, onSample } = props;
  const { texts } = usePage();
  const { view } = useSession();
  const words = texts.documents;
  const consents =
    view.customer.type === 'individual' &&
    shown.documents.some(({ document_type }) => document_type === 'esign_consent');
  const wantsSample = consents && !isSampleOpened;
  const form = useForm({ accepts: '' }, ({ accepts }) => ({
    accepts: wantsSample ? words.mustOpen : accepts === 'yes' ? undefined : words.mustAccept,
  }));
  const field = form.field('accepts');
  // Once the sample is open, nothing is at fault any more until the form is sent again.
  const error = field.error === words.mustOpen && !wantsSample ? undefined : field.error;
  return (
    <Form form={form} onValid={() => onNext(shown)} label={texts.common.next} isBusy={isBusy}>
      <DocumentList {...shown} />
      {consents && <Sample url={shown.sampleUrl} onOpen={onSample} />}
      <Check {...field} error={error} label={words.accept} />
    </Form>
  );
}

/** The step in which documents are accepted before an account is opened. */
export function DocumentsStep({ progress, onBack, failure, ...accept }: DocumentsProps) {
  const { title, text } = usePage().texts.documents;
  const reading = useDocuments();
  return (
    <Step name="documents" title={title} progress={progress} onBack={onBack}>
      <p class="lead">{text}</p>
      <FailureNotice failure={failure} />
      <OnceRead reading={reading}>{(shown) => <AcceptForm shown={shown} {...accept} />}</OnceRead>
    </Step>
  );
}
