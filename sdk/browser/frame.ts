/** Where a page is shown: in a frame over the Tenant's own page, or in a window of its own. */
export interface Surface {
  /** Null while there is none, or when it has gone. */
  window(): Window | null;
  /** Loads the page, or the next one. */
  go(url: string): void;
  /** Leaves nothing behind: no element, listener, scroll lock; the focus goes back. */
  remove(): void;
}

const style =
  'position:fixed;inset:0;width:100%;height:100%;max-width:none;max-height:none;margin:0;padding:0;border:0;background:transparent;color-scheme:normal';

/**
 * A modal dialog with one frame: the browser's own `dialog` keeps focus and screen readers inside,
 * and closes by Escape.
 */
export function openFrame({ title, left }: { title: string; left: () => void }): Surface {
  const before = document.activeElement;
  const { documentElement } = document;
  const { overflow } = documentElement.style;
  const dialog = document.createElement('dialog');
  const frame = document.createElement('iframe');
  dialog.style.cssText = style;
  frame.style.cssText = style;
  frame.title = title;
  // Assertions may be asked for in the frame; a passkey is made in a window of its own.
  frame.allow = 'publickey-credentials-get *';
  frame.referrerPolicy = 'no-referrer';
  dialog.setAttribute('aria-label', title);
  dialog.append(frame);
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    left();
  });
  document.body.append(dialog);
  documentElement.style.overflow = 'hidden';
  dialog.showModal();

  return {
    window: () => frame.contentWindow,
    go(url) {
      frame.src = url;
    },
    remove() {
      dialog.close();
      dialog.remove();
      documentElement.style.overflow = overflow;
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    },
  };
}

const size = { width: 480, height: 760 };
const lookEveryMs = 300;

/**
 * A window of its own, which must be opened in the customer's click.
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
  }, lookEveryMs);
  return {
    window: () => (popup.closed ? null : popup),
    go(url) {
      if (!popup.closed) popup.location.href = url;
    },
    remove() {
      clearInterval(timer);
      popup.close();
    },
  };
}
