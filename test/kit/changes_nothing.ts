/**
 * Operations of the portal besides GETs that change nothing, so that the audit has no row of them: options of a
 * browser, the address of a provider, a preview; what opens the vault says so by itself.
 */
export type ChangesNothing = 'previewMove' | `begin${string}` | `open${string}`;

export const changesNothing = (id: string): id is ChangesNothing =>
  /^(previewMove$|begin|open)/.test(id);
