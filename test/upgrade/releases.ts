/**
 * The releases beside which this one runs while an upgrade lasts, newest last: `npm run prove -- --only deployment`
 * builds them. The first one is the first that serves the files of another (rules/hosted#50).
 */
export const olderReleases: readonly { readonly commit: string }[] = [{ commit: '87a30941' }];
