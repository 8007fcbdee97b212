let shown: string | null = null;

/**
 * The first scope that a window shows is its own, also once another window has moved the session (rules/sign-in#3).
 * @param scope where the session acts; null: where these pages show nothing
 * @returns whether that is not where the window is
 */
export function isElsewhere(scope: string | null): boolean {
  shown ??= scope;
  return shown !== scope;
}

/** The scope that this window shows; null: none yet. */
export const shownScope = () => shown;

/** The headers of every call: the scope that the window shows, and the Tenant that staff name. */
export const scopeHeaders = (tenantId?: string | null): Record<string, string> => ({
  ...(shown && { 'session-scope': shown }),
  ...(tenantId && { 'tenant-id': tenantId }),
});
