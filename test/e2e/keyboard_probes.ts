/** An element that has the focus, as it is seen. */
export interface Stop {
  /** The element's role and words: `button Continue`. */
  readonly name: string;
  readonly outline: { readonly style: string; readonly pixels: number; readonly color: string };
  /** The color on which the outline stands. */
  readonly behind: string;
  /** The element is inside the window, and nothing lies on it. */
  readonly isInSight: boolean;
  /** The stop follows the one before in the page's own order. */
  readonly isAfter: boolean;
  /** The stop stands higher than the one before, or beside it on the left. */
  readonly isAbove: boolean;
}

/** The place of the focus on a page. */
export interface Focus {
  /** The page's heading. */
  readonly heading: string;
  /**
   * The holder of the focus: `nothing`, `dialog`, `fault`, `h1`, `first field`, or its own id or
   * words.
   */
  readonly on: string;
  /**
   * The element that must have the focus whatever the heading is: the dialog, or the first field at
   * fault.
   */
  readonly holds: 'dialog' | 'fault' | null;
}

/** Expressions for a page, as text: its types are not those of the tests. */

/** Whether an element can be seen: inside the window, and at its middle no other lies on it. */
export const isInSight = `((element) => {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const [x, y] = [(Math.max(left, 0) + Math.min(right, innerWidth)) / 2,
    (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2];
  const at = document.elementFromPoint(x, y);
  return at !== null && (element.contains(at) || at.contains(element));
})`;

/** A `Stop`, or null where nothing has the focus. */
export const stopProbe = `(() => {
  const element = document.activeElement;
  if (!element || element === document.body) {
    globalThis.stopBefore = undefined;
    return null;
  }
  const { outlineStyle: style, outlineWidth, outlineColor: color } = getComputedStyle(element);
  let behind = 'rgb(255, 255, 255)';
  for (let up = element.parentElement; up; up = up.parentElement) {
    const { backgroundColor } = getComputedStyle(up);
    if (backgroundColor === 'rgba(0, 0, 0, 0)') continue;
    behind = backgroundColor;
    break;
  }
  const box = element.getBoundingClientRect();
  const here = { top: box.top + scrollY, bottom: box.bottom + scrollY, left: box.left };
  const before = globalThis.stopBefore;
  globalThis.stopBefore = { element, ...here };
  const isAfter = Boolean(before?.element.isConnected
    && before.element.compareDocumentPosition(element) & 4);
  const isAbove = Boolean(before) && (here.bottom <= before.top + 1
    || (here.top < before.bottom - 1 && here.left < before.left - 1 && here.bottom <= before.bottom));
  const name = element.tagName.toLowerCase() + ' '
    + (element.id || element.ariaLabel || element.textContent.trim());
  return { name, outline: { style, pixels: parseFloat(outlineWidth), color }, behind,
    isInSight: ${isInSight}(element), isAfter, isAbove };
})()`;

/** A `Focus`. */
export const focusProbe = `(() => {
  const { activeElement: element, body } = document;
  const dialog = document.querySelector('dialog[open]');
  const fault = document.querySelector('[aria-invalid="true"]');
  const heading = document.querySelector('h1')?.textContent ?? '';
  const holds = dialog ? 'dialog' : fault ? 'fault' : null;
  const on = !element || element === body ? 'nothing'
    : dialog?.contains(element) ? 'dialog'
    : fault?.contains(element) ? 'fault'
    : element.tagName === 'H1' ? 'h1'
    : element === document.querySelector('.step form :is(input, select)') ? 'first field'
    : element.id || element.textContent.trim();
  return { heading, on, holds };
})()`;
