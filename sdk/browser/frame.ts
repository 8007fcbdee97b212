import type { Texts } from './texts.ts';

/** The place where a page is shown: in a frame over the Tenant's page, or in a separate window. */
export interface Surface {
  /** Null when there is none. */
  window(): Window | null;
  /** Loads the page. @param loaded is called for a frame, not for a window */
  go(url: string, loaded: () => void): void;
  /** The page has answered: shows it and focuses it. */
  show(): void;
  /** Removes element, listeners and scroll lock, and returns the focus. */
  remove(): void;
}

const fill =
  'position:fixed;inset:0;width:100%;height:100%;max-width:none;max-height:none;margin:0;padding:0;border:0;background:transparent';
const card =
  'position:absolute;inset:0;width:fit-content;height:fit-content;margin:auto;padding:24px 32px;border-radius:12px;color-scheme:light dark;background:Canvas;color:CanvasText;font:16px/1.5 system-ui,sans-serif;text-align:center';
const button = 'min-width:96px;min-height:44px;font:inherit';

/** Styled by script, which a policy on inline styles allows. */
function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  style: string,
  text = '',
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.style.cssText = style;
  made.textContent = text;
  return made;
}

/** Shown until the page answers, with a close button for devices without an Escape key. */
function waitingCard({ loading, close }: Texts, left: () => void): HTMLElement {
  const box = element('div', card);
  const status = element('p', 'margin:0 0 16px', loading);
  const leave = element('button', button, close);
  status.setAttribute('role', 'status');
  leave.type = 'button';
  leave.onclick = left;
  box.append(status, leave);
  return box;
}

/**
 * A modal dialog with one frame: the browser's own `dialog` keeps focus and screen readers inside,
 * and closes by Escape.
 */
export function openFrame({ texts, left }: { texts: Texts; left: () => void }): Surface {
  const before = document.activeElement;
  const { documentElement } = document;
  const { overflow } = documentElement.style;
  const dialog = element('dialog', fill);
  const frame = element('iframe', `${fill};color-scheme:light;visibility:hidden`);
  const waiting = waitingCard(texts, left);
  frame.title = texts.title;
  // The frame may use passkeys; they are created in a separate window.
  frame.allow = 'publickey-credentials-get *';
  frame.referrerPolicy = 'no-referrer';
  dialog.setAttribute('aria-label', texts.title);
  dialog.append(frame, waiting);
  dialog.oncancel = (event) => {
    event.preventDefault();
    left();
  };
  // A second Escape closes it without asking.
  dialog.onclose = left;
  document.body.append(dialog);
  documentElement.style.overflow = 'hidden';
  dialog.showModal();

  return {
    window: () => frame.contentWindow,
    go(url, loaded) {
      frame.onload = loaded;
      frame.src = url;
    },
    show() {
      waiting.remove();
      frame.style.visibility = 'visible';
      frame.focus();
    },
    remove() {
      dialog.close();
      dialog.remove();
      documentElement.style.overflow = overflow;
      if (before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true });
    },
  };
}

const size = { width: 480, height: 760 };
const checkEveryMs = 300;

/**
 * A separate window, which must be opened in the customer's click.
 * @returns null when the browser blocks it
 */
export function openPopup({ left }: { left: () => void }): Surface | null {
  const x = Math.max(0, screenX + (outerWidth - size.width) / 2);
  const y = Math.max(0, screenY + (outerHeight - size.height) / 2);
  const features = `popup,width=${size.width},height=${size.height},left=${x},top=${y}`;
  const popup = open('about:blank', '_blank', features);
  if (!popup) return null;
  const timer = setInterval(() => {
    if (!popup.closed) return;
    clearInterval(timer);
    left();
  }, checkEveryMs);
  return {
    window: () => (popup.closed ? null : popup),
    go(url) {
      if (!popup.closed) popup.location.href = url;
    },
    show: () => {},
    remove() {
      clearInterval(timer);
      popup.close();
    },
  };
}
