/** A release: its version in the changelog and in package.json, and the commit at which it has it. */
export interface Release {
  readonly version: string;
  readonly commit: string;
}

/**
 * The releases, the oldest first. Beside each of them this one runs while an upgrade lasts: `npm run prove -- --only
 * deployment` builds them. The commit of a release is named by a later one.
 */
export const releases: readonly Release[] = [{ version: '1.0.0', commit: '0541eb97' }];
