import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { BackIcon } from './icons.tsx';
import { usePage } from './page_context.ts';

export type Tone = 'good' | 'calm' | 'bad';

interface StepProps {
  /** The step's name, told to the SDK; a new name moves the focus. */
  readonly name: string;
  readonly title: string;
  readonly progress?: { readonly now: number; readonly all: number } | undefined;
  readonly onBack?: (() => void) | undefined;
  /**
   * The element that gets the focus as the step appears; the first field only where there is a
   * keyboard.
   */
  readonly startsIn?: 'heading' | 'field';
  /** The sign above the heading of a step that shows a state and asks nothing. */
  readonly sign?: { readonly tone: Tone; readonly icon: ComponentChildren };
  readonly children: ComponentChildren;
}

type TopProps = Pick<StepProps, 'progress' | 'onBack'>;

/** The way back and how far one has come, in one line that keeps its height on every page. */
function Top({ progress, onBack }: TopProps) {
  const { texts } = usePage();
  if (!progress && !onBack) return null;
  return (
    <div class="top">
      <div class="top-line">
        {onBack && (
          <button type="button" class="back" onClick={onBack}>
            <BackIcon /> {texts.common.back}
          </button>
        )}
        {progress && <p class="progress">{texts.common.step(progress.now, progress.all)}</p>}
      </div>
      {progress && (
        <div class="track" aria-hidden="true">
          {Array.from({ length: progress.all }, (_, index) => (
            <span key={String(index)} class={index < progress.now ? 'is-done' : ''} />
          ))}
        </div>
      )}
    </div>
  );
}

/**
 * Whether there is a mouse, so a keyboard too: a field that has the focus brings none up over the
 * page.
 */
const hasKeys = () => matchMedia('(hover: hover) and (pointer: fine)').matches;

/** The first field, which gets the focus; null with a notice above it, which must be read first. */
const firstField = (step: HTMLElement | null): HTMLElement | null =>
  hasKeys() && !step?.querySelector('[role="alert"]')
    ? (step?.querySelector<HTMLElement>('form input, form select') ?? null)
    : null;

/** One page of a flow: a heading or a field that takes the focus, and one thing to do. */
export function Step(props: StepProps) {
  const { name, title, progress, onBack, startsIn = 'heading', sign, children } = props;
  const { tenantName, seen } = usePage();
  const step = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${tenantName}`;
  }, [title, tenantName]);
  // The focus moves at once: a key that is pressed after the page has changed must not lose it
  // again.
  useLayoutEffect(() => {
    scrollTo(0, 0);
    const field = startsIn === 'field' ? firstField(step.current) : null;
    (field ?? heading.current)?.focus({ preventScroll: true });
  }, [name]);
  useEffect(() => seen(name), [name]);
  return (
    <section ref={step} class={sign ? 'step is-state' : 'step'} aria-labelledby="title">
      <Top progress={progress} onBack={onBack} />
      {sign && <div class={`sign is-${sign.tone}`}>{sign.icon}</div>}
      <h1 id="title" ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </section>
  );
}
