import type { ComponentChildren } from 'preact';
import { CloseIcon, LockIcon } from './icons.tsx';
import { usePage } from './page_context.ts';

interface FrameProps {
  readonly isSandbox: boolean;
  readonly onClose?: (() => void) | undefined;
  /** False: the platform's own page, where nobody pays. */
  readonly isOfTenant?: boolean;
  readonly children: ComponentChildren;
}

/** The Tenant's logo and name, a close button, and the step below. */
export function Frame({ isSandbox, onClose, isOfTenant = true, children }: FrameProps) {
  const { texts, tenantName } = usePage();
  const { logo } = document.documentElement.dataset;
  return (
    <div class="page">
      <div class="card">
        <header>
          {isSandbox && <p class="ribbon">{texts.common.sandbox}</p>}
          <div class="bar">
            {logo && <img class="logo" src={logo} alt="" />}
            <div class="whose">
              <p class="tenant">{tenantName}</p>
              {isOfTenant && (
                <p class="secure">
                  <LockIcon />
                  {texts.common.secure}
                </p>
              )}
            </div>
            {onClose && (
              <button
                type="button"
                class="icon-button"
                aria-label={texts.common.close}
                onClick={onClose}
              >
                <CloseIcon />
              </button>
            )}
          </div>
        </header>
        <main>{children}</main>
      </div>
    </div>
  );
}

/** Loading; the card keeps its place. */
export function Waiting() {
  const { texts } = usePage();
  return (
    <p class="waiting" role="status">
      <span class="spinner" aria-hidden="true" />
      <span class="visually-hidden">{texts.common.loading}</span>
    </p>
  );
}
