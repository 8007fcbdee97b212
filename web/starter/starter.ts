import { start as en } from '../ui/texts/en/start.ts';
import { start as es } from '../ui/texts/es/start.ts';
import { localeOf } from '../ui/texts/locale.ts';
import { standInForStorage } from './storage.ts';

/**
 * Stands in the HTML of every page, before what the page loads, and watches over that (rules/hosted#51): a page whose
 * script does not come is loaded again by itself once, and then says so. Its token is still in the address then,
 * since no script has run.
 */
const wordsIn = { en, es };

/** Portal and console speak English. */
const words = () =>
  'tenantName' in document.documentElement.dataset
    ? wordsIn[localeOf(navigator.languages)]
    : wordsIn.en;

function wasReloaded(): boolean {
  const [navigation] = performance.getEntriesByType('navigation');
  return navigation instanceof PerformanceNavigationTiming && navigation.type === 'reload';
}

function make(name: string, className: string, ...inside: (Node | string)[]): HTMLElement {
  const element = document.createElement(name);
  element.className = className;
  element.append(...inside);
  return element;
}

function say(): void {
  const main = document.querySelector('main');
  if (main === null) return;
  const { brokenTitle, broken, again } = words();
  const heading = make('h1', '', brokenTitle);
  heading.tabIndex = -1;
  const button = make('button', 'button is-primary', again);
  button.addEventListener('click', () => location.reload());
  const parts = [heading, make('p', 'lead', broken), make('div', 'actions', button)];
  main.removeAttribute('aria-busy');
  main.replaceChildren(make('section', 'step is-state', ...parts));
  document.title = brokenTitle;
  heading.focus();
}

function onScriptLost(): void {
  // Without a network a browser would show a page of its own.
  if (!wasReloaded() && navigator.onLine) location.reload();
  else if (document.readyState === 'loading') addEventListener('DOMContentLoaded', say);
  else say();
}

/** Another try may reach another process; a page without its style still works. */
function askAgain(sheet: HTMLLinkElement): void {
  if (sheet.href.includes('?')) return;
  const other = sheet.cloneNode() as HTMLLinkElement;
  other.href += '?again';
  sheet.replaceWith(other);
}

standInForStorage();
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLScriptElement) onScriptLost();
    else if (target instanceof HTMLLinkElement) askAgain(target);
  },
  // Errors of elements do not bubble.
  true,
);
