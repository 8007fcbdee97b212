import { Check } from '../../ui/choices.tsx';
import { Form } from '../../ui/form.tsx';
import { usePage } from '../../ui/page_context.ts';
import { Step } from '../../ui/step.tsx';
import { useForm } from '../../ui/use_form.ts';
import type { Failure } from '../session/api.ts';
import { DocumentList } from './document_list.tsx';

interface DocumentsProps {
  readonly progress: { readonly now: number; readonly all: number };
  readonly onBack: (() => void) | undefined;
  readonly onNext: () => void;
  readonly isBusy: boolean;
  readonly failure: Failure | null;
}

/** What must be accepted before an account is opened. */
export function DocumentsStep(props: DocumentsProps) {
  const { progress, onBack, onNext, isBusy, failure } = props;
  const { texts } = usePage();
  const words = texts.documents;
  const form = useForm({ accepts: '' }, ({ accepts }) => ({
    accepts: accepts === 'yes' ? undefined : words.mustAccept,
  }));
  return (
    <Step name="documents" title={words.title} progress={progress} onBack={onBack}>
      <p class="lead">{words.text}</p>
      <Form
        form={form}
        onValid={onNext}
        label={texts.common.next}
        isBusy={isBusy}
        failure={failure}
      >
        <DocumentList />
        <Check {...form.field('accepts')} label={words.accept} />
      </Form>
    </Step>
  );
}
