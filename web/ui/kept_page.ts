/** The page of portal or console that somebody asked for before they signed in; that keeps it. */
const name = 'portal_page';

export const keepPage = (path: string): void => sessionStorage.setItem(name, path);

/** Once: whoever comes back to their sign-in stays there. */
export function takeKeptPage(): string | null {
  const kept = sessionStorage.getItem(name);
  sessionStorage.removeItem(name);
  return kept !== null && /^\/(portal|console)(?:[/?]|$)/.test(kept) ? kept : null;
}
