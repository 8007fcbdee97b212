import { Step } from '../../ui/step.tsx';
import { Papers } from '../parts/papers.tsx';
import { useSession } from '../session/session.ts';
import { usePage } from '../use_page.ts';

interface PapersProps {
  readonly progress: { readonly now: number; readonly all: number };
  readonly onBack: (() => void) | undefined;
  readonly onNext: () => void;
}

/** Documents for the identity check of the session's customer. */
export function PapersStep({ progress, onBack, onNext }: PapersProps) {
  const { texts } = usePage();
  const { view, call } = useSession();
  const { wanted = [], given = [] } = view.onboarding?.identity_documents ?? {};
  return (
    <Step name="identity_documents" title={texts.papers.title} progress={progress} onBack={onBack}>
      <Papers
        wanted={wanted}
        given={given}
        give={(kind, file) => call('giveIdentityDocument', { kind, file })}
        onNext={onNext}
      />
    </Step>
  );
}
