import { Button } from '../../ui/button.tsx';
import type { Failure } from '../../ui/failure.ts';
import { FailureNotice } from '../../ui/notice.tsx';
import { Rows } from '../../ui/rows.tsx';
import { usePage } from '../use_page.ts';
import type { ReviewPart } from './review_parts.ts';
import type { StepName } from './steps.ts';

interface ReviewProps {
  readonly parts: readonly ReviewPart[];
  readonly onChange: (step: StepName) => void;
  readonly onSubmit: () => void;
  readonly isBusy: boolean;
  readonly failure: Failure | null;
}

/** All entered data before it is sent (WCAG 3.3.4). */
export function Review({ parts, onChange, onSubmit, isBusy, failure }: ReviewProps) {
  const { texts } = usePage();
  const { change, changeWhat, submit } = texts.onboarding;
  return (
    <>
      {parts.map(({ step, title, rows }) => (
        <section key={step} aria-labelledby={`review-${step}`}>
          <div class="review-head">
            <h2 id={`review-${step}`}>{title}</h2>
            <button
              type="button"
              class="link"
              aria-label={changeWhat(title)}
              onClick={() => onChange(step)}
            >
              {change}
            </button>
          </div>
          <Rows rows={rows} />
        </section>
      ))}
      <FailureNotice failure={failure} />
      <div class="actions">
        <Button isBusy={isBusy} onClick={onSubmit}>
          {submit}
        </Button>
      </div>
    </>
  );
}
